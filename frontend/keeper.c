/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the agents and ends the remaining ones, even when the front end was killed. */
#include <config.h>

#include "frontend/keeper.h"

#include "agents/tree.h"
#include "frontend/inherit.h"
#include "base/run_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/launch.h"
#include "frontend/netns.h"
#include "base/buf.h"

enum { LEAVE_MS = 700, TERM_MS = 1300, TICK_MS = 20 };

/* --- starting --------------------------------------------------------------------------------- */

static void exec_mpirun(const struct keeper_job *job)
{
	const char *mpirun = launch_mpirun();
	char number[16], fanout[16];
	struct err err;

	if (job->own_net && netns_enter(&err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(126);
	}
	snprintf(number, sizeof number, "%d", job->nodes + 1);
	snprintf(fanout, sizeof fanout, "%d", job->fanout);
	setenv("TMPDIR", job->dir, 1);
	setenv("PSC_INFO", "1", 0);
	unsetenv("OMPI_MCA_mca_base_env_list"); /* the application's, see mpi_launch.c; it excludes
						 * -x */
	setenv("SLURM_OVERLAP", "1", 1);        /* agents take no processors of a Slurm job from its
						 * program */
	if (geteuid() == 0) {   /* Open MPI refuses root unless both variables are set */
		setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
		setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
	}
	/* mpi_yield_when_idle 0: agents sleep in poll().  At the lowest priority on a busy machine
	 * every yield lets all other processes run first. */
	if (job->hostfile)
		execlp(mpirun, mpirun, "--hostfile", job->hostfile, "--map-by", "slot", "--bind-to",
			"none", "--enable-recovery",
			"--mca", "btl", "self,tcp", "--mca", "mpi_yield_when_idle", "0", "-x",
			"PSC_INFO",
			"-np", number, job->agent, "--socket", job->socket, "--fanout", fanout,
			(char *)NULL);
	else
		execlp(mpirun, mpirun, "--oversubscribe", "--bind-to", "none", "--mca", "btl",
			"self,tcp",
			"--mca", "btl_tcp_if_include", "lo", "--mca", "oob_tcp_if_include", "lo",
			"--mca", "plm", "isolated", "--mca", "mpi_yield_when_idle", "0",
			"-np", number, job->agent, "--socket", job->socket, "--fanout", fanout,
			(char *)NULL);
	fprintf(stderr, "%s: %s\n", mpirun, strerror(errno));
	_exit(127);
}

/* Forks a child with default signals, its own process group and output to the log.  0 in the
 * child. */
static pid_t fork_child(const struct keeper_job *job)
{
	static const int defaults[] = { SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGPIPE };
	pid_t pid = fork();
	struct rlimit r;
	sigset_t none;
	int in;

	if (pid)
		return pid;
	for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
		signal(defaults[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getrlimit(RLIMIT_FSIZE, &r) == 0) {
		r.rlim_cur = r.rlim_max;        /* the user set the soft limit for the program */
		setrlimit(RLIMIT_FSIZE, &r);
	}
	in = open("/dev/null", O_RDONLY);
	if (in < 0)
		_exit(126);
	dup2(in, 0);
	dup2(job->log, 1);      /* a pipe: a full disk or a file size limit would end mpirun */
	dup2(job->log, 2);
	return 0;
}

/* Starts a local agent, which inherits the sockets fds[0..n) to its peers. */
static void start_local(const struct keeper_job *job, int rank, const int *fds, int n)
{
	struct buf list = BUF_INIT;
	char number[16], size[16], fanout[16];
	pid_t pid = fork_child(job);

	if (pid)
		return;
	for (int i = 0; i < n; i++) {
		buf_printf(&list, "%s%d", i ? "," : "", fds[i]);
		fcntl(fds[i], F_SETFD, 0);
	}
	snprintf(number, sizeof number, "%d", rank);
	snprintf(size, sizeof size, "%d", job->nodes + 1);
	snprintf(fanout, sizeof fanout, "%d", job->fanout);
	execl(job->agent, job->agent, "--socket", job->socket, "--rank", number, "--size", size,
		"--fanout", fanout,
		"--peers", buf_str(&list), (char *)NULL);
	fprintf(stderr, "%s: %s\n", job->agent, strerror(errno));
	_exit(127);
}

/* Starts the local agents of a subtree: a socket pair connects each agent with its parent.  up: the
 * socket to the parent of the first one, closed here; -1: it is the root.  The depth of the tree
 * bounds the recursion.  An agent whose peers are missing sees the end
 * of a connection and exits. */
static void start_subtree(const struct keeper_job *job, const struct tree *tree, int rank, int up)
{
	int n = tree_children(tree, rank), k = 0, made = 0;
	int *near = calloc((size_t)n + 1, sizeof *near), *far = calloc((size_t)n + 1, sizeof *far),
		pair[2];

	if (near && up >= 0)
		near[k++] = up;
	while (near && far && made < n && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
	       pair) == 0) {
		near[k++] = pair[0];
		far[made++] = pair[1];
	}
	if (near && far && made == n)
		start_local(job, rank, near, k);
	for (int i = 0; i < k; i++)
		close(near[i]);
	for (int i = 0; i < made; i++)
		start_subtree(job, tree, tree_child(tree, rank, i), far[i]);
	free(near);
	free(far);
}

/* Returns the pid of mpirun; 0: local agents, no process represents the job. */
static pid_t start_agents(const struct keeper_job *job)
{
	const struct tree tree = { job->nodes + 1, job->fanout };
	pid_t pid;

	if (job->way == AGENTS_LOCAL) {
		start_subtree(job, &tree, 0, -1);
		return 0;
	}
	pid = fork_child(job);
	if (!pid)
		exec_mpirun(job);
	return pid;
}

/* --- ending ----------------------------------------------------------------------------------- */

/* Sends a signal to all our children; orphans of mpirun are among them, since we are a subreaper.
 * false: there is none. */
static bool kill_children(int sig)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	bool any = false;

	while (proc && (d = readdir(proc))) {
		char path[300], stat[512], *end;
		long pid = strtol(d->d_name, &end, 10);
		int ppid, fd;
		ssize_t n;

		if (*end || pid <= 0)
			continue;
		snprintf(path, sizeof path, "/proc/%ld/stat", pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = fd >= 0 ? read(fd, stat, sizeof stat - 1) : -1;
		if (fd >= 0)
			close(fd);
		if (n <= 0)
			continue;
		stat[n] = '\0';
		end = strrchr(stat, ')');
		if (end && sscanf(end + 1, " %*c %d", &ppid) == 1 && ppid == getpid()) {
			kill((pid_t)pid, sig);
			any = true;
		}
	}
	if (proc)
		closedir(proc);
	return any;
}

/* Reaps ended children and writes the wait status of mpirun, or of each local agent, to status_fd.
 * true: no child is left. */
static bool reap(pid_t mpirun, int status_fd)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if ((!mpirun || pid == mpirun) && write(status_fd, &status, sizeof status) < 0)
			return false;
	return pid < 0 && errno == ECHILD;
}

