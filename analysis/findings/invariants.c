/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the invariants of results: rows refer to what exists, a level has no more misses than
 * accesses, a region takes no longer than the region around it, and the counts of all structures
 * and of all threads sum to those of the phase. */
#include "analysis/findings/invariants.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/store.h"
#include "analysis/measure/thread_times.h"
#include "base/buf.h"

static __attribute__((format(printf, 2, 3)))
void wrong(struct invariants *v, const char *format, ...)
{
	va_list ap;

	if (v->n++ >= INVARIANTS_KEPT)
		return;
	va_start(ap, format);
	vsnprintf(v->text[v->n - 1], sizeof v->text[0], format, ap);
	va_end(ap);
}

/* Appends the description of a context's region. */
static void describe(const struct measurements *p, uint32_t context, struct buf *out)
{
	uint32_t region = context < p->ncontexts ? p->contexts[context].region : SIR_NONE;

	if (region == SIR_NONE)
		buf_printf(out, "context %u", (unsigned)context);
	else
		sir_describe(p->sir, region, out);
}

/* --- rows ------------------------------------------------------------------------------------ */

static void count_row(struct invariants *v, const struct measurements *p,
	const struct mon_count_row *row)
{
	const struct machine_flat *m = &p->machine->flat;
	uint64_t loads = row->loads, stores = row->stores;
	/* Coherence misses are modelled by turns: they may exceed the region's accesses. */
	uint64_t more_loads = row->false_sharing[0] + row->true_sharing[0];
	uint64_t more_stores = row->false_sharing[1] + row->true_sharing[1];

	for (uint32_t l = 0; l < m->nlevels; l++) {
		if (row->load_miss[l] > loads + more_loads ||
		    row->store_miss[l] > stores + more_stores) {
			struct buf where = BUF_INIT;

			describe(p, row->context, &where);
			wrong(v,
				"%s: %" PRIu64 " loads and %" PRIu64 " stores miss level %u, of %" PRIu64
				" and %" PRIu64 " that come to it", buf_str(&where),
				row->load_miss[l], row->store_miss[l], (unsigned)l + 1, loads,
				stores);
			buf_free(&where);
			return;
		}
		loads = row->load_miss[l];
		stores = row->store_miss[l];
	}
}

/* Marks the contexts that have a task below them.  NULL: memory; the caller frees. */
static bool *mark_tasks(const struct measurements *p)
{
	bool *tasks = calloc((size_t)p->ncontexts + 1, sizeof *tasks);

	for (uint32_t i = 0; tasks && i < p->ncontexts; i++) {
		uint32_t region = p->contexts[i].region, c = i;

		if (region == SIR_NONE || p->sir->regions[region].type != REGION_TASK)
			continue;
		while ((c = p->contexts[c].parent) != NO_CONTEXT && !tasks[c])
			tasks[c] = true;
	}
	return tasks;
}

/* True: the context always runs while the region around it runs, in the same thread.  The body of a
 * construct may run later, after the thread has left that region.  A recursive subroutine is one
 * context; if the recursion goes through a task, the subroutine too runs outside. */
static bool runs_inside(const struct measurements *p, const bool *tasks, uint32_t context)
{
	uint32_t region = p->contexts[context].region;

	if (region == SIR_NONE || tasks[context])
		return false;
	switch (p->sir->regions[region].type) {
	case REGION_SUB:
	case REGION_CALL:
	case REGION_LOOP:
		return true;
	default:
		return false;
	}
}

static const struct mon_time_row *row_of(const struct mon_time_row *rows, uint32_t n,
	const struct mon_time_row *like, uint32_t context)
{
	struct mon_time_row key = *like;

	key.context = context;
	return bsearch(&key, rows, n, sizeof *rows, time_row_order);
}

/* Describes two times of a thread that contradict each other. */
static void wrong_times(struct invariants *v, const struct measurements *p,
	const struct mon_time_row *row, const char *what, uint64_t ns, uint64_t around)
{
	struct buf where = BUF_INIT;

	describe(p, row->context, &where);
	wrong(v, "%s: %s %" PRIu64 " ns in thread %u, the region around it %" PRIu64 " ns",
		buf_str(&where), what, ns, (unsigned)row->thread, around);
	buf_free(&where);
}

/* Is it the time of a thread that was in the region itself, and not only in a team below it? */
static bool was_inside(const struct mon_time_row *row)
{
	return row && row->calls;
}

/* Checks that a region takes no longer than the region around it, by execution and thread.  Wall
 * time: only threads with a row of the phase itself; others may have regions that do not end
 * within the execution. */
