/* SPDX-License-Identifier: BSD-3-Clause */
/* In the middle of its phases the program closes all descriptors that it does not know and gives their numbers to
 * pipes: nothing may be written to them, read from them or closed, in it and in children of every kind.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 200, LAST = 215 };

extern char **environ;
static int a[5000], pair[2];

static long work(int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += i;
		s += a[i * 5 % n];
	}
	return s;
}

static void take_numbers(void)
{
	closefrom(3);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair))
		_exit(2);
	for (int k = FIRST; k <= LAST; k++)
		dup2(pair[0], k);
}

static int open_numbers(void)
{
	int n = 0;

	for (int k = FIRST; k <= LAST; k++)
		n += fcntl(k, F_GETFD) >= 0;
	return n;
}

static void spawn(void)
{
	char *argv[] = { "true", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	if (posix_spawnp(&pid, "true", &actions, NULL, argv, environ) == 0)
		waitpid(pid, NULL, 0);
	posix_spawn_file_actions_destroy(&actions);
}

static int child_of_clone(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	int status = -1;

	if (pid == 0)
		_exit(open_numbers());
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int child_of_fork(void)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		long s = 0;

		for (int i = 0; i < 3; i++)
			s += work(50);
		_exit(s < 0 ? 0 : open_numbers());
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void child_of_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		close(FIRST);
		execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	char text[64];
	long sum = 0;
	int clones = 0, forks = 0;

	for (int i = 0; i < 60; i++) {
		sum += work(5000);      /* PHASE */
		if (i == 4)
			take_numbers();
		if (i == 9)
			clones = child_of_clone();
		if (i == 14)
			spawn();
		if (i == 19)
			forks = child_of_fork();
		if (i == 24)
			child_of_vfork();
	}
	printf("%ld, %d open, %d in a clone, %d in a fork, %zd bytes\n", sum, open_numbers(), clones, forks,
		recv(pair[1], text, sizeof text, MSG_DONTWAIT));
	return 0;
}
