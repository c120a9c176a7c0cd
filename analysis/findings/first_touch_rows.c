/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes series of first touches by row. */
#include "analysis/findings/first_touch_rows.h"

#include "analysis/measure/touches.h"

/* The touches of one structure, n of them. */
static int add_series(struct report *r, struct report_time_structure *s,
	const struct measured_touch *touch, size_t n)
{
	struct report_point *point;
	int rows = 0;

	for (size_t i = 0; i < n; i++)
		rows += (int)(touch[i].to - touch[i].from);
	point = arena_array(r->arena, (size_t)rows, sizeof *point);
	if (!point)
		return -1;
	s->toucher = (struct report_series){ point, rows };
	s->touched = TOUCH_BEGIN;
	for (size_t i = 0; i < n; i++)
		for (uint32_t row = touch[i].from; row < touch[i].to; row++)
			*point++ = (struct report_point){ row, 1 + (int64_t)touch[i].thread };
	return 0;
}

int findings_first_touches(const struct columns *c, struct report *r, struct report_timeline *t,
	const uint32_t *structure)
{
	for (size_t i = 0, n; i < c->ntouches; i += n) {
		const uint32_t number = structure[c->touch[i].object];
		struct report_time_structure *s = number ? &t->structures[number - 1] : NULL;

		for (n = 1; i + n < c->ntouches && c->touch[i + n].object == c->touch[i].object;
		     n++)
			;
		if (t->rows && s && s->name[0] && !s->joined && add_series(r, s, &c->touch[i], n))
			return -1;
	}
	return 0;
}
