/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of collectors. */
#include "monitor/collect/runtime_collector.h"
#include "monitor/host/threads.h"

static const struct pscm_collector *const list[] = {
	&collect_kernel, &collect_one_cpu, &collect_times, &collect_events,
	&collect_variants, &collect_counts, &collect_words, &collect_copies,
	&collect_trial,
};
enum { COLLECTORS = sizeof list / sizeof *list };

const struct pscm_collector *collector_of(const struct mon_request *r)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->wants(r))
			return list[i];
	return NULL;
}

void collectors_forget(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->forget)
			list[i]->forget();
}

void collectors_stop(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->stop)
			list[i]->stop();
}

void collectors_forking(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->forking)
			list[i]->forking();
}

void collectors_forked(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->forked)
			list[i]->forked();
}

void collectors_leave(struct pscm_thread *t)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (list[i]->leave)
			list[i]->leave(t);
}
