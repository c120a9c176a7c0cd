/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the application. */
#include <config.h>

#include "frontend/application.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/inherit.h"
#include "monitor/shared/shm.h"

#define STACK_BYTES ((rlim_t)256 << 20)

/* Raises the soft limit of the stack: recording code needs more stack than the program alone.  The
 * limit stays finite, because with "unlimited" the kernel uses another address space layout.
 * MON_ENV_STACK passes the old limit to the monitor, which sizes the stacks of new threads by
 * it. */
static void raise_stack(void)
{
	char before[32];
	struct rlimit r;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= STACK_BYTES || r.rlim_cur >= r.rlim_max)
		return;
	snprintf(before, sizeof before, "%llu", (unsigned long long)r.rlim_cur);
	r.rlim_cur = r.rlim_max < STACK_BYTES ? r.rlim_max : STACK_BYTES;
	if (setrlimit(RLIMIT_STACK, &r) == 0)
		setenv(MON_ENV_STACK, before, 1);
}

static void give_streams(const struct application_streams *s)
{
	if (s->in >= 0)
		dup2(s->in, STDIN_FILENO);
	if (s->out >= 0) {
		dup2(s->out, STDOUT_FILENO);
		dup2(s->out, STDERR_FILENO);
	}
}

int application_start(const char *program, char **argv, const char *monitor,
	const struct application_streams *streams, pid_t *pid, struct err *err)
{
	int failed[2], code = 0;
	ssize_t n;

	if (pipe2(failed, O_CLOEXEC))
		return err_sys(err, "pipe");
	*pid = fork();
	if (*pid == 0) {
		setenv(MON_ENV, monitor, 1);
		give_streams(streams);
		inherit_give();
		raise_stack();
		execv(program, argv);
		code = errno;
		n = write(failed[1], &code, sizeof code);
		_exit(n == sizeof code ? 127 : 126);
	}
	close(failed[1]);
	if (*pid < 0) {
		close(failed[0]);
		return err_sys(err, "fork");
	}
	do
		n = read(failed[0], &code, sizeof code);
	while (n < 0 && errno == EINTR);
	close(failed[0]);
	if (n == (ssize_t)sizeof code) {
		waitpid(*pid, NULL, 0);
		errno = code;
		return err_sys(err, "%s", program);
	}
	return 0;
}
