/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache simulator: the state of the simulated machine and of its cores, and the counts.  It
 * takes normalised addresses; the caller passes the *cell* that an access counts to (a context and
 * a data structure, of one thread).
 *
 * Plain machines have independent set-associative LRU levels that allocate on stores
 * (write-allocate). They are simulated by lru.h and sim_drain().  hierarchy.c simulates all other
 * machines; their cores are `generic`, and each access goes to sim_first().
 *
 * One access of up to a line is one reference.  It misses a level if any of its lines misses there.
 * All its lines are looked up at a level, and after a miss all are looked up at the next level
 * (cachegrind's rule).  A level depends only on the order of the misses of the nearer one, so
 * misses queue in the core, and a farther level is simulated for many of them at once. */
#ifndef PSC_SIMULATE_SIM_H
#define PSC_SIMULATE_SIM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine/flat.h"
#include "simulate/cache/frames.h"
#include "simulate/cache/page_sets.h"
#include "simulate/cache/pattern.h"
#include "simulate/cache/reuse.h"
#include "simulate/cache/set_sample.h"

/* Classes of misses that are counted (base/counters.def); all others are gather.  First by address
 * (enum pattern_kind), else by what the address depends on. */
enum miss_class { MISS_GATHER, MISS_STREAM, MISS_STRIDED, MISS_BRANCH, MISS_CONTROL, MISS_CHAINED,
	MISS_CLASSES };

/* The object of a context's work of the processor (MON_OBJ_WORK). */
#define SIM_OBJECT_WORK 5u

struct sim_cell {
	uint64_t key;                   /* context << 32 | object */
	uint64_t recent[2];             /* references << 40 | bytes, not in the sums below yet */
	struct pattern_page last;       /* its last new miss of the nearest level
					 * (cache/pattern.h) */
	uint64_t fetched[MACHINE_LEVELS];
	uint64_t miss[MACHINE_LEVELS][2];       /* [1]: stores */
	uint64_t refs[2], bytes;
	uint64_t unwarmed;              /* last-level misses of lines not seen in the warm-up */
	uint64_t folded;                /* loads of spinning loops beyond each loop's first */
	/* Coherence misses (coherence/share.h): [0][..] false, [1][..] true sharing; [..][1]:
	 * stores. beyond: those not included in `miss` yet. */
	uint64_t coherent[2][2], beyond[MACHINE_LEVELS][2];
	uint64_t coherence[MACHINE_LEVELS][2];  /* coherence misses that are included in `miss` */
	/* Loads of a line that cores use side by side, behind the coherence miss of their turn. */
	uint64_t contended;
	uint64_t shared_lines;
	/* Last-level misses by memory node; unplaced: node unknown. */
	uint64_t served[MACHINE_NODES][2], unplaced;
	/* Generic machines only: lines written back that this cell stored to last; lines prefetched
	 * for it; prefetched lines that it used; accesses that missed a TLB level. */
	uint64_t writeback[MACHINE_LEVELS], prefetched[MACHINE_LEVELS], useful[MACHINE_LEVELS];
	uint64_t tlb_miss[MACHINE_TLBS][2];
	/* Misses of each level by class, [1]: stores.  Of those that are not a stream's: page
	 * walks; sum of the last misses that were in the same set (pattern.h). */
	uint64_t class[MACHINE_LEVELS][MISS_CLASSES][2], walks[MACHINE_LEVELS],
		crowded[MACHINE_LEVELS];
	/* Of a sample of these misses, times the sample's share: those of lines that came again
	 * after less than half of what the level holds; after more, in one execution (reuse.h). */
	uint64_t conflict[MACHINE_LEVELS], capacity[MACHINE_LEVELS];
	/* Of strided misses of followed lines that are conflicts in some level: their number, the
	 * sums of their steps in lines and of the squares. */
	uint64_t stride[3];
	/* In the cell of a context's work (SIM_OBJECT_WORK): sums over its records. */
	uint64_t core[2], statements, mispredicts, chains, chain_statements, unknown_calls;
	/* Bytes that copies load and store; in the cell of what they load, what that takes in the
	 * nearest level, in cycles / PSC_WORK_UNIT. */
	uint64_t copied, copy_work;
	/* Bytes that it stores; of these, those that are overwritten before anything reads them,
	 * and those of lines that nothing has read before (unread_bytes.h); 0: not looked at. */
	uint64_t stored, overwritten, overwritten_first;
	/* Misses of the nearest level of lines that missed it before, by the reuse distance; lines
	 * that keep their class (pattern.h) left out. */
	uint64_t reuse[REUSE_CLASSES];
};

/* A *site*: a cell's misses that one source line caused. */
struct sim_site {
	struct sim_cell *cell;          /* NULL: free */
	uint32_t line;
	uint32_t next;                  /* index of the next site of its cell, + 1; 0: none */
	uint64_t first, last;           /* misses of the nearest level, of the last level */
	/* Coherence misses that are found later, by counting turns: share_settle() adds them to
	 * first and last.  The threads of other cores write them. */
	uint64_t first_beyond, last_beyond;
};
#define SIM_LINE_OF_CALLEE 0x80000000u  /* with a group's line: the call's line comes first */
enum { SIM_CELLS = 16384, SIM_SITES = 16384, SIM_GROUPS = 65536, SIM_CALLS = 256 };

/* A core's sites.  The groups of its descriptors that have a source line are numbered from 1 on
 * (access/descriptor.c); group 0 stands for all others. */
struct sim_sites {
	struct sim_site site[SIM_SITES];        /* open hash by cell and line */
	struct sim_site rest[SIM_CELLS];        /* by cell: without a line, or without room above;
						 * `next`: the first */
	uint32_t nsites, ngroups;
	uint32_t line[SIM_GROUPS];              /* by group */
	/* By group: the site of its last miss, or rest[0]; always that of groups
	 * with SIM_LINE_OF_CALLEE. */
	struct sim_site *of[SIM_GROUPS];
};

static inline uint32_t sim_cell_context(const struct sim_cell *c)
{
	return (uint32_t)(c->key >> 32);
}

/* One instance of a level.  Each set is an LRU stack of tags: line numbers, most recently used
 * first, 0 = empty.  Tags have 32 bits where addresses are normalised (dense), 64 where they are
 * virtual. */
struct sim_cache {
	void *tags;
	uint32_t shift;                 /* log2 of the line */
	uint32_t assoc, sets;
	uint32_t stride;                /* log2 of the tags from set to set (ways, rounded up) */
	uint32_t mask;                  /* sets - 1; 0: not a power of two (or one set) */
	uint64_t magic;                 /* for the remainder modulo sets */
	bool frames;                    /* indexed by page frames (frames.h) */
	uint32_t page;                  /* log2 of the machine's page */
	uint32_t cpu, cpus;             /* first of the model's CPUs that share it; their number */
	pthread_mutex_t *guard;         /* &lock; generic: the farthest level's lock */

	/* For hierarchy.c, whose tags have 64 bits, with flags. */
	uint32_t replacement, inclusion, prefetch, degree;
	uint32_t random, next_stream;
	uint64_t *tree;                 /* PLRU: a word for each set */
	uint64_t *owner;                /* write-back: key of the cell that stored last, by tag */
	struct hier_stream *streams;
	/* On a host line of its own: waiting threads must not take the other fields from the
	 * holder. */
	_Alignas(64) pthread_mutex_t lock;
};

/* The *class word* of a miss of the nearest level: in bits 0 to 7 enum miss_class << 1 | store;
 * SIM_EXTRA: 0, or, where it is no stream's, that it walks, and above that the last misses in its
 * set (pattern.h);
 * SIM_CAUSE: its cause is known, in the 8 bits from SIM_CAUSE_AT on (reuse.h), and it stands for
 * 1 << (7 bits from SIM_SHIFT_AT on) misses of that cause; SIM_MEETS: PATTERN_MEETS; SIM_TOUCH: of
 * sim_touch(), no miss of the nearest level. */
enum { SIM_EXTRA_AT = 8, SIM_EXTRA = 0x1f00, SIM_TOUCH = 0x4000, SIM_CAUSE = 0x8000,
	SIM_CAUSE_AT = 16, SIM_SHIFT_AT = 24 };
#define SIM_MEETS (UINT32_C(1) << 31)

struct sim_miss {
	uint64_t first, last;           /* normalised addresses of its first and last byte */
	struct sim_site *site;
	uint32_t frame;                 /* frames_scatter() of the first byte's page */
	uint32_t class;                 /* the class word; before, the class by dependence and the
					 * store bit */
};
static inline uint32_t sim_miss_store(const struct sim_miss *m)
{
	return m->class & 1;
}
enum { SIM_QUEUE = 512, SIM_FAR = 4 * SIM_QUEUE, SIM_MARKS = 64 };
enum { SIM_PATTERN_PAGE = 12 };         /* log2 of the page that prefetchers stay in */
#define SIM_ONE (UINT64_C(1) << 40)     /* one reference in `recent` */
#define SIM_SUM_AT (UINT64_C(1) << 22)  /* references after which `recent` is to be summed */

/* The *place* of an address: a range with one translation and one object.  The normalised address
 * is the program's address + delta. */
struct sim_place {
	uint64_t lo, hi;                        /* the range [lo, hi) of program addresses */
	uint64_t delta;
	uint32_t object;
	uint16_t skew;                          /* of its pages (page_sets.h) */
};

/* Functions that the caller provides: the simulator knows only addresses, records and a machine. */
struct sim_env {
	void *(*get)(size_t bytes);             /* zeroed memory for the simulation; NULL: none */
	void *(*room)(size_t bytes);            /* the same, for the life of the thread */
	/* Translates an address; asker: sim_thread.asker.  false: accesses to [lo, hi) are
	 * skipped. */
	bool (*place)(void *asker, uint64_t address, struct sim_place *out);
	/* The block around an address, of one object, as large as it is: [lo, hi).  false:
	 * not known.  NULL: no maps. */
	bool (*range)(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi);
	/* Finds the readable memory around a record's descriptor.  false: it must not be read. */
	bool (*readable)(uint64_t address, uint64_t *lo, uint64_t *length);
	/* The word with a mark for each 64 bytes of this 4 KiB of normalised addresses; NULL:
	 * none. */
	_Atomic uint64_t *(*marks)(void *space, uint64_t address, bool make);
	/* The number of the 4 KiB of a normalised address: numbers are dense.  NULL: the addresses
	 * are. */
	uint64_t (*chunk)(void *space, uint64_t address);
	/* The memory node of a normalised address; MACHINE_NODES or more: unknown. */
	uint32_t (*node)(void *space, uint64_t address);
};

enum { SIM_CPUS = 1024 };

/* A simulated machine; there may be several at once.  Its cores point to it. */
struct sim {
	struct machine_flat machine;
	const struct sim_env *env;
	void *space;                    /* the owner's, passed to env's functions */
	bool wide;                      /* 64-bit tags */
	bool warming;                   /* last-level misses mark their line as warm */
	_Atomic uint32_t execution;     /* of the phase; the owner counts them */
	bool generic;                   /* simulated by hierarchy.c */
	bool frames;                    /* some level is indexed by page frames */
	uint32_t page;                  /* log2 of the machine's page */
	uint32_t line_min;              /* bytes of the shortest line of any level */
	struct page_sets sets;          /* of normalised pages, in translation caches */
	struct sample *sample;          /* the sets that are simulated; NULL: all */
	struct unread_bytes *unread;    /* unread_bytes.h; NULL: not asked for */
	bool columns;                   /* cores have timelines (column_writer.h) */
	bool maps;                      /* .. with maps (map_counts.h) */
	/* Of executions of the warm-up: references of the thread with most; the width of
	 * columns, 0: no core counts yet. */
	_Atomic uint64_t longest, width;
	struct sim_cache *_Atomic instance[MACHINE_LEVELS][SIM_CPUS];
	struct sim_cache *tlb[MACHINE_TLBS][SIM_CPUS];
};

/* A core of the machine, on which one thread is simulated. */
struct sim_core {
	struct sim *sim;
	struct share_core *sharing;     /* NULL: no other core so far */
	struct sim_cache *level[MACHINE_LEVELS];
	uint32_t nlevels;
	bool generic;                   /* every access goes to sim_first() */
	bool counting;                  /* sim_core_count() was called */
	uint32_t execution;             /* sim->execution in the last batch */
	bool usual;                     /* lines of 64 bytes, pages of 4 KiB, no sample; `reuse` is
					 * known */
	bool passing;                   /* generic: the batch is not counted */
	uint32_t group;                 /* number of the present accesses' group, on the slow
					 * paths */
	struct sim_sites *sites;
	/* The line of the last call that the record named in a context, at its
	 * number modulo SIM_CALLS. */
	struct sim_call { uint32_t context, line; } call[SIM_CALLS];
	uint8_t irregular;              /* enum miss_class of the present accesses, unless stream or
					 * strided */
	pthread_mutex_t *lock;          /* held while the nearest level is simulated */
	struct sim_cache *tlb[MACHINE_TLBS];
	uint32_t ntlbs;
	uint32_t nqueue, nfar;          /* nfar: only the last level, locked by others, is left */
	uint32_t nclass;                /* the first nclass are classified */
	struct sim_cell *cells;         /* SIM_CELLS; [0] takes what is not counted */
	struct sample_sums *sums;       /* for each cell, with a sample; else NULL */
	uint32_t *index;                /* hash of the cells' keys: 2 * SIM_CELLS cell numbers */
	uint32_t ncells;
	uint64_t overflow;              /* references not counted because all cells are used */
	uint64_t records;               /* references counted */
	uint64_t warmed;                /* references simulated and not counted */
	uint64_t unsummed;              /* accesses since sim_core_sum() */
	/* References of ranges, of each of which `records` has one more; less those of spinning
	 * loops that are not counted; modulo 2^64. */
	uint64_t ranged;
	uint64_t border;                /* `records` at which the present column of the timeline
					 * ends (sim_core_passes()) */
	uint64_t begun;                 /* all references before the present execution of the
					 * warm-up */
	struct timeline *timeline, *timeline_room;      /* NULL: not counting, or not wanted; its
							 * memory */
	struct { uint64_t chunk; _Atomic uint64_t *word; } marks[SIM_MARKS];
	struct pattern pattern;         /* of all misses so far; with a sample, none are known */
	struct frames frames;
	struct reuse *reuse;            /* NULL: no memory, distances are not known */
	struct sim_channels *channels;  /* by cell (channels.h); kept for later experiments; NULL:
					 * none yet */
	uint32_t modules;               /* of which misses are counted in it; 0: none */
	struct sim_maps *maps, *drawn;  /* cache/maps.h; NULL: none are asked for; while its
					 * execution lasts */
	struct sim_walks *walks;        /* simulate/cache/walk_table.h; NULL: none were looked at */
	struct unread_core *unread;     /* unread_bytes.h; NULL: nothing was looked at */
	struct sim_miss queue[SIM_FAR]; /* the first nfar wait for the last level only */
};

/* Initialises a lock that is held for microseconds at most: a waiter spins before it sleeps. */
void sim_lock_init(pthread_mutex_t *lock);
/* false: this machine cannot be simulated. */
bool sim_machine_ok(const struct machine_flat *m);
/* true: the machine has more than independent LRU levels, so hierarchy.c simulates it. */
bool hier_needed(const struct machine_flat *m);
/* Initialises s, which is zeroed or was armed before, for a machine, without caches and cores.
 * Caches that it had are not freed: they belong to the owner of env's memory. */
void sim_arm(struct sim *s, const struct machine_flat *m, const struct sim_env *env);
/* Attaches a core to the caches of the model's CPU `cpu` and makes them if needed.  Callers
 * serialise calls.  0, or -1: no memory. */
int sim_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu);

