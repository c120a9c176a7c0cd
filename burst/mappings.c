/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before mmap, munmap, madvise and mlockall.  Mappings that the C library makes for
 * malloc do not come here. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "burst/event_ring.h"
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
	if (at != MAP_FAILED && flags & MAP_ANONYMOUS && size >= burst_event_bytes())
		burst_event(BURST_MAP, at, size, caller, frame);
	return at;
}

static void unmapping(const void *at, size_t size, const void *caller)
{
	if (size >= burst_event_bytes())
		burst_event(BURST_UNMAP, at, size, caller, NULL);
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
	return mapped(next_mmap()(at, size, protection, flags, file, offset), size, flags,
		__builtin_return_address(0), __builtin_dwarf_cfa());
}

EXPORT void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset)
{
	return mapped(next_mmap()(at, size, protection, flags, file, offset), size, flags,
		__builtin_return_address(0), __builtin_dwarf_cfa());
}

EXPORT int munmap(void *at, size_t size)
{
	unmapping(at, size, __builtin_return_address(0));
	return next_munmap()(at, size);
}

EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	void *to = NULL, *at;
	va_list more;

	if (flags & MREMAP_FIXED) {
		va_start(more, flags);
		to = va_arg(more, void *);
		va_end(more);
	}
	unmapping(old, old_size, __builtin_return_address(0));
	if (flags & MREMAP_FIXED)
		at = next_mremap()(old, old_size, size, flags, to);
	else
		at = next_mremap()(old, old_size, size, flags);
	mapped(at == MAP_FAILED ? old : at, at == MAP_FAILED ? old_size : size, MAP_ANONYMOUS,
		__builtin_return_address(0), __builtin_dwarf_cfa());
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
