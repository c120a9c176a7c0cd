/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells from an executable file whether the dynamic loader will load the recorder into it. */
#include "config.h"
#include "foreign/preload.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char instead[] =
	"what can be had: an analysis of the same program linked dynamically, or compiled with psc_gcc, psc_g++ "
	"or psc_gfortran";

static int refuse_script(const char *path, const char *line, struct err *err)
{
	const size_t n = strcspn(line + 2, "\n");

	return err_set(err,
		"%s: a script (#!%.*s): name the interpreter and the script as the command, as in \"psc_frontend -- "
		"%.*s %s\", or the program that it starts", path, (int)n, line + 2, (int)n,
		line + 2, path);
}

static int refuse_class(const char *path, const Elf64_Ehdr *h, struct err *err)
{
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_X86_64)
		return err_set(err,
			"%s: not a program for x86-64: accesses of programs that were not compiled with psc_gcc can only "
			"be recorded on that architecture", path);
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return err_set(err, "%s: not an executable program", path);
	return 0;
}

/* Does the program name a dynamic loader?  One without is static. */
static bool has_loader(int fd, const Elf64_Ehdr *h)
{
	for (unsigned i = 0; i < h->e_phnum; i++) {
		Elf64_Phdr p;

		if (pread(fd, &p, sizeof p, (off_t)(h->e_phoff + (uint64_t)i * h->e_phentsize)) !=
		    (ssize_t)sizeof p)
			return false;
		if (p.p_type == PT_INTERP)
			return true;
	}
	return false;
}

/* --- sanitizers: their run-time systems end a program in which another library comes first ---- */

static bool header(int fd, const Elf64_Ehdr *h, unsigned i, Elf64_Phdr *out)
{
	return i < h->e_phnum &&
		pread(fd, out, sizeof *out, (off_t)(h->e_phoff + (uint64_t)i * h->e_phentsize)) ==
		(ssize_t)sizeof *out;
}

/* The offset in the file of what is loaded at an address; 0: none. */
static uint64_t offset_of(int fd, const Elf64_Ehdr *h, uint64_t address)
{
	Elf64_Phdr p;

	for (unsigned i = 0; header(fd, h, i, &p); i++)
		if (p.p_type == PT_LOAD && address - p.p_vaddr < p.p_filesz)
			return address - p.p_vaddr + p.p_offset;
	return 0;
}

/* The value of the nth entry with this tag in the dynamic section; false: there is none. */
static bool dynamic_entry(int fd, const Elf64_Phdr *section, int64_t tag, unsigned nth,
	uint64_t *value)
{
	Elf64_Dyn d;

	for (uint64_t at = 0; at + sizeof d <= section->p_filesz; at += sizeof d) {
		if (pread(fd, &d, sizeof d, (off_t)(section->p_offset + at)) != (ssize_t)sizeof d ||
		    d.d_tag == DT_NULL)
			return false;
		if (d.d_tag == tag && !nth--) {
			*value = d.d_un.d_val;
			return true;
		}
	}
	return false;
}

static bool is_sanitizer(const char *name)
{
	static const char *const names[] = { "libasan.so", "libtsan.so", "liblsan.so",
		"libhwasan.so", "libclang_rt.asan", NULL };

	for (int i = 0; names[i]; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static int refuse_sanitizer(const char *path, int fd, const Elf64_Ehdr *h, struct err *err)
{
	Elf64_Phdr section;
	uint64_t strings, name;
	unsigned i = 0;

	while (header(fd, h, i, &section) && section.p_type != PT_DYNAMIC)
		i++;
	if (i >= h->e_phnum || !dynamic_entry(fd, &section, DT_STRTAB, 0, &strings) ||
	    !(strings = offset_of(fd, h, strings)))
		return 0;
	for (unsigned k = 0; dynamic_entry(fd, &section, DT_NEEDED, k, &name); k++) {
		char text[64] = "";

		if (pread(fd, text, sizeof text - 1, (off_t)(strings + name)) > 0 &&
		    is_sanitizer(text))
			return err_set(err,
				"%s: built with a sanitizer (%s), which ends a program into which another library is loaded "
				"first: build it without -fsanitize", path, text);
	}
	return 0;
}

/* The kernel ignores LD_PRELOAD of programs that run with other rights than the user's. */
static int refuse_rights(const char *path, const struct stat *st, struct err *err)
{
	if ((st->st_mode & S_ISUID && st->st_uid != getuid()) ||
	    (st->st_mode & S_ISGID && st->st_gid != getgid()))
		return err_set(err,
			"%s: runs with the rights of its owner (setuid or setgid), so nothing can be loaded into it: "
			"analyse a copy without that bit", path);
	return 0;
}

static int look(const char *path, int fd, struct err *err)
{
	union {
		Elf64_Ehdr elf;
		char text[256];
	} head = { .text = "" };
	struct stat st;

	if (fstat(fd, &st) || pread(fd, head.text, sizeof head.text - 1, 0) < 0)
		return err_sys(err, "%s", path);
	if (memcmp(head.text, "#!", 2) == 0)
		return refuse_script(path, head.text, err);
	if (memcmp(head.text, ELFMAG, SELFMAG) != 0)
		return err_set(err, "%s: neither an ELF file nor a script", path);
	if (refuse_class(path, &head.elf, err) || refuse_rights(path, &st, err))
		return -1;
	if (!has_loader(fd, &head.elf)) {
		err_set(err, "%s: linked statically, so nothing can be loaded into it; %s", path,
			instead);
		return PRELOAD_STATIC;
	}
	return refuse_sanitizer(path, fd, &head.elf, err);
}

int preload_possible(const char *path, struct err *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return err_sys(err, "%s", path);
	rc = look(path, fd, err);
	close(fd);
	return rc;
}
