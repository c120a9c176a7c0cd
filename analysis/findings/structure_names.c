/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds data structures by name, and the names that are nearest to an unknown one. */
#include "analysis/findings/structure_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NEAR = 5 };      /* similar names listed for an unknown one */

static double stall_of(const struct measurements *p, uint32_t object)
{
	struct tally t;

	return measured_tally(p, 0, object, &t) ? tally_stall_cycles(p, &t) : NAN;
}

static bool accessed(const struct measurements *p, uint32_t object)
{
	struct tally t;

	if (!measured_tally(p, 0, object, &t))
		return true;    /* not counted, so it may be accessed */
	return tally_refs(&t) > 0;
}

typedef int text_compare(const char *a, const char *b);

/* True: the object's own name or one of its aliases is `name`. */
static bool is_named(const struct measurements *p, uint32_t object, const char *name,
	text_compare *same)
{
	if (p->objects[object].name && same(p->objects[object].name, name) == 0)
		return true;
	for (uint32_t i = 0; i < p->naliases; i++)
		if (p->aliases[i].object == object && p->aliases[i].name &&
		    same(p->aliases[i].name, name) == 0)
			return true;
	return false;
}

/* The objects with that name that the phase accesses, by falling stall, at most `max`. */
static uint32_t find_named(const struct measurements *p, const char *name, text_compare *same,
	uint32_t *out, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t o = MON_OBJ_FIRST; o < p->nobjects; o++) {
		uint32_t at;

		if (!accessed(p, o) || !is_named(p, o, name, same))
			continue;
		for (at = n; at > 0 && stall_of(p, out[at - 1]) < stall_of(p, o); at--)
			if (at < max)
				out[at] = out[at - 1];
		if (at < max)
			out[at] = o;
		n += n < max;
	}
	return n;
}

/* Length of the longer name's part that differs after the common head and tail: enough to find a
 * misspelling. */
static uint32_t distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), head = 0, tail = 0, most = n > m ? n : m;

	while (a[head] && a[head] == b[head])
		head++;
	while (tail < n - head && tail < m - head && a[n - 1 - tail] == b[m - 1 - tail])
		tail++;
	return (uint32_t)(most - head - tail);
}

static void nearest_names(const struct measurements *p, const char *name, char *text, size_t size)
{
	uint32_t best[NEAR], n = 0;
	size_t at = 0;

	for (uint32_t o = MON_OBJ_FIRST; o < p->nobjects; o++) {
		uint32_t i, d = distance(p->objects[o].name, name);
		bool known = !accessed(p, o) || !*p->objects[o].name;

		for (i = 0; i < n && !known; i++)
			known = strcmp(p->objects[best[i]].name, p->objects[o].name) == 0;
		if (known)
			continue;
		for (i = n; i > 0 && distance(p->objects[best[i - 1]].name, name) > d; i--)
			if (i < NEAR)
				best[i] = best[i - 1];
		if (i < NEAR)
			best[i] = o;
		n += n < NEAR;
	}
	for (uint32_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%.60s", i ? ", " : "; there is ",
			p->objects[best[i]].name);
}

uint32_t structures_named(const struct measurements *p, const char *name, uint32_t *out,
	uint32_t max)
{
	uint32_t n = find_named(p, name, strcmp, out, max);

	return n ? n : find_named(p, name, strcasecmp, out, max);
}

void structures_unknown(const struct measurements *p, const char *name, char *text, size_t size)
{
	char near[330] = "";

	nearest_names(p, name, near, sizeof near);
	snprintf(text, size, "no structure of that name is accessed in the phase%s", near);
}
