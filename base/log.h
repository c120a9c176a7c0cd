/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages about the tool's own work, on standard error, by level: 0 errors, 1 information for the
 * user, 2 every step, 3 the protocol.  --verbose or PSC_INFO sets the level. */
#ifndef PSC_BASE_LOG_H
#define PSC_BASE_LOG_H

#include "base/err.h"

void log_setup(const char *program, int level);  /* program: borrowed, must outlive */
int log_level(void);
/* Prints "program: text\n" if the set level is at least this one. */
void log_msg(int level, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
