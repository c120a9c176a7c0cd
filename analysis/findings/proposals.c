/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the changes whose effect every report tells (whatif_propose): those that properties name,
 * and for the structures of the first problems those that go with the kind of their misses. */
#include "analysis/findings/findings.h"
#include "analysis/findings/whatif.h"
#include "analysis/findings/whatif_try.h"
#include "analysis/measure/blocking.h"

/* The level in whose size blocks take most off what the structure costs; 0: none. */
static uint32_t blocking(const struct measurements *p, uint32_t object)
{
	const struct machine_flat *m = &p->machine->flat;
	struct tally t;
	uint32_t l;

	if (!measured_tally(p, 0, object, &t))
		return 0;
	l = blocking_level(p, &t);
	return l < m->nlevels ? m->level[l].level : 0;
}

static void propose(struct whatif *w, const struct measurements *p, uint32_t object,
	enum miss_kind kind)
{
	static const uint32_t proposals[MISS_KINDS] = {
		[MISS_STRIDED] = FIX_DENSE, [MISS_GATHER] = FIX_DENSE, [MISS_RECORD] = FIX_SPLIT |
			FIX_DENSE,
		[MISS_TLB] = FIX_DENSE | FIX_PAGES, [MISS_CONFLICT] = FIX_DENSE | FIX_ROWS,
		[MISS_CAPACITY] = FIX_FIT,
		[MISS_FALSE_SHARING] = FIX_PAD, [MISS_SHARING] = FIX_PAD, [MISS_LOCK] = FIX_PAD,
		[MISS_COPY] = FIX_NOCOPY, [MISS_CHAINED] = FIX_PAGES, [MISS_GUESSED] = FIX_PAGES,
	};
	struct fix_want want = { .fixes = proposals[kind] };

	want.level = want.fixes & FIX_FIT ? blocking(p, object) : 0;
	if (!want.level)
		want.fixes &= ~(uint32_t)FIX_FIT;
	whatif_try_computed(w, p, object, &want);
}

/* Tries the changes that the finding's property names. */
static void propose_named(struct whatif *w, const struct search *s, const struct report_finding *f)
{
	const struct fix_want want = { .fixes = f->fixes ? fixes_of_property(s->program,
		asl_property(s->program, (size_t)f->number)) : 0 };

	if (want.fixes && f->object != MON_ANY)
		whatif_try_computed(w, s->measured, f->object, &want);
}

int whatif_propose(struct whatif *w, const struct search *s, struct report *r)
{
	if (!s->measured->estimated)
		return 0;
	if (report_finish(r))
		return -1;
	for (int i = 0; i < r->nfindings; i++)
		propose_named(w, s, &r->findings[i]);
	for (int i = 0; i < r->problems.n && i < WHATIF_PROBLEMS; i++) {
		const struct report_problem *problem = &r->problems.problem[i];

		for (int k = 0; k < problem->nstructures && problem->memory; k++)
			propose(w, s->measured, problem->structures[k]->object,
				problem->lead->kind);
	}
	return 0;
}
