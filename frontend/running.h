/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc tells of a process that is to be analysed while it runs. */
#ifndef PSC_FRONTEND_RUNNING_H
#define PSC_FRONTEND_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/buf.h"
#include "base/err.h"

struct running {
	pid_t pid;
	uint64_t began;         /* clock ticks: tells it from a later process of that number */
	dev_t device;           /* of its executable */
	ino_t inode;
	char executable[4096];  /* a path that leads to it here */
	char name[32];
};

/* 0; -1: it is gone, foreign, stopped, or does not let itself be inspected, and err says so. */
int running_read(struct running *r, pid_t pid, struct err *err);
/* Can its monitor be asked?  -1: it has none, does not get the signal, or is analysed already. */
int running_answers(const struct running *r, struct err *err);
/* Has it neither ended nor given its number away? */
bool running_still(const struct running *r);
bool running_stopped(const struct running *r);
/* The thread that gets the signal: one that runs, since a system call of another would be
 * interrupted.  any: else the first that does not block it.  0: none; -1: all threads block it. */
pid_t running_thread(const struct running *r, bool any);
/* Has the thread not taken the signal yet that was sent to it? */
bool running_pending(const struct running *r, pid_t thread);
/* Do the two see the same files? */
bool running_same_files(const struct running *r);
/* Appends a file of /proc/PID, whose text may have zero bytes.  -1: it cannot be read (errno). */
int running_text(pid_t pid, const char *file, struct buf *out);
/* Calls f for all processes that it has started, and that those have started. */
void running_below(pid_t pid, void (*f)(void *arg, pid_t pid), void *arg);

#endif
