/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the kernel's word of where data came from (union perf_mem_data_src), for all vendors.
 *
 * The bits are read by shifts of our own, because headers of older kernels do not name all of them.
 * The old field of levels (bits 5 to 18) is not read: the kernel fills it for compatibility alone,
 * and leaves remote memory of Intel's servers out of it. */
#include "config.h"
#include "samples/data_source.h"

enum {
	OP_AT = 0,
	OP_BITS = 5,
	SNOOP_AT = 19,
	SNOOP_BITS = 5,
	LOCK_AT = 24,
	LOCK_BITS = 2,
	TLB_AT = 26,
	TLB_BITS = 7,
	LEVEL_AT = 33,
	LEVEL_BITS = 4,
	REMOTE_AT = 37,
	SNOOPX_AT = 38,
	SNOOPX_BITS = 2,
	HOPS_AT = 43,
	HOPS_BITS = 3
};
enum { OP_LOAD = 2, OP_STORE = 4, OP_PREFETCH = 8 };
enum { SNOOP_NA = 1, SNOOP_HITM = 16 };
enum { SNOOPX_FORWARD = 1, SNOOPX_PEER = 2 };
enum { LOCK_NA = 1, LOCK_LOCKED = 2 };
enum { TLB_NA = 1, TLB_HIT = 2, TLB_MISS = 4 };
enum { HOPS_SAME_NODE = 1 }; /* another core of the node; 0: not told */
enum {
	NUM_L1 = 1,
	NUM_L2 = 2,
	NUM_L3 = 3,
	NUM_L4 = 4,
	NUM_L2_MHB = 5,
	NUM_MEMORY_SIDE = 6,
	NUM_UNCACHED = 8,
	NUM_CXL = 9,
	NUM_IO = 10,
	NUM_ANY_CACHE = 11,
	NUM_FILL_BUFFER = 12,
	NUM_RAM = 13,
	NUM_PERSISTENT = 14,
	NUM_NA = 15
};

static unsigned bits(uint64_t word, int at, int n)
{
	return (unsigned)(word >> at) & ((1u << n) - 1);
}

static enum sample_op op_of(uint64_t word)
{
	const unsigned op = bits(word, OP_AT, OP_BITS);

	return op & OP_PREFETCH ? SAMPLE_PREFETCH :
		op & OP_STORE   ? SAMPLE_STORE :
		op & OP_LOAD    ? SAMPLE_LOAD :
				  SAMPLE_OP_UNKNOWN;
}

/* Is the place of another node?  On AMD the remote bit alone only says "of another group of cores";
 * the number of hops says that it is one of this node. */
static bool of_other_node(uint64_t word)
{
	return bits(word, REMOTE_AT, 1) &&
		(!bits(word, HOPS_AT, HOPS_BITS) ||
			bits(word, HOPS_AT, HOPS_BITS) > HOPS_SAME_NODE);
}

static bool from_other_cache(uint64_t word)
{
	return bits(word, SNOOP_AT, SNOOP_BITS) & SNOOP_HITM ||
		bits(word, SNOOPX_AT, SNOOPX_BITS) || bits(word, REMOTE_AT, 1) ||
		bits(word, HOPS_AT, HOPS_BITS);
}

static enum sample_level cache_of_others(uint64_t word)
{
	return of_other_node(word) ? SAMPLE_REMOTE_CACHE : SAMPLE_PEER_CACHE;
}

static enum sample_level level_of(uint64_t word)
{
	switch (bits(word, LEVEL_AT, LEVEL_BITS)) {
	case NUM_L1: return SAMPLE_L1;
	case NUM_FILL_BUFFER: return SAMPLE_FILL_BUFFER;
	case NUM_L2:
	case NUM_L2_MHB: return SAMPLE_L2;
	case NUM_L3:
	case NUM_L4: return from_other_cache(word) ? cache_of_others(word) : SAMPLE_L3;
	case NUM_ANY_CACHE: return cache_of_others(word);
	case NUM_MEMORY_SIDE:
	case NUM_RAM: return of_other_node(word) ? SAMPLE_REMOTE_MEMORY : SAMPLE_MEMORY;
	case NUM_CXL:
	case NUM_PERSISTENT: return SAMPLE_FAR_MEMORY;
	case NUM_UNCACHED:
	case NUM_IO: return SAMPLE_UNCACHED;
	case 0:
	case NUM_NA: return SAMPLE_LEVEL_UNKNOWN;
	default: return SAMPLE_LEVEL_OTHER;
	}
}

static enum sample_answer remote_of(uint64_t word, enum sample_level level)
{
	return of_other_node(word)        ? SAMPLE_YES :
		level == SAMPLE_MEMORY    ? SAMPLE_NO :
					    SAMPLE_NOT_TOLD;
}

static enum sample_answer modified_of(uint64_t word)
{
	const unsigned snoop = bits(word, SNOOP_AT, SNOOP_BITS);

	return !snoop || snoop == SNOOP_NA ? SAMPLE_NOT_TOLD :
		snoop & SNOOP_HITM         ? SAMPLE_YES :
					     SAMPLE_NO;
}

static enum sample_answer tlb_of(uint64_t word)
{
	const unsigned tlb = bits(word, TLB_AT, TLB_BITS);

	return tlb & TLB_NA || !(tlb & (TLB_HIT | TLB_MISS)) ? SAMPLE_NOT_TOLD :
		tlb & TLB_MISS                               ? SAMPLE_YES :
							       SAMPLE_NO;
}

static enum sample_answer locked_of(uint64_t word)
{
	const unsigned lock = bits(word, LOCK_AT, LOCK_BITS);

	return lock & LOCK_NA || !lock ? SAMPLE_NOT_TOLD :
		lock & LOCK_LOCKED     ? SAMPLE_YES :
					 SAMPLE_NO;
}

struct data_source data_source_decode(uint64_t word)
{
	const enum sample_level level = level_of(word);

	return (struct data_source){ op_of(word), level, remote_of(word, level), modified_of(word),
		tlb_of(word), locked_of(word) };
}

const char *sample_level_name(enum sample_level level)
{
	static const char *const name[SAMPLE_LEVELS] = {
		[SAMPLE_LEVEL_UNKNOWN] = "unknown",
		[SAMPLE_L1] = "L1",
		[SAMPLE_FILL_BUFFER] = "fill buffer",
		[SAMPLE_L2] = "L2",
		[SAMPLE_L3] = "L3",
		[SAMPLE_PEER_CACHE] = "cache of another core",
		[SAMPLE_REMOTE_CACHE] = "remote cache",
		[SAMPLE_MEMORY] = "memory",
		[SAMPLE_REMOTE_MEMORY] = "remote memory",
		[SAMPLE_FAR_MEMORY] = "far memory",
		[SAMPLE_UNCACHED] = "uncached",
		[SAMPLE_BEYOND_L1] = "beyond L1",
		[SAMPLE_LEVEL_OTHER] = "other",
	};

	return level < SAMPLE_LEVELS ? name[level] : "?";
}
