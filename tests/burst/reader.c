/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes what burst/shared/burst.h describes, plainly. */
#define _GNU_SOURCE
#include "tests/burst/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return -1;
}

int reader_open(struct reader *r, const struct burst_header *setup)
{
	r->file = memfd_create("burst", 0);
	if (r->file < 0 || ftruncate(r->file, (off_t)BURST_BYTES) != 0)
		return fail("memfd");
	r->memory = mmap(
		NULL, BURST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, r->file, 0);
	if (r->memory == MAP_FAILED)
		return fail("mmap");
	r->head = (struct burst_header *)(void *)r->memory;
	r->head->magic = BURST_MAGIC;
	r->head->version = setup->version;
	r->head->flags = setup->flags;
	r->head->period = setup->period;
	r->head->words = setup->words;
	r->head->heap_bytes = setup->heap_bytes;
	r->head->reader = (uint32_t)getpid();
	atomic_store(&r->head->done, setup->done);
	return 0;
}

int reader_start(struct reader *r, const char *library, rlim_t addresses, char *const argv[])
{
	struct rlimit limit = { addresses, addresses };
	char number[16];

	r->pid = fork();
	if (r->pid != 0)
		return r->pid < 0 ? fail("fork") : 0;
	snprintf(number, sizeof number, "%d", r->file);
	setenv(BURST_ENV, number, 1);
	setenv("LD_PRELOAD", library, 1);
	if (addresses != 0)
		setrlimit(RLIMIT_AS, &limit);
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

/* One line of /proc/PID/maps. */
static bool is_code(const char *line, struct burst_range *range)
{
	char mode[8];
	unsigned long low, high, inode;

	if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &low, &high, mode, &inode) != 4)
		return false;
	*range = (struct burst_range){ low, high };
	return mode[2] == 'x' && mode[1] != 'w' && mode[3] == 'p' &&
		(inode != 0 || strstr(line, "[vdso]") != NULL);
}

static uint32_t read_ranges(const struct reader *r, struct burst_range *ranges)
{
	char name[64], line[8192];
	uint32_t n = 0;
	FILE *file;

	snprintf(name, sizeof name, "/proc/%d/maps", (int)r->pid);
	file = fopen(name, "r");
	if (file == NULL)
		return 0;
	while (n < BURST_RANGES && fgets(line, sizeof line, file) != NULL)
		n += is_code(line, &ranges[n]);
	fclose(file);
	return n;
}

void reader_ranges(struct reader *r)
{
	static struct burst_range ranges[BURST_RANGES];
	uint32_t n = read_ranges(r, ranges);

	if (n == 0 ||
		(n == r->head->ranges && memcmp(ranges, r->head->code, n * sizeof *ranges) == 0))
		return;
	atomic_fetch_add(&r->head->code_change, 1);
	memcpy(r->head->code, ranges, n * sizeof *ranges);
	r->head->ranges = n;
	atomic_fetch_add(&r->head->code_change, 1);
}

struct burst_thread *reader_thread(const struct reader *r, uint32_t slot)
{
	return (struct burst_thread *)(void *)(r->memory + BURST_HEADER_BYTES +
		(uint64_t)slot * BURST_SLOT_BYTES);
}

void reader_place_begin(struct reader_place *p, const struct reader *r, uint32_t slot)
{
	const struct burst_thread *t = reader_thread(r, slot);
	const char *at = (const char *)t;
	uint64_t first = t->first, end = t->offset;

	*p = (struct reader_place){ .thread = t };
	p->blocks = (const struct burst_block *)(const void *)(at + BURST_BLOCKS_AT);
	p->accesses = (const struct burst_access *)(const void *)(at + BURST_ACCESSES_AT);
	p->word = (const uint64_t *)(const void *)(at + first);
	p->end = (const uint64_t *)(const void *)(at + end);
	p->bad = first < BURST_WORDS_AT || first > end ||
		end > BURST_WORDS_END + 8 * BURST_BLOCK_WORDS;
}

static int64_t element(const uint64_t *words, uint32_t bytes, uint32_t n)
{
	int64_t wide = 0;
	int32_t narrow;

	memcpy(&wide, (const char *)words + (size_t)n * bytes, bytes);
	if (bytes == 8)
		return wide;
	memcpy(&narrow, &wide, sizeof narrow);
	return narrow;
}

static uint32_t mask_words(const struct burst_access *x)
{
	return x->mask_bytes == 0 ? 1 : x->lanes * x->mask_bytes <= 16 ? 2 : 4;
}

/* Whether a lane takes part, and its address. */
static bool lane(
	const struct reader_place *p, const struct burst_access *x, uint32_t n, uint64_t *address)
{
	const uint64_t *mask = p->word + 1;

	if (x->mask_bytes == 0 ? (*mask >> n & 1) == 0 : element(mask, x->mask_bytes, n) >= 0)
		return false;
	*address = p->word[0] + (uint64_t)(element(mask + mask_words(x), x->index_bytes, n) * x->scale);
	return true;
}

/* The lane of a gather, or the element of a string; false: no more. */
static bool many(struct reader_place *p, const struct burst_access *x, uint64_t *address)
{
	int64_t distance = (int64_t)(p->word[1] - p->word[0]);
	uint64_t count = (uint64_t)(distance < 0 ? -distance : distance) /
		(x->size == 0 ? 1 : x->size);

	if (x->kind == BURST_STRING) {
		*address = p->word[0] + (distance < 0 ? -p->lane : p->lane) * x->size;
		return p->lane++ < count;
	}
	while (p->lane < x->lanes)
		if (lane(p, x, (uint32_t)p->lane++, address))
			return true;
	return false;
}

static bool one(struct reader_place *p, const struct burst_access *x, uint64_t *address)
{
	if (p->lane++ > 0)
		return false;
	switch (x->kind) {
	case BURST_WORD: case BURST_STACK: *address = p->word[0]; return true;
	case BURST_WORD_FS: *address = p->word[0] + p->thread->fs; return true;
	case BURST_FIXED: *address = x->address; return true;
	case BURST_FIXED_FS: *address = x->address + p->thread->fs; return true;
	default: *address = 0; return true;
	}
}

static bool next_block(struct reader_place *p)
{
	if (p->word >= p->end)
		return false;
	if (*p->word == 0 || *p->word >= p->thread->blocks) {
		p->bad = true;
		return false;
	}
	p->block = &p->blocks[*p->word++];
	p->next = 0;
	p->lane = 0;
	p->instructions += p->block->instructions;
	return true;
}

bool reader_next(struct reader_place *p, struct reader_access *a)
{
	const struct burst_access *x;

	while (!p->bad) {
		if (p->block == NULL && !next_block(p))
			return false;
		if (p->next == p->block->accesses) {
			p->block = NULL;
			continue;
		}
		x = &p->accesses[p->block->first + p->next];
		if (p->word + x->words > p->end)
			return false;
		*a = (struct reader_access){ .ip = x->ip, .size = x->size, .does = x->does, .kind = x->kind };
		if (x->kind == BURST_STRING || x->kind == BURST_LANES ? many(p, x, &a->address)
								      : one(p, x, &a->address))
			return true;
		p->word += x->words;
		p->next++;
		p->lane = 0;
	}
	return false;
}

void reader_close(struct reader *r)
{
	munmap(r->memory, BURST_BYTES);
	close(r->file);
}