static void time_rows(struct invariants *v, const struct measurements *p,
	const struct mon_result *r)
{
	struct mon_time_row *rows = malloc((r->ntimes + 1) * sizeof *rows);
	bool *tasks = mark_tasks(p);

	if (!rows || !tasks)
		goto out;
	memcpy(rows, r->times, r->ntimes * sizeof *rows);
	qsort(rows, r->ntimes, sizeof *rows, time_row_order);
	for (uint32_t i = 0; i < r->ntimes; i++) {
		const struct mon_time_row *around;

		if (rows[i].context >= p->ncontexts ||
		    p->contexts[rows[i].context].parent == NO_CONTEXT)
			continue;
		around = row_of(rows, r->ntimes, &rows[i], p->contexts[rows[i].context].parent);
		if (!around)
			continue;
		if (around->cpu_ns < rows[i].cpu_ns || around->wait_ns < rows[i].wait_ns)
			wrong_times(v, p, &rows[i], "runs or waits",
				rows[i].cpu_ns + rows[i].wait_ns, around->cpu_ns + around->wait_ns);
		if (was_inside(around) && around->wall_ns < rows[i].wall_ns &&
		    runs_inside(p, tasks, rows[i].context) &&
		    was_inside(row_of(rows, r->ntimes, &rows[i], 0)))
			wrong_times(v, p, &rows[i], "takes", rows[i].wall_ns, around->wall_ns);
	}
out:
	free(tasks);
	free(rows);
}

/* The rows by source line are all misses of the rows of counts. */
static void site_rows(struct invariants *v, const struct measurements *p,
	const struct mon_result *r)
{
	const uint32_t last = p->machine->flat.nlevels ? p->machine->flat.nlevels - 1 : 0;
	uint64_t lines[2] = { 0, 0 }, rows[2] = { 0, 0 };

	for (uint32_t i = 0; i < r->nsites; i++) {
		lines[0] += r->sites[i].first;
		lines[1] += r->sites[i].last;
	}
	for (uint32_t i = 0; i < r->ncounts; i++) {
		rows[0] += r->counts[i].load_miss[0] + r->counts[i].store_miss[0];
		rows[1] += r->counts[i].load_miss[last] + r->counts[i].store_miss[last];
	}
	for (int k = 0; k < 2 && r->nsites; k++)
		if (lines[k] != rows[k])
			wrong(v, "%" PRIu64 " misses of the %s level, by line %" PRIu64, rows[k],
				k ? "last" : "nearest", lines[k]);
}

static void rejected_rows(struct invariants *v, const struct mon_result *r)
{
	if (r->rejected)
		wrong(v, "%u rows of an experiment refer to what does not exist",
			(unsigned)r->rejected);
}

void invariants_times(struct invariants *v, const struct measurements *p,
	const struct mon_result *r)
{
	rejected_rows(v, r);
	/* Regions with unhandled exits were closed later, so their times are too long. */
	if (!r->unhandled)
		time_rows(v, p, r);
}

void invariants_counts(struct invariants *v, const struct measurements *p,
	const struct mon_result *r)
{
	rejected_rows(v, r);
	for (uint32_t i = 0; i < r->ncounts && !r->sample.classes; i++)
		count_row(v, p, &r->counts[i]);
	site_rows(v, p, r);
}

/* --- sums ------------------------------------------------------------------------------------ */

