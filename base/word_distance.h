/* SPDX-License-Identifier: BSD-3-Clause */
/* How far two words are from each other, to guess which one was meant. */
#ifndef PSC_BASE_WORD_DISTANCE_H
#define PSC_BASE_WORD_DISTANCE_H

/* The least number of insertions, deletions, replacements and swaps of neighbours that make b of a;
 * upper and lower case are alike.  Of words longer than 64 characters: 0 if they are equal, else
 * limit + 1. */
int word_distance(const char *a, const char *b, int limit);

#endif
