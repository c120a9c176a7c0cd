/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats numbers for all forms of a report but text. */
#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_real(struct buf *b, double v)
{
	char text[40];

	if (isnan(v)) {
		buf_puts(b, "NaN");
		return;
	}
	if (isinf(v)) {
		buf_puts(b, v > 0 ? "INF" : "-INF");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	for (char *p = text; *p; p++)
		if (*p == ',')
			*p = '.';
	buf_puts(b, text);
}
