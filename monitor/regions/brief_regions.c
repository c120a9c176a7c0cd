/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the regions that are too brief for markers, and divides measured time among them.
 *
 * In the first survey the markers of the regions inside a region are a part of its time, far more
 * than times_marker_cost() accounts for if there are many.  So the next execution, without the
 * markers of the brief regions, is a survey of the others.
 *
 * Two markers cost more than times_marker_cost() says once the program's data displace theirs from
 * the nearest cache, and the processor does not overlap work across them.  So the cost that is
 * subtracted here is measured in the program itself: what the survey took more than the execution
 * does without the markers. */
#include "monitor/regions/brief_regions.h"
#include "monitor/collect/byte_exchange.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/state.h"
#include <string.h>

/* Markers may take 1 / BRIEF_PART of a call. */
enum { BRIEF_PART = 50 };
enum { SURVEYS = 2 };

uint8_t pscm_brief[BRIEF_REGIONS / 8];
static uint8_t never[BRIEF_REGIONS / 8];
static uint32_t surveys;
static bool any;

/* A region's totals in the survey, of all contexts and threads. */
struct total {
	uint64_t ns, calls;
	bool brief, was;        /* was: before this choice */
};

static bool bit_is(const uint8_t *bits, uint32_t region)
{
	return region < BRIEF_REGIONS &&
		__atomic_load_n(&bits[region / 8], __ATOMIC_RELAXED) & 1u << region % 8;
}

static void bit_set(uint8_t *bits, uint32_t region)
{
	uint8_t bit = (uint8_t)(1u << region % 8), is;

	if (region >= BRIEF_REGIONS)
		return;
	is = __atomic_load_n(&bits[region / 8], __ATOMIC_RELAXED);
	while (!(is & bit) && !byte_exchange(&bits[region / 8], &is, is | bit))
		;
}

void brief_never(uint32_t region)
{
	if (!bit_is(never, region))
		bit_set(never, region);
}

bool brief_must_stay(uint32_t region)
{
	return bit_is(never, region);
}

void brief_told(const struct psc_unit *unit)
{
	for (uint32_t i = 0; i < pscm_shm->nbrief && i < MON_BRIEF; i++) {
		surveys = SURVEYS;
		if (pscm_shm->brief[i].hash != unit->hash ||
		    pscm_shm->brief[i].index >= unit->nregions)
			continue;
		bit_set(pscm_brief, unit->base + pscm_shm->brief[i].index);
		any = true;
	}
}

bool brief_wanted(void)
{
	return surveys < SURVEYS;
}

bool brief_any(void)
{
	return any;
}

static struct pscm_stat *stat_at(uint32_t thread)
{
	return atomic_load_explicit(&pscm_thread_at(thread)->stat, memory_order_acquire);
}

void brief_forget(uint32_t ncontexts)
{
	memset(pscm_brief, 0, sizeof pscm_brief);
	surveys = 0;
	any = false;
	for (uint32_t i = 0; i < pscm_thread_count(); i++)
		if (stat_at(i))
			memset(stat_at(i), 0, ncontexts * sizeof *stat_at(i));
}

/* --- choosing -------------------------------------------------------------------------------- */

/* The number of totals: up to the highest region of a context. */
static uint32_t regions_seen(uint32_t ncontexts)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < ncontexts; c++)
		if (pscm_context_region(c) >= n)
			n = pscm_context_region(c) + 1;
	return n < BRIEF_REGIONS ? n : BRIEF_REGIONS;
}

static void add_up(struct total *total, uint32_t ncontexts)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		const struct pscm_stat *stat = stat_at(i);

		for (uint32_t c = 1; stat && c < ncontexts; c++) {
			uint32_t region = pscm_context_region(c);

			if (region >= BRIEF_REGIONS)
				continue;
			total[region].ns += stat[c].cpu_below;
			total[region].calls += stat[c].entered;
			if (stat[c].wait_below)
				brief_never(region);
		}
	}
}

/* A region is not brief if it is entered in a context of one that is not.  true: changed. */
static bool exclude_around(struct total *total, uint32_t ncontexts)
{
	bool changed = false;

	for (uint32_t c = ncontexts; c-- > 1;) {
		uint32_t region = pscm_context_region(c), parent = pscm_context_parent(c);
		uint32_t around = pscm_context_region(parent);

		if (around >= BRIEF_REGIONS || !total[around].brief ||
		    (region < BRIEF_REGIONS && total[region].brief))
			continue;
		total[around].brief = false;
		changed = true;
	}
	return changed;
}

