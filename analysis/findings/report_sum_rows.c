/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a sum of reports: found by their keys, and how each is described. */
#include "analysis/findings/report_sum_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"

/* --- finding rows ----------------------------------------------------------------------------- */

uint32_t sum_hash(uint32_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (uint8_t)*text) * 16777619u;
	return (h ^ 1) * 16777619u;
}

static struct row_slot *slot_of(const struct row_index *x, uint32_t hash)
{
	return &x->slot[hash & (x->cap - 1)];
}

static int index_grow(struct row_index *x)
{
	uint32_t cap = x->cap ? 2 * x->cap : 64;
	struct row_slot *old = x->slot, *slot = calloc(cap, sizeof *slot);
	struct row_index bigger = { slot, x->n, cap };

	if (!slot)
		return -1;
	for (uint32_t i = 0; i < x->cap; i++) {
		struct row_slot *at;

		if (!old[i].row)
			continue;
		for (at = slot_of(&bigger, old[i].hash); at->row; )
			at = at + 1 == slot + cap ? slot : at + 1;
		*at = old[i];
	}
	free(old);
	*x = bigger;
	return 0;
}

/* A row whose key is equal, from 1; 0: none, and *free is where its number belongs; NULL: memory. */
static uint32_t index_find(struct row_index *x, uint32_t hash, bool (*same)(const void *rows, uint32_t row, const void *key),
	const void *rows, const void *key, struct row_slot **free_slot)
{
	struct row_slot *at;

	*free_slot = NULL;
	if (2 * (x->n + 1) > x->cap && index_grow(x))
		return 0;
	for (at = slot_of(x, hash); at->row; at = at + 1 == x->slot + x->cap ? x->slot : at + 1)
		if (at->hash == hash && same(rows, at->row - 1, key))
			return at->row;
	*free_slot = at;
	return 0;
}

/* Appends a zeroed row to an array whose size is a power of two once it is full.  NULL: memory. */
static void *append(struct report_sum *s, void *array, uint32_t *n, size_t size, struct row_index *x, struct row_slot *slot,
	uint32_t hash)
{
	void **rows = array;
	char *grown = *rows;

	if (slot && (*n & (*n - 1)) == 0) {
		grown = realloc(*rows, (*n ? 2 * (size_t)*n : 1) * size);
		if (grown)
			*rows = grown;
	}
	if (!slot || !grown) {
		s->failed = true;
		return NULL;
	}
	memset(grown + *n * size, 0, size);
	*slot = (struct row_slot){ hash, ++*n };
	x->n++;
	return grown + (*n - 1) * size;
}

/* --- texts ------------------------------------------------------------------------------------ */

static bool same_text(const void *rows, uint32_t row, const void *key)
{
	return strcmp(((const char *const *)rows)[row], key) == 0;
}

const char *sum_text(struct report_sum *s, const char *text)
{
	struct row_slot *slot;
	uint32_t hash, row, n = s->strings.n;
	const char **kept;

	if (!text)
		return NULL;
	hash = sum_hash(SUM_HASH, text);
	row = index_find(&s->strings, hash, same_text, s->text, text, &slot);
	if (row)
		return s->text[row - 1];
	kept = append(s, &s->text, &n, sizeof *s->text, &s->strings, slot, hash);
	if (kept) {
		*kept = arena_strdup(s->arena, text);
		s->failed |= !*kept;
		if (!*kept)
			*kept = "";
	}
	return kept ? *kept : "";
}

static bool same_note(const void *rows, uint32_t row, const void *key)
{
	return ((const char *const *)rows)[row] == key;
}

void sum_note_add(struct report_sum *s, const char *note)
{
	const char *text = sum_text(s, note), **row;
	uint32_t hash = sum_hash(SUM_HASH, text);
	struct row_slot *slot;

	if (!index_find(&s->by_note, hash, same_note, s->notes, text, &slot)) {
		row = append(s, &s->notes, &s->nnotes, sizeof *s->notes, &s->by_note, slot, hash);
		if (row)
			*row = text;
	}
}

/* --- findings --------------------------------------------------------------------------------- */

static bool same_node(const struct report_node *a, const struct report_node *b)
{
	return a->type == b->type && a->line == b->line && text_same(a->name, b->name) &&
		text_same(a->alias_of, b->alias_of) && text_same(a->file, b->file);
}

static bool same_finding(const void *rows, uint32_t row, const void *key)
{
	const struct report_finding *a = &((const struct sum_finding *)rows)[row].of, *b = key;

	if (!text_same(a->property, b->property) || a->npath != b->npath || a->over_processes != b->over_processes)
		return false;
	for (int i = a->npath - 1; i >= 0; i--)
		if (!same_node(&a->path[i], &b->path[i]))
			return false;
	return true;
}

