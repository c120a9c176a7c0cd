/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that forbid themselves something once they run: sandbox MODE.  "failed": the kernel has it not.
 * part.so, in the directory of the program, is loaded where the mode says so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 20000, STEPS = 12 };
static double a[N], b[N];

static void failed(const char *what)
{
	printf("failed: %s: %s\n", what, strerror(errno));
	exit(77);
}

__attribute__((noinline)) static void work(void)
{
	for (int i = 1; i < N; i++)
		a[i] = 0.5 * a[i - 1] + b[i * 7 % N];
}

/* Landlock: no rule, so no file may be opened. */
static void landlock(void)
{
	uint64_t files = (UINT64_C(1) << 13) - 1;
	int rules = (int)syscall(444, &files, sizeof files, 0);

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || rules < 0 || syscall(446, rules, 0))
		failed("landlock");
}

/* Every system call but these fails. */
static void filter(void)
{
	static const long allowed[] = { SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_newfstatat,
		SYS_fstat };
	struct sock_filter code[2 * (sizeof allowed / sizeof *allowed) + 2], *c = code;
	struct sock_fprog program = { .filter = code };

	*c++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		*c++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		*c++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	*c++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	program.len = (unsigned short)(c - code);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		failed("seccomp");
}

static void jail(void)
{
	if (chroot("/var/empty") && chroot("/run") && chroot("/"))
		failed("chroot");
	if (chdir("/") || setgroups(0, NULL) || setgid(65534) || setuid(65534))
		failed("setuid");
}

/* Descriptors that the program did not open: those of files in /proc. */
static void close_files(void)
{
	char link[64], name[64];

	for (int fd = 3; fd < 1024; fd++) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		if (readlink(link, name, sizeof name) > 5 && !memcmp(name, "/proc", 5))
			close(fd);
	}
}

static void *idle(void *p)
{
	return p;
}

/* No more address space than there is. */
static void space(void)
{
	struct rlimit r = { 64 << 20, 64 << 20 };

	if (setrlimit(RLIMIT_AS, &r))
		failed("setrlimit");
}

/* What is in a library that came later cannot be told any more. */
static void (*load_part(void))(void)
{
	struct rlimit r = { 3, 3 };
	void *part = dlopen("./part.so", RTLD_NOW);
	void (*run)(void) = part ? (void (*)(void))dlsym(part, "part") : NULL;

	close_files();
	if (!run || setrlimit(RLIMIT_NOFILE, &r))
		failed("part.so");
	return run;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	void (*run)(void) = work;
	pthread_t t;
	double sum = 0;

	for (int i = 0; i < N; i++)
		b[i] = i;
	/* The library's own memory comes now. */
	if (pthread_create(&t, NULL, idle, NULL) || pthread_join(t, NULL))
		failed("pthread_create");
	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strcmp(mode, "landlock"))
		landlock();
	else if (!strcmp(mode, "filter"))
		filter();
	else if (!strcmp(mode, "jail"))
		jail();
	else if (!strcmp(mode, "closed"))
		close_files();
	else if (!strcmp(mode, "space"))
		space();
	else if (!strcmp(mode, "part"))
		run = load_part();
	for (int i = 0; i < STEPS; i++) /* PHASE */
		run();
	for (int i = 0; i < N; i++)
		sum += a[i];
	printf("%.17g\n", sum);
	return 0;
}
