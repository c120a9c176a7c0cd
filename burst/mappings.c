/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before mmap, munmap, mremap, madvise and mlockall.  Mappings that the C library makes for
 * itself do not come here.
 *
 * A large mapping that is ordinary memory is tracked.  What a program may do to such a mapping is
 * done to it there: its addresses stay tracked memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "burst/arm_pages.h"
#include "burst/event_ring.h"
#include "burst/memory.h"
#include "burst/next.h"
#include "burst/slot.h"
#include "burst/tracked.h"

NEXT(void *, mmap, void *, size_t, int, int, int, off_t)
NEXT(int, munmap, void *, size_t)
NEXT(void *, mremap, void *, size_t, size_t, int, ...)
NEXT(int, madvise, void *, size_t, int)
NEXT(int, mlockall, int)

static void *mapped(void *at, size_t size, int flags, const void *caller, const void *frame)
{
	if (at != MAP_FAILED && flags & MAP_ANONYMOUS && size >= burst_event_bytes() &&
	    !burst_memory_calls(caller))
		burst_event(BURST_MAP, at, size, caller, frame);
	return at;
}

static void unmapping(const void *at, size_t size, const void *caller)
{
	if (size >= burst_event_bytes())
		burst_event(BURST_UNMAP, at, size, caller, NULL);
}

/* A hint is none that a program can rely on. */
static bool is_ordinary(int protection, int flags)
{
	return protection == (PROT_READ | PROT_WRITE) &&
		(flags & ~MAP_NORESERVE) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

static void *tracked(size_t size, int protection, int flags)
{
	struct burst_header *h = burst_header();
	void *at;

	if (h == NULL || h->tracked.least == 0 || h->tracked.writes || size < h->tracked.least ||
	    (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) != (MAP_PRIVATE | MAP_ANONYMOUS))
		return NULL;
	at = is_ordinary(protection, flags) ? burst_tracked_map(size) : NULL;
	if (at == NULL && !(flags & MAP_FIXED)) {
		atomic_fetch_add(&h->tracked.other_maps, 1);
		atomic_fetch_add(&h->tracked.other_bytes, size);
	}
	return at;
}

/* In the place of tracked memory: other anonymous memory becomes that memory, without contents. */
static void *map_over(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	if ((flags & MAP_ANONYMOUS) && (flags & MAP_PRIVATE) &&
	    next_madvise()(at, size, MADV_REMOVE) == 0)
		return mprotect(at, size, protection) == 0 ? at : MAP_FAILED;
	burst_arm_no_more(burst_header());
	return next_mmap()(at, size, protection, flags, file, offset);
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	void *to;

	if (flags & MAP_FIXED && burst_tracked_is_shared(at))
		return map_over(at, size, protection, flags, file, offset);
	to = tracked(size, protection, flags);
	return to != NULL ? to : next_mmap()(at, size, protection, flags, file, offset);
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	return mapped(map(at, size, protection, flags, file, offset), size, flags,
		__builtin_return_address(0), __builtin_dwarf_cfa());
}

EXPORT void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset)
{
	return mapped(map(at, size, protection, flags, file, offset), size, flags,
		__builtin_return_address(0), __builtin_dwarf_cfa());
}

EXPORT int munmap(void *at, size_t size)
{
	unmapping(at, size, __builtin_return_address(0));
	return burst_tracked_unmap(at, size) ? 0 : next_munmap()(at, size);
}

/* The contents of tracked memory move to another mapping. */
static void *moved(void *old, size_t old_size, void *at, size_t size, const void *caller,
	const void *frame)
{
	if (at == MAP_FAILED)
		return at;
	mapped(at, size, MAP_ANONYMOUS, caller, frame);
	memcpy(at, old, old_size < size ? old_size : size);
	unmapping(old, old_size, caller);
	burst_tracked_unmap(old, old_size);
	return at;
}

static void *remap(void *old, size_t old_size, size_t size, int flags, void *to, const void *caller,
	const void *frame)
{
	enum { READ_WRITE = PROT_READ | PROT_WRITE, OTHER = MAP_PRIVATE | MAP_ANONYMOUS };
	void *at;

	if (old_size == 0 || flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED)) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (flags & MREMAP_FIXED)
		return moved(old, old_size, map(to, size, READ_WRITE, OTHER | MAP_FIXED, -1, 0),
			size, caller, frame);
	if (burst_tracked_resize(old, old_size, size)) {
		unmapping(old, old_size, caller);
		return mapped(old, size, MAP_ANONYMOUS, caller, frame);
	}
	if (!(flags & MREMAP_MAYMOVE)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	at = burst_tracked_map(size);
	return moved(old, old_size, at != NULL ? at : next_mmap()(NULL, size, READ_WRITE, OTHER, -1,
		0), size, caller, frame);
}

EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	const void *caller = __builtin_return_address(0), *frame = __builtin_dwarf_cfa();
	void *to = NULL, *at;
	va_list more;

	if (flags & MREMAP_FIXED) {
		va_start(more, flags);
		to = va_arg(more, void *);
		va_end(more);
	}
	if (burst_tracked_has(old))
		return remap(old, old_size, size, flags, to, caller, frame);
	if (flags & MREMAP_FIXED && burst_tracked_is_shared(to))
		burst_arm_no_more(burst_header());
	unmapping(old, old_size, caller);
	at = flags & MREMAP_FIXED ? next_mremap()(old, old_size, size, flags, to) :
		next_mremap()(old, old_size, size, flags);
	mapped(at == MAP_FAILED ? old : at, at == MAP_FAILED ? old_size : size, MAP_ANONYMOUS,
		caller, frame);
	return at;
}

/* In tracked memory, these pieces of advice do what they do in memory of malloc's: it reads as 0
 * afterwards.  A child needs all of it. */
EXPORT int madvise(void *at, size_t size, int advice)
{
	if (burst_tracked_is_shared(at)) {
		if (advice == MADV_DONTFORK)
			return 0;
		if (advice == MADV_DONTNEED || advice == MADV_FREE)
			advice = MADV_REMOVE;
	}
	return next_madvise()(at, size, advice);
}

/* Most of the memory that is shared with the reader has no pages: without MCL_ONFAULT the
 * kernel would make them all. */
EXPORT int mlockall(int flags)
{
	return next_mlockall()(burst_header() != NULL && flags & MCL_CURRENT ? flags | MCL_ONFAULT :
		flags);
}
