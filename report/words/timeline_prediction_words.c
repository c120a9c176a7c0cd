/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what is predicted for more threads: which node would be busy, by what, and what it takes
 * for granted. */
#include "report/words/timeline_words.h"

#include <math.h>

#define UNEVEN 1.25     /* times an even share, to be said */

void timeline_range(struct buf *b, const struct more_range *r)
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

static void share_and_range(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	const struct more_range share = more_threads_share(&p->lines, f->t->nodes);

	timeline_share(b, share.value);
	if (share.high - share.low <= 0.01)
		return;
	buf_puts(b, " (");
	timeline_share(b, share.low);
	buf_puts(b, " to ");
	timeline_share(b, share.high);
	buf_puts(b, ")");
}

static void claim_time(struct buf *b, const struct time_facts *f, const struct time_prediction *p)
{
	const double even = f->t->time * f->t->threads / p->lines.threads;

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
	buf_printf(b, "at %d threads node %d serves ", p->lines.threads, p->lines.busiest);
	share_and_range(b, f, p);
	buf_puts(b, " of ");
	timeline_range(b, &p->lines.all);
	buf_printf(
		b, " lines from memory, %.1f times an even share of %d nodes; ", times,
		p->lines.nodes);
	buf_puts(b, timeline_name(&f->structure[p->lines.cause]));
	buf_puts(b, " is ");
	timeline_share(b, p->lines.cause_share);
	buf_puts(b, " of it");
}

static void claim_nodes(struct buf *b, const struct time_facts *f, const struct time_prediction *p)
{
	const struct more_range *node = &p->lines.node[p->lines.busiest];
	const double times = p->lines.of_nodes > 0 ?
		node->value * p->lines.nodes / p->lines.of_nodes :
		0;

	if (times < UNEVEN) {
		buf_printf(b, "at %d threads no node serves more than %g times an even share of ",
			p->lines.threads, UNEVEN);
		timeline_range(b, &p->lines.all);
		buf_puts(b, " lines from memory");
	} else {
		claim_busiest(b, f, p, times);
	}
	if (p->lines.of_nodes < 0.99 * p->lines.all.value) {
		buf_puts(b, "; of ");
		timeline_share(b, 1 - p->lines.of_nodes / p->lines.all.value);
		buf_puts(b, " of the lines no node is known");
	}
	claim_time(b, f, p);
}

void timeline_prediction_claim(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	if (!(p->lines.all.value > 0) && !(p->lines.all.high > 0)) {
		buf_printf(b, "at %d threads no line comes from memory", p->lines.threads);
	} else if (f->t->nodes > 1 && p->lines.placed && p->lines.cause >= 0) {
		claim_nodes(b, f, p);
	} else {
		buf_printf(b, "at %d threads memory gives ", p->lines.threads);
		timeline_range(b, &p->lines.all);
		buf_puts(b, " lines an execution");
		claim_time(b, f, p);
	}
}

void timeline_prediction_reading(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p)
{
	buf_printf(b,
		"Now: the process with %d thread%s, on %d memory node%s of the model. Then: %d "
		"threads on the same model, which use %d node%s and %d cache%s of the last level. The same "
		"work is divided among them, and the same part of them touches the pages first.",
		f->t->threads, f->t->threads == 1 ? "" : "s", p->lines.run_nodes,
		p->lines.run_nodes == 1 ? "" : "s", p->lines.threads, p->lines.nodes,
		p->lines.nodes == 1 ? "" : "s",
		p->lines.caches, p->lines.caches == 1 ? "" : "s");
	if (!p->lines.placed)
		buf_puts(b,
			" All threads of the run are on one node: which pages threads of other "
			"nodes would touch first is not known, and so neither is what each node "
			"serves. A run with threads on two nodes tells it (psc_frontend "
			"--threads-on spread).");
	if (f->t->rows == 0 && p->lines.caches > p->lines.run_caches)
		buf_puts(b,
			" What several threads use is not known without addresses (psc_frontend "
			"--timeline): ranges are wide.");
	if (!isnan(p->time.value))
		buf_puts(b,
			" Times are assumed, not measured: that the lines come at the bandwidth "
			"that so many threads had together when this host was calibrated, and that "
			"nothing else holds the threads up.");
}
