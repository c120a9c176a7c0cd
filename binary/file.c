/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens an ELF file, its segments and its identity. */
#include "binary/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <elfutils/libdwelf.h>

enum { PAGE = 4096 };

/* Debugging information on this host: servers that the user has named for other tools
 * (debuginfod) may take minutes. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
	const char *file, const char *link, GElf_Word crc, char **found)
{
	static const char servers[] = "DEBUGINFOD_URLS";
	char *named = getenv(servers) ? strdup(getenv(servers)) : NULL;
	int fd;

	unsetenv(servers);
	fd = dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, found);
	if (named)
		setenv(servers, named, 1);
	free(named);
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

uint64_t binary_hash(uint64_t h, const void *data, size_t size)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < size; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

/* A file without a build id is known by its headers and the first bytes of its segments. */
static uint64_t identity(const struct binary *b)
{
	const void *id = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(b->elf, &id);
	uint64_t h = BINARY_HASH;

	if (n > 0)
		return binary_hash(h, id, (size_t)n);
	h = binary_hash(h, &b->image_size, sizeof b->image_size);
	h = binary_hash(h, b->image, b->image_size < 4096 ? b->image_size : 4096);
	for (uint32_t i = 0; i < b->nsegments; i++) {
		const struct segment *s = &b->segments[i];

		h = binary_hash(h, b->image + s->offset, s->size < 65536 ? s->size : 65536);
	}
	return h;
}

static int read_segments(struct binary *b, struct err *err)
{
	size_t n;

	if (elf_getphdrnum(b->elf, &n) < 0 || n > UINT16_MAX)
		return err_set(err, "%s: broken ELF file: %s", b->path, elf_errmsg(-1));
	b->segments = arena_array(b->arena, n, sizeof *b->segments);
	if (!b->segments)
		return err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(b->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    p.p_offset > b->image_size || p.p_filesz > b->image_size - p.p_offset ||
		    p.p_vaddr + p.p_filesz < p.p_vaddr)
			continue;
		b->segments[b->nsegments++] = (struct segment){ p.p_vaddr, p.p_filesz, p.p_offset,
			p.p_flags & PF_X };
	}
	return 0;
}

static int read_header(struct binary *b, struct err *err)
{
	GElf_Ehdr h;

	if (!gelf_getehdr(b->elf, &h))
		return err_set(err, "%s: broken ELF file: %s", b->path, elf_errmsg(-1));
	if (h.e_machine != EM_X86_64 || gelf_getclass(b->elf) != ELFCLASS64)
		return err_set(err, "%s: not for x86-64", b->path);
	if (h.e_type != ET_EXEC && h.e_type != ET_DYN)
		return err_set(err, "%s: neither an executable nor a shared library", b->path);
	b->entry = h.e_entry;
	b->image = (const unsigned char *)elf_rawfile(b->elf, &b->image_size);
	if (!b->image)
		return err_set(err, "%s: %s", b->path, elf_errmsg(-1));
	return read_segments(b, err);
}

static int open_module(struct binary *b, struct err *err)
{
	GElf_Addr bias;
	struct stat st;
	int fd;

	/* Opening a device may do something. */
	if (stat(b->path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, "%s: not a regular file", b->path);
	fd = open(b->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, "%s", b->path);
	b->dwfl = dwfl_begin(&callbacks);
	if (b->dwfl) {
		dwfl_report_begin(b->dwfl);
		b->module = dwfl_report_offline(b->dwfl, b->path, b->path, fd);
		dwfl_report_end(b->dwfl, NULL, NULL);
	}
	if (!b->module)
		close(fd);
	b->elf = b->module ? dwfl_module_getelf(b->module, &bias) : NULL;
	return b->elf ? 0 : err_set(err, "%s: no ELF file: %s", b->path, dwfl_errmsg(-1));
}

struct binary *binary_open(const char *path, struct err *err)
{
	struct arena *a = arena_new();
	struct binary *b = a ? arena_alloc(a, sizeof *b) : NULL;

	if (!b || !(b->path = arena_strdup(a, path))) {
		arena_free(a);
		err_nomem(err);
		return NULL;
	}
	b->arena = a;
	b->name = strrchr(b->path, '/') ? strrchr(b->path, '/') + 1 : b->path;
	if (open_module(b, err) < 0 || read_header(b, err) < 0) {
		binary_close(b);
		return NULL;
	}
	b->id = identity(b);
	return b;
}

void binary_close(struct binary *b)
{
	if (!b)
		return;
	if (b->dwfl)
		dwfl_end(b->dwfl);
	arena_free(b->arena);
}

const char *binary_path(const struct binary *b)
{
	return b->path;
}

bool binary_code_address(const struct binary *b, uint64_t offset, uint64_t *address)
{
	for (uint32_t i = 0; i < b->nsegments; i++) {
		const struct segment *s = &b->segments[i];
		const uint64_t from = s->offset & ~(uint64_t)(PAGE - 1);

		if (s->executable && offset >= from && offset < s->offset + s->size) {
			*address = s->address - s->offset + offset;
			return true;
		}
	}
	return false;
}

static const struct segment *segment_at(const struct binary *b, uint64_t address)
{
	for (uint32_t i = 0; i < b->nsegments; i++)
		if (address >= b->segments[i].address &&
		    address - b->segments[i].address < b->segments[i].size)
			return &b->segments[i];
	return NULL;
}

bool binary_offset(const struct binary *b, uint64_t address, uint64_t *offset)
{
	const struct segment *s = segment_at(b, address);

	if (s)
		*offset = s->offset + (address - s->address);
	return s;
}

const unsigned char *binary_bytes(const struct binary *b, uint64_t address, size_t *size)
{
	const struct segment *s = segment_at(b, address);

	if (!s)
		return NULL;
	*size = s->size - (address - s->address);
	return b->image + s->offset + (address - s->address);
}

bool binary_executable(const struct binary *b, uint64_t address)
{
	const struct segment *s = segment_at(b, address);

	return s && s->executable;
}
