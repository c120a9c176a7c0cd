/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine models: the caches that the simulator plays and the latencies that estimates use.
 * Sizes in bytes, latencies in cycles. */
#ifndef PSC_MACHINE_MACHINE_H
#define PSC_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "machine/flat.h"

struct machine {
	char name[64];          /* "itanium2" */
	char title[160];        /* one line for reports */
	char source[256];       /* file it was read from, or "hwloc", "hwloc (…); x86-server" */
	char note[256];         /* what was assumed or why a fall-back was taken; "" nothing */
	double ghz;             /* clock, for turning cycles into seconds */
	struct machine_flat flat;
};

/* name: a path (when it contains '/' or ends in ".xml"), else a model NAME.xml looked for in
 * $PSC_MACHINE_PATH (colon-separated), the build tree's machine/, the installed data directory.
 * Located error ("file:line: what") for a broken file.  0 / -1. */
int machine_read(struct machine *m, const char *name, struct err *err);
/* This host as hwloc sees it, where that is plausible, with assumed latencies (README.md); else
 * x86-server with this host's number of CPUs, and note says why.  HWLOC_XMLFILE and
 * HWLOC_SYNTHETIC work.  0 / -1 (only when not even the fall-back can be read). */
int machine_host(struct machine *m, struct err *err);
/* Names of the models that machine_read() finds, "itanium2, x86-server, …", into out[size]. */
void machine_list(char *out, size_t size);
/* As an XML document that machine_read() accepts.  path NULL: standard output. */
int machine_write(const struct machine *m, const char *path, struct err *err);
/* Checks what the readers promise: 1..MACHINE_LEVELS levels, line a power of two, size =
 * sets * assoc * line, growing levels, latencies growing, options that fit together (README.md),
 * nodes.count at least 1 with a full table.  0 / -1. */
int machine_check(const struct machine *m, struct err *err);

#endif
