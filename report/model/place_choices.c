/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses, for each structure, where its memory should lie. */
#include "report/model/place_choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

/* The share of the phase's time from which on large pages are worth a rule; --try proposes them
 * from the same share of page walks on. */
#define PAGES_WORTH 0.02

static enum tried_action action_of(const struct report_gain *g)
{
	switch (g->fix) {
	case TRIED_INTERLEAVE: return TRIED_ALL_NODES;
	case TRIED_BIND: return isnan(g->node) ? TRIED_NOTHING : TRIED_ONE_NODE;
	case TRIED_PAGES: return TRIED_LARGE_PAGES;
	default: return TRIED_NOTHING;
	}
}

/* A finding about the structure; with `named`, whose property names the change. */
static const struct report_finding *finding_of(const struct report *r, const struct report_gain *g,
	bool named)
{
	for (int i = 0; i < r->nfindings; i++)
		if ((!named || report_finding_names(&r->findings[i], g->fix)) &&
		    report_gain_of(g, &r->findings[i]))
			return &r->findings[i];
	return NULL;
}

static const struct report_trial *trial_of(const struct report *r, const char *structure,
	enum tried_action action)
{
	for (int i = 0; i < r->ntrials; i++)
		if (action && r->trials[i].action == action &&
		    strcmp(r->trials[i].structure, structure) == 0)
			return &r->trials[i];
	return NULL;
}

static bool refutes(const struct report_trial *t)
{
	return t && (t->verdict == TRIAL_NULL || t->verdict == TRIAL_LOSS);
}

/* A change of where memory lies, or of its pages, that a finding's property names; large pages
 * also where they save enough. */
static bool is_worth(const struct report *r, const struct report_gain *g)
{
	const bool pages = g->fix == TRIED_PAGES;

	return !g->reason && ((pages && g->time_share >= PAGES_WORTH) ||
		((pages || tried_fix_places(g->fix)) && finding_of(r, g, true)));
}

/* Is there a choice for the same property of its pages: their node, or their size? */
static struct place_choice *same(struct place_choices *c, const char *structure,
	const char *declared, bool size)
{
	for (int i = 0; i < c->n; i++) {
		struct place_choice *had = &c->choice[i];

		if (strcmp(had->structure, structure) == 0 &&
		    (!declared || text_same(had->declared, declared)) &&
		    (had->action == TRIED_LARGE_PAGES) == size)
			return had;
	}
	return NULL;
}

static void add_gain(const struct report *r, struct place_choices *c, const struct report_gain *g)
{
	const enum tried_action action = action_of(g);
	struct place_choice *had = same(c, g->structure, g->declared, action == TRIED_LARGE_PAGES);

	if (had && !(g->time_share > had->gain->time_share))
		return;
	if (!had && c->n == PLACE_RULES)
		return;
	if (!had)
		had = &c->choice[c->n++];
	*had = (struct place_choice){ .structure = g->structure, .scope = g->scope,
		.declared = g->declared, .allocated = g->allocated, .action = action,
		.node = isnan(g->node) ? -1 : (int)g->node, .fix = g->fix, .gain = g,
		.trial = trial_of(r, g->structure, action),
		.finding = finding_of(r, g, true) };
	if (!had->finding)
		had->finding = finding_of(r, g, false);
	had->refuted = refutes(had->trial);
}

/* What is measured goes before what is estimated. */
static void add_trial(struct place_choices *c, const struct report_trial *t)
{
	const bool size = t->action == TRIED_LARGE_PAGES;
	struct place_choice *had = same(c, t->structure, NULL, size);

	if (t->verdict != TRIAL_GAIN || !tried_of_structure(t->action) ||
	    (!had && c->n == PLACE_RULES))
		return;
	if (!had) {
		had = &c->choice[c->n++];
		*had = (struct place_choice){ .structure = t->structure };
	}
	had->action = t->action;
	had->node = t->node;
	had->trial = t;
	had->refuted = false;
}

void place_choices_find(const struct report *r, struct place_choices *out)
{
	out->n = 0;
	for (int i = 0; i < r->ngains; i++)
		if (is_worth(r, &r->gains[i]))
			add_gain(r, out, &r->gains[i]);
	for (int i = 0; i < r->ntrials; i++)
		add_trial(out, &r->trials[i]);
}

static void copy(char *to, size_t size, const char *from, size_t n)
{
	n = n < size ? n : size - 1;
	memcpy(to, from, n);
	to[n] = '\0';
}

bool place_choice_rule(const struct place_choice *c, struct place_rule *out)
{
	const char *colon = c->declared ? strrchr(c->declared, ':') : NULL;

	*out = (struct place_rule){ .action = c->action, .node = c->node < 0 ? 0 :
		(uint32_t)c->node };
	copy(out->structure, sizeof out->structure, c->structure, strlen(c->structure));
	if (colon) {
		copy(out->file, sizeof out->file, c->declared, (size_t)(colon - c->declared));
		out->line = (uint32_t)strtoul(colon + 1, NULL, 10);
	}
	return c->action && !c->refuted;
}

bool place_choices_malloc(const struct report *r)
{
	for (int i = 0; i < r->ntrials; i++)
		if (r->trials[i].action == TRIED_MALLOC && r->trials[i].verdict == TRIAL_GAIN)
			return true;
	return false;
}
