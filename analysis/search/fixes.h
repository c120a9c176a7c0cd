/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to data structures: the argument of --what-if, and what a property names. */
#ifndef PSC_SEARCH_FIXES_H
#define PSC_SEARCH_FIXES_H

#include <stdint.h>
#include "asl/asl.h"
#include "base/err.h"
#include "base/tried_fix.h"

enum fix {
	FIX_PAD = 1,            /* shift the structure, or give each small element a line of its
				 * own */
	FIX_ROWS = 2,           /* pad=BYTES: lengthen rows that now have BYTES bytes */
	FIX_TOUCH = 4,          /* place each page on the node of its first user in the phase */
	FIX_INTERLEAVE = 8,     /* place the pages on all nodes, round-robin */
	FIX_HIT = 16,           /* all accesses hit: the upper bound of any change */
	FIX_DENSE = 32,         /* unit stride: what is used lies together */
	FIX_PAGES = 64,         /* pages=2M: large pages */
	FIX_FIT = 128,          /* fit=LEVEL: work in blocks that fit a level */
	FIX_VERIFY = 256,       /* --verify: no fix; measure what its misses cost */
	FIX_SPLIT = 512,        /* only the members of records that are used, packed */
	FIX_NOCOPY = 1024,      /* it is not copied */
	FIX_REPLICATE = 2048,   /* a copy on each memory node */
	FIX_BIND = 4096,        /* each part on the node of the thread that uses it */
	FIX_THREADS = 8192,     /* the threads that use it on one node */
	FIX_PLACES = FIX_TOUCH | FIX_INTERLEAVE | FIX_REPLICATE | FIX_BIND | FIX_THREADS,
	FIX_APPLICABLE = FIX_PAD | FIX_TOUCH | FIX_INTERLEAVE | FIX_HIT | FIX_DENSE | FIX_PAGES |
		FIX_SPLIT | FIX_NOCOPY | FIX_REPLICATE | FIX_BIND | FIX_THREADS
};

struct fix_want {
	char structure[256];    /* "": the structures of the first findings */
	uint32_t fixes;         /* set of enum fix; 0: all that apply */
	uint32_t row;           /* FIX_ROWS: bytes of a row */
	uint32_t level;         /* FIX_FIT: number of the level */
};

/* Parses "STRUCTURE[:FIX[,FIX...]]"; text NULL: structures of the first findings, all fixes that
 * apply.  0, or -1 with err set. */
int fixes_parse(const char *text, struct fix_want *out, struct err *err);
/* Parses the argument of --verify, the name of a structure. */
int fixes_parse_verify(const char *text, struct fix_want *out, struct err *err);
/* Returns the changes that the property names (FIX): a set of enum fix. */
uint32_t fixes_of_property(const struct asl_program *p, const struct asl_property *q);
/* As reports have it, with its name on the command line; TRIED_PAD for FIX_ROWS too. */
enum tried_fix fix_tried(enum fix f);

#endif
