/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before malloc and all its forms.
 *
 * operator new calls malloc.  What the C library itself allocates does not come here. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "burst/event_ring.h"
#include "burst/memory.h"
#include "burst/next.h"
#include "burst/block_sites.h"
#include "burst/tracked.h"

NEXT(void *, malloc, size_t)
NEXT(void *, calloc, size_t, size_t)
NEXT(void *, realloc, void *, size_t)
NEXT(void *, memalign, size_t, size_t)
NEXT(void *, aligned_alloc, size_t, size_t)
NEXT(int, posix_memalign, void **, size_t, size_t)
NEXT(void *, valloc, size_t)
NEXT(void *, pvalloc, size_t)
NEXT(void, free, void *)
NEXT(size_t, malloc_usable_size, void *)

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

#define CALLER __builtin_return_address(0)
/* Where the caller's frame begins: the return address is below it. */
#define FRAME __builtin_dwarf_cfa()

/* dlsym() may allocate while the allocator is looked for. */
enum { EARLY_BYTES = 8192 };
static _Alignas(16) char early[EARLY_BYTES];
static _Atomic size_t early_used;
static _Thread_local int looking __attribute__((tls_model("initial-exec")));

static void *early_block(size_t bytes)
{
	size_t at = atomic_fetch_add(&early_used, (bytes + 15) & ~(size_t)15);

	return at + bytes <= EARLY_BYTES ? early + at : NULL;
}

static bool is_early(const void *block)
{
	return (uintptr_t)block - (uintptr_t)early < EARLY_BYTES;
}

/* An allocator of the program's may have no malloc_usable_size(): the next one is then the C
 * library's, which must not see blocks of another. */
static bool sizes_known;
static _Atomic bool all_found;

static bool of_one_allocator(void)
{
	Dl_info frees, sizes;

	return next_free_found != NULL && next_malloc_usable_size_found != NULL &&
		dladdr((void *)(uintptr_t)next_free_found, &frees) != 0 &&
		dladdr((void *)(uintptr_t)next_malloc_usable_size_found, &sizes) != 0 &&
		frees.dli_fbase == sizes.dli_fbase;
}

/* The smallest block of the allocator's with events: without its size, the
 * end of none would be seen. */
static size_t event_bytes(void)
{
	return sizes_known ? burst_event_bytes() : SIZE_MAX;
}

/* Whether the next functions are known.  false: this call comes from the search for them. */
static bool found(void)
{
	if (__builtin_expect(atomic_load_explicit(&all_found, memory_order_acquire), 1))
		return true;
	if (looking)
		return false;
	looking = 1;
	next_malloc();
	next_calloc();
	next_realloc();
	next_memalign();
	next_aligned_alloc();
	next_posix_memalign();
	next_valloc();
	next_pvalloc();
	next_malloc_usable_size();
	next_free();
	sizes_known = of_one_allocator();
	looking = 0;
	atomic_store_explicit(&all_found, next_free_found != NULL, memory_order_release);
	return next_free_found != NULL;
}

/* Other allocators have functions of their own that take a block of malloc(). */
bool burst_memory_is_standard(void)
{
	Dl_info standard, next;

	return found() && dladdr((void *)abort, &standard) != 0 &&
		dladdr(*(void **)&next_malloc_found, &next) != 0 &&
		standard.dli_fbase == next.dli_fbase;
}

bool burst_memory_calls(const void *caller)
{
	struct burst_range code;

	return sizes_known && burst_header() != NULL &&
		burst_range_of((uint64_t)*(void **)&next_malloc_found, &code) &&
		(uintptr_t)caller - code.low < code.high - code.low;
}

/* dladdr() looks at every symbol of the C library: better before main() than
 * in its first allocation. */
__attribute__((constructor)) static void find_early(void) { (void)found(); }

enum { ALIGNMENT = 16 };        /* of malloc */

