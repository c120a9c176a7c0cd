/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the trials of --what-if and computes from their results what each change saves. */
#include "analysis/findings/whatif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/structure_names.h"
#include "analysis/findings/whatif_try.h"
#include "analysis/measure/blocking.h"
#include "analysis/measure/record_use.h"

enum {
	FEW_LINES = 4,          /* the second shift tried, in lines */
	SPREAD_ELEMENTS = 4096  /* larger arrays are not spread to one element per line */
};
/* Share of last-level misses on an unknown node above which a placement has no result. */
static const double UNPLACED = 0.01;

/* --- trials ---------------------------------------------------------------------------------- */

struct trial *whatif_add(struct whatif *w, uint32_t object, enum fix fix)
{
	struct trial *t;

	if (w->ntrials == WHATIF_TRIALS) {
		w->more = true;
		return NULL;
	}
	t = &w->trial[w->ntrials++];
	*t = (struct trial){ .object = object, .fix = fix, .node = UINT32_MAX };
	return t;
}

static void try(struct whatif *w, uint32_t object, enum fix fix, enum mon_fix how,
	uint64_t parameter, const char *change)
{
	struct trial *t;

	for (uint32_t i = 0; i < w->ntrials; i++)
		if (w->trial[i].object == object && w->trial[i].variant.fix == how &&
		    w->trial[i].variant.parameter == parameter)
			return;         /* asked for twice */
	t = whatif_add(w, object, fix);
	if (!t)
		return;
	t->variant = (struct mon_variant){ object, how, parameter };
	snprintf(t->change, sizeof t->change, "%s", change);
}

void whatif_refuse(struct whatif *w, uint32_t object, enum fix fix, const char *why)
{
	struct trial *t;

	if (whatif_has(w, object, fix))
		return;
	t = whatif_add(w, object, fix);
	if (!t)
		return;
	t->done = true;
	snprintf(t->reason, sizeof t->reason, "%s", why);
}

static uint32_t longest_line(const struct measurements *p)
{
	uint32_t line = 0;

	for (uint32_t l = 0; l < p->machine->flat.nlevels; l++)
		if (p->machine->flat.level[l].line > line)
			line = p->machine->flat.level[l].line;
	return line;
}

/* Tries to shift the structure to other cache sets than its neighbours; with several threads and
 * small elements, also one line per element, against false sharing. */
static void try_pad(struct whatif *w, const struct measurements *p, uint32_t object)
{
	const struct measured_object *o = &p->objects[object];
	uint32_t line = longest_line(p);
	char change[64];

	for (uint32_t n = 1; n <= FEW_LINES; n += FEW_LINES - 1) {
		snprintf(change, sizeof change, "begins %u line%s later (%u bytes)", n,
			n == 1 ? "" : "s", n * line);
		try(w, object, FIX_PAD, MON_FIX_SHIFT, n * line, change);
	}
	if (p->threads < 2 || !o->elem || o->elem >= line || o->size / o->elem < 2 ||
	    o->size / o->elem > SPREAD_ELEMENTS)
		return;
	snprintf(change, sizeof change, "each element (%u bytes) on a line of its own", o->elem);
	try(w, object, FIX_PAD, MON_FIX_SPREAD, o->elem, change);
}

static void try_rows(struct whatif *w, const struct measurements *p, uint32_t object,
	uint32_t row)
{
	char text[160];

	if (row >= p->objects[object].size) {
		snprintf(text, sizeof text, "rows of %u bytes, but the structure has only %llu",
			row, (unsigned long long)p->objects[object].size);
		whatif_refuse(w, object, FIX_ROWS, text);
		return;
	}
	snprintf(text, 64, "rows of %u bytes get %u bytes more", row, longest_line(p));
	try(w, object, FIX_ROWS, MON_FIX_ROWS, row, text);
}

/* Tries the fixes of placement.  Where placement has no meaning on this machine, those that the
 * user named are refused with a reason; others are left out. */
