/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "agents/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAVE_MS = 700, TERM_MS = 2000, TICK_MS = 20 };

static void exec_mpirun(const struct keeper_job *job)
{
	const char *mpirun = getenv("PSC_MPIRUN");
	char number[16];
	int in = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (in < 0)
		_exit(126);
	dup2(in, 0);
	dup2(job->log, 1);      /* no file: mpirun would not survive a full disk, or a limit of its size */
	dup2(job->log, 2);
	snprintf(number, sizeof number, "%d", job->nodes + 1);
	setenv("TMPDIR", job->dir, 1);
	if (geteuid() == 0) {   /* Open MPI refuses root unless told twice */
		setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
		setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
	}
	if (!mpirun || !*mpirun)
		mpirun = MPIRUN;
	execlp(mpirun, mpirun, "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,tcp",
		"--mca", "btl_tcp_if_include", "lo", "--mca", "oob_tcp_if_include", "lo",
		"--mca", "plm", "isolated", "--mca", "mpi_yield_when_idle", "1",
		"-np", number, job->agent, "--socket", job->socket, (char *)NULL);
	fprintf(stderr, "%s: %s\n", mpirun, strerror(errno));
	_exit(127);
}

/* Kills our children (orphans of mpirun become ours: we are a subreaper). False: none is left. */
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

/* Reaps; true when no child is left. */
static bool reap(pid_t mpirun, int status_fd)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == mpirun && write(status_fd, &status, sizeof status) < 0)
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

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void keeper_remove(const char *dir)
{
	nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void keeper_run(const struct keeper_job *job)
{
	sigset_t set;
	int chld;
	pid_t mpirun;

	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "psc_keeper");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	chld = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	mpirun = fork();
	if (mpirun == 0) {
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		exec_mpirun(job);
	}
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
	/* The agents were told, or see their connection end: they leave by themselves. */
	if (!wait_children(mpirun, job->status, LEAVE_MS)) {
		kill_children(SIGTERM);
		if (!wait_children(mpirun, job->status, TERM_MS))
			while (kill_children(SIGKILL))
				wait_children(mpirun, job->status, TICK_MS);
	}
	keeper_remove(job->dir);
}
