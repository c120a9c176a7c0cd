/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the dynamic symbols of all loaded objects. */
#include "config.h"
#include "monitor/trial/loaded_symbols.h"
#include <elf.h>
#include <link.h>
#include <string.h>

/* Weak: a static program that does not unwind has no such function, and no loaded objects. */
extern int dl_iterate_phdr(int (*each)(struct dl_phdr_info *, size_t, void *), void *data)
	__attribute__((weak, visibility("default")));

struct finding {
	const char *const *names;
	struct loaded_symbol *out;
	size_t n;
	uint32_t object;
};

struct tables {
	const ElfW(Sym) *symbols;
	const char *strings;
	const uint32_t *hash, *gnu_hash;
	size_t nstrings;
};

/* The dynamic linker relocates these addresses on most machines, and never those of the vDSO. */
static const void *table_at(const struct dl_phdr_info *o, ElfW(Addr) at)
{
	return (const void *)(at < o->dlpi_addr ? o->dlpi_addr + at : at);
}

static bool tables_of(const struct dl_phdr_info *o, struct tables *t)
{
	const ElfW(Dyn) *d = NULL;

	*t = (struct tables){ 0 };
	for (int i = 0; i < o->dlpi_phnum; i++)
		if (o->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const ElfW(Dyn) *)(o->dlpi_addr + o->dlpi_phdr[i].p_vaddr);
	for (; d && d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB: t->symbols = table_at(o, d->d_un.d_ptr); break;
		case DT_STRTAB: t->strings = table_at(o, d->d_un.d_ptr); break;
		case DT_STRSZ: t->nstrings = d->d_un.d_val; break;
		case DT_HASH: t->hash = table_at(o, d->d_un.d_ptr); break;
		case DT_GNU_HASH: t->gnu_hash = table_at(o, d->d_un.d_ptr); break;
		default: break;
		}
	}
	return t->symbols && t->strings && (t->hash || t->gnu_hash);
}

/* The number of symbols up to the last one that is defined: no table says how many there are. */
static uint32_t symbols_of(const struct tables *t)
{
	const uint32_t *h = t->gnu_hash, *bucket, *chain;
	uint32_t nbuckets, first, last = 0;

	if (!h)
		return t->hash[1];
	nbuckets = h[0];
	first = h[1];
	bucket = h + 4 + (size_t)h[2] * (sizeof(ElfW(Addr)) / sizeof *h);
	chain = bucket + nbuckets;
	for (uint32_t i = 0; i < nbuckets; i++)
		last = bucket[i] > last ? bucket[i] : last;
	if (last < first)
		return 0;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

static void data_of(const struct dl_phdr_info *o, struct loaded_symbol *s)
{
	for (int i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &o->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W) || p->p_memsz <= s->data_bytes)
			continue;
		s->data = o->dlpi_addr + p->p_vaddr;
		s->data_bytes = p->p_memsz;
	}
}

static void note(const struct finding *f, const struct dl_phdr_info *o, const ElfW(Sym) *symbol,
	const char *name)
{
	for (size_t k = 0; k < f->n; k++) {
		struct loaded_symbol *s = &f->out[k];

		if (s->address || strcmp(name, f->names[k]) != 0)
			continue;
		*s = (struct loaded_symbol){ .address = o->dlpi_addr + symbol->st_value,
			.object = f->object, .library = o->dlpi_name ? o->dlpi_name : "" };
		data_of(o, s);
	}
}

static int each_object(struct dl_phdr_info *o, size_t size, void *data)
{
	struct finding *f = data;
	struct tables t;
	uint32_t n;

	(void)size;
	f->object++;
	if (!tables_of(o, &t))
		return 0;
	n = symbols_of(&t);
	for (uint32_t i = 1; i < n; i++) {
		const ElfW(Sym) *s = &t.symbols[i];

		if (s->st_shndx != SHN_UNDEF && s->st_name < t.nstrings &&
		    (s->st_info & 0xf) == STT_FUNC)
			note(f, o, s, t.strings + s->st_name);
	}
	return 0;
}

void loaded_symbols_find(const char *const *names, struct loaded_symbol *out, size_t n)
{
	struct finding f = { names, out, n, 0 };

	memset(out, 0, n * sizeof *out);
	if (dl_iterate_phdr)
		dl_iterate_phdr(each_object, &f);
}
