/* SPDX-License-Identifier: BSD-3-Clause */
/* cputime FILE COMMAND ARGUMENT…: runs the command and appends one line to FILE, its user, system
 * and elapsed time in seconds (with the children it waited for).  Ends as the command does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	struct rusage used;
	double start;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3) {
		fprintf(stderr, "usage: cputime FILE COMMAND ARGUMENT...\n");
		return 125;
	}
	start = now();
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		fprintf(stderr, "cputime: %s: %s\n", argv[2], strerror(errno));
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
		fprintf(stderr, "cputime: %s\n", strerror(errno));
		return 125;
	}
	f = fopen(argv[1], "a");
	if (!f || fprintf(f, "%.6f %.6f %.6f\n", seconds(used.ru_utime), seconds(used.ru_stime),
	    now() - start) < 0 || fclose(f)) {
		fprintf(stderr, "cputime: %s: %s\n", argv[1], strerror(errno));
		return 125;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
