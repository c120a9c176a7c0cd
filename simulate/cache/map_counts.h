/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: accesses and misses by address and time, on request, of the first counted execution of a
 * core.
 *
 * A structure that is one block has MAP_ROWS *rows*, equal parts of its bytes.  One of several
 * blocks has a row for each *piece* of memory that its blocks touch: pieces have a length of a
 * power of two, so long that MAP_ROWS suffice, and become rows by address when all threads are
 * known.
 *
 * Accesses are a sample.  Each access is drawn with the probability 1 / MAP_ACCESSES, and with it
 * all of its record, which is noted and drawn when it has been simulated (loop/maps.h).  The
 * accesses of a record are multiplied by the reciprocal of the probability that the record is
 * drawn.  Loops of MAP_ACCESSES accesses or more are always drawn.  Of about MAP_MISSES misses of
 * the nearest level one is counted when the queue is drained, and so of the last level.  Nothing of
 * this changes a count of a cell. */
#ifndef PSC_SIMULATE_CACHE_MAP_COUNTS_H
#define PSC_SIMULATE_CACHE_MAP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MAP_ROWS = 256, MAP_COLUMNS = 1024, MAP_OBJECTS = 512,
	MAP_COUNTS_FIRST = 1 << 13, MAP_GROWTH = 4, MAP_COUNTS = 1 << 19,
	MAP_ACCESSES = 256, MAP_NOTES = 16384, MAP_MISSES = 12, MAP_RECURRING = 32,
	MAP_PAGES = 4096, MAP_PAGE_BLOCKS = 16384,
	MAP_NO_ROOM = MAP_OBJECTS + 2           /* a number: of an object that there was no room
						 * for */
};

/* Of a count: sampled are those of reads and writes that come from records
 * which stand for others, too. */
enum map_field { MAP_READS, MAP_WRITES, MAP_SAMPLED, MAP_FIRST, MAP_LAST, MAP_FIELDS };

/* The pieces that several blocks touch. */
struct sim_map_pieces {
	uint32_t shift, n;              /* log2 of a piece; pieces */
	uint64_t at[MAP_ROWS];          /* by row: the number of the piece */
	uint16_t slot[2 * MAP_ROWS];    /* open hash by piece: row + 1 */
};
struct sim_map_object {
	uint64_t lo, hi;                /* of its only block; hi 0: free */
	double scale;                   /* rows for each byte */
	struct sim_map_pieces *pieces;  /* NULL: one block */
	uint32_t object;
	bool lost;                      /* several blocks, without memory for pieces */
};
struct sim_map_count {
	uint32_t key;                   /* 1 + (number of the object << 18 | column << 8 | row); 0:
					 * free */
	uint32_t n[MAP_FIELDS];
};
/* An open hash by key, of a power of two of places. */
struct sim_map_table {
	struct sim_map_count *count;
	uint32_t room;
};
/* A record of the present batch that is to be drawn. */
struct sim_map_note {
	const uint64_t *at;             /* its first word */
	uint64_t end;                   /* the position behind it */
	uint32_t context;
};
struct sim_maps {
	uint64_t width;                 /* references in a column */
	uint64_t begun;                 /* of all references of the core: where the execution
					 * began */
	uint64_t at;                    /* position of the present column's begin */
	struct sim_map_object object[MAP_OBJECTS];      /* open hash by number */
	uint32_t nobjects, ncounts;
	uint64_t left_out;              /* records and misses of the sample that there was no room
					 * for */
	bool full;                      /* there was no memory: the counts stay as they are */
	uint32_t random;
	/* Misses until the next one is counted: of the queue, of the last
	 * level, of those that recur. */
	uint32_t skip, skip_last, skip_recurring;
	uint64_t due;                   /* position of the next access whose record is drawn */
	struct sim_map_note note[MAP_NOTES];
	uint32_t nnotes;
	bool wide;                      /* addresses are the program's */
	struct sim_map_table table[2];
	uint32_t used;                  /* table[used] has the counts, the other one is empty */
	uint32_t page_shift;            /* log2 of page_bytes: the model's page, 4 KiB at most */
	uint64_t page_bytes;
	/* By normalised page: what leads to the program's address, in the lower 48 bits, and the
	 * object's number;
	 * 0: the page is not known. */
	uint64_t *page[MAP_PAGE_BLOCKS];
	/* Misses in the present column by number and row: in the lower half of the nearest level,
	 * in the upper half of the last one; and which of them are not 0. */
	uint64_t missed[MAP_OBJECTS * MAP_ROWS];
	uint32_t row_missed[MAP_OBJECTS * MAP_ROWS], nmissed;
};
struct sim_core;
struct sim_cell;
struct sim_miss;
struct sim_place;

