/* SPDX-License-Identifier: BSD-3-Clause */
/* Each execution creates threads that touch new pages, and now and then a child process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 50, STEPS = 60 };

static double work[4096];

static char *map_pages(void)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE))
		exit(3);
	return p;
}

__attribute__((noinline)) static void touch(volatile char *p)
{
	for (long i = 0; i < PAGES; i++)
		p[i * PAGE] = 1;
}

static void *run(void *p)
{
	touch(p);
	return NULL;
}

__attribute__((noinline)) static double compute(void)
{
	double s = 0;

	for (int k = 0; k < 40; k++)
		for (int i = 0; i < 4096; i++)
			s += work[i] += 1;
	return s;
}

static int is_event(int fd)
{
	char path[40], name[80] = "";

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return readlink(path, name, sizeof name - 1) > 0 && strstr(name, "perf_event");
}

/* The child must not hold what the parent measures with. */
static void child(void)
{
	pid_t p = fork();
	int status = 1;

	if (!p) {
		for (int fd = 3; fd < 300; fd++)
			if (is_event(fd))
				_exit(1);
		_exit(compute() > 0 ? 0 : 2);
	}
	if (p < 0 || waitpid(p, &status, 0) != p || status)
		exit(4);
}

int main(void)
{
	double s = 0;

	for (int step = 0; step < STEPS; step++) {
		char *a = map_pages(), *b = map_pages();
		pthread_t t[2];

		if (pthread_create(&t[0], NULL, run, a) || pthread_create(&t[1], NULL, run, b))
			exit(5);
		pthread_join(t[0], NULL);
		pthread_join(t[1], NULL);
		if (step % 2)
			child();
		s += compute();
		munmap(a, PAGES * PAGE);
		munmap(b, PAGES * PAGE);
	}
	printf("%g\n", s);
	return 0;
}
