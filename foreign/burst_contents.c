/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the words of bursts by contexts. */
#include "config.h"
#include "foreign/burst_contents.h"

#include <stdbool.h>
#include <stdlib.h>

enum { ROWS_MOST = MON_BURST_WORDS - MON_CONTEXTS, ROOM = 2 * ROWS_MOST };

int burst_contents_begin(struct burst_contents *b)
{
	*b = (struct burst_contents){ .row = calloc(ROOM, sizeof *b->row),
		.burst = calloc(ROOM, sizeof *b->burst),
		.lacking = calloc(MON_CONTEXTS, sizeof *b->lacking) };
	return b->row && b->burst && b->lacking ? 0 : -1;
}

void burst_contents_end(struct burst_contents *b)
{
	free(b->row);
	free(b->burst);
	free(b->lacking);
	*b = (struct burst_contents){ 0 };
}

static bool is_of(const struct mon_burst_words *row, uint32_t begins, uint32_t context)
{
	return row->begins == begins && row->context == context;
}

/* The pair's row, or a free one: without words. */
static uint32_t find(const struct burst_contents *b, uint32_t begins, uint32_t context)
{
	const uint64_t key = (uint64_t)begins << 32 | context;
	uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % ROOM;

	while (b->row[at].words && !is_of(&b->row[at], begins, context))
		at = (at + 1) % ROOM;
	return at;
}

void burst_contents_add(struct burst_contents *b, uint64_t burst, uint32_t begins,
	uint32_t context, uint64_t words)
{
	if (context != MON_ANY && !is_of(&b->row[b->last], begins, context))
		b->last = find(b, begins, context);
	if (context == MON_ANY || (!b->row[b->last].words && b->n == ROWS_MOST)) {
		b->lacking[begins] += words;
		return;
	}
	b->n += !b->row[b->last].words;
	b->row[b->last].begins = begins;
	b->row[b->last].context = context;
	b->row[b->last].words += words;
	b->row[b->last].bursts += b->burst[b->last] != burst;
	b->burst[b->last] = burst;
}

uint32_t burst_contents_write(const struct burst_contents *b, struct mon_burst_words *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < ROOM; i++)
		if (b->row[i].words)
			to[n++] = b->row[i];
	for (uint32_t c = 0; c < MON_CONTEXTS; c++)
		if (b->lacking[c])
			to[n++] = (struct mon_burst_words){ c, MON_ANY, b->lacking[c], 0 };
	return n;
}
