/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes descriptors of records from the recorder's tables, and records from its words. */
#include "config.h"
#include "foreign/block_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"

/* Of a block whose code could not be read: instructions that a core starts in a
 * cycle where nothing waits. */
enum { INSTRUCTIONS_A_CYCLE = 4 };
/* Groups and words of an access: of a load and store, or a gather with its lanes. */
enum { GROUPS_MOST = 64 };
/* At a burst's begin, while there are blocks of which not enough is known. */
enum { LEARNED_BLOCKS = 4096 };

void block_code_begin(struct block_code *c, struct code_contexts *places)
{
	*c = (struct block_code){ .places = places, .predictor = calloc(1, sizeof *c->predictor) };
}

void block_code_forget(struct block_code *c)
{
	c->changes++;
	for (uint32_t i = 0; i < c->room; i++) {
		free(c->block[i].piece);
		free(c->block[i].access);
		flow_block_free(&c->block[i].flow);
		c->block[i] = (struct code_block){ 0 };
	}
}

void block_code_end(struct block_code *c)
{
	block_code_forget(c);
	free(c->predictor);
	free(c->block);
	*c = (struct block_code){ 0 };
}

/* --- descriptors ------------------------------------------------------------------------------ */

/* Accesses of 1 to 2^16 bytes are plausible; those without a recorded address have no group. */
static uint32_t groups_of(const struct burst_access *a)
{
	switch (a->kind) {
	case BURST_UNKNOWN: return 0;
	case BURST_LANES: return a->lanes;
	default: return a->does == (BURST_LOAD | BURST_STORE) ? 2 : 1;
	}
}

static bool access_ok(const struct burst_access *a)
{
	static const uint8_t words[] = { [BURST_WORD] = 1, [BURST_WORD_FS] = 1, [BURST_STRING] = 2,
		[BURST_STACK] = 1,
		[BURST_LANES] = 3, [BURST_UNKNOWN] = 0 };

	if (a->kind == BURST_UNKNOWN)
		return !a->words;
	return a->kind < BURST_UNKNOWN && a->size && a->size < 1 << 16 && a->does &&
		a->does <= (BURST_LOAD | BURST_STORE) && a->lanes <= GROUPS_MOST &&
		(a->kind == BURST_LANES ? a->words >= words[BURST_LANES] :
		a->words == words[a->kind]) && (a->kind != BURST_LANES ||
		((a->index_bytes == 4 || a->index_bytes == 8) &&
		a->words == 1 + (a->mask_bytes ? (a->lanes * a->mask_bytes + 7) / 8 : 1) +
		(a->lanes * a->index_bytes + 7) / 8));
}

/* The load half of a copy is followed by the store half of the same instruction. */
static bool begins_copy(const struct burst_access *a, uint32_t left)
{
	return a->kind == BURST_STRING && a->does == BURST_LOAD && left > 1 &&
		a[1].kind == BURST_STRING && a[1].does == BURST_STORE && a[1].ip == a->ip;
}

static uint32_t *put_groups(const struct code_block *b, const struct burst_access *a, uint32_t left,
	uint32_t *out)
{
	const uint32_t chained = a->does & BURST_LOAD && flow_block_chained(&b->flow, a->ip) ?
		(uint32_t)PSC_DEP_CHAINED << PSC_GROUP_DEPENDENCE_SHIFT : 0;
	const uint32_t kind = a->does & BURST_LOAD ? PSC_LOAD | chained : (uint32_t)PSC_STORE;

	if (a->kind == BURST_STRING) {
		*out++ = (a->does & BURST_LOAD ? PSC_LOAD_RANGE : PSC_STORE_RANGE) |
			(begins_copy(a, left) ? PSC_GROUP_COPY : 0);
		return out;
	}
	for (uint32_t i = groups_of(a); i > 0; i--)
		*out++ = a->size << 2 | (a->does == (BURST_LOAD | BURST_STORE) &&
			i == 1 ? (uint32_t)PSC_STORE : kind);
	return out;
}

