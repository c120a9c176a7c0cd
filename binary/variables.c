/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that have an address in the file: static and global ones, members of COMMON blocks,
 * and what only a symbol knows. */
#include "binary/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* A COMMON block whose members have no address in DWARF, as in a function that the compiler has
 * made copies of. */
struct block {
	const char *symbol, *scope;
	struct dwarf_unit *unit;
	Dwarf_Die die;
};

struct walk {
	struct binary *b;
	struct dwarf_unit *unit;
	uint32_t cap;
	struct block *blocks;
	uint32_t nblocks, blocks_cap;
};

static struct binary_variable *room(struct binary *b, uint32_t *cap)
{
	if (b->nvariables == *cap) {
		uint32_t more = *cap ? *cap * 2 : 256;
		void *p = arena_grow(b->arena, b->variables, *cap * sizeof *b->variables,
			more * sizeof *b->variables);

		if (!p)
			return NULL;
		b->variables = p;
		*cap = more;
	}
	return &b->variables[b->nvariables];
}

/* The address of a variable; false: it has none in the file (on the stack, in
 * registers, of a thread). */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute a, indexed;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &a) || dwarf_getlocation(&a, &op, &n) != 0 || !n ||
	    n > 2 || (n == 2 && op[1].atom != DW_OP_plus_uconst))
		return false;
	switch (op[0].atom) {
	case DW_OP_addr:
		*address = op[0].number;
		break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (dwarf_getlocation_attr(&a, op, &indexed) != 0 ||
		    dwarf_formaddr(&indexed, address) != 0)
			return false;
		break;
	default:
		return false;
	}
	*address += n == 2 ? op[1].number : 0;
	return true;
}

/* An array of Fortran whose memory is elsewhere: the variable is its descriptor. */
static bool is_descriptor(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_data_location);
}

static const void *keep(struct arena *a, const Dwarf_Die *type)
{
	Dwarf_Die *kept = arena_alloc(a, sizeof *kept);

	if (kept)
		*kept = *type;
	return kept;
}

static void add_at(struct walk *w, Dwarf_Die *die, uint64_t address, const char *scope,
	enum psc_var_kind kind)
{
	struct binary_variable *v = room(w->b, &w->cap);
	const char *name = dwarf_diename(die);
	const struct symbol *s;
	Dwarf_Die type, element;

	if (!v || !name || !type_of(die, &type))
		return;
	*v = (struct binary_variable){ .address = address, .size = type_size(&type), .name = name,
		.scope = scope, .kind = kind };
	v->file = die_place(w->b->arena, w->unit, die, &v->line);
	if (type_element(&type, &element)) {
		v->type = type_name(w->b->arena, &element);
		v->elem = (uint32_t)type_size(&element);
	}
	s = binary_symbol_at(w->b, address, false);
	if (is_descriptor(&type)) {
		v->kind = PSC_VAR_DESCRIPTOR;
		v->size = s ? s->size : 0;
	}
	if (!v->size && s)
		v->size = s->address + s->size - address;
	v->die = keep(w->b->arena, &type);
	if (v->size)
		w->b->nvariables++;
}

static void add_variable(struct walk *w, Dwarf_Die *die, const char *scope, enum psc_var_kind kind)
{
	uint64_t address;

	if (address_of(die, &address))
		add_at(w, die, address, scope, kind);
}

static void variables_of(struct walk *w, Dwarf_Die *parent, const char *scope,
	enum psc_var_kind kind, int depth);

/* "outer::inner"; NULL: none. */
static const char *scope_in(struct walk *w, Dwarf_Die *die, const char *outer)
{
	const char *name = dwarf_diename(die);

	if (!name)
		return outer;
	return outer ? arena_printf(w->b->arena, "%s::%s", outer, name) : name;
}

/* The blank COMMON block is called "". */
static const char *common_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && strncmp(name, "__BLNK__", 8) != 0 && strncmp(name, "//", 2) != 0 ? name : "";
}

static void remember_block(struct walk *w, Dwarf_Die *die)
{
	const uint32_t more = w->blocks_cap ? w->blocks_cap * 2 : 64;
	const char *symbol = die_symbol(die);
	Dwarf_Die member;
	void *p;

	if (!symbol || dwarf_child(die, &member) != 0 || dwarf_hasattr(&member, DW_AT_location))
		return;
	if (w->nblocks == w->blocks_cap) {
		p = arena_grow(w->b->arena, w->blocks, w->blocks_cap * sizeof *w->blocks,
			more * sizeof *w->blocks);
		if (!p)
			return;
		w->blocks = p;
		w->blocks_cap = more;
	}
	w->blocks[w->nblocks++] = (struct block){ symbol, common_name(die), w->unit, *die };
}

static void variables_of(struct walk *w, Dwarf_Die *parent, const char *scope,
	enum psc_var_kind kind, int depth)
{
	Dwarf_Die die;

