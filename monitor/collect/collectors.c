/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of collectors. */
#include "monitor/collect/collector.h"
#include "monitor/host/threads.h"

static const struct collector *const collectors[] = {
	&collect_kernel, &collect_one_cpu, &collect_times, &collect_events,
	&collect_variants, &collect_counts, &collect_words, &collect_copies,
};
enum { COLLECTORS = sizeof collectors / sizeof *collectors };

const struct collector *collector_of(const struct mon_request *r)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (collectors[i]->wants(r))
			return collectors[i];
	return NULL;
}

void collectors_forget(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (collectors[i]->forget)
			collectors[i]->forget();
}

void collectors_stop(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (collectors[i]->stop)
			collectors[i]->stop();
}

void collectors_forked(void)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (collectors[i]->forked)
			collectors[i]->forked();
}

void collectors_leave(struct pscm_thread *t)
{
	for (int i = 0; i < COLLECTORS; i++)
		if (collectors[i]->leave)
			collectors[i]->leave(t);
}
