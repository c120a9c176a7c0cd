/* SPDX-License-Identifier: BSD-3-Clause */
/* What the moves of a source line's accesses are. */
#include "report/model/timeline_series.h"

#define MOST 0.5        /* share of the moves that make a walk; inner loops of two iterations have
			 * two moves each */

enum line_walk_kind line_walk_kind(const struct report_line_walk *w)
{
	const int64_t step = w->step < 0 ? -w->step : w->step;

	if (!w->size)
		return LINE_WALK_BLOCK;
	if (!(w->share >= MOST))
		return LINE_WALK_IRREGULAR;
	if (!step)
		return LINE_WALK_STILL;
	if (step > w->span)
		return LINE_WALK_STRIDED;
	return w->step < 0 ? LINE_WALK_DOWN : LINE_WALK_UP;
}
