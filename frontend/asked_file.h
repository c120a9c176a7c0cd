/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of --sir: regions and data structures that the user asks for. */
#ifndef PSC_FRONTEND_ASKED_FILE_H
#define PSC_FRONTEND_ASKED_FILE_H

#include "frontend/setup.h"
#include "sir/sir.h"

/* Checks the file against the schema and the program, and puts it into the configuration.  0; -1:
 * err, "" where errors were printed. */
int asked_file_read(struct setup *s, const char *path, const struct sir *program, struct err *err);

#endif
