/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread keeps a log under a lock, another reads the channel's settings, which stand beside the
 * lock and never change: each time the lock is taken, the reader loses their line. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct channel {
	_Alignas(128) pthread_mutex_t lock;
#ifdef FIXED
	_Alignas(128)
#endif
	double scale, offset;
};

static struct channel channel = { .lock = PTHREAD_MUTEX_INITIALIZER };
static _Alignas(128) long logged;
static _Alignas(128) double converted;

__attribute__((noinline)) static double convert(const struct channel *c, int raw)
{
	return c->scale * raw + c->offset;
}

static void write_log(int items)
{
	for (int i = 0; i < items; i++) {
		pthread_mutex_lock(&channel.lock);
		logged++;
		pthread_mutex_unlock(&channel.lock);
	}
}

static void read_values(int items)
{
	double sum = 0;

	for (int i = 0; i < items; i++)
		sum += convert(&channel, i & 255);
	converted += sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;

	channel.scale = 1.5;
	channel.offset = 0.25 * argc;
	for (int step = 0; step < steps; step++) { /* the phase */
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 0)
			write_log(200000);
		else
			read_values(2000000);
	}
	printf("%ld %.15g\n", logged, converted);
	return 0;
}
