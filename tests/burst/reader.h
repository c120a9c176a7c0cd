/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader of the burst recorder for tests: starts a program with the library, takes what it
 * records. */
#ifndef PSC_TESTS_BURST_READER_H
#define PSC_TESTS_BURST_READER_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "burst/shared/burst.h"

struct reader {
	int file;
	char *memory;
	struct burst_header *head;
	pid_t pid;
};

/* An access of a burst. */
struct reader_access {
	uint64_t ip, address;
	uint32_t size;
	uint8_t does, kind;
};
/* Where a reader is in the words of a slot. */
struct reader_place {
	const struct burst_thread *thread;
	const struct burst_block *blocks;
	const struct burst_access *accesses;
	const uint64_t *word, *end;
	const struct burst_block *block;        /* NULL: a block's number is next */
	uint32_t next;                          /* access of it */
	uint64_t lane;                          /* of an access to several addresses */
	uint64_t instructions;
	bool bad;                               /* what was read is not possible */
};

/* 0 / -1 with a text on stderr. */
int reader_open(struct reader *r, const struct burst_header *setup);
/* Starts the program with `library` preloaded; `addresses`: the most bytes that it may map, 0:
 * any. */
int reader_start(struct reader *r, const char *library, rlim_t addresses, char *const argv[]);
/* Copies the program's executable mappings to the memory. */
void reader_ranges(struct reader *r);
struct burst_thread *reader_thread(const struct reader *r, uint32_t slot);
void reader_place_begin(struct reader_place *p, const struct reader *r, uint32_t slot);
/* The next access; false: that was the last. */
bool reader_next(struct reader_place *p, struct reader_access *a);
void reader_close(struct reader *r);

#endif
