/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "agents/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/keeper.h"

int launch_dir(struct agents *a, struct err *err)
{
	const char *tmp = getenv("TMPDIR");

	*a = (struct agents){ .keeper = -1, .hold = -1, .status = -1 };
	if (!tmp || !*tmp)
		tmp = "/tmp";
	/* A socket's name has 107 bytes; ours and Open MPI's own files need some of them. */
	if (strlen(tmp) > 60)
		tmp = "/tmp";
	snprintf(a->dir, sizeof a->dir, "%s/psc-XXXXXX", tmp);
	if (!mkdtemp(a->dir))
		return err_sys(err, "%s", a->dir);
	return 0;
}

int launch_agents(struct agents *a, const char *agent, const char *socket, int nodes,
	struct err *err)
{
	const struct keeper_job job = { a->dir, agent, socket, nodes };
	int hold[2], status[2];

	if (pipe2(hold, O_CLOEXEC))
		return err_sys(err, "pipe");
	if (pipe2(status, O_CLOEXEC)) {
		close(hold[0]);
		close(hold[1]);
		return err_sys(err, "pipe");
	}
	a->keeper = fork();
	if (a->keeper == 0) {
		close(hold[1]);
		close(status[0]);
		keeper_run(&job, hold[0], status[1]);
		_exit(0);
	}
	close(hold[0]);
	close(status[1]);
	a->hold = hold[1];
	a->status = status[0];
	if (a->keeper < 0) {
		err_sys(err, "fork");
		launch_end(a);
		return -1;
	}
	return 0;
}

void launch_end(struct agents *a)
{
	if (a->hold >= 0)
		close(a->hold);
	if (a->keeper > 0)
		while (waitpid(a->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	else if (a->dir[0])
		keeper_remove(a->dir);
	if (a->status >= 0)
		close(a->status);
	*a = (struct agents){ .keeper = -1, .hold = -1, .status = -1 };
}

void launch_log(const struct agents *a, char *out, unsigned size)
{
	char path[160];
	FILE *f;
	size_t n = 0;

	snprintf(path, sizeof path, "%s/log", a->dir);
	f = fopen(path, "re");
	if (f) {
		if (fseek(f, -(long)(size - 1), SEEK_END))
			rewind(f);
		n = fread(out, 1, size - 1, f);
		fclose(f);
	}
	out[n] = '\0';
}
