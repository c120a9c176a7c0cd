/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a region for people: those that behave alike are one bar, and the bars are few. */
#ifndef PSC_REPORT_THREAD_GROUPS_H
#define PSC_REPORT_THREAD_GROUPS_H

#include "report/model/report.h"

/* What the time of a thread is divided into. */
enum thread_part { THREAD_COMPUTING, THREAD_MEMORY, THREAD_WAITING, THREAD_PARTS };
/* Seconds; NAN: not known.  Without an estimate all processor time is THREAD_COMPUTING; on another
 * machine's model there are no waits, since these are of this host. */
double thread_part(const struct report_thread *t, enum thread_part part);

/* Threads are alike if none of their parts differs by more than 5 % of the longest thread, and
 * their misses by no more than 5 % of the most misses. */
#define THREADS_ALIKE 0.05
enum { THREAD_BARS = 64 };

struct thread_bar {
	const struct report_thread *row;        /* the first of those that it stands for */
	int last_thread;                        /* of row's process, all threads up to this are
						 * alike */
	int group;                              /* of processes that are alike, as in
						 * threads_in_bars.group */
	int nthreads;                           /* in all processes of the group */
};

struct thread_bars {
	const struct report_thread **rows;      /* owned: of the region, by process and thread */
	int n;
	int *group;                     /* owned: of each row, the index of the first row of the
					 * group's first process */
	struct thread_bar bar[THREAD_BARS];
	int nbars;
	double rest[THREAD_PARTS];      /* sums over the threads that have no bar */
	int nrest;
	double longest;                 /* s: sum of the parts of the longest thread */
};

/* The bars of the region, at most `most`.  0 / -1 (memory). */
int thread_bars(const struct report *r, const char *region, int most, struct thread_bars *out);
void thread_bars_free(struct thread_bars *b);
/* Appends the processes of a bar: "0", "0-3, 6". */
void thread_bar_processes(struct buf *out, const struct thread_bars *b,
	const struct thread_bar *bar);
/* Appends its threads: "1", "1-7". */
void thread_bar_threads(struct buf *out, const struct thread_bar *bar);
/* The regions besides the phase, in the order of the report, a row of
 * each; returns their number. */
int thread_regions(const struct report *r, const struct report_thread *out[REPORT_THREAD_REGIONS]);

#endif
