/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the dynamic loader which libraries it loads into a program, as ldd does. */
#include <config.h>

#include "frontend/code_files.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "binary/binary.h"

/* "	libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f...)" */
char *code_file_of_line(char *line)
{
	char *path = strstr(line, "=> /"), *end = path ? strstr(path, " (0x") : NULL;

	if (!end)
		return NULL;
	path += 3;
	*end = '\0';
	return binary_is_run_time(path) ? NULL : path;
}

/* The dynamic loader of the program, if it is glibc's: others might run the program instead. */
static bool loader_of(const char *program, char path[PATH_MAX])
{
	const int fd = open(program, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr h;
	Elf64_Phdr p = { .p_type = PT_NULL };
	bool found = fd >= 0 && pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
		memcmp(h.e_ident, ELFMAG, SELFMAG) == 0;

	for (unsigned i = 0; found && p.p_type != PT_INTERP && i < h.e_phnum; i++)
		found = pread(fd, &p, sizeof p, (off_t)(h.e_phoff + i * sizeof p)) ==
			(ssize_t)sizeof p;
	found = found && p.p_type == PT_INTERP && p.p_filesz && p.p_filesz < PATH_MAX &&
		pread(fd, path, p.p_filesz, (off_t)p.p_offset) == (ssize_t)p.p_filesz &&
		!path[p.p_filesz - 1];
	if (fd >= 0)
		close(fd);
	return found && strstr(path, "/ld-linux");
}

static FILE *ask_loader(const char *program, pid_t *pid)
{
	char loader[PATH_MAX];
	int ends[2];

	if (!loader_of(program, loader) || pipe(ends))
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl(loader, loader, "--list", program, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*pid > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

char *code_files(const char *program)
{
	char line[2 * PATH_MAX], full[PATH_MAX], *path;
	struct buf b = BUF_INIT;
	pid_t pid;
	FILE *f = ask_loader(program, &pid);

	while (f && fgets(line, sizeof line, f)) {
		path = code_file_of_line(line);
		if (path && realpath(path, full))
			buf_printf(&b, "%s\n", full);
	}
	if (f) {
		fclose(f);
		waitpid(pid, NULL, 0);
	}
	return b.len ? buf_take(&b) : strdup("");
}
