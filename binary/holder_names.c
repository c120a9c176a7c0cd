/* SPDX-License-Identifier: BSD-3-Clause */
/* Names what holds a pointer, by DWARF's variables and types, or by symbols. */
#include "binary/holder_names.h"

#include <dwarf.h>

/* A piece of a variable or of a structure behind a pointer. */
struct object {
	enum binary_heap_by by;
	const char *name, *scope;
	uint32_t inlined;       /* as of struct local */
	bool nameless;          /* a variable that the user did not write */
	bool typed;
	Dwarf_Die type;         /* plain */
	bool has_held;
	Dwarf_Die held;         /* the type of the pointer itself, also inside a structure of the
				 * system */
};

/* The member of a variable that has the offset; "grid.cells". */
static void into_member(struct arena *a, struct object *o, uint64_t offset)
{
	const char *path;

	if (!o->typed)
		return;
	o->has_held = type_at(&o->type, offset, &o->held);
	path = type_member(a, &o->type, offset, &o->type);
	if (path)
		o->name = arena_printf(a, "%s.%s", o->name, path);
}

static bool static_object(const struct pointer_trace *t, uint64_t address, struct object *o)
{
	const struct binary_variable *v = binary_variable_at(t->b, address);

	if (!v || !v->file)
		return false;
	*o = (struct object){ .by = BINARY_HEAP_STATIC, .name = v->name, .scope = v->scope,
		.typed = v->die != NULL };
	if (v->die) {
		o->type = *(const Dwarf_Die *)v->die;
		into_member(t->b->arena, o, address - v->address);
	}
	return true;
}

/* One of a function of the system that was inlined, or "this". */
static bool is_nameless(Dwarf_Die *variable)
{
	const char *file = die_file(variable, DW_AT_decl_file);

	return (file && source_is_system(file)) ||
		dwarf_hasattr_integrate(variable, DW_AT_artificial);
}

static bool local_object(const struct pointer_trace *t, const struct local *l, struct object *o)
{
	Dwarf_Die die = l->die;

	*o = (struct object){ .by = BINARY_HEAP_LOCAL, .name = dwarf_diename(&die),
		.inlined = l->inlined, .nameless = is_nameless(&die) };
	o->typed = type_of(&die, &o->type);
	if (o->typed && dwarf_tag(&o->type) != DW_TAG_pointer_type)
		into_member(t->b->arena, o, l->offset);
	return o->name;
}

/* What a pointer points to, `offset` bytes behind its beginning. */
static bool pointed_object(const struct pointer_trace *t, Dwarf_Die *pointer, uint64_t offset,
	struct object *o)
{
	int tag = dwarf_tag(pointer);
	Dwarf_Die record, member;
	const char *name;

	if ((tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
	    tag != DW_TAG_rvalue_reference_type) || !type_of(pointer, &record))
		return false;
	name = type_member(t->b->arena, &record, offset, &member);
	if (!name)
		return false;
	*o = (struct object){ .by = BINARY_HEAP_MEMBER, .name = name,
		.scope = type_name(t->b->arena, &record), .typed = true, .type = member };
	o->has_held = type_at(&record, offset, &o->held);
	return true;
}

static bool place_object(const struct pointer_trace *t, const struct value_origin *place,
	struct object *o)
{
	struct local l;

	if (place->reg == REG_NONE)
		return static_object(t, (uint64_t)place->offset, o);
	if (local_in_slot(t->b, t->code, place->when, place->reg, place->offset, &l))
		return local_object(t, &l, o);
	return local_in_register(t->code, place->when, place->reg, &l) && local_object(t, &l, o) &&
		o->typed && pointed_object(t, &o->type, (uint64_t)place->offset, o);
}

/* The object `offset` bytes behind the value. */
static bool object_behind(const struct pointer_trace *t, const struct value_origin *value,
	int64_t offset,
	struct object *o)
{
	struct value_origin place = *value;
	struct local l;

	switch (value->kind) {
	case ORIGIN_ADDRESS:
		place.offset += offset;
		return place_object(t, &place, o);
	case ORIGIN_VALUE:
		return place_object(t, &place, o) && o->typed &&
			pointed_object(t, &o->type, (uint64_t)offset, o);
	case ORIGIN_REGISTER:
		/* rbp may be a register like the others. */
		if ((value->reg == REG_RSP || value->reg == REG_RBP) &&
		    local_in_slot(t->b, t->code, value->when, value->reg, offset, &l))
			return local_object(t, &l, o);
		return local_in_register(t->code, value->when, value->reg, &l) &&
			local_object(t, &l, o) && o->typed &&
			pointed_object(t, &o->type, (uint64_t)offset, o);
	default:
		return false;
	}
}

/* What the pointer points to.  That of Rust's containers points to bytes:
 * their parameter tells more. */
static bool element_of(struct object *o, Dwarf_Die *element)
{
	Dwarf_Die pointer = o->has_held ? o->held : o->type, to;

	if (!o->typed)
		return false;
	if (dwarf_tag(&pointer) == DW_TAG_pointer_type && type_of(&pointer, &to) &&
	    type_element(&to, element) && type_size(element) > 1)
		return true;
	return type_of_container(&o->type, element) ||
		(dwarf_tag(&pointer) == DW_TAG_pointer_type && type_of(&pointer, &to) &&
		type_element(&to, element));
}

/* The name, and the type of the elements where the object is a pointer or a container. */
static bool set_name(const struct pointer_trace *t, struct object *o, struct holder_name *name)
{
	Dwarf_Die element;

	if (o->nameless || !o->name)
		return false;
	*name = (struct holder_name){ .by = o->by, .name = o->name, .scope = o->scope,
		.inlined = o->inlined };
	if (element_of(o, &element)) {
		name->type = type_name(t->b->arena, &element);
		name->elem = (uint32_t)type_size(&element);
	}
	return true;
}

bool holder_name(const struct pointer_trace *t, const struct holder *h, struct holder_name *name)
{
	struct local l;
	struct object o;

	if (h->in_register ? !(local_in_register(t->code, h->when, h->reg, &l) &&
	    local_object(t, &l, &o)) : !object_behind(t, &h->base, h->offset, &o))
		return false;
	return set_name(t, &o, name);
}

bool holder_object_name(const struct pointer_trace *t, const struct value_origin *object,
	struct holder_name *name)
{
	struct object o, member;
	struct local l;

	if (object->kind == ORIGIN_REGISTER ?
	    !(local_in_register(t->code, object->when, object->reg, &l) &&
	    local_object(t, &l, &o)) : !place_object(t, object, &o))
		return false;
	/* The value is a pointer: to the first member of the user's structure, else
	 * to what the pointer names. */
	if (object->kind != ORIGIN_ADDRESS && o.typed && pointed_object(t, &o.type, 0, &member))
		o = member;
	return set_name(t, &o, name);
}
