/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the files of machine/ share. */
#ifndef PSC_MACHINE_LOCAL_H
#define PSC_MACHINE_LOCAL_H

#include "base/buf.h"
#include "base/err.h"
#include "machine/line_costs.h"
#include "machine/machine.h"

#define MACHINE_FALLBACK "x86-server"

/* find.c: finds the file of model NAME and copies its path to path[size].  0, or -1: err lists the
 * models. */
int machine_find(const char *name, char *path, size_t size, struct err *err) PSC_CHECKED;

/* "cpu", "core", "socket", "all", by enum machine_shared. */
extern const char *const machine_shared_names[4];
/* Names indexed by their enums. */
extern const char *const machine_replacement_names[3], *const machine_inclusion_names[3];
extern const char *const machine_prefetch_names[3], *const machine_write_names[2];
extern const char *const machine_index_names[2];        /* by machine_level.physical */
extern const char *const machine_threads_names[2];      /* by machine_flat.spread */
/* Names of enum cost_pattern and, behind them, twice of enum cost_walk, on the system's usual pages
 * and on huge ones: elements of a calibration. */
enum { COST_HUGE = COST_PATTERNS + COST_WALKS, COST_NAMES = COST_HUGE + COST_WALKS };
extern const char *const cost_names[COST_NAMES];
/* Computes all costs but that of faults from a model.  latency_known: its latencies are not assumed
 * ones (those of this host are). */
void machine_costs_compute(const struct machine *m, bool latency_known, struct machine_costs *out);

/* The name of this host, as a file's name can hold it. */
void machine_host_name(char *name, size_t size);

/* Values as the readers take them: ` name="256KiB"`, a decimal number (0 or more). */
void machine_size_attribute(struct buf *b, const char *name, uint64_t size);
void machine_decimal(struct buf *b, double value);

/* Parts of machine_check(), called per element so that errors have its line. */
int machine_check_tlbs(const struct machine_flat *f, struct err *err);
int machine_check_nodes(const struct machine_flat *f, struct err *err);
int machine_check_channels(const struct machine_flat *f, struct err *err);
/* Most bytes after which another channel has its turn. */
enum { MACHINE_INTERLEAVE = 1 << 20 };
/* Sets one memory node with all CPUs. */
void machine_one_node(struct machine_flat *f);

/* What the host's topology says, checked (host_hwloc.c).  -1: why; m->flat.ncpus
 * is set where it is known. */
int machine_host_read(struct machine *m, struct err *why);
/* Adds a sentence to the model's note: what is assumed. */
void machine_remark(struct machine *m, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
