/* SPDX-License-Identifier: BSD-3-Clause */
/* The structure of files without instrumentation, from their code. */
#ifndef PSC_SIR_TOOLS_FOREIGN_H
#define PSC_SIR_TOOLS_FOREIGN_H

#include "base/err.h"
#include "sir/sir.h"

/* Says on standard error what a file does not tell.  NULL: err says why there is no structure.
 * Caller frees. */
struct sir *foreign_structure(const char *const *files, uint32_t n, struct err *err);

#endif