/* true: there are more brief regions than before. */
static bool choose(struct total *total, uint32_t nregions, uint32_t ncontexts)
{
	const uint64_t least = times_marker_cost() * BRIEF_PART;
	bool more = false;

	for (uint32_t r = 0; r < nregions; r++)
		total[r].brief = brief_region(r) || (total[r].calls &&
			total[r].ns / total[r].calls < least && !bit_is(never, r));
	if (pscm_context_region(0) < BRIEF_REGIONS)
		total[pscm_context_region(0)].brief = false;
	while (exclude_around(total, ncontexts))
		;
	for (uint32_t r = 0; r < nregions; r++)
		if (total[r].brief && !brief_region(r)) {
			bit_set(pscm_brief, r);
			more = any = true;
		}
	return more;
}

/* Keeps what the last execution measured; of contexts that were brief in it,
 * nothing.  total: NULL, none was. */
static void keep(const struct total *total, uint32_t nregions, uint32_t ncontexts)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_stat *stat = stat_at(i);

		for (uint32_t c = 0; stat && c < ncontexts; c++) {
			uint32_t region = pscm_context_region(c);

			if (total && c && (region >= nregions || total[region].was))
				continue;
			stat[c].survey_cpu = stat[c].own_cpu;
			stat[c].survey_calls = stat[c].entered;
		}
	}
}

bool brief_survey(void)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);
	uint32_t nregions = regions_seen(ncontexts);
	struct total *total = nregions ? pscm_map(nregions * sizeof *total) : NULL;
	bool more;

	if (!surveys++)
		keep(NULL, 0, ncontexts);
	if (!total) {
		surveys = SURVEYS;
		return false;
	}
	add_up(total, ncontexts);
	more = choose(total, nregions, ncontexts);
	pscm_unmap(total, nregions * sizeof *total);
	if (!more)
		surveys = SURVEYS;
	return more;
}

bool brief_more(void)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);
	uint32_t nregions = regions_seen(ncontexts);
	struct total *total = nregions ? pscm_map(nregions * sizeof *total) : NULL;
	bool more;

	if (!total)
		return false;
	for (uint32_t r = 0; r < nregions; r++)
		total[r].was = brief_region(r);
	add_up(total, ncontexts);
	more = choose(total, nregions, ncontexts);
	if (more)
		keep(total, nregions, ncontexts);
	pscm_unmap(total, nregions * sizeof *total);
	return more;
}

/* --- dividing --------------------------------------------------------------------------------- */

/* Finds the groups: a context with markers, the head, and the brief ones that are measured with it.
 * Sums what the survey measured, and the markers in it, to the head. */
static void group(struct pscm_stat *stat, uint32_t ncontexts)
{
	for (uint32_t c = 0; c < ncontexts; c++) {
		struct pscm_stat *s = &stat[c];

		s->head = brief_context(c) ? stat[pscm_context_parent(c)].head : c;
		s->marks = s->head == c ? 0 : s->survey_calls;
		s->group_ns = s->group_marks = 0;
		stat[s->head].group_ns += s->survey_cpu;
		stat[s->head].group_marks += 2 * s->marks;
		if (s->head != c)
			stat[pscm_context_parent(c)].marks += s->survey_calls;
	}
}

/* The time of a context in the survey without its markers, one of which takes `each` ns. */
static double unmarked(const struct pscm_stat *s, double each)
{
	double ns = (double)s->survey_cpu - each * (double)s->marks;

	return ns > 0 ? ns : 0;
}

void brief_divide(struct pscm_stat *stat, uint32_t ncontexts)
{
	if (!any)
		return;
	group(stat, ncontexts);
	for (uint32_t c = 0; c < ncontexts; c++) {
		struct pscm_stat *s = &stat[c], *head = &stat[s->head];
		double more = (double)s->group_ns - (double)s->own_cpu;

		if (s == head) {
			s->each = s->group_marks && more > 0 ? more / (double)s->group_marks : 0;
			s->parts = 0;
		}
		head->parts += unmarked(s, head->each);
	}
	for (uint32_t c = 0; c < ncontexts; c++) {
		struct pscm_stat *s = &stat[c], *head = &stat[s->head];

		if (!head->group_marks || head->parts <= 0)
			continue;
		s->part_cpu = (uint64_t)((double)head->own_cpu * unmarked(s, head->each) /
			head->parts);
		if (s == head || !s->survey_calls || !head->own_cpu)
			continue;
		/* Too brief to lose its processor.  The CPU clock may be a little ahead. */
		s->wall_below = head->wall_below && head->wall_below < head->own_cpu ?
			(uint64_t)((double)s->part_cpu * (double)head->wall_below /
			(double)head->own_cpu) :
			s->part_cpu;
		s->entered = s->survey_calls;
	}
}
