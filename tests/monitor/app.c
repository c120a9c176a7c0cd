/* SPDX-License-Identifier: BSD-3-Clause */
/* A program instrumented by hand, as the compiler plugin would: `app MODE [N]`.  Each mode is a
 * small shape whose counts are known by arithmetic; driven by simrun in monitor.sh. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/abi.h"

/* As native code asks before it calls. */
#define ISPHASE(u, r) ((u)->phase[PSC_PHASE_BYTE(r)] & PSC_PHASE_BIT(r))
#define __psc_enter(u, r) (__psc_live ? __psc_enter(u, r) : (void)0)
#define __psc_exit(u, r) (__psc_live ? __psc_exit(u, r) : (void)0)
#define __psc_fork(u, r) (__psc_live ? __psc_fork(u, r) : 0)
#define __psc_team_enter(u, r, t) (__psc_live ? __psc_team_enter(u, r, t) : (void)0)
#define __psc_bind(u, d, a, s) (__psc_live ? __psc_bind(u, d, a, s) : (void)0)
#define __psc_phase_begin(u, r) (ISPHASE(u, r) ? __psc_phase_begin(u, r) : (void)0)
#define __psc_phase_next(u, r) (ISPHASE(u, r) ? __psc_phase_next(u, r) : (void)0)
#define __psc_phase_end(u, r, h) (ISPHASE(u, r) ? __psc_phase_end(u, r, h) : (void)0)

enum { MAIN, LOOP, TRIAD, INNER, PARALLEL, RECURSE, SUBPHASE, NREGIONS };

#define N_MAX 400000
/* At the begin of a line, so that the number of lines is known. */
static _Alignas(64) double a[N_MAX];
static _Alignas(64) double b[N_MAX];
static _Alignas(64) double c[N_MAX];
static double *heap;
/* Two members of a COMMON block, side by side. */
static struct { double u[1000]; int n, m; } block;
static size_t n = 100000;

static const struct psc_var vars[] = {
	{ "a", NULL, a, sizeof a, PSC_VAR_STATIC, 10, PSC_NO_REGION, 8 },
	{ "b", NULL, b, sizeof b, PSC_VAR_STATIC, 10, PSC_NO_REGION, 8 },
	{ "c", NULL, c, sizeof c, PSC_VAR_STATIC, 10, PSC_NO_REGION, 8 },
	{ "u", "blk", block.u, sizeof block.u, PSC_VAR_COMMON, 12, PSC_NO_REGION, 8 },
	{ "n", "blk", &block.n, sizeof block.n, PSC_VAR_COMMON, 12, PSC_NO_REGION, 4 },
	{ "m", "blk", &block.m, sizeof block.m, PSC_VAR_COMMON, 12, PSC_NO_REGION, 4 },
};
static const struct psc_dummy dummies[] = {
	{ "x", TRIAD, 20, PSC_SIZE_TOLD }, { "y", TRIAD, 20, PSC_SIZE_TOLD },
	{ "h", TRIAD, 20, PSC_SIZE_TOLD },
};
static struct psc_unit unit = {
	.abi = PSC_ABI_VERSION, .nregions = NREGIONS, .hash = 0x1111222233334444, .source = "app.c",
	.vars = vars, .nvars = sizeof vars / sizeof *vars,
	.dummies = dummies, .ndummies = sizeof dummies / sizeof *dummies,
};

static __attribute__((constructor(200))) void start(void)
{
	if (getenv("APP_OTHER_ABI"))
		unit.abi = PSC_ABI_VERSION + 1;
	__psc_unit_register(&unit);
}

static __attribute__((destructor(200))) void stop(void)
{
	__psc_unit_unregister(&unit);
}

#define LOAD8 (8u << 2 | PSC_LOAD)
#define STORE8 (8u << 2 | PSC_STORE)
static const struct { _Alignas(8) struct psc_segment s; uint32_t d[3]; }
	seg_triad = { { 3, 3, 3, 3, 1, { 0 } }, { LOAD8, LOAD8, STORE8 } },
	seg_load = { { 1, 1, 1, 1, 2, { 0 } }, { LOAD8 } },
	seg_load4 = { { 1, 1, 1, 1, 2, { 0 } }, { 4u << 2 | PSC_LOAD } },
	seg_set = { { 2, 1, 1, 1, 3, { 0 } }, { PSC_STORE_RANGE } };

#define ROOM() do { if (psc_cur >= psc_end) __psc_flush(); } while (0)

static void record1(const void *seg, const void *p)
{
	ROOM();
	psc_cur[0] = (uintptr_t)seg;
	psc_cur[1] = (uintptr_t)p;
	psc_cur += 2;
}

/* --- kernels: native and recording --------------------------------------------------------------- */

static void triad_native(double *x, const double *y, const double *z, size_t lo, size_t hi)
{
	for (size_t i = lo; i < hi; i++)
		x[i] = y[i] + 3 * z[i];
}

