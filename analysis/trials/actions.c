/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of actions. */
#include "analysis/trials/actions.h"

#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/search/fixes.h"

/* Shares of the phase's processor time from which on it may matter. */
#define FAULTS_MATTER 0.02
#define WALKS_MATTER 0.02

/* Page faults take so much that memory which is kept may matter. */
static bool faults_matter(const struct measurements *p, uint32_t object)
{
	(void)object;
	return kernel_use_phase(p).fault_time >= FAULTS_MATTER * measured_phase_cpu(p);
}

/* The share of the phase's time that page walks for the object take, by the
 * estimate; 0: it is not known. */
static double walks_of(const struct measurements *p, uint32_t object)
{
	const double cpu = measured_phase_cpu(p);
	double memory = 0;
	struct tally t;

	if (!p->estimated || p->modelled || !(cpu > 0) || !measured_tally(p, 0, object, &t))
		return 0;
	for (int c = 0; c < MEMORY_CLASSES; c++)
		memory += t.estimate.memory[c];
	return memory > 0 ? t.estimate.stall / cpu * t.estimate.walks / memory : 0;
}

static bool walks_matter(const struct measurements *p, uint32_t object)
{
	return walks_of(p, object) >= WALKS_MATTER;
}

static const struct trial_kind kinds[] = {
	{ TRIED_MALLOC, MON_ACTION_MALLOC, true, faults_matter },
	{ TRIED_LARGE_PAGES, MON_ACTION_LARGE_PAGES, true, walks_matter },
	{ TRIED_ALL_NODES, MON_ACTION_INTERLEAVE, true, NULL },
	{ TRIED_ONE_NODE, MON_ACTION_BIND, true, NULL },
	{ TRIED_LOCAL_NODE, MON_ACTION_LOCAL, true, NULL },
	{ TRIED_SPREAD, MON_ACTION_SPREAD, true, NULL },
	{ TRIED_COMPACT, MON_ACTION_COMPACT, true, NULL },
	{ TRIED_PIN, MON_ACTION_PIN, true, NULL },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct trial_kind *trial_kind_of(enum tried_action action)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].action == action)
			return &kinds[i];
	return NULL;
}

/* Inserts an action before those of the same kind whose structures have fewer page walks. */
static uint32_t insert(const struct measurements *p, struct proposed_action *out, uint32_t n,
	uint32_t max,
	struct proposed_action one)
{
	uint32_t at = n;

	for (; at > 0 && out[at - 1].action == one.action &&
	     walks_of(p, out[at - 1].object) < walks_of(p, one.object); at--)
		if (at < max)
			out[at] = out[at - 1];
	if (at < max)
		out[at] = one;
	return n < max ? n + 1 : n;
}

uint32_t actions_proposed(const struct measurements *p, struct proposed_action *out, uint32_t max)
{
	uint32_t n = 0;

	for (int i = 0; i < KINDS; i++) {
		if (!kinds[i].proposed)
			continue;
		if (!tried_of_structure(kinds[i].action)) {
			if (kinds[i].proposed(p, MON_ANY))
				n = insert(p, out, n, max,
					(struct proposed_action){ kinds[i].action, MON_ANY, 0 });
			continue;
		}
		for (uint32_t o = MON_OBJ_FIRST; o < p->nobjects; o++)
			if (kinds[i].proposed(p, o))
				n = insert(p, out, n, max,
					(struct proposed_action){ kinds[i].action, o, 0 });
	}
	return n;
}

/* The node of the one thread that uses the object; UINT32_MAX: there are several. */
static uint32_t user_node(const struct measurements *p, uint32_t object)
{
	struct flow *f = flow_new(p, 0, object);
	const uint32_t node = f && flow_users(f) == 1 ? flow_user_node(f) : UINT32_MAX;

	flow_free(f);
	return node;
}

static uint32_t add(struct proposed_action *out, uint32_t n, uint32_t max,
	struct proposed_action one)
{
	if (n < max)
		out[n++] = one;
	return n;
}

/* Adds what can be done from outside of what the property names. */
static uint32_t add_named(const struct search *s, const struct test *t,
	struct proposed_action *out, uint32_t n, uint32_t max)
{
	const uint32_t fixes = fixes_of_property(s->program, asl_property(s->program, t->property));
	const uint32_t node = fixes & FIX_BIND ? user_node(s->measured, t->object) : UINT32_MAX;

	if (fixes & FIX_INTERLEAVE)
		n = add(out, n, max, (struct proposed_action){ TRIED_ALL_NODES, t->object, 0 });
	if (node != UINT32_MAX)
		n = add(out, n, max, (struct proposed_action){ TRIED_ONE_NODE, t->object, node });
	if (fixes & FIX_THREADS)
		n = add(out, n, max, (struct proposed_action){ TRIED_COMPACT, MON_ANY, 0 });
	if (fixes & FIX_PAGES)
		n = add(out, n, max, (struct proposed_action){ TRIED_LARGE_PAGES, t->object, 0 });
	return n;
}

uint32_t actions_named(const struct search *s, struct proposed_action *out, uint32_t max)
{
	uint32_t n = 0;

	/* Nodes and pages of a machine model are not those of the host. */
	for (uint32_t i = 0; i < s->ntests && !s->measured->modelled; i++)
		if (s->tests[i].outcome == OUT_HELD && s->tests[i].object != MON_ANY)
			n = add_named(s, &s->tests[i], out, n, max);
	return n;
}