static void try_placement(struct whatif *w, const struct measurements *p, uint32_t object,
	uint32_t fixes, bool named)
{
	const struct machine_flat *m = &p->machine->flat;
	const char *why = m->nodes.count < 2 ? "the machine has one memory node" :
		m->pages == MACHINE_PAGES_VIRTUAL ?
		"the machine model has no page placement (pages=\"virtual\")" : NULL;

	if (why) {
		if (named && fixes & FIX_TOUCH)
			whatif_refuse(w, object, FIX_TOUCH, why);
		if (named && fixes & FIX_INTERLEAVE)
			whatif_refuse(w, object, FIX_INTERLEAVE, why);
		return;
	}
	if (fixes & FIX_TOUCH)
		try(w, object, FIX_TOUCH, MON_FIX_FIRST_TOUCH, 0,
			"pages at their first users in the phase");
	if (fixes & FIX_INTERLEAVE)
		try(w, object, FIX_INTERLEAVE, MON_FIX_INTERLEAVE, 0,
			"pages over all nodes in turn");
}

/* A change whose effect follows from the counts: nothing is simulated again. */
static void try_computed(struct whatif *w, const struct measurements *p, uint32_t object,
	enum fix fix, enum memory_change change, const char *text)
{
	struct trial *t;

	if (whatif_has(w, object, fix))
		return;
	t = whatif_add(w, object, fix);
	if (!t)
		return;
	t->done = true;
	t->stall = t->with = t->own = NAN;
	t->memory = measured_memory_time(p);
	t->memory_with = measured_changed_memory(p, object, change);
	snprintf(t->change, sizeof t->change, "%s", text);
}

/* The change takes at least a hundredth off the memory time. */
static bool matters(const struct measurements *p, uint32_t object, enum memory_change change)
{
	return measured_changed_memory(p, object, change) < 0.99 * measured_memory_time(p);
}

static void try_fit(struct whatif *w, const struct measurements *p, uint32_t object, uint32_t level)
{
	const struct machine_flat *m = &p->machine->flat;
	char text[64];

	if (p->sample.classes) {
		whatif_refuse(w, object, FIX_FIT, p->sample.slices ?
			"slices show only the reuse inside them" :
			"a sample of the cache sets shows no reuse");
		return;
	}
	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].level == level) {
			snprintf(text, sizeof text, "worked on in blocks that fit L%u", level);
			try_computed(w, p, object, FIX_FIT, (enum memory_change)(CHANGE_FIT + l),
				text);
			return;
		}
	whatif_refuse(w, object, FIX_FIT, "the machine has no such cache level");
}

/* Unasked, where most of what the structure costs has one cause: of conflicts with a constant step,
 * longer rows; of lines that come again, blocks of the level that gains. */
static void try_against_cause(struct whatif *w, const struct measurements *p, uint32_t object)
{
	const struct machine_flat *m = &p->machine->flat;
	struct tally t;
	uint32_t l, row;

	if (!p->estimated || !measured_tally(p, 0, object, &t))
		return;
	l = blocking_level(p, &t);
	row = blocking_row(p, &t);
	if (tally_memory_kind(&t) == KIND_CONFLICT && row && row < p->objects[object].size &&
	    !p->objects[object].blocks)
		try_rows(w, p, object, row);
	if (tally_memory_kind(&t) == KIND_CAPACITY && l < m->nlevels)
		try_fit(w, p, object, m->level[l].level);
}

/* Misses of a sample of the cache sets have no classes; those of slices do. */
static bool has_classes(const struct measurements *p)
{
	return !p->sample.classes || p->sample.slices;
}

/* Of accesses in no order, the step is not the loop's to choose: an index may say where they go. */
static const char *dense_text(const struct measurements *p, uint32_t object)
{
	struct tally t;

	return record_use_indexed(p, 0, object) || (measured_tally(p, 0, object, &t) &&
		t.estimate.memory[MEMORY_GATHER] > t.estimate.memory[MEMORY_STRIDED]) ?
		"what is used lies together, in the order of use" :
		"what is used lies together: unit stride";
}

static void try_dense(struct whatif *w, const struct measurements *p, uint32_t object, bool named)
{
	if (has_classes(p)) {
		if (named || matters(p, object, CHANGE_DENSE))
			try_computed(w, p, object, FIX_DENSE, CHANGE_DENSE, dense_text(p, object));
	} else if (named) {
		whatif_refuse(w, object, FIX_DENSE,
			"a sample of the cache sets shows no streams and strides");
	}
}

