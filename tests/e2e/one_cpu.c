/* SPDX-License-Identifier: BSD-3-Clause */
/* For one_cpu.sh: threads that count in one cache line.  At the end, each thread prints on how many CPUs it may run, and
 * so do a thread and a child that were made in an execution on one CPU (or at the end, where there was none). */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 19, THREADS = 64 };
static struct { volatile long hits; } counters[THREADS];
static pthread_t late;
static int ended[2];
static int child;

static int cpus(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof set, &set);
	return CPU_COUNT(&set);
}

/* Lives until the end of the program, and returns on how many CPUs it may run then. */
static void *wait_for_the_end(void *unused)
{
	char byte;

	(void)unused;
	return read(ended[0], &byte, 1) == 1 ? (void *)(long)cpus() : NULL;
}

static void make_both(void)
{
	int status;
	pid_t pid;

	pthread_create(&late, NULL, wait_for_the_end, NULL);
	pid = fork();
	if (!pid)
		_exit(cpus());
	waitpid(pid, &status, 0);
	child = WEXITSTATUS(status);
}

__attribute__((noinline)) static void count(void)
{
#pragma omp parallel
	{
		long mine = omp_get_thread_num() % THREADS;

#pragma omp for
		for (int i = 0; i < N; i++)
			counters[mine].hits++;
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40, narrow = 0, of[2] = { 0 };
	FILE *seen = argc > 2 ? fopen(argv[2], "w") : NULL;
	long all = 0;
	void *got;

	if (pipe(ended))
		return 1;
	for (int step = 0; step < steps; step++) {
		count();
		if (cpus() == 1 && !narrow++)
			make_both();
	}
	if (!narrow)
		make_both();
	if (seen)
		fprintf(seen, "%d\n", narrow);
#pragma omp parallel num_threads(2)
	of[omp_get_thread_num()] = cpus();
	if (write(ended[1], "", 1) != 1 || pthread_join(late, &got))
		return 1;
	for (int i = 0; i < THREADS; i++)
		all += counters[i].hits;
	printf("%ld; threads %d and %d, made later %ld, child %d\n", all, of[0], of[1], (long)got, child);
	return seen && fclose(seen) ? 1 : 0;
}
