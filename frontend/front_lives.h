/* SPDX-License-Identifier: BSD-3-Clause */
/* The life-cycles that the front end follows: the agents' job and the application.  Every row is tested
 * (tests/agents/test_lives.c); --verbose prints each step. */
#ifndef PSC_FRONTEND_FRONT_LIVES_H
#define PSC_FRONTEND_FRONT_LIVES_H

#include "base/life_cycle.h"

enum job_state {
	JOB_STARTING,           /* started, or about to be */
	JOB_CONNECTED,          /* the master is connected */
	JOB_READY,              /* the application may start */
	JOB_MEASURING,          /* an experiment is done */
	JOB_REPORTED,
	JOB_FAILED
};
enum job_event { JOB_CONNECT, JOB_ALL_READY, JOB_PROGRESS, JOB_REPORT, JOB_FAIL, JOB_RETRY };
extern const struct life_cycle job_life;

enum application_state { APPLICATION_ABSENT, APPLICATION_RUNNING, APPLICATION_ENDED };
enum application_event { APPLICATION_START, APPLICATION_END };
extern const struct life_cycle application_life;

#endif