static uint32_t hash_finding(const struct report_finding *f)
{
	uint32_t h = sum_hash(SUM_HASH, f->property);

	for (int i = 0; i < f->npath; i++) {
		h = sum_hash(h, f->path[i].name);
		h = (h ^ (uint32_t)f->path[i].line ^ (uint32_t)f->path[i].type << 24) * 16777619u;
	}
	return h;
}

static void keep_node(struct report_sum *s, struct report_node *n)
{
	n->name = sum_text(s, n->name);
	n->alias_of = sum_text(s, n->alias_of);
	n->scope = sum_text(s, n->scope);
	n->file = sum_text(s, n->file);
	n->name_path = sum_text(s, n->name_path);
}

static void keep_uses(struct report_sum *s, struct report_finding *f)
{
	struct report_line_use *uses = arena_array(s->arena, (size_t)f->nuses, sizeof *uses);

	s->failed |= !uses;
	for (int i = 0; uses && i < f->nuses; i++) {
		uses[i] = f->uses[i];
		uses[i].members = sum_text(s, uses[i].members);
	}
	f->uses = uses;
	f->nuses = uses ? f->nuses : 0;
}

/* A copy whose texts and path are the sum's; figures of the path are what `from` has. */
static void keep_finding(struct report_sum *s, struct report_finding *to, const struct report_finding *from)
{
	struct report_node *path = (struct report_node *)(uintptr_t)to->path;  /* of an equal finding: ours */

	if (!path)
		path = arena_array(s->arena, (size_t)from->npath, sizeof *path);
	if (!path) {
		s->failed = true;
		return;
	}
	*to = *from;
	to->path = path;
	for (int i = 0; i < from->npath; i++) {
		bool holds = path[i].holds;     /* in any process */

		path[i] = from->path[i];
		path[i].holds |= holds;
		keep_node(s, &path[i]);
	}
	to->property = sum_text(s, from->property);
	to->refines = sum_text(s, from->refines);
	to->file = sum_text(s, from->file);
	to->kind = sum_text(s, from->kind);
	to->why = sum_text(s, from->why);
	to->advice = sum_text(s, from->advice);
	to->info = sum_text(s, from->info);
	to->declared = sum_text(s, from->declared);
	to->about = sum_text(s, from->about);
	to->source = sum_text(s, from->source);
	to->place_routine = sum_text(s, from->place_routine);
	keep_uses(s, to);
	to->processes = NULL;
	to->sites = NULL;
	to->nruns = to->nsites = to->problem = 0;
}

struct sum_finding *sum_finding_row(struct report_sum *s, const struct report_finding *like)
{
	uint32_t hash = hash_finding(like), row;
	struct row_slot *slot;
	struct sum_finding *f;

	row = index_find(&s->by_finding, hash, same_finding, s->findings, like, &slot);
	if (row)
		return &s->findings[row - 1];
	f = append(s, &s->findings, &s->nfindings, sizeof *f, &s->by_finding, slot, hash);
	if (!f)
		return NULL;
	f->compares_share = true;
	f->empty = true;
	f->node = arena_array(s->arena, (size_t)like->npath, sizeof *f->node);
	keep_finding(s, &f->of, like);
	if (!f->node || !f->of.path) {
		s->failed = true;
		return NULL;
	}
	return f;
}

/* A property that holds in any process holds for all; the lowest confidence and coverage are those of all. */
void sum_finding_describe(struct report_sum *s, struct sum_finding *into, const struct report_finding *from, int rank)
{
	struct report_finding *of = &into->of, bare = *from;
	double confidence = fmin(of->confidence, from->confidence), coverage = fmin(of->coverage, from->coverage);
	bool unwarmed = of->unwarmed || from->unwarmed, all_callers = of->all_callers || from->all_callers;
	struct report_node *path = (struct report_node *)(uintptr_t)of->path;
	bool first = into->empty;

	for (int i = 0; i < from->npath; i++)
		path[i].holds |= from->path[i].holds;
	/* Joined figures are no part of the order of descriptions. */
	of->confidence = bare.confidence = of->coverage = bare.coverage = 1;
	of->unwarmed = bare.unwarmed = of->all_callers = bare.all_callers = false;
	bare.processes = NULL;
	bare.nruns = bare.nprocesses = of->nprocesses = bare.problem = 0;      /* of the whole report, if of any */
	into->texts_differ |= !first && (!text_same(of->why, bare.why) || !text_same(of->advice, bare.advice) ||
		!report_same_uses(of, &bare));
	if (report_finding_describes_before(&bare, of)) {
		keep_finding(s, of, &bare);
		into->described = rank;
	} else if (first || (!report_finding_describes_before(of, &bare) && rank < into->described)) {
		into->described = rank;         /* of equal ones the first */
	}
	into->empty = false;
	of->confidence = confidence;
	of->coverage = coverage;
	of->unwarmed = unwarmed;
	of->all_callers = all_callers;
}

