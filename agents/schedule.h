/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedule says which executions of the phase are clean and which are distorted by recording,
 * for all ranks of the application: a rank that waits for one that is recorded waits too long.  All
 * agents plan the first experiments by one rule and equal numbers (analysis/search/plan.h), which
 * keeps the classes apart; later ones, and those that are repeated, are placed between the windows
 * that are known.  A host's windows are sent to the master, which publishes them to all. */
#ifndef PSC_AGENTS_SCHEDULE_H
#define PSC_AGENTS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum schedule_class { SCHEDULE_CLEAN, SCHEDULE_DISTORTED };
struct schedule_window {        /* executions first .. last of the phase, numbered as the monitor
				 * does */
	uint32_t class;         /* enum schedule_class */
	uint64_t first, last;
};
enum { SCHEDULE_WINDOWS = 32 };
struct schedule {
	struct schedule_window window[SCHEDULE_WINDOWS];        /* not ordered; those of one class
								 * do not touch */
	int n;
	uint32_t apart;         /* executions between two classes */
};

/* Forgets all windows.  apart: by how much ranks may differ in the number of one step: 0 where they
 * count from the program's start, 1 where the phase was changed while they ran. */
void schedule_begin(struct schedule *s, uint32_t apart);
/* The least execution from `first` on where `count` of them are in no window of the other
 * class, nor too close to one. */
uint64_t schedule_place(const struct schedule *s, enum schedule_class class, uint64_t first,
	uint32_t count);
/* Adds a window, or widens those that it touches.  Where there is no room, the window with the
 * least numbers goes.
 * false: these executions were all known. */
bool schedule_add(struct schedule *s, struct schedule_window w);

/* A window of the phase with that region, in a run of the program. */
struct schedule_news {
	uint32_t region, run;
	struct schedule_window window;
};
void schedule_news_encode(const struct schedule_news *w, struct buf *out);
/* 0 / -1: malformed */
int schedule_news_decode(struct schedule_news *w, const struct buf *in);

#endif
