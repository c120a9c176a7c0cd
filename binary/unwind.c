/* SPDX-License-Identifier: BSD-3-Clause */
/* Where functions begin and end by the unwind table (.eh_frame), which a stripped file has, too. */
#include "binary/internal.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct table {
	const unsigned char *bytes;
	size_t size;
	uint64_t address;
};

static bool find_table(const struct binary *b, struct table *t)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(b->elf, &names) < 0)
		return false;
	while ((scn = elf_nextscn(b->elf, scn))) {
		GElf_Shdr h;
		const char *name;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(b->elf, names, h.sh_name);
		if (!name || strcmp(name, ".eh_frame") != 0)
			continue;
		d = elf_rawdata(scn, NULL);
		if (!d || !d->d_buf)
			return false;
		*t = (struct table){ d->d_buf, d->d_size, h.sh_addr };
		return true;
	}
	return false;
}

/* The name of the section that has the address; NULL. */
static const char *section_at(const struct binary *b, uint64_t address)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	size_t names;

	if (elf_getshdrstrndx(b->elf, &names) < 0)
		return NULL;
	while ((scn = elf_nextscn(b->elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_flags & SHF_ALLOC && address >= h.sh_addr &&
		    address - h.sh_addr < h.sh_size)
			return elf_strptr(b->elf, names, h.sh_name);
	return NULL;
}

/* The table has entries for the stubs of the procedure linkage, too.  They are no functions: what
 * they call is called by the code that calls them. */
static bool is_linkage(const struct binary *b, uint64_t address)
{
	const char *section = section_at(b, address);

	return section && strncmp(section, ".plt", 4) == 0;
}

/* How a CIE encodes addresses; DW_EH_PE_omit: in a way that is not read here. */
static int encoding(const Dwarf_CIE *cie)
{
	const unsigned char *data = cie->augmentation_data, *end = data ?
		data + cie->augmentation_data_size : NULL;

	if (cie->augmentation[0] != 'z')
		return cie->augmentation[0] ? DW_EH_PE_omit : DW_EH_PE_absptr;
	for (const char *p = cie->augmentation + 1; *p; p++) {
		if (strchr("RLP", *p) && data >= end)
			return DW_EH_PE_omit;
		switch (*p) {
		case 'R':
			return *data;
		case 'L':
			data++;
			break;
		case 'P':       /* an address, whose length depends on its encoding */
			switch (*data & 15) {
			case DW_EH_PE_sdata4:
			case DW_EH_PE_udata4:
				data += 5;
				break;
			case DW_EH_PE_absptr:
			case DW_EH_PE_sdata8:
			case DW_EH_PE_udata8:
				data += 9;
				break;
			default:
				return DW_EH_PE_omit;
			}
			break;
		case 'S':
		case 'B':
			break;
		default:
			return DW_EH_PE_omit;
		}
	}
	return DW_EH_PE_absptr;
}

/* Reads the range at the beginning of an FDE. */
static bool read_range(const struct table *t, const Dwarf_FDE *fde, int encoded, struct span *s)
{
	const unsigned char *p = fde->start;
	uint64_t at = t->address + (uint64_t)(p - t->bytes), low, size;
	int32_t v[2];

	if ((size_t)(fde->end - p) < 16 && (encoded & 15) == DW_EH_PE_absptr)
		return false;
	if ((encoded & 15) == DW_EH_PE_sdata4 || (encoded & 15) == DW_EH_PE_udata4) {
		if (fde->end - p < 8)
			return false;
		memcpy(v, p, sizeof v);
		low = (encoded & 15) == DW_EH_PE_sdata4 ? (uint64_t)(int64_t)v[0] : (uint32_t)v[0];
		size = (uint32_t)v[1];
	} else if ((encoded & 15) == DW_EH_PE_absptr) {
		memcpy(&low, p, 8);
		memcpy(&size, p + 8, 8);
	} else {
		return false;
	}
	if ((encoded & 0x70) == DW_EH_PE_pcrel)
		low += at;
	else if (encoded & 0x70)
		return false;
	*s = (struct span){ low, low + size };
	return size > 0;
}

static int by_address(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

struct span *unwind_functions(struct binary *b, uint32_t *n)
{
	unsigned char *ident = (unsigned char *)elf_getident(b->elf, NULL);
	struct table t;
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next, cie_at = (Dwarf_Off)-1;
	Elf_Data data;
	struct span *spans;
	size_t most;
	int encoded = DW_EH_PE_omit;

	*n = 0;
	if (!ident || !find_table(b, &t))
		return NULL;
	most = t.size / 16 + 1;         /* no entry is shorter */
	spans = arena_array(b->arena, most, sizeof *spans);
	data = (Elf_Data){ .d_buf = (void *)(uintptr_t)t.bytes, .d_size = t.size,
		.d_version = EV_CURRENT };
	for (; spans && *n < most && dwarf_next_cfi(ident, &data, true, at, &next, &entry) == 0;
	     at = next) {
		if (entry.CIE_id == DW_CIE_ID_64) {
			encoded = encoding(&entry.cie);
			cie_at = at;
		} else if (entry.fde.CIE_pointer == cie_at && encoded != DW_EH_PE_omit &&
		    read_range(&t, &entry.fde, encoded, &spans[*n]) &&
		    !is_linkage(b, spans[*n].low)) {
			++*n;
		}
	}
	if (spans)
		qsort(spans, *n, sizeof *spans, by_address);
	return spans;
}
