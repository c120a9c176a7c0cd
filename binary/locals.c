/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds local variables by their locations in DWARF. */
#include "binary/locals.h"

#include <dwarf.h>
#include <stdlib.h>

struct wanted {
	uint64_t address;
	bool slot;
	unsigned reg;
	int64_t displacement;   /* of a slot */
	bool has_frame;         /* the base of the frame is base + base_offset */
	unsigned base;
	int64_t base_offset;
	bool at_any_time;       /* a slot: whatever instruction is executed */
	struct local *found;
};

/* The register of DW_OP_reg0 and so on; REG_NONE. */
static unsigned reg_of(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg15)
		return op->atom - DW_OP_reg0;
	return REG_NONE;
}

/* The place in memory that an operation names, as register + offset. */
static bool memory_of(const struct wanted *w, const Dwarf_Op *op, unsigned *reg, int64_t *offset)
{
	if (op->atom == DW_OP_fbreg && w->has_frame) {
		*reg = w->base;
		*offset = w->base_offset + (int64_t)op->number;
		return true;
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg15) {
		*reg = op->atom - DW_OP_breg0;
		*offset = (int64_t)op->number;
		return true;
	}
	return false;
}

static uint64_t size_of(Dwarf_Die *variable)
{
	Dwarf_Die type;
	uint64_t size = type_of(variable, &type) ? type_size(&type) : 0;

	return size ? size : 8;
}

/* Whether one operation of a location, for `size` bytes, has what is wanted;
 * *offset: in these bytes. */
static bool op_matches(const struct wanted *w, const Dwarf_Op *op, uint64_t size, uint64_t *offset)
{
	int64_t at;
	unsigned reg;

	*offset = 0;
	if (!w->slot)
		return reg_of(op) == w->reg;
	if (!memory_of(w, op, &reg, &at) || reg != w->reg || w->displacement < at ||
	    (uint64_t)(w->displacement - at) >= size)
		return false;
	*offset = (uint64_t)(w->displacement - at);
	return true;
}

static bool location_matches(const struct wanted *w, Dwarf_Die *variable, const Dwarf_Op *ops,
	size_t n, uint64_t *offset)
{
	uint64_t begin = 0;

	/* An address that is computed, or a value that is nowhere, has further operations. */
	if (n == 1)
		return op_matches(w, &ops[0], size_of(variable), offset);
	for (size_t i = 0; i < n; i++) {
		if (ops[i].atom == DW_OP_piece) {
			begin += ops[i].number;
		} else if (i + 1 < n && ops[i + 1].atom == DW_OP_piece &&
		    op_matches(w, &ops[i], ops[i + 1].number, offset)) {
			*offset += begin;
			return true;
		}
	}
	return false;
}

static bool take(const struct wanted *w, Dwarf_Die *variable, const Dwarf_Op *ops, size_t n)
{
	uint64_t offset;

	if (!location_matches(w, variable, ops, n, &offset))
		return false;
	*w->found = (struct local){ *variable, offset, 0 };
	return true;
}

/* A variable whose value is elsewhere for a while keeps its slot. */
static bool is_there_at_some_time(const struct wanted *w, Dwarf_Die *variable, Dwarf_Attribute *a)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	while ((at = dwarf_getlocations(a, at, &base, &start, &end, &ops, &n)) > 0)
		if (n == 1 && ops[0].atom == DW_OP_fbreg && take(w, variable, ops, n))
			return true;
	return false;
}

static bool is_there(const struct wanted *w, Dwarf_Die *variable)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops[4];
	size_t lengths[4];
	int n;

	if (!dwarf_attr_integrate(variable, DW_AT_location, &a))
		return false;
	if (w->at_any_time)
		return is_there_at_some_time(w, variable, &a);
	n = dwarf_getlocation_addr(&a, w->address, ops, lengths, 4);
	for (int i = 0; i < n; i++)
		if (take(w, variable, ops[i], lengths[i]))
			return true;
	return false;
}

static bool search(const struct wanted *w, Dwarf_Die *scope, uint32_t inlined, int depth);

static bool search_variables(const struct wanted *w, Dwarf_Die *scope, uint32_t inlined)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die) != 0)
		return false;
	do {
		if ((dwarf_tag(&die) == DW_TAG_variable ||
		    dwarf_tag(&die) == DW_TAG_formal_parameter) && dwarf_diename(&die) &&
		    is_there(w, &die)) {
			w->found->inlined = inlined;
			return true;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

static bool search_blocks(const struct wanted *w, Dwarf_Die *scope, uint32_t inlined, int depth)
{
	Dwarf_Die die;

	if (depth > 200 || dwarf_child(scope, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);

		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_try_block || tag == DW_TAG_catch_block) && dwarf_haspc(&die,
		    w->address) > 0 && search(w, &die, inlined + (tag == DW_TAG_inlined_subroutine),
		    depth + 1))
			return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

/* Variables of the function itself before those of inlined ones: several may be in a register at a
 * time, and a wrapper's parameter is no name for the user's block. */
static bool search(const struct wanted *w, Dwarf_Die *scope, uint32_t inlined, int depth)
{
	return search_variables(w, scope, inlined) || search_blocks(w, scope, inlined, depth);
}

bool local_in_register(const struct code_function *c, uint64_t address, unsigned reg,
	struct local *found)
{
	struct wanted w = { .address = address, .reg = reg, .found = found };
	Dwarf_Die die;

	if (!c->unit || reg >= REG_NONE)
		return false;
	die = c->die;
	return search(&w, &die, 0, 0);
}

/* The canonical frame address as register + offset, by the unwind table. */
static bool frame_address(struct binary *b, uint64_t address, unsigned *reg, int64_t *offset)
{
	GElf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(b->module, &bias);
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t n;
	bool found = false;

	if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0)
		return false;
	if (dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && ops[0].atom >= DW_OP_breg0 &&
	    ops[0].atom <= DW_OP_breg15) {
		*reg = ops[0].atom - DW_OP_breg0;
		*offset = (int64_t)ops[0].number;
		found = true;
	} else if (dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_bregx) {
		*reg = (unsigned)ops[0].number;
		*offset = (int64_t)ops[0].number2;
		found = *reg < REG_NONE;
	}
	free(frame);
	return found;
}

/* The base of the frame, that DW_OP_fbreg counts from, as register + offset. */
static bool frame_base(struct binary *b, const struct code_function *c, struct wanted *w)
{
	Dwarf_Die die = c->die;
	Dwarf_Attribute a;
	Dwarf_Op *ops[1];
	size_t n[1];

	if (!dwarf_attr_integrate(&die, DW_AT_frame_base, &a) ||
	    dwarf_getlocation_addr(&a, w->address, ops, n, 1) != 1 || n[0] != 1)
		return false;
	if (ops[0][0].atom == DW_OP_call_frame_cfa)
		return frame_address(b, w->address, &w->base, &w->base_offset);
	w->base = reg_of(&ops[0][0]);
	w->base_offset = 0;
	return w->base != REG_NONE;
}

bool local_in_slot(struct binary *b, const struct code_function *c, uint64_t address, unsigned reg,
	int64_t displacement, struct local *found)
{
	struct wanted w = { .address = address, .slot = true, .reg = reg,
		.displacement = displacement, .found = found };
	Dwarf_Die die;

	if (!c->unit)
		return false;
	w.has_frame = frame_base(b, c, &w);
	die = c->die;
	if (search(&w, &die, 0, 0))
		return true;
	w.at_any_time = true;
	return search(&w, &die, 0, 0);
}
