/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of process ranks as runs: ascending, neither overlapping nor adjacent.  As text:
 * "0-255, 300, 302-400". */
#ifndef PSC_BASE_RANKS_H
#define PSC_BASE_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"

struct rank_run {
	int first, last;        /* 0 <= first <= last */
};
struct rank_set {               /* all zero: empty; freed by ranks_free() */
	struct rank_run *run;   /* owned */
	int n, cap;
};

void ranks_free(struct rank_set *s);
/* Adds the ranks of n runs, in any order, that may overlap what is there.  0 / -1 (memory). */
int ranks_add(struct rank_set *s, const struct rank_run *run, int n);
int ranks_add_one(struct rank_set *s, int rank);
/* Replaces two sets by the ranks of the third that are in the runs, and by those that
 * are not.  0 / -1 (memory). */
int ranks_split(const struct rank_set *s, const struct rank_run *run, int n, struct rank_set *in,
	struct rank_set *out);
long ranks_count(const struct rank_run *run, int n);
bool ranks_have(const struct rank_run *run, int n, int rank);
/* By the first rank in which they differ; a set goes before the sets
 * that it begins: < 0, 0, > 0. */
int ranks_compare(const struct rank_run *a, int na, const struct rank_run *b, int nb);
/* Appends at most `most` runs, then "..", where there are more; 0: all.  separator: ", ". */
void ranks_text(struct buf *out, const struct rank_run *run, int n, int most,
	const char *separator);
/* Reads ranks and runs with commas or white space between them, as ranks_text() writes them; what
 * was in the set is lost.  0 / -1 (not such a text, or no memory). */
int ranks_parse(struct rank_set *s, const char *text);
/* As runs (8 bytes each) or as a bitmap, whichever is shorter.  Decoding loses what was in the set.
 * 0 / -1 (damaged, or no memory). */
void ranks_encode(const struct rank_run *run, int n, struct buf *out);
int ranks_decode(struct rank_set *s, struct cursor *in);

#endif
