/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sentences about memory modules: which nodes and channels serve most,
 * and what makes them do so. */
#include "report/words/timeline_words.h"

#define FAR 0.03                /* of the lines from memory, to be said */

int64_t timeline_node(const struct time_facts *f, int node)
{
	int64_t n = 0;

	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_series *s = &f->t->cells[i].served;

		for (int k = 0; k < s->n; k++)
			n += (int)(s->point[k].at % (unsigned)f->t->nodes) == node ?
				s->point[k].value : 0;
	}
	return n;
}

void timeline_module(struct buf *b, const struct report_timeline *t, int module)
{
	if (!t->channels)
		buf_printf(b, "node %d", module);
	else if (t->nodes > 1)
		buf_printf(b, "node %d, channel %d", module / t->channels, module % t->channels);
	else
		buf_printf(b, "channel %d", module);
}

static void claim_nodes(struct buf *b, const struct time_facts *f)
{
	int64_t most = -1, all = 0;
	int node = 0;

	for (int k = 0; k < f->t->nodes; k++) {
		const int64_t n = timeline_node(f, k);

		all += n;
		if (n > most) {
			most = n;
			node = k;
		}
	}
	if (!all) {
		buf_puts(b, f->all.memory ? "the node of no line is known" :
			"no line comes from memory");
		return;
	}
	buf_printf(b, "node %d serves ", node);
	timeline_share(b, (double)most / (double)all);
	buf_puts(b, " of all lines from memory");
	if (f->all.placed && (double)f->all.far >= FAR * (double)f->all.placed) {
		buf_puts(b, "; ");
		timeline_share(b, (double)f->all.far / (double)f->all.placed);
		buf_puts(b, f->all.placed >= all ? " of all" :
			" of those to threads whose node is known");
		buf_puts(b, " go to a thread of another node");
	}
}

/* "16 of 64 channels serve 74% of all lines from memory, most of all channel 1 with 2.3 times the
 * mean; zero makes 82% of the difference". */
static void claim_channels(struct buf *b, const struct time_facts *f)
{
	struct time_modules m;

	if (time_modules(f, &m)) {
		b->failed = true;
		return;
	}
	if (!(m.mean > 0)) {
		buf_puts(b, f->all.memory ? "the channel of no line is known" :
			"no line comes from memory");
		return;
	}
	if (!m.hot) {
		buf_printf(b, "no channel serves more than %g times the mean of all %d", TIME_HOT,
			m.n);
		return;
	}
	buf_printf(b, "%d of %d channels serve%s ", m.hot, m.n, m.hot == 1 ? "s" : "");
	timeline_share(b, m.of_hot / (m.n * m.mean));
	buf_puts(b, " of all lines from memory, most of all ");
	timeline_module(b, f->t, m.busiest);
	buf_printf(b, " with %.1f times the mean", m.most / m.mean);
	if (m.cause < 0)
		return;
	buf_printf(b, "; %s makes ", timeline_name(&f->structure[m.cause]));
	timeline_share(b, m.cause_share);
	buf_puts(b, " of the difference");
}

void timeline_modules_claim(struct buf *b, const struct time_facts *f)
{
	if (f->t->channels)
		claim_channels(b, f);
	if (f->t->channels && f->t->nodes > 1 && f->all.memory)
		buf_puts(b, "; ");
	if (f->t->nodes > 1 && (f->all.memory || !f->t->channels))
		claim_nodes(b, f);
	else if (!f->t->channels)
		buf_puts(b, "the machine model has one memory node: it serves all");
}

void timeline_modules_reading(struct buf *b, const struct time_facts *f)
{
	const struct report_timeline *t = f->t;

	buf_printf(b,
		"Lines that the last cache level misses, by the %s of the machine model that serves them. ", !t->channels ? "node" : t->nodes > 1 ? "node and channel" : "channel");
	timeline_count(b, (double)f->all.memory / t->executions);
	buf_puts(b, " an execution.");
	if (t->channels) {
		buf_printf(b, " Channels take turns every %d bytes of a page.", t->interleave);
	} else if (t->node_channels) {
		buf_printf(b,
			" Which of the model's %d channels serves a line is not known: with turns of %d bytes, the page's frame "
			"decides on it.", t->node_channels, t->interleave);
	}
}
