/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what is predicted for more threads: which node would be busy, by what, and what it takes
 * for granted. */
#include "report/words/timeline_words.h"

#include <math.h>

#define UNEVEN 1.25     /* times an even share, to be said */

void timeline_range(struct buf *b, const struct time_range *r)
{
	timeline_count(b, r->value);
	if (r->high - r->low <= 0.005 * r->value)
		return;
	buf_puts(b, " (");
	timeline_count(b, r->low);
	buf_puts(b, " to ");
	timeline_count(b, r->high);
	buf_puts(b, ")");
}

/* The share of the busiest node: least where the others have most. */
static void share_and_range(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	const struct time_range *node = &p->node[p->busiest];
	double low = 0, high = 0, least, most;  /* low, high: of the others */

	for (int k = 0; k < f->t->nodes; k++)
		if (k != p->busiest) {
			low += p->node[k].low;
			high += p->node[k].high;
		}
	least = node->low > 0 ? node->low / (node->low + high) : 0;
	most = node->high > 0 ? node->high / (node->high + low) : 0;
	timeline_share(b, node->value / p->of_nodes);
	if (most - least <= 0.01)
		return;
	buf_puts(b, " (");
	timeline_share(b, least);
	buf_puts(b, " to ");
	timeline_share(b, most);
	buf_puts(b, ")");
}

static void claim_time(struct buf *b, const struct time_facts *f, const struct time_prediction *p)
{
	const double even = f->t->time * f->t->threads / p->threads;

	if (isnan(p->time.value))
		return;
	if (p->transfer <= even) {
		buf_puts(b, "; its bandwidth does not hold the threads up");
		return;
	}
	buf_printf(b,
		"; its bandwidth holds the threads up: an execution takes %.3g ms (%.3g to %.3g), "
		"not %.3g",
		1e3 * p->time.value, 1e3 * p->time.low, 1e3 * p->time.high, 1e3 * even);
}

static void claim_busiest(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p, double times)
{
	buf_printf(b, "at %d threads node %d serves ", p->threads, p->busiest);
	share_and_range(b, f, p);
	buf_puts(b, " of ");
	timeline_range(b, &p->all);
	buf_printf(
		b, " lines from memory, %.1f times an even share of %d nodes; ", times, p->nodes);
	buf_puts(b, timeline_name(&f->structure[p->cause]));
	buf_puts(b, " is ");
	timeline_share(b, p->cause_share);
	buf_puts(b, " of it");
}

static void claim_nodes(struct buf *b, const struct time_facts *f, const struct time_prediction *p)
{
	const struct time_range *node = &p->node[p->busiest];
	const double times = p->of_nodes > 0 ? node->value * p->nodes / p->of_nodes : 0;

	if (times < UNEVEN) {
		buf_printf(b, "at %d threads no node serves more than %g times an even share of ",
			p->threads, UNEVEN);
		timeline_range(b, &p->all);
		buf_puts(b, " lines from memory");
	} else {
		claim_busiest(b, f, p, times);
	}
	if (p->of_nodes < 0.99 * p->all.value) {
		buf_puts(b, "; of ");
		timeline_share(b, 1 - p->of_nodes / p->all.value);
		buf_puts(b, " of the lines no node is known");
	}
	claim_time(b, f, p);
}

void timeline_prediction_claim(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	if (!(p->all.value > 0) && !(p->all.high > 0)) {
		buf_printf(b, "at %d threads no line comes from memory", p->threads);
	} else if (f->t->nodes > 1 && p->placed && p->cause >= 0) {
		claim_nodes(b, f, p);
	} else {
		buf_printf(b, "at %d threads memory gives ", p->threads);
		timeline_range(b, &p->all);
		buf_puts(b, " lines an execution");
		claim_time(b, f, p);
	}
}

void timeline_prediction_reading(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	buf_printf(b,
		"Now: the run with %d thread%s, on %d memory node%s of the model. Then: %d threads "
		"on the same model, which use %d node%s and %d cache%s of the last level. The same "
		"work is divided among them, and the same part of them touches the pages first.",
		f->t->threads, f->t->threads == 1 ? "" : "s", p->run_nodes,
		p->run_nodes == 1 ? "" : "s", p->threads, p->nodes, p->nodes == 1 ? "" : "s",
		p->caches, p->caches == 1 ? "" : "s");
	if (!p->placed)
		buf_puts(b,
			" All threads of the run are on one node: which pages threads of other "
			"nodes would touch first is not known, and so neither is what each node "
			"serves. A run with threads on two nodes tells it (psc_frontend "
			"--threads-on spread).");
	if (f->t->rows == 0 && p->caches > p->run_caches)
		buf_puts(b,
			" What several threads use is not known without addresses (psc_frontend "
			"--timeline): ranges are wide.");
	if (!isnan(p->time.value))
		buf_puts(b,
			" Times are assumed, not measured: that the lines come at the bandwidth "
			"that so many threads had together when this host was calibrated, and that "
			"nothing else holds the threads up.");
}