static void triad_recording(double *x, const double *y, const double *z, size_t lo, size_t hi)
{
	for (size_t i = lo; i < hi; i++) {
		uint64_t *p;

		ROOM();
		p = psc_cur;
		p[0] = (uintptr_t)&seg_triad;
		p[1] = (uintptr_t)&y[i];
		p[2] = (uintptr_t)&z[i];
		p[3] = (uintptr_t)&x[i];
		psc_cur = p + 4;
		x[i] = y[i] + 3 * z[i];
	}
}

static void triad_part(double *x, const double *y, const double *z, size_t lo, size_t hi)
{
	(__psc_recording ? triad_recording : triad_native)(x, y, z, lo, hi);
}

static void triad(double *x, double *y, double *z)
{
	__psc_enter(&unit, TRIAD);
	__psc_bind(&unit, 0, x, n * sizeof *x);
	__psc_bind(&unit, 1, y, 0);
	__psc_enter(&unit, INNER);
	triad_part(x, y, z, 0, n);
	__psc_exit(&unit, INNER);
	__psc_exit(&unit, TRIAD);
}

/* --- shapes ---------------------------------------------------------------------------------------- */

/* A bottom-tested loop of `times` iterations around the body. */
static void loop(int times, void (*body)(void))
{
	__psc_enter(&unit, LOOP);
	__psc_phase_begin(&unit, LOOP);
	for (int i = 0; i < times; i++) {
		if (i)
			__psc_phase_next(&unit, LOOP);
		body();
	}
	__psc_phase_end(&unit, LOOP, 0);
	__psc_exit(&unit, LOOP);
}

static void body_triad(void)
{
	triad(a, b, c);
}

/* The header of a top-tested loop calls something: it runs once more than the body. */
static void loop_top(int times)
{
	int i = 0;

	__psc_phase_begin(&unit, LOOP);
	for (;; __psc_phase_next(&unit, LOOP)) {
		__psc_enter(&unit, INNER);
		if (__psc_recording)
			record1(&seg_load4, &block.n);
		__psc_exit(&unit, INNER);
		if (i++ == times)
			break;
		body_triad();
	}
	__psc_phase_end(&unit, LOOP, 1);
}

static void body_passes(void)
{
	for (int i = 0; i < 100; i++)
		triad(a, b, c);
}

static void body_single(void)
{
	for (int i = 0; i < 100; i++)
		triad(a, a, a);
}

static void body_heap(void)
{
	__psc_enter(&unit, TRIAD);
	__psc_bind(&unit, 2, heap, n * sizeof *heap);
	triad_part(heap, b, heap, 0, n);
	__psc_exit(&unit, TRIAD);
}

static void body_common(void)
{
	double local[64];

	memset(local, 0, sizeof local);
	if (!__psc_recording)
		return;
	for (int i = 0; i < 1000; i++)
		record1(&seg_load, &block.u[i]);
	for (int i = 0; i < 10; i++)
		record1(&seg_load4, &block.n);
	for (int i = 0; i < 7; i++)
		record1(&seg_load4, &block.m);
	for (int i = 0; i < 64; i++)
		record1(&seg_load, &local[i]);
	ROOM();
	psc_cur[0] = (uintptr_t)&seg_set;
	psc_cur[1] = (uintptr_t)block.u;
	psc_cur[2] = sizeof block.u;
	psc_cur += 3;
}

static void recurse(int depth)
{
	__psc_enter(&unit, RECURSE);
	if (depth) {
		__psc_enter(&unit, INNER);
		recurse(depth - 1);
		__psc_exit(&unit, INNER);
	}
	__psc_exit(&unit, RECURSE);
}

static void body_recurse(void)
{
	recurse(40);
}

/* Each level leaves two regions by the exit of the outer one. */
static void descend(int depth)
{
	__psc_enter(&unit, RECURSE);
	__psc_enter(&unit, INNER);
	if (depth)
		descend(depth - 1);
	__psc_exit(&unit, RECURSE);
}

static void body_deep(void)
{
	descend(30000);
	recurse(40);
}

static jmp_buf out;

static void body_longjmp(void)
{
	__psc_enter(&unit, TRIAD);
	if (!setjmp(out)) {
		__psc_enter(&unit, INNER);
		__psc_enter(&unit, RECURSE);
		longjmp(out, 1);        /* two regions are never left */
	}
	__psc_exit(&unit, TRIAD);
	__psc_exit(&unit, SUBPHASE);      /* one was never entered */
}

static void sub_phase(int depth)
{
	__psc_phase_begin(&unit, SUBPHASE);
	__psc_enter(&unit, SUBPHASE);
	if (depth)
		sub_phase(depth - 1);
	else
		body_triad();
	__psc_exit(&unit, SUBPHASE);
	__psc_phase_end(&unit, SUBPHASE, 0);
}

/* --- threads: a team that lives on between the regions, as OpenMP's ------------------------------- */

#define TEAM 4
static pthread_barrier_t go, done;
static uint64_t token;
static int over;

static void share(size_t me)
{
	__psc_team_enter(&unit, PARALLEL, token);
	__psc_enter(&unit, INNER);
	triad_part(a, b, c, n / TEAM * me, n / TEAM * (me + 1));
	__psc_exit(&unit, INNER);
	__psc_exit(&unit, PARALLEL);
}

