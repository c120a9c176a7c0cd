/* SPDX-License-Identifier: BSD-3-Clause */
/* Between perf.c and team.c: what a result says of single threads. */
#ifndef PSC_MEASURE_TEAM_H
#define PSC_MEASURE_TEAM_H

#include "analysis/measure/perf.h"

/* Room for so many clean executions in all, before they are added; 0 / -1 (memory), as the next. */
int team_grow(struct perf *p, uint32_t executions);
/* A row of the clean execution with that number; p->nclean counts it already. */
int team_time(struct perf *p, const struct mon_time_row *row, uint32_t execution);
void team_free(struct perf_context *c);
/* A row of an experiment that counted everything: to its context and those around. */
int team_count(struct perf *p, const struct mon_count_row *row, double per);
/* A row that lies in a filter's context and object: to these; and what they had before is forgotten. */
int team_count_at(struct perf *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per);
void team_forget(struct perf *p, uint32_t context, uint32_t object);

#endif
