/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that a vanishing thread cannot leave held.
 *
 * A thread can vanish or jump away wherever it handles a signal: by asynchronous cancellation (a
 * signal of the C library), or when a handler leaves by siglongjmp(), setcontext() or
 * pthread_exit().  So a thread that holds a lock blocks all signals but faults, which would kill
 * when blocked.  The mask is set by a system call, because the library's function never blocks the
 * library's own signals.  Where a sandbox refuses the call, signals stay unblocked. */
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(signal) (UINT64_C(1) << ((signal) - 1))
enum { SIGNALS_BYTES = 8 };     /* of the kernel's signal set */

static __thread struct {
	uint64_t mask;          /* to restore */
	uint32_t depth;         /* locks held */
	bool blocked;
} held __attribute__((tls_model("initial-exec")));

static void signals_block(void)
{
	static const uint64_t all = ~(BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) |
		BIT(SIGTRAP) | BIT(SIGSYS));
	uint64_t mask;
	int saved = errno;

	/* A handler that runs before the call returns finds depth 0 and restores it. */
	held.blocked = !syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &mask, SIGNALS_BYTES);
	held.mask = mask;
	errno = saved;
}

static void signals_restore(void)
{
	uint64_t mask = held.mask;
	int saved = errno;

	if (held.blocked)
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, SIGNALS_BYTES);
	errno = saved;
}

void pscm_lock(pthread_mutex_t *lock)
{
	if (!held.depth)
		signals_block();
	held.depth++;
	pthread_mutex_lock(lock);
}

bool pscm_trylock(pthread_mutex_t *lock)
{
	if (!held.depth)
		signals_block();
	held.depth++;
	if (!pthread_mutex_trylock(lock))
		return true;
	if (!--held.depth)
		signals_restore();
	return false;
}

void pscm_unlock(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
	if (!--held.depth)
		signals_restore();
}

/* Bytes.  The kernel leaves more than this between a handler's frame and the frame that it
 * interrupts; frames of hooks that one function calls differ by less. */
enum { NEAR = 512 };

bool pscm_guard_left(uintptr_t here)
{
	if (held.depth || here + NEAR <= pscm_busy || pscm_busy == PSCM_BUSY)
		return false;
	atomic_fetch_add_explicit(&pscm_unhandled, 1, memory_order_relaxed);
	return true;
}
