/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorder of the tests' making, and files whose names the tests make up: stands for binary/ and for
 * libpscburst. */
#ifndef PSC_TESTS_FOREIGN_MADE_UP_H
#define PSC_TESTS_FOREIGN_MADE_UP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "foreign/answers.h"
#include "foreign/recorder.h"
#include "monitor/shared/shm.h"

/* The file's code: main from 0x1000, work from 0x2000 with a loop from 0x2100. */
enum { MAIN_AT = 0x1000, WORK_AT = 0x2000, LOOP_AT = 0x2100, LOOP_LINE = 20 };
#define BASE UINT64_C(0x400000)
#define PHASE_HASH UINT64_C(77)
#define WORK_HASH UINT64_C(78)

static const struct binary_region regions_of_main[] = { { .type = REGION_SUB, .parent = BINARY_NONE, .file = "made.c", .line = 1 } };
static const struct binary_region regions_of_work[] = { { .type = REGION_SUB, .parent = BINARY_NONE, .file = "made.c", .line = 10 },
	{ .type = REGION_LOOP, .parent = 0, .file = "made.c", .line = LOOP_LINE } };
static const struct binary_function function_main = { .hash = PHASE_HASH, .name = "main", .regions = regions_of_main, .nregions = 1,
	.source = "made.c" };
static const struct binary_function function_work = { .hash = WORK_HASH, .name = "work", .regions = regions_of_work, .nregions = 2,
	.source = "made.c" };
static const struct binary_variable variables[] = { { .address = 0x10000, .size = 4096, .name = "table", .file = "made.c", .line = 3,
	.elem = 8 } };

struct binary *binary_open(const char *path, struct err *err)
{
	(void)err;
	return strcmp(path, "/made") == 0 ? (struct binary *)(uintptr_t)&function_main : NULL;
}

void binary_close(struct binary *b)
{
	(void)b;
}

bool binary_code_address(const struct binary *b, uint64_t offset, uint64_t *address)
{
	(void)b;
	*address = offset;
	return true;
}

bool binary_place_at(struct binary *b, uint64_t address, struct binary_place *place)
{
	(void)b;
	*place = (struct binary_place){ .function = &function_main, .file = "made.c", .line = 2 };
	if (address >= WORK_AT)
		*place = (struct binary_place){ .function = &function_work, .region = address >= LOOP_AT, .file = "made.c",
			.line = address >= LOOP_AT ? LOOP_LINE + (int)(address & 15) : 11 };
	return address >= MAIN_AT && address < 0x3000;
}

const struct binary_variable *binary_variables(struct binary *b, uint32_t *n)
{
	(void)b;
	*n = 1;
	return variables;
}

void binary_heap_name(const struct binary_frame *frames, uint32_t n, struct binary_heap *heap)
{
	(void)n;
	*heap = (struct binary_heap){ .by = BINARY_HEAP_LOCAL, .name = "block", .elem = 8,
		.place = { .function = &function_work, .file = "made.c", .line = (int)(frames[0].address & 0xff) } };
}

/* --- what is mapped, and the agent's memory ---------------------------------------------------- */

static struct mon_shm *shm;
static struct shm_tables tables;
static struct images images;
static struct code_contexts places;
static struct memory_objects objects;
static struct image_file made_file = { .path = "/made", .base = BASE, .fd = -1 };
static struct image mapped[] = {
	{ .lo = BASE, .hi = BASE + 0x4000, .kind = IMAGE_FILE, .executable = true, .file = &made_file },
	{ .lo = BASE + 0x10000, .hi = BASE + 0x20000, .kind = IMAGE_ANONYMOUS, .file = &made_file },
	{ .lo = 0x10000000, .hi = 0x20000000, .kind = IMAGE_ANONYMOUS },
	{ .lo = 0x7fff0000, .hi = 0x80000000, .kind = IMAGE_STACK },
};

static inline int made_up_begin(void **state)
{
	(void)state;
	shm = mmap(NULL, sizeof *shm, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(shm, MAP_FAILED);
	atomic_store(&shm->nstrings, 1);
	atomic_store(&shm->nobjects, MON_OBJ_FIRST);
	shm->phase[0].hash = PHASE_HASH;
	shm->nphase = 1;
	made_file.binary = binary_open("/made", NULL);
	made_file.variables_known = false;
	images = (struct images){ .list = mapped, .n = sizeof mapped / sizeof *mapped };
	assert_int_equal(shm_tables_begin(&tables, shm), 0);
	assert_int_equal(places_begin(&places, &images, &tables, "/made", ""), 0);
	memory_objects_begin(&objects, &images, &tables);
	return 0;
}

static inline int made_up_end(void **state)
{
	(void)state;
	memory_objects_end(&objects);
	places_end(&places);
	shm_tables_end(&tables);
	munmap(shm, sizeof *shm);
	return 0;
}

/* --- what the recorder writes -------------------------------------------------------------------- */

static struct recorder recorder;

static inline void recorder_begin(void)
{
	const struct recorder_setup setup = { 1000000, 10000, 4096, 0, false, -1, false };
	struct err err;

	assert_int_equal(recorder_make(&recorder, &setup, &err), 0);
}

static inline struct burst_thread *thread_begin(uint32_t slot)
{
	struct burst_thread *t = recorder_slot(&recorder, slot);

	t->tid = 100 + slot;
	t->generation = 1;
	t->first = BURST_WORDS_AT;
	atomic_store(&t->offset, BURST_WORDS_AT);
	atomic_store(&t->life, BURST_LIVE);
	if (atomic_load(&recorder.head->slots) <= slot)
		atomic_store(&recorder.head->slots, slot + 1);
	return t;
}

/* Adds a block with these accesses; returns its number. */
static inline uint32_t block_add(struct burst_thread *t, uint64_t ip, const struct burst_access *access, uint16_t n)
{
	struct burst_access *all = (struct burst_access *)(void *)((char *)t + BURST_ACCESSES_AT);
	const uint32_t number = atomic_load(&t->blocks);
	struct burst_block *b = (struct burst_block *)(void *)((char *)t + BURST_BLOCKS_AT) + number;

	*b = (struct burst_block){ .ip = ip, .bytes = 16, .first = t->accesses, .accesses = n, .words = 1, .instructions = 8 };
	for (uint16_t i = 0; i < n; i++) {
		all[t->accesses++] = access[i];
		b->words = (uint16_t)(b->words + access[i].words);
	}
	atomic_store(&t->blocks, number + 1);
	return number;
}

static inline void word_add(struct burst_thread *t, uint64_t word)
{
	const uint64_t at = atomic_load(&t->offset);

	*(uint64_t *)(void *)((char *)t + at) = word;
	atomic_store(&t->offset, at + sizeof word);
}

static inline void burst_end(struct burst_thread *t, uint64_t burst)
{
	t->burst = burst;
	atomic_store(&t->status, BURST_END_FULL);
}
#endif
