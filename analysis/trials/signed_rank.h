/* SPDX-License-Identifier: BSD-3-Clause */
/* The centre of differences that are symmetric about it, with an exact interval: the
 * Hodges-Lehmann estimate and the signed-rank statistic of Wilcoxon.  Both are of the averages of
 * all pairs (a difference with itself included): the estimate is their median, and the interval
 * lies between two of them that are equally far from the ends. */
#ifndef PSC_TRIALS_SIGNED_RANK_H
#define PSC_TRIALS_SIGNED_RANK_H

#include <stdbool.h>
#include <stdint.h>

enum { SIGNED_RANK_MOST = 48 };         /* differences */

struct centre {
	double value, low, high;
	double confidence;      /* that of [low, high]: at least what was asked for, where that can
				 * be had */
};

/* How many of the averages are left out at each end for a confidence, exactly; -1: n differences
 * cannot give it, even with none left out. */
int signed_rank_cut(uint32_t n, double confidence);
/* The confidence of the interval that leaves out so many. */
double signed_rank_confidence(uint32_t n, int cut);
/* 1 .. SIGNED_RANK_MOST differences.  Where they are too few, the interval is all they have, with
 * the confidence that this gives. */
struct centre signed_rank_centre(const double *difference, uint32_t n, double confidence);

#endif
