/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes the few instructions that recording needs.  Whoever reads this with the manual: REX.W is
 * 0x48, 0x65 and 0x64 are the prefixes of %gs and %fs, and a ModRM byte of mode 0 with register 4
 * and the SIB byte 0x25 is an absolute 32-bit address. */
#include <string.h>
#include "burst/encode.h"
#include "burst/slot.h"

void emit_begin(struct emitter *e, uint8_t *at, uint8_t *end)
{
	e->start = e->at = at;
	e->end = end;
	e->full = false;
	e->nmarks = 0;
}

void emit_mark(struct emitter *e, enum mark_state state, uint64_t ip, uint16_t words)
{
	if (e->nmarks == MARKS) {
		e->full = true;
		return;
	}
	e->marks[e->nmarks++] = (struct mark){
		.offset = emit_offset(e), .state = state, .ip = ip, .words = words
	};
}

void emit_bytes(struct emitter *e, const void *bytes, uint32_t n)
{
	if ((uint64_t)(e->end - e->at) < n) {
		e->full = true;
		return;
	}
	memcpy(e->at, bytes, n);
	e->at += n;
}

void emit_u8(struct emitter *e, unsigned byte)
{
	uint8_t b = (uint8_t)byte;

	emit_bytes(e, &b, 1);
}

void emit_u32(struct emitter *e, uint32_t value) { emit_bytes(e, &value, 4); }
void emit_u64(struct emitter *e, uint64_t value) { emit_bytes(e, &value, 8); }

/* An instruction with a register and the absolute address `field`, relative to %gs. */
static void gs_absolute(struct emitter *e, unsigned opcode, int reg, uint32_t field)
{
	emit_u8(e, 0x65);
	emit_u8(e, 0x48u | (unsigned)reg >> 3 << 2);
	emit_u8(e, opcode);
	emit_u8(e, 0x04u | ((unsigned)reg & 7) << 3);
	emit_u8(e, 0x25);
	emit_u32(e, field);
}

void emit_save(struct emitter *e, int reg, uint32_t field) { gs_absolute(e, 0x89, reg, field); }
void emit_load(struct emitter *e, int reg, uint32_t field) { gs_absolute(e, 0x8b, reg, field); }

void emit_set32(struct emitter *e, uint32_t field, uint32_t value)
{
	emit_bytes(e, (const uint8_t[]){ 0x65, 0xc7, 0x04, 0x25 }, 4);
	emit_u32(e, field);
	emit_u32(e, value);
}

void emit_jump_field(struct emitter *e, uint32_t field)
{
	emit_bytes(e, (const uint8_t[]){ 0x65, 0xff, 0x24, 0x25 }, 4);
	emit_u32(e, field);
}

/* ModRM and displacement of disp(base). */
static void based(struct emitter *e, int reg, int base, int32_t displacement)
{
	bool small = displacement >= -128 && displacement < 128;

	emit_u8(e, (small ? 0x40u : 0x80u) | ((unsigned)reg & 7) << 3 | ((unsigned)base & 7));
	if (small)
		emit_u8(e, (uint8_t)displacement);
	else
		emit_u32(e, (uint32_t)displacement);
}

/* The same without a short form, which means something else in EVEX. */
static void based_long(struct emitter *e, int reg, int base, int32_t displacement)
{
	emit_u8(e, 0x80u | ((unsigned)reg & 7) << 3 | ((unsigned)base & 7));
	emit_u32(e, (uint32_t)displacement);
}

void emit_word(struct emitter *e, int value, int base, int32_t displacement)
{
	emit_u8(e, 0x65);
	emit_u8(e, 0x48u | (unsigned)value >> 3 << 2 | (unsigned)base >> 3);
	emit_u8(e, 0x89);
	based(e, value, base, displacement);
}

void emit_word_constant(struct emitter *e, uint32_t value, int base, int32_t displacement)
{
	emit_u8(e, 0x65);
	emit_u8(e, 0x48u | (unsigned)base >> 3);
	emit_u8(e, 0xc7);
	based(e, 0, base, displacement);
	emit_u32(e, value);
}

