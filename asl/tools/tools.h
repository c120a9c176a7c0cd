/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc disassembles, lays out and describes programs and sources: for its commands, and for tests. */
#ifndef PSC_ASLC_TOOLS_H
#define PSC_ASLC_TOOLS_H

#include <stdio.h>
#include "asl/asl.h"
#include "base/buf.h"

/* Disassembly, derived requests and constants. */
void aslc_disassemble(const struct asl_program *p, FILE *out);
/* One line a property: its name, its context class, and the metrics that it needs of it. */
void aslc_requests(const struct asl_program *p, FILE *out);

/* The source in canonical layout, added to out: only white space differs.  0, or -1 with out as
 * it was when the source has a syntax error; every one was reported. */
int aslc_format(const struct asl_source *source, asl_diag_fn report, void *arg, struct buf *out);

/* A reference page of the sources that are wanted, as Markdown or HTML, added to out.  `sources` are
 * those of the program; of others the comments are missing.  0 / -1 (reported). */
int aslc_reference(const struct asl_program *p, const struct asl_source *sources, const bool *wanted, size_t n,
	bool as_html, asl_diag_fn report, void *arg, struct buf *out);

#endif
