/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes cells of CSV files. */
#include "base/csv_text.h"
#include "base/real_text.h"

#include <math.h>
#include <string.h>

void csv_text(struct buf *out, const char *s)
{
	s = s ? s : "";
	if (!strpbrk(s, ",\"\r\n")) {
		buf_puts(out, s);
		return;
	}
	buf_puts(out, "\"");
	for (; *s; s++)
		buf_add(out, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
	buf_puts(out, "\"");
}

void csv_real(struct buf *out, double v)
{
	if (!isnan(v))
		text_real(out, v);
}

void csv_next_text(struct buf *out, const char *s)
{
	buf_puts(out, ",");
	csv_text(out, s);
}

void csv_next_real(struct buf *out, double v)
{
	buf_puts(out, ",");
	csv_real(out, v);
}

void csv_end(struct buf *out)
{
	buf_puts(out, "\n");
}