static void *worker(void *arg)
{
	for (;;) {
		pthread_barrier_wait(&go);
		if (over)
			return NULL;
		share((size_t)arg);
		pthread_barrier_wait(&done);
	}
}

static void body_team(void)
{
	__psc_enter(&unit, TRIAD);
	token = __psc_fork(&unit, PARALLEL);
	pthread_barrier_wait(&go);
	share(0);
	pthread_barrier_wait(&done);
	__psc_exit(&unit, TRIAD);
}

static void team(int times)
{
	pthread_t t[TEAM];

	pthread_barrier_init(&go, NULL, TEAM);
	pthread_barrier_init(&done, NULL, TEAM);
	for (size_t i = 1; i < TEAM; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	loop(times, body_team);
	over = 1;
	pthread_barrier_wait(&go);
	for (size_t i = 1; i < TEAM; i++)
		pthread_join(t[i], NULL);
}

/* Threads that are made and end within an execution. */
static void *short_worker(void *arg)
{
	size_t me = (size_t)arg;

	triad_part(a, b, c, n / TEAM * me, n / TEAM * (me + 1));
	return NULL;
}

static void body_pthread(void)
{
	pthread_t t[TEAM];

	for (size_t i = 0; i < TEAM; i++)
		pthread_create(&t[i], NULL, short_worker, (void *)i);
	for (size_t i = 0; i < TEAM; i++)
		pthread_join(t[i], NULL);
}

/* A second thread meets the phase while the first is in it. */
static void *intruder(void *arg)
{
	__psc_phase_begin(&unit, LOOP);
	__psc_phase_next(&unit, LOOP);
	__psc_phase_end(&unit, LOOP, 0);
	return arg;
}

static void body_foreign(void)
{
	pthread_t t;

	body_triad();
	pthread_create(&t, NULL, intruder, NULL);
	pthread_join(t, NULL);
}

/* --- the rest of life ---------------------------------------------------------------------------------- */

static void body_fork(void)
{
	pid_t pid = fork();

	if (!pid) {
		for (int i = 0; i < 1000; i++)
			body_triad();   /* must neither count nor crash */
		__psc_phase_next(&unit, LOOP);
		_exit(7);
	}
	int status;

	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
		exit(3);
	body_triad();
}

static void body_slow(void)
{
	struct timespec ts = { 0, 20000000 };

	body_triad();
	nanosleep(&ts, NULL);
}

static int calls;
static void body_exit(void)
{
	body_triad();
	if (++calls == 5)
		exit(9);
}

static void on_signal(int sig)
{
	(void)sig;
	body_common();
	__psc_enter(&unit, MAIN);
	__psc_exit(&unit, MAIN);
}

static void storm(int times)
{
	struct sigaction sa = { .sa_handler = on_signal };
	timer_t timer;
	struct itimerspec every = { { 0, 50000 }, { 0, 50000 } };

	sigaction(SIGALRM, &sa, NULL);
	if (timer_create(CLOCK_MONOTONIC, NULL, &timer))
		exit(4);
	timer_settime(timer, 0, &every, NULL);
	loop(times, body_triad);
	timer_delete(timer);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "triad";
	int times = argc > 2 ? atoi(argv[2]) : 8;

	if (argc > 3)
		n = strtoul(argv[3], NULL, 10);
	if (n > N_MAX)
		n = N_MAX;
	heap = malloc(N_MAX * sizeof *heap);
	if (!heap)
		return 2;
	memset(heap, 0, N_MAX * sizeof *heap);
	if (!strcmp(mode, "triad"))
		loop(times, body_triad);
	else if (!strcmp(mode, "passes"))
		loop(times, body_passes);
	else if (!strcmp(mode, "single"))
		loop(times, body_single);
	else if (!strcmp(mode, "top"))
		for (int i = 0; i < 3; i++)
			loop_top(times);
	else if (!strcmp(mode, "heap"))
		loop(times, body_heap);
	else if (!strcmp(mode, "common"))
		loop(times, body_common);
	else if (!strcmp(mode, "recurse"))
		loop(times, body_recurse);
	else if (!strcmp(mode, "deep"))
		loop(times, body_deep);
	else if (!strcmp(mode, "longjmp"))
		loop(times, body_longjmp);
	else if (!strcmp(mode, "sub"))
		for (int i = 0; i < times; i++)
			sub_phase(2);
	else if (!strcmp(mode, "team"))
		team(times);
	else if (!strcmp(mode, "pthread"))
		loop(times, body_pthread);
	else if (!strcmp(mode, "foreign"))
		loop(times, body_foreign);
	else if (!strcmp(mode, "fork"))
		loop(times, body_fork);
	else if (!strcmp(mode, "slow"))
		loop(times, body_slow);
	else if (!strcmp(mode, "exit"))
		loop(times, body_exit);
	else if (!strcmp(mode, "storm"))
		storm(times);
	else
		return 2;
	printf("app done %g\n", a[n / 2]);
	free(heap);
	return 0;
}