static bool is_power(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

static size_t size_of(void *block)
{
	return burst_tracked_has(block) ? burst_tracked_size(block) :
		next_malloc_usable_size_found(block);
}

/* Large blocks are in tracked memory, if any is tracked. */
static void *new_block(size_t size, size_t alignment)
{
	void *block = burst_tracked_allocate(size, alignment, false);

	return block != NULL ? block : next_malloc_found(size);
}

/* The allocator finds out by itself what is wrong with an address at which no block begins. */
static void release(void *block)
{
	if (!burst_tracked_has(block) || burst_tracked_free(block) != 0)
		next_free_found(block);
}

/* The block is given back, or may be moved: before another thread can get its address.  Returns the
 * size of a block with events; 0: it has none.  The allocator is asked for the size of few blocks:
 * that takes it as long as to release one. */
static size_t going(void *block, const void *caller)
{
	const size_t bytes = event_bytes();
	size_t size;

	if (block == NULL || bytes == SIZE_MAX || burst_small_has(block))
		return 0;
	size = size_of(block);
	if (size < bytes)
		return 0;
	burst_event(BURST_FREE, block, size, caller, NULL);
	return size;
}

static inline void *come(void *block, size_t size, const void *caller, const void *frame)
{
	const size_t bytes = event_bytes();

	if (block == NULL || bytes == SIZE_MAX)
		return block;
	if (__builtin_expect(size < bytes, 1)) {
		burst_small_block(block, size, caller, frame);
	} else {
		burst_event(BURST_ALLOC, block, size, caller, frame);
		burst_small_large(block);
	}
	return block;
}

EXPORT void *malloc(size_t size)
{
	return found() ? come(new_block(size, ALIGNMENT), size, CALLER, FRAME) : early_block(size);
}

static void *zeroed(size_t n, size_t size)
{
	size_t bytes;
	void *block = __builtin_mul_overflow(n, size, &bytes) ? NULL : burst_tracked_allocate(bytes,
		ALIGNMENT, true);

	return block != NULL ? block : next_calloc_found(n, size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	return found() ? come(zeroed(n, size), n * size, CALLER, FRAME) : early_block(n * size);
}

/* An early block moves to the allocator's memory. */
static void *early_moves(void *block, size_t size)
{
	size_t most = (size_t)(early + EARLY_BYTES - (char *)block);
	void *to = next_malloc_found(size);

	if (to != NULL)
		memcpy(to, block, size < most ? size : most);
	return to;
}

/* The block moves from or to tracked memory, or inside of it. */
static void *moved(void *old, size_t before, size_t size)
{
	void *block = new_block(size, ALIGNMENT);

	if (block == NULL)
		return NULL;
	memcpy(block, old, before < size ? before : size);
	release(old);
	return block;
}

/* A tracked block that becomes smaller stays where it is until it is half empty. */
static void *reallocated(void *old, size_t size)
{
	const bool is_tracked = burst_tracked_has(old);
	const size_t before = is_tracked ? burst_tracked_size(old) : 0;
	void *block;

	if (old == NULL)
		return new_block(size, ALIGNMENT);
	if (is_tracked && size <= before && size >= before / 2)
		return old;
	if (is_tracked && size == 0) {
		release(old);
		return NULL;
	}
	if (is_tracked)
		return moved(old, before, size);
	block = burst_tracked_allocate(size, ALIGNMENT, false);
	if (block == NULL)
		return next_realloc_found(old, size);
	memcpy(block, old, next_malloc_usable_size_found(old) < size ?
		next_malloc_usable_size_found(old) : size);
	release(old);
	return block;
}

/* A block that could not be moved is still there. */
static void *resized(void *old, size_t size, const void *caller, const void *frame)
{
	const size_t before = going(old, caller);
	void *block = reallocated(old, size);

	if (block == NULL && size != 0 && before != 0)
		come(old, before, caller, frame);
	return come(block, size, caller, frame);
}

EXPORT void *realloc(void *old, size_t size)
{
	if (!found())
		return old == NULL ? early_block(size) : NULL;
	return is_early(old) ? early_moves(old, size) : resized(old, size, CALLER, FRAME);
}

/* Whether the program's realloc() is the one of this library. */
static bool own_realloc(void)
{
	return (uintptr_t)realloc - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start);
}

/* The C library's calls realloc(), which a program may have itself. */
EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return own_realloc() && found() && !is_early(old) ? resized(old, bytes, CALLER, FRAME)
							  : realloc(old, bytes);
}

EXPORT void free(void *block)
{
	if (!found() || is_early(block))
		return;
	going(block, CALLER);
	release(block);
}

EXPORT size_t malloc_usable_size(void *block)
{
	if (block == NULL || !found())
		return 0;
	return is_early(block) ? 0 : size_of(block);
}

/* A tracked block, or what the next allocator makes of the request. */
static void *aligned(void *(*next)(size_t, size_t), size_t alignment, size_t size)
{
	void *block = is_power(alignment) ? burst_tracked_allocate(size, alignment, false) : NULL;

	return block != NULL ? block : next(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return found() ? come(aligned(next_memalign_found, alignment, size), size, CALLER, FRAME) :
		NULL;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return found() ? come(aligned(next_aligned_alloc_found, alignment, size), size, CALLER,
		FRAME) : NULL;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
	int result = found() ? 0 : ENOMEM;
	void *of = result == 0 && is_power(alignment) && alignment >= sizeof(void *)
		? burst_tracked_allocate(size, alignment, false)
		: NULL;

	if (of != NULL)
		*block = of;
	else if (result == 0)
		result = next_posix_memalign_found(block, alignment, size);
	if (result == 0)
		come(*block, size, CALLER, FRAME);
	return result;
}

EXPORT void *valloc(size_t size)
{
	return found() ? come(next_valloc_found(size), size, CALLER, FRAME) : NULL;
}

EXPORT void *pvalloc(size_t size)
{
	return found() ? come(next_pvalloc_found(size), size, CALLER, FRAME) : NULL;
}
