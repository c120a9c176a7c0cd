/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps recording code within the program's stacks.
 *
 * Recording code needs more stack than native code.  Stacks whose size the program leaves to the C
 * library are enlarged.  Where native code makes a tail call by a jump, recording code keeps its
 * frame for the region's exit; __psc_deep() tells it when the stack is too full for that. */
#include "config.h"
#include "monitor/pscmon.h"

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
/* bytes searched for the end of a stack of unknown size */
#define LOOK_MOST ((uintptr_t)16 << 20)
#define ENDLESS ((uintptr_t)1 << 36)            /* size assumed for an unlimited stack */

extern void *__libc_stack_end;

static uintptr_t thread_bytes;  /* stack size of new threads; 0 unknown */

static void limits_set(struct pscm_thread *t, uintptr_t top, uintptr_t bytes)
{
	uintptr_t frames = bytes / 2 < FRAMES_MOST ? bytes / 2 : FRAMES_MOST;

	t->stack_low = top - bytes;
	t->stack_spare = bytes - frames;
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
	size_t now = 0;

	if (pthread_getattr_default_np(&attr))
		return;
	pthread_attr_getstacksize(&attr, &now);
	thread_bytes = before ? (uintptr_t)strtoull(before, NULL, 10) : now;
	if (analysed)
		thread_bytes = enlarged(thread_bytes);
	if (thread_bytes != now && (pthread_attr_setstacksize(&attr, thread_bytes) ||
				    pthread_setattr_default_np(&attr)))
		thread_bytes = now;
	pthread_attr_destroy(&attr);
}

static void find_main(struct pscm_thread *t)
{
	uintptr_t top = (uintptr_t)__libc_stack_end;
	struct rlimit r;

	limits_set(t, top, getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= ENDLESS ? ENDLESS :
		(uintptr_t)r.rlim_cur);
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

/* A thread's stack ends at its top just above the pthread_t; below it lies a page that cannot be
 * read. */
static void find_thread(struct pscm_thread *t)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t top = ((uintptr_t)pthread_self() | (page - 1)) + 1, bytes = page;

	if (thread_bytes && page_readable(top - thread_bytes) &&
	    !page_readable(top - thread_bytes - page)) {
		limits_set(t, top, thread_bytes);
		return;
	}
	while (bytes < LOOK_MOST && page_readable(top - bytes - page))
		bytes += page;
	limits_set(t, top, bytes < LOOK_MOST ? bytes : ENDLESS);
}

void pscm_stack_depth_find(struct pscm_thread *t)
{
	int saved = errno;

	if (syscall(SYS_gettid) == getpid())
		find_main(t);
	else
		find_thread(t);
	errno = saved;
}

uint32_t __psc_deep(void)
{
	const struct pscm_thread *t = pscm_self;

	return t && (uintptr_t)__builtin_frame_address(0) - t->stack_low < t->stack_spare;
}
