/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of accesses of a program that our wrappers have not compiled: recorded in bursts by the
 * process beside it (foreign/), which simulates them by the machine model. */
#include "collect/counts.h"

#include "analysis/findings/findings.h"

#define LOST_MATTERS 0.01       /* of samples, and of bursts, from which a note says what is
				 * missing */

struct state {
	bool asked, answered;
	struct mon_bursts bursts;
};

static bool gives(const struct collection *c, const struct need *need)
{
	(void)need;
	return c->host->config->bursts;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct state *s = collection_state(c, &collector_burst);

	(void)needs;
	return counts_plan_whole_run(&s->asked, now, out);
}

static void note_recorder(struct collection *c, const struct mon_result *r)
{
	struct state *s = collection_state(c, &collector_burst);

	s->answered = true;
	s->bursts = r->bursts;
	c->measured->pages = r->pages;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	note_recorder(c, r);
	return counts_take(c, now, plan, r, err);
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	note_recorder(c, r);
	return r->reason == MON_DROP_BURSTS;
}

/* --- notes ------------------------------------------------------------------------------------ */

/* Why nothing, or not all, was recorded; continues "its accesses were not recorded: ". */
static const char *reason(const struct mon_bursts *b)
{
	static const char *const text[] = {
		[MON_BURSTS_VERSION] = "libpscburst.so and psc_foreign are not of one build",
		[MON_BURSTS_MAP] =
			"the recorder's memory could not be mapped in the program: a limit of its addresses (ulimit -v) leaves too little",
		[MON_BURSTS_EXECUTION] = "the recorder's memory may not be executed in the program",
		[MON_BURSTS_SHADOW] = "the kernel checks its return addresses (shadow stacks)",
		[MON_BURSTS_GS] = "it uses the register %gs, which the recorder needs",
		[MON_BURSTS_TIMER] = "there is no timer of its processor time here",
		[MON_BURSTS_RUNTIME] =
			"its run-time system has threads and signals of its own (Go)",
		[MON_BURSTS_XSAVE] =
			"the processor cannot save all its registers as the recorder needs it",
		[MON_BURSTS_SANDBOX] =
			"it has forbidden itself system calls (seccomp); what was recorded before counts",
		[MON_BURSTS_EXEC] =
			"it has become another program by exec, which was not recorded: name that one in the command",
		[MON_BURSTS_NOT_LOADED] =
			"libpscburst.so was not loaded into it, or it ended before",
	};

	return text[b->refusal];
}

static int note_losses(const struct mon_bursts *b, struct report *out)
{
	const double samples = (double)(b->samples + b->samples_lost),
		bursts = (double)(b->bursts + b->no_code);
	int rc = 0;

	if ((double)b->samples_lost > LOST_MATTERS * samples)
		rc = findings_note(out,
			arena_printf(out->arena, "%.2g %% of the samples of its time were lost",
			100 * (double)b->samples_lost / samples));
	if (!rc && (double)b->no_code > LOST_MATTERS * bursts)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%.2g %% of the bursts could not begin, in code that is in no file or "
			"that the recorder does not know: what it does is not counted",
			100 * (double)b->no_code / bursts));
	if (!rc && b->heap_lost)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%llu allocations came faster than they could be noted: their blocks have "
			"no name", (unsigned long long)b->heap_lost));
	if (!rc && b->threads_lost)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%llu threads were not recorded: there were too many at once",
			(unsigned long long)b->threads_lost));
	return rc;
}

static int report(const struct collection *c, struct report *out)
{
	const struct state *s = collection_state(c, &collector_burst);

	if (!s->answered)
		return 0;
	out->children_time = (double)s->bursts.children_ns * 1e-9;
	if (s->bursts.refusal) {
		out->phase_warning = arena_printf(out->arena,
			"not all of its accesses were recorded: %s", reason(&s->bursts));
		if (!out->phase_warning)
			return -1;
	}
	return note_losses(&s->bursts, out);
}

static const char *describe(void)
{
	return "burst: every access of short bursts of the program's own instructions (all refs), simulated by the machine "
		"model; each region's counts stand for its processor time, which samples tell";
}

const struct collector collector_burst = {
	.name = "burst",
	.what = "accesses and misses of programs that our compiler wrappers have not compiled: "
		"recorded in short bursts",
	.progress = "counts",
	.metrics = { METRIC_COUNTS },
	.any_program = true,
	.state = sizeof(struct state),
	.gives = gives, .plan = plan, .take = take, .refused = refused, .report = report,
	.describe = describe,
};
