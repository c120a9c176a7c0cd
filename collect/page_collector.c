/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that threads access over time, sampled by page faults of the process
 * beside the program (foreign/). */
#include "collect/collector.h"

#include "analysis/findings/findings.h"

/* Its figures come with the counts of bursts: no request is its own. */
static bool gives(const struct collection *c, const struct need *need)
{
	(void)c;
	(void)need;
	return false;
}

static int note_losses(const struct mon_pages *p, struct report *out)
{
	int rc = 0;

	if (p->lost)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%llu of %llu page faults were lost: there was no room for them",
			(unsigned long long)p->lost, (unsigned long long)(p->lost + p->faults)));
	if (!rc && p->groups)
		rc = findings_note(out,
			arena_printf(out->arena,
			"this kernel brings up to 16 pages at a fault that reads: of pages that are "
			"read, fewer are seen"));
	if (!rc && p->not_armed)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%llu times pages could not be armed: the program has locked them",
			(unsigned long long)p->not_armed));
	return rc;
}

static int report(const struct collection *c, struct report *out)
{
	const struct mon_pages *p = &c->measured->pages;

	if (!p->asked)
		return 0;
	if (!p->sampled)
		return findings_note(out,
			arena_printf(out->arena,
			"no pages were sampled: the program's allocator is not the C library's, "
			"or its address space is limited (docs/pages.md)"));
	if (findings_note(out,
	    arena_printf(out->arena,
	    "pages were sampled by %llu page faults in %llu intervals, %llu of them first touches; "
	    "a fault takes %.2g us here, and those at armed pages took %.2g s of the program's processor time",
	    (unsigned long long)p->faults, (unsigned long long)p->intervals,
	    (unsigned long long)p->first, (double)p->fault_ns * 1e-3, (double)p->spent_ns * 1e-9)))
		return -1;
	return note_losses(p, out);
}

const struct collector collector_page = {
	.name = "page",
	.what = "pages that threads access over time, by page faults within a budget; only if it "
		"is asked for (docs/pages.md)",
	.any_program = true,
	.gives = gives, .report = report,
};
