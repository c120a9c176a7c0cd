/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the burst recorder writes. */
#include "config.h"
#include "foreign/recorder.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"

/* Threads that run begin a burst at the next expiry of their timer: those that were sampled within
 * ACTIVE_NS are waited for, since other programs may have their processors. */
enum { ACTIVE_NS = 150000000, JOIN_NS = 20000000, JOIN_MOST_NS = 100000000,
	LONGEST_NS = 2000000000 };

/* A file beyond the limit of files raises SIGXFSZ, which would end the program before it begins. */
static int set_size(int fd, uint64_t bytes)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	int rc, error;

	sigaction(SIGXFSZ, &ignore, &before);
	rc = ftruncate(fd, (off_t)bytes);
	error = errno;
	sigaction(SIGXFSZ, &before, NULL);
	errno = error;
	return rc;
}

int recorder_make(struct recorder *r, const struct recorder_setup *s, struct err *err)
{
	*r = (struct recorder){ .fd = memfd_create(BURST_FILE, MFD_CLOEXEC) };
	if (r->fd < 0)
		return err_sys(err, "memfd_create");
	if (set_size(r->fd, BURST_BYTES + (s->tracked_least ? BURST_TRACKED_BYTES : 0))) {
		err_sys(err, "memory for bursts, %llu bytes of addresses",
			(unsigned long long)BURST_BYTES);
		recorder_free(r);
		return -1;
	}
	r->memory = mmap(NULL, BURST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->memory == MAP_FAILED) {
		r->memory = NULL;
		err_sys(err, "mmap of memory for bursts");
		recorder_free(r);
		return -1;
	}
	r->head = (struct burst_header *)(void *)r->memory;
	r->head->magic = BURST_MAGIC;
	r->head->version = BURST_VERSION;
	r->head->period = s->period;
	r->head->words = s->words;
	r->head->heap_bytes = s->heap_bytes;
	r->head->flags = BURST_THROUGH_CALLS | (s->whole ? BURST_FOREVER | BURST_KEPT : 0);
	r->head->tracked.writes = s->writes;
	r->head->tracked.least = s->tracked_least;
	r->head->tracked.socket = s->tracked_least ? s->tracked_socket : -1;
	return 0;
}

void recorder_free(struct recorder *r)
{
	if (r->memory)
		munmap(r->memory, BURST_BYTES);
	if (r->fd >= 0)
		close(r->fd);
	*r = (struct recorder){ .fd = -1 };
}

void recorder_reads(const struct recorder *r)
{
	r->head->reader = (uint32_t)getpid();
}

void recorder_done(const struct recorder *r)
{
	r->head->heap_bytes = 0;
	atomic_store(&r->head->done, 1);
}

enum burst_state recorder_state(const struct recorder *r)
{
	return (enum burst_state)atomic_load_explicit(&r->head->state, memory_order_acquire);
}

uint32_t recorder_slots(const struct recorder *r)
{
	const uint32_t n = atomic_load_explicit(&r->head->slots, memory_order_acquire);

	return n < BURST_THREADS ? n : BURST_THREADS;
}

struct burst_thread *recorder_slot(const struct recorder *r, uint32_t n)
{
	return (struct burst_thread *)(void *)(r->memory + BURST_HEADER_BYTES + (uint64_t)n *
		BURST_SLOT_BYTES);
}

const struct burst_small *recorder_small(const struct recorder *r)
{
	return (const struct burst_small *)(const void *)(r->memory + BURST_SMALL_AT);
}

/* Code may be translated where it is in a file and cannot be written. */
static bool may_translate(const struct image *image)
{
	return image->executable && !image->writable && (image->file || image->kind == IMAGE_VDSO);
}

void recorder_code(struct recorder *r, const struct images *images)
{
	struct burst_header *h = r->head;
	uint32_t n = 0;
	bool same = true;

	for (uint32_t i = 0; i < images->n && n < BURST_RANGES; i++)
		if (may_translate(&images->list[i])) {
			same &= n < h->ranges && h->code[n].low == images->list[i].lo &&
				h->code[n].high == images->list[i].hi;
			n++;
		}
	if (same && n == h->ranges)
		return;
	atomic_fetch_add(&h->code_change, 1);
	n = 0;
	for (uint32_t i = 0; i < images->n && n < BURST_RANGES; i++)
		if (may_translate(&images->list[i]))
			h->code[n++] = (struct burst_range){ images->list[i].lo,
				images->list[i].hi };
	h->ranges = n;
	atomic_fetch_add(&h->code_change, 1);
}

/* --- bursts ----------------------------------------------------------------------------------- */

void recorder_ask(struct recorder *r)
{
	r->burst++;
	r->open = true;
	r->begun_at = 0;
	atomic_store_explicit(&r->head->wanted, r->burst, memory_order_release);
}

bool recorder_has_words(const struct recorder *r, const struct burst_thread *slot)
{
	return atomic_load_explicit(&slot->status, memory_order_acquire) >= BURST_END_FULL &&
		slot->burst == r->burst;
}

static bool any_recording(const struct recorder *r)
{
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		const struct burst_thread *t = recorder_slot(r, i);

		if (atomic_load_explicit(&t->life, memory_order_acquire) == BURST_LIVE &&
		    atomic_load_explicit(&t->status, memory_order_acquire) == BURST_RECORDING &&
		    !atomic_load_explicit(&t->in_call, memory_order_relaxed))    /* it may sleep there for long */
			return true;
	}
	return false;
}

