/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches calls of MPI, and exchanges them between hosts. */
#include "agents/mpi_matching.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/mpi_messages.h"
#include "base/log.h"

void calls_match(struct host_analysis *h)
{
	struct measurements **all;

	if (!h->calls_came)
		return;
	all = calloc((size_t)h->nprocesses + 1, sizeof *all);
	for (int i = 0; all && i < h->nprocesses; i++)
		all[i] = h->process[i].now.measured;
	if (!all || mpi_calls_match(all, (uint32_t)h->nprocesses, &h->remotes))
		log_msg(0, "out of memory for the messages of MPI");
	h->calls_came = false;
	free(all);
}

/* Rounds up, so that ranks say the same. */
int calls_note(const struct process *p, struct report *r)
{
	static const double step[] = { 2, 2.5, 2 };
	double error = mpi_calls_clock_error(p->now.measured), most = 1e-6;

	if (isnan(error))
		return 0;
	for (unsigned i = 0; most < error && i < 30; i++)
		most *= step[i % 3];
	return findings_note(r,
		arena_printf(r->arena,
		"the clocks of other hosts are known to within %.3g ms, by the messages "
		"between them: shorter waits for ranks there are not counted", most * 1e3));
}

bool calls_news(struct host_analysis *h, struct buf *out)
{
	int *rank;
	bool any = false;

	if (h->config->hosts < 2 || !h->calls)
		return false;
	rank = malloc(((size_t)h->nprocesses + 1) * sizeof *rank);
	for (int i = 0; rank && i < h->nprocesses; i++)
		rank[i] = h->process[i].now.measured->rank;
	for (int i = 0; rank && i < h->nprocesses && !any; i++) {
		struct process *p = &h->process[i];

		if (!p->calls_news)
			continue;
		p->calls_news = false;
		any = mpi_remote_encode(p->now.measured, (uint32_t)h->number,
			h->config->phase_region, rank, (uint32_t)h->nprocesses, out);
		if (!any)
			buf_clear(out);
	}
	free(rank);
	return any;
}

int calls_take(struct host_analysis *h, const struct buf *body, struct err *err)
{
	int rc = mpi_remotes_take(&h->remotes, (uint32_t)h->number, h->config->phase_region,
		h->sir->nregions, body, err);

	h->calls_came |= rc > 0;
	return rc < 0 ? -1 : 0;
}
