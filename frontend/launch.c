/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends the agents through the keeper. */
#include <config.h>

#include "frontend/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontend/inherit.h"
#include "frontend/keeper.h"
#include "frontend/netns.h"
#include "frontend/install_paths.h"
#include "base/run_dir.h"
#include "base/log.h"
#include "monitor/shared/shm.h"

/* FILES: open files; mpirun hangs with fewer.  ROOM: bytes free in the run directory; mpirun's
 * session files take 8.3 MB. */
enum { MPIRUN_FILES = 64, LOCAL_FILES = 24, MPIRUN_ROOM = 12 << 20, LOCAL_ROOM = 64 << 10 };
enum { TICK_MS = 5, KEEPER_MS = 6000 };

static const struct agents nothing = { .keeper = -1, .hold = -1, .status = -1, .log = -1,
	.lock = -1 };

static int need(const char *what, const char *option, unsigned long long have,
	unsigned long long wanted, struct err *err)
{
	return have >= wanted ? 0 :
		err_set(err, "the limit of %s is %llu (ulimit -%s), but the analysis needs "
		"%llu", what, have, option, wanted);
}

int launch_limits(enum agents_way way, struct err *err)
{
	unsigned least = way == AGENTS_LOCAL ? LOCAL_FILES : MPIRUN_FILES;
	struct rlimit files, size;

	if (getrlimit(RLIMIT_NOFILE, &files) || getrlimit(RLIMIT_FSIZE, &size))
		return 0;
	if (need("open files", "n", files.rlim_max, least, err) ||
	    need("the size of a file in KiB", "f", size.rlim_max >> 10,
	    (sizeof(struct mon_shm) >> 10) + 1, err))
		return -1;
	inherit_more_files(least);
	return 0;
}

void launch_init(struct agents *a)
{
	*a = nothing;
}

int launch_dir(struct agents *a, enum agents_way way, struct err *err)
{
	return rundir_make(a->dir, sizeof a->dir, way == AGENTS_LOCAL ? LOCAL_ROOM : MPIRUN_ROOM,
		&a->lock, err);
}

/* Makes n close-on-exec pipes, or none. */
static int make_pipes(int (*pipes)[2], int n, struct err *err)
{
	for (int i = 0; i < n; i++)
		if (pipe2(pipes[i], O_CLOEXEC)) {
			err_sys(err, "pipe");
			while (i-- > 0) {
				close(pipes[i][0]);
				close(pipes[i][1]);
			}
			return -1;
		}
	return 0;
}

const char *launch_mpirun(void)
{
	const char *given = getenv("PSC_MPIRUN");

	return given && *given ? given : MPIRUN;
}

int launch_possible(enum agents_way way, char *agent, unsigned size, struct err *err)
{
	char mpirun[4200];

	if (way == AGENTS_LOCAL)
		return paths_agent("psc_agent_local", "PSC_AGENT_LOCAL", agent, size, err);
	if (paths_agent("psc_agent", "PSC_AGENT", agent, size, err))
		return err_prefix(err, "no agents over MPI (configured --without-mpi?)");
	if (paths_command(launch_mpirun(), mpirun, sizeof mpirun, err))
		return err_prefix(err, "no mpirun (apt-get install openmpi-bin)");
	return 0;
}

/* Can mpirun get a network namespace?  If not, mpirun is used all the same; --doctor reports it. */
static bool own_network(enum agents_way way)
{
	struct err err;

	if (way != AGENTS_MPIRUN)
		return false;
	if (netns_possible(&err) == 0)
		return true;
	log_msg(2,
		"mpirun and its agents listen on all networks of this host: no network namespace: %s", err.text);
	return false;
}

int launch_agents(struct agents *a, enum agents_way way, const char *agent, const char *socket,
	int nodes, int fanout, const char *hostfile, struct err *err)
{
	struct keeper_job job = { way, a->dir, agent, socket, nodes, fanout, hostfile, !hostfile &&
		own_network(way), -1, -1, -1, a->lock };
	enum { HOLD, STATUS, LOG, PIPES };
	int pipes[PIPES][2];

	if (make_pipes(pipes, PIPES, err))
		return -1;
	job.held = pipes[HOLD][0];
	job.status = pipes[STATUS][1];
	job.log = pipes[LOG][1];
	a->keeper = fork();
	if (a->keeper == 0) {
		close(pipes[HOLD][1]);
		close(pipes[STATUS][0]);
		close(pipes[LOG][0]);
		keeper_run(&job);
		_exit(0);
	}
	close(job.held);
	close(job.status);
	close(job.log);
	a->hold = pipes[HOLD][1];
	a->status = pipes[STATUS][0];
	a->log = pipes[LOG][0];
	fcntl(a->log, F_SETFL, O_NONBLOCK);
	if (a->keeper < 0) {
		err_sys(err, "fork");
		launch_end(a);
		return -1;
	}
	return 0;
}

void launch_leave(struct agents *a)
{
	if (a->hold >= 0)
		close(a->hold);
	a->hold = -1;
	if (a->keeper > 0)
		kill(a->keeper, SIGCONT);       /* a stopped keeper would not see it */
}

/* Waits for the keeper, whose clean-up takes 3 s at most.  Continues it if it is stopped, and kills
 * it after KEEPER_MS; the agents' parent-death signal then ends them. */
static void end_keeper(pid_t keeper)
{
	const struct timespec tick = { 0, TICK_MS * 1000000 };

	for (int t = 0; t < KEEPER_MS; t += TICK_MS) {
		int status;
		pid_t got = waitpid(keeper, &status, WNOHANG | WUNTRACED);

		if (got < 0 ? errno != EINTR : got == keeper && !WIFSTOPPED(status))
			return;
		if (got == keeper)
			kill(keeper, SIGCONT);
		nanosleep(&tick, NULL);
	}
	kill(keeper, SIGKILL);
	waitpid(keeper, NULL, 0);
}

void launch_end(struct agents *a)
{
	launch_leave(a);
	if (a->keeper > 0)
		end_keeper(a->keeper);
	if (a->dir[0])          /* the keeper has done so, unless it was killed */
		rundir_remove(a->dir);
	if (a->lock >= 0)
		close(a->lock);
	if (a->status >= 0)
		close(a->status);
	if (a->log >= 0)
		close(a->log);
	*a = nothing;
}

void launch_read(struct agents *a)
{
	enum { HALF = sizeof a->said / 2 };
	ssize_t n = 0;

	while (a->log >= 0) {
		if (a->nsaid > HALF) {  /* keep the end: the error is there */
			memmove(a->said, a->said + a->nsaid - HALF, HALF);
			a->nsaid = HALF;
		}
		n = read(a->log, a->said + a->nsaid, HALF - 1);
		if (n <= 0)
			break;
		if (log_level() >= LAUNCH_SHOW)
			fwrite(a->said + a->nsaid, 1, (size_t)n, stderr);
		a->nsaid += (unsigned)n;
	}
	a->said[a->nsaid] = '\0';
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		if (a->log >= 0)
			close(a->log);
		a->log = -1;
	}
}