/* Mispredicted branches of an execution. */
static uint16_t mispredicts_of(const struct code_block *b)
{
	return b->branches ?
		(uint16_t)((PSC_WORK_MISPREDICT_UNIT * (uint64_t)b->mispredicted + b->branches /
		2) / b->branches) : 0;
}

/* The work of a block, which belongs to its first piece. */
static struct psc_work work_of(const struct code_block *b)
{
	const uint32_t carried = flow_block_carried(&b->flow, PSC_WORK_UNIT);
	const uint32_t throughput = b->flow.n ? flow_block_throughput(&b->flow, PSC_WORK_UNIT) :
		b->instructions * PSC_WORK_UNIT / INSTRUCTIONS_A_CYCLE;
	bool chained = false;

	for (uint32_t i = 0; i < b->naccesses && !chained; i++)
		chained = b->access[i].does & BURST_LOAD &&
			flow_block_chained(&b->flow, b->access[i].ip);
	return (struct psc_work){ .statements = b->instructions,
		.throughput = (uint16_t)throughput,
		.carried = (uint16_t)(carried < UINT16_MAX ? carried : UINT16_MAX),
		.mispredicts = mispredicts_of(b), .flags = chained ? PSC_WORK_IN_CHAIN : 0 };
}

/* Writes the descriptor of a piece; returns where it ends. */
static char *put_segment(const struct code_block *b, const struct code_piece *p, uint32_t line,
	bool first, char *at)
{
	struct psc_segment *s = (struct psc_segment *)(void *)at;
	uint32_t *groups = (uint32_t *)(void *)(s + 1), *out = groups;
	uint32_t words = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct burst_access *a = &b->access[p->first + i];

		words += groups_of(a) * (a->kind == BURST_STRING ? 2 : 1);
		out = put_groups(b, a, b->naccesses - p->first - i, out);
	}
	*s = (struct psc_segment){ .nwords = (uint16_t)words, .ngroups = (uint16_t)(out - groups),
		.naccess = (uint16_t)(out - groups), .length = (uint16_t)(out - groups),
		.line = line };
	if (first)
		s->work = work_of(b);
	return (char *)(out + ((out - groups) & 1));
}

/* Does the piece of access `i` begin there? */
static bool piece_begins(const struct place *before, const struct place *here)
{
	return before->context != here->context || before->line != here->line;
}

