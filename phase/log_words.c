/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the flags of the log. */
#include "phase/log_words.h"

#include <stddef.h>

struct flag {
	const char *name;
	size_t offset;
};
static const struct flag of_time[PHASE_TIME_FLAGS] = {
	{ "open", offsetof(struct phase_time, open) },
		{ "more", offsetof(struct phase_time, more) },
	{ "brief", offsetof(struct phase_time, brief) },
		{ "shared", offsetof(struct phase_time, shared) },
	{ "team", offsetof(struct phase_time, team) }
};
static const struct flag of_held[PHASE_HELD_FLAGS] = {
	{ "ended", offsetof(struct phase_held, ended) },
		{ "chosen", offsetof(struct phase_held, chosen) },
	{ "leads", offsetof(struct phase_held, leads) },
		{ "settled", offsetof(struct phase_held, settled) },
	{ "last_run", offsetof(struct phase_held, last_run) },
		{ "unasked", offsetof(struct phase_held, unasked) },
	{ "slight", offsetof(struct phase_held, slight) },
	{ "brief", offsetof(struct phase_held, brief) },
		{ "runs", offsetof(struct phase_held, runs) },
	{ "ran", offsetof(struct phase_held, ran) },
		{ "outdone", offsetof(struct phase_held, outdone) }
};

const char *phase_time_flag_name(int i)
{
	return of_time[i].name;
}

bool phase_time_flag(const struct phase_time *t, int i)
{
	return *(const bool *)((const char *)t + of_time[i].offset);
}

void phase_time_set_flag(struct phase_time *t, int i)
{
	*(bool *)((char *)t + of_time[i].offset) = true;
}

const char *phase_held_flag_name(int i)
{
	return of_held[i].name;
}

bool phase_held_flag(const struct phase_held *f, int i)
{
	return *(const bool *)((const char *)f + of_held[i].offset);
}

void phase_held_set_flag(struct phase_held *f, int i)
{
	*(bool *)((char *)f + of_held[i].offset) = true;
}
