/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a .sir file against sir.rng. */
#ifndef PSC_SIR_SCHEMA_CHECK_H
#define PSC_SIR_SCHEMA_CHECK_H

#include "base/err.h"

/* 0: valid; -1: invalid, the errors were printed to standard error as "file:line: what"; -2: the
 * schema could not be read, err says why. */
int sir_schema_check(const char *path, struct err *err);

#endif
