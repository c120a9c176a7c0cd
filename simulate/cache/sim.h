/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache simulator.  It sees normalised addresses; who accessed and what was accessed is the cell
 * that the caller passes.
 *
 * Plain machines have set-associative LRU levels, each for itself, and allocate on stores: the
 * fast way, sim_drain() and lru.h.  What else a machine may have is played by hierarchy.c; then the
 * core says `generic`, and each access goes to sim_first().
 *
 * One access of up to a line is one reference; it misses a level when any line it touches
 * misses there.  All its lines are looked up at a level, and after a miss all are looked up at
 * the next (cachegrind's rule).  Levels see accesses in order, so a level may be played after
 * the nearer one for a whole batch: misses queue in the core. */
#ifndef PSC_SIMULATE_SIM_H
#define PSC_SIMULATE_SIM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine/flat.h"
#include "simulate/cache/sample.h"

struct sim_cell {
	uint64_t key;                   /* context << 32 | object */
	uint64_t recent[2];             /* references << 40 | bytes, not yet in the sums below */
	uint64_t refs[2], bytes;        /* [1]: stores */
	uint64_t miss[MACHINE_LEVELS][2];
	uint64_t fetched[MACHINE_LEVELS];
	uint64_t unwarmed;
	uint64_t folded;                /* loads of loops that wait, beyond each one's first */
	/* Of the misses of private levels, those because of another thread (coherence/share.h): [1] true
	 * sharing; `beyond`: of these, what is not in `miss` yet.  [..][1]: stores. */
	uint64_t coherent[2][2], beyond[2];
	uint64_t shared_lines;
	/* Of the last level's misses, by where the memory lies. */
	uint64_t served[MACHINE_NODES][2], unplaced;
	/* Machines that have it: lines this cell stored to, written back beyond the level; lines
	 * prefetched for it; of these, used by it; accesses whose page a TLB level lacked. */
	uint64_t writeback[MACHINE_LEVELS], prefetched[MACHINE_LEVELS], useful[MACHINE_LEVELS];
	uint64_t tlb_miss[MACHINE_TLBS][2];
};

static inline uint32_t sim_cell_context(const struct sim_cell *c)
{
	return (uint32_t)(c->key >> 32);
}

/* One instance of a level.  Tags are line numbers, most recent first, 0 = empty; in 32 bits
 * where addresses are normalised (dense), in 64 where they are virtual. */
struct sim_cache {
	void *tags;
	uint32_t shift;                 /* of the line */
	uint32_t assoc, sets;
	uint32_t stride;                /* log2 of the tags from set to set (ways, rounded up) */
	uint32_t mask;                  /* sets - 1; 0: not a power of two (or one set) */
	uint64_t magic;                 /* for the remainder by sets */
	uint32_t cpu, cpus;             /* the model's CPUs that share it, from the first */
	pthread_mutex_t *guard;         /* lock, or the farthest level's */

	/* hierarchy.c; tags are 64 bits there, with flags. */
	uint32_t replacement, inclusion, prefetch, degree;
	uint32_t random, next_stream;
	uint64_t *tree;                 /* PLRU: a word of each set */
	uint64_t *owner;                /* write-back: key of who stored last, by tag */
	struct hier_stream *streams;
	/* On a line of the host's of its own: who waits for it does not take the others from its holder. */
	_Alignas(64) pthread_mutex_t lock;
};

struct sim_miss {
	uint64_t first, last;           /* normalised addresses of its first and last byte */
	struct sim_cell *cell;
	uint32_t store;
};
enum { SIM_QUEUE = 512, SIM_FAR = 4 * SIM_QUEUE, SIM_CELLS = 16384, SIM_MARKS = 64, SIM_SIMD_WAYS = 16 };
#define SIM_ONE (UINT64_C(1) << 40)     /* one reference in `recent` */
#define SIM_SUM_AT (UINT64_C(1) << 22)  /* references after which `recent` is to be summed */

/* What a range of the program's addresses means: `delta` turns one into a normalised address. */
struct sim_place {
	uint64_t lo, hi;                        /* the range, as the program has it; hi: behind it */
	uint64_t delta;
	uint32_t object;
};

/* What the simulator asks its caller: it knows addresses, records and a machine, nothing else. */
struct sim_env {
	void *(*get)(size_t bytes);             /* zeroed, as long as the simulation lasts; NULL: none */
	void *(*room)(size_t bytes);            /* the same, as long as the thread lasts */
	/* What an address means; asker: the thread's.  false: its accesses are left out, as are all from
	 * lo to hi. */
	bool (*place)(void *asker, uint64_t address, struct sim_place *out);
	/* The readable memory around a record's descriptor, as lo and length.  false: it is not to be read. */
	bool (*readable)(uint64_t address, uint64_t *lo, uint64_t *length);
	/* The word of marks for this 4 KiB of normalised addresses in a simulation's space, or
	 * NULL. */
	_Atomic uint64_t *(*marks)(void *space, uint64_t address, bool make);
	/* The memory node where this normalised address of the space lies; MACHINE_NODES or more:
	 * unknown. */
	uint32_t (*node)(void *space, uint64_t address);
};

enum { SIM_CPUS = 1024 };

/* One machine that is played; there may be several at once.  Its cores point to it. */
struct sim {
	struct machine_flat machine;
	const struct sim_env *env;
	void *space;                    /* env's, of the owner */
	bool wide;                      /* 64-bit tags */
	bool warming;                   /* last-level misses mark their line as warm */
	bool generic;                   /* hierarchy.c plays it */
	uint32_t line_min;
	struct sample *sample;          /* the sets that are simulated; NULL: all */
	struct sim_cache *_Atomic instance[MACHINE_LEVELS][SIM_CPUS];
	struct sim_cache *tlb[MACHINE_TLBS][SIM_CPUS];
};

/* A thread's view of the machine. */
struct sim_core {
	struct sim *sim;
	struct share_core *sharing;     /* NULL: no other core so far */
	struct sim_cache *level[MACHINE_LEVELS];
	uint32_t nlevels;
	bool generic;                   /* every access by sim_first() */
	bool counting;                  /* sim_core_count() was called */
	pthread_mutex_t *lock;          /* to be held while the nearest level is played */
	struct sim_cache *tlb[MACHINE_TLBS];
	uint32_t ntlbs;
	uint32_t nqueue, nfar;          /* nfar: that wait for the last level only, which another core holds */
	struct sim_cell *cells;         /* SIM_CELLS; [0] takes what is not counted */
	struct sample_sums *sums;       /* of the cells, while a sample is simulated; or NULL */
	uint32_t *index;                /* hash of their keys: 2 * SIM_CELLS of cell numbers */
	uint32_t ncells;
	uint64_t overflow;              /* references counted nowhere for want of cells */
	uint64_t records;               /* references counted */
	uint64_t unsummed;              /* accesses since sim_core_sum() */
	struct { uint64_t chunk; _Atomic uint64_t *word; } marks[SIM_MARKS];
	struct sim_miss queue[SIM_FAR]; /* those that wait come first */
};

/* A lock that is held for microseconds at most: who finds it held looks a few times again before it
 * sleeps. */
void sim_lock_init(pthread_mutex_t *lock);
/* false: this machine cannot be simulated. */
bool sim_machine_ok(const struct machine_flat *m);
/* Has it more than independent LRU levels?  Then hierarchy.c plays it, access by access. */
bool hier_needed(const struct machine_flat *m);
/* The model, and no caches or cores yet; what it had belongs to the owner of env's memory. */
void sim_arm(struct sim *s, const struct machine_flat *m, const struct sim_env *env);
/* Attaches a core to the caches of model CPU n, which it makes; callers serialise themselves.
 * 0, or -1 for want of memory. */
int sim_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu);

