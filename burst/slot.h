/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's slot as the recorder sees it, and what all files share. */
#ifndef PSC_BURST_SLOT_H
#define PSC_BURST_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include "burst/shared/burst.h"

/* Of the general registers by their numbers in instructions: 0 rax, 1 rcx, 2 rdx, 3 rbx, 4 rsp, 5
 * rbp, 6 rsi, 7 rdi, 8 r8 ... 15 r15. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, REGISTERS };

enum { SLOT_STACK = 256 << 10, SLOT_HASH = 2 * BURST_BLOCKS };

struct block_plan;

struct slot {
	struct burst_thread *thread;     /* in the shared memory; the base of %gs while the thread
					  * has the slot */
	struct burst_block *blocks;
	struct burst_access *accesses;
	uint8_t *code, *run;             /* two views of the code cache: to be written, to be
					  * executed */
	uint32_t used;                   /* bytes of it */
	uint32_t jumps;                  /* offset of the code that looks up targets of indirect
					  * jumps */
	uint32_t change, unloads;        /* `code_change` and `unloads` for which the tables hold */
	uint32_t *hash;                  /* numbers of blocks by their ip; 0: free */
	struct block_plan *plan;         /* room for the translation of a block */
	uint8_t *stack;                  /* where the recorder's code runs */
	int timer;                       /* the kernel's number; -1: none */
	uint64_t restart_sp;             /* rsp of the last system call that a signal of the program
					  * interrupted */
};

/* On a page that the kernel empties in a child of fork(). */
struct burst_live {
	struct burst_header *header;
	_Atomic bool stopped;           /* no more samples and bursts: the recorder makes no system
					 * call any more */
	_Atomic uint32_t unloads;       /* how often code may have gone */
};
extern struct burst_live *burst_live;
/* NULL until the recorder is ready, and for good if it is refused, and in a child of fork(). */
static inline struct burst_header *burst_header(void) { return burst_live->header; }
static inline bool burst_stopped(void)
{
	return burst_live->header == NULL || atomic_load(&burst_live->stopped);
}
extern struct slot burst_slots[BURST_THREADS];
/* The calling thread's; NULL: it has none. */
extern _Thread_local struct slot *burst_mine __attribute__((tls_model("initial-exec")));

/* Whether the thread's stack pointer is in the recorder's own stack. */
static inline bool slot_own_stack(const struct slot *s, uint64_t sp)
{
	return sp > (uint64_t)s->stack && sp <= (uint64_t)s->stack + SLOT_STACK;
}

static inline bool slot_own_code(const struct slot *s, uint64_t ip)
{
	return ip >= (uint64_t)s->run && ip < (uint64_t)s->run + BURST_CODE_BYTES;
}

/* The range of code that contains `ip`; false: none.  Never waits: false while the reader writes
 * them. */
bool burst_range_of(uint64_t ip, struct burst_range *range);
/* Whether there is code between two addresses; true while the reader writes. */
bool burst_range_between(uint64_t low, uint64_t high);

#endif
