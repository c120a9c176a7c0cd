/* SPDX-License-Identifier: BSD-3-Clause */
/* The timelines as a trace of Paraver: what its files number in common, and the trace itself. */
#include "report/files/paraver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text_same.h"
#include "base/user_file.h"

/* --- numbers ------------------------------------------------------------------------------- */

static int region_number(struct paraver *p, const struct report_time_region *r)
{
	for (int i = 0; i < p->nregions; i++)
		if (text_same(p->regions[i]->name, r->name) &&
		    text_same(p->regions[i]->file, r->file) && p->regions[i]->line == r->line)
			return i + 1;
	p->regions[p->nregions] = r;
	return ++p->nregions;
}

static int structure_number(struct paraver *p, const struct report_time_structure *s)
{
	for (int i = 0; i < p->nstructures; i++)
		if (time_structure_same(p->structures[i], s))
			return i + 1;
	p->structures[p->nstructures] = s;
	return ++p->nstructures;
}

/* NULL: no memory. */
static int **numbers(size_t processes, size_t all)
{
	int **p = malloc((processes + 1) * sizeof *p);

	if (p && !(p[0] = malloc((all + 1) * sizeof *p[0]))) {
		free(p);
		p = NULL;
	}
	return p;
}

static bool allocate(struct paraver *p)
{
	size_t regions = 0, structures = 0, processes = (size_t)p->r->ntimelines;

	for (size_t i = 0; i < processes; i++) {
		regions += (size_t)p->r->timelines[i].nregions;
		structures += (size_t)p->r->timelines[i].nstructures;
	}
	p->regions = malloc((regions + 1) * sizeof *p->regions);
	p->structures = malloc((structures + 1) * sizeof *p->structures);
	p->misses = calloc(structures + 1, sizeof *p->misses);
	p->region_of = numbers(processes, regions);
	p->structure_of = numbers(processes, structures);
	p->lanes = calloc(processes + 1, sizeof *p->lanes);
	return p->regions && p->structures && p->misses && p->region_of && p->structure_of &&
		p->lanes;
}

static void number_process(struct paraver *p, int process)
{
	const struct report_timeline *t = &p->r->timelines[process];

	for (int i = 0; i < t->nregions; i++)
		p->region_of[process][i] = region_number(p, &t->regions[i]);
	for (int i = 0; i < t->nstructures; i++)
		p->structure_of[process][i] = structure_number(p, &t->structures[i]);
	for (int i = 0; i < t->ncells && p->levels; i++)
		p->misses[p->structure_of[process][t->cells[i].structure - 1] - 1] +=
			(double)series_sum(&t->cells[i].misses[p->levels - 1]);
	if (process + 1 < p->r->ntimelines) {
		p->region_of[process + 1] = p->region_of[process] + t->nregions;
		p->structure_of[process + 1] = p->structure_of[process] + t->nstructures;
	}
}

static int lay(struct paraver *p, int process, struct err *err)
{
	const struct report_timeline *t = &p->r->timelines[process];
	struct timeline_lanes *l = &p->lanes[process];

	if (timeline_lanes_make(t, l, err) < 0)
		return -1;
	p->threads += t->threads;
	p->is_time &= l->is_time;
	for (int i = 0; i < t->threads; i++)
		if (timeline_lanes_tick(timeline_lanes_at(l, i, t->columns)) > p->end)
			p->end = timeline_lanes_tick(timeline_lanes_at(l, i, t->columns));
	return 0;
}

int paraver_make(struct paraver *p, const struct report *r, struct err *err)
{
	int rc = 0;

	*p = (struct paraver){ .r = r, .levels = report_timeline_levels(r),
		.is_time = r->ntimelines > 0 };
	if (!allocate(p))
		rc = err_nomem(err);
	for (int i = 0; i < r->ntimelines && !rc; i++) {
		number_process(p, i);
		rc = lay(p, i, err);
	}
	if (rc)
		paraver_free(p);
	return rc;
}