/* Each loop fetches only the members that it uses. */
static void try_split(struct whatif *w, const struct measurements *p, uint32_t object, bool named)
{
	static const double nothing = 0.9999;   /* of the memory time: sums are rounded */
	struct record_use use;
	char text[64] = "in each loop only the members that it uses, packed";

	if (!has_classes(p)) {
		if (named)
			whatif_refuse(w, object, FIX_SPLIT,
				"a sample of the cache sets shows no streams and strides");
		return;
	}
	if (!(measured_changed_memory(p, object, CHANGE_SPLIT) < nothing *
	    measured_memory_time(p))) {
		if (named)
			whatif_refuse(w, object, FIX_SPLIT,
				"no lines would be saved: it is not known to be an array of "
				"structs of which loops use few members");
		return;
	}
	if (!named && !matters(p, object, CHANGE_SPLIT))
		return;
	if (record_use_common(p, object, &use))
		snprintf(text, sizeof text, "only the members used (%u of %u bytes), packed",
			use.bytes, use.size);
	try_computed(w, p, object, FIX_SPLIT, CHANGE_SPLIT, text);
}

/* Tells the measured saving of large pages. */
static void try_pages(struct whatif *w, const struct measurements *p, uint32_t object, bool named)
{
	if (named && !machine_huge_known(&p->costs))
		whatif_refuse(w, object, FIX_PAGES, p->costs.source == COST_MEASURED
			? "what large pages save is not known: the calibration got none from the system"
			: "what large pages save is not known: psc_machine --calibrate measures it");
	else if (named || matters(p, object, CHANGE_PAGES))
		try_computed(w, p, object, FIX_PAGES, CHANGE_PAGES, "on large pages (2 MiB)");
}

static const char apart[] = "each thread's part on cache lines of its own";

/* How lines are moved out of each other's cache sets. */
static const char *rows_text(const struct measurements *p, uint32_t object, char text[64])
{
	struct tally t;
	uint32_t row = measured_tally(p, 0, object, &t) ? blocking_row(p, &t) : 0;

	if (row && row < p->objects[object].size && !p->objects[object].blocks)
		snprintf(text, 64, "no conflicts: rows of %u bytes get %u bytes more", row,
			longest_line(p));
	else
		snprintf(text, 64, "no conflicts: its lines in other cache sets");
	return text;
}

static void try_nocopy(struct whatif *w, const struct measurements *p, uint32_t object, bool named)
{
	struct tally t;
	bool copied = measured_tally(p, 0, object, &t) && t.copied > 0;

	if (copied && (named || matters(p, object, CHANGE_UNCOPIED)))
		try_computed(w, p, object, FIX_NOCOPY, CHANGE_UNCOPIED, "not copied");
	else if (named)
		whatif_refuse(w, object, FIX_NOCOPY, "it is not copied in blocks");
}

void whatif_try_computed(struct whatif *w, const struct measurements *p, uint32_t object,
	const struct fix_want *want)
{
	char text[64];

	whatif_try_places(w, p, object, want->fixes, false);
	if (want->fixes & FIX_DENSE)
		try_dense(w, p, object, false);
	if (want->fixes & FIX_SPLIT)
		try_split(w, p, object, false);
	if (want->fixes & FIX_NOCOPY)
		try_nocopy(w, p, object, false);
	if (want->fixes & FIX_PAGES)
		try_pages(w, p, object, false);
	if (want->fixes & FIX_FIT && !p->sample.classes)
		try_fit(w, p, object, want->level);
	if (want->fixes & FIX_PAD && matters(p, object, CHANGE_APART))
		try_computed(w, p, object, FIX_PAD, CHANGE_APART, apart);
	if (want->fixes & FIX_ROWS && matters(p, object, CHANGE_ROWS))
		try_computed(w, p, object, FIX_ROWS, CHANGE_ROWS, rows_text(p, object, text));
}

/* Small blocks here and there. */
static void refuse_to_move(struct whatif *w, uint32_t object, uint32_t fixes)
{
	static const char why[] =
		"it consists of small blocks, which have no beginning and no rows in common";

	if (fixes & FIX_PAD)
		whatif_refuse(w, object, FIX_PAD, why);
	if (fixes & FIX_ROWS)
		whatif_refuse(w, object, FIX_ROWS, why);
}

