/* SPDX-License-Identifier: BSD-3-Clause */
/* A decoded loop record and the engines that simulate it.  Every engine gives the counts, tags and
 * misses of the iterations simulated one by one.  Private to the simulator. */
#ifndef PSC_SIMULATE_LOOP_H
#define PSC_SIMULATE_LOOP_H

#include "simulate/access/play.h"
#include "simulate/coherence/share.h"

enum {
	LOOP_GROUPS = 96,       /* most groups decoded; loops of more run one iteration at a time */
	LOOP_STREAMS = 64,      /* streams that the engines periods and events hold at most */
	LOOP_LEAST = 12         /* one thread: fewer iterations are cheaper one by one */
};

struct loop_group {
	const uint32_t *group;  /* its descriptor */
	uint64_t at, step;      /* address in the first iteration; bytes from one iteration to the
				 * next */
	uint64_t n;             /* the group takes part in iterations [0, n) */
	struct group_sum sum;   /* of one iteration */
};

/* The group spans more than half a line, so each member is a stream of its own. */
LRU_INLINE bool loop_group_spread(const struct loop_group *g, uint32_t shift)
{
	return *g->group & PSC_GROUP_MANY && 2 * g->sum.span > 1u << shift;
}

struct loop {
	const struct psc_segment *s;
	struct sim_segment *seg;
	const uint64_t *words;  /* the record's words after the count */
	uint64_t count;         /* iterations */
	uint32_t per;           /* accesses of an iteration */
	uint32_t facts;         /* enum sim_facts; from FACT_TAIL_FIRST on valid once decoded */
	bool decoded;           /* `group` and all facts are valid */
	bool streams;           /* the thread's struct events holds this loop's streams; ... */
	uint64_t origin;        /* ... whose iteration 0 is this iteration of the loop */
	struct loop_group group[LOOP_GROUPS];
};

/* One way to simulate iterations.  `play` starts at `from`, stops before `to` or earlier, and
 * returns the first iteration that it has not simulated. */
struct loop_engine {
	const char *name;
	uint64_t (*play)(struct work *w, struct loop *l, uint64_t from, uint64_t to);
	uint32_t groups;        /* most groups */
	uint32_t least[2];      /* fewest iterations; [1]: with FACT_TOLD */
	uint32_t needs, bars;   /* facts that must hold, facts that must not */
	/* A further condition for n iterations; NULL: none. */
	bool (*suits)(const struct work *w, const struct loop *l, uint64_t n);
};
/* In the order in which they are tried.  The next engine that suits continues where one stops; the
 * last one simulates every loop. */
extern const struct loop_engine loop_engines[];
enum { LOOP_ONE_TURN, LOOP_SPLIT, LOOP_PERIODS, LOOP_EVENTS, LOOP_STEP, LOOP_ITERATIONS,
	LOOP_ENGINES };
/* Returns the first engine, from number `engine` on, that suits n iterations. */
uint32_t loop_choose(const struct work *w, struct loop *l, uint32_t engine, uint64_t n);

/* Simulates a loop record, ends columns of the core's timeline that are full, and advances the
 * directory's clock.  at: the word with its iteration count.  !play: counts the references only.
 * false: the record is invalid. */
bool loop_play(struct work *w, struct sim_segment *seg, const uint64_t *at, bool play);
/* Simulates iterations [from, to) with the engines from number `engine` on. */
void loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to);

uint64_t one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t events_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);

/* Iterations for which an address that moves by `step` stays at most `below` bytes below and
 * `above` bytes above its first value; the first iteration included. */
LRU_INLINE uint64_t steps_within(uint64_t below, uint64_t above, uint64_t step)
{
	uint64_t room = above;

	if (!step)
		return UINT64_MAX / 2;
	if ((int64_t)step < 0) {
		room = below;
		step = -step;
	}
	return room < step ? 1 : (uint32_t)room / (uint32_t)step + 1;
}

/* Iterations, at most `most`, for which a group stays in a place.  before, rest: the place's bytes
 * below the group's address, and from it on.  0: the group spans two places. */
LRU_INLINE uint64_t loop_stay(uint64_t before, uint64_t rest, uint32_t span, uint64_t step,
	uint64_t most)
{
	uint64_t n;

	if (span > rest)
		return 0;
	n = steps_within(before, rest - span, step);
	return n < most ? n : most;
}

LRU_INLINE void loop_count(struct sim_cell *cell, const struct group_sum *sum, uint64_t n)
{
	cell->refs[0] += n * sum->n[0];
	cell->refs[1] += n * sum->n[1];
	cell->bytes += n * sum->bytes;
}

/* Decodes a group's address in the first iteration and its step; returns the group's descriptor. */
LRU_INLINE const uint32_t *group_step(const uint32_t *d, const uint64_t **at, uint64_t *address,
	uint64_t *step)
{
	int32_t constant = (int32_t)*d;

	*address = *(*at)++;
	*step = constant == PSC_STEP_WORD ? *(*at)++ : (uint64_t)(int64_t)constant;
	return d + 1;
}

#endif