void sim_core_sums(struct sim_core *core, const struct sim_cell *cell, uint32_t level,
	uint32_t store, uint64_t first, uint64_t n);
/* Adds n misses of a sampled line to its group's sum, from which the sampling error is computed. */
static inline void sim_core_sampled(struct sim_core *core, const struct sim_cell *cell,
	uint32_t level, uint32_t store, uint64_t first, uint64_t n)
{
	if (__builtin_expect(core->sums != NULL, 0) && core->sim->sample)
		sim_core_sums(core, cell, level, store, first, n);
}

struct sim_cell *sim_core_cell(struct sim_core *core, uint32_t context, uint32_t object);
void sim_core_clear(struct sim_core *core);
/* The source line of a cell's misses by a group, where functions without a context have that of
 * their call; 0: not known. */
static inline uint32_t sim_source_line(const struct sim_core *core, uint32_t group,
	const struct sim_cell *cell)
{
	const uint32_t line = core->sites->line[group];

	if (__builtin_expect(!(line & SIM_LINE_OF_CALLEE), 1))
		return line;
	const struct sim_call *call = &core->call[sim_cell_context(cell) % SIM_CALLS];

	return call->line && call->context == sim_cell_context(cell) ? call->line :
		line & ~SIM_LINE_OF_CALLEE;
}

