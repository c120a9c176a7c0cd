/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which files psc_report may overwrite. */
#ifndef PSC_REPORT_TARGET_H
#define PSC_REPORT_TARGET_H

#include <stdbool.h>
#include "base/err.h"

/* May a report replace the file at this path?  Yes where it does not exist, is empty, is no regular
 * file or is a report of ours.  Never a property file: it may be the only result of a long run.
 * Other files only with `force`.  0 / -1, err says why not. */
int report_target_check(const char *path, bool force, struct err *err);
/* Is there a file that begins as a report of ours? */
bool report_target_is_ours(const char *path);

#endif
