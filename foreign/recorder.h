/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader's side of the memory that the burst recorder writes (burst/shared/burst.h): asks for
 * bursts, and hands over samples, heap events and words. */
#ifndef PSC_FOREIGN_RECORDER_H
#define PSC_FOREIGN_RECORDER_H

#include <stdbool.h>
#include "base/err.h"
#include "burst/shared/burst.h"
#include "foreign/images.h"
#include "monitor/shared/shm.h"

struct recorder_setup {
	uint64_t period;        /* ns of processor time between samples */
	uint64_t words;         /* of a burst of a thread */
	uint64_t heap_bytes;    /* of the smallest heap block with a name */
	uint64_t tracked_least; /* of the smallest block in tracked memory; 0: there is none */
	bool writes;            /* none is tracked: writes to the program's own are sampled */
	int tracked_socket;     /* descriptor in the program */
	bool whole;             /* benches: threads record all that they do, and wait for the
				 * reader */
};

struct recorder {
	int fd;                 /* the memfd; the program inherits it */
	char *memory;           /* owned mapping */
	struct burst_header *head;
	uint64_t burst;         /* the last one that was asked for */
	uint64_t begun_at;      /* when it was seen to have begun, ns; 0: not yet */
	bool open;              /* it has not been taken yet */
	uint64_t sampled_at[BURST_THREADS];     /* time of the last sample of each slot */
};

/* Makes the memory.  0 / -1. */
int recorder_make(struct recorder *r, const struct recorder_setup *s, struct err *err);
void recorder_free(struct recorder *r);
/* This process is the reader; it reads no more: the program is left alone. */
void recorder_reads(const struct recorder *r);
void recorder_done(const struct recorder *r);
/* The state of the recorder in the program. */
enum burst_state recorder_state(const struct recorder *r);
uint32_t recorder_slots(const struct recorder *r);
struct burst_thread *recorder_slot(const struct recorder *r, uint32_t n);
/* What the recorder knows of small blocks. */
const struct burst_small *recorder_small(const struct recorder *r);
/* Lets bursts go into the code of these mappings. */
void recorder_code(struct recorder *r, const struct images *images);

/* Asks for a burst; none may be open. */
void recorder_ask(struct recorder *r);
/* Has the burst ended in all threads that began it, and will no more begin it?
 * last: the program has ended. */
bool recorder_burst_done(struct recorder *r, bool last);
/* Does the slot have words of the present burst? */
bool recorder_has_words(const struct recorder *r, const struct burst_thread *slot);
/* The words of all threads have been read. */
void recorder_burst_taken(struct recorder *r);
/* Does all of the program belong to one burst without end (setup.whole)? */
bool recorder_is_whole(const struct recorder *r);
/* With it: does the slot wait for its words to be read?  last: or has it some. */
bool recorder_waits(const struct burst_thread *slot, bool last);

/* Copies the next sample of a thread, or the next heap event of the process.  false: there is none.
 * last: the program has ended, what is not written yet never will be. */
bool recorder_sample(struct recorder *r, uint32_t slot, struct burst_sample *out);
bool recorder_heap_event(const struct recorder *r, bool last, struct burst_heap_event *out);
/* What the recorder says of itself. */
void recorder_describe(const struct recorder *r, struct mon_bursts *out);
/* Frees the slots of threads that have ended and of which everything has been read. */
void recorder_reclaim(const struct recorder *r);

#endif
