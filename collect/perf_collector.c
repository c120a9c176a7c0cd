/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of accesses whose misses are those that the processor itself has sampled, with addresses:
 * the program runs under psc_foreign, whose proxy opens the host's unit (samples/).  Its accesses
 * are those of bursts. */
#include "collect/counts.h"
#include "collect/recorder_notes.h"

#include <stdio.h>

#include "analysis/findings/findings.h"
#include "samples/unit.h"

#define LOST_MATTERS 0.01 /* of samples, from which a note says that they were lost */
#define TOLD_MATTERS 0.95 /* of accesses, below which a note says that the rest is the model's */

struct state {
	bool asked;
	struct recorder_said recorder;
	struct mon_hardware said;
};

static bool gives(const struct collection *c, const struct need *need)
{
	(void)need;
	return c->host->config->bursts && c->host->config->samples;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct state *s = collection_state(c, &collector_perf);

	(void)needs;
	return counts_plan_whole_run(&s->asked, now, out);
}

static void take_said(struct collection *c, const struct mon_result *r)
{
	struct state *s = collection_state(c, &collector_perf);

	recorder_take(&s->recorder, c, r);
	s->said = r->hardware;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	take_said(c, r);
	return counts_take(c, now, plan, r, err);
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	take_said(c, r);
	return r->reason == MON_DROP_BURSTS || r->reason == MON_DROP_SAMPLES;
}

/* --- notes ------------------------------------------------------------------------------------ */

static int note_none(const struct mon_hardware *s, struct report *out)
{
	if (!s->opened)
		return findings_note(out,
			arena_printf(out->arena, "the processor's samples cannot be had: %s",
				s->why[0] ? s->why :
				"the process beside the program did not ask for them"));
	return findings_note(out,
		arena_printf(out->arena,
			"%s was opened, but no sample came: the program was too short, or the unit "
			"does not count here", s->unit));
}

static int note_ledger(const struct mon_hardware *s, struct report *out)
{
	const double all = (double)(s->samples + s->lost);
	int rc = findings_note(out,
		arena_printf(out->arena,
			"%s: %llu samples, one in about %llu events, %.3g %% of no access or the "
			"kernel's; lost %llu, throttled %llu times, cut or in collision %llu times, not "
			"understood %llu, of unknown threads %llu",
			s->unit, (unsigned long long)s->samples, (unsigned long long)s->period,
			s->samples ? 100 * (double)s->no_access / (double)s->samples : 0,
			(unsigned long long)s->lost, (unsigned long long)s->throttled,
			(unsigned long long)s->truncated, (unsigned long long)s->invalid,
			(unsigned long long)s->without_thread));

	if (!rc && s->left_out)
		rc = findings_note(out,
			arena_printf(out->arena,
				"%.3g %% of the processor's samples have addresses of structures "
				"that --sir leaves out",
				100 * (double)s->left_out / (double)s->samples));
	if (!rc && (double)s->lost > LOST_MATTERS * all)
		rc = findings_note(out,
			arena_printf(out->arena,
				"%.2g %% of the processor's samples were lost: shares are those of "
				"the rest",
				100 * (double)s->lost / all));
	if (!rc && s->accesses && (double)s->accesses_told < TOLD_MATTERS * (double)s->accesses)
		rc = findings_note(out,
			arena_printf(out->arena,
				"regions and structures with %.2g %% of the accesses have too few "
				"samples that tell where the data were (stores on most processors "
				"tell nothing): their misses are the model's",
				100 - 100 * (double)s->accesses_told / (double)s->accesses));
	return rc;
}

static int report(const struct collection *c, struct report *out)
{
	const struct state *s = collection_state(c, &collector_perf);

	if (recorder_report(&s->recorder, out))
		return -1;
	if (!s->recorder.answered)
		return 0;
	return s->said.opened && s->said.samples ? note_ledger(&s->said, out) :
		note_none(&s->said, out);
}

static const char *describe(void)
{
	return "perf: where accesses find their data, sampled by the processor; how many accesses "
		"there are, and their classes, from short bursts of the program's own instructions "
		"(all refs)";
}

static bool here(const char *recipes, char *text, size_t size)
{
	char name[SAMPLE_EVENT_NAME];
	struct err err;
	const bool can = sample_unit_try(name, sizeof name, &err) == 0;

	(void)recipes;
	snprintf(text, size, "%s", can ? name : err.text);
	return can;
}

const struct collector collector_perf = {
	.name = "perf",
	.what = "misses that the processor samples with their addresses (PEBS, IBS, SPE), of any "
		"program; only if it comes first in the list",
	.progress = "samples",
	.metrics = { METRIC_COUNTS },
	.any_program = true,
	.state = sizeof(struct state),
	.gives = gives, .plan = plan, .take = take, .refused = refused, .report = report,
	.describe = describe, .here = here,
};