	if (depth > 32 || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			add_variable(w, &die, scope, kind);
			break;
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			variables_of(w, &die, scope_in(w, &die, scope), kind, depth + 1);
			break;
		case DW_TAG_module:
			variables_of(w, &die, dwarf_diename(&die), PSC_VAR_MODULE, depth + 1);
			break;
		case DW_TAG_common_block:
			remember_block(w, &die);
			variables_of(w, &die, common_name(&die), PSC_VAR_COMMON, depth + 1);
			break;
		case DW_TAG_subprogram:
			variables_of(w, &die, dwarf_diename(&die), PSC_VAR_STATIC, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			variables_of(w, &die, scope, kind, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int by_address(const void *a, const void *b)
{
	const struct binary_variable *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool same(const struct binary_variable *x, const struct binary_variable *y)
{
	return x->address == y->address && x->size == y->size && strcmp(x->name, y->name) == 0;
}

/* Sorts the variables, leaves out what several units declare, and marks other
 * names of the same memory. */
static void put_in_order(struct binary *b)
{
	uint32_t n = 0;
	uint64_t end = 0;

	if (b->nvariables)
		qsort(b->variables, b->nvariables, sizeof *b->variables, by_address);
	for (uint32_t i = 0; i < b->nvariables; i++)
		if (!n || !same(&b->variables[n - 1], &b->variables[i]))
			b->variables[n++] = b->variables[i];
	b->nvariables = n;
	for (uint32_t i = 0; i < n; i++) {
		struct binary_variable *v = &b->variables[i];

		v->alias = v->address < end;
		end = v->address + v->size > end ? v->address + v->size : end;
	}
}

/* A variable's symbol without the number of a local static ("count.0"). */
static const char *plain_name(struct arena *a, const char *symbol)
{
	const char *name = strncmp(symbol, "_Z", 2) == 0 ? demangle_name(a, symbol) : symbol, *dot;

	dot = name ? strchr(name, '.') : NULL;
	return dot && dot > name && dot[1 + strspn(dot + 1, "0123456789")] == '\0' ?
		arena_strndup(a, name, (size_t)(dot - name)) : name;
}

static int by_symbol(const void *a, const void *b)
{
	return strcmp(((const struct block *)a)->symbol, ((const struct block *)b)->symbol);
}

/* The end of a member that lies behind the one that ends at `end`, by its alignment; 0: not
 * known. */
static uint64_t member_end(Dwarf_Die *member, uint64_t end, uint64_t *begin)
{
	Dwarf_Die type, element;
	uint64_t align;

	if (dwarf_tag(member) != DW_TAG_variable || !type_of(member, &type) || !type_size(&type))
		return 0;
	align = type_size(type_element(&type, &element) ? &element : &type);
	align = align >= 8 ? 8 : align >= 4 ? 4 : align >= 2 ? 2 : 1;
	*begin = (end + align - 1) / align * align;
	return *begin + type_size(&type);
}

/* Members of a block follow each other in the order of the declaration.  This holds if they fill
 * the block; false: they do not, and none is added. */
static bool place_members(struct walk *w, const struct symbol *s)
{
	const struct block key = { .symbol = s->name };
	struct block *block = w->nblocks ? bsearch(&key, w->blocks, w->nblocks, sizeof key,
		by_symbol) : NULL;
	const uint32_t before = w->b->nvariables;
	uint64_t begin, end = 0;
	Dwarf_Die die;

	if (!block || dwarf_child(&block->die, &die) != 0)
		return false;
	w->unit = block->unit;
	do {
		end = member_end(&die, end, &begin);
		if (end)
			add_at(w, &die, s->address + begin, block->scope, PSC_VAR_COMMON);
	} while (end && dwarf_siblingof(&die, &die) == 0);
	if (end != s->size) {
		w->b->nvariables = before;
		return false;
	}
	return true;
}

/* Symbols whose memory no variable of DWARF begins in. */
static void add_symbols(struct walk *w, uint32_t known)
{
	struct binary *b = w->b;
	uint32_t k = 0;

	if (w->nblocks)
		qsort(w->blocks, w->nblocks, sizeof *w->blocks, by_symbol);
	for (uint32_t i = 0; i < b->nsymbols; i++) {
		const struct symbol *s = &b->symbols[i];
		struct binary_variable *v;

		while (k < known && b->variables[k].address < s->address)
			k++;
		if (s->function || !s->size || binary_executable(b, s->address) ||
		    (k < known && b->variables[k].address < s->address + s->size) ||
		    (k && b->variables[k - 1].address + b->variables[k - 1].size > s->address) ||
		    (b->nvariables > known &&
		    b->variables[b->nvariables - 1].address == s->address))
			continue;
		if (place_members(w, s))
			continue;
		v = room(b, &w->cap);
		if (!v)
			return;
		*v = (struct binary_variable){ .address = s->address, .size = s->size, .file = "",
			.name = plain_name(b->arena, s->name) };
		b->nvariables += v->name != NULL;
	}
}

const struct binary_variable *binary_variables(struct binary *b, uint32_t *n)
{
	struct walk w = { .b = b };

	if (!b->variables_read) {
		b->variables_read = true;
		binary_read_units(b);
		binary_read_symbols(b);
		for (uint32_t u = 0; u < b->nunits; u++) {
			w.unit = &b->units[u];
			unit_head(b, w.unit);
			variables_of(&w, &w.unit->die, NULL, PSC_VAR_STATIC, 0);
		}
		put_in_order(b);
		add_symbols(&w, b->nvariables);
		put_in_order(b);
	}
	*n = b->nvariables;
	return b->variables;
}

const struct binary_variable *binary_variable_at(struct binary *b, uint64_t address)
{
	uint32_t n, low = 0, high;
	const struct binary_variable *v = binary_variables(b, &n);

	high = n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	/* Other names of the same memory follow the first one, which may be larger. */
	while (low-- && v[low].alias)
		;
	return low != UINT32_MAX && address - v[low].address < v[low].size ? &v[low] : NULL;
}
