/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies tracked memory for children of fork().
 *
 * The handlers take no lock: fork() may be called by a signal's handler, and other threads go on
 * while it runs.  What they release meanwhile keeps its contents (tracked.c). */
#define _GNU_SOURCE
#include "burst/forked.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <time.h>

#include "burst/next.h"
#include "burst/sys.h"
#include "burst/tracked.h"

enum { PAGE = 4096, COPIES = 64, COPY_PART = 1 << 20, COPY_PATIENCE_MS = 2000 };

/* `progress` grows as the child copies: a parent whose child has been killed does not wait for
 * ever. */
struct copy {
	_Atomic bool taken, done;
	_Atomic uint64_t progress;
};
static struct copy *copies;     /* COPIES; one page, which parents and children share */
static _Atomic uint32_t copying;
/* Of the thread that forks; NULL: it does not, or nothing is tracked. */
static _Thread_local struct copy *mine __attribute__((tls_model("initial-exec")));
static _Thread_local int error_before __attribute__((tls_model("initial-exec")));

static const struct timespec tick = { 0, 100000 };

bool burst_forked_copying(void)
{
	return atomic_load(&copying) != 0;
}

/* --- the handlers ------------------------------------------------------------------------ */

static struct copy *take_copy(void)
{
	for (uint32_t k = 0;; k = (k + 1) % COPIES) {
		bool no = false;

		if (atomic_compare_exchange_strong(&copies[k].taken, &no, true))
			return &copies[k];
		if (k == COPIES - 1)
			SYS_3(SYS_nanosleep, &tick, NULL, 0);
	}
}

/* The C library leaves errno alone between its handlers, unless the call fails. */
void burst_forked_before(void)
{
	if (copies == NULL || !burst_tracked_is_shared_at_all())
		return;
	atomic_fetch_add(&copying, 1);
	mine = take_copy();
	atomic_store(&mine->progress, 0);
	atomic_store(&mine->done, false);
	error_before = errno;
	errno = 0;
}

static void wait_for_child(const struct copy *c)
{
	uint64_t seen = 0, same = 0;

	while (!atomic_load(&c->done) && same * (uint64_t)tick.tv_nsec < COPY_PATIENCE_MS *
	       UINT64_C(1000000)) {
		const uint64_t now = atomic_load(&c->progress);

		same = now == seen ? same + 1 : 0;
		seen = now;
		SYS_3(SYS_nanosleep, &tick, NULL, 0);
	}
}

void burst_forked_in_parent(void)
{
	struct copy *c = mine;

	if (c == NULL)
		return;
	mine = NULL;
	if (errno == 0) {               /* there is a child */
		wait_for_child(c);
		errno = error_before;
	}
	atomic_store(&c->taken, false);
	atomic_fetch_sub(&copying, 1);
}

/* --- the copy ---------------------------------------------------------------------------- */

/* With swap, a page that is not in memory may have contents. */
static bool has_swap(void)
{
	struct sysinfo s;

	return SYS_3(SYS_sysinfo, &s, 0, 0) != 0 || s.totalswap != 0;
}

/* A page that the program must not read stays empty in the copy: the kernel says so, where a plain
 * copy would be a fault.  A sandbox may forbid the call. */
static void copy_page(char *to, const char *from)
{
	const struct { const void *at; size_t bytes; } there = { to, PAGE }, here = { from, PAGE };
	const long got = sys_call(SYS_process_vm_readv, SYS_3(SYS_getpid, 0, 0, 0), (long)&there, 1,
		(long)&here, 1, 0);

	if (got == -EPERM || got == -ENOSYS || got == -EACCES)
		memcpy(to, from, PAGE);
}

/* Copies the pages that a part has: a page without contents reads as 0 in the copy, too. */
static void copy_part(char *to, const char *from, uint64_t bytes, bool all)
{
	unsigned char here[COPY_PART / PAGE];

	if (all || SYS_3(SYS_mincore, from, bytes, here) != 0)
		memset(here, 1, sizeof here);
	for (uint64_t k = 0; k < bytes / PAGE; k++)
		if (here[k] & 1)
			copy_page(to + k * PAGE, from + k * PAGE);
}

struct piece {
	char *to;               /* the copy of `from` */
	const char *from;
	bool all;
};

static void copy_block(void *with, char *block, uint64_t bytes)
{
	const struct piece *p = with;

	for (uint64_t k = 0; k < bytes; k += COPY_PART) {
		copy_part(p->to + (block - p->from) + k, block + k,
			bytes - k < COPY_PART ? bytes - k : COPY_PART, p->all);
		atomic_fetch_add(&mine->progress, 1);
	}
}

/* Puts private memory with the same contents in the place of [at, at + bytes).  false: no
 * memory. */
static bool make_private(char *at, uint64_t bytes)
{
	const long new = bytes == 0 ? 0 : sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct piece p = { (char *)new, at, has_swap() };

	if (bytes == 0)
		return true;
	if (new < 0 && new > -4096)
		return false;
	burst_tracked_each(at, copy_block, &p);
	return sys_call(SYS_mremap, new, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		(long)at, 0) == (long)at;
}

void burst_forked_in_child(void)
{
	struct copy *c = mine;
	bool made;

	if (c == NULL)
		return;
	made = burst_tracked_leave(make_private);
	mine = NULL;
	atomic_store(&copying, 0);
	atomic_store(&c->done, true);
	if (!made)              /* as fork() fails where there is no memory for the child */
		SYS_3(SYS_exit_group, 127, 0, 0);
}

/* --- before the program's handlers -------------------------------------------------------- */

/* pthread_atfork() of each library calls this. */
NEXT(int, __register_atfork, void (*)(void), void (*)(void), void (*)(void), void *)
NEXT(pid_t, _Fork, void)

/* The first handlers that are registered are the last ones before the call, and the first
 * behind it. */
static int register_first(void)
{
	static _Atomic bool is;

	return atomic_exchange(&is, true) ? 0 : next___register_atfork()(burst_forked_before,
		burst_forked_in_parent, burst_forked_in_child, NULL);
}

int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *of);
EXPORT int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
	void *of)
{
	return register_first() != 0 ? ENOMEM : next___register_atfork()(before, parent, child, of);
}

/* It calls no handlers. */
pid_t _Fork(void);
EXPORT pid_t _Fork(void)
{
	const bool inside = mine != NULL;
	pid_t pid;

	if (!inside)
		burst_forked_before();
	pid = next__Fork()();
	if (inside)
		return pid;
	if (pid == 0)
		burst_forked_in_child();
	else
		burst_forked_in_parent();
	return pid;
}

int burst_forked_start(void)
{
	const long page = sys_call(SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	_Static_assert(COPIES * sizeof(struct copy) <= PAGE, "copies fit");
	if ((page < 0 && page > -4096) || register_first() != 0)
		return -1;
	copies = (struct copy *)page;
	return 0;
}
