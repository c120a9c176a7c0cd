/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the program's code to blocks that record and then do the same. */
#ifndef PSC_BURST_TRANSLATE_H
#define PSC_BURST_TRANSLATE_H

#include "burst/encode.h"
#include "burst/slot.h"

/* Why translated code calls burst_dispatch(). */
enum exit_kind {
	EXIT_EDGE,              /* a jump's target is needed for the first time */
	EXIT_INDIRECT,          /* `target` of the thread is not in the table of known targets */
	EXIT_SYSTEM,            /* BURST_THROUGH_CALLS: a system call follows */
	EXIT_FULL               /* BURST_FOREVER: the words are all there */
};
/* It follows the code that leaves; `exit` of the thread is its offset in the code cache. */
struct exit_data {
	uint64_t target;
	uint32_t patch;         /* EXIT_EDGE: offset of the jump's distance */
	uint32_t kind;
};

/* Empties the tables and the cache; never during a burst. */
void burst_tables_reset(struct slot *s);
/* Whether they should be emptied before the next burst. */
bool burst_tables_stale(const struct slot *s);

/* The block at `ip`, translated now if need be.  0: not possible, *why says so. */
uint32_t burst_block_at(struct slot *s, uint64_t ip, enum burst_status *why);

/* The mark that holds at `offset` of the code cache, and the block there: NULL for the code that
 * looks up targets. The block is translated once more to find out. */
struct mark burst_mark_at(struct slot *s, uint32_t offset, const struct burst_block **block);

/* The field of struct burst_thread where a block saves its first or second scratch register. */
uint32_t burst_scratch_field(const struct burst_block *b, int which);
int burst_scratch_register(const struct burst_block *b, int which);

#endif
