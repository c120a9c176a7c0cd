/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks psc_foreign what it can do on this host. */
#ifndef PSC_FRONTEND_ASK_FOREIGN_H
#define PSC_FRONTEND_ASK_FOREIGN_H

#include <stddef.h>
#include "base/err.h"

/* Runs it with one option and reads the first line that it prints.  0: it ended with 0; -1: it did
 * not (err has the line). */
int ask_foreign(const char *option, char *said, size_t size, struct err *err);

#endif
