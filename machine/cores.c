/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures bandwidth and the transfer of lines by threads on different cores.  On a busy machine
 * two threads seldom run at once: windows are short, many, and checked afterwards. */
#include "config.h"

#include "machine/cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "base/clock.h"
#include "machine/cpu_clock.h"
#include "machine/kernels.h"

enum {
	TURNS = 200,            /* of a line between two cores: one sample */
	SAMPLES = 16,           /* of one pair of threads */
	PATIENCE = 500000,     /* ns that a thread waits for the other, at most */
	PIECE = 1 << 16,        /* bytes between two looks at the clock */
	WINDOW = 1000000        /* ns */
};

/* --- cores ----------------------------------------------------------------------------------- */

/* The core of a CPU, as a number that differs between sockets; the CPU itself where it is not
 * known. */
static long core_of(unsigned cpu)
{
	static const char *const names[] = { "physical_package_id", "core_id" };
	long id[2] = { 0, cpu };

	for (int i = 0; i < 2; i++) {
		char path[96];
		FILE *f;

		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu,
			names[i]);
		f = fopen(path, "re");
		if (!f || fscanf(f, "%ld", &id[i]) != 1)
			id[i] = i ? (long)cpu : 0;
		if (f)
			fclose(f);
	}
	return id[0] * 65536 + id[1];
}

unsigned cores_cpus(unsigned *cpu)
{
	long core[CORES_MOST];
	unsigned n = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) < 0)
		return 0;
	for (unsigned c = 0; c < CPU_SETSIZE && n < CORES_MOST; c++) {
		unsigned i = 0;

		if (!CPU_ISSET(c, &set))
			continue;
		core[n] = core_of(c);
		while (core[i] != core[n])
			i++;
		if (i == n)
			cpu[n++] = c;
	}
	return n;
}

void cores_pin(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	/* A refusal leaves the thread where it is: the measurement is checked anyway. */
	sched_setaffinity(0, sizeof set, &set);
}

void cores_touch(char *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE      /* at once, instead of a fault for each page */
	if (madvise(p, size, MADV_POPULATE_WRITE) == 0)
		return;
#endif
	memset(p, 1, size);
}

/* --- transfer -------------------------------------------------------------------------------- */

struct pair {
	const unsigned *cpu;
	struct series *s;
	_Alignas(256) _Atomic uint32_t turn;
	_Alignas(256) _Atomic bool given_up;
};

/* False: the other thread does not run. */
static bool await(struct pair *p, uint32_t turn)
{
	uint64_t start = 0;

	for (unsigned spins = 1; atomic_load_explicit(&p->turn, memory_order_acquire) != turn;
	     spins++) {
		if (spins % 1024)
			continue;
		if (atomic_load_explicit(&p->given_up, memory_order_relaxed))
			return false;
		if (!start)
			start = clock_ns();
		else if (clock_ns() - start > PATIENCE) {
			atomic_store(&p->given_up, true);
			return false;
		}
	}
	return true;
}

static void *answer(void *arg)
{
	struct pair *p = arg;

	cores_pin(p->cpu[1]);
	for (uint32_t i = 1; i < 2 * TURNS * SAMPLES; i += 2) {
		if (!await(p, i))
			return NULL;
		atomic_store_explicit(&p->turn, i + 1, memory_order_release);
	}
	return NULL;
}

static void *ask(void *arg)
{
	struct pair *p = arg;
	uint32_t turn = 0;

	cores_pin(p->cpu[0]);
	for (int sample = 0; sample < SAMPLES; sample++) {
		uint64_t start = clock_ns();

		for (int i = 0; i < TURNS; i++, turn += 2) {
			atomic_store_explicit(&p->turn, turn + 1, memory_order_release);
			if (!await(p, turn + 2))
				return NULL;
		}
		series_add(p->s, (double)(clock_ns() - start) / (2.0 * TURNS));
	}
	return NULL;
}

void cores_transfer(const unsigned cpu[2], struct series *s)
{
	struct pair p = { .cpu = cpu, .s = s };
	pthread_t first, second;

	if (pthread_create(&first, NULL, ask, &p) != 0)
		return;
	if (pthread_create(&second, NULL, answer, &p) == 0)
		pthread_join(second, NULL);
	else
		atomic_store(&p.given_up, true);
	pthread_join(first, NULL);
}