static bool alike(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static double refs_of(const struct measurements *p, uint32_t object)
{
	struct tally t;

	return measured_tally(p, 0, object, &t) ? t.loads + t.stores : 0;
}

void invariants_sums(struct invariants *v, const struct measurements *p,
	const struct mon_result *r)
{
	double rows = 0, all = refs_of(p, MON_ANY), structures = 0, threads = 0;
	bool any_thread = false;

	if (!r->executions || !p->complete)
		return;
	for (uint32_t i = 0; i < r->ncounts; i++)
		if (r->counts[i].context < p->ncontexts)
			rows += (double)(r->counts[i].loads + r->counts[i].stores) / r->executions;
	for (uint32_t o = 0; o < p->nobjects; o++)
		structures += refs_of(p, o);
	for (uint32_t i = 0; i < p->store->used; i++) {
		const struct store_row *it = &p->store->row[i];

		if (it->key.context || it->key.object != MON_ANY || it->key.thread == ALL_THREADS ||
		    it->counts != STORE_COUNTED)
			continue;
		any_thread = true;
		threads += it->tally.loads + it->tally.stores;
	}
	if (!alike(rows, all))
		wrong(v, "the phase has %.17g accesses, the rows of its contexts have %.17g", all,
			rows);
	if (!alike(structures, all))
		wrong(v, "the phase has %.17g accesses, its structures and other memory have %.17g",
			all, structures);
	if (any_thread && !p->thread_counts_dropped && !alike(threads, all))
		wrong(v, "the phase has %.17g accesses, its threads have %.17g", all, threads);
}

/* --- notes ----------------------------------------------------------------------------------- */

static int note(struct report *r, const char *text)
{
	const char **notes = arena_grow(r->arena, r->notes, (size_t)r->nnotes * sizeof *notes,
		((size_t)r->nnotes + 1) * sizeof *notes);
	const char *copy = notes ? arena_strdup(r->arena, text) : NULL;

	if (!copy)
		return -1;
	r->notes = notes;
	r->notes[r->nnotes++] = copy;
	return 0;
}

static void describe_violation(const struct measurements *p, const struct mon_checked *c,
	uint32_t i, struct buf *out)
{
	uint32_t region = c->v[i].known ?
		sir_find_hook(p->sir, c->v[i].unit_hash, c->v[i].region) : SIR_NONE;
	uint64_t found = c->v[i].found, wanted = c->v[i].wanted;

	if (region != SIR_NONE)
		sir_describe(p->sir, region, out);
	else
		buf_puts(out, "no region");
	if (c->v[i].line)
		buf_printf(out, ", line %u", (unsigned)c->v[i].line);
	switch (c->v[i].kind) {
	case MON_CHECK_WORD:
		buf_printf(out, ": the word 0x%" PRIx64 " is not the begin of a record", found);
		break;
	case MON_CHECK_DESCRIPTOR:
		buf_printf(out, ": the record 0x%" PRIx64 " has no descriptor", found);
		break;
	case MON_CHECK_CUT:
		buf_printf(out, ": a record of %" PRIu64 " words has %" PRIu64, wanted, found);
		break;
	case MON_CHECK_CONTEXT:
		buf_printf(out, ": context %" PRIu64 " of %" PRIu64, found, wanted);
		break;
	case MON_CHECK_ADDRESS:
		buf_printf(out, ": no program has memory at 0x%" PRIx64, found);
		break;
	case MON_CHECK_LENGTH:
		buf_printf(out, ": a length or count of %" PRIu64, found);
		break;
	case MON_CHECK_NESTING:
		buf_printf(out,
			": is not nested in the region around it (contexts %" PRIu64 ", %" PRIu64
			")", found, wanted);
		break;
	case MON_CHECK_OPEN:
		buf_printf(out, ": open at the end of an execution (%" PRIu64 " regions are)",
			found);
		break;
	case MON_CHECK_COUNTS:
		buf_printf(out, ": %" PRId64 " more accesses recorded than counted",
			(int64_t)found);
		break;
	case MON_CHECK_SITES:
		buf_printf(out, ": %" PRIu64 " misses by line, %" PRIu64 " in all", found, wanted);
		break;
	default:
		buf_printf(out, ": %" PRId64 " more bytes recorded than counted", (int64_t)found);
	}
}

static int violations(const struct measurements *p, const struct mon_checked *c, struct report *r)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct buf text = BUF_INIT;
		int failed;

		buf_puts(&text, CHECK_WRONG);
		describe_violation(p, c, i, &text);
		failed = note(r, buf_str(&text));
		buf_free(&text);
		if (failed)
			return -1;
	}
	return c->more ? note(r, CHECK_WRONG "and more of them") : 0;
}

int invariants_notes(const struct invariants *v, const struct measurements *p,
	const struct mon_peer *peer, struct report *r)
{
	struct mon_checked c;
	char text[240];

	mon_peer_checked(peer, &c);
	if (violations(p, &c, r))
		return -1;
	/* A program may unmap memory before the check looks at its records, so some accesses to
	 * unmapped memory are no violation. */
	if (c.gone > c.accesses / 2) {
		snprintf(text, sizeof text, CHECK_WRONG "%" PRIu64 " of %" PRIu64
			" accesses are to memory that is not mapped", c.gone, c.accesses);
		if (note(r, text))
			return -1;
	}
	for (uint32_t i = 0; i < v->n && i < INVARIANTS_KEPT; i++) {
		snprintf(text, sizeof text, CHECK_WRONG "%s", v->text[i]);
		if (note(r, text))
			return -1;
	}
	if (!c.records)
		return note(r, CHECK_NONE);
	snprintf(text, sizeof text,
		CHECK_NOTE "%" PRIu64 " records of %" PRIu64 " accesses (%" PRIu64
		" to memory no longer mapped), %u contexts, %u threads", c.records, c.accesses,
		c.gone, (unsigned)p->ncontexts, (unsigned)p->threads);
	return note(r, text);
}
