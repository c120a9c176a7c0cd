/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores the inherited process state, so that the application cannot tell who started
 * it. */
#include <config.h>

#include "frontend/inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* Signals whose disposition psc_frontend changes. */
static const int ours[] = { SIGPIPE, SIGCHLD, SIGXFSZ };
enum { OURS = sizeof ours / sizeof *ours, SIGNALS = 65, VARIABLES = 4 };

static struct {
	sigset_t mask;
	bool ignored[SIGNALS];
	struct itimerval alarm;
	struct rlimit files;
	bool more_files;
	struct { const char *name; char *value; } env[VARIABLES];       /* value NULL: not set */
	int nenv;
} was;

/* Opens /dev/null for closed standard descriptors; close-on-exec leaves them closed for the
 * application. */
static void open_standard(void)
{
	for (int fd = 0; fd < 3; fd++) {
		bool closed = fcntl(fd, F_GETFD) < 0 && errno == EBADF;

		if (closed && open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
			_exit(2);
	}
}

void inherit_take(void)
{
	static const struct itimerval none;
	struct sigaction a;

	open_standard();
	sigprocmask(SIG_SETMASK, NULL, &was.mask);
	for (int s = 1; s < SIGNALS; s++)
		was.ignored[s] = sigaction(s, NULL, &a) == 0 && a.sa_handler == SIG_IGN;
	setitimer(ITIMER_REAL, &none, &was.alarm);      /* an inherited alarm must not kill
							 * psc_frontend */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);       /* a report above the file size limit: write() fails
					 * instead */
}

bool inherit_ignored(int sig)
{
	return was.ignored[sig];
}

void inherit_setenv(const char *name, const char *value)
{
	const char *old = getenv(name);

	if (was.nenv < VARIABLES) {
		was.env[was.nenv].name = name;
		was.env[was.nenv++].value = old ? strdup(old) : NULL;
	}
	setenv(name, value, 1);
}

void inherit_more_files(unsigned n)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= n || r.rlim_max < n)
		return;
	if (!was.more_files)
		was.files = r;
	r.rlim_cur = n;
	was.more_files |= setrlimit(RLIMIT_NOFILE, &r) == 0;
}

void inherit_give(void)
{
	for (int i = was.nenv; i-- > 0; ) {
		if (was.env[i].value)
			setenv(was.env[i].name, was.env[i].value, 1);
		else
			unsetenv(was.env[i].name);
	}
	for (int i = 0; i < OURS; i++)
		signal(ours[i], was.ignored[ours[i]] ? SIG_IGN : SIG_DFL);
	if (was.more_files)
		setrlimit(RLIMIT_NOFILE, &was.files);
	if (was.alarm.it_value.tv_sec || was.alarm.it_value.tv_usec)
		setitimer(ITIMER_REAL, &was.alarm, NULL);
	sigprocmask(SIG_SETMASK, &was.mask, NULL);
}

static void close_between(int first, int last)
{
#ifdef SYS_close_range
	if (first > last || syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0u) == 0)
		return;
#endif
	if (last > 65535)
		last = 65535;
	for (int fd = first; fd <= last; fd++)
		close(fd);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void inherit_drop(int *keep, int n)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), next = 3;

	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	qsort(keep, (size_t)n, sizeof *keep, by_number);
	for (int i = 0; i < n; i++) {
		close_between(next, keep[i] - 1);
		next = keep[i] >= next ? keep[i] + 1 : next;
	}
	close_between(next, 0x7fffffff);
}
