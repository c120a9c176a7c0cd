/* SPDX-License-Identifier: BSD-3-Clause */
/* What psc_report may write to. */
#ifndef PSC_REPORT_TARGET_H
#define PSC_REPORT_TARGET_H

#include <stdbool.h>
#include "base/err.h"

/* May what is at this path be replaced by a report?  What is not there, is empty, is no regular file or is
 * a report that we printed: yes.  A property file: never, it may be all that is left of a long run.
 * Other files: with `force`.  0 / -1, err says why not. */
int report_target_check(const char *path, bool force, struct err *err);

#endif
