/* SPDX-License-Identifier: BSD-3-Clause */
/* Derives the facts of a timeline, beginning with the sums of its cells. */
#include "report/model/timeline_facts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct time_sums *to, const struct time_sums *s)
{
	to->reads += s->reads;
	to->writes += s->writes;
	to->bytes += s->bytes;
	for (int k = 0; k < TIMELINE_LEVELS; k++)
		to->misses[k] += s->misses[k];
	to->coherent += s->coherent;
	to->memory += s->memory;
	to->far += s->far;
	to->placed += s->placed;
	for (int k = 0; k < TIMELINE_CLASSES; k++)
		to->kinds[k] += s->kinds[k];
}

static void cell_sums(struct time_sums *to, const struct time_facts *f,
	const struct report_time_cell *c)
{
	const int nodes = f->t->nodes, own = f->node[c->thread];
	int64_t served = 0;

	*to = (struct time_sums){ .reads = series_sum(&c->reads), .writes = series_sum(&c->writes),
		.bytes = series_sum(&c->bytes), .coherent = series_sum(&c->coherent) };
	for (int k = 0; k < TIMELINE_LEVELS; k++)
		to->misses[k] = series_sum(&c->misses[k]);
	for (int i = 0; i < c->kinds.n; i++) {
		to->kinds[c->kinds.point[i].at % TIMELINE_CLASSES] += c->kinds.point[i].value;
		to->memory += c->kinds.point[i].value;
	}
	for (int i = 0; i < c->served.n; i++) {
		const bool far = own >= 0 && (int)(c->served.point[i].at % (unsigned)nodes) != own;

		served += c->served.point[i].value;
		to->far += far ? c->served.point[i].value : 0;
	}
	to->placed = own >= 0 ? served : 0;
	if (served > to->memory)
		to->memory = served;
}

int time_sums_make(struct time_facts *f)
{
	const struct report_timeline *t = f->t;
	const size_t threads = (size_t)t->threads, structures = (size_t)t->nstructures;

	f->thread = arena_array(f->arena, threads, sizeof *f->thread);
	f->both = arena_array(f->arena, threads * structures, sizeof *f->both);
	f->structure = arena_array(f->arena, structures, sizeof *f->structure);
	if (!f->thread || !f->both || !f->structure)
		return -1;
	for (int i = 0; i < t->ncells; i++) {
		const struct report_time_cell *c = &t->cells[i];
		struct time_sums s;

		cell_sums(&s, f, c);
		add(&f->all, &s);
		add(&f->thread[c->thread], &s);
		add(&f->structure[c->structure - 1].sums, &s);
		add(&f->both[(size_t)(c->structure - 1) * threads + (size_t)c->thread], &s);
	}
	while (f->nearest < TIMELINE_LEVELS - 1 && !f->all.misses[f->nearest])
		f->nearest++;
	if (!f->all.misses[f->nearest])
		f->nearest = 0;
	return 0;
}

static void count_users(struct time_facts *f, int i)
{
	struct time_structure *s = &f->structure[i];
	const struct time_sums *by = &f->both[(size_t)i * (size_t)f->t->threads];

	for (int k = 0; k < f->t->threads; k++) {
		const int64_t n = time_accesses(&by[k]);

		s->users += n > 0 && n * 1000 >= time_accesses(&s->sums);
		s->writers += by[k].writes > 0 && by[k].writes * 1000 >= s->sums.writes;
	}
}

struct ranked {
	int64_t accesses;
	int structure;
};

static int by_accesses(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->accesses != y->accesses ? (x->accesses < y->accesses ? 1 : -1) :
		x->structure - y->structure;
}

