/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of actions. */
#include "analysis/trials/actions.h"

#include "analysis/measure/kernel_use.h"

#define FAULTS_MATTER 0.02      /* share of the phase's processor time */

/* Page faults take so much that memory which is kept may matter. */
static bool faults_matter(const struct measurements *p)
{
	return kernel_use_phase(p).fault_time >= FAULTS_MATTER * measured_phase_cpu(p);
}

static const struct trial_kind kinds[] = {
	{ TRIED_MALLOC, MON_ACTION_MALLOC, true, faults_matter },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const struct trial_kind *trial_kind_of(enum tried_action action)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].action == action)
			return &kinds[i];
	return NULL;
}

uint32_t actions_chosen(uint32_t set, const struct measurements *p, enum tried_action out[TRIED_ACTIONS])
{
	uint32_t n = 0;

	out[0] = TRIED_NOTHING;
	for (int i = 0; i < KINDS; i++)
		if (set & ACTION_BIT(kinds[i].action) || (set & ACTIONS_PROPOSED && kinds[i].proposed(p)))
			out[n++] = kinds[i].action;
	return n;
}
