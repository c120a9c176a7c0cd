/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a function and divides it into basic blocks. */
#include "binary/basic_blocks.h"

#include <stdlib.h>
#include <Zydis/Zydis.h>

/* The longest instruction of x86-64. */
#define LONGEST 15

static enum flow_kind kind_of(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return FLOW_CALL;
	case ZYDIS_CATEGORY_COND_BR:
		return FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return i->raw.imm[0].is_relative ? FLOW_JUMP : FLOW_INDIRECT;
	case ZYDIS_CATEGORY_RET:
		return FLOW_END;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return FLOW_NOP;
	default:
		return i->mnemonic == ZYDIS_MNEMONIC_UD2 || i->mnemonic == ZYDIS_MNEMONIC_HLT ||
			i->mnemonic == ZYDIS_MNEMONIC_INT3 ? FLOW_END : FLOW_PLAIN;
	}
}

static void decode_one(const ZydisDecoder *d, const struct flow_code *c, size_t at,
	struct flow_insn *to)
{
	size_t left = c->size - at;
	ZydisDecodedInstruction i;

	*to = (struct flow_insn){ .address = c->address + at, .length = 1, .kind = FLOW_END };
	if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(d, NULL, c->bytes + at, left < LONGEST ?
	    left : LONGEST, &i)))
		return;
	to->length = i.length;
	to->kind = (uint8_t)kind_of(&i);
	if (to->kind > FLOW_NOP && i.raw.imm[0].is_relative)
		to->target = to->address + i.length + (uint64_t)i.raw.imm[0].value.s;
}