void sim_core_sums(struct sim_core *core, const struct sim_cell *cell, uint32_t level,
	uint32_t store, uint64_t first, uint64_t n);
/* n misses of a level by a sampled line, for their variance. */
static inline void sim_core_sampled(struct sim_core *core, const struct sim_cell *cell,
	uint32_t level, uint32_t store, uint64_t first, uint64_t n)
{
	if (__builtin_expect(core->sums != NULL, 0) && core->sim->sample)
		sim_core_sums(core, cell, level, store, first, n);
}

struct sim_cell *sim_core_cell(struct sim_core *core, uint32_t context, uint32_t object);
void sim_core_clear(struct sim_core *core);
/* Around accesses to the nearest level. */
static inline void sim_core_lock(struct sim_core *core)
{
	pthread_mutex_lock(core->lock);
}
static inline void sim_core_unlock(struct sim_core *core)
{
	pthread_mutex_unlock(core->lock);
}
/* Counting begins: generic cores have counted their warm-up, too, because a line written back has
 * to belong to somebody; that is forgotten. */
void sim_core_count(struct sim_core *core);
/* Adds what is recent to the sums: before `recent` holds 2^24 references, and at last. */
void sim_core_sum(struct sim_core *core);
/* One access of a generic core that does not exceed the smallest line, or touches at most two: through all levels,
 * counting its misses; core->lock is held. */
void sim_first(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store);
/* Another CPU writes some of 64 lines, each 1 << parts of this cache's, from its line `first` on: removes
 * them, whatever its replacement.  Takes the cache's lock.  Which were there. */
uint64_t sim_cache_drop(struct sim *s, struct sim_cache *c, uint64_t first, uint64_t lines,
	uint32_t parts);
/* Plays the queue of misses through the farther levels. */
void sim_drain(struct sim_core *core);
/* The same, but that some may wait: while another core holds the last level there is room for more. */
void sim_drain_some(struct sim_core *core);
static inline void sim_queue(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store)
{
	core->queue[core->nqueue++] = (struct sim_miss){ first, last, cell, store };
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		sim_drain_some(core);
}

#endif
