/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of the fragments in a section psc_sir, read from stdin.  Written apart from sir/, so
 * that the plugin's tests do not believe what its reader believes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/abi.h"
#include "base/dictionary.h"

static unsigned char in[1 << 24];

static size_t unpack(const unsigned char *p, size_t left)
{
	struct psc_sir_header h;
	struct psc_sir_packed packed;
	static const unsigned char words[] = PSC_SIR_DICTIONARY;
	z_stream z = { 0 };
	unsigned char *text;

	if (left < sizeof h + sizeof packed || memcmp(p, PSC_SIR_PACKED, 8) != 0)
		return 8;
	memcpy(&h, p, sizeof h);
	memcpy(&packed, p + sizeof h, sizeof packed);
	text = malloc(packed.text);
	if (!text || h.length > left - sizeof h || inflateInit2(&z, -15) != Z_OK ||
	    inflateSetDictionary(&z, words, sizeof words - 1) != Z_OK)
		exit(1);
	z.next_in = (unsigned char *)p + sizeof h + sizeof packed;
	z.avail_in = h.length - (unsigned)sizeof packed;
	z.next_out = text;
	z.avail_out = packed.text;
	if (inflate(&z, Z_FINISH) != Z_STREAM_END || z.avail_out || z.avail_in)
		exit(1);
	inflateEnd(&z);
	fwrite(text, 1, packed.text, stdout);
	free(text);
	return (sizeof h + h.length + 7) / 8 * 8;
}

int main(void)
{
	size_t n = fread(in, 1, sizeof in, stdin);

	for (size_t at = 0; at + 8 <= n;)
		at += unpack(in + at, n - at);
	return 0;
}
