/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the life-cycle tables of the agents' job and the application. */
#include "frontend/front_lives.h"

static const char *const job_states[] = {
	[JOB_STARTING] = "starting", [JOB_CONNECTED] = "connected", [JOB_READY] = "ready",
	[JOB_MEASURING] = "measuring", [JOB_REPORTED] = "reported", [JOB_FAILED] = "failed"
};
static const char *const job_events[] = {
	[JOB_CONNECT] = "master connected", [JOB_ALL_READY] = "all ready",
	[JOB_PROGRESS] = "experiment done",
	[JOB_REPORT] = "report", [JOB_FAIL] = "failure", [JOB_RETRY] = "started another way"
};
static const struct life_step job_steps[] = {
	{ JOB_STARTING,  JOB_CONNECT,   JOB_CONNECTED },
	{ JOB_STARTING,  JOB_FAIL,      JOB_FAILED },
	{ JOB_CONNECTED, JOB_ALL_READY, JOB_READY },
	{ JOB_CONNECTED, JOB_FAIL,      JOB_FAILED },
	{ JOB_READY,     JOB_PROGRESS,  JOB_MEASURING },
	{ JOB_READY,     JOB_REPORT,    JOB_REPORTED },
	{ JOB_READY,     JOB_FAIL,      JOB_FAILED },
	{ JOB_MEASURING, JOB_PROGRESS,  JOB_MEASURING },
	{ JOB_MEASURING, JOB_REPORT,    JOB_REPORTED },
	{ JOB_MEASURING, JOB_FAIL,      JOB_FAILED },
	{ JOB_REPORTED,  JOB_PROGRESS,  JOB_REPORTED },
	/* After an error of one agent, progress and reports of the others still count. */
	{ JOB_FAILED,    JOB_PROGRESS,  JOB_FAILED },
	{ JOB_FAILED,    JOB_REPORT,    JOB_FAILED },
	{ JOB_FAILED,    JOB_RETRY,     JOB_STARTING },
};
const struct life_cycle job_life = LIFE_CYCLE("agents", job_states, job_events, job_steps);

static const char *const application_states[] = {
	[APPLICATION_ABSENT] = "not started", [APPLICATION_RUNNING] = "running",
	[APPLICATION_ENDED] = "ended"
};
static const char *const application_events[] = {
	[APPLICATION_START] = "started", [APPLICATION_END] = "ended"
};
static const struct life_step application_steps[] = {
	{ APPLICATION_ABSENT,  APPLICATION_START, APPLICATION_RUNNING },
	{ APPLICATION_RUNNING, APPLICATION_END,   APPLICATION_ENDED },
	{ APPLICATION_ENDED,   APPLICATION_START, APPLICATION_RUNNING },
};
const struct life_cycle application_life =
	LIFE_CYCLE("application", application_states, application_events, application_steps);
