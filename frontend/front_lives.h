/* SPDX-License-Identifier: BSD-3-Clause */
/* The life-cycles of the agents' job and of the application, as the front end sees them.
 * tests/agents/test_lives.c tests every row; -vv prints each step. */
#ifndef PSC_FRONTEND_FRONT_LIVES_H
#define PSC_FRONTEND_FRONT_LIVES_H

#include "base/life_cycle.h"

enum job_state {
	JOB_STARTING,           /* the agents are being started */
	JOB_CONNECTED,          /* the master is connected */
	JOB_READY,              /* the application may start */
	JOB_MEASURING,          /* at least one experiment is done */
	JOB_REPORTED,
	JOB_FAILED
};
enum job_event { JOB_CONNECT, JOB_ALL_READY, JOB_PROGRESS, JOB_REPORT, JOB_FAIL, JOB_RETRY };
extern const struct life_cycle job_life;

enum application_state { APPLICATION_ABSENT, APPLICATION_RUNNING, APPLICATION_ENDED };
enum application_event { APPLICATION_START, APPLICATION_END };
extern const struct life_cycle application_life;

#endif