/* The site of a cell's misses by a group. */
struct sim_site *sim_site_find(struct sim_core *core, uint32_t group, struct sim_cell *cell);
static inline struct sim_site *sim_site(struct sim_core *core, uint32_t group,
	struct sim_cell *cell)
{
	struct sim_site *s = core->sites->of[group];

	return __builtin_expect(s->cell == cell, 1) ? s : sim_site_find(core, group, cell);
}
/* Its number among those with a line, + 1; 0: it has none. */
static inline uint32_t sim_site_number(const struct sim_core *core, const struct sim_site *s)
{
	return s < core->sites->site + SIM_SITES ? (uint32_t)(s - core->sites->site) + 1 : 0;
}
/* Numbers a group of this source line, 0: unknown.  Group 0: no room. */
uint32_t sim_group(struct sim_core *core, uint32_t line);
/* All numbers of groups may be given anew. */
void sim_groups_forget(struct sim_core *core);
/* `border` where there is none. */
#define SIM_NO_BORDER (UINT64_MAX / 4)
/* Are so many references at the border or beyond?  Ranges may have moved it below 0. */
static inline bool sim_core_passes(const struct sim_core *core, uint64_t records)
{
	return __builtin_expect((int64_t)(core->border - records) <= 0, 0);
}
/* Called around accesses to the nearest level. */
static inline void sim_core_lock(struct sim_core *core)
{
	pthread_mutex_lock(core->lock);
}
static inline void sim_core_unlock(struct sim_core *core)
{
	pthread_mutex_unlock(core->lock);
}
/* Begins counting.  Generic cores count during the warm-up too, because each dirty line needs an
 * owner; these counts are cleared. */