static void try_fixes(struct whatif *w, const struct measurements *p, uint32_t object,
	const struct fix_want *want)
{
	uint32_t fixes = want->fixes ? want->fixes : FIX_APPLICABLE;
	bool named = want->fixes != 0;

	if (p->objects[object].blocks) {
		/* Lines for each thread are computed; nothing need be moved for it. */
		if (fixes & FIX_PAD && matters(p, object, CHANGE_APART)) {
			try_computed(w, p, object, FIX_PAD, CHANGE_APART, apart);
			fixes &= ~FIX_PAD;
		}
		if (named)
			refuse_to_move(w, object, fixes);
	} else {
		if (fixes & FIX_PAD)
			try_pad(w, p, object);
		if (fixes & FIX_ROWS)
			try_rows(w, p, object, want->row);
	}
	try_placement(w, p, object, fixes, named);
	whatif_try_places(w, p, object, fixes & (FIX_REPLICATE | FIX_BIND | FIX_THREADS), named);
	if (fixes & FIX_DENSE)
		try_dense(w, p, object, named);
	if (fixes & FIX_SPLIT)
		try_split(w, p, object, named);
	if (fixes & FIX_NOCOPY)
		try_nocopy(w, p, object, named);
	if (fixes & FIX_PAGES)
		try_pages(w, p, object, named);
	if (fixes & FIX_FIT)
		try_fit(w, p, object, want->level);
	if (!named)
		try_against_cause(w, p, object);
	if (fixes & FIX_HIT)
		try(w, object, FIX_HIT, MON_FIX_ABSENT, 0, "bound of all changes: it always hits");
}

static void choose_named(struct whatif *w, const struct measurements *p,
	const struct fix_want *want)
{
	uint32_t objects[WHATIF_SAME], n;
	struct trial *t;

	n = structures_named(p, want->structure, objects, WHATIF_SAME);
	for (uint32_t i = 0; i < n; i++)
		try_fixes(w, p, objects[i], want);
	if (n)
		return;
	t = whatif_add(w, MON_ANY, 0);
	if (!t)
		return;
	t->done = true;
	snprintf(t->name, sizeof t->name, "%s", want->structure);
	structures_unknown(p, want->structure, t->reason, sizeof t->reason);
}

static void choose_found(struct whatif *w, const struct search *s, const struct run_config *c,
	const struct fix_want *want)
{
	uint32_t objects[WHATIF_AUTO];
	uint32_t n = findings_structures(s, c, objects, WHATIF_AUTO);

	for (uint32_t i = 0; i < n; i++)
		try_fixes(w, s->measured, objects[i], want);
}

struct whatif *whatif_new(const struct search *s, const struct run_config *c)
{
	struct whatif *w = calloc(1, sizeof *w);

	for (uint32_t i = 0; w && i < c->nwhat_if; i++) {
		if (c->what_if[i].fixes & FIX_VERIFY)
			measured_check_add(&w->check, s->measured, c->what_if[i].structure);
		else if (c->what_if[i].structure[0])
			choose_named(w, s->measured, &c->what_if[i]);
		else
			choose_found(w, s, c, &c->what_if[i]);
	}
	return w;
}

/* --- experiments ----------------------------------------------------------------------------- */

/* The trials of the next request: those not done, in their order. */
static uint32_t pending(const struct whatif *w, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->ntrials && n < MON_VARIANTS; i++)
		if (!w->trial[i].done)
			out[n++] = i;
	return n;
}

uint32_t whatif_next(const struct whatif *w, struct mon_variant *out)
{
	uint32_t which[MON_VARIANTS], n = pending(w, which);

	for (uint32_t i = 0; i < n; i++)
		out[i] = w->trial[which[i]].variant;
	return n;
}

/* Modelled stall cycles of the rows of a variant and object (MON_ANY: all). */
static double rows_stall(const struct measurements *p, const struct mon_count_row *rows,
	uint32_t n, uint32_t variant, uint32_t object, double per)
{
	struct tally t = { 0 };

	for (uint32_t i = 0; i < n; i++)
		if (rows[i].variant == variant && (object == MON_ANY || rows[i].object == object))
			tally_add_row(&t, &p->machine->flat, &rows[i], per);
	return tally_stall_cycles(p, &t);
}

