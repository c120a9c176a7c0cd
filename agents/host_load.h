/* SPDX-License-Identifier: BSD-3-Clause */
/* What other programs took of the processors while an analysis ran: where it is much, times are longer than the
 * program's own, and the report says so. */
#ifndef PSC_AGENTS_HOST_LOAD_H
#define PSC_AGENTS_HOST_LOAD_H

#include <sched.h>
#include <stdint.h>
#include <sys/types.h>

struct load_cpus {              /* of the CPUs of a set, in ticks */
	uint64_t busy, idle;
	int n;
};
struct load {
	struct load_cpus first, last;
	uint64_t own;           /* ticks of the processes that are measured */
};
struct load_figures {           /* mean numbers of CPUs */
	double cpus, others, idle;
};

/* Adds up the lines of the CPUs of the set in the text of /proc/stat. */
void load_parse(const char *text, const cpu_set_t *set, struct load_cpus *out);
/* Ticks that a process has run (and those of its children that it has waited for); 0: it is gone. */
uint64_t load_process(pid_t pid);
void load_begin(struct load *l);
/* own: ticks of all measured processes, and of this one, since the beginning. */
void load_look(struct load *l, uint64_t own);
/* 0; -1: too short a time to tell. */
int load_figures(const struct load *l, struct load_figures *out);

#endif