static int make_pieces(struct block_code *c, struct code_block *b)
{
	struct place place = places_at(c->places, b->ip), before = place;
	uint32_t groups = 0, pieces = 1, n = 0;
	struct code_piece *made;
	char *at;

	for (uint32_t i = 0; i < b->naccesses; i++) {
		const struct place here = places_at(c->places, b->access[i].ip);

		groups += groups_of(&b->access[i]);
		pieces += piece_begins(&before, &here);
		before = here;
	}
	if (2 * groups + 2 * pieces > BLOCK_CODE_WORDS)
		return -1;
	made = malloc(pieces * (sizeof *b->piece + sizeof(struct psc_segment) + 8) + groups *
		sizeof(uint32_t) + 8);
	if (!made)
		return -1;
	free(b->piece);
	b->piece = made;
	b->made_with = b->flow.executions;
	c->changes++;
	at = (char *)(b->piece + pieces);
	for (uint32_t i = 0; i <= b->naccesses; n++) {
		struct code_piece *p = &b->piece[n];

		*p = (struct code_piece){ place.context, i, 0, n == 0,
			(uint64_t)(uintptr_t)at };
		for (before = place; i < b->naccesses; i++, p->n++) {
			place = places_at(c->places, b->access[i].ip);
			if (piece_begins(&before, &place))
				break;
			p->words += b->access[i].words;
		}
		at = put_segment(b, p, before.line, n == 0, at);
		if (i == b->naccesses)
			break;
	}
	b->npieces = n + 1;
	return 0;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static bool block_ok(const struct burst_block *b)
{
	return b->first <= BURST_ACCESSES && b->accesses <= BURST_ACCESSES - b->first && b->words &&
		b->words <= BURST_BLOCK_WORDS;
}

/* Copies what the tables say of the block, and checks it. */
static int copy_block(struct block_code *c, struct code_block *b, const char *slot,
	const struct burst_block *from)
{
	const struct burst_access *all = (const struct burst_access *)(const void *)(slot +
		BURST_ACCESSES_AT);
	uint32_t words = 1;

	b->access = malloc((from->accesses + 1u) * sizeof *b->access);
	if (!b->access)
		return -1;
	memcpy(b->access, all + from->first, from->accesses * sizeof *b->access);
	b->naccesses = from->accesses;
	b->ip = from->ip;
	b->next = from->ip + from->bytes;
	b->instructions = from->instructions;
	b->words = from->words;
	for (uint32_t i = 0; i < b->naccesses; i++) {
		if (!access_ok(&b->access[i]))
			return -1;
		words += b->access[i].words;
		c->unknown += b->access[i].kind == BURST_UNKNOWN;
	}
	return words == b->words ? 0 : -1;
}

/* Without its code, nothing is known of a block's dependences. */
static void read_code(struct block_code *c, struct code_block *b, const struct burst_block *from)
{
	uint8_t code[4096];

	if (from->bytes <= sizeof code && images_code(c->places->images, from->ip, code,
	    from->bytes))
		flow_block_make(&b->flow, from->ip, code, from->bytes);
}

static int more_room(struct block_code *c, uint32_t number)
{
	uint32_t room = c->room ? c->room : 1024;
	struct code_block *more;

	while (room <= number)
		room *= 2;
	more = realloc(c->block, room * sizeof *more);
	if (!more)
		return -1;
	memset(more + c->room, 0, (room - c->room) * sizeof *more);
	c->block = more;
	c->room = room;
	return 0;
}

const struct code_block *block_code_at(struct block_code *c, const void *slot, uint64_t number)
{
	const struct burst_thread *t = slot;
	const struct burst_block *table =
		(const struct burst_block *)(const void *)((const char *)slot + BURST_BLOCKS_AT);
	struct burst_block from;
	struct code_block *b;

	if (number < c->room && c->block[number].piece)
		return &c->block[number];
	if (number >= BURST_BLOCKS || number >= atomic_load_explicit(&t->blocks,
	    memory_order_acquire) || (number >= c->room && more_room(c, (uint32_t)number)))
		return NULL;
	from = table[number];
	b = &c->block[number];
	if (!block_ok(&from))
		return NULL;
	if (copy_block(c, b, slot, &from) || (read_code(c, b, &from), make_pieces(c, b))) {
		flow_block_free(&b->flow);
		free(b->access);
		*b = (struct code_block){ 0 };
		return NULL;
	}
	return b;
}

/* --- dependences ------------------------------------------------------------------------------ */

/* Is something to be learned in the first words? */
static bool anything_new(struct block_code *c, const void *slot, const uint64_t *from,
	const uint64_t *end)
{
	for (uint32_t i = 0; i < LEARNED_BLOCKS && from < end; i++) {
		const struct code_block *b = block_code_at(c, slot, *from);

		if (!b)
			return false;
		if (b->flow.instruction && b->flow.executions < FLOW_ENOUGH)
			return true;
		from += b->words;
	}
	return false;
}

void block_code_learn(struct block_code *c, const void *slot, const uint64_t *from,
	const uint64_t *end)
{
	struct flow_registers registers = { 0 };

	if (!anything_new(c, slot, from, end))
		return;
	for (uint32_t i = 0; i < LEARNED_BLOCKS && from < end; i++) {
		const uint64_t number = *from;  /* once: the program may write there */
		const struct code_block *b = block_code_at(c, slot, number);

		if (!b)
			break;
		if (b->flow.instruction)
			flow_block_run(&c->block[number].flow, &registers);
		from += b->words;
	}
	for (uint32_t i = 0; i < c->room; i++)
		if (c->block[i].piece && c->block[i].made_with != c->block[i].flow.executions)
			make_pieces(c, &c->block[i]);
}

/* --- branches --------------------------------------------------------------------------------- */

void block_code_branch(struct block_code *c, uint64_t number, uint64_t to)
{
	struct code_block *b = number < c->room ? &c->block[number] : NULL;
	bool missed;

	if (!b || !b->piece || !c->predictor || b->flow.end == FLOW_GOES_ON)
		return;
	missed = b->flow.end == FLOW_CONDITIONAL ? branch_conditional(c->predictor, b->next,
		to != b->next) :
		branch_indirect(c->predictor, b->next, to);
	b->branches++;
	b->mispredicted += missed;
}

void block_code_tell_branches(struct block_code *c)
{
	for (uint32_t i = 0; i < c->room; i++) {
		const struct code_block *b = &c->block[i];

		if (b->piece && b->branches)
			((struct psc_segment *)(uintptr_t)b->piece[0].word)->work.mispredicts =
				mispredicts_of(b);
	}
}

/* --- records ---------------------------------------------------------------------------------- */

static int64_t element(const void *from, uint32_t i, uint32_t bytes)
{
	int64_t value = 0;
	int32_t narrow;

	if (bytes == 8) {
		memcpy(&value, (const char *)from + 8 * i, sizeof value);
		return value;
	}
	memcpy(&narrow, (const char *)from + 4 * i, sizeof narrow);
	return narrow;
}

static bool lane_is_on(const struct burst_access *a, const uint64_t *mask, uint32_t lane)
{
	if (!a->mask_bytes)
		return *mask >> lane & 1;
	return ((const uint8_t *)mask)[lane * a->mask_bytes + a->mask_bytes - 1] >> 7;
}

/* The addresses of a gather or scatter; 0 for lanes that are off. */
static uint64_t *put_lanes(const struct burst_access *a, const uint64_t *words, uint64_t *out)
{
	const uint64_t *mask = words + 1;
	const uint64_t *index = mask + (a->mask_bytes ? (a->lanes * a->mask_bytes + 7) / 8 : 1);

	for (uint32_t i = 0; i < a->lanes; i++)
		*out++ = lane_is_on(a, mask, i) ?
			words[0] + (uint64_t)(element(index, i, a->index_bytes) * a->scale) : 0;
	return out;
}

static uint64_t *put_string(const struct burst_access *a, const uint64_t *words, uint64_t *out)
{
	const bool upwards = words[1] > words[0];

	*out++ = upwards ? words[0] : words[1] + a->size;
	*out++ = upwards ? words[1] - words[0] : words[0] - words[1];
	return out;
}

static uint64_t *put_access(const struct burst_access *a, const uint64_t *words, uint64_t fs,
	uint64_t *out)
{
	uint64_t address;

	switch (a->kind) {
	case BURST_UNKNOWN: return out;
	case BURST_LANES: return put_lanes(a, words, out);
	case BURST_STRING: return put_string(a, words, out);
	case BURST_WORD_FS: address = words[0] + fs; break;
	case BURST_FIXED: address = a->address; break;
	case BURST_FIXED_FS: address = a->address + fs; break;
	default: address = words[0]; break;
	}
	*out++ = address;
	if (a->does == (BURST_LOAD | BURST_STORE))
		*out++ = address;
	return out;
}

void block_code_records(const struct code_block *b, const uint64_t *words, uint64_t fs,
	uint32_t *context, uint64_t **out)
{
	uint64_t *to = *out;

	for (uint32_t i = 0; i < b->npieces; i++) {
		const struct code_piece *p = &b->piece[i];

		if (p->context != PLACE_CALLER && p->context != *context) {
			*context = p->context;
			*to++ = (uint64_t)*context << 3 | PSC_REC_CONTEXT;
		}
		*to++ = p->word;
		for (uint32_t k = p->first; k < p->first + p->n; k++) {
			to = put_access(&b->access[k], words, fs, to);
			words += b->access[k].words;
		}
	}
	*out = to;
}

void block_code_accesses(const struct code_block *b, const uint64_t *words, uint64_t fs,
	void (*each)(void *to, const struct burst_access *a, uint64_t address), void *to)
{
	for (uint32_t k = 0; k < b->naccesses; k++) {
		const struct burst_access *a = &b->access[k];
		uint64_t address[2];

		if (a->kind != BURST_UNKNOWN && a->kind != BURST_LANES && a->kind != BURST_STRING) {
			put_access(a, words, fs, address);
			each(to, a, address[0]);
		}
		words += a->words;
	}
}