/* --- bandwidth ------------------------------------------------------------------------------- */

struct stream {
	struct team *team;
	unsigned cpu;
	char *memory;
	size_t size, at, bytes; /* bytes: done in this window */
	uint64_t start, end;    /* of the window, ns */
	double busy;            /* ns of processor time in it */
};

struct team {
	pthread_mutex_t start;  /* held until all threads exist */
	bool abandoned;         /* they do not */
	pthread_barrier_t barrier;
	unsigned n, wanted;
	bool ended;
	struct series *into[2];
	struct stream stream[CORES_MOST];
};

static void window(struct stream *s, bool write)
{
	static _Atomic uint64_t sink;
	double busy;

	pthread_barrier_wait(&s->team->barrier);
	s->bytes = 0;
	s->start = clock_ns();
	busy = thread_ns();
	do {
		if (write)
			kernel_write(s->memory + s->at, PIECE, s->bytes);
		else
			atomic_fetch_add_explicit(&sink, kernel_read(s->memory + s->at, PIECE),
				memory_order_relaxed);
		s->at = (s->at + PIECE) % s->size;
		s->bytes += PIECE;
		s->end = clock_ns();
	} while (s->end - s->start < WINDOW);
	s->busy = thread_ns() - busy;
	pthread_barrier_wait(&s->team->barrier);
}

/* Adds the rates of the threads if all of them ran during most of the window. */
static void judge(struct team *t, struct series *s)
{
	uint64_t start = 0, end = UINT64_MAX;
	double rate = 0;

	for (unsigned i = 0; i < t->n; i++) {
		const struct stream *w = &t->stream[i];
		double wall = (double)(w->end - w->start);

		if (w->busy < 0.9 * wall)
			return;
		if (w->start > start)
			start = w->start;
		if (w->end < end)
			end = w->end;
		rate += (double)w->bytes / wall * 1e9;
	}
	if (end > start && end - start > 0.8 * WINDOW)
		series_add(s, rate);
}

static void *streamer(void *arg)
{
	struct stream *s = arg;
	struct team *t = s->team;

	pthread_mutex_lock(&t->start);
	pthread_mutex_unlock(&t->start);
	if (t->abandoned)
		return NULL;
	cores_pin(s->cpu);
	cores_touch(s->memory, s->size);        /* first touch: memory of the own node */
	for (unsigned i = 0; !t->ended; i++) {
		window(s, i & 1);
		if (s == t->stream) {
			judge(t, t->into[i & 1]);
			t->ended = i + 1 >= 6 * t->wanted
				|| (t->into[0]->n >= t->wanted && t->into[1]->n >= t->wanted);
		}
		pthread_barrier_wait(&t->barrier);      /* others read `ended` behind it */
	}
	return NULL;
}

int cores_bandwidth(const unsigned *cpu, unsigned n, size_t bytes, unsigned wanted,
	struct series *read, struct series *write)
{
	static struct team t;       /* too large for a stack */
	pthread_t thread[CORES_MOST];
	const size_t part = bytes / n / PIECE * PIECE;
	char *memory;
	unsigned started = 0;

	if (!part)
		return -1;
	memory = mmap(NULL, part * n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	t.n = n;
	t.wanted = wanted;
	t.ended = false;
	t.into[0] = read;
	t.into[1] = write;
	pthread_barrier_init(&t.barrier, NULL, n);
	pthread_mutex_init(&t.start, NULL);
	pthread_mutex_lock(&t.start);
	for (; started < n; started++) {
		t.stream[started] = (struct stream){ .team = &t, .cpu = cpu[started],
			.memory = memory + started * part, .size = part };
		if (pthread_create(&thread[started], NULL, streamer, &t.stream[started]) != 0)
			break;
	}
	t.abandoned = started < n;
	pthread_mutex_unlock(&t.start);
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&t.start);
	pthread_barrier_destroy(&t.barrier);
	munmap(memory, part * n);
	return t.abandoned ? -1 : 0;
}