void sim_core_count(struct sim_core *core);
/* Before a batch: a new execution may have begun.  Reuse in it is told from reuse of what the one
 * before brought. */
void sim_core_follow(struct sim_core *core);
/* Adds `recent` to the sums; needed before it holds 2^24 references, and at the end. */
void sim_core_sum(struct sim_core *core);
/* Simulates one access of a generic core, of core->group, through all levels and counts its misses.
 * The access is no longer than the shortest line, or touches at most two lines.  The
 * caller holds core->lock. */
void sim_first(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store);
/* Invalidates lines that another CPU wrote.  lines: a mask of 64 directory lines, each of 1 <<
 * parts lines of this cache, from its line `first` on.  Takes the cache's lock.  Returns the mask
 * of those that were present. */
uint64_t sim_cache_drop(struct sim *s, struct sim_cache *c, uint64_t first, uint64_t lines,
	uint32_t parts);
/* Is the line, 1 << parts lines of this cache from its line `first` on, present, or a part of it?
 * For a cache that only the caller's core uses. */
bool sim_cache_has(const struct sim *s, const struct sim_cache *c, uint64_t first, uint32_t parts);
/* Simulates the farther levels for all queued misses. */
void sim_drain(struct sim_core *core);
/* The same, but leaves misses in the queue while another core holds the last level and there is
 * room. */
