/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program sees of its surroundings: descriptors, environment, signals, limits, priority. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;
static int a[5000];

static long work(int n)
{
	long s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += i;
		s += a[i * 5 % n];
	}
	return s;
}

static void signals(void)
{
	sigset_t blocked;

	sigprocmask(0, NULL, &blocked);
	for (int i = 1; i < 32; i++) {
		struct sigaction action;

		/* SIGURG, whose default is to be ignored, asks the monitor for an analysis. */
		if (i != SIGURG && !sigaction(i, NULL, &action) && action.sa_handler != SIG_DFL)
			printf("signal %d is not at its default\n", i);
		if (sigismember(&blocked, i))
			printf("signal %d is blocked\n", i);
	}
}

int main(void)
{
	struct rlimit files;
	int next;
	long sum = 0;

	for (int i = 0; i < 20; i++) {
		sum += work(5000);      /* PHASE */
	}
	next = open("/dev/null", O_RDONLY);
	printf("%ld, next descriptor %d\n", sum, next);
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "psc", 3) || (!strncmp(*e, "PSC", 3) && strncmp(*e, "PSC_MACHINE_PATH=", 17) &&
		    strncmp(*e, "PSC_CHECK=", 10) &&
		    strncmp(*e, "PSC_PROPERTIES_PATH=", 20) && strncmp(*e, "PSC_GCC=", 8) &&
		    strncmp(*e, "PSC_OTHER_GCCS=", 15)))
			puts(*e);
	signals();
	getrlimit(RLIMIT_NOFILE, &files);
	printf("%ld %ld files, nice %d\n", (long)files.rlim_cur, (long)files.rlim_max, nice(0));
	return 0;
}