/* --- changes, structures that were measured, the ledger ----------------------------------------- */

static bool same_gain(const void *rows, uint32_t row, const void *key)
{
	const struct report_gain *a = &((const struct sum_gain *)rows)[row].of, *b = key;

	return text_same(a->structure, b->structure) && text_same(a->scope, b->scope) &&
		text_same(a->declared, b->declared) && text_same(a->fix, b->fix) &&
		text_same(a->change, b->change) && !a->reason == !b->reason;
}

struct sum_gain *sum_gain_row(struct report_sum *s, const struct report_gain *like)
{
	uint32_t hash = sum_hash(sum_hash(SUM_HASH, like->structure), like->fix), row;
	struct row_slot *slot;
	struct sum_gain *g;

	row = index_find(&s->by_gain, hash, same_gain, s->gains, like, &slot);
	if (row)
		return &s->gains[row - 1];
	g = append(s, &s->gains, &s->ngains, sizeof *g, &s->by_gain, slot, hash);
	if (!g)
		return NULL;
	g->of.least = g->of.most = g->of.time_share = NAN;     /* sums */
	g->of.structure = sum_text(s, like->structure);
	g->of.scope = sum_text(s, like->scope);
	g->of.declared = sum_text(s, like->declared);
	g->of.fix = sum_text(s, like->fix);
	g->of.change = sum_text(s, like->change);
	g->of.reason = sum_text(s, like->reason);
	return g;
}

void sum_gain_describe(struct report_sum *s, struct sum_gain *into, const struct report_gain *from)
{
	if (from->reason && strcmp(from->reason, into->of.reason) < 0)
		into->of.reason = sum_text(s, from->reason);
}

static bool same_verified(const void *rows, uint32_t row, const void *key)
{
	const struct report_verified *a = &((const struct report_verified *)rows)[row], *b = key;

	return text_same(a->structure, b->structure) && text_same(a->scope, b->scope) &&
		text_same(a->declared, b->declared);
}

/* The process that loses most is kept. */
static bool says_more(const struct report_verified *a, const struct report_verified *b)
{
	if (a->reason || b->reason)
		return a->reason && b->reason ? strcmp(a->reason, b->reason) < 0 : !a->reason;
	if (a->measured != b->measured)
		return a->measured > b->measured;
	return report_verified_compare(a, b) < 0;
}

void sum_verified_add(struct report_sum *s, const struct report_verified *v)
{
	uint32_t hash = sum_hash(SUM_HASH, v->structure), row;
	struct row_slot *slot;
	struct report_verified *kept;

	row = index_find(&s->by_verified, hash, same_verified, s->verified, v, &slot);
	kept = row ? &s->verified[row - 1] :
		append(s, &s->verified, &s->nverified, sizeof *kept, &s->by_verified, slot, hash);
	if (!kept || (row && !says_more(v, kept)))
		return;
	*kept = *v;
	kept->structure = sum_text(s, v->structure);
	kept->scope = sum_text(s, v->scope);
	kept->declared = sum_text(s, v->declared);
	kept->reason = sum_text(s, v->reason);
}

static bool same_cause(const void *rows, uint32_t row, const void *key)
{
	return text_same(((const struct sum_ledger *)rows)[row].of.cause, key);
}

struct sum_ledger *sum_ledger_row(struct report_sum *s, const struct report_ledger *like)
{
	uint32_t hash = sum_hash(SUM_HASH, like->cause), row;
	struct row_slot *slot;
	struct sum_ledger *l;

	row = index_find(&s->by_cause, hash, same_cause, s->ledger, like->cause, &slot);
	if (row)
		return &s->ledger[row - 1];
	l = append(s, &s->ledger, &s->nledger, sizeof *l, &s->by_cause, slot, hash);
	if (l)
		l->of.cause = sum_text(s, like->cause);
	return l;
}

/* --- costs ------------------------------------------------------------------------------------ */

static bool same_cost(const void *rows, uint32_t row, const void *key)
{
	return report_cost_compare(&((const struct sum_cost *)rows)[row].of, key) == 0;
}

