/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that are stored to, and not read since: how many of them are overwritten, on request.  A
 * bit for each byte, and for each line of 64 bytes the context and the object that stored there
 * last.  What is overwritten counts to these, whoever overwrites it.
 *
 * Nothing is known of what lies before an execution, or before code that is not recorded and may
 * read anything: these *forget* all bytes that are not read.  So a count is never too large. */
#ifndef PSC_SIMULATE_CACHE_UNREAD_BYTES_H
#define PSC_SIMULATE_CACHE_UNREAD_BYTES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct sim_core;
struct sim_cell;
struct sim_env;

enum { UNREAD_LINE = 6, UNREAD_LINES = 64,      /* log2 of bytes; of a chunk, which has 4 KiB */
	UNREAD_CHUNKS = 4096, UNREAD_BLOCKS = 16384, UNREAD_WRITERS = 1 << 15, UNREAD_RECENT = 64 };

struct unread_chunk {
	_Atomic uint64_t bytes[UNREAD_LINES];   /* a bit for each that is not read */
	_Atomic uint16_t writer[UNREAD_LINES];  /* of them; 0: none */
	_Atomic uint64_t read;          /* lines of which the execution has read a byte */
	uint32_t execution, times;      /* of struct unread_bytes, at its last use */
};

/* Of a simulation; its threads use it side by side. */
struct unread_bytes {
	const struct sim_env *env;
	void *space;                    /* passed to env's functions */
	pthread_mutex_t lock;           /* guards what is below, but `times` */
	_Atomic uint32_t times;         /* that bytes were forgotten */
	uint32_t nwriters;
	uint64_t writer[UNREAD_WRITERS];        /* keys of cells; [0] is none */
	uint16_t index[2 * UNREAD_WRITERS];     /* open hash of them */
	struct unread_chunk **block[UNREAD_BLOCKS];     /* by number of the chunk */
};

/* What a core keeps of it.  cached: valid as long as the numbers are those of its simulation. */
struct unread_core {
	uint32_t execution, times;
	struct { uint64_t chunk; struct unread_chunk *at; } recent[UNREAD_RECENT];
	uint16_t charged;               /* the last writer that something was counted to, */
	struct sim_cell *cell;          /* and the core's cell of it */
	uint16_t writer[];              /* by cell; 0: not known yet */
};

/* NULL: no memory.  The memory is env's. */
struct unread_bytes *unread_bytes_new(const struct sim_env *env, void *space);
/* What is unread now may be read by code that is not recorded. */
void unread_bytes_forget(struct unread_bytes *u);
/* Before a record of a core.  false: no memory. */
bool unread_bytes_begin(struct sim_core *core);
/* An access to normalised addresses of one place.  writer: the cell that stores; NULL: a load. */
void unread_bytes_access(struct sim_core *core, uint64_t first, uint64_t length,
	struct sim_cell *writer);

#endif
