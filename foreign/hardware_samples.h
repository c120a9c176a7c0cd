/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the program's accesses find their data, sampled by the processor (samples/): by thread,
 * context and data structure.
 *
 * Samples give shares: of the loads of a structure in a context, so many were served by each cache.
 * How many loads there are, and how they move through the structure, bursts tell, so a row of
 * counts keeps its accesses, and its misses become those shares of them.  A row whose cell has too
 * few samples keeps the model's misses. */
#ifndef PSC_FOREIGN_HARDWARE_SAMPLES_H
#define PSC_FOREIGN_HARDWARE_SAMPLES_H

#include "foreign/memory_objects.h"
#include "foreign/code_contexts.h"
#include "foreign/sample_nodes.h"
#include "machine/flat.h"
#include "monitor/shared/shm.h"
#include "samples/unit.h"

/* What samples say of one operation, loads or stores, in a cell; weights are periods. */
struct hardware_side {
	uint64_t samples; /* whose place of the data was told */
	double weight;
	double beyond; /* of it: not in the first level; where instead was not told */
	double miss[MACHINE_LEVELS];
	double group[MACHINE_LEVELS]
		    [MON_GROUPS]; /* the same by group of samples, for the sampling error */
	double snooped,
		modified; /* told whether another core's cache held the line modified; it did */
	/* Of those whose latency was told: all, and those of each class or more; and hits of the
	 * first level without a latency. */
	double timed, slow[MON_SLOW_END - MON_SLOW], quiet;
	/* Of those that missed all levels: what the unit tells of the node, [1]: another one; the
	 * node of the page, [own]: that of the CPU; both, as in enum mon_sampled. */
	double by_unit[2], by_page[MACHINE_NODES], own, both[MON_FAR - MON_NEAR + 1];
};
struct hardware_cell {
	uint32_t thread, context, object; /* thread MON_ANY: of all */
	bool used;
	struct hardware_side side[2]; /* [1]: stores */
};

struct hardware_samples {
	struct sample_unit unit;
	struct machine_flat machine;
	struct code_contexts *places;   /* borrowed */
	struct memory_objects *objects; /* borrowed */
	struct hardware_cell *cell;     /* open hash; owned */
	uint32_t ncells, room;
	struct mon_hardware said; /* what the answer says of it */
	struct sample_nodes nodes;
	bool tells_latency; /* of an access, at least */
	uint64_t taken;
};

/* What a sample needs to know of its thread. */
struct hardware_thread {
	uint32_t number;  /* as rows have it */
	uint32_t context; /* of its last time sample: library code belongs to that */
};
/* The thread of a kernel number; false: not known yet. */
struct hardware_threads {
	bool (*find)(void *in, uint32_t tid, struct hardware_thread *out);
	void *in;
};

/* Opens the unit for a program that will call exec.  0 / -1 (err). */
int hardware_samples_begin(struct hardware_samples *h, pid_t program, const struct machine_flat *m,
	struct code_contexts *places, struct memory_objects *objects, struct err *err);
void hardware_samples_end(struct hardware_samples *h);
/* Takes the samples that have come, and steers the period.  now: ns; running: CPUs that the program
 * kept busy. */
void hardware_samples_read(struct hardware_samples *h, const struct hardware_threads *threads,
	uint64_t now, double running);
/* Adds one sample; for hardware_samples_read() and tests. */
void hardware_samples_add(
	struct hardware_samples *h, const struct hardware_thread *t, const struct memory_sample *s);
/* What was sampled of a cell; NULL: nothing. */
const struct hardware_cell *hardware_cell_find(
	const struct hardware_samples *h, uint32_t thread, uint32_t context, uint32_t object);
/* Asks for the nodes of the pages of all samples so far; hardware_samples_read() does so. */
void hardware_samples_place(struct hardware_samples *h);
/* (hardware_rows.c) Puts the shares of samples into a row of counts that bursts made.  Returns
 * whether it had enough samples. */
bool hardware_samples_apply(const struct hardware_samples *h, struct mon_count_row *row);

#endif
