/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes series of how threads share lines, by row. */
#include "analysis/findings/line_use_rows.h"

#include "analysis/measure/line_uses.h"

_Static_assert((int)MON_LINE_USES == (int)LINE_USES, "lines are the monitor's");

/* The rows of one structure, n of them. */
static int add_series(struct report *r, struct report_time_structure *s,
	const struct measured_use *use, size_t n)
{
	struct report_point *point = arena_array(r->arena, n * LINE_USES, sizeof *point);

	if (!point)
		return -1;
	s->lines = (struct report_series){ point, 0 };
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < LINE_USES; k++)
			if (use[i].lines[k])
				point[s->lines.n++] = (struct report_point){ use[i].row *
					LINE_USES + k, use[i].lines[k] };
	return 0;
}

int findings_line_uses(const struct columns *c, struct report *r, struct report_timeline *t,
	const uint32_t *structure)
{
	for (size_t i = 0, n; i < c->nuses; i += n) {
		const uint32_t number = structure[c->use[i].object];
		struct report_time_structure *s = number ? &t->structures[number - 1] : NULL;

		for (n = 1; i + n < c->nuses && c->use[i + n].object == c->use[i].object; n++)
			;
		if (t->rows && s && s->name[0] && !s->joined && add_series(r, s, &c->use[i], n))
			return -1;
	}
	return 0;
}
