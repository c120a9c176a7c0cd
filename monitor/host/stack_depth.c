/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps recording code within the program's stacks.
 *
 * Recording code needs more stack than native code.  Stacks whose size the program leaves to the C
 * library are enlarged.  Where native code makes a tail call by a jump, recording code keeps its
 * frame for the region's exit; __psc_deep() tells it when the stack is too full for that. */
#include "config.h"
#include "monitor/host/mem.h"
#include "monitor/host/stacks.h"
#include "monitor/host/threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>          /* instructions without effect outside of valgrind */
#else
#define VALGRIND_DISABLE_ERROR_REPORTING
#define VALGRIND_ENABLE_ERROR_REPORTING
#endif

/* the larger, the fewer stacks the C library caches for new threads */
#define ENLARGE_TIMES 4
#define ENLARGE_MOST ((uintptr_t)64 << 20)        /* bytes added to a thread's stack */
#define FRAMES_MOST ((uintptr_t)128 << 20)      /* bytes for frames of tail calls; beyond, jump */
#define ENDLESS ((uintptr_t)1 << 36)            /* size assumed for an unlimited stack */

extern void *__libc_stack_end;

static void size_set(struct pscm_thread *t, uintptr_t bytes, bool whole)
{
	t->stack_bytes = bytes;
	t->stack_frames = bytes / 2 < FRAMES_MOST ? bytes / 2 : FRAMES_MOST;
	t->stack_whole = whole;
}

static uintptr_t enlarged(uintptr_t bytes)
{
	uintptr_t more = bytes < ENLARGE_MOST / (ENLARGE_TIMES - 1) ?
		(ENLARGE_TIMES - 1) * bytes : ENLARGE_MOST;

	return pscm_memory_counted() ? bytes : bytes + more;
}

void pscm_stack_depth_start(const char *before, bool analysed)
{
	pthread_attr_t attr;
	uintptr_t bytes;
	size_t now = 0;

	if (pthread_getattr_default_np(&attr))
		return;
	pthread_attr_getstacksize(&attr, &now);
	bytes = before ? (uintptr_t)strtoull(before, NULL, 10) : now;
	if (analysed)
		bytes = enlarged(bytes);
	if (bytes != now && !pthread_attr_setstacksize(&attr, bytes))
		pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

/* The kernel reads a signal set from this address before it rejects the invalid first argument. */
static bool page_readable(uintptr_t address)
{
	bool can;

	VALGRIND_DISABLE_ERROR_REPORTING;
	can = syscall(SYS_rt_sigprocmask, -1L, address, NULL, sizeof(uint64_t)) && errno == EINVAL;
	VALGRIND_ENABLE_ERROR_REPORTING;
	return can;
}

/* The kernel limits the main stack.  Another one begins just above the pthread_t and ends where a
 * page cannot be read, which is looked for only as tail calls use it: it
 * takes a system call a page. */
void pscm_stack_depth_find_begin(struct pscm_thread *t)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct rlimit r;
	int saved = errno;

	if (syscall(SYS_gettid) == getpid()) {
		t->stack_begin = (uintptr_t)__libc_stack_end;
		size_set(t, getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= ENDLESS ? ENDLESS :
			(uintptr_t)r.rlim_cur, true);
	} else {
		t->stack_begin = ((uintptr_t)pthread_self() | (page - 1)) + 1;
		size_set(t, page, false);
	}
	errno = saved;
}

/* Looks at as many further pages as are known, so that all looks together are a few a page used.
 * Memory of the program that lies directly below a stack without a guard page counts as stack. */
static void look_further(struct pscm_thread *t)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), bytes = t->stack_bytes, most = 2 * bytes;
	int saved = errno;

	while (bytes < most && page_readable(t->stack_begin - bytes - page))
		bytes += page;
	size_set(t, bytes, bytes < most || bytes >= 2 * FRAMES_MOST);
	errno = saved;
}

/* Another stack than the thread's own, of a coroutine or for signals, has an unknown size: no
 * address on it is within stack_frames.  Nor is anything known of a thread without a state. */
uint32_t __psc_deep(void)
{
	struct pscm_thread *t = pscm_self;
	uintptr_t used;

	if (!t)
		return true;
	used = t->stack_begin - (uintptr_t)__builtin_frame_address(0);
	while (unlikely(used >= t->stack_frames) && !t->stack_whole)
		look_further(t);
	return used >= t->stack_frames;
}
