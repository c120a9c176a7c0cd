/* SPDX-License-Identifier: BSD-3-Clause */
/* Types: their size, their name, their members. */
#include "binary/internal.h"

#include <dwarf.h>
#include <string.h>

/* Types of a broken file may refer to one another in a ring. */
#define DEEPEST 64

static bool referred(Dwarf_Die *die, Dwarf_Die *to)
{
	Dwarf_Attribute a;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &a), to);
}

static bool is_alias(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
		tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool type_plain(Dwarf_Die *type, Dwarf_Die *plain)
{
	Dwarf_Die t = *type;

	for (int i = 0; i < DEEPEST; i++) {
		if (!is_alias(dwarf_tag(&t))) {
			*plain = t;
			return true;
		}
		if (!referred(&t, &t))
			return false;
	}
	return false;
}

bool type_of(Dwarf_Die *die, Dwarf_Die *plain)
{
	Dwarf_Die type;

	return referred(die, &type) && type_plain(&type, plain);
}

bool type_element(Dwarf_Die *type, Dwarf_Die *element)
{
	Dwarf_Die t = *type;

	for (int i = 0; i < DEEPEST && dwarf_tag(&t) == DW_TAG_array_type; i++)
		if (!type_of(&t, &t))
			return false;
	*element = t;
	return dwarf_tag(&t) != DW_TAG_array_type;
}

uint64_t type_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) == 0 && size < (uint64_t)1 << 47 ? size : 0;
}

static const char *name_at(struct arena *a, Dwarf_Die *type, int depth)
{
	const char *name = dwarf_diename(type), *inner;
	int tag = dwarf_tag(type);
	Dwarf_Die to;

	if (depth > DEEPEST)
		return NULL;
	switch (tag) {
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_array_type:
		return referred(type, &to) ? name_at(a, &to, depth + 1) : NULL;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		inner = referred(type, &to) ? name_at(a, &to, depth + 1) : "void";
		return inner ? arena_printf(a, "%s %c", inner, tag == DW_TAG_pointer_type ? '*' :
			'&') : NULL;
	default:
		return name;
	}
}

const char *type_name(struct arena *a, Dwarf_Die *type)
{
	const char *name = name_at(a, type, 0);

	return name && strchr(name, '<') ? demangle_short(a, name) : name;
}

static bool is_record(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Rust's compiler does not say where a type is declared. */
static bool is_rust_container(const char *name)
{
	static const char *const names[] = { "Vec<", "Box<", "Rc<", "Arc<", "VecDeque<", "HashMap<",
		"HashSet<", "BTreeMap<",
		"BTreeSet<", "RawVec<", "String" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool of_system(Dwarf_Die *type)
{
	const char *file = die_file(type, DW_AT_decl_file), *name = dwarf_diename(type);
	Dwarf_Die cu;

	if (file)
		return source_is_system(file);
	return name && dwarf_diecu(type, &cu, NULL, NULL) && dwarf_srclang(&cu) == DW_LANG_Rust &&
		is_rust_container(name);
}

/* A structure without data, such as an allocator, has a size nevertheless. */
static bool is_empty(Dwarf_Die *type, int depth)
{
	Dwarf_Die die, base;

	if (!is_record(type) || depth > DEEPEST)
		return false;
	if (dwarf_child(type, &die) != 0)
		return true;
	do {
		if (dwarf_tag(&die) == DW_TAG_member && !dwarf_hasattr(&die, DW_AT_external))
			return false;
		if (dwarf_tag(&die) == DW_TAG_inheritance && type_of(&die, &base) &&
		    !is_empty(&base, depth + 1))
			return false;
	} while (dwarf_siblingof(&die, &die) == 0);
	return true;
}

/* The member or base of a record that has the offset. */
static bool find_member(Dwarf_Die *record, uint64_t offset, Dwarf_Die *found, uint64_t *rest)
{
	Dwarf_Die die;

	if (dwarf_child(record, &die) != 0)
		return false;
	do {
		Dwarf_Attribute a;
		Dwarf_Word at = 0;
		Dwarf_Die type;

		if (dwarf_tag(&die) != DW_TAG_member && dwarf_tag(&die) != DW_TAG_inheritance)
			continue;
		if (dwarf_hasattr(&die, DW_AT_external) ||
		    (dwarf_attr(&die, DW_AT_data_member_location, &a) &&
		    dwarf_formudata(&a, &at) != 0))
			continue;       /* static, or a virtual base */
		if (at <= offset && type_of(&die, &type) && offset - at < type_size(&type) &&
		    !is_empty(&type, 0)) {
			*found = die;
			*rest = offset - at;
			return true;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

const char *type_member(struct arena *a, Dwarf_Die *type, uint64_t offset, Dwarf_Die *member)
{
	const char *path = NULL, *name;
	Dwarf_Die t = *type, die;

	for (int i = 0; i < DEEPEST && is_record(&t) && !of_system(&t); i++) {
		if (!find_member(&t, offset, &die, &offset) || !type_of(&die, &t))
			break;
		name = dwarf_tag(&die) == DW_TAG_member ? dwarf_diename(&die) : NULL;
		if (name)
			path = path ? arena_printf(a, "%s.%s", path, name) : name;
		if (type_element(&t, &t))
			offset = type_size(&t) ? offset % type_size(&t) : 0;
	}
	*member = t;
	return path;
}

bool type_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *inner)
{
	Dwarf_Die t = *type, die;

	for (int i = 0; i < DEEPEST && is_record(&t); i++) {
		if (!find_member(&t, offset, &die, &offset) || !type_of(&die, &t))
			return false;
		if (!type_element(&t, &t))
			return false;
		offset = type_size(&t) ? offset % type_size(&t) : 0;
	}
	*inner = t;
	return true;
}

bool type_of_container(Dwarf_Die *type, Dwarf_Die *element)
{
	Dwarf_Die die;

	if (!is_record(type) || !of_system(type) || dwarf_child(type, &die) != 0)
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_template_type_parameter)
			return type_of(&die, element);
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}
