/* SPDX-License-Identifier: BSD-3-Clause */
/* Page frames.  Normalised pages are numbered in the order of their first touch, which avoids
 * conflicts that physically indexed levels have: an operating system's frames lie anywhere.  Such
 * levels are looked up by frame numbers: a fixed bijection of the 20 lowest bits of the page
 * number. Private to the simulator. */
#ifndef PSC_SIMULATE_FRAMES_H
#define PSC_SIMULATE_FRAMES_H

#include <stdint.h>

#define FRAMES_MASK 0xfffffu

/* The frame's number XOR the page's.  Multiplication by an odd number and x ^ x >> n are
 * bijections, modulo 2^20. */
static inline uint32_t frames_scatter(uint64_t page)
{
	const uint32_t from = (uint32_t)page & FRAMES_MASK;
	uint32_t to = from ^ from >> 9;

	to = to * UINT32_C(0x9e3779b1) & FRAMES_MASK;
	to ^= to >> 11;
	to = to * UINT32_C(0x85ebca6b) & FRAMES_MASK;
	to ^= to >> 10;
	return to ^ from;
}

/* The results of frames_scatter() for the pages used lately: page << 32 | result. */
enum { FRAMES_KNOWN = 64 };
struct frames {
	uint64_t known[FRAMES_KNOWN];
};

static inline uint32_t frames_find(struct frames *f, uint64_t number)
{
	const uint32_t page = (uint32_t)number & FRAMES_MASK;
	uint64_t *known = &f->known[page % FRAMES_KNOWN];

	if (__builtin_expect(*known >> 32 != page, 0))
		*known = (uint64_t)page << 32 | frames_scatter(page);
	return (uint32_t)*known;
}

/* The address by frame, for pages of 1 << shift bytes. */
static inline uint64_t frames_address(uint64_t address, uint32_t shift)
{
	return address ^ (uint64_t)frames_scatter(address >> shift) << shift;
}

#endif
