/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of properties as text: program, given values, wanted verdicts (aslc test). */
#ifndef PSC_ASLC_TEXTCASE_H
#define PSC_ASLC_TEXTCASE_H

#include <stdio.h>
#include "asl/asl.h"

/* Runs the cases of a file and prints them as TAP, numbered on from *number.
 * model: the data model that programs are compiled with, and the path of its file.
 * Returns how many failed, -1 when the file cannot be used. */
int textcase_run(const char *path, const struct asl_source *model, const char *model_path,
	int *number, FILE *out, struct err *err);

#endif
