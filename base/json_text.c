/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text as a JSON string. */
#include "base/json_text.h"

#include <math.h>

#include "base/real_text.h"

void text_json(struct buf *out, const char *s)
{
	if (!s) {
		buf_puts(out, "null");
		return;
	}
	buf_puts(out, "\"");
	while (*s) {
		uint32_t code;
		int n = text_utf8(s, &code);

		if (n == 0)
			buf_puts(out, "\\ufffd");
		else if (code == '"' || code == '\\')
			buf_printf(out, "\\%c", (int)code);
		else if (code < 0x20 || code == 0x7f)
			buf_printf(out, "\\u%04x", (unsigned)code);
		else
			buf_add(out, s, (size_t)n);
		s += n ? n : 1;
	}
	buf_puts(out, "\"");
}

void json_next_real(struct buf *out, const char *name, double v)
{
	buf_printf(out, ", \"%s\": ", name);
	if (isfinite(v))
		text_real(out, v);
	else
		buf_puts(out, "null");
}
