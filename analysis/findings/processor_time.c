/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the parts of the phase's processor time, and the places that they are spent at. */
#include "analysis/findings/findings.h"

#include <math.h>
#include <string.h>

#include "analysis/measure/kernel_use.h"
#include "analysis/measure/cpu_parts.h"

/* Moves the text to the arena; *failed: memory.  NULL: it is empty. */
static const char *kept(struct report *r, struct buf *text, bool *failed)
{
	const char *copy = text->len ? arena_strdup(r->arena, buf_str(text)) : NULL;

	*failed |= text->failed || (text->len && !copy);
	buf_free(text);
	return copy;
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* "append grow.c:15" */
static void put_place(struct buf *b, const struct measurements *p, uint32_t context)
{
	const struct sir_region *r;
	uint32_t unit;

	if (context == NO_CONTEXT || p->contexts[context].region == SIR_NONE)
		return;
	r = &p->sir->regions[p->contexts[context].region];
	unit = measured_unit_of(p, context);
	if (unit != SIR_NONE)
		buf_printf(b, "%s ", p->sir->regions[unit].name);
	buf_printf(b, "%s:%d", base_name(r->file ? r->file : "?"), (int)r->line);
}

static void fill_figures(struct report *r, const struct cpu_parts *parts,
	const struct kernel_use *use)
{
	r->computing_time = parts->computing;
	if (!isnan(parts->branches))
		r->branch_time = parts->branches;
	r->computing_low = parts->computing_low;
	r->computing_high = parts->computing_high;
	r->kernel_time = parts->kernel;
	r->fault_time = parts->faults;
	r->library_time = parts->library;
	r->unexplained_time = parts->unexplained;
	r->faults = use->faults;
	r->major_faults = use->major;
}

int findings_processor_time(const struct measurements *p, struct report *r)
{
	struct buf calls = BUF_INIT, math = BUF_INIT, blocks = BUF_INIT, place = BUF_INIT;
	const struct kernel_use use = kernel_use_phase(p);
	struct cpu_parts parts;
	bool failed = false;

	measured_cpu_parts(p, &parts);
	fill_figures(r, &parts, &use);
	if (parts.library > 0)
		measured_library_calls(p, &calls);
	if (parts.computing > 0)
		measured_math_calls(p, &math);
	if (parts.faults > 0) {
		measured_fault_blocks(p, &blocks);
		put_place(&place, p, measured_fault_context(p));
	}
	r->library_calls = kept(r, &calls, &failed);
	r->math_calls = kept(r, &math, &failed);
	r->fault_blocks = kept(r, &blocks, &failed);
	r->fault_place = kept(r, &place, &failed);
	return failed ? -1 : 0;
}
