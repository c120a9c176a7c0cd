/* SPDX-License-Identifier: BSD-3-Clause */
/* Disassembles programs and lays out sources: for the commands of aslc and for tests. */
#ifndef PSC_ASLC_TOOLS_H
#define PSC_ASLC_TOOLS_H

#include <stdio.h>
#include "asl/asl.h"
#include "base/buf.h"

/* Prints the code, the constants, and the attributes that properties need. */
void aslc_disassemble(const struct asl_program *p, FILE *out);
/* Prints one line per property: its name, its context class, and the metrics of it that it
 * needs. */
void aslc_requests(const struct asl_program *p, FILE *out);

/* Appends the source in canonical layout, which differs in white space only.  0; -1 after a syntax
 * error: every one was reported, and out is unchanged. */
int aslc_format(const struct asl_source *source, asl_diag_fn report, void *arg, struct buf *out);

#endif
