/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what slices counted of an execution, and what they could not. */
#include "analysis/findings/slice_texts.h"
#include "analysis/findings/findings.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/measure/slice_coverage.h"

#include <math.h>

/* Share of the time in regions without counts from which a note says so. */
static const double UNSEEN = 0.01;

/* The error of the phase's last-level misses, in percent of them. */
static double phase_error(const struct measurements *p)
{
	struct tally all;
	double error;

	if (!measured_tally(p, 0, MON_ANY, &all))
		return 0;
	error = sampling_error_misses(p, &all) / tally_misses(p, &all, measured_last_level(p));
	return isfinite(error) ? 100 * error : 0;
}

/* Why slices were counted. */
static const char *reason(struct report *r, const struct run_config *c)
{
	if (c->timed_ns)
		return "code that a span of time finds open cannot be recorded";
	if (!c->slow_budget)
		return "recording all of it would exceed --max-slowdown";
	return arena_printf(r->arena,
		"recording all of it would add more than %llu s, and more than the program had "
		"run; --max-slowdown none records all",
		(unsigned long long)(c->slow_ns / 1000000000));
}

/* Bursts are slices of any program (foreign/). */
static int bursts_head(struct report *r, const struct measurements *p)
{
	r->sampled = arena_printf(r->arena,
		"recorded in %u bursts, %.2g %% of the accesses, error +-%.2g %% of the phase's "
		"last-level misses: rates within a region come from bursts, and counts are scaled "
		"to the processor time that samples find. %.0f %% of the accesses are divided "
		"among regions as bursts hold them; for the others the costs of this host tell, "
		"which may be wrong by a factor of 3. What the caches held when a burst began is "
		"not known: its first quarter is simulated and not counted, and the first access "
		"to a line counts as a miss of the last level if its structure fills that level, "
		"else as a hit; ranges and intervals have both cases. With 95 %% probability "
		"misses lie within the interval after +-. Accesses are estimates, too, without an "
		"interval",
		p->sample.slices, 100 * r->sample_share, phase_error(p), 100 * p->divided);
	return r->sampled ? 0 : -1;
}

int slice_texts_head(struct report *r, const struct measurements *p, const struct run_config *c)
{
	double share = slice_coverage_counted(p);

	r->sample_share = isnan(share) ? 0 : share;
	if (c->bursts)
		return bursts_head(r, p);
	r->slowdown_limited = !c->timed_ns;
	r->sampled = arena_printf(r->arena, "counted in %u slices, %.2g %% of the execution, error "
		"+-%.2g %% of the phase's last-level misses: %s. All counts are scaled to the whole execution by how often each "
		"region ran; with 95 %% probability misses lie within the interval after +-. "
		"Accesses are estimates, too, without an interval", p->sample.slices,
		100 * r->sample_share, phase_error(p), reason(r, c));
	return r->sampled ? 0 : -1;
}

static int unseen_note(struct report *r, const struct measurements *p)
{
	uint32_t worst;
	double unseen = slice_coverage_unseen(p, &worst);
	struct buf label = BUF_INIT;
	int rc;

	r->unseen_share = unseen;
	if (!(unseen >= UNSEEN) || worst == NO_CONTEXT || p->contexts[worst].region == SIR_NONE)
		return 0;
	sir_region_label(&p->sir->regions[p->contexts[worst].region], &label);
	rc = findings_note(r,
		arena_printf(r->arena, "regions with %.2g %% of the phase's processor time "
		"were in no %s, the longest of them %s: their accesses and misses are missing in "
		"all counts", 100 * unseen, r->bursts ? "burst" : "slice", buf_str(&label)));
	buf_free(&label);
	return rc;
}

int slice_texts_notes(struct report *r, const struct measurements *p)
{
	static const struct { uint32_t flag; const char *text; } notes[] = {
		{ MON_SLICE_NONE,
			"the phase was recorded in full, beyond --max-slowdown: it has too few calls "
			"of functions and iterations of outer loops where recording can begin or end, or too few "
			"accesses" },
		{ MON_SLICE_LONG,
			"some slices were much longer than planned: within a call or an iteration "
			"recording cannot end" },
		{ MON_SLICE_CUT, "slices took longer than planned: some were left out to keep "
			"--max-slowdown, so the next run may count others" },
		{ MON_SLICE_LINGER,
			"clean spans began while a call that slices had recorded had not returned: its own code "
			"takes longer there than it does natively" },
		{ MON_SLICE_STRAY,
			"some accesses in slices belong to regions that were not seen to be "
			"recorded: their counts are scaled by the mean of all regions" },
	};

	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
		if (p->slice_flags & notes[i].flag && findings_note(r, notes[i].text))
			return -1;
	return p->sample.slices ? unseen_note(r, p) : 0;
}
