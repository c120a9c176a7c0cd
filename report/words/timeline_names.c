/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and figures in the sentences about memory over time. */
#include "report/words/timeline_words.h"

#include <math.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/words/page.h"

void timeline_count(struct buf *b, double n)
{
	char figure[PAGE_FIGURE];

	if (n < 9999.5)
		buf_printf(b, "%.0f", n);
	else
		buf_puts(b, page_count(figure, n));
}

void timeline_bytes(struct buf *b, double n)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	while (n >= 1000 && i + 1 < sizeof units / sizeof *units) {
		n /= 1024;
		i++;
	}
	buf_printf(b, "%.3g %s", n, units[i]);
}

void timeline_share(struct buf *b, double share)
{
	if (isnan(share))
		buf_puts(b, "-");
	else if (share > 0 && share < 0.01)
		buf_puts(b, "<1%");
	else if (share < 1 && share > 0.99)
		buf_puts(b, ">99%");
	else
		buf_printf(b, "%.0f%%", 100 * share);
}

const char *timeline_structure_name(const struct report_time_structure *s)
{
	return s->name[0] ? s->name : s->joined ? "small ones" : s->cause ? ledger_names[s->cause] :
		ledger_names[LEDGER_OTHER];
}

const char *timeline_short_name(const struct report_time_structure *s)
{
	static const char *const names[LEDGER_CAUSES] = { [LEDGER_STACKS] = "stacks",
		[LEDGER_SMALL] = "small heap", [LEDGER_HEAP] = "heap", [LEDGER_IMAGE] = "statics" };

	return s->name[0] ? s->name : s->joined ? "small" : names[s->cause] ? names[s->cause] :
		"other";
}

const char *timeline_name(const struct time_structure *s)
{
	return timeline_structure_name(s->s);
}

void timeline_names_add(struct timeline_names *names, int structure)
{
	if (names->n < TIMELINE_NAMES)
		names->at[names->n++] = structure;
}

void timeline_names_put(struct buf *b, const struct time_facts *f,
	const struct timeline_names *names)
{
	for (int i = 0; i < names->n; i++) {
		buf_puts(b, !i ? "" : i == names->n - 1 ? " and " : ", ");
		buf_puts(b, timeline_name(&f->structure[names->at[i]]));
	}
}

void timeline_names_sort(struct timeline_names *names, const struct time_facts *f)
{
	for (int i = 1; i < names->n; i++)
		for (int k = i; k > 0 && strcmp(timeline_name(&f->structure[names->at[k]]),
				timeline_name(&f->structure[names->at[k - 1]])) < 0; k--) {
			const int other = names->at[k - 1];

			names->at[k - 1] = names->at[k];
			names->at[k] = other;
		}
}

/* "jacld" of "ssor.f:ssor/loop 2 > jacld.f:jacld/loop 1"; *length: its characters. */
static const char *routine_of(const struct report_time_region *r, size_t *length)
{
	const char *function = report_key_function(r->name), *colon = strchr(function, ':');
	const char *begin = colon ? colon + 1 : function;

	*length = strcspn(begin, "/");
	if (*length)
		return begin;
	*length = r->file[0] ? strlen(r->file) : 1;
	return r->file[0] ? r->file : "?";
}

static void put_section(struct buf *b, const struct time_facts *f, int region, bool line)
{
	const struct report_time_region *r = &f->t->regions[region - 1];
	size_t n;
	const char *routine = routine_of(r, &n);

	buf_add(b, routine, n);
	if (line && r->line > 0)
		buf_printf(b, ":%d", r->line);
}

bool timeline_sections_alike(const struct time_facts *f, int a, int b)
{
	const struct report_time_region *x = &f->t->regions[a - 1], *y = &f->t->regions[b - 1];
	size_t n, m;
	const char *of_x = routine_of(x, &n), *of_y = routine_of(y, &m);

	return n == m && memcmp(of_x, of_y, n) == 0 && (!f->one_routine || x->line == y->line);
}

void timeline_section(struct buf *b, const struct time_facts *f, int region)
{
	put_section(b, f, region, f->one_routine);
}

static void put_run(struct buf *b, const struct time_facts *f, int run, const char *last)
{
	const struct time_run *r = &f->run[run];

	if (r->alike && r->region && !r->named[1]) {
		put_section(b, f, r->region, true);
		return;
	}
	for (int k = 0; k < TIME_RUN_NAMES && r->named[k]; k++) {
		const bool ends = k == TIME_RUN_NAMES - 1 || !r->named[k + 1];

		buf_puts(b, !k ? "" : ends ? last : ", ");
		put_section(b, f, r->named[k], r->alike || f->one_routine);
	}
	if (!r->named[0] && r->region)
		put_section(b, f, r->region, true);
	else if (!r->named[0])
		buf_puts(b, r->accesses ? "several" : "nothing");
}

void timeline_run(struct buf *b, const struct time_facts *f, int run)
{
	put_run(b, f, run, ", ");
}

void timeline_run_said(struct buf *b, const struct time_facts *f, int run)
{
	put_run(b, f, run, " and ");
}

void timeline_used(struct buf *b, const struct time_structure *s)
{
	if (!(s->used > 0.995) && !isnan(s->used)) {
		timeline_share(b, s->used);
		buf_puts(b, " of ");
	}
	if (s->s->bytes > 0)
		timeline_bytes(b, (double)s->s->bytes);
}

void timeline_processes_without(struct buf *b, const char *no_room, int left_out)
{
	if (*no_room)
		buf_printf(b,
			"Did not fit into this page: the pictures of process%s %s (psc_report --timeline --process draws "
			"them in a terminal). ", strchr(no_room, ',') ? "es" : "", no_room);
	if (left_out > 0)
		buf_printf(b,
			"The report has no timeline of %d more process%s: those of the %d lowest ranks are kept. ", left_out, left_out == 1 ? "" : "es", REPORT_TIMELINES);
}
