/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose loops the loops of the control flow are, and on which lines of the source they are.
 *
 * A loop belongs to the innermost function, inlined or not, that has nearly all of its
 * instructions: compilers mix a few of the surroundings into it.  One of a function of the system
 * belongs to the user's function around it. */
#include "binary/analysis.h"

#include <limits.h>

/* Part of a loop's instructions that its function has. */
#define SHARE 0.9
/* Instructions at the end of a block that count, compare and jump. */
#define TAIL 3

static bool loop_has(const struct code_flow *f, uint32_t loop, uint32_t block)
{
	uint32_t l = f->blocks[block].loop;

	while (l != FLOW_NONE && l != loop)
		l = f->loops[l].parent;
	return l == loop;
}

/* Instructions of the loop, and of them those of the scope. */
static void count_insns(const struct analysis *a, uint32_t loop, uint32_t scope, uint32_t *all,
	uint32_t *in)
{
	*all = *in = 0;
	for (uint32_t b = 0; b < a->flow.nblocks; b++) {
		if (!loop_has(&a->flow, loop, b))
			continue;
		*all += a->flow.blocks[b].n;
		for (uint32_t i = 0; i < a->flow.blocks[b].n; i++) {
			uint32_t s = a->scope_of[a->flow.blocks[b].first + i];

			*in += s >= scope && s <= a->scopes[scope].last;
		}
	}
}

static uint32_t common(const struct analysis *a, uint32_t s, uint32_t t)
{
	while (t < s || t > a->scopes[s].last)
		s = a->scopes[s].parent;
	return s;
}

static uint32_t owner(const struct analysis *a, uint32_t loop)
{
	uint32_t s = a->scope_of[a->flow.loops[loop].latch], all, in, lifted;

	for (; s; s = a->scopes[s].parent) {
		count_insns(a, loop, s, &all, &in);
		if (in >= all * SHARE)
			break;
	}
	for (lifted = s; lifted && a->scopes[lifted].system;)
		lifted = a->scopes[lifted].parent;
	return lifted;
}

static struct source_line smaller(struct source_line best, struct source_line l)
{
	return l.line > 0 && (!best.line || (l.file == best.file && l.line < best.line)) ? l : best;
}

/* The least line of the last instructions of a block. */
static struct source_line end_of_block(const struct analysis *a, uint32_t block, uint32_t scope,
	struct source_line best)
{
	const struct flow_block *b = &a->flow.blocks[block];

	for (uint32_t k = 0; k < TAIL && k < b->n; k++)
		best = smaller(best, analysis_level_line(a, b->first + b->n - 1 - k, scope));
	return best;
}

static bool goes_out(const struct analysis *a, uint32_t loop, uint32_t insn)
{
	return insn == FLOW_NONE || insn >= a->flow.ninsns ||
		!loop_has(&a->flow, loop, a->flow.insns[insn].block);
}

/* Whether a block of the loop ends with a branch out of it. */
static bool exits(const struct analysis *a, uint32_t loop, uint32_t block)
{
	const struct flow_block *b = &a->flow.blocks[block];
	const struct flow_insn *last = &a->flow.insns[b->first + b->n - 1];

	return last->kind == FLOW_BRANCH &&
		(goes_out(a, loop, flow_insn_at(&a->flow, last->target)) ||
		goes_out(a, loop, b->first + b->n));
}

/* The least line of where the loop turns back and of where it is left: compilers give the
 * increment, the comparison and the jump of a for loop its line. */
static struct source_line tail_line(const struct analysis *a, uint32_t loop, uint32_t scope)
{
	uint32_t latch = a->flow.insns[a->flow.loops[loop].latch].block;
	struct source_line best = end_of_block(a, latch, scope, (struct source_line){ "", 0 });

	for (uint32_t b = 0; b < a->flow.nblocks; b++)
		if (a->flow.blocks[b].loop == loop && exits(a, loop, b))
			best = end_of_block(a, b, scope, best);
	return best;
}

struct extent {                 /* the lines of a loop in one file */
	int low, high;
	uint32_t n, below;      /* instructions with a line; those before the line of the jump
				 * back */
};

static struct extent measure(const struct analysis *a, uint32_t loop, uint32_t scope,
	const char *file, int jump)
{
	struct extent e = { INT_MAX, 0, 0, 0 };

	for (uint32_t b = 0; b < a->flow.nblocks; b++) {
		if (!loop_has(&a->flow, loop, b))
			continue;
		for (uint32_t i = 0; i < a->flow.blocks[b].n; i++) {
			struct source_line l = analysis_level_line(a, a->flow.blocks[b].first + i,
				scope);

			if (l.line <= 0 || l.file != file)
				continue;
			e.n++;
			e.below += l.line < jump;
			e.low = l.line < e.low ? l.line : e.low;
			e.high = l.line > e.high ? l.line : e.high;
		}
	}
	return e;
}

/* A loop most of whose text stands before the line of its jump tests at its end: it begins with the
 * first line of its first block. */
static void find_line(struct analysis *a, uint32_t loop)
{
	struct loop_place *p = &a->loops[loop];
	const struct flow_block *head = &a->flow.blocks[a->flow.loops[loop].header];
	struct source_line jump = analysis_level_line(a, a->flow.loops[loop].latch, p->scope);
	struct extent e;

	p->at = tail_line(a, loop, p->scope);
	for (uint32_t i = 0; !p->at.line && i < head->n; i++)
		p->at = smaller(p->at, analysis_level_line(a, head->first + i, p->scope));
	if (!p->at.line)
		return;
	e = measure(a, loop, p->scope, p->at.file, jump.file == p->at.file ? jump.line : 0);
	p->end_line = e.high;
	for (uint32_t i = 0; e.below * 2 > e.n && i < head->n; i++)
		p->at = smaller(p->at, analysis_level_line(a, head->first + i, p->scope));
}

void analysis_loops(struct analysis *a)
{
	for (uint32_t l = a->flow.nloops; l--;) {
		uint32_t parent = a->flow.loops[l].parent;

		a->loops[l].scope = a->loops[l].scope == BINARY_NONE ? owner(a, l) :
			common(a, owner(a, l), a->loops[l].scope);
		if (parent != FLOW_NONE)
			a->loops[parent].scope = a->loops[parent].scope == BINARY_NONE ?
				a->loops[l].scope :
				common(a, a->loops[parent].scope, a->loops[l].scope);
		find_line(a, l);
	}
}
