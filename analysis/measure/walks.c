/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the walks of a result, joined over threads and over objects of the
 * monitor that are one of ours. */
#include "analysis/measure/walks.h"

#include <stdlib.h>

#include "base/by_field.h"

static int by_place(const void *a, const void *b)
{
	const struct measured_walk *x = a, *y = b;

	BY(context);
	BY(line);
	BY(object);
	BY(store);
	BY(size);
	return 0;
}

/* Adds moves to the list, which stays sorted; where it is full the rarest are left out. */
static void add_step(struct measured_walk *w, int64_t step, uint64_t n)
{
	int i = 0;

	while (i < MON_WALK_STEPS && w->step[i].n && w->step[i].step != step)
		i++;
	if (i == MON_WALK_STEPS && w->step[--i].n >= n)
		return;
	if (w->step[i].step != step)
		w->step[i].n = 0;
	w->step[i].step = step;
	w->step[i].n += n;
	for (; i > 0 && w->step[i].n > w->step[i - 1].n; i--) {
		const int64_t other = w->step[i - 1].step;
		const uint64_t others = w->step[i - 1].n;

		w->step[i - 1] = w->step[i];
		w->step[i].step = other;
		w->step[i].n = others;
	}
}

static void join(struct measured_walk *into, const struct measured_walk *w)
{
	into->seen += w->seen;
	into->length += w->length;
	into->per = into->per > w->per ? into->per : w->per;
	into->bytes = into->bytes > w->bytes ? into->bytes : w->bytes;
	for (int i = 0; i < MON_WALK_STEPS; i++)
		if (w->step[i].n)
			add_step(into, w->step[i].step, w->step[i].n);
}

static struct measured_walk walk_of(const struct mon_walk *r)
{
	struct measured_walk w = { .context = r->context, .object = r->object, .line = r->line,
		.size = r->size, .store = r->store, .per = r->per, .bytes = r->bytes,
		.seen = r->seen, .length = r->length };

	for (int i = 0; i < MON_WALK_STEPS; i++)
		if (r->moves[i])
			add_step(&w, r->step[i], r->moves[i]);
	return w;
}

int walks_add(struct measurements *p, const struct mon_result *r)
{
	struct measured_walk *w = malloc(((size_t)r->nwalks + 1) * sizeof *w);
	size_t n = 0, kept = 0;

	if (!w)
		return -1;
	for (uint32_t i = 0; i < r->nwalks; i++)
		if (r->walks[i].context < p->ncontexts)
			w[n++] = walk_of(&r->walks[i]);
	if (n)
		qsort(w, n, sizeof *w, by_place);
	for (size_t i = 0; i < n; i++)
		if (kept && !by_place(&w[kept - 1], &w[i]))
			join(&w[kept - 1], &w[i]);
		else
			w[kept++] = w[i];
	free(p->walks);
	p->walks = w;
	p->nwalks = kept;
	return 0;
}

void walks_free(struct measurements *p)
{
	free(p->walks);
	p->walks = NULL;
	p->nwalks = 0;
}
