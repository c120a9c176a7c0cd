/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of the fragments in a section psc_sir, read from stdin.  Written apart from sir/, so
 * that the plugin's tests do not believe what its reader believes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/abi.h"

static unsigned char in[1 << 24];

static size_t unpack(const unsigned char *p, size_t left)
{
	struct psc_sir_header h;
	struct psc_sir_packed packed;
	uLongf n;
	unsigned char *text;

	if (left < sizeof h + sizeof packed || memcmp(p, PSC_SIR_PACKED, 8) != 0)
		return 8;
	memcpy(&h, p, sizeof h);
	memcpy(&packed, p + sizeof h, sizeof packed);
	n = packed.text;
	text = malloc(n);
	if (!text || h.length > left - sizeof h || uncompress(text, &n, p + sizeof h + sizeof packed,
			h.length - sizeof packed) != Z_OK || n != packed.text)
		exit(1);
	fwrite(text, 1, n, stdout);
	free(text);
	return sizeof h + (h.length + 7) / 8 * 8;
}

int main(void)
{
	size_t n = fread(in, 1, sizeof in, stdin);

	for (size_t at = 0; at + 8 <= n;)
		at += unpack(in + at, n - at);
	return 0;
}
