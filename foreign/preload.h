/* SPDX-License-Identifier: BSD-3-Clause */
/* Which programs the recorder can be loaded into, before anything is started. */
#ifndef PSC_FOREIGN_PRELOAD_H
#define PSC_FOREIGN_PRELOAD_H

#include "base/err.h"

/* Can libpscburst be preloaded into this executable?  PRELOAD_STATIC: no, since it is linked
 * statically, but the kernel can sample its time; err says what else is to be had.  -1: no, err
 * says why not. */
enum { PRELOAD_FINE, PRELOAD_STATIC };
int preload_possible(const char *path, struct err *err);

#endif