static int order_structures(struct time_facts *f)
{
	const int n = f->t->nstructures;
	struct ranked *r = arena_array(f->arena, (size_t)n, sizeof *r);

	f->order = arena_array(f->arena, (size_t)n, sizeof *f->order);
	if (!r || !f->order)
		return -1;
	for (int i = 0; i < n; i++)
		r[i] = (struct ranked){ time_accesses(&f->structure[i].sums), i };
	qsort(r, (size_t)n, sizeof *r, by_accesses);
	for (int i = 0; i < n; i++)
		f->order[i] = r[i].structure;
	return 0;
}

/* How much a structure matters, on a scale of twentieths, so that structures that matter alike are
 * in the order of their names. */
static int weight(const struct time_facts *f, int i)
{
	const struct time_structure *s = &f->structure[i];
	const double all = fmax(1, (double)f->all.misses[f->nearest]);
	const double w = (double)s->sums.misses[f->nearest] / all + s->share / 4;

	return w > 0 ? (int)round(20 * log(w)) : INT_MIN;
}

struct shown {
	int weight, structure;
	const char *name;
};

static int by_weight(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;
	const int names = strcmp(x->name, y->name);

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return names ? names : x->structure - y->structure;
}

static int order_shown(struct time_facts *f)
{
	const int n = f->t->nstructures;
	struct shown *s = arena_array(f->arena, (size_t)n, sizeof *s);

	f->shown = arena_array(f->arena, (size_t)n, sizeof *f->shown);
	if (!s || !f->shown)
		return -1;
	for (int i = 0; i < n; i++)
		s[i] = (struct shown){ weight(f, i), i, f->t->structures[i].name };
	qsort(s, (size_t)n, sizeof *s, by_weight);
	for (int i = 0; i < n; i++)
		f->shown[i] = s[i].structure;
	return 0;
}

static int describe_structures(struct time_facts *f)
{
	const int n = f->t->nstructures;
	const double all = (double)time_accesses(&f->all);

	for (int i = 0; i < n; i++) {
		struct time_structure *s = &f->structure[i];

		s->s = &f->t->structures[i];
		s->share = all > 0 ? (double)time_accesses(&s->sums) / all : 0;
		s->far = s->sums.placed ? fmin(1, (double)s->sums.far / (double)s->sums.placed) :
			NAN;
		s->from = s->s->used_from;
		s->to = s->s->used_to;
		s->leader = i;
		s->toucher = s->filled_by = -1;
		s->touched = s->used = NAN;
		count_users(f, i);
	}
	return order_structures(f) || order_shown(f) ? -1 : 0;
}

static int find_nodes(struct time_facts *f)
{
	f->node = arena_array(f->arena, (size_t)f->t->threads, sizeof *f->node);
	if (!f->node)
		return -1;
	for (int i = 0; i < f->t->threads; i++)
		f->node[i] = f->t->nodes == 1 ?
			0 :
			(int)series_at(&f->t->thread_nodes, (uint32_t)i) - 1;
	return 0;
}

struct time_facts *time_facts_new(const struct report_timeline *t)
{
	struct arena *arena = arena_new();
	struct time_facts *f = arena ? arena_alloc(arena, sizeof *f) : NULL;

	if (!f) {
		arena_free(arena);
		return NULL;
	}
	f->t = t;
	f->arena = arena;
	f->columns = t->columns;
	if (time_axis_make(&f->axis, arena, t, NULL) || find_nodes(f) || time_sums_make(f) ||
		describe_structures(f) || time_strip_make(f) || time_pace_make(f) ||
		time_groups_make(f) || time_walks_make(f) || time_sharing_make(f) ||
		time_hands_make(f) || time_patterns_make(f) || time_edges_make(f) ||
		time_beside_make(f)) {
		arena_free(arena);
		return NULL;
	}
	return f;
}

void time_facts_free(struct time_facts *f)
{
	if (f)
		arena_free(f->arena);
}

int time_facts_find(const struct time_facts *f, const char *name)
{
	for (int i = 0; i < f->t->nstructures; i++)
		if (strcmp(f->t->structures[f->order[i]].name, name) == 0)
			return f->order[i];
	return -1;
}
