/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the costs of all data structures in all calling contexts, and keeps the largest. */
#include "analysis/findings/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/finding_lines.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/measure/sharing.h"

#define SAMPLED_LEAST 0.01      /* of what was sampled in the phase, that a row is kept with */

struct collection {
	const struct measurements *measured;
	struct report *r;
	/* Texts of the contexts and of the objects are made once for all their
	 * rows, in the report's arena. */
	const char **keys;
	struct report_node *places;
	struct name { const char *own, *scope, *declared; } *names;     /* own NULL: not made yet */
	struct report_cost *rows;       /* owned */
	int n, cap;
};

/* --- keys ------------------------------------------------------------------------------------ */

/* The key of a context, and before it those of the contexts around it; a chain is as deep as the
 * program's calls. */
static int make_key(struct collection *c, uint32_t context)
{
	uint32_t up = c->measured->contexts[context].parent;
	struct report_node *node = &c->places[context];
	struct buf key = BUF_INIT;

	if (c->keys[context])
		return 0;
	if (up != NO_CONTEXT && make_key(c, up))
		return -1;
	if (findings_place(c->measured, context, c->r->arena, node))
		return -1;
	if (up != NO_CONTEXT)
		buf_puts(&key, c->keys[up]);
	report_key_extend(&key, node->name_path);
	c->keys[context] = key.failed ? NULL : arena_strdup(c->r->arena, buf_str(&key));
	buf_free(&key);
	return c->keys[context] ? 0 : -1;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void fill_counts(const struct measurements *p, const struct tally *t,
	struct report_cost *cost)
{
	const struct machine_flat *m = &p->machine->flat;

	cost->accesses = tally_refs(t);
	cost->coherence = tally_coherence(p, t->false_sharing + t->true_sharing);
	for (uint32_t l = 0; l < m->nlevels; l++) {
		uint32_t at = m->level[l].level - 1;

		if (at >= REPORT_LEVELS)
			continue;
		cost->misses[at] = t->load_miss[l] + t->store_miss[l];
		cost->errors[at] = sampling_error_level(p, t, l);
	}
	cost->est_stall = p->estimated ? t->estimate.stall : NAN;
	cost->est_stall_low = p->estimated ? t->estimate.low : NAN;
	cost->est_stall_high = p->estimated ? t->estimate.high : NAN;
}

static struct report_cost *new_row(struct collection *c)
{
	if (c->n == c->cap) {
		int cap = c->cap ? 2 * c->cap : 256;
		struct report_cost *rows = realloc(c->rows, (size_t)cap * sizeof *rows);

		if (!rows)
			return NULL;
		c->rows = rows;
		c->cap = cap;
	}
	return &c->rows[c->n++];
}

static int name_object(struct collection *c, uint32_t object, struct report_cost *row)
{
	struct name *n = &c->names[object];

	if (!n->own) {
		if (findings_declared(c->measured, object, c->r->arena, &n->scope, &n->declared))
			return -1;
		n->own = arena_strdup(c->r->arena, c->measured->objects[object].name);
	}
	row->structure = n->own;
	row->scope = n->scope;
	row->declared = n->declared;
	return n->own ? 0 : -1;
}

/* A row of a context; its counts are not known yet.  NULL: memory. */
static struct report_cost *place_row(struct collection *c, uint32_t context, double time)
{
	const struct report_node *node = &c->places[context];
	struct report_cost *row = new_row(c);

	if (!row)
		return NULL;
	*row = (struct report_cost){ .region = c->keys[context], .file = node->file,
		.line = node->line, .type = node->type, .time = time, .accesses = NAN,
		.coherence = NAN, .est_stall = NAN, .est_stall_low = NAN, .est_stall_high = NAN };
	for (int i = 0; i < REPORT_LEVELS; i++)
		row->misses[i] = row->errors[i] = NAN;
	return row;
}

/* Adds the time of a context, of a program whose time alone is known. */
static int add_time(struct collection *c, uint32_t context)
{
	const double time = measured_cpu(c->measured, context);

	return make_key(c, context) || (time > 0 && !place_row(c, context, time)) ? -1 : 0;
}

static int add_row(struct collection *c, uint32_t context, uint32_t object)
{
	const struct measurements *p = c->measured;
	struct report_cost *row;
	struct tally t;

	if (!measured_tally(p, context, object, &t) || !(tally_refs(&t) > 0))
		return 0;
	row = place_row(c, context, object == MON_ANY ? measured_cpu(p, context) : NAN);
	if (!row)
		return -1;
	fill_counts(p, &t, row);
	if (object == MON_ANY)
		return 0;
	if (source_sites(p, context, object, c->r->arena, &row->sites, &row->nsites))
		return -1;
	return name_object(c, object, row);
}

static int add_rows(struct collection *c, uint32_t context)
{
	uint32_t *objects, n = measured_objects_of(c->measured, context, &objects);
	int rc = make_key(c, context) || add_row(c, context, MON_ANY) ? -1 : 0;

	for (uint32_t i = 0; i < n && !rc; i++)
		rc = add_row(c, context, objects[i]);
	free(objects);
	return rc;
}

/* --- the largest ----------------------------------------------------------------------------- */

/* By misses of the nearest level, then accesses; without counts by time. */
static int by_size(const void *pa, const void *pb)
{
	const struct report_cost *a = pa, *b = pb;

	if (isnan(a->accesses))
		return a->time != b->time ? (a->time > b->time ? -1 : 1) :
			report_cost_compare(a, b);
	if (a->misses[0] != b->misses[0])
		return a->misses[0] > b->misses[0] ? -1 : 1;
	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return report_cost_compare(a, b);
}

static int keep_largest(struct collection *c)
{
	struct report *r = c->r;
	int n = report_costs_join(r->arena, c->rows, c->n), whole = 0;

	if (n < 0)
		return -1;
	while (whole < n && strcmp(c->rows[whole].region, c->keys[0]) == 0)
		whole++;
	if (n > REPORT_COSTS) {
		qsort(c->rows + whole, (size_t)(n - whole), sizeof *c->rows, by_size);
		n = report_costs_join(r->arena, c->rows, REPORT_COSTS);
	}
	if (n < 0)
		return -1;
	r->costs = arena_array(r->arena, (size_t)n, sizeof *r->costs);
	if (!r->costs)
		return -1;
	if (n)
		memcpy(r->costs, c->rows, (size_t)n * sizeof *r->costs);
	r->ncosts = n;
	return 0;
}

/* --- what the processor sampled -------------------------------------------------------------- */

struct samples {
	double loads;                   /* counted */
	double of[MON_SAMPLED];         /* enum mon_sampled */
};

static int compare_costs(const void *a, const void *b)
{
	return report_cost_compare(a, b);
}

/* Adds a context's samples to those of the row of costs with its key.  0 / -1 (memory). */
static int add_samples(struct collection *c, uint32_t context, uint32_t object, struct samples *to)
{
	struct report_cost wanted = { .region = c->keys[context] };
	const struct report_cost *row;
	struct tally t;

	if (!measured_tally(c->measured, context, object, &t))
		return 0;
	if (object != MON_ANY && name_object(c, object, &wanted))
		return -1;
	row = bsearch(&wanted, c->r->costs, (size_t)c->r->ncosts, sizeof wanted, compare_costs);
	if (!row)
		return 0;
	to += row - c->r->costs;
	to->loads += t.loads;
	for (int k = 0; k < MON_SAMPLED; k++)
		to->of[k] += (double)t.sampled[k];
	return 0;
}

static int sum_samples(struct collection *c, struct samples *to)
{
	int rc = 0;

	for (uint32_t i = 0; i < c->measured->ncontexts && !rc; i++) {
		uint32_t *objects, n = measured_objects_of(c->measured, i, &objects);

		rc = add_samples(c, i, MON_ANY, to);
		for (uint32_t k = 0; k < n && !rc; k++)
			rc = add_samples(c, i, objects[k], to);
		free(objects);
	}
	return rc;
}

static struct report_samples sampled_row(const struct report_cost *c, const struct samples *from)
{
	const double *of = from->of;
	struct report_samples s = { c->region, c->structure, c->scope, c->declared, c->file,
		c->line, c->type, .loads = NAN, .placed = NAN, .far_by_page = NAN,
		.far_by_unit = NAN, .disagree = NAN };
	const double placed = of[MON_NEAR] + of[MON_FAR_BY_PAGE] + of[MON_FAR_BY_UNIT] +
		of[MON_FAR];
	const bool timed = of[MON_TIMED] > 0 && of[MON_TIMED] >= TALLY_TIMED * from->loads;

	for (int k = 0; k < REPORT_LATENCIES; k++)
		s.slow[k] = timed ? of[MON_SLOW + k] : NAN;
	if (timed)
		s.loads = of[MON_TIMED];
	if (placed > 0) {
		s.placed = placed;
		s.far_by_page = of[MON_FAR_BY_PAGE] + of[MON_FAR];
		s.far_by_unit = of[MON_FAR_BY_UNIT] + of[MON_FAR];
		s.disagree = of[MON_FAR_BY_PAGE] + of[MON_FAR_BY_UNIT];
	}
	return s;
}

/* Behind the costs, whose rows are sorted.  0 / -1 (memory). */
static int add_sampled(struct collection *c)
{
	struct report *r = c->r;
	struct samples *sums = calloc((size_t)r->ncosts + 1, sizeof *sums);
	int rc = sums ? sum_samples(c, sums) : -1;

	r->samples = arena_array(r->arena, (size_t)r->ncosts + 1, sizeof *r->samples);
	rc = r->samples ? rc : -1;
	for (int i = 0; i < r->ncosts && !rc; i++) {
		const struct report_samples s = sampled_row(&r->costs[i], &sums[i]);
		const struct report_samples *all = r->nsamples ? r->samples : &s;

		if (s.loads >= SAMPLED_LEAST * all->loads ||
		    s.placed >= SAMPLED_LEAST * all->placed)
			r->samples[r->nsamples++] = s;
	}
	free(sums);
	return rc;
}

int findings_costs(const struct measurements *measured, struct report *r)
{
	struct collection c = { .measured = measured, .r = r };
	const bool times = measured->whole_run && !measured->counted;
	int rc = 0;

	if ((!measured->complete && !times) || measured_lossy(measured) || !measured->ncontexts)
		return 0;
	c.keys = calloc(measured->ncontexts, sizeof *c.keys);
	c.places = calloc(measured->ncontexts, sizeof *c.places);
	c.names = calloc((size_t)measured->nobjects + 1, sizeof *c.names);
	rc = c.keys && c.places && c.names ? 0 : -1;
	for (uint32_t i = 0; i < measured->ncontexts && !rc; i++)
		rc = times ? add_time(&c, i) : add_rows(&c, i);
	if (!rc)
		rc = keep_largest(&c);
	if (!rc && measured->sampled)
		rc = add_sampled(&c);
	free(c.rows);
	free((void *)c.keys);
	free(c.places);
	free(c.names);
	return rc;
}
