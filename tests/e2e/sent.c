/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are filled again and again: written to a file, sent, and not read at all. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 20000, TIMES = 8, STEPS = 40 };

int MPI_Send(const void *buffer, int count, long type, int to, int tag, long world);

#ifdef LIBRARY                  /* not recorded */
int MPI_Send(const void *buffer, int count, long type, int to, int tag, long world)
{
	return ((const char *)buffer)[count] == type + to + tag + world;
}
#else
static double written[N], sent[N], unread[N];

static __attribute__((noinline)) void send(const double *x)
{
	MPI_Send(x, N, 1, 0, 2, 3);
}

static __attribute__((noinline)) void step(int file, int s)
{
	for (int k = 0; k < TIMES; k++) {
		for (int i = 0; i < N; i++)
			written[i] = k * i + s;
		if (write(file, written, sizeof written) < 0)
			return;
	}
	for (int k = 0; k < TIMES; k++) {
		for (int i = 0; i < N; i++)
			sent[i] = k * i + s;
		send(sent);
	}
	for (int k = 0; k < TIMES; k++)
		for (int i = 0; i < N; i++)
			unread[i] = k * i + s;
}

int main(void)
{
	int file = open("/dev/null", O_WRONLY);

	for (int s = 0; s < STEPS; s++)
		step(file, s);
	printf("%g\n", written[5] + sent[6] + unread[7]);
	return 0;
}
#endif
