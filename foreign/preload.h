/* SPDX-License-Identifier: BSD-3-Clause */
/* Which programs the recorder can be loaded into, before anything is started. */
#ifndef PSC_FOREIGN_PRELOAD_H
#define PSC_FOREIGN_PRELOAD_H

#include "base/err.h"

/* Can libpscburst be preloaded into this executable?  0; -1: err says why not, and what is to be
 * had instead. */
int preload_possible(const char *path, struct err *err);

#endif
