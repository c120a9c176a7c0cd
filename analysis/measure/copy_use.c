/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what the code of a context copies. */
#include "analysis/measure/copy_use.h"
#include "analysis/measure/context_code.h"

#include <stdio.h>
#include <string.h>

struct walk {
	struct context_code code;
	uint32_t line;          /* only copies on this line; 0: all */
	bool any;
	struct copy_use *out;
};

static void add_callee(struct copy_use *use, const char *callee)
{
	const uint32_t named = use->callees < COPY_CALLEES_MOST ? use->callees : COPY_CALLEES_MOST;

	for (uint32_t i = 0; i < named; i++)
		if (strcmp(use->callee[i], callee) == 0)
			return;
	if (named < COPY_CALLEES_MOST)
		use->callee[named] = callee;
	use->callees++;
}

static void note_copies(struct context_code *code, const struct sir_region *r)
{
	struct walk *w = (struct walk *)(void *)code;   /* its first member */

	for (uint32_t i = 0; i < r->ncopies; i++) {
		if (w->line && r->copies[i].line != (int)w->line)
			continue;
		w->any = true;
		w->out->of[r->copies[i].of] = true;
		if (r->copies[i].callee)
			add_callee(w->out, r->copies[i].callee);
	}
}

/* The line with most misses of the structure; 0: not known. */
static uint32_t line_of(const struct measurements *p, uint32_t context, uint32_t object)
{
	size_t n, most = 0;
	const struct site_misses *sites = measured_sites(p, context, object, &n);

	for (size_t i = 1; i < n; i++)
		if (sites[i].first + sites[i].last > sites[most].first + sites[most].last)
			most = i;
	return n ? sites[most].line : 0;
}

static void find(struct walk *w, uint32_t context)
{
	memset(w->out, 0, sizeof *w->out);
	w->any = false;
	context_code_walk(&w->code, context, true);
}

void copy_use_find(const struct measurements *p, uint32_t context, uint32_t object,
	struct copy_use *out)
{
	struct walk w = { .code = { .p = p, .visit = note_copies }, .out = out };

	memset(out, 0, sizeof *out);
	if (!p->sir || context >= p->ncontexts)
		return;
	w.line = object == MON_ANY ? 0 : line_of(p, context, object);
	find(&w, context);
	if (!w.any && w.line) {
		w.line = 0;
		find(&w, context);
	}
}

bool copy_use_is_packing(const struct sir *s, uint32_t region)
{
	const struct sir_region *r = region != SIR_NONE ? &s->regions[region] : NULL;

	return r && r->type == REGION_CALL && r->name &&
		(strcmp(r->name, "_gfortran_internal_pack") == 0 ||
		strcmp(r->name, "_gfortran_internal_unpack") == 0);
}

const char *copy_use_name(const struct copy_use *use)
{
	return use->of[SIR_COPY_SECTION] ? "SECTION" : use->of[SIR_COPY_ARGUMENT] ? "ARGUMENT" :
		use->of[SIR_COPY_OBJECT] ? "OBJECT" : use->of[SIR_COPY_BLOCK] ? "BLOCK" :
			"NO_COPIES";
}

void copy_use_callees(const struct copy_use *use, char *text, size_t size)
{
	const uint32_t named = use->callees < COPY_CALLEES_MOST ? use->callees : COPY_CALLEES_MOST;
	size_t n = 0;

	*text = '\0';
	for (uint32_t i = 0; i < named && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", use->callee[i]);
	if (use->callees > named && n < size)
		snprintf(text + n, size - n, " and %u more", (unsigned)(use->callees - named));
}
