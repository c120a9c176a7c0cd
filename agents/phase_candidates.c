/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the regions that could be the phase, and sums up what they took. */
#include "agents/phase_candidates.h"

#include <stdlib.h>

static bool suits(const struct sir_region *r)
{
	return r->hooks & SIR_HOOK_PHASE && (r->type == REGION_LOOP || r->type == REGION_USER ||
		r->type == REGION_PARALLEL);
}

static void add_region(struct candidates *c, const struct sir *sir, uint32_t region)
{
	const struct sir_region *r = &sir->regions[region];

	if (c->n + r->nat > MON_CANDIDATES || !r->nat)
		return;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->region[i] == region)
			return;
	for (uint32_t k = 0; k < r->nat; k++) {
		c->hook[c->n] = (struct mon_hook){ r->at[k].hash, r->at[k].index };
		c->region[c->n++] = region;
	}
	c->nregions++;
}

int candidates_make(struct candidates *c, const struct sir *sir, uint32_t phase)
{
	uint32_t *largest = malloc(MON_CANDIDATES * sizeof *largest), n, serial;

	*c = (struct candidates){ malloc(MON_CANDIDATES * sizeof *c->hook),
		malloc(MON_CANDIDATES * sizeof *c->region), 0, 0, 0 };
	if (!largest || !c->hook || !c->region) {
		free(largest);
		candidates_free(c);
		return -1;
	}
	if (phase < sir->nregions)
		add_region(c, sir, phase);
	n = sir_rival_phases(sir, phase, largest, MON_CANDIDATES);
	for (uint32_t i = 0; i < n; i++)
		add_region(c, sir, largest[i]);
	for (uint32_t i = 0; i < sir->nregions; i++)
		if (suits(&sir->regions[i]))
			add_region(c, sir, i);
	serial = c->n;
	n = sir_team_units(sir, largest, MON_CANDIDATES);
	for (uint32_t i = 0; i < n; i++)
		add_region(c, sir, largest[i]);
	c->nteam = c->n - serial;
	free(largest);
	return 0;
}

void candidates_free(struct candidates *c)
{
	free(c->hook);
	free(c->region);
	*c = (struct candidates){ 0 };
}

void candidates_add(const struct candidates *c, const struct mon_peer *peer, struct phase_time *t)
{
	struct mon_timed m;
	uint32_t k = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		if (i && c->region[i] != c->region[i - 1])
			k++;
		t[k].region = c->region[i];
		t[k].team = i >= c->n - c->nteam;
		if (!mon_peer_timed(peer, i, &m))
			continue;
		t[k].ns += m.ns;
		t[k].runs += m.runs;
		t[k].entries += m.entries;
		t[k].since_first += m.since_first;
		t[k].open |= m.open;
		t[k].more |= (m.flags & (MON_CANDIDATE_MORE | MON_CANDIDATE_UNHOOKED)) != 0;
		t[k].brief |= (m.flags & MON_CANDIDATE_BRIEF) != 0;
		t[k].shared |= (m.flags & MON_CANDIDATE_SHARED) != 0;
	}
}