/* Cycles that memory takes to serve one structure's misses, seen from each thread's node; NAN where
 * the node is unknown for too many of them. */
static double memory_cycles(const struct machine_flat *m, const struct mon_count_row *rows,
	uint32_t n, uint32_t variant, uint32_t object, double per)
{
	double cycles = 0, unplaced = 0, all = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct mon_count_row *r = &rows[i];
		const uint32_t from = r->node;

		if (r->variant != variant || r->object != object || from >= m->nodes.count)
			continue;
		unplaced += (double)r->unplaced;
		all += (double)r->unplaced;
		for (uint32_t to = 0; to < m->nodes.count && to < MACHINE_NODES; to++) {
			double misses = (double)(r->served[to][0] + r->served[to][1]);

			cycles += per * misses * m->nodes.latency[from][to];
			all += misses;
		}
	}
	return unplaced > UNPLACED * all ? NAN : cycles;
}

/* A page placement changes only which node serves the structure's misses. */
static void take_placement(struct trial *t, const struct measurements *p,
	const struct mon_result *r, uint32_t variant, double per)
{
	const struct machine_flat *m = &p->machine->flat;
	double before = memory_cycles(m, r->counts, r->ncounts, 0, t->object, per);
	double after = memory_cycles(m, r->varied, r->nvaried, variant, t->object, per);

	t->with = t->stall - (before - after);
	if (isnan(t->with))
		snprintf(t->reason, sizeof t->reason,
			"the memory nodes of its pages are not known (the "
			"kernel's page-fault events give them, where these are permitted)");
}

void whatif_take(struct whatif *w, const struct measurements *p, const struct mon_result *r)
{
	uint32_t which[MON_VARIANTS], n = pending(w, which);
	double per = r->executions ? 1.0 / r->executions : 0, stall;

	if (r->nvariants < n)
		n = r->nvariants;
	stall = rows_stall(p, r->counts, r->ncounts, 0, MON_ANY, per);
	for (uint32_t i = 0; i < n; i++) {
		struct trial *t = &w->trial[which[i]];

		t->done = true;
		if (measured_result_lossy(r)) {
			snprintf(t->reason, sizeof t->reason,
				"too many accesses of its experiment were lost");
			continue;
		}
		t->stall = stall;
		t->memory = measured_rows_memory(p, r->counts, r->ncounts, 0, per);
		t->own = rows_stall(p, r->counts, r->ncounts, 0, t->object, per);
		if (t->fix & (FIX_TOUCH | FIX_INTERLEAVE)) {
			take_placement(t, p, r, i + 1, per);
			t->memory_with = t->stall > 0 ? t->memory * t->with / t->stall : NAN;
			continue;
		}
		t->memory_with = measured_rows_memory(p, r->varied, r->nvaried, i + 1, per);
		t->with = rows_stall(p, r->varied, r->nvaried, i + 1, MON_ANY, per);
	}
}

void whatif_give_up(struct whatif *w, const char *why)
{
	measured_check_give_up(&w->check, why);
	for (uint32_t i = 0; i < w->ntrials; i++) {
		if (w->trial[i].done)
			continue;
		w->trial[i].done = true;
		snprintf(w->trial[i].reason, sizeof w->trial[i].reason, "%s", why);
	}
}

double whatif_time(const struct trial *t, const struct measurements *p)
{
	struct tally all;
	double part;

	if (!p->estimated || !measured_tally(p, 0, MON_ANY, &all) || !(t->memory > 0))
		return NAN;
	/* The processor is taken to hide the same share of the memory time as before. */
	part = t->memory_with / t->memory;
	return all.estimate.stall * (1 - part);
}

void whatif_bounds(const struct trial *t, double *least, double *most)
{
	*least = *most = t->stall - t->with;
	if (t->fix != FIX_HIT)
		return;
	/* Lower bound: the structure's lines still occupy the caches, so only its own misses go.
	 * Upper bound: they occupy nothing, so all misses of the difference go. */
	*least = t->own < *most ? t->own : *most;
	*most = t->own > *most ? t->own : *most;
}
