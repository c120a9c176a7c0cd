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

static const char instead[] = "what can be had: an analysis of the same program linked dynamically, or compiled with psc_gcc, psc_g++ "
	"or psc_gfortran";

static int refuse_script(const char *path, const char *line, struct err *err)
{
	const size_t n = strcspn(line + 2, "\n");

	return err_set(err, "%s: a script (#!%.*s): name the interpreter and the script as the command, as in \"psc_frontend -- "
		"%.*s %s\", or the program that it starts", path, (int)n, line + 2, (int)n, line + 2, path);
}

static int refuse_class(const char *path, const Elf64_Ehdr *h, struct err *err)
{
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_X86_64)
		return err_set(err, "%s: not a program for x86-64: accesses of programs that were not compiled with psc_gcc can only "
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

		if (pread(fd, &p, sizeof p, (off_t)(h->e_phoff + (uint64_t)i * h->e_phentsize)) != (ssize_t)sizeof p)
			return false;
		if (p.p_type == PT_INTERP)
			return true;
	}
	return false;
}

/* The kernel ignores LD_PRELOAD of programs that run with other rights than the user's. */
static int refuse_rights(const char *path, const struct stat *st, struct err *err)
{
	if ((st->st_mode & S_ISUID && st->st_uid != getuid()) || (st->st_mode & S_ISGID && st->st_gid != getgid()))
		return err_set(err, "%s: runs with the rights of its owner (setuid or setgid), so nothing can be loaded into it: "
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
	if (!has_loader(fd, &head.elf))
		return err_set(err, "%s: linked statically, so nothing can be loaded into it; %s", path, instead);
	return 0;
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
