/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the time between samples to the contexts of the samples. */
#include "config.h"
#include "foreign/sample_times.h"

#include <stdlib.h>
#include <string.h>

/* The innermost frame whose context is known; library code belongs to the
 * function that called it. */
static uint32_t context_of(struct code_contexts *places, const struct burst_sample *s)
{
	uint32_t context = places_at(places, s->ip).context;

	for (int i = 0; context == PLACE_CALLER && i < BURST_CALLERS && s->callers[i]; i++)
		context = places_at(places, s->callers[i] - 1).context;
	return context == PLACE_CALLER ? 0 : context;
}

static int more_room(struct thread_times *t, uint32_t context)
{
	uint32_t room = t->room ? t->room : 64;
	uint64_t *own;
	uint32_t *samples;

	while (room <= context)
		room *= 2;
	own = realloc(t->own, room * sizeof *own);
	if (own)
		t->own = own;
	samples = realloc(t->samples, room * sizeof *samples);
	if (samples)
		t->samples = samples;
	if (!own || !samples)
		return -1;
	memset(own + t->room, 0, (room - t->room) * sizeof *own);
	memset(samples + t->room, 0, (room - t->room) * sizeof *samples);
	t->room = room;
	return 0;
}

/* What the thread used since its last sample, without what recording took. */
static uint64_t time_since(struct thread_times *t, const struct burst_sample *s)
{
	const uint64_t since = s->cpu > t->cpu ? s->cpu - t->cpu : 0;

	if (t->burst)           /* it was recorded since, in part */
		return since < t->usual ? since : t->usual;
	t->usual = t->usual ? (7 * t->usual + since) / 8 : since;
	return since;
}

uint32_t sample_times_add(struct thread_times *t, struct code_contexts *places,
	const struct burst_sample *s)
{
	const bool inside = s->burst && s->burst == t->burst;

	t->context = context_of(places, s);
	if (!inside && (t->context < t->room || more_room(t, t->context) == 0)) {
		t->own[t->context] += time_since(t, s);
		t->samples[t->context]++;
	}
	t->cpu = s->cpu;
	t->burst = s->burst;
	return t->context;
}

void sample_times_free(struct thread_times *t)
{
	free(t->own);
	free(t->samples);
	*t = (struct thread_times){ 0 };
}
