/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a loop's accesses are of single elements, though its loops get vectors where they can. */
#ifndef PSC_ANALYSIS_VECTORS_H
#define PSC_ANALYSIS_VECTORS_H

#include "analysis/measure/attributes.h"

/* True: the subject's context is a loop of code that was compiled so that loops get vector
 * instructions wherever they can, without calls; its accesses to the subject's structure are of
 * single elements. */
bool findings_vectors(const struct measurements *p, const struct subject *s);

#endif
