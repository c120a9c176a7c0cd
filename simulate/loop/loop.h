/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to play a loop's record other than iteration by iteration: with the same counts, for less.  Private to
 * the simulator. */
#ifndef PSC_SIMULATE_LOOP_H
#define PSC_SIMULATE_LOOP_H

#include "simulate/access/play.h"

/* By periods or events.  false: it suits neither. */
bool play_loop(struct work *w, const struct psc_segment *s, uint64_t count, const uint64_t *words);
/* In step, from an iteration on, for those that suit neither; tells: the directory hears of it. */
bool play_march(struct work *w, const struct psc_segment *s, uint64_t from, uint64_t count,
	const uint64_t *words, bool tells);
/* A loop of plain accesses, all of it of the present turn, is told, and then played; the clock stays.
 * false: some group does not suit; all of it is to be told as it is played, others a second time in this turn. */
bool brief_play(struct work *w, const struct psc_segment *s, const uint64_t *words, uint64_t count);

#endif
