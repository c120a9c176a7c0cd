/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tests of properties that are written as text: program, given values, wanted verdicts. */
#ifndef PSC_ASLC_TEXTCASE_H
#define PSC_ASLC_TEXTCASE_H

#include <stdio.h>
#include "asl/asl.h"

/* Runs the cases of a file and prints the results as TAP, numbered from *number on.
 * model, model_path: the data model that programs are compiled with, and its file.
 * Returns the number of failed cases; -1: the file cannot be used. */
int textcase_run(const char *path, const struct asl_source *model, const char *model_path,
	int *number, FILE *out, struct err *err);

#endif
