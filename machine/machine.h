/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine models: the caches that are simulated and the latencies for estimates.  Sizes in bytes,
 * latencies in cycles. */
#ifndef PSC_MACHINE_MACHINE_H
#define PSC_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "machine/flat.h"

/* What a file says of the cost of a level's lines, in cycles; 0: nothing, see line_costs.h. */
struct machine_line {
	double walk;            /* what a dependent load costs more if its translation misses the
				 * TLBs */
	double read, write;     /* a line, one after the other: loads, stores */
};

struct machine {
	char name[64];          /* "itanium2" */
	char title[160];        /* one line for reports */
	char source[256];       /* file it was read from, or "hwloc", "hwloc (…); x86-server" */
	char note[256];         /* assumptions, or the reason for a fall-back; "" none */
	uint64_t reported;      /* bytes of the last level as the system reports it, where that is
				 * not plausible; 0: it is */
	double ghz;             /* clock, to convert cycles to seconds */
	struct machine_flat flat;
	struct machine_line line[MACHINE_LEVELS + 1];   /* by level, nearest first; [nlevels]:
							 * memory */
	uint32_t misses;        /* misses that a core has under way at once; 0: not given */
};

/* Reads a model.  name: a path (if it contains '/' or ends in ".xml"), else a model NAME.xml,
 * searched in $PSC_MACHINE_PATH (colon-separated), the build tree's machine/, and the installed
 * data directory. Errors in a file are located ("file:line: what").  0 / -1. */
int machine_read(struct machine *m, const char *name, struct err *err);
/* Makes a model of this host by hwloc, with assumed latencies (README.md).  The size of a cache
 * that is not plausible is replaced (cache_sizes.h), and note says so.  Without any cache, or where
 * the topology makes no model: x86-server with this host's number of CPUs, and note gives the
 * reason. HWLOC_XMLFILE and HWLOC_SYNTHETIC work.  0, or -1: the
 * fall-back cannot be read either. */
int machine_host(struct machine *m, struct err *err);
/* The same; the last level has what programs get of it, if the calibration of this host measured
 * that, and it is less than the level, or the level's size is not plausible (m->note says so). */
int machine_here(struct machine *m, struct err *err);
/* Writes the names of the models that machine_read() finds, "itanium2, x86-server, ...", to
 * out[size]. */
void machine_list(char *out, size_t size);
/* Writes an XML document that machine_read() accepts.  path NULL: standard output. */
int machine_write(const struct machine *m, const char *path, struct err *err);
/* Checks the guarantees of the readers: 1..MACHINE_LEVELS levels, line a power of two, size =
 * sets * assoc * line, sizes and latencies that grow from level to level, compatible options
 * (README.md), nodes.count at least 1 with a full table.  0 / -1. */
int machine_check(const struct machine *m, struct err *err);

/* Places threads by "compact" (neighbouring CPUs), "spread" (base/spread_cpus.h), or a list of CPUs
 * and ranges FIRST-LAST[:STEP], of which thread n gets the n-th, and begins anew behind the last
 * one.  0; -1 with err set, and the model is as before. */
int machine_threads_on(struct machine_flat *m, const char *text, struct err *err);
/* The same by OMP_PROC_BIND as OpenMP reads it: "spread", perhaps behind blanks or before a comma,
 * spreads the threads of a model with several nodes; everything else changes nothing.
 * True: threads are spread. */
int machine_threads_bound(struct machine_flat *m, const char *bind);

#endif
