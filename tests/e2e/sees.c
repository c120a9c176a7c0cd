/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a process inherits: `sees OUT PROGRAM ARGUMENTS`, to the file OUT; then executes the program. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	struct itimerval alarm;
	struct stat st;
	sigset_t mask;
	FILE *f;
	mode_t old = umask(0);
	int fd, limits = 0;

	umask(old);
	if (argc < 3)
		return 2;
	f = fopen("/dev/null", "w");    /* which descriptor comes next is part of it */
	fd = f ? fileno(f) : -1;
	if (!f || !freopen(argv[1], "we", f))
		return 2;
	fprintf(f, "next %d\n", fd);
	for (int i = 0; i < 4096; i++)
		if (i != fileno(f) && fstat(i, &st) == 0)
			fprintf(f, "open %d type %o flags %o\n", i, (unsigned)st.st_mode & S_IFMT,
				(unsigned)(fcntl(i, F_GETFL) & ~O_LARGEFILE));
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int s = 1; s < 65; s++) {
		struct sigaction a;

		if (sigismember(&mask, s) == 1)
			fprintf(f, "blocked %d\n", s);
		if (sigaction(s, NULL, &a) == 0 && a.sa_handler == SIG_IGN)
			fprintf(f, "ignored %d\n", s);
	}
	for (limits = 0; limits < RLIM_NLIMITS; limits++) {
		struct rlimit r;

		/* The stack's may be higher than it was: what recording needs. */
		if (getrlimit((__rlimit_resource_t)limits, &r) == 0 && limits != RLIMIT_STACK)
			fprintf(f, "limit %d %llu %llu\n", limits, (unsigned long long)r.rlim_cur,
				(unsigned long long)r.rlim_max);
	}
	getitimer(ITIMER_REAL, &alarm);
	fprintf(f, "umask %o\nnice %d\nalarm %d\n", (unsigned)old, getpriority(PRIO_PROCESS, 0),
		alarm.it_value.tv_sec > 0);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "PSC_MONITOR=", 12) != 0 && strncmp(*e, "PSC_STACK=", 10) != 0 && strncmp(*e, "_=", 2) != 0)
			fprintf(f, "%s\n", *e);
	fclose(f);
	signal(SIGALRM, SIG_IGN);
	execvp(argv[2], argv + 2);
	return 127;
}
