/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the first touches of a result. */
#include "analysis/measure/touches.h"

#include <stdlib.h>

#include "analysis/measure/maps.h"
#include "analysis/measure/monitor_tables.h"
#include "base/by_field.h"

static int by_row(const void *a, const void *b)
{
	const struct measured_touch *x = a, *y = b;

	BY(object);
	BY(from);
	BY(to);
	BY(thread);
	return 0;
}

/* The bytes of the object that is drawn as one block; 0: it is not. */
static uint64_t drawn_bytes(const struct columns *c, uint32_t object)
{
	const size_t first = maps_first(c, object);

	return first < c->nmaps && c->map[first].object == object && !c->map[first].pieces ?
		c->map[first].bytes : 0;
}

/* Leaves out rows that are there already: an application can say anything. */
static size_t leave_out_overlaps(struct measured_touch *t, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || t[i].object != t[kept - 1].object || t[i].from >= t[kept - 1].to)
			t[kept++] = t[i];
	return kept;
}

int touches_add(const struct measurements *p, struct columns *c, const struct mon_result *r)
{
	c->touch = calloc(r->ntouches + (size_t)1, sizeof *c->touch);
	if (!c->touch)
		return -1;
	for (uint32_t i = 0; i < r->ntouches; i++) {
		const struct mon_touch *row = &r->touches[i];
		const struct measured_touch t = { tables_object(p, row->object),
			columns_thread(c, row->thread), row->from, row->to };

		if (t.object >= MON_OBJ_FIRST && t.thread != UINT32_MAX && row->bytes &&
		    row->bytes == drawn_bytes(c, t.object))
			c->touch[c->ntouches++] = t;
	}
	if (c->ntouches)
		qsort(c->touch, c->ntouches, sizeof *c->touch, by_row);
	c->ntouches = leave_out_overlaps(c->touch, c->ntouches);
	return 0;
}

void touches_free(struct columns *c)
{
	free(c->touch);
	c->touch = NULL;
	c->ntouches = 0;
}