static void keep_cost(struct report_sum *s, struct report_cost *to, const struct report_cost *from)
{
	*to = *from;
	to->region = sum_text(s, from->region);
	to->structure = sum_text(s, from->structure);
	to->scope = sum_text(s, from->scope);
	to->declared = sum_text(s, from->declared);
	to->file = sum_text(s, from->file);
	to->time = to->accesses = to->coherence = to->est_stall = to->est_stall_low = to->est_stall_high = NAN;
	for (int i = 0; i < REPORT_LEVELS; i++)
		to->misses[i] = to->errors[i] = NAN;
	to->sites = NULL;
	to->nsites = 0;
}

struct sum_cost *sum_cost_row(struct report_sum *s, const struct report_cost *like)
{
	uint32_t hash = sum_hash(sum_hash(SUM_HASH, like->region), like->structure), row;
	struct row_slot *slot;
	struct sum_cost *c;

	row = index_find(&s->by_cost, hash, same_cost, s->costs, like, &slot);
	if (row)
		return &s->costs[row - 1];
	c = append(s, &s->costs, &s->ncosts, sizeof *c, &s->by_cost, slot, hash);
	if (c)
		keep_cost(s, &c->of, like);
	return c;
}

void sum_cost_describe(struct report_sum *s, struct sum_cost *into, const struct report_cost *from)
{
	int order = text_compare(from->file, into->of.file);

	if (!order)
		order = from->line != into->of.line ? from->line - into->of.line : (int)from->type - (int)into->of.type;
	if (order < 0)
		keep_cost(s, &into->of, from);
}

/* --- lines ------------------------------------------------------------------------------------ */

struct sum_site *sum_site_row(struct sum_sites *sites, const char *source, int line)
{
	struct sum_site *grown;

	for (int i = 0; i < sites->n; i++)
		if (sites->site[i].line == line && text_same(sites->site[i].source, source))
			return &sites->site[i];
	if (sites->n == sites->cap) {
		int cap = sites->cap ? 2 * sites->cap : 4;

		grown = realloc(sites->site, (size_t)cap * sizeof *grown);
		if (!grown)
			return NULL;
		sites->site = grown;
		sites->cap = cap;
	}
	grown = &sites->site[sites->n++];
	*grown = (struct sum_site){ source, line, { { 0 }, 0, 0 }, { { 0 }, 0, 0 } };
	return grown;
}

/* --- lists ------------------------------------------------------------------------------------ */

static void add_threads(struct report_sum *s, const struct report *part)
{
	struct report *l = s->lists;
	struct report_thread *rows = realloc(l->thread_rows, ((size_t)l->nthread_rows + (size_t)part->nthread_rows + 1) *
		sizeof *rows);

	if (!rows) {
		s->failed = true;
		return;
	}
	l->thread_rows = rows;
	for (int i = 0; i < part->nthread_rows; i++) {
		struct report_thread *row = &rows[l->nthread_rows++];

		*row = part->thread_rows[i];
		row->region = sum_text(s, row->region);
		row->file = sum_text(s, row->file);
	}
	l->thread_rows_left_out += part->thread_rows_left_out;
	if (l->nthread_rows > 2 * REPORT_THREAD_ROWS)
		report_thread_rows_keep(l);
}

void sum_lists_add(struct report_sum *s, const struct report *part)
{
	struct report *l = s->lists;
	struct report_tested *tested = realloc(l->tested, ((size_t)l->ntested + (size_t)part->ntested + 1) * sizeof *tested);

	add_threads(s, part);
	if (!tested) {
		s->failed = true;
		return;
	}
	l->tested = tested;
	for (int i = 0; i < part->ntested; i++) {
		struct report_tested *t = &tested[l->ntested++];
		struct report_node *place = arena_alloc(s->arena, sizeof *place);

		*t = part->tested[i];
		t->property = sum_text(s, t->property);
		t->below = sum_text(s, t->below);
		t->reason = sum_text(s, t->reason);
		if (t->place && place) {
			*place = *t->place;
			keep_node(s, place);
			t->place = place;
		}
		s->failed |= !place;
	}
	for (int i = 0; i < part->nnotes; i++)
		sum_note_add(s, part->notes[i]);
}

void sum_rows_free(struct report_sum *s)
{
	struct row_index *all[] = { &s->strings, &s->by_finding, &s->by_gain, &s->by_verified, &s->by_cause, &s->by_cost,
		&s->by_note };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]->slot);
	for (uint32_t i = 0; i < s->nfindings; i++) {
		ranks_free(&s->findings[i].ranks);
		free(s->findings[i].sites.site);
	}
	for (uint32_t i = 0; i < s->ncosts; i++)
		free(s->costs[i].sites.site);
	free(s->findings);
	free(s->gains);
	free(s->verified);
	free(s->ledger);
	free(s->costs);
	free(s->notes);
	free((void *)s->text);
	if (s->lists) {
		free(s->lists->thread_rows);
		free(s->lists->tested);
	}
	report_free(s->lists);
}
