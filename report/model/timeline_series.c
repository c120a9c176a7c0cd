/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of the timeline: their values, as text and back; which timelines a report keeps. */
#include "report/model/timeline_series.h"

#include <stdlib.h>

#include "base/text_same.h"
#include "report/model/fields.h"

bool time_structure_same(const struct report_time_structure *a,
	const struct report_time_structure *b)
{
	return text_same(a->name, b->name) && a->cause == b->cause && a->joined == b->joined &&
		text_same(a->scope, b->scope) && text_same(a->declared, b->declared);
}

double time_row_bytes(const struct report_timeline *t, const struct report_time_structure *s)
{
	if (s->pieces)
		return (double)s->piece_bytes;
	return t->rows > 0 ? (double)s->bytes / t->rows : 0;
}

int64_t series_sum(const struct report_series *s)
{
	int64_t sum = 0;

	for (int i = 0; i < s->n; i++)
		sum += s->point[i].value;
	return sum;
}

int64_t series_at(const struct report_series *s, uint32_t at)
{
	int lo = 0, hi = s->n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (s->point[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && s->point[lo].at == at ? s->point[lo].value : 0;
}

void series_text(struct buf *out, const struct report_series *s)
{
	uint32_t before = 0;

	for (int i = 0; i < s->n; i++) {
		buf_printf(out, "%s%lu %lld", i ? " " : "",
			(unsigned long)(s->point[i].at - before), (long long)s->point[i].value);
		before = s->point[i].at;
	}
}

/* Reads a number in digits and the space behind it; more than `most`, or none: -1. */
static int64_t digits(const char **text, int64_t most)
{
	const char *s = *text;
	int64_t v = 0;

	if (*s < '0' || *s > '9')
		return -1;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (v > (most - (*s - '0')) / 10)
			return -1;
		v = v * 10 + (*s - '0');
	}
	*text = *s == ' ' ? s + 1 : s;
	return v;
}

int series_parse(struct arena *arena, const char *text, struct report_series *s)
{
	struct report_point *point;
	size_t spaces = 0;
	int64_t at = 0;

	*s = (struct report_series){ NULL, 0 };
	for (const char *c = text; *c; c++)
		spaces += *c == ' ';
	if (spaces / 2 >= TIMELINE_INDEX_MOST)
		return -1;
	point = arena_array(arena, spaces / 2 + 1, sizeof *point);
	for (size_t n = 0; point && n <= spaces / 2; n++) {
		int64_t gap = digits(&text, TIMELINE_INDEX_MOST), value = digits(&text, INT64_MAX);

		at += gap;
		if (gap < 0 || value <= 0 || at >= TIMELINE_INDEX_MOST || (n && !gap))
			return -1;
		point[n] = (struct report_point){ (uint32_t)at, value };
		s->n++;
	}
	s->point = point;
	return point && !*text ? 0 : -1;
}

static int by_process(const void *a, const void *b)
{
	const struct report_timeline *p = a, *q = b;

	return p->process != q->process ? (p->process > q->process ? 1 : -1) :
		fields_compare(timeline_fields, a, b);
}

void report_timelines_keep(struct report *r)
{
	if (r->ntimelines > 1)
		qsort(r->timelines, (size_t)r->ntimelines, sizeof *r->timelines, by_process);
	if (r->ntimelines > REPORT_TIMELINES) {
		r->timelines_left_out += r->ntimelines - REPORT_TIMELINES;
		r->ntimelines = REPORT_TIMELINES;
	}
}
