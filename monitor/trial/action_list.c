/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of actions. */
#include "monitor/trial/action.h"

static const struct trial_action *const list[] = {
	&trial_malloc, &trial_large_pages, &trial_interleave, &trial_bind, &trial_local,
	&trial_threads_spread, &trial_threads_compact, &trial_threads_pin,
};

const struct trial_action *trial_action_of(uint32_t action)
{
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i]->action == action)
			return list[i];
	return NULL;
}
