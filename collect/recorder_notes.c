/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what the recorder of bursts says of itself, and says in the report what is missing. */
#include "collect/recorder_notes.h"

#include "analysis/findings/findings.h"

#define LOST_MATTERS 0.01       /* of samples, and of bursts, from which a note says what is
				 * missing */

void recorder_take(struct recorder_said *s, struct collection *c, const struct mon_result *r)
{
	s->answered = true;
	s->bursts = r->bursts;
	c->measured->pages = r->pages;
}

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
		[MON_BURSTS_STATIC] =
			"it is linked statically, so nothing can be loaded into it; the kernel "
			"sampled its time, and times are all that is known",
		[MON_BURSTS_ATTACHED] =
			"it ran already, so nothing was loaded into it; the kernel sampled its "
			"time, and times are all that is known",
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

int recorder_report(const struct recorder_said *s, struct report *out)
{
	if (!s->answered)
		return 0;
	out->children_time = (double)s->bursts.children_ns * 1e-9;
	if (s->bursts.refusal) {
		out->phase_warning = arena_printf(out->arena,
			"not all of its accesses were recorded: %s", reason(&s->bursts));
		if (!out->phase_warning)
			return -1;
	}
	if (s->bursts.refusal == MON_BURSTS_STATIC || s->bursts.refusal == MON_BURSTS_ATTACHED) {
		out->counts_source = "none: accesses are not known";
		out->times_source = "processor time in user mode: where each thread is, sampled by "
			"the kernel, on this host";
	}
	return note_losses(&s->bursts, out);
}
