/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop's record, and the ways to play it: with the counts of its iterations one by one, for less.  Private to the
 * simulator. */
#ifndef PSC_SIMULATE_LOOP_H
#define PSC_SIMULATE_LOOP_H

#include "simulate/access/play.h"
#include "simulate/coherence/share.h"

enum {
	LOOP_GROUPS = 96,       /* that are decoded; loops of more are played iteration by iteration */
	LOOP_STREAMS = 64,      /* of periods and events */
	LOOP_LEAST = 12         /* iterations below which no engine pays for one thread */
};

struct loop_group {
	const uint32_t *group;  /* its descriptor */
	uint64_t at, step;      /* address in the first iteration; bytes from one iteration to the next */
	uint64_t n;             /* iterations that it takes part in, from the first on */
	struct group_sum sum;   /* of one of them */
};

/* Members are far from each other: each is a stream of its own. */
LRU_INLINE bool loop_group_spread(const struct loop_group *g, uint32_t shift)
{
	return *g->group & PSC_GROUP_MANY && 2 * g->sum.span > 1u << shift;
}

struct loop {
	const struct psc_segment *s;
	struct sim_segment *seg;
	const uint64_t *words;  /* the record's, behind the count */
	uint64_t count;         /* iterations */
	uint32_t per;           /* accesses of an iteration */
	uint32_t facts;         /* enum sim_facts; from FACT_TAIL_FIRST on known when it is decoded */
	bool decoded;
	bool streams;           /* the thread's events hold its groups (events.h) */
	uint64_t origin;        /* from this iteration on */
	struct loop_group group[LOOP_GROUPS];
};

/* A way to play iterations.  Each plays from an iteration on, as far as it can before the iteration `to`, and returns
 * the first that it has not played. */
struct loop_engine {
	const char *name;
	uint64_t (*play)(struct work *w, struct loop *l, uint64_t from, uint64_t to);
	uint32_t groups;        /* at most */
	uint32_t least[2];      /* iterations; [1]: with FACT_TOLD */
	uint32_t needs, bars;   /* facts */
	/* What facts do not say, of n iterations; NULL: nothing. */
	bool (*suits)(const struct work *w, const struct loop *l, uint64_t n);
};
/* In the order in which they are tried; the last one plays all.  What one leaves is the next one's that suits. */
extern const struct loop_engine loop_engines[];
enum { LOOP_ONE_TURN, LOOP_SPLIT, LOOP_PERIODS, LOOP_EVENTS, LOOP_STEP, LOOP_ITERATIONS, LOOP_ENGINES };
/* Which of them, from the one with this number on, plays n iterations. */
uint32_t loop_choose(const struct work *w, struct loop *l, uint32_t engine, uint64_t n);

/* A record, from its count on: its iterations, and the clock of the directory; without play they are only numbered.
 * false: it could not be one. */
bool loop_play(struct work *w, struct sim_segment *seg, const uint64_t *at, bool play);
/* Plays some iterations of it, by engines from that one on. */
void loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to);

uint64_t one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t events_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);
uint64_t iterations_play(struct work *w, struct loop *l, uint64_t from, uint64_t to);

/* Iterations in which what moves by `step` in each stays within so many bytes below and above where
 * it is in the first. */
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

/* Iterations, `most` at most, that a group stays in a place with so many bytes before and behind (itself included)
 * its address; 0: it is in two places. */
LRU_INLINE uint64_t loop_stay(uint64_t before, uint64_t rest, uint32_t span, uint64_t step, uint64_t most)
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

/* The address in the first iteration and the step; the group follows. */
LRU_INLINE const uint32_t *group_step(const uint32_t *d, const uint64_t **at, uint64_t *address,
	uint64_t *step)
{
	int32_t constant = (int32_t)*d;

	*address = *(*at)++;
	*step = constant == PSC_STEP_WORD ? *(*at)++ : (uint64_t)(int64_t)constant;
	return d + 1;
}

#endif
