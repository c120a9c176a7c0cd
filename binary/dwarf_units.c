/* SPDX-License-Identifier: BSD-3-Clause */
/* Compile units and their functions by DWARF.  The units are listed at once, what is in one is read
 * when an address in it is first asked for. */
#include "binary/internal.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attribute, &a) ? dwarf_formstring(&a) : NULL;
}

const char *die_symbol(Dwarf_Die *die)
{
	const char *s = string_of(die, DW_AT_linkage_name);

	return s ? s : string_of(die, DW_AT_MIPS_linkage_name);
}

const char *die_name(struct arena *a, Dwarf_Die *die)
{
	const char *symbol = die_symbol(die), *name = dwarf_diename(die);

	if (symbol && strncmp(symbol, "_Z", 2) == 0)
		return demangle_name(a, symbol);
	return name ? name : symbol;
}

/* dwarf_decl_file() takes file 0 for none, which is the unit's own in DWARF 5. */
const char *die_file(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word index;
	Dwarf_Files *files;
	Dwarf_Die cu;
	Dwarf_Half version;
	size_t n;

	if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &a), &index) != 0 ||
	    !dwarf_cu_die(a.cu, &cu, &version, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&cu, &files, &n) != 0 || index >= n || (index == 0 && version < 5))
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

const char *die_place(struct arena *a, struct dwarf_unit *u, Dwarf_Die *die, int *line)
{
	const char *file = die_file(die, DW_AT_decl_file);

	if (dwarf_decl_line(die, line) != 0)
		*line = 0;
	return file ? source_name(a, u, file) : "";
}

static const char *language(Dwarf_Die *die)
{
	switch (dwarf_srclang(die)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return "C";
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return "C++";
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return "Fortran";
	case DW_LANG_Rust:
		return "Rust";
	case DW_LANG_Go:
		return "Go";
	case DW_LANG_D:
		return "D";
	case DW_LANG_Mips_Assembler:
		return "assembler";
	default:
		return NULL;
	}
}

/* GCC lists its options behind its version; other compilers do not tell theirs. */
static void read_producer(struct binary *b, struct dwarf_unit *u)
{
	const char *producer = string_of(&u->die, DW_AT_producer), *options;

	if (!producer)
		return;
	options = strstr(producer, " -");
	u->compiler = options ? arena_strndup(b->arena, producer, (size_t)(options - producer)) :
		producer;
	u->unoptimised = strncmp(producer, "GNU ", 4) == 0 && options && !strstr(options, " -O");
}

void unit_head(struct binary *b, struct dwarf_unit *u)
{
	const char *name = string_of(&u->die, DW_AT_name), *dir = string_of(&u->skeleton,
		DW_AT_comp_dir), *part;

	if (u->name)
		return;
	/* Rust's compiler appends the name of one of the parts that it divides a program into. */
	part = name ? strstr(name, "/@/") : NULL;
	if (part)
		name = arena_strndup(b->arena, name, (size_t)(part - name));
	u->dir = dir ? dir : string_of(&u->die, DW_AT_comp_dir);
	u->name = name ? name : "";
	u->language = language(&u->die);
	read_producer(b, u);
}

static int by_address(const void *a, const void *b)
{
	const struct unit_span *x = a, *y = b;

	return (x->span.low > y->span.low) - (x->span.low < y->span.low);
}

static bool add_span(struct binary *b, struct dwarf_unit *u, uint64_t low, uint64_t high,
	uint32_t *cap)
{
	if (b->nunit_spans == *cap) {
		uint32_t more = *cap ? *cap * 2 : 256;
		void *p = arena_grow(b->arena, b->unit_spans, *cap * sizeof *b->unit_spans,
			more * sizeof *b->unit_spans);

		if (!p)
			return false;
		b->unit_spans = p;
		*cap = more;
	}
	b->unit_spans[b->nunit_spans++] = (struct unit_span){ { low, high }, u };
	return true;
}

static void index_unit(struct binary *b, struct dwarf_unit *u, uint32_t *cap)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(&u->skeleton, at, &base, &low, &high)) > 0)
		/* Code that the linker has left out is at an address without code. */
		if (low < high && binary_executable(b, low) && !add_span(b, u, low, high, cap))
			return;
}

/* Notes the split file of a unit that was not found. */
static void note_missing(struct binary *b, Dwarf_Die *skeleton)
{
	const char *file = string_of(skeleton, DW_AT_dwo_name);

	b->lost.split++;
	file = file ? file : string_of(skeleton, DW_AT_GNU_dwo_name);
	if (!b->lost.missing)
		b->lost.missing = file;
}

