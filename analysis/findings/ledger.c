/* SPDX-License-Identifier: BSD-3-Clause */
/* The attribution ledger of one process: which accesses are to named data structures,
 * and which to other memory. */
#include <math.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/sampling_error.h"

/* Adds a tally to a row of the ledger.  Every recorded access is in exactly one row.  Lost accesses
 * have a row of their own: their number is known in words of records, their misses are not. */
static void ledger_row(const struct measurements *p, const struct tally *t,
	struct report_ledger *row)
{
	row->accesses += tally_refs(t);
	row->misses += tally_misses(p, t, measured_last_level(p));
	if (p->sample.classes)
		row->misses_error += sampling_error_misses(p, t);
}

enum ledger_cause findings_cause(uint32_t object)
{
	switch (object) {
	case MON_OBJ_STACK: return LEDGER_STACKS;
	case MON_OBJ_HEAP: return LEDGER_HEAP;
	case MON_OBJ_IMAGE: return LEDGER_IMAGE;
	case MON_OBJ_SMALL: return LEDGER_SMALL;
	default: return LEDGER_OTHER;
	}
}

int findings_ledger(const struct measurements *p, struct report *r)
{
	enum { N = LEDGER_LOST };
	struct tally all, one, rest;

	if (!measured_tally(p, 0, MON_ANY, &all))
		return 0;
	r->ledger = arena_array(r->arena, N, sizeof *r->ledger);
	if (!r->ledger)
		return -1;
	rest = all;
	for (int i = 0; i < N; i++)
		r->ledger[i].misses_error = p->sample.classes ? 0 : NAN;
	for (uint32_t cause = 0; cause < MON_OBJ_FIRST; cause++) {
		if (!measured_tally(p, 0, cause, &one))
			continue;
		ledger_row(p, &one, &r->ledger[findings_cause(cause) - LEDGER_NAMED]);
		tally_sub(&rest, &one);
	}
	for (uint32_t object = MON_OBJ_FIRST; object < p->nobjects; object++) {
		if (p->objects[object].kind != MON_KIND_UNNAMED ||
		    !measured_tally(p, 0, object, &one))
			continue;
		ledger_row(p, &one, &r->ledger[LEDGER_HEAP - LEDGER_NAMED]);
		tally_sub(&rest, &one);
	}
	ledger_row(p, &rest, &r->ledger[0]);
	r->ledger[LEDGER_LOST - LEDGER_NAMED].accesses = p->counted ? p->lost / (double)p->counted :
		0;
	r->ledger[LEDGER_LOST - LEDGER_NAMED].misses = p->lost > 0 ? NAN : 0;
	if (p->lost > 0)
		r->ledger[LEDGER_LOST - LEDGER_NAMED].misses_error = NAN;
	for (int i = 0; i < N; i++)
		r->ledger[i].cause = (enum ledger_cause)(LEDGER_NAMED + i);
	r->nledger = N;
	return 0;
}
