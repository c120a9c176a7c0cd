/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc says of the program while it runs: its processor time and page faults, the processor
 * time of processes that it has started, and whether it has become another program. */
#ifndef PSC_FOREIGN_PROGRAM_STATE_H
#define PSC_FOREIGN_PROGRAM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "monitor/shared/shm.h"

struct program_state {
	long pid;
	uint64_t device, inode;         /* of its executable, when it was looked at first; 0: not
					 * known */
	struct mon_kernel kernel;
	uint64_t waited_ns;             /* processor time of children that have ended */
	uint64_t children_ns;           /* ... and of those that ran at the time; the most that was
					 * seen */
	uint64_t private_bytes;         /* anonymous private memory, the most that was seen */
	bool executed;                  /* it has become another program */
};

/* Reads the file `stat` of a process or thread in /proc.  Returns what stands in `text` behind the
 * name, from the state on; NULL: it has ended. */
const char *program_stat(const char *path, char *text, size_t size);
/* Does the process run this executable? */
bool program_state_is(long pid, const char *executable);
void program_state_begin(struct program_state *s, long pid);
/* Looks again; what cannot be read stays as it was. */
void program_state_read(struct program_state *s);

#endif
