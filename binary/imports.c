/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of other files that a file calls: by the relocations of the words that its linkage
 * stubs jump through. */
#include "binary/internal.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
	const struct import *x = a, *y = b;

	return (x->word > y->word) - (x->word < y->word);
}

static const char *symbol_name(const struct binary *b, const GElf_Shdr *relocations, size_t index)
{
	Elf_Scn *scn = elf_getscn(b->elf, relocations->sh_link);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Shdr symbols;
	GElf_Sym sym;

	if (!d || !gelf_getshdr(scn, &symbols) || index > INT32_MAX ||
	    !gelf_getsym(d, (int)index, &sym))
		return NULL;
	return elf_strptr(b->elf, symbols.sh_link, sym.st_name);
}

static void read_section(struct binary *b, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t n = d && h->sh_entsize ? d->d_size / h->sh_entsize : 0;
	struct import *p = n ? arena_grow(b->arena, b->imports, b->nimports * sizeof *p,
		(b->nimports + n) * sizeof *p) : NULL;
	GElf_Rela r;

	if (!p || n > INT32_MAX)
		return;
	b->imports = p;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getrela(d, (int)i, &r) || (GELF_R_TYPE(r.r_info) != R_X86_64_JUMP_SLOT &&
		    GELF_R_TYPE(r.r_info) != R_X86_64_GLOB_DAT))
			continue;
		p[b->nimports] = (struct import){ r.r_offset,
			symbol_name(b, h, GELF_R_SYM(r.r_info)) };
		b->nimports += p[b->nimports].name != NULL;
	}
}

static void read_imports(struct binary *b)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	b->imports_read = true;
	while ((scn = elf_nextscn(b->elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_RELA && (h.sh_flags & SHF_ALLOC))
			read_section(b, scn, &h);
	if (b->nimports)
		qsort(b->imports, b->nimports, sizeof *b->imports, by_address);
}

/* The word that the code jumps through: "jmp *word(%rip)", behind endbr64 or bnd. */
static uint64_t jumps_through(const struct binary *b, uint64_t address)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t left, at = 0;
	const unsigned char *p = binary_bytes(b, address, &left);
	int32_t distance;

	if (!p || left < 16)
		return 0;
	if (memcmp(p, endbr64, sizeof endbr64) == 0)
		at += sizeof endbr64;
	if (p[at] == 0xf2)
		at++;
	if (p[at] != 0xff || p[at + 1] != 0x25)
		return 0;
	memcpy(&distance, p + at + 2, sizeof distance);
	return address + at + 6 + (uint64_t)(int64_t)distance;
}

const char *binary_import(struct binary *b, uint64_t stub)
{
	const struct import key = { jumps_through(b, stub), NULL }, *found = NULL;

	if (!b->imports_read)
		read_imports(b);
	if (key.word && b->nimports)
		found = bsearch(&key, b->imports, b->nimports, sizeof *b->imports, by_address);
	return found ? found->name : NULL;
}
