/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the processor samples accesses on this host. */
#include <config.h>

#include "frontend/samples_check.h"

#include <string.h>

#include "frontend/ask_foreign.h"

bool samples_preferred(const char *list)
{
	static const char *const counting[] = { "perf", "sim", "burst" };

	for (const char *name = list; name && *name; name += *name == ',') {
		const size_t len = strcspn(name, ",");

		for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
			if (strlen(counting[i]) == len && strncmp(counting[i], name, len) == 0)
				return i == 0;
		name += len;
	}
	return false;
}

int samples_possible(struct err *err)
{
	char said[sizeof err->text];

	return ask_foreign("--samples-here", said, sizeof said, err);
}
