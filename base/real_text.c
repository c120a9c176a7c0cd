/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints numbers with as few digits as read back exactly. */
#include "base/real_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void text_real(struct buf *out, double v)
{
	char text[40];

	if (isnan(v)) {
		buf_puts(out, "NaN");
		return;
	}
	if (isinf(v)) {
		buf_puts(out, v > 0 ? "INF" : "-INF");
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
	buf_puts(out, text);
}
