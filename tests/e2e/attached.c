/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs until the file "end" is there, one step at least, or for as many steps as the first argument says.  Each step
 * computes the same, so that the output does not depend on their number.  The other arguments say what it does with
 * SIGURG.  The file "begun", where there is one, gets a byte as soon as that is done. */
#ifdef RANKS
#include <mpi.h>
#endif
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N 600

static double t[N][N], tnew[N][N];
static double *early;
static volatile sig_atomic_t urgent;

static void count(int number)
{
	(void)number;
	urgent++;
}

/* Down the columns. */
static void diffuse(void)
{
#pragma omp parallel for
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++)
			tnew[i][j] = t[i][j] + 0.1 * (t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1] - 4 * t[i][j]);
}

static double sum(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			s += tnew[i][j] * early[j];
	return s;
}

static int goes_on(long step, long steps)
{
	int go = steps ? step < steps : step == 0 || access("end", F_OK) != 0;

#ifdef RANKS
	MPI_Allreduce(MPI_IN_PLACE, &go, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
#endif
	return go;
}

static void begun(void)
{
	int file = open("begun", O_WRONLY | O_APPEND);

	if (file < 0)
		return;
	if (write(file, ".", 1) != 1)
		exit(6);
	close(file);
}

/* A thread of its own computes, while the main thread sleeps: no signal may end that. */
static volatile int over;

static void *compute(void *unused)
{
	(void)unused;
	while (!over) { /* the thread's */
		diffuse();
		(void)sum();
	}
	return NULL;
}

static void sleep_beside(void)
{
	const struct timespec tick = { 1, 0 };
	pthread_t thread;

	if (pthread_create(&thread, NULL, compute, NULL))
		exit(4);
	begun();
	while (access("end", F_OK) != 0)
		if (nanosleep(&tick, NULL))
			urgent++;
	over = 1;
	pthread_join(thread, NULL);
}

static void take(const char *what)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	if (strcmp(what, "ignores") == 0)
		signal(SIGURG, SIG_IGN);
	else if (strcmp(what, "handles") == 0)
		signal(SIGURG, count);
	else if (strcmp(what, "blocks") == 0)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	else if (strcmp(what, "sleeps") == 0)
		sleep_beside();
}

int main(int argc, char **argv)
{
	long steps = argc > 1 ? atol(argv[1]) : 0;
	double s = 0;

	early = malloc(N * sizeof *early);
	if (!early)
		return 3;
	for (int i = 0; i < N; i++)
		early[i] = t[i][N / 2] = i % 7;
	for (int i = 2; i < argc; i++)
		take(argv[i]);
#ifdef RANKS
	MPI_Init(&argc, &argv);
#endif
	begun();
	for (long step = 0; goes_on(step, steps); step++) { /* the phase */
		diffuse();
		s = sum();
	}
	printf("%.6f, %d signals\n", s, (int)urgent);
	free(early);
#ifdef RANKS
	MPI_Finalize();
#endif
	return 5;
}
