/* SPDX-License-Identifier: BSD-3-Clause */
/* Names files, and the place of a region without lines, so that two versions of a
 * program can be compared. */
#ifndef PSC_FINDINGS_NAME_PATHS_H
#define PSC_FINDINGS_NAME_PATHS_H

#include "base/arena.h"
#include "sir/sir.h"

/* "ssor.f:ssor/loop 2/parallel 1/call jacu 1": the file without directories, the function, and
 * from the outermost region in it each region's kind and its number among those of the same kind
 * (calls: of the same function) in the region around it, from 1.  "?" for SIR_NONE.  In the arena;
 * NULL: memory. */
const char *name_path(const struct sir *sir, uint32_t region, struct arena *arena);

/* The file as reports name it: without directories, unless the program has another file of that
 * name. Borrowed. */
const char *name_file(const struct sir *sir, const char *file);

#endif
