/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols of a file, and its functions as far as symbols and the unwind table tell them. */
#include "binary/internal.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->global != y->global)
		return x->global ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool has_symbol_table(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

/* Takes a symbol that has a name and an address in the file or in its zeroed data. */
static void take(struct binary *b, int i, GElf_Addr bias)
{
	struct symbol *s = &b->symbols[b->nsymbols];
	GElf_Addr address;
	GElf_Word section;
	const char *name;
	GElf_Shdr shdr;
	GElf_Sym sym;
	Elf *elf;

	name = dwfl_module_getsym_info(b->module, i, &sym, &address, &section, &elf, NULL);
	if (!name || !*name || section == SHN_UNDEF || section == SHN_ABS)
		return;
	*s = (struct symbol){ address - bias, sym.st_size, name,
		.global = GELF_ST_BIND(sym.st_info) == STB_GLOBAL };
	switch (GELF_ST_TYPE(sym.st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		s->function = true;
		break;
	case STT_OBJECT:
		break;
	case STT_NOTYPE:        /* of assembler code */
		if (!binary_executable(b, s->address))
			return;
		s->function = true;
		break;
	default:
		return;
	}
	s->end = gelf_getshdr(elf_getscn(elf, section), &shdr) ? shdr.sh_addr + shdr.sh_size :
		UINT64_MAX;
	b->lost.symbols &= elf == b->elf;
	b->nsymbols++;
}

/* A function without a size ends where the next one begins, or with its section. */
static void complete_sizes(struct binary *b)
{
	uint64_t next = UINT64_MAX;

	for (uint32_t i = b->nsymbols; i--;) {
		struct symbol *s = &b->symbols[i];

		if (!s->function)
			continue;
		if (!s->size && s->end != UINT64_MAX)
			s->size = (next < s->end ? next : s->end) - s->address;
		next = s->address < next ? s->address : next;
	}
}

void binary_read_symbols(struct binary *b)
{
	GElf_Addr bias = 0;
	int n;

	if (b->symbols_read)
		return;
	b->symbols_read = true;
	b->lost.symbols = !has_symbol_table(b->elf);
	dwfl_module_getelf(b->module, &bias);
	n = dwfl_module_getsymtab(b->module);
	b->symbols = n > 0 ? arena_array(b->arena, (size_t)n, sizeof *b->symbols) : NULL;
	if (!b->symbols)
		return;
	for (int i = 0; i < n; i++)
		take(b, i, bias);
	qsort(b->symbols, b->nsymbols, sizeof *b->symbols, by_address);
	complete_sizes(b);
}

const struct symbol *binary_symbol_at(struct binary *b, uint64_t address, bool function)
{
	uint32_t low = 0, high;

	binary_read_symbols(b);
	high = b->nsymbols;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (b->symbols[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	/* Symbols hardly ever overlap: few before the nearest one can have the address. */
	for (uint32_t back = 0; low && back < 16; back++) {
		const struct symbol *s = &b->symbols[--low];

		if (s->function == function && address - s->address < s->size) {
			while (low && s[-1].address == s->address && s[-1].function == function &&
			    address - s->address < s[-1].size)
				low--, s--;
			return s;
		}
	}
	return NULL;
}

/* --- functions -------------------------------------------------------------------------------- */

/* The length of a function's name without what the compiler appends to the
 * symbol of a part or clone. */
static size_t base_length(const char *name)
{
	static const char *const parts[] = { ".cold", ".part.", ".isra.", ".constprop.",
		".lto_priv." };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		const char *p = strstr(name, parts[i]);

		if (p && p > name && (size_t)(p - name) < n)
			n = (size_t)(p - name);
	}
	return n;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct code_function *const *)a)->symbol,
		(*(struct code_function *const *)b)->symbol);
}

/* The only function with that name; NULL. */
static struct code_function *only(struct code_function **sorted, uint32_t n, const char *name,
	size_t length)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (strncmp(sorted[mid]->symbol, name, length) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == n || strncmp(sorted[low]->symbol, name, length) != 0 ||
	    sorted[low]->symbol[length] ||
	    (low + 1 < n && strcmp(sorted[low + 1]->symbol, sorted[low]->symbol) == 0))
		return NULL;
	return sorted[low];
}

/* Adds the code of "name.cold" to that of "name". */
static void join_cold(struct binary *b)
{
	struct code_function **sorted = malloc((b->bare.nall + 1) * sizeof *sorted);
	uint32_t n = 0;

	for (uint32_t i = 0; sorted && i < b->bare.nall; i++)
		if (b->bare.all[i].symbol)
			sorted[n++] = &b->bare.all[i];
	if (sorted)
		qsort(sorted, n, sizeof *sorted, by_name);
	for (uint32_t i = 0; sorted && i < b->bare.nall; i++) {
		struct code_function *cold = &b->bare.all[i], *hot;
		const char *at = cold->symbol ? strstr(cold->symbol, ".cold") : NULL;
		struct span *both;

		hot = at && at > cold->symbol ? only(sorted, n, cold->symbol,
			(size_t)(at - cold->symbol)) : NULL;
		if (!hot || hot->nspans != 1 || cold->nspans != 1)
			continue;
		both = arena_array(b->arena, 2, sizeof *both);
		if (!both)
			break;
		both[hot->entry > cold->entry] = hot->spans[0];
		both[hot->entry < cold->entry] = cold->spans[0];
		hot->spans = both;
		hot->nspans = 2;
		cold->nspans = 0;
	}
	free(sorted);
}

static void add_bare(struct binary *b, uint64_t low, uint64_t high, const char *symbol)
{
	struct code_function *c = &b->bare.all[b->bare.nall];
	struct span *s = arena_alloc(b->arena, sizeof *s);

	if (!s || low >= high || !binary_executable(b, low))
		return;
	*s = (struct span){ low, high };
	*c = (struct code_function){ .spans = s, .nspans = 1, .entry = low, .symbol = symbol };
	b->bare.nall++;
}

/* Functions that the unwind table alone knows: all, where the file has no symbols. */
static void add_unwind(struct binary *b, const struct span *spans, uint32_t n)
{
	uint64_t start = binary_main(b);

	for (uint32_t i = 0; i < n; i++)
		if (!binary_symbol_at(b, spans[i].low, true))
			add_bare(b, spans[i].low, spans[i].high, spans[i].low == start ? "main" :
				NULL);
}

void binary_read_bare(struct binary *b)
{
	const struct span *spans = NULL;
	uint32_t n = 0;

	if (b->bare_read)
		return;
	b->bare_read = true;
	binary_read_symbols(b);
	if (b->lost.symbols)
		spans = unwind_functions(b, &n);
	b->bare.all = arena_array(b->arena, (size_t)b->nsymbols + n, sizeof *b->bare.all);
	if (!b->bare.all)
		return;
	for (uint32_t i = 0; i < b->nsymbols; i++) {
		const struct symbol *s = &b->symbols[i];

		if (s->function &&
		    !(b->bare.nall && b->bare.all[b->bare.nall - 1].entry == s->address))
			add_bare(b, s->address, s->address + s->size, s->name);
	}
	add_unwind(b, spans, n);
	join_cold(b);
	if (code_index_make(b->arena, &b->bare) < 0)
		b->bare.n = 0;
}

struct code_function *binary_bare_code(struct binary *b, uint64_t address)
{
	binary_read_bare(b);
	return code_index_at(&b->bare, address);
}

const char *symbol_base(struct arena *a, const char *symbol)
{
	size_t n = base_length(symbol);

	return symbol[n] ? arena_strndup(a, symbol, n) : symbol;
}
