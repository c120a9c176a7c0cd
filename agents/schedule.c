/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps clean executions of the phase apart from those that are distorted by recording. */
#include "agents/schedule.h"

void schedule_begin(struct schedule *s, uint32_t apart)
{
	s->n = 0;
	s->apart = apart;
}

/* A window that the executions are in, or too close to; -1: none. */
static int in_the_way(const struct schedule *s, enum schedule_class class, uint64_t first,
	uint64_t last)
{
	for (int i = 0; i < s->n; i++) {
		const struct schedule_window *w = &s->window[i];

		if (w->class != class && first <= w->last + s->apart && w->first <= last + s->apart)
			return i;
	}
	return -1;
}

uint64_t schedule_place(const struct schedule *s, enum schedule_class class, uint64_t first,
	uint32_t count)
{
	int i;

	while ((i = in_the_way(s, class, first, first + count - 1)) >= 0)
		first = s->window[i].last + s->apart + 1;
	return first;
}

static int least(const struct schedule *s)
{
	int best = 0;

	for (int i = 1; i < s->n; i++)
		if (s->window[i].last < s->window[best].last)
			best = i;
	return best;
}

bool schedule_add(struct schedule *s, struct schedule_window w)
{
	for (int i = 0; i < s->n; i++) {
		const struct schedule_window *o = &s->window[i];

		if (o->class != w.class || w.first > o->last + 1 || o->first > w.last + 1)
			continue;
		if (w.first >= o->first && w.last <= o->last)
			return false;
		w.first = o->first < w.first ? o->first : w.first;
		w.last = o->last > w.last ? o->last : w.last;
		s->window[i] = s->window[--s->n];
		i = -1;         /* the wider one may touch others */
	}
	s->window[s->n < SCHEDULE_WINDOWS ? s->n++ : least(s)] = w;
	return true;
}

void schedule_news_encode(const struct schedule_news *w, struct buf *out)
{
	buf_u32(out, w->region);
	buf_u32(out, w->run);
	buf_u32(out, w->window.class);
	buf_u64(out, w->window.first);
	buf_u64(out, w->window.last);
}

int schedule_news_decode(struct schedule_news *w, const struct buf *in)
{
	struct cursor c = { (const uint8_t *)in->data, in->len, 0, false };

	w->region = cur_u32(&c);
	w->run = cur_u32(&c);
	w->window.class = cur_u32(&c);
	w->window.first = cur_u64(&c);
	w->window.last = cur_u64(&c);
	if (c.failed || c.pos != c.len || w->window.class > SCHEDULE_DISTORTED)
		return -1;
	/* Numbers of executions that no program reaches would not leave room behind them. */
	return w->window.first <= w->window.last && !(w->window.last >> 48) ? 0 : -1;
}