/* The second byte of a VEX prefix of three: R, X and B inverted, map 0F. */
static unsigned vex_registers(int reg, int base)
{
	return (reg & 8 ? 0 : 0x80u) | 0x40u | (base & 8 ? 0 : 0x20u) | 1;
}

/* kmovw %k, %gs:disp(base), after the upper bits are cleared */
void emit_word_mask(struct emitter *e, int mask, int base, int32_t displacement)
{
	emit_word_constant(e, 0, base, displacement);
	emit_u8(e, 0x65);
	emit_u8(e, 0xc4);
	emit_u8(e, vex_registers(mask, base));
	emit_u8(e, 0x78);
	emit_u8(e, 0x91);
	based_long(e, mask, base, displacement);
}

/* vmovdqu: by VEX, which machines without AVX-512 have, else by EVEX */
void emit_word_vector(struct emitter *e, int vector, uint32_t bytes, int base, int32_t displacement)
{
	emit_u8(e, 0x65);
	if (vector < 16 && bytes < 64) {
		emit_u8(e, 0xc4);
		emit_u8(e, vex_registers(vector, base));
		emit_u8(e, bytes == 32 ? 0x7e : 0x7a);
	} else {
		emit_u8(e, 0x62);
		emit_u8(e, vex_registers(vector, base) | (vector & 16 ? 0 : 0x10u));
		emit_u8(e, 0x7e);
		emit_u8(e, (bytes == 64 ? 0x40u : bytes == 32 ? 0x20u : 0) | 0x08);
	}
	emit_u8(e, 0x7f);
	based_long(e, vector, base, displacement);
}

static unsigned scale_bits(uint8_t scale)
{
	return scale == 8 ? 0xc0 : scale == 4 ? 0x80 : scale == 2 ? 0x40 : 0;
}

/* ModRM, SIB and a displacement of 32 bits for any address of general registers. */
static void operand(struct emitter *e, int reg, const struct address *a)
{
	unsigned r = ((unsigned)reg & 7) << 3;
	unsigned index = a->index < 0 ? 4 : (unsigned)a->index & 7;

	if (a->base < 0) {
		emit_u8(e, 0x04 | r);
		emit_u8(e, scale_bits(a->scale) | index << 3 | 5);
	} else if (a->index < 0 && (a->base & 7) != 4) {
		emit_u8(e, 0x80 | r | ((unsigned)a->base & 7));
	} else {
		emit_u8(e, 0x84 | r);
		emit_u8(e, scale_bits(a->scale) | index << 3 | ((unsigned)a->base & 7));
	}
	emit_u32(e, (uint32_t)a->displacement);
}

static void addressed(struct emitter *e, unsigned opcode, int reg, const struct address *a)
{
	if (a->narrow)
		emit_u8(e, 0x67);
	emit_u8(e,
		0x48u | (unsigned)reg >> 3 << 2 | (a->index > 7 ? 2u : 0) | (a->base > 7 ? 1u : 0));
	emit_u8(e, opcode);
	operand(e, reg, a);
}

void emit_lea(struct emitter *e, int reg, const struct address *address)
{
	addressed(e, 0x8d, reg, address);
}

void emit_mov_from(struct emitter *e, int reg, const struct address *address, bool fs)
{
	if (fs)
		emit_u8(e, 0x64);
	addressed(e, 0x8b, reg, address);
}

void emit_mov_register(struct emitter *e, int to, int from)
{
	emit_u8(e, 0x48u | (unsigned)from >> 3 << 2 | (unsigned)to >> 3);
	emit_u8(e, 0x89);
	emit_u8(e, 0xc0u | ((unsigned)from & 7) << 3 | ((unsigned)to & 7));
}

void emit_mov_constant(struct emitter *e, int reg, uint64_t value)
{
	emit_u8(e, 0x48u | (unsigned)reg >> 3);
	emit_u8(e, 0xb8u | ((unsigned)reg & 7));
	emit_u64(e, value);
}

void emit_jump_far(struct emitter *e, uint64_t target)
{
	emit_bytes(e, (const uint8_t[]){ 0xff, 0x25, 0, 0, 0, 0 }, 6);
	emit_u64(e, target);
}

void emit_patch(uint8_t *field, const uint8_t *target)
{
	int32_t distance = (int32_t)(target - (field + 4));

	memcpy(field, &distance, 4);
}
