/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source lines that a finding is about. */
#include "analysis/findings/source_lines.h"

#include <string.h>

static const double MOST = 0.8;         /* of a structure's memory time */

static double memory_time(const struct measurements *measured, uint32_t context, uint32_t object)
{
	struct tally t;

	return measured_tally(measured, context, object, &t) ? tally_memory_time(&t) : 0;
}

/* The innermost context that has most of what the structure's misses cost in `context`. */
static uint32_t most_of(const struct measurements *measured, uint32_t context, uint32_t object)
{
	double all = memory_time(measured, context, object);
	uint32_t c = measured->contexts[context].child;

	while (c != NO_CONTEXT && all > 0) {
		if (memory_time(measured, c, object) < MOST * all) {
			c = measured->contexts[c].next;
			continue;
		}
		context = c;
		c = measured->contexts[c].child;
	}
	return context;
}

static bool uses(const struct sir_region *r, const char *name)
{
	for (uint32_t i = 0; i < r->narrays; i++)
		if (strcmp(r->arrays[i].name, name) == 0)
			return true;
	return false;
}

/* The innermost loop in a region that is the only region inside to use an array of that name. */
static uint32_t only_loop(const struct sir *sir, uint32_t region, const char *name)
{
	for (;;) {
		uint32_t found = SIR_NONE, n = 0;

		for (uint32_t c = sir->regions[region].child; c != SIR_NONE; c = sir->regions[c].next)
			if (uses(&sir->regions[c], name)) {
				found = c;
				n++;
			}
		if (n != 1 || sir->regions[found].type != REGION_LOOP)
			return region;
		region = found;
	}
}

/* The file's absolute path; "" where the directory of the compiler is not known. */
static const char *absolute(const struct sir *sir, const struct sir_region *r, struct arena *arena)
{
	const char *dir = r->source < sir->nsources ? sir->sources[r->source].dir : NULL;

	if (r->file[0] == '/' || !dir || dir[0] != '/')
		return arena_strdup(arena, r->file[0] == '/' ? r->file : "");
	return arena_printf(arena, "%s/%s", dir, r->file);
}

int source_lines(const struct measurements *measured, uint32_t context, uint32_t object,
	struct arena *arena, struct report_finding *f)
{
	uint32_t at = object == MON_ANY ? context : most_of(measured, context, object);
	uint32_t region = measured->contexts[at].region;
	const struct sir_region *r;

	if (region == SIR_NONE)
		return 0;
	if (object != MON_ANY)
		region = only_loop(measured->sir, region, measured_object_name(measured, at, object));
	r = &measured->sir->regions[region];
	f->source = absolute(measured->sir, r, arena);
	if (!f->source)
		return -1;
	if (!*f->source)
		f->source = NULL;
	f->first_line = r->line;
	f->last_line = r->end_line;
	return 0;
}