void sim_drain_some(struct sim_core *core);
/* Queues a miss of the nearest level. */
static inline void sim_queue(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_site *site, uint32_t store)
{
	struct sim_miss *m = &core->queue[core->nqueue++];

	m->first = first;
	m->last = last;
	m->site = site;
	m->class = (uint32_t)core->irregular << 1 | store;
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		sim_drain_some(core);
}
/* The same, and classifies it at once.  Returns the class word. */
uint32_t sim_queue_classified(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_site *site, uint32_t store);
/* Classifies the queued misses and counts their classes. */
void sim_classify_queue(struct sim_core *core);
/* The pattern of all misses so far. */
static inline const struct pattern *sim_pattern(struct sim_core *core)
{
	if (__builtin_expect(core->nclass != core->nqueue, 0))
		sim_classify_queue(core);
	return &core->pattern;
}
/* The page frame of an address (sim_miss.frame). */
static inline uint32_t sim_frame(struct sim_core *core, uint64_t address)
{
	return core->sim->frames ? frames_find(&core->frames, address >> core->sim->page) : 0;
}
/* The line of this cache that holds an address. */
static inline uint64_t sim_line(const struct sim_cache *c, uint64_t address, uint32_t frame)
{
	return (c->frames ? address ^ (uint64_t)frame << c->page : address) >> c->shift;
}
/* Queues a touch of a line that the next level has: only the order of its set changes. */
static inline void sim_touch(struct sim_core *core, uint64_t line, struct sim_site *site)
{
	const uint64_t first = line << core->level[0]->shift;

	sim_pattern(core);
	core->queue[core->nqueue++] = (struct sim_miss){ .first = first, .last = first,
		.site = site, .frame = sim_frame(core, first), .class = SIM_TOUCH };
	core->nclass = core->nqueue;
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		sim_drain_some(core);
}
/* Classifies and counts a miss of core->group that is not queued.  Returns the class word. */
uint32_t sim_classify(struct sim_core *core, uint64_t first, struct sim_cell *cell, uint32_t store);
/* Counts the cause of a miss of a level, by its class word. */
void sim_count_cause(struct sim_cell *cell, uint32_t level, uint32_t class);
/* Counts the step of a strided miss that is a conflict, by its class word. */
void sim_count_stride(struct sim_cell *cell, uint32_t class);
/* Counts the class and the cause of a miss of a level. */
static inline void sim_count_class(struct sim_cell *cell, uint32_t level, uint32_t class)
{
	(&cell->class[level][0][0])[class & 0xff]++;
	if (__builtin_expect(class & (SIM_EXTRA | SIM_CAUSE), 0)) {
		const uint32_t extra = (class & SIM_EXTRA) >> SIM_EXTRA_AT;

		cell->walks[level] += extra & 1;
		cell->crowded[level] += extra >> 1;
		if (__builtin_expect(class & SIM_CAUSE, 0))
			sim_count_cause(cell, level, class);
	}
}
#endif
