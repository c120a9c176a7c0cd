/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the recorder's table of small blocks. */
#define _GNU_SOURCE
#include "config.h"
#include "foreign/small_sites.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* An answer is searched so far around an address. */
enum { AROUND = 1024 };

static bool is_same(const struct burst_small *s, uint64_t address, uint32_t entry)
{
	return s->granule[burst_granule_at(address)] == entry;
}

uint32_t small_sites_find(const struct burst_small *s, uint64_t address, uint64_t *lo,
	uint64_t *hi)
{
	const uint64_t at = address & ~(uint64_t)(BURST_GRANULE - 1), end = (at | (AROUND - 1)) + 1;
	const uint32_t entry = s->granule[burst_granule_at(at)], site = entry % BURST_SITES;

	*lo = at;
	*hi = at + BURST_GRANULE;
	while (*lo % AROUND && is_same(s, *lo - BURST_GRANULE, entry))
		*lo -= BURST_GRANULE;
	while (*hi < end && is_same(s, *hi, entry))
		*hi += BURST_GRANULE;
	return entry == burst_granule(at, site) && s->site[site].callers[0] ? site : 0;
}

void small_sites_bytes(const struct burst_small *s, int file, uint64_t *bytes)
{
	const off_t begin = (off_t)(BURST_SMALL_AT + offsetof(struct burst_small, granule));
	const off_t end = begin + (off_t)sizeof s->granule;
	off_t from = begin, to;

	while ((from = lseek(file, from, SEEK_DATA)) >= 0 && from < end) {
		to = lseek(file, from, SEEK_HOLE);
		to = to < from || to > end ? end : to;
		for (off_t at = from; at < to; at += (off_t)sizeof *s->granule)
			bytes[s->granule[(at - begin) / (off_t)sizeof *s->granule] % BURST_SITES] +=
				BURST_GRANULE;
		from = to;
	}
	bytes[0] = bytes[BURST_LARGE] = 0;
}
