/* SPDX-License-Identifier: BSD-3-Clause */
/* Drops the page-table entries of the windows that the reader has chosen. */
#define _GNU_SOURCE
#include "burst/arm_pages.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>

#include "burst/statics.h"
#include "burst/sys.h"
#include "burst/tracked.h"

enum { PIECES = BURST_WINDOWS + BURST_PLACED };

static _Atomic bool no_more;

static bool is_inside(const struct burst_window *w)
{
	return w->bytes != 0 && w->offset <= BURST_TRACKED_BYTES &&
		w->bytes <= BURST_TRACKED_BYTES - w->offset &&
		(w->offset | w->bytes) % BURST_PAGE == 0;
}

/* Where the windows are in the program, as far as they are in the tracked memory: the program may
 * have overwritten the reader's. */
static uint32_t find_pieces(const struct burst_tracked *t, char *low, struct iovec *to)
{
	const uint32_t n = t->windows;
	uint32_t found = 0;

	for (uint32_t k = 0; k < n && k < BURST_WINDOWS && found + BURST_PLACED < PIECES; k++) {
		const struct burst_window w = t->window[k];
		uint32_t placed;

		if (!is_inside(&w))
			continue;
		placed = burst_statics_windows(&w, to + found);
		found += placed;
		if (placed != 1 || to[found - 1].iov_len != w.bytes)
			to[found++] = (struct iovec){ low + w.offset, w.bytes };
	}
	return found;
}

/* One call for all pieces, so that other processors are interrupted once;
 * older kernels refuse that. */
static uint64_t drop(const struct iovec *piece, uint32_t n)
{
	enum { SELF = -10000 };
	long done = sys_call(SYS_process_madvise, SELF, (long)piece, n, MADV_DONTNEED, 0, 0);
	uint64_t failed = 0;

	for (uint32_t k = 0; k < n; k++) {
		if (done >= (long)piece[k].iov_len) {
			done -= (long)piece[k].iov_len;
			continue;
		}
		done = 0;
		failed += SYS_3(SYS_madvise, piece[k].iov_base, piece[k].iov_len,
			MADV_DONTNEED) != 0;
	}
	return failed;
}

static uint64_t thread_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void burst_arm(struct burst_header *h)
{
	struct burst_tracked *t = &h->tracked;
	char *low = (char *)atomic_load_explicit(&t->low, memory_order_acquire);
	uint64_t wanted = atomic_load_explicit(&t->arm_wanted, memory_order_acquire),
		begun = atomic_load(&t->arm_begun);
	struct iovec piece[PIECES];
	uint64_t from;
	uint32_t n;

	if (wanted == begun || !burst_tracked_has(low) ||
	    !atomic_compare_exchange_strong(&t->arm_begun, &begun, wanted))
		return;
	from = thread_cpu();
	n = find_pieces(t, low, piece);
	atomic_fetch_add(&t->arm_failed, atomic_load(&no_more) ? n : drop(piece, n));
	atomic_fetch_add(&t->arm_ns, thread_cpu() - from);
	atomic_store_explicit(&t->arm_done, wanted, memory_order_release);
}

/* A handler that arms already ends soon, unless it waits for a processor. */
void burst_arm_no_more(struct burst_header *h)
{
	struct burst_tracked *t;

	atomic_store(&no_more, true);
	if (h == NULL)
		return;
	t = &h->tracked;
	while (atomic_load(&t->arm_begun) != atomic_load(&t->arm_done))
		SYS_3(SYS_sched_yield, 0, 0, 0);
}