static uint32_t count_units(Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	uint32_t n = 0;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL) == 0)
		n++;
	return n;
}

static void list_units(struct binary *b)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;
	uint32_t cap = 0;

	b->units = arena_array(b->arena, count_units(b->dwarf), sizeof *b->units);
	while (b->units && dwarf_get_units(b->dwarf, cu, &cu, NULL, &type, &die, &sub) == 0) {
		struct dwarf_unit *u = &b->units[b->nunits];

		if ((type != DW_UT_compile && type != DW_UT_skeleton) || !die.addr)
			continue;
		b->nunits++;
		if (type == DW_UT_skeleton && !dwarf_tag(&sub))
			note_missing(b, &die);
		u->skeleton = die;
		u->die = type == DW_UT_skeleton && sub.addr && dwarf_tag(&sub) ? sub : die;
		index_unit(b, u, &cap);
	}
	b->lost.units = b->nunits;
	if (b->nunit_spans)
		qsort(b->unit_spans, b->nunit_spans, sizeof *b->unit_spans, by_address);
}

static void note_separate(struct binary *b)
{
	const char *debug = NULL;

	dwfl_module_info(b->module, NULL, NULL, NULL, NULL, NULL, NULL, &debug);
	b->lost.separate = debug && strcmp(debug, b->path) != 0 ? debug : NULL;
}

void binary_read_units(struct binary *b)
{
	Dwarf_Addr bias;

	if (b->units_read)
		return;
	b->units_read = true;
	b->dwarf = dwfl_module_getdwarf(b->module, &bias);
	if (b->dwarf) {
		list_units(b);
		note_separate(b);
	}
	b->lost.lines = b->nunits == 0;
}

struct dwarf_unit *binary_unit_at(struct binary *b, uint64_t address)
{
	uint32_t low = 0, high;

	binary_read_units(b);
	high = b->nunit_spans;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (b->unit_spans[mid].span.low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && address < b->unit_spans[low - 1].span.high ? b->unit_spans[low - 1].unit :
		NULL;
}

const struct binary_lost *binary_lost(struct binary *b)
{
	binary_read_symbols(b);
	binary_read_units(b);
	return &b->lost;
}

/* --- functions of a unit ---------------------------------------------------------------------- */

struct collection {
	struct binary *b;
	struct dwarf_unit *u;
	uint32_t cap;
};

static int span_order(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

/* The code of a subprogram; *n 0: it has none in the file.  *first: the beginning of the range that
 * is listed first, which has the entry. */
static struct span *read_spans(struct binary *b, Dwarf_Die *die, uint32_t *n, uint64_t *first)
{
	Dwarf_Addr base, low, high;
	struct span *spans;
	ptrdiff_t at = 0;
	uint32_t most = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		most++;
	*n = 0;
	spans = most ? arena_array(b->arena, most, sizeof *spans) : NULL;
	at = 0;
	while (spans && *n < most && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (low < high && binary_executable(b, low))
			spans[(*n)++] = (struct span){ low, high };
	if (*n) {
		*first = spans[0].low;
		qsort(spans, *n, sizeof *spans, span_order);
	}
	return spans;
}

static void add_code(struct collection *c, Dwarf_Die *die)
{
	struct code_index *f = &c->u->functions;
	uint32_t n;
	uint64_t first = 0;
	struct span *spans = read_spans(c->b, die, &n, &first);
	Dwarf_Addr entry;

	if (!n)
		return;
	if (f->nall == c->cap) {
		uint32_t more = c->cap ? c->cap * 2 : 16;
		void *p = arena_grow(c->b->arena, f->all, c->cap * sizeof *f->all,
			more * sizeof *f->all);

		if (!p)
			return;
		f->all = p;
		c->cap = more;
	}
	if (dwarf_entrypc(die, &entry) != 0 || !binary_executable(c->b, entry))
		entry = first;
	f->all[f->nall++] = (struct code_function){ .spans = spans, .nspans = n, .entry = entry,
		.unit = c->u, .die = *die };
}

static void collect(struct collection *c, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > 32 || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_code(c, &die);
			/* Functions in functions, and in their blocks: contained ones of Fortran,
			 * those that GCC outlines. */
			collect(c, &die, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			collect(c, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

const struct code_index *unit_functions(struct binary *b, struct dwarf_unit *u)
{
	struct collection c = { .b = b, .u = u };

	if (!u->read) {
		u->read = true;
		unit_head(b, u);
		collect(&c, &u->die, 0);
		if (code_index_make(b->arena, &u->functions) < 0)
			u->functions.n = 0;
	}
	return &u->functions;
}
