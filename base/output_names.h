/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of output files by template. */
#ifndef PSC_BASE_OUTPUT_NAMES_H
#define PSC_BASE_OUTPUT_NAMES_H

#include "base/err.h"

/* A copy of the name in which %h is this host's name, %p this process's number, %t the time
 * as 20260102-150405, %% a percent sign; anything else is kept.  Caller frees; NULL: memory. */
char *output_name(const char *pattern, struct err *err);

#endif
