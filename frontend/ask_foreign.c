/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs psc_foreign with one option.  It is asked, and not the kernel, because it is the program
 * that opens units and loads the recorder: tests give it another unit. */
#include <config.h>

#include "frontend/ask_foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/install_paths.h"

static _Noreturn void ask(const char *program, const char *option, int out)
{
	char *const argv[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)option, NULL };

	if (dup2(out, STDOUT_FILENO) >= 0)
		execv(program, argv);
	_exit(127);
}

/* Reads all that the child prints, to the end of its first line. */
static void read_line(int in, char *text, size_t size)
{
	size_t n = 0;
	ssize_t got;

	while (n < size - 1 &&
		((got = read(in, text + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

int ask_foreign(const char *option, char *said, size_t size, struct err *err)
{
	char program[4096];
	int out[2], status = 0;
	pid_t child;

	if (paths_agent("psc_foreign", "PSC_FOREIGN", program, sizeof program, err))
		return -1;
	if (pipe2(out, O_CLOEXEC))
		return err_sys(err, "pipe");
	child = fork();
	if (child == 0)
		ask(program, option, out[1]);
	close(out[1]);
	read_line(out[0], said, size);
	close(out[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return err_set(err, "%s", said[0] ? said : "psc_foreign could not be asked");
}
