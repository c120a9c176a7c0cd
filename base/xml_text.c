/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text and attributes in XML. */
#include "base/xml_text.h"
#include "base/utf8.h"

static bool is_blank(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r';
}

void xml_text(struct buf *out, const char *s)
{
	for (int n; s && *s; s += n ? n : 1) {
		uint32_t c;

		n = text_utf8(s, &c);
		if (n == 0 || (c < 0x20 && !is_blank(c)) || c == 0xfffe || c == 0xffff)
			buf_puts(out, "?");
		else if (c == '<')
			buf_puts(out, "&lt;");
		else if (c == '>')
			buf_puts(out, "&gt;");
		else if (c == '&')
			buf_puts(out, "&amp;");
		else if (c == '"')
			buf_puts(out, "&quot;");
		else if (is_blank(c))
			buf_printf(out, "&#%u;", (unsigned)c);  /* a plain one in an attribute would
								 * come back as a blank */
		else
			buf_add(out, s, (size_t)n);
	}
}

void xml_attribute(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(out, " %s=\"", name);
	xml_text(out, value);
	buf_puts(out, "\"");
}
