/* SPDX-License-Identifier: BSD-3-Clause */
/* The flat form of a machine model, which the agent copies to shared memory for the monitor: no
 * pointers, libc only. */
#ifndef PSC_MACHINE_FLAT_H
#define PSC_MACHINE_FLAT_H

#include <stdint.h>

#include "base/spread_cpus.h"

#define MACHINE_LEVELS 4
#define MACHINE_TLBS 2
#define MACHINE_NODES 16
#define MACHINE_MODULES 64      /* channels of all nodes */
#define MACHINE_PLACES 256

enum machine_shared {           /* who shares one instance of a level */
	MACHINE_SHARED_CPU = 0, /* private to a CPU */
	MACHINE_SHARED_CORE = 1,
	MACHINE_SHARED_SOCKET = 2,      /* a socket or a part of one: neighbours, `cpus` of them */
	MACHINE_SHARED_ALL = 3
};

enum machine_pages {
	MACHINE_PAGES_FIRST_TOUCH = 0, /* page numbers in order of first touch: repeatable runs */
	MACHINE_PAGES_VIRTUAL = 1      /* virtual addresses: for comparisons with cachegrind */
};

enum machine_replacement { MACHINE_LRU = 0, MACHINE_PLRU = 1, MACHINE_RANDOM = 2 };

enum machine_inclusion {        /* of a level, relative to the nearer levels */
	MACHINE_INDEPENDENT = 0, /* neither inclusive nor exclusive: levels evict independently */
	MACHINE_INCLUSIVE = 1,  /* holds all their lines: a line it evicts is invalidated there */
	MACHINE_EXCLUSIVE = 2   /* holds the lines the next nearer level evicts; a hit moves the
				 * line back */
};

enum machine_prefetch { MACHINE_NO_PREFETCH = 0, MACHINE_NEXT_LINE = 1, MACHINE_STRIDE = 2 };

enum machine_write {
	MACHINE_WRITE_UNTRACKED = 0, /* stores allocate; dirty lines are not tracked */
	MACHINE_WRITE_BACK = 1  /* write-back and write-allocate: written-back lines are counted */
};

struct machine_level {
	uint32_t level;         /* the number in its name: 1, 2, 3 (a model may begin with 2) */
	uint32_t shared;        /* enum machine_shared */
	uint32_t cpus;          /* CPUs that share one instance */
	uint32_t line;          /* bytes, a power of two */
	uint32_t assoc;         /* ways */
	uint32_t sets;          /* need not be a power of two */
	uint32_t latency;       /* cycles of a hit in this level */
	uint32_t replacement;   /* enum machine_replacement */
	uint64_t size;          /* bytes = sets * assoc * line */
	uint32_t inclusion;     /* enum machine_inclusion */
	uint32_t prefetch;      /* enum machine_prefetch */
	uint32_t degree;        /* lines fetched by one prefetch; 0 without a prefetcher */
	uint32_t physical;      /* 1: sets are chosen by physical addresses, whose pages are
				 * scattered */
};

/* A level of the data TLB, private to a CPU, LRU; a nearer one is looked up first. */
struct machine_tlb {
	uint32_t entries, ways;
	uint32_t page;          /* bytes that an entry covers, a power of two */
	uint32_t miss;          /* cycles of a miss: the next level's hit, or the page walk */
};

/* Memory nodes: neighbouring CPUs and the memory that is nearest to them. */
struct machine_nodes {
	uint32_t count;         /* 1, or 0 (not set): all memory is equally far */
	uint32_t cpus;          /* CPUs of each node: CPU n belongs to node n / cpus */
	uint32_t threshold;     /* loads of this many cycles or more are remote; 0: none is */
	/* 1: they are those of this host.  Threads and pages are where the kernel says, which calls
	 * node n number[n].  0: where machine_cpu() and first touches put them. */
	uint32_t real;
	uint32_t number[MACHINE_NODES];
	/* Cycles of a last-level miss, by node of the CPU and node of the memory. */
	uint32_t latency[MACHINE_NODES][MACHINE_NODES];
};

struct machine_flat {
	uint32_t nlevels;       /* nearest first */
	uint32_t ncpus;
	uint32_t pages;         /* enum machine_pages */
	uint32_t page_size;     /* bytes, a power of two */
	uint32_t memory_latency; /* cycles; of the CPU's own node */
	uint32_t write;         /* enum machine_write */
	double ghz;
	struct machine_level level[MACHINE_LEVELS];
	uint32_t sockets;       /* 0: not known; neighbouring CPUs, as many in each */
	uint32_t ntlbs;         /* 0: translation is not modelled */
	struct machine_tlb tlb[MACHINE_TLBS]; /* nearest first */
	struct machine_nodes nodes;
	/* Of each node's memory: channels that take turns every
	 * `interleave` bytes; 0: not known. */
	uint32_t channels, interleave;
	uint32_t spread;        /* threads are on the sockets in turn, and on the nodes of each in
				 * turn (base/spread_cpus.h); 0: on neighbouring CPUs */
	/* Thread n runs on CPU place[n % nplaces], whatever `spread` says; 0: as `spread` says. */
	uint32_t nplaces;
	uint16_t place[MACHINE_PLACES];
};

/* The CPU of the model that a thread runs on. */
static inline uint32_t machine_cpu(const struct machine_flat *m, uint32_t thread)
{
	const uint32_t n = thread % (m->ncpus ? m->ncpus : 1);

	if (m->nplaces)
		return m->place[thread % m->nplaces];
	return m->spread ? spread_cpu(m->ncpus, m->nodes.count, m->sockets, n) : n;
}

/* The memory node of that CPU. */
static inline uint32_t machine_node(const struct machine_flat *m, uint32_t thread)
{
	return m->nodes.count > 1 && m->nodes.cpus ? machine_cpu(m, thread) / m->nodes.cpus : 0;
}

/* The node that the kernel of this host calls so; UINT32_MAX: the model has none of that number. */
static inline uint32_t machine_real_node(const struct machine_nodes *n, uint32_t number)
{
	for (uint32_t i = 0; i < n->count && i < MACHINE_NODES; i++)
		if (n->number[i] == number)
			return i;
	return UINT32_MAX;
}

/* The channels of a node, if an address tells by its place in the page which of them has it: a
 * whole number of turns fills a page.  Otherwise the page's frame decides, which a simulation does
 * not know: 0. */
static inline uint32_t machine_channels(const struct machine_flat *m)
{
	/* Larger pages are simulated in pieces of 4 KiB, unless addresses are the program's own. */
	const uint32_t page = m->pages == MACHINE_PAGES_VIRTUAL || m->page_size < 4096 ?
		m->page_size : 4096;

	return m->channels && m->interleave && page % (m->channels * m->interleave) == 0 ?
		m->channels : 0;
}

/* True: only independent LRU levels, no other options. */
static inline int machine_is_plain(const struct machine_flat *m)
{
	for (uint32_t i = 0; i < m->nlevels; i++)
		if (m->level[i].replacement || m->level[i].inclusion || m->level[i].prefetch)
			return 0;
	return !m->write && !m->ntlbs;
}

#endif
