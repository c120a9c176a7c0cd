/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the list of --collector: which collectors count accesses, and whether two of them do. */
#include <config.h>

#include "frontend/collector_option.h"

#include <string.h>

static const char *const names[] = {
	[COUNTS_UNNAMED] = "", [COUNTS_SIM] = "sim", [COUNTS_BURST] = "burst",
	[COUNTS_PERF] = "perf",
};
enum { NAMES = sizeof names / sizeof *names };

const char *collector_count_name(enum counts_by by)
{
	return names[by];
}

bool collector_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strncmp(at, name, length) == 0 && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* The collector at the begin of the list, if it counts. */
static enum counts_by first_of(const char *list)
{
	const size_t length = strcspn(list, ",");
	int by = NAMES - 1;

	while (by > COUNTS_UNNAMED &&
	       (strlen(names[by]) != length || strncmp(names[by], list, length) != 0))
		by--;
	return (enum counts_by)by;
}

int collector_option(struct frontend_options *o, const char *list, struct err *err)
{
	o->collectors = list;
	o->counts_by = o->other_counts = COUNTS_UNNAMED;
	if (!list)
		o->action = ACT_LIST_COLLECTORS;
	for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
		const enum counts_by by = first_of(at);

		if (by == COUNTS_UNNAMED || by == o->counts_by || by == o->other_counts)
			continue;
		if (!o->counts_by)
			o->counts_by = by;
		else if (!o->other_counts)
			o->other_counts = by;
		else
			return err_set(err, "--collector: two of sim, burst and perf count beside "
				"one another, not all three");
	}
	return 0;
}