/* Is there a thread that runs and has not begun the burst yet? */
static bool anyone_missing(const struct recorder *r, uint64_t now)
{
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		const struct burst_thread *t = recorder_slot(r, i);

		if (atomic_load_explicit(&t->life, memory_order_acquire) == BURST_LIVE &&
		    t->burst != r->burst && now - r->sampled_at[i] < ACTIVE_NS)
			return true;
	}
	return false;
}

bool recorder_burst_done(struct recorder *r, bool last)
{
	const uint64_t now = clock_ns();

	if (!r->open)
		return false;
	if (!r->begun_at && atomic_load_explicit(&r->head->begun, memory_order_acquire) == r->burst)
		r->begun_at = now;
	if (!last && (!r->begun_at || now - r->begun_at < (anyone_missing(r, now) ? JOIN_MOST_NS :
	    JOIN_NS)))
		return false;
	atomic_store(&r->head->closed, r->burst);
	return last || !any_recording(r) || now - r->begun_at > LONGEST_NS;
}

void recorder_burst_taken(struct recorder *r)
{
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		struct burst_thread *t = recorder_slot(r, i);

		if (atomic_load_explicit(&t->status, memory_order_acquire) >= BURST_END_FULL)
			atomic_store_explicit(&t->status, BURST_IDLE, memory_order_release);
	}
	r->open = false;
}

bool recorder_is_whole(const struct recorder *r)
{
	return r->head->flags & BURST_KEPT;
}

bool recorder_waits(const struct burst_thread *slot, bool last)
{
	const uint32_t status = atomic_load_explicit(&slot->status, memory_order_acquire);

	return status >= BURST_END_FULL || (last && status == BURST_RECORDING);
}

/* --- rings ------------------------------------------------------------------------------------ */

bool recorder_sample(struct recorder *r, uint32_t slot, struct burst_sample *out)
{
	struct burst_thread *t = recorder_slot(r, slot);
	const uint64_t tail = atomic_load_explicit(&t->sample_tail, memory_order_relaxed);

	const uint64_t head = atomic_load_explicit(&t->sample_head, memory_order_acquire);

	if (head - tail > BURST_SAMPLES) {      /* the program has written there */
		atomic_store_explicit(&t->sample_tail, head, memory_order_release);
		return false;
	}
	if (tail == head)
		return false;
	*out = t->samples[tail % BURST_SAMPLES];
	r->sampled_at[slot] = out->time;
	atomic_store_explicit(&t->sample_tail, tail + 1, memory_order_release);
	return true;
}

bool recorder_heap_event(const struct recorder *r, bool last, struct burst_heap_event *out)
{
	struct burst_header *h = r->head;
	uint64_t tail = atomic_load_explicit(&h->heap_tail, memory_order_relaxed);
	const uint64_t head = atomic_load_explicit(&h->heap_head, memory_order_acquire);

	if (head - tail > BURST_HEAP_EVENTS) {
		atomic_store_explicit(&h->heap_tail, head, memory_order_release);
		return false;
	}
	for (; tail != head; tail++) {
		struct burst_heap_event *e = &h->heap[tail % BURST_HEAP_EVENTS];
		const bool ready = atomic_load_explicit(&e->ready, memory_order_acquire) == tail +
			1;

		if (!ready && !last)
			return false;
		*out = *e;
		atomic_store_explicit(&h->heap_tail, tail + 1, memory_order_release);
		if (ready)
			return true;
	}
	return false;
}

void recorder_reclaim(const struct recorder *r)
{
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		struct burst_thread *t = recorder_slot(r, i);

		if (atomic_load_explicit(&t->life, memory_order_acquire) == BURST_ENDED &&
		    atomic_load(&t->status) == BURST_IDLE &&
		    atomic_load(&t->sample_tail) == atomic_load(&t->sample_head))
			atomic_store_explicit(&t->life, BURST_FREE_SLOT, memory_order_release);
	}
}

/* --- what it says of itself ------------------------------------------------------------------- */

/* Enumerators are in one order. */
_Static_assert((int)MON_BURSTS_SANDBOX == (int)BURST_SANDBOX &&
	(int)MON_BURSTS_VERSION == (int)BURST_NO_VERSION, "reasons");

static uint32_t refusal_of(const struct recorder *r)
{
	const uint32_t refusal = r->head->refusal;

	if (recorder_state(r) == BURST_NEW)
		return MON_BURSTS_NOT_LOADED;
	return recorder_state(r) == BURST_REFUSED && refusal <= BURST_SANDBOX ? refusal :
		MON_BURSTS_DONE;
}

void recorder_describe(const struct recorder *r, struct mon_bursts *out)
{
	*out = (struct mon_bursts){ .refusal = refusal_of(r), .detail = r->head->refusal_errno,
		.heap_lost = atomic_load(&r->head->heap_lost),
		.threads_lost = atomic_load(&r->head->threads_lost) };
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		const struct burst_thread *t = recorder_slot(r, i);

		out->bursts += atomic_load(&t->bursts);
		out->samples += atomic_load(&t->sample_head);
		out->samples_lost += atomic_load(&t->samples_lost);
		out->no_code += atomic_load(&t->refused_ip);
	}
}
