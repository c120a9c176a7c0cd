/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that whatif.c makes for others of this directory. */
#ifndef PSC_FINDINGS_WHATIF_TRY_H
#define PSC_FINDINGS_WHATIF_TRY_H

#include "analysis/findings/whatif.h"

/* Adds those of the wanted changes (FIX_DENSE, FIX_SPLIT, FIX_NOCOPY, FIX_PAGES, FIX_FIT; FIX_PAD: against false
 * sharing; FIX_ROWS: against conflicts) that take at least a hundredth off the memory time; none is
 * simulated. */
void whatif_try_computed(struct whatif *w, const struct measurements *p, uint32_t object,
	const struct fix_want *want);

#endif
