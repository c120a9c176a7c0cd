/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges reported sizes of caches by what processors have. */
#include "machine/cache_sizes.h"

#include <stddef.h>
#include <string.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

/* By level, index 0 unused.  No processor known in 2026 exceeds these sizes. */
static const uint64_t largest[] = { 0, 256 * KIB, 64 * MIB, 512 * MIB, 1024 * MIB };
/* What is usual where nothing better is known; beyond the second level for each core. */
static const struct { uint64_t size; uint32_t ways; } usual[] = {
	{ 0, 0 }, { 32 * KIB, 8 }, { MIB, 16 }, { 2 * MIB, 16 }, { 8 * MIB, 16 }
};
/* An EPYC 7373X has 96 MiB for two cores: more for a core than any other processor. */
#define LARGEST_OF_CORE (48 * MIB)
#define FIRST_SHARED 3

/* The last level of servers.  Intel: a slice for each core; a processor of few cores has up to four
 * times as much for each.  AMD: one for each core complex, so that a single core may have all of
 * it.  Sources: Intel, "64 and IA-32 Architectures Optimization Reference Manual" (248966) and ARK;
 * AMD, Software Optimization Guides for the families 17h (55723), 19h (56665), 1Ah (58455). */
static const struct family {
	const char *name, *vendor;
	unsigned family, first, last;   /* models */
	uint64_t core;                  /* bytes for a core where all are in use */
	uint32_t ways;
	uint64_t complex;               /* bytes of a complex; 0: slices */
	uint64_t most;                  /* bytes for a core (slices), or in all (complex) */
} families[] = {
	{ "Haswell-EP", "GenuineIntel", 6, 63, 63, 2560 * KIB, 20, 0, 10 * MIB },
	{ "Broadwell-EP", "GenuineIntel", 6, 79, 79, 2560 * KIB, 20, 0, 10 * MIB },
	{ "Skylake-SP", "GenuineIntel", 6, 85, 85, 1408 * KIB, 11, 0, 5632 * KIB },
	{ "Ice Lake-SP", "GenuineIntel", 6, 106, 108, 1536 * KIB, 12, 0, 6 * MIB },
	{ "Sapphire Rapids", "GenuineIntel", 6, 143, 143, 1920 * KIB, 15, 0, 7680 * KIB },
	{ "Granite Rapids", "GenuineIntel", 6, 173, 174, 4 * MIB, 16, 0, 16 * MIB },
	{ "Emerald Rapids", "GenuineIntel", 6, 207, 207, 5 * MIB, 20, 0, 20 * MIB },
	{ "Zen", "AuthenticAMD", 23, 0, 47, 2 * MIB, 16, 8 * MIB, 8 * MIB },
	{ "Zen 2", "AuthenticAMD", 23, 48, 255, 4 * MIB, 16, 16 * MIB, 16 * MIB },
	{ "Zen 3 or 4", "AuthenticAMD", 25, 0, 255, 4 * MIB, 16, 32 * MIB, 96 * MIB },
	{ "Zen 5", "AuthenticAMD", 26, 0, 255, 4 * MIB, 16, 32 * MIB, 96 * MIB },
};

/* NULL: not known. */
static const struct family *family_of(const struct processor *p)
{
	for (size_t i = 0; p->vendor && i < sizeof families / sizeof families[0]; i++) {
		const struct family *f = &families[i];

		if (p->family == f->family && p->model >= f->first && p->model <= f->last
		    && strcmp(p->vendor, f->vendor) == 0)
			return f;
	}
	return NULL;
}

bool cache_size_plausible(const struct reported_cache *c, const struct processor *p)
{
	const struct family *f = c->level == FIRST_SHARED ? family_of(p) : NULL;

	if (c->size < KIB || c->size <= c->nearer || c->size > largest[c->level])
		return false;
	if (c->level < FIRST_SHARED)
		return true;
	if (!f)
		return c->size / c->cores <= LARGEST_OF_CORE;
	return (f->complex ? c->size : c->size / c->cores) <= f->most;
}

struct cache_size cache_size_instead(const struct reported_cache *c, const struct processor *p)
{
	const struct family *f = c->level == FIRST_SHARED ? family_of(p) : NULL;
	const uint32_t cores = c->level < FIRST_SHARED ? 1 : c->cores;
	struct cache_size s = { usual[c->level].size * cores, usual[c->level].ways, NULL };

	if (f) {
		s = (struct cache_size){ f->core * cores, f->ways, f->name };
		if (f->complex && s.size > f->complex)
			s.size = f->complex;
	}
	while (s.size <= c->nearer)
		s.size *= 2;
	if (s.size > largest[c->level] && c->nearer < largest[c->level])
		s.size = largest[c->level];
	return s;
}