void paraver_free(struct paraver *p)
{
	for (int i = 0; p->lanes && i < p->r->ntimelines; i++)
		timeline_lanes_free(&p->lanes[i]);
	if (p->region_of)
		free(p->region_of[0]);
	if (p->structure_of)
		free(p->structure_of[0]);
	free((void *)p->regions);
	free((void *)p->structures);
	free(p->misses);
	free(p->region_of);
	free(p->structure_of);
	free(p->lanes);
	*p = (struct paraver){ 0 };
}

/* --- records ------------------------------------------------------------------------------- */

/* A line of the trace, whose lines are in the order of their times. */
struct record { uint64_t time; size_t from, to; };

struct records {
	const struct paraver *p;
	struct buf text;
	struct record *record;  /* owned */
	size_t n, most;
	bool failed;
	int process, thread, cpu;       /* of the records that come: from 0, 0, 1 */
	int64_t *count;         /* owned: [column * 3 * structures + ...]: accesses, misses of the
				 * nearest and the last level */
};

static void end_record(struct records *k, uint64_t time, size_t from)
{
	if (k->n == k->most) {
		struct record *more = realloc(k->record, (2 * k->most + 64) * sizeof *more);

		k->failed |= !more;
		if (!more)
			return;
		k->record = more;
		k->most = 2 * k->most + 64;
	}
	k->record[k->n++] = (struct record){ time, from, k->text.len };
}

static size_t begin_record(struct records *k, char kind)
{
	const size_t from = k->text.len;

	buf_printf(&k->text, "%c:%d:1:%d:%d", kind, k->cpu, k->process + 1, k->thread + 1);
	return from;
}

static uint64_t time_at(const struct records *k, int column)
{
	return timeline_lanes_tick(timeline_lanes_at(&k->p->lanes[k->process], k->thread, column));
}

static int state_at(const struct records *k, int column)
{
	const int region = timeline_lanes_region(&k->p->lanes[k->process], k->thread, column);

	return region ? k->p->region_of[k->process][region - 1] : 0;
}

static void state(struct records *k, uint64_t from, uint64_t to, int number)
{
	size_t begin;

	if (to <= from)
		return;
	begin = begin_record(k, '1');
	buf_printf(&k->text, ":%llu:%llu:%d\n", (unsigned long long)from, (unsigned long long)to,
		number);
	end_record(k, from, begin);
}

/* The thread's states, from the begin to the end of the trace: 0 where it makes no references. */
static void states(struct records *k, int columns)
{
	for (int c = 0, next; c < columns; c = next) {
		for (next = c + 1; next < columns && state_at(k, next) == state_at(k, c); next++)
			;
		state(k, time_at(k, c), time_at(k, next), state_at(k, c));
	}
	state(k, time_at(k, columns), k->p->end, 0);
}

static void take_series(struct records *k, const struct report_series *s, int structure, int which)
{
	for (int i = 0; i < s->n; i++)
		k->count[((size_t)s->point[i].at * (size_t)k->p->nstructures + (size_t)structure -
			1) * 3 + (size_t)which] += s->point[i].value;
}

static bool take_thread(struct records *k, const struct report_timeline *t)
{
	const size_t n = ((size_t)t->columns + 1) * (size_t)k->p->nstructures * 3;

	free(k->count);
	k->count = calloc(n + 1, sizeof *k->count);
	for (int i = 0; k->count && i < t->ncells; i++) {
		const struct report_time_cell *c = &t->cells[i];
		const int structure = k->p->structure_of[k->process][c->structure - 1];

		if (c->thread != k->thread)
			continue;
		take_series(k, &c->reads, structure, 0);
		take_series(k, &c->writes, structure, 0);
		take_series(k, &c->misses[0], structure, 1);
		if (k->p->levels > 1)
			take_series(k, &c->misses[k->p->levels - 1], structure, 2);
	}
	k->failed |= !k->count;
	return k->count;
}

