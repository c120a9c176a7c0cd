/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes that --try makes in the running program, what came of them, and why one was not
 * tried: with their names on the command line and in reports. */
#ifndef PSC_BASE_TRIED_ACTION_H
#define PSC_BASE_TRIED_ACTION_H

#include <stdbool.h>
#include <stdint.h>

enum tried_action {
	TRIED_NOTHING,          /* --try without a name: the report proposes nothing */
	TRIED_MALLOC,           /* malloc keeps its memory, as its environment variables ask */
	TRIED_LARGE_PAGES,      /* the structure's memory is in pages of 2 MiB */
	TRIED_ALL_NODES,        /* its pages are on all memory nodes in turn */
	TRIED_ONE_NODE,         /* they are on one node */
	TRIED_LOCAL_NODE,       /* they are on the node of the phase's thread */
	TRIED_SPREAD,           /* each thread stays on one CPU: far apart, */
	TRIED_COMPACT,          /* or close to each other */
	TRIED_PIN,              /* each thread stays on the CPU where it runs */
	TRIED_ACTIONS
};

/* An action that is to be tried. */
enum { TRIES_MOST = 8, TRIED_NAME = 256 };
struct tried_want {
	enum tried_action action;       /* TRIED_NOTHING: those that the report proposes */
	char structure[TRIED_NAME];     /* "": the whole program */
	uint32_t node;                  /* TRIED_ONE_NODE */
};

enum trial_verdict {
	TRIAL_NO_VERDICT,
	TRIAL_REFUSED,          /* there are no figures, for a reason */
	TRIAL_GAIN, TRIAL_LOSS,
	TRIAL_NULL,             /* it changes less than can matter */
	TRIAL_UNDECIDED,        /* noise hides what it changes */
	TRIAL_VERDICTS
};

/* Of TRIAL_REFUSED; of TRIAL_UNDECIDED why more executions were not run. */
enum trial_reason {
	TRIAL_NO_REASON,
	TRIAL_NOT_PROPOSED,     /* nothing in the report speaks for any action */
	TRIAL_STATIC,           /* malloc is in the executable, without a shared C library */
	TRIAL_OTHER_MALLOC,     /* malloc is another library's, or the program's own */
	TRIAL_OTHER_LIBRARY,    /* the C library is not glibc */
	TRIAL_SETTINGS_HIDDEN,  /* malloc's settings were not found, so they could not be put
				 * back */
	TRIAL_RANKS,            /* ranks of MPI could not try it together */
	TRIAL_SHORT,            /* an execution is too short to be timed by itself */
	TRIAL_ENDED,            /* the program, or its analysis, ended before the trial did */
	TRIAL_UNSETTLED,        /* times went on changing behind a switch */
	TRIAL_BUDGET,           /* the time that a trial may take is over */
	TRIAL_NOISE,            /* the most executions were run */
	TRIAL_UNKNOWN,          /* the phase accesses no structure of that name */
	TRIAL_NO_PAGES,         /* no whole page is the structure's alone, or none that can be
				 * changed */
	TRIAL_LARGE_ALREADY,    /* its memory is in large pages as it is */
	TRIAL_NOT_MOVED,        /* the kernel changed none of its pages */
	TRIAL_FORKED,           /* the program forks, and its child shares the pages */
	TRIAL_FORBIDDEN,        /* the kernel, or a sandbox, does not let the process see its own
				 * pages */
	TRIAL_ONE_MEMORY_NODE,  /* there is one memory node: pages cannot be elsewhere */
	TRIAL_NO_SUCH_NODE,     /* the process may have no memory there */
	TRIAL_PLACED_ALREADY,   /* all pages are there as it is */
	TRIAL_NO_CPUS,          /* a thread may use none of the CPUs */
	TRIAL_PINNED_ALREADY,   /* all threads are there as it is */
	TRIAL_STRAYED,          /* the kernel moved the pages back: NUMA balancing */
	/* Of --placement: */
	TRIAL_SANDBOX,          /* the process is in a sandbox, which may end it for a call */
	TRIAL_REFUSED_BY_KERNEL,
	TRIAL_REASONS
};

/* Is the action for a structure, and not for the whole program? */
static inline bool tried_of_structure(enum tried_action action)
{
	return action >= TRIED_LARGE_PAGES && action <= TRIED_LOCAL_NODE;
}

/* "" for the first; NULL at the end. */
extern const char *const tried_action_names[TRIED_ACTIONS + 1];
extern const char *const trial_verdict_names[TRIAL_VERDICTS + 1];
extern const char *const trial_reason_names[TRIAL_REASONS + 1];

#endif
