/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the agent's requests from what has been measured: times from
 * samples, counts from bursts. */
#ifndef PSC_FOREIGN_ANSWERS_H
#define PSC_FOREIGN_ANSWERS_H

#include "foreign/page_history.h"
#include "foreign/hardware_samples.h"
#include "foreign/play_bursts.h"
#include "foreign/sample_times.h"

/* What has been measured of the program: one execution of the phase, its run so far. */
struct measured_run {
	struct mon_shm *shm;            /* borrowed */
	struct play_bursts *play;       /* borrowed; settled */
	struct thread_times *times;     /* by thread, as many as play has; borrowed */
	uint64_t wall_ns;
	struct mon_kernel kernel;
	struct mon_bursts bursts;
	struct mon_pages pages;
	struct page_history *history;   /* borrowed; NULL: pages were not sampled */
	/* The processor's samples; NULL: they were not asked for, or cannot be had.  said:
	 * what answers say of them. */
	const struct hardware_samples *hardware;        /* borrowed */
	struct mon_hardware said;
	bool whole;                     /* all of it was recorded: counts are exact */
};

/* Answers all requests that are ready; those for what bursts and samples do not give are dropped.
 * Returns whether there were any. */
bool answers_write(const struct measured_run *run);
/* Are results waiting to be taken? */
bool answers_waiting(const struct mon_shm *shm);

#endif
