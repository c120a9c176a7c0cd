/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that threads access over time, sampled by page faults of the process
 * beside the program (foreign/). */
#include "collect/collector.h"

#include <string.h>

#include <stdio.h>

#include "analysis/findings/findings.h"
#include "samples/page_host.h"

#define MIB (1024.0 * 1024)

/* Its figures come with the counts of bursts: no request is its own. */
static bool gives(const struct collection *c, const struct need *need)
{
	(void)c;
	(void)need;
	return false;
}

/* What a user would take for seen, and is not. */
static int note_untracked(const struct mon_pages *p, struct report *out)
{
	int rc = findings_note(out,
		arena_printf(out->arena,
		"%.3g MiB of the program's memory were tracked; up to %.3g MiB of other private "
		"memory were not: small blocks, stacks, and what docs/pages.md lists",
		(double)p->known / MIB, (double)p->untracked / MIB));

	if (!rc && p->other_maps)
		rc = findings_note(out,
			arena_printf(out->arena,
			"%llu large mappings of the program, %.3g MiB, were not tracked: they are "
			"reserved, executable, fixed or otherwise special",
			(unsigned long long)p->other_maps, (double)p->other_bytes / MIB));
	if (!rc && p->no_blocks)
		rc = findings_note(out,
			arena_printf(out->arena,
			"the program's allocator is not the C library's: its blocks are tracked "
			"as far as it maps memory for them"));
	return rc;
}

static int note_losses(const struct mon_pages *p, struct report *out)
{
	int rc = 0;

	if (p->file_error)
		rc = findings_note(out,
			arena_printf(out->arena, "the file of --pages is not whole: %s",
			strerror((int)p->file_error)));
	if (!rc && p->lost)
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
			"%llu times pages could not be armed: the program has locked them, or "
			"mapped other memory in their place",
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
			"no pages were sampled: the program's address space is limited, or the "
			"recorder could not come into it (docs/pages.md)"));
	if (findings_note(out,
	    arena_printf(out->arena,
	    "%spages were sampled by %llu page faults in %llu intervals, %llu of them first "
	    "touches; a fault takes %.2g us here, and those at armed pages took %.2g s of the program's processor time",
	    p->writes ? "written " : "", (unsigned long long)p->faults,
	    (unsigned long long)p->intervals,
	    (unsigned long long)p->first, (double)p->fault_ns * 1e-3, (double)p->spent_ns * 1e-9)))
		return -1;
	return note_losses(p, out) || (!p->writes && note_untracked(p, out)) ? -1 : 0;
}

static bool here(const char *recipes, char *text, size_t size)
{
	struct err err;
	const bool can = page_host_check(&err) == 0;

	(void)recipes;
	snprintf(text, size, "%s", can ? "page faults can be sampled" : err.text);
	return can;
}

const struct collector collector_page = {
	.name = "page",
	.what = "pages that threads access over time, by page faults within a budget; only if it "
		"is asked for (docs/pages.md)",
	.any_program = true,
	.gives = gives, .report = report, .here = here,
};
