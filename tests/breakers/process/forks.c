/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to make a process, in each step of the phase; at the end the program executes itself. */
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int a[5000];

__attribute__((noinline)) static long work(int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += i;
		s += a[i * 5 % n];
	}
	return s;
}

static int ended(pid_t p)
{
	int status;

	return waitpid(p, &status, 0) == p && WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

static int forked(void)
{
	pid_t p = fork();

	if (p == 0) {
		work(5000);
		_exit((int)(work(100) & 0) + 3);
	}
	return ended(p);
}

static int vforked(void)
{
	pid_t p = vfork();

	if (p == 0) {
		work(50);
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	return ended(p);
}

static int spawned(void)
{
	char *arguments[] = { "false", NULL };
	pid_t p;

	return posix_spawn(&p, "/bin/false", NULL, NULL, arguments, environ) ? 1000 : ended(p);
}

static int forked_behind_the_library(void)
{
	pid_t p = _Fork();

	if (p == 0) {
		work(5000);
		_exit(5);
	}
	return ended(p);
}

static int cloned(void)
{
	pid_t p = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (p == 0) {
		work(5000);
		_exit(6);
	}
	return ended(p);
}

static int forked_and_left_by_exit(void)
{
	pid_t p = fork();

	if (p == 0) {
		for (int k = 0; k < 3; k++)
			work(100);
		exit(0);
	}
	return ended(p);
}

static long step(void)
{
	long s = work(5000);

	s += forked() + 10 * vforked() + 100 * spawned();
	s += 1000 * forked_behind_the_library() + 10000 * cloned();
	s += forked_and_left_by_exit();
	return s + system("exit 2") / 256;
}

int main(int argc, char **argv)
{
	long sum = 0;

	(void)argv;
	if (argc > 1) {
		puts("again");
		return 0;
	}
	for (int i = 0; i < 12; i++) {
		sum += step();          /* PHASE */
	}
	printf("%ld\n", sum);
	fflush(stdout);
	execl("/proc/self/exe", "program", "again", (char *)NULL);
	return 1;
}
