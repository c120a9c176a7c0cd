/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of misses, by which findings are told apart, with the names that reports print.  The
 * first are classes of misses (analysis/measure/estimate.h), in its order. */
#ifndef PSC_BASE_MISS_KIND_H
#define PSC_BASE_MISS_KIND_H

#include <stdbool.h>

enum miss_kind {
	MISS_UNKNOWN,
	MISS_STREAM, MISS_STRIDED, MISS_GATHER, MISS_GUESSED, MISS_CHAINED, MISS_SHARING, MISS_COPY,
	MISS_TLB, MISS_CONFLICT, MISS_CAPACITY, MISS_RECORD, MISS_FALSE_SHARING, MISS_TRUE_SHARING,
	MISS_LOCK, MISS_CONTENTION,
	MISS_KINDS
};

/* "" for MISS_UNKNOWN; NULL at the end. */
extern const char *const miss_kind_names[MISS_KINDS + 1];
const char *miss_kind_name(enum miss_kind kind);
enum miss_kind miss_kind_from_name(const char *name);           /* MISS_UNKNOWN: no such kind */
/* True: lines that threads take from each other; MISS_SHARING where false and true sharing are
 * many, MISS_LOCK where locks lie in them, beside other locks or data, MISS_CONTENTION where all
 * threads update one lock or scalar. */
bool miss_kind_shares(enum miss_kind kind);

#endif
