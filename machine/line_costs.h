/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cache line costs on a machine, by the pattern of the accesses and the level that serves
 * it. The costs are measured on this host (psc_machine --calibrate), or computed from the
 * attributes of a machine model.  All times in ns, for one thread. */
#ifndef PSC_MACHINE_LINE_LINE_COSTS_H
#define PSC_MACHINE_LINE_LINE_COSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include "base/err.h"
#include "machine/machine.h"

/* value: of a measurement the lower quartile, low: its lowest decile, high: the upper quartile of
 * all samples (machine/series.h).  Of a figure from the model's attributes low and high are 0.75
 * and 1.33 of it; of an assumed one half and twice of it. */
struct cost {
	double value, low, high;
};

/* Patterns; time for a line.  The nearest level's cost is what an access costs anyway: the cost of
 * a miss is the difference from it.
 *
 * Gather, store and chase visit blocks of 256 pages, which translation caches hold, one block after
 * the other; the lines of a block in random order.  Within a single page some processors fetch the
 * neighbours of a line, so that its lines would be cheaper than those of irregular accesses. */
enum cost_pattern {
	COST_READ,              /* loads, one line after the other */
	COST_WRITE,             /* stores, one line after the other */
	COST_STRIDED,
	/* loads with a constant step of a page and a line; of a level of fewer
				 * than 32 pages as COST_GATHER */
	COST_STRIDED_STORE,     /* stores likewise; of such a level as COST_STORE */
	COST_GATHER,            /* independent loads, random within a block */
	COST_STORE,             /* independent stores, random within a block */
	COST_CHASE,             /* random within a block; each load needs the one before */
	COST_CROWDED,
	/* loads with a step of a page: all lines meet in one set of the nearest
				 * level; of a level of fewer than 32 pages as COST_GATHER */
	COST_NEAR,              /* loads with a constant step of COST_NEAR_LINES; of such a level as
				 * COST_GATHER */
	COST_PATTERNS
};
/* What an access costs more if translation misses: the difference to an order that visits all
 * pages, in random order, before one comes again. */
enum cost_walk { COST_WALK_GATHER, COST_WALK_STORE, COST_WALK_CHASE, COST_WALKS };

enum cost_source {
	COST_ASSUMED,           /* nothing but the latencies of the model */
	COST_MODEL,             /* attributes latency, walk, read, write and misses of the model */
	COST_MEASURED           /* on this host */
};

/* Pages that translation caches of today hold: an order that visits twice as many needs a page walk
 * for each access. */
enum { COST_WALK_PAGES = 2048 };
enum { COST_NEAR_LINES = 4 };
enum { COST_THREADS = 64 };             /* most threads for which bandwidth is kept */

/* What a minor page fault costs: ns of the thread's processor time, user and system, for the first
 * touch of a page of fresh anonymous memory, pages of the system's usual size touched in their
 * order.  It is always this host's, also beside another machine's model.  Not in it: what the
 * system does when memory is given back. */
struct fault_cost {
	enum cost_source source;        /* COST_MEASURED or COST_ASSUMED */
	struct cost one;                /* while no other thread has faults */
	struct cost all;                /* while `threads` threads of the process have them at
					 * once */
	unsigned threads;               /* 1: only `one` is known, `all` is the same */
};

struct machine_costs {
	enum cost_source source;
	uint32_t nlevels;       /* as machine_flat: line[0] is the nearest level, line[nlevels]
				 * memory */
	struct cost line[MACHINE_LEVELS + 1][COST_PATTERNS];
	struct cost walk[MACHINE_LEVELS + 1][COST_WALKS];
	/* Pages of the data with which walk[] was measured; 0: not known, or not measured. */
	double walk_pages[MACHINE_LEVELS + 1];
	/* The same accesses to as much memory of transparent huge pages (madvise): what remains of
	 * walk[].  Beneath a hypervisor that has small pages itself, that may be all of it. */
	bool huge_known;        /* false: not measured, or the system gave no huge pages */
	struct cost huge[MACHINE_LEVELS + 1][COST_WALKS];
	double cycle;           /* ns, of the clock at which the core ran */
	double addition;        /* ns of a floating-point addition that needs the one before; 0: not
				 * measured */
	double mispredict;      /* ns of a mispredicted branch */
	struct cost transfer;   /* ns for a line that another core wrote */
	struct fault_cost fault;
	/* Memory bandwidth in bytes/s of all threads together, [n]: with n + 1
	 * threads; 0: not measured */
	double read_bandwidth[COST_THREADS], write_bandwidth[COST_THREADS];
	/* Of a measurement. */
	time_t when;            /* 0: not measured */
	double load;            /* share of the cores that other programs had meanwhile, 0..1 */
	bool loaded;            /* measured on a busy machine */
	/* The quartiles of the cost that varied most, as a share of the lower one; which it is
	 * ("memory chase"), if it varied so much, or was measured so seldom, that its
	 * range is wide; "": none. */
	double spread;
	char varies[32];
	char host[64];
};

/* Fills in costs for a machine.  here: it is the model of this host; the calibration in the user's
 * cache directory is used if it exists and fits.  Otherwise, and for other machines, computed from
 * the model; faults then by a calibration of this host nevertheless.  note (may be NULL): why a
 * calibration was not used, "" if there is nothing to say. */
void machine_costs(const struct machine *m, bool here, struct machine_costs *out, char *note,
	size_t size);
/* Measured, but on a busy machine, or with a cost that varied: it is worth measuring again. */
bool machine_costs_marked(const struct machine_costs *c);
/* The cost of a page walk for a line that `level` serves, where the data span `pages` pages; 0: as
 * many as were measured.
 * The entries of the page table are 1/512 of the data: of less data, they are in nearer caches.
 * For independent accesses it is interpolated, by the logarithm of the pages, between the levels'
 * measurements; dependent loads showed no difference (docs/truth.md). */
struct cost machine_walk(const struct machine_costs *c, uint32_t level, enum cost_walk walk,
	double pages);
/* Whether it is known what huge pages save of a walk: measured on this host; or by the model of
 * another machine, where they save all of it. */
bool machine_huge_known(const struct machine_costs *c);
/* The part of the cost of a walk that remains on huge pages, 0..1: 1 where the ranges of both
 * overlap, so that no difference was measured, and where nothing is known. */
double machine_huge_part(const struct machine_costs *c, uint32_t level, enum cost_walk walk);
/* What a minor page fault costs where n threads have them at once, ns: between one thread and
 * fault.threads a straight line, beyond as with so many. */
struct cost machine_fault(const struct machine_costs *c, double threads);
/* Memory bandwidth of n threads together, bytes/s: between numbers of threads that were measured a
 * straight line, beyond them the nearest.  0: not measured. */
double machine_bandwidth(const struct machine_costs *c, bool write, unsigned threads);

#endif
