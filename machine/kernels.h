/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that a calibration times.  A word is 8 bytes; words are counted from base. */
#ifndef PSC_MACHINE_KERNELS_H
#define PSC_MACHINE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* All bytes, one after the other, by vectors; p and bytes are multiples of 64. */
uint64_t kernel_read(const char *p, size_t bytes);
void kernel_write(char *p, size_t bytes, uint64_t value);
/* n accesses, step bytes apart. */
uint64_t kernel_strided(const char *p, size_t step, size_t n);
void kernel_strided_store(char *p, size_t step, size_t n, uint64_t value);
/* The words of a list, in its order. */
uint64_t kernel_gather(const uint64_t *base, const uint32_t *word, size_t n);
void kernel_store(uint64_t *base, const uint32_t *word, size_t n, uint64_t value);
/* Follows n pointers; the last one. */
void *kernel_chase(void *p, size_t n);
/* 16 n dependent additions and exclusive ors, a cycle each. */
uint64_t kernel_chain(uint64_t x, size_t n);
/* 8 n floating-point additions, each of which needs the sum before. */
double kernel_additions(double x, size_t n);
/* n branches, taken where the byte is not 0; each taken one adds to *sum, which is volatile so that
 * the compiler keeps the branch. */
void kernel_branches(const unsigned char *taken, size_t n, volatile uint64_t *sum);

#endif
