/* SPDX-License-Identifier: BSD-3-Clause */
/* How the words of a run (accesses, about) are divided among its contexts, from what bursts hold.
 *
 * A burst begins at a random moment of processor time, not at a random word, so contexts with slow
 * accesses have more bursts than accesses.  But within a context all words are about equally slow:
 * bursts that begin in context d hold what follows a random word of d.  What follows a random word
 * of the run is itself a random word.  With n(d), the share of d in all words, and P(d, c), the
 * share of c in what bursts that begin in d hold,
 *   n(c) = sum over d of n(d) P(d, c)
 * n is the stationary distribution of P.  It takes no costs.  It is well determined between
 * contexts that occur together in bursts, and not at all between others, of which a model has to
 * tell: m(c).  So the balance of each context has a second part,
 *   sum over d of n(d) P(d, c) + n(d) m(c) e(d, c) = n(c) sum over d of P(c, d) + m(d) e(c, d)
 * where e(c, d) is the mean of e(c) and e(d), and e(c) the part of the words that is not known of
 * bursts that begin in c: those of BURST_SHARES_MORE more bursts; those that bursts lack because
 * something ended them early; and those of pairs of contexts that fewer than BURST_SHARES_LEAST
 * bursts hold, as where one phase follows on another.  Without flows P, n is m.
 *
 * In an interpreter each burst holds hundreds of contexts, and begins in another one, so that each
 * row of P is of few bursts.  Contexts that are in more than half of the bursts, and have fewer
 * than BURST_SHARES_LEAST of their own, are a pool: P(d, c) of each is that of all their bursts,
 * and known if BURST_SHARES_LEAST of these hold c. */
#ifndef PSC_MEASURE_BURST_SHARES_H
#define PSC_MEASURE_BURST_SHARES_H

#include "monitor/client/mon.h"

enum { BURST_SHARES_LEAST = 6, BURST_SHARES_MORE = 2 };

/* share[context]: m in any unit; replaced by n, which sums to 1.  *known: the part of the words
 * that is divided by what bursts hold, not by m.  0 / -1 (memory). */
int burst_shares_find(const struct mon_result *r, uint32_t ncontexts, double *share,
	double *known);

#endif