static bool wait_children(pid_t mpirun, int status_fd, int milliseconds)
{
	for (int t = 0; t < milliseconds; t += TICK_MS) {
		if (reap(mpirun, status_fd))
			return true;
		poll(NULL, 0, TICK_MS);
	}
	return reap(mpirun, status_fd);
}

void keeper_run(const struct keeper_job *job)
{
	int keep[] = { job->held, job->status, job->log, job->lock }, chld;
	sigset_t set;
	pid_t mpirun;

	inherit_drop(keep, job->lock < 0 ? 3 : 4);
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, KEEPER_NAME);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_SETMASK, &set, NULL);
	chld = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	mpirun = start_agents(job);
	for (;;) {
		struct pollfd fds[2] = { { job->held, POLLIN, 0 }, { chld, POLLIN, 0 } };
		struct signalfd_siginfo info;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			while (read(chld, &info, sizeof info) > 0)
				;
		reap(mpirun, job->status);
		if (fds[0].revents)
			break;
	}
	/* MSG_QUIT or the end of their connection makes agents exit: wait before sending
	 * signals. */
	if (!wait_children(mpirun, job->status, LEAVE_MS)) {
		kill_children(SIGTERM);
		kill_children(SIGCONT);         /* a stopped process does not handle SIGTERM */
		if (!wait_children(mpirun, job->status, TERM_MS))
			while (kill_children(SIGKILL))
				wait_children(mpirun, job->status, TICK_MS);
	}
	rundir_remove(job->dir);
}