/* The core begins to count, with a timeline whose columns have this width: makes its
 * maps, if they are asked for. */
void sim_maps_begin(struct sim_core *core, uint64_t width);
/* The references until the next column begins, or a record is to be drawn. */
uint64_t sim_maps_room(const struct sim_core *core);
/* Notes the record at `at`, behind which the core is, if it is to be drawn.  iterated: the accesses
 * of a loop; 0: it is none. */
void sim_maps_note(struct sim_core *core, const uint64_t *at, uint32_t context, uint64_t iterated);
/* The number of an object at this address; MAP_OBJECTS: it has no rows; MAP_NO_ROOM:
 * there was no room for them. */
uint32_t sim_maps_object(struct sim_core *core, void *asker, uint64_t address, uint32_t object);
/* Adds to the count of the row at a program's address, and of the column at a position. */
void sim_maps_add(struct sim_core *core, uint32_t number, uint64_t address, uint64_t position,
	const uint32_t n[MAP_FIELDS]);
/* Notes a new translation of an address. */
void sim_maps_place(struct sim_core *core, void *asker, uint64_t address,
	const struct sim_place *at);
/* Of the misses at a normalised address a sample is counted: n of the nearest level that recur, one
 * of the last level, those of the nearest level in the queue. */
void sim_maps_recur(struct sim_core *core, uint64_t first, const struct sim_cell *cell, uint64_t n);
void sim_maps_last(struct sim_core *core, uint64_t first, const struct sim_cell *cell);
void sim_maps_misses(struct sim_core *core, const struct sim_miss *miss, uint32_t n);
/* The present column ends; the next one begins at a position. */
void sim_maps_border(struct sim_core *core, uint64_t next);
/* Columns become twice as wide: the counts of two are one.  false: there is no memory for that. */
bool sim_maps_widen(struct sim_core *core);
/* What is known of a normalised address: its program's address, and the entry of the object whose
 * its page is; NULL: the page is several objects'.  false: nothing, or it is no object's with
 * rows. */
bool sim_maps_where(const struct sim_maps *m, uint64_t normalised, uint64_t *address,
	const struct sim_map_object **of);
/* The entry of an object; NULL: it has none, or no rows. */
const struct sim_map_object *sim_maps_entry(const struct sim_maps *m, uint32_t object);
/* About how many records and misses of the sample a count is made of; 1 at least. */
uint64_t sim_map_samples(const uint32_t n[MAP_FIELDS]);

/* The bytes of a row, at least. */
static inline uint64_t sim_map_row_bytes(const struct sim_map_object *o)
{
	return o->pieces ? UINT64_C(1) << o->pieces->shift : (o->hi - o->lo) / MAP_ROWS + 1;
}
static inline uint32_t sim_map_object(const struct sim_map_count *c)
{
	return (c->key - 1) >> 18;
}
static inline uint32_t sim_map_column(const struct sim_map_count *c)
{
	return (c->key - 1) >> 8 & (MAP_COLUMNS - 1);
}
static inline uint32_t sim_map_row(const struct sim_map_count *c)
{
	return (c->key - 1) & (MAP_ROWS - 1);
}

#endif
