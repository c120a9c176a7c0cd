/* SPDX-License-Identifier: BSD-3-Clause */
/* The process beside the program: takes what the recorder writes, and is the program's monitor to
 * the node agent. */
#ifndef PSC_FOREIGN_PROXY_H
#define PSC_FOREIGN_PROXY_H

#include <signal.h>
#include <sys/types.h>
#include "base/err.h"
#include "foreign/asked_names.h"
#include "foreign/page_sampler.h"
#include "foreign/recorder.h"

struct proxy_job {
	pid_t program;
	const char *executable; /* absolute path */
	const char *code;       /* paths of libraries with regions of their own, one a line */
	const char *monitor;    /* value of MON_ENV */
	struct recorder *recorder;
	struct page_setup pages;
	int page_socket;        /* where the program's userfaultfd comes from; -1: pages are not
				 * sampled */
	const struct asked_names *only; /* data structures that are told apart; NULL: all */
	bool samples;           /* take the processor's samples, too */
	bool times_only;        /* there is no recorder in it: the kernel samples its time */
	bool attached;          /* it ran already; with it: */
	const volatile sig_atomic_t *stop;      /* set: the analysis ends.  NULL: nobody does */
	uint64_t period;        /* ns of processor time between these samples */
	int told;               /* descriptor: gets one byte when the program may begin, 'r' to be
				 * recorded, 'n' not to be */
};

/* Runs until the analysis is over.  0 / -1 (err). */
int proxy_run(const struct proxy_job *job, struct err *err);

#endif
