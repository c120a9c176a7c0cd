/* SPDX-License-Identifier: BSD-3-Clause */
/* An access that the processor has sampled, in one form for all vendors, and the ledger of what was
 * lost. */
#ifndef PSC_SAMPLES_SAMPLE_H
#define PSC_SAMPLES_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum sample_op { SAMPLE_OP_UNKNOWN, SAMPLE_LOAD, SAMPLE_STORE, SAMPLE_PREFETCH };

/* Where the data were found. */
enum sample_level {
	SAMPLE_LEVEL_UNKNOWN,
	SAMPLE_L1,
	SAMPLE_FILL_BUFFER, /* not in L1, but its line was already on the way */
	SAMPLE_L2,
	SAMPLE_L3,
	SAMPLE_PEER_CACHE, /* of another core of the node */
	SAMPLE_REMOTE_CACHE,
	SAMPLE_MEMORY, /* local, or of a node that is not told */
	SAMPLE_REMOTE_MEMORY,
	SAMPLE_FAR_MEMORY,  /* persistent, or behind CXL */
	SAMPLE_UNCACHED,    /* of a device */
	SAMPLE_BEYOND_L1,   /* not in L1; where instead is not told */
	SAMPLE_LEVEL_OTHER, /* a value that this decoder does not know */
	SAMPLE_LEVELS
};

enum sample_answer { SAMPLE_NOT_TOLD, SAMPLE_NO, SAMPLE_YES };

struct data_source {
	enum sample_op op;
	enum sample_level level;
	enum sample_answer remote;   /* served from another memory node */
	enum sample_answer modified; /* another cache held the line modified (HITM) */
	enum sample_answer tlb_miss; /* no translation cache held the page's entry */
	enum sample_answer locked;
};

struct memory_sample {
	uint64_t ip, address; /* address 0: not known */
	uint64_t physical;    /* 0: not known */
	uint64_t time;
	uint64_t period;        /* of the event: the sample stands for so many */
	uint32_t pid, tid, cpu; /* UINT32_MAX: not known */
	uint32_t latency;       /* cycles until the data were there; 0: not told */
	uint32_t event;         /* number of the event among those of the unit */
	bool exact_ip;          /* ip is the instruction's own */
	struct data_source source;
};

/* What became of the samples. */
struct sample_ledger {
	uint64_t samples;    /* taken */
	uint64_t lost_ring;  /* records: the ring was full */
	uint64_t lost_unit;  /* the kernel or the unit dropped them */
	uint64_t throttled;  /* times that the kernel stopped the event, for too many interrupts */
	uint64_t truncated;  /* parts of the second buffer that were cut for want of room */
	uint64_t collisions; /* parts in which the unit sampled faster than it could write */
	uint64_t invalid;    /* records, packets or their rest that could not be decoded */
	uint64_t without_address; /* samples of no access, or without an address */
	uint64_t kernel;          /* samples of the kernel's own accesses */
};

/* Called with each sample. */
struct sample_taker {
	void (*take)(void *to, const struct memory_sample *s);
	void *to;
};

#endif
