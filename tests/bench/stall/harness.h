/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_BENCH_STALL_HARNESS_H
#define PSC_BENCH_STALL_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BAD: as a programmer wrote it.  FIXED: the same results from an order or a layout that the memory likes better.
 * CACHED: the code of BAD (the same machine code) and as many operations on data that fits in 16 to 24 KiB, so in a
 * level 1 of 32 KiB; the time that BAD takes beyond CACHED is what memory costs it. */
enum version { BAD, FIXED, CACHED };

/* Functions whose time is compared: one machine code for all versions, whatever their arguments.  No more attributes: the
 * plugin must be able to make a recording version of them. */
#define SAME_CODE __attribute__((noinline))

/* What follows, n times.  Memory counts as changed in between: or the compiler would see that a function computes the
 * same every time, and call it once. */
#define REPEAT(n) for (size_t turns = (size_t)(n); turns > 0; turns--, bench_forget())

static inline void bench_forget(void)
{
	__asm__ volatile("" : : : "memory");
}

/* A kernel; see kernels.def.  run: one step; its value comes from what was computed, so that BAD and FIXED can be
 * compared (after init, once each), and so that nothing is optimised away. */
struct kernel {
	const char *name;
	void (*init)(void);
	double (*run)(enum version v);
};

#define KERNEL(name)             \
	void name##_init(void);  \
	double name##_run(enum version v);
#include "kernels.def"

/* Most kernels' data is a multiple of it.  A test that measures no time takes less. */
#ifndef MILLION
#define MILLION ((size_t)1 << 20)
#endif

/* Zeroed memory at a multiple of 64, never released.  Blocks begin at different distances from a page boundary, so that
 * arrays walked together do not meet in the same cache sets.  Exits where there is none. */
void *bench_memory(size_t bytes);
/* n numbers, all `value`. */
double *bench_doubles(size_t n, double value);
float *bench_floats(size_t n, float value);

/* xorshift64*: the same numbers in every run of the program, from bench_restart() on. */
uint64_t bench_random(void);
void bench_restart(void);
/* n random numbers in [0, below); those of `from` modulo `below`; a sorted copy; 0 … n - 1 in random order. */
uint32_t *bench_indices(size_t n, uint64_t below);
uint32_t *bench_modulo(const uint32_t *from, size_t n, uint32_t below);
uint32_t *bench_sorted(const uint32_t *from, size_t n);
uint32_t *bench_permutation(size_t n);

#ifdef __cplusplus
}
#endif
#endif
