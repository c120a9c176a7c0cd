/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes on memory nodes: what is not known of them.  Where all threads run on one, nothing can be
 * remote, but who touched memory first is known all the same, and decides where it lies on a
 * machine with several. */
#include "analysis/findings/node_notes.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/sharing.h"

enum { NAMES_MOST = 6 };
static const double ALL = 0.99;         /* share of its bytes that is called all of a structure */
/* The share of the phase's accesses below which a structure is not named. */
static const double LEAST = 0.01;

/* The node on which all threads of the phase run; UINT32_MAX: on several, or it is not known. */
static uint32_t only_node(const struct measurements *p)
{
	const uint32_t first = locality_node(p, 0);

	for (uint32_t t = 1; t < p->columns->threads; t++)
		if (locality_node(p, t) != first)
			return UINT32_MAX;
	return p->machine->flat.nodes.count > 1 ? first : 0;
}

/* True: several threads use the structure, and one of them touched all of it first. */
static bool first_touched_by_one(const struct measurements *p, uint32_t object,
	struct locality *out)
{
	struct flow *f;
	bool several;

	locality_of(p, object, out);
	if (out->toucher == UINT32_MAX || !(out->touched > ALL))
		return false;
	f = flow_new(p, 0, object);
	several = f && flow_users(f) > 1;
	flow_free(f);
	return several;
}

static void put_names(const struct measurements *p, const uint32_t *object, uint32_t n,
	struct buf *b)
{
	for (uint32_t i = 0; i < n && i < NAMES_MOST; i++)
		buf_printf(b, "%s%s", !i ? "" : i + 1 == n ? " and " : ", ",
			p->objects[object[i]].name);
	if (n > NAMES_MOST)
		buf_puts(b, ", ..");
}

/* Puts into one sentence the objects that the thread of the first one touched first, by the same
 * code.  Returns how many are left. */
static uint32_t put_group(const struct measurements *p, uint32_t *object,
	const struct locality *l, uint32_t n, struct buf *b)
{
	const struct locality of = l[object[0]];
	const char *place = p->code_place && of.code ? p->code_place(p->code_place_arg, of.code) :
		NULL;
	uint32_t *group = malloc(n * sizeof *group), left = 0, members = 0;

	if (!group)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (l[object[i]].toucher == of.toucher && l[object[i]].code == of.code)
			group[members++] = object[i];
		else
			object[left++] = object[i];
	buf_puts(b, b->len ? "; all pages of " : "all pages of ");
	put_names(p, group, members, b);
	buf_printf(b, " were first touched by thread %u%s%s", (unsigned)of.toucher,
		place ? " at " : "", place ? place : "");
	free(group);
	return left;
}

/* Appends who touched first what several threads use.  0 / -1 (memory). */
static int put_first_touches(const struct measurements *p, struct buf *b)
{
	uint32_t *objects, found = 0, n = measured_objects_of(p, 0, &objects);
	struct locality *l = calloc(p->nobjects + (size_t)1, sizeof *l);
	struct tally all, one;

	if (!l || !measured_tally(p, 0, MON_ANY, &all)) {
		free(objects);
		free(l);
		return l ? 0 : -1;
	}
	for (uint32_t i = 0; i < n; i++)
		if (objects[i] >= MON_OBJ_FIRST && objects[i] < p->nobjects &&
		    measured_tally(p, 0, objects[i], &one) &&
		    tally_refs(&one) > LEAST * tally_refs(&all) &&
		    first_touched_by_one(p, objects[i], &l[objects[i]]))
			objects[found++] = objects[i];
	while (found)
		found = put_group(p, objects, l, found, b);
	free(objects);
	free(l);
	return 0;
}

/* Nothing is remote, and why. */
static int note_one_node(const struct measurements *p, uint32_t node, struct report *r)
{
	struct buf b = BUF_INIT;
	int rc;

	rc = findings_note(r, arena_printf(r->arena, "nothing can be remote here: all %u threads "
		"run on memory node %u%s; --machine epyc-2s --threads-on spread shows a machine on "
		"which they do not", (unsigned)p->columns->threads, (unsigned)node,
		p->machine->flat.nodes.count > 1 ? "" : ", the only one of this machine"));
	if (!rc)
		rc = put_first_touches(p, &b);
	if (!rc && b.len)
		rc = findings_note(r, arena_printf(r->arena, "%s: on several memory nodes they "
			"would lie on that thread's, from which all others would fetch",
			buf_str(&b)));
	buf_free(&b);
	return rc;
}

/* Says what is not known of pages and of threads. */
static int note_unknown(const struct measurements *p, struct report *r)
{
	struct tally all;

	if (p->strays && p->counted_words > 0 && findings_note(r, arena_printf(r->arena,
	    "%u thread%s changed %s memory node while accesses were counted; counts are those of "
	    "the node where a thread recorded most, and at most %.2g %% of the accesses are of "
	    "another one", (unsigned)p->strays, p->strays == 1 ? "" : "s",
	    p->strays == 1 ? "its" : "their", 100 * p->strayed / p->counted_words)))
		return -1;
	if (p->placement == MON_PLACE_UNKNOWN)
		return findings_note(r, "the kernel reports no page faults here "
			"(kernel.perf_event_paranoid, or a container that forbids "
			"perf_event_open): the memory nodes of data are not known");
	if (!measured_tally(p, 0, MON_ANY, &all) || !isnan(tally_remote(p, &all)))
		return 0;
	return findings_note(r, arena_printf(r->arena, "the memory node of the data is not known "
		"for %.2g %% of the last-level misses%s",
		100 * all.unplaced / (all.local + all.remote + all.unplaced),
		p->placement == MON_PLACE_KERNEL ?
		": the kernel does not say (a sandbox, or memory that was never written)" :
		p->unseen_faults ? ": page faults came faster than they could be recorded" : ""));
}

/* A thread that was moved has left its pages behind. */
static bool is_remote(const struct measurements *p)
{
	struct tally all;

	return p->placement == MON_PLACE_KERNEL && measured_tally(p, 0, MON_ANY, &all) &&
		!(tally_remote(p, &all) <= 0);
}

int findings_node_notes(const struct measurements *p, struct report *r)
{
	const uint32_t node = p->columns && p->columns->threads > 1 ? only_node(p) : UINT32_MAX;

	if (node != UINT32_MAX && !is_remote(p) && note_one_node(p, node, r))
		return -1;
	return p->machine->flat.nodes.count > 1 ? note_unknown(p, r) : 0;
}
