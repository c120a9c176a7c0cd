/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the CPU time that other programs used during an analysis.  If it is large, the measured
 * times exceed the program's own, and the report says so. */
#ifndef PSC_AGENTS_HOST_LOAD_H
#define PSC_AGENTS_HOST_LOAD_H

#include <sched.h>
#include <stdint.h>
#include <sys/types.h>

struct load_cpus {              /* sums over a set of n CPUs, in ticks */
	uint64_t busy, idle;
	int n;
};
struct load_watch {
	struct load_cpus first, last;
	uint64_t own;           /* ticks of the measured processes and of the agent */
};
struct load_figures {           /* mean numbers of CPUs */
	double cpus, others, idle;
};

/* Sums the lines of the set's CPUs in the text of /proc/stat. */
void load_parse(const char *text, const cpu_set_t *set, struct load_cpus *out);
/* Ticks that a process has run, with those of its reaped children; 0: it is gone. */
uint64_t load_process(pid_t pid);
void load_begin(struct load_watch *l);
/* Reads the load again.  own: ticks of all measured processes and of this one since
 * load_begin(). */
void load_look(struct load_watch *l, uint64_t own);
/* 0; -1: the time was too short, or the CPUs of this process changed. */
int load_figures(const struct load_watch *l, struct load_figures *out);

#endif
