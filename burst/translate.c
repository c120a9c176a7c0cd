/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a slot: blocks, accesses, translated code.
 *
 * A signal of the program's may end a translation at any instruction: nothing counts before the
 * last two stores. */
#include <string.h>
#include "burst/emit_block.h"
#include "burst/translate.h"

enum { ROOM_BLOCK = 16 << 10 };

static uint32_t hash_of(uint64_t ip)
{
	return (uint32_t)((ip * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % SLOT_HASH;
}

/* Where `ip` is in the hash table, or would be. */
static uint32_t hash_slot(const struct slot *s, uint64_t ip)
{
	uint32_t at = hash_of(ip);

	while (s->hash[at] != 0 && s->blocks[s->hash[at]].ip != ip)
		at = (at + 1) % SLOT_HASH;
	return at;
}

/* New memory is zero, and most of its pages are never needed. */
static void clear_tables(struct slot *s)
{
	if (s->used == 0)
		return;
	memset(s->hash, 0, SLOT_HASH * sizeof *s->hash);
	memset(s->thread->targets, 0, sizeof s->thread->targets);
	memset(s->thread->entries, 0, sizeof s->thread->entries);
}

void burst_tables_reset(struct slot *s)
{
	struct emitter *e = &s->plan->emitter;

	clear_tables(s);
	s->change = atomic_load_explicit(&burst_header()->code_change, memory_order_acquire);
	s->unloads = atomic_load(&burst_live->unloads);
	s->thread->generation++;
	s->thread->accesses = 0;
	atomic_store_explicit(&s->thread->blocks, 1, memory_order_release);
	s->jumps = 0;
	emit_begin(e, s->code, s->code + ROOM_BLOCK);
	emit_jumps(e, 0);
	s->used = emit_offset(e);
}

/* Whether other code may be where some was translated. */
static bool code_changed(const struct slot *s)
{
	const struct burst_header *h = burst_header();

	return s->unloads != atomic_load(&burst_live->unloads) ||
		s->change != atomic_load_explicit(&h->code_change, memory_order_acquire);
}

bool burst_tables_stale(const struct slot *s)
{
	const struct burst_thread *t = s->thread;

	return s->used == 0 || code_changed(s) || s->used > BURST_CODE_BYTES / 4 * 3 ||
		t->accesses > BURST_ACCESSES / 4 * 3 ||
		atomic_load_explicit(&t->blocks, memory_order_relaxed) > BURST_BLOCKS / 4 * 3;
}

static bool tables_full(const struct slot *s)
{
	return s->used + ROOM_BLOCK > BURST_CODE_BYTES ||
		s->thread->accesses + PLAN_ACCESSES > BURST_ACCESSES ||
		atomic_load_explicit(&s->thread->blocks, memory_order_relaxed) >= BURST_BLOCKS;
}

static bool own_library(uint64_t ip)
{
	return ip >= burst_header()->own_low && ip < burst_header()->own_high;
}

static void write_rows(struct slot *s, const struct block_plan *p, uint32_t number)
{
	struct burst_block *b = &s->blocks[number];

	*b = (struct burst_block){ .ip = p->ip,
		.bytes = (uint32_t)(p->next - p->ip),
		.first = s->thread->accesses,
		.code = s->used,
		.accesses = p->accesses,
		.words = p->instructions > 0 ? p->words : 0,
		.instructions = p->instructions,
		.stack = p->stack,
		.scratch = (uint16_t)(p->address_register | p->words_register << 8)
	};
	for (uint16_t k = 0; k < p->accesses; k++)
		s->accesses[b->first + k] = p->access[k].row;
}

static void emit_at(struct slot *s, struct emitter *e, uint32_t number, uint32_t code)
{
	struct block_place place = {
		.number = number, .code = code, .jumps = s->jumps, .flags = burst_header()->flags
	};

	emit_block(e, s->plan, &place);
}

/* The recorder's own functions that the program calls (malloc) are translated, and what they access
 * is left out. */
static void plan(struct slot *s, uint64_t ip)
{
	struct block_plan *p = s->plan;

	burst_decode(p, ip, (burst_header()->flags & BURST_RECORD_STACK) != 0);
	if (!own_library(ip))
		return;
	for (uint16_t k = 0; k < p->instructions; k++)
		p->instruction[k].accesses = 0;
	p->accesses = p->stack = 0;
	p->words = 1;
}

uint32_t burst_block_at(struct slot *s, uint64_t ip, enum burst_status *why)
{
	struct block_plan *p = s->plan;
	uint32_t at = hash_slot(s, ip), number;

	if (s->hash[at] != 0)
		return s->hash[at];
	*why = BURST_END_CACHE;
	if (tables_full(s))
		return 0;
	plan(s, ip);
	*why = p->no_file ? BURST_END_NO_FILE : BURST_END_CODE;
	if (p->ending == ENDING_NONE)
		return 0;
	number = atomic_load_explicit(&s->thread->blocks, memory_order_relaxed);
	write_rows(s, p, number);
	emit_begin(&p->emitter, s->code + s->used, s->code + s->used + ROOM_BLOCK);
	emit_at(s, &p->emitter, number, s->used);
	if (p->emitter.full)
		return 0;
	s->thread->accesses += p->accesses;
	s->used += emit_offset(&p->emitter);
	atomic_store_explicit(&s->thread->blocks, number + 1, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	s->hash[at] = number;
	return number;
}

/* The last block that does not begin behind `offset`. */
static uint32_t block_of(const struct slot *s, uint32_t offset)
{
	uint32_t low = 1, high = atomic_load_explicit(&s->thread->blocks, memory_order_relaxed);

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (s->blocks[middle].code <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct mark burst_mark_at(struct slot *s, uint32_t offset, const struct burst_block **block)
{
	uint32_t number = block_of(s, offset), n;
	struct emitter *e = &s->plan->emitter;

	emit_begin(e, s->plan->again, s->plan->again + sizeof s->plan->again);
	if (offset < s->blocks[number].code ||
		atomic_load_explicit(&s->thread->blocks, memory_order_relaxed) < 2) {
		*block = NULL;
		emit_jumps(e, s->jumps);
		offset -= s->jumps;
	} else {
		*block = &s->blocks[number];
		plan(s, (*block)->ip);
		emit_at(s, e, number, (*block)->code);
		offset -= (*block)->code;
	}
	for (n = e->nmarks; n > 1 && e->marks[n - 1].offset > offset; n--)
		;
	return e->marks[n - 1];
}

int burst_scratch_register(const struct burst_block *b, int which)
{
	return which == 0 ? b->scratch & 0xff : b->scratch >> 8;
}

uint32_t burst_scratch_field(const struct burst_block *b, int which)
{
	return scratch_field(burst_scratch_register(b, which), which);
}
