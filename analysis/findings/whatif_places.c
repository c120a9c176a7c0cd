/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what other places of a data structure, or of the threads that use it, would save: a
 * miss of the last level costs then what the node that serves it takes. Which accesses miss does
 * not change, and queues at a node are not modelled. */
#include <math.h>
#include <stdio.h>

#include "analysis/findings/whatif_try.h"
#include "analysis/measure/flow_nodes.h"

static const double WRITTEN = 0.001;    /* share of its accesses that makes it written */
/* The share of its bytes that several threads use: then it is not divided among them. */
static const double SHARED = 0.5;

static double writes_of(const struct flow *f)
{
	double reads = 0, writes = 0;

	for (uint32_t i = 0; i < f->nintervals; i++) {
		reads += f->interval[i].reads;
		writes += f->interval[i].writes;
	}
	return writes > 0 ? writes / (reads + writes) : 0;
}

/* Why the change makes no sense for the structure; NULL: it does. */
static const char *unfit(const struct flow *f, enum fix fix)
{
	if (fix == FIX_REPLICATE && writes_of(f) > WRITTEN)
		return "it is written: copies would have to be kept alike";
	if (fix == FIX_BIND && flow_users(f) > 1 && !(f->locality.one_user > SHARED))
		return "several threads use the same parts of it";
	if (fix == FIX_THREADS && flow_user_nodes(f) < 2)
		return "the threads that use it run on one node already";
	return NULL;
}

/* Threads of a group that go to one node take what they share with them; else the structure
 * stays. */
static enum flow_placement placement_of(const struct flow *f, enum fix fix)
{
	if (fix == FIX_INTERLEAVE)
		return FLOW_INTERLEAVED;
	if (fix == FIX_THREADS && flow_users(f) == f->threads && !(f->locality.group > SHARED))
		return FLOW_TOGETHER;
	return FLOW_AT_USERS;
}

static const char *words_of(const struct flow *f, enum fix fix)
{
	switch (fix) {
	case FIX_REPLICATE: return "a copy on each node that reads it";
	case FIX_BIND: return flow_users(f) > 1 ?
		"each part on the node of the thread that uses it" :
		"on the node of the thread that uses it";
	case FIX_INTERLEAVE: return "pages over all nodes in turn";
	default: return "the threads that share it on one node, with it";
	}
}

/* The part of what the structure costs that the change takes off; NAN: not known. */
static double part_saved(const struct flow *f, const struct tally *t, enum fix fix)
{
	const double saved = flow_cycles(f, FLOW_AS_IT_IS) - flow_cycles(f, placement_of(f, fix));
	const double all = tally_stall_cycles(f->measured, t);

	return all > 0 && !isnan(saved) ? fmin(1, saved / all) : NAN;
}

static void add_trial(struct whatif *w, const struct flow *f, const struct tally *t, enum fix fix,
	double part)
{
	struct trial *to = whatif_add(w, f->object, fix);
	struct tally all;

	if (!to || !measured_tally(f->measured, 0, MON_ANY, &all))
		return;
	to->done = true;
	to->node = fix == FIX_BIND ? flow_user_node(f) : fix == FIX_THREADS ? flow_home(f) :
		UINT32_MAX;
	to->stall = tally_stall_cycles(f->measured, &all);
	to->with = to->stall - part * tally_stall_cycles(f->measured, t);
	to->own = tally_stall_cycles(f->measured, t);
	to->memory = measured_memory_time(f->measured);
	to->memory_with = all.estimate.stall > 0 ?
		to->memory * (1 - part * t->estimate.stall / all.estimate.stall) : NAN;
	snprintf(to->change, sizeof to->change, "%s", words_of(f, fix));
}

static void try_one(struct whatif *w, const struct flow *f, enum fix fix, bool named)
{
	const char *why = unfit(f, fix);
	struct tally t;
	double part;

	if (whatif_has(w, f->object, fix))
		return;
	if (why || !measured_tally(f->measured, 0, f->object, &t)) {
		if (named)
			whatif_refuse(w, f->object, fix,
				why ? why : "it has no accesses in the phase");
		return;
	}
	part = part_saved(f, &t, fix);
	if (isnan(part)) {
		if (named)
			whatif_refuse(w, f->object, fix,
				"the memory nodes of its pages are not known");
		return;
	}
	add_trial(w, f, &t, fix, part);
}

static const char *no_places(const struct machine_flat *m)
{
	return m->nodes.count < 2 ? "the machine has one memory node" :
		m->pages == MACHINE_PAGES_VIRTUAL ?
		"the machine model has no page placement (pages=\"virtual\")" : NULL;
}

void whatif_try_places(struct whatif *w, const struct measurements *p, uint32_t object,
	uint32_t fixes, bool named)
{
	static const enum fix all[] = { FIX_REPLICATE, FIX_BIND, FIX_THREADS, FIX_INTERLEAVE };
	const char *why = no_places(&p->machine->flat);
	struct flow *f = why ? NULL : flow_new(p, 0, object);

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (!(fixes & all[i]))
			continue;
		if (f)
			try_one(w, f, all[i], named);
		else if (named)
			whatif_refuse(w, object, all[i],
				why ? why : "which thread uses it when is not known");
	}
	flow_free(f);
}
