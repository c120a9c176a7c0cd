/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the characters of text that is not trusted. */
#include "base/utf8.h"

int text_utf8(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	int n = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 :
		0;
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