static int decode(struct code_flow *f, const struct flow_code *code, uint32_t ncode)
{
	uint32_t cap = 0;
	ZydisDecoder d;

	if (ZYAN_FAILED(ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
		return -1;
	for (uint32_t c = 0; c < ncode; c++)
		for (size_t at = 0; at < code[c].size; at += f->insns[f->ninsns++].length) {
			if (f->ninsns == cap) {
				struct flow_insn *p = realloc(f->insns, (cap * 2 + 64) * sizeof *p);

				if (!p)
					return -1;
				f->insns = p;
				cap = cap * 2 + 64;
			}
			decode_one(&d, &code[c], at, &f->insns[f->ninsns]);
		}
	return 0;
}

uint32_t flow_insn_at(const struct code_flow *f, uint64_t address)
{
	uint32_t low = 0, high = f->ninsns;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f->insns[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && address - f->insns[low - 1].address < f->insns[low - 1].length ? low - 1 :
		FLOW_NONE;
}

/* The instruction that a jump of the function goes to; FLOW_NONE: it leaves the function. */
static uint32_t target_insn(const struct code_flow *f, const struct flow_insn *i)
{
	uint32_t to = i->target && i->kind != FLOW_CALL ? flow_insn_at(f, i->target) : FLOW_NONE;

	return to != FLOW_NONE && f->insns[to].address == i->target ? to : FLOW_NONE;
}

static bool ends_block(const struct flow_insn *i)
{
	return i->kind > FLOW_CALL;
}

static bool follows(const struct flow_insn *i, const struct flow_insn *next)
{
	return i->address + i->length == next->address;
}

/* A block begins at the entry, at the target of a jump, behind a jump, and at a new piece. */
static int make_blocks(struct code_flow *f, uint32_t entry)
{
	bool *leads = calloc(f->ninsns ? f->ninsns : 1, sizeof *leads);
	uint32_t n = 0;

	if (!leads)
		return -1;
	leads[entry] = true;
	for (uint32_t i = 0; i < f->ninsns; i++) {
		uint32_t to = target_insn(f, &f->insns[i]);

		if (to != FLOW_NONE)
			leads[to] = true;
	}
	/* What stands behind a jump to align the next block is never executed. */
	for (uint32_t i = 1; i < f->ninsns; i++)
		if (f->insns[i].kind == FLOW_NOP && !leads[i] && f->insns[i - 1].kind >= FLOW_JUMP)
			f->insns[i].kind = FLOW_END;
	for (uint32_t i = 0; i < f->ninsns; i++)
		if (i == 0 || ends_block(&f->insns[i - 1]) ||
		    !follows(&f->insns[i - 1], &f->insns[i]))
			leads[i] = true;
	for (uint32_t i = 0; i < f->ninsns; i++)
		n += leads[i];
	f->blocks = calloc(n ? n : 1, sizeof *f->blocks);
	for (uint32_t i = 0; f->blocks && i < f->ninsns; i++) {
		if (leads[i])
			f->blocks[f->nblocks++] = (struct flow_block){ .first = i,
				.loop = FLOW_NONE };
		f->insns[i].block = f->nblocks - 1;
		f->blocks[f->nblocks - 1].n++;
	}
	f->entry = f->ninsns ? f->insns[entry].block : 0;
	free(leads);
	return f->blocks ? 0 : -1;
}

/* Writes the successors of block b that its last instruction tells; returns
 * their number, at most 2. */
static uint32_t successors(const struct code_flow *f, uint32_t b, uint32_t to[2])
{
	uint32_t last = f->blocks[b].first + f->blocks[b].n - 1, n = 0, t;
	const struct flow_insn *i = &f->insns[last];

	t = target_insn(f, i);
	if (t != FLOW_NONE)
		to[n++] = f->insns[t].block;
	if (i->kind != FLOW_JUMP && i->kind != FLOW_INDIRECT && i->kind != FLOW_END &&
	    last + 1 < f->ninsns && follows(i, &f->insns[last + 1]) && (!n || to[0] != b + 1))
		to[n++] = b + 1;
	return n;
}

/* Where the targets of an indirect jump are not known, it is taken to go to the blocks behind it
 * that nothing else goes to: so compilers lay out the cases of a switch.  dispatch[b]: the block
 * with the indirect jump that goes to block b; FLOW_NONE. */
static void dispatches(const struct code_flow *f, uint32_t *dispatch)
{
	uint32_t jump = FLOW_NONE, to[2];

	for (uint32_t b = 0; b < f->nblocks; b++)
		dispatch[b] = 0;
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t k = successors(f, b, to); k--;)
			dispatch[to[k]] = 1;
	for (uint32_t b = 0; b < f->nblocks; b++) {
		dispatch[b] = dispatch[b] || b == f->entry ? FLOW_NONE : jump;
		if (f->insns[f->blocks[b].first + f->blocks[b].n - 1].kind == FLOW_INDIRECT)
			jump = b;
	}
}

/* 0; -1: out of memory. */
static int make_edges(const struct code_flow *f, const uint32_t *dispatch, struct flow_edges *e)
{
	uint32_t n = 0, to[2];

	e->from = calloc(f->nblocks + 2, sizeof *e->from);
	e->to = calloc((size_t)f->nblocks * 3 + 1, sizeof *e->to);
	if (!e->from || !e->to)
		return -1;
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (dispatch[b] != FLOW_NONE)
			e->from[dispatch[b] + 1]++;
	for (uint32_t b = 0; b < f->nblocks; b++)
		e->from[b + 1] += successors(f, b, to);
	for (uint32_t b = 0; b < f->nblocks; b++)
		e->from[b + 1] += e->from[b];
	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t k = successors(f, b, to);

		n = e->from[b];
		for (uint32_t i = 0; i < k; i++)
			e->to[n++] = to[i];
		if (f->insns[f->blocks[b].first + f->blocks[b].n - 1].kind != FLOW_INDIRECT)
			continue;
		for (uint32_t c = b + 1; n < e->from[b + 1]; c++)
			if (dispatch[c] == b)
				e->to[n++] = c;
	}
	return 0;
}

int code_flow_make(struct code_flow *f, const struct flow_code *code, uint32_t ncode,
	uint64_t entry)
{
	struct flow_edges e = { NULL, NULL };
	uint32_t *dispatch, first;
	int ret = -1;

	*f = (struct code_flow){ 0 };
	if (decode(f, code, ncode) < 0) {
		code_flow_free(f);
		return -1;
	}
	first = flow_insn_at(f, entry);
	if (make_blocks(f, first == FLOW_NONE ? 0 : first) < 0) {
		code_flow_free(f);
		return -1;
	}
	dispatch = malloc((f->nblocks + 1) * sizeof *dispatch);
	if (dispatch) {
		dispatches(f, dispatch);
		if (make_edges(f, dispatch, &e) == 0)
			ret = flow_loops(f, &e);
	}
	free(dispatch);
	free(e.from);
	free(e.to);
	if (ret < 0)
		code_flow_free(f);
	return ret;
}

void code_flow_free(struct code_flow *f)
{
	free(f->insns);
	free(f->blocks);
	free(f->loops);
	*f = (struct code_flow){ 0 };
}