/* The counts of each column at its begin, those that are not as in the
 * column before; 0 at the end. */
static void events(struct records *k, int columns)
{
	static const int type[3] = { PARAVER_ACCESSES, PARAVER_FIRST, PARAVER_LAST };
	const size_t width = (size_t)k->p->nstructures * 3;

	for (int c = 0; c <= columns; c++) {
		const int64_t *v = &k->count[(size_t)c * width];
		const int state = c < columns ? state_at(k, c) : 0;
		size_t from = k->text.len, empty;

		begin_record(k, '2');
		buf_printf(&k->text, ":%llu", (unsigned long long)time_at(k, c));
		empty = k->text.len;
		if (!c ? state : state != state_at(k, c - 1))
			buf_printf(&k->text, ":%d:%d", PARAVER_REGION, state);
		for (size_t i = 0; i < width; i++)
			if (v[i] != (c ? v[(ptrdiff_t)i - (ptrdiff_t)width] : 0))
				buf_printf(&k->text, ":%d:%lld", type[i % 3] + (int)(i / 3) + 1,
					(long long)v[i]);
		if (k->text.len == empty) {
			k->text.len = from;
			continue;
		}
		buf_puts(&k->text, "\n");
		end_record(k, time_at(k, c), from);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct record *p = a, *q = b;

	return p->time != q->time ? (p->time > q->time ? 1 : -1) :
		(p->from > q->from) - (p->from < q->from);
}

/* The date; the time of the whole; one node with a processor for each thread; one application. */
static void header(const struct paraver *p, struct buf *out)
{
	const time_t when = (time_t)p->r->when;
	struct tm tm = { .tm_mday = 1 };
	char date[64];

	localtime_r(&when, &tm);
	strftime(date, sizeof date, "%d/%m/%y at %H:%M", &tm);
	buf_printf(out, "#Paraver (%s):%llu_ns:1(%d):1:%d(", date, (unsigned long long)p->end,
		p->threads, p->r->ntimelines);
	for (int i = 0; i < p->r->ntimelines; i++)
		buf_printf(out, "%s%d:1", i ? "," : "", p->r->timelines[i].threads);
	buf_puts(out, ")\n");
}

void paraver_prv(const struct paraver *p, struct buf *out)
{
	struct records k = { .p = p, .text = BUF_INIT, .cpu = 1 };

	header(p, out);
	for (k.process = 0; k.process < p->r->ntimelines; k.process++) {
		const struct report_timeline *t = &p->r->timelines[k.process];

		for (k.thread = 0; k.thread < t->threads && !k.failed; k.thread++, k.cpu++) {
			states(&k, t->columns);
			if (take_thread(&k, t))
				events(&k, t->columns);
		}
	}
	if (k.n)
		qsort(k.record, k.n, sizeof *k.record, by_time);
	for (size_t i = 0; i < k.n && !k.text.failed; i++)
		buf_add(out, k.text.data + k.record[i].from, k.record[i].to - k.record[i].from);
	out->failed |= k.failed || k.text.failed;
	buf_free(&k.text);
	free(k.record);
	free(k.count);
}

/* --- files --------------------------------------------------------------------------------- */

int report_paraver_write(const struct report *r, const char *stem, struct err *err)
{
	static const struct { const char *end; void (*write)(const struct paraver *p,
		struct buf *out); } files[] = {
		{ ".pcf", paraver_pcf }, { ".row", paraver_row }, { ".cfg", paraver_cfg },
			{ ".prv", paraver_prv },
	};
	struct paraver p;
	int rc = paraver_make(&p, r, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < sizeof files / sizeof *files && !rc; i++) {
		struct buf text = BUF_INIT, name = BUF_INIT;

		files[i].write(&p, &text);
		buf_printf(&name, "%s%s", stem, files[i].end);
		rc = name.failed ? err_nomem(err) : output_write(buf_str(&name), &text, err);
		buf_free(&text);
		buf_free(&name);
	}
	paraver_free(&p);
	return rc;
}
