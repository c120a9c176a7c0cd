/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages about the tool's own work, on standard error: level 0 errors, 1 what a user wants
 * to know, 2 every step, 3 the protocol.  Set by --verbose or PSC_INFO. */
#ifndef PSC_BASE_LOG_H
#define PSC_BASE_LOG_H

#include "base/err.h"

void log_setup(const char *program, int level);  /* program: borrowed, must outlive */
int log_level(void);
/* "program: text\n" when the level asks for it. */
void log_msg(int level, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
