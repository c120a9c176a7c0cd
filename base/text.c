/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

int text_utf8(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	int n = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
	uint32_t c;

	if (n == 0)
		return 0;
	c = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
	for (int i = 1; i < n; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return n;
}

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
