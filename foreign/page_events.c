/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's samples of page faults. */
#include "config.h"
#include "foreign/page_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RING_PAGES = 512, RING_LEAST = 8, RECORD_MOST = 256 };
/* Numbers of the registers in the kernel's masks. */
enum { RSI_BIT = 4, RDI_BIT = 5 };

/* --- opening ---------------------------------------------------------------------------------- */

/* Minor faults are reported behind their service, when the page has its physical address. */
static struct perf_event_attr attributes(bool physical)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN, .sample_period = 1, .exclude_kernel = 1,
		.exclude_hv = 1, .inherit = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_REGS_USER | (physical ?
		PERF_SAMPLE_PHYS_ADDR : 0), .sample_regs_user = 1 << RSI_BIT | 1 << RDI_BIT
	};
}

static int event_open(long pid, int cpu, bool physical)
{
	struct perf_event_attr a = attributes(physical);

	return (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The kernel limits what a user may lock in memory: a smaller ring is taken then. */
static int ring_map(struct page_ring *r)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	for (uint64_t pages = RING_PAGES; pages >= RING_LEAST; pages /= 2) {
		r->memory = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED,
			r->fd, 0);
		if (r->memory != MAP_FAILED) {
			r->bytes = pages * page;
			return 0;
		}
	}
	r->memory = NULL;
	return -1;
}

static int ring_open(struct page_ring *r, long pid, int cpu, bool physical)
{
	*r = (struct page_ring){ .fd = event_open(pid, cpu, physical) };
	if (r->fd < 0)
		return errno == ENODEV ? 0 : -1;        /* a processor that is off */
	return ring_map(r);
}

int page_events_open(struct page_events *e, long pid, struct err *err)
{
	const long n = sysconf(_SC_NPROCESSORS_CONF);
	int fd;

	*e = (struct page_events){ .ring = calloc(n > 0 ? (size_t)n : 1, sizeof *e->ring) };
	if (!e->ring)
		return err_nomem(err);
	fd = event_open(pid, -1, true);
	e->physical = fd >= 0;
	if (fd >= 0)
		close(fd);
	for (; e->nrings < (uint32_t)n; e->nrings++)
		if (ring_open(&e->ring[e->nrings], pid, (int)e->nrings, e->physical)) {
			err_sys(err, "samples of page faults (perf_event_open)");
			e->nrings++;
			page_events_close(e);
			return -1;
		}
	return 0;
}

void page_events_close(struct page_events *e)
{
	for (uint32_t i = 0; i < e->nrings; i++) {
		struct page_ring *r = &e->ring[i];

		if (r->memory)
			munmap(r->memory, r->bytes + (uint64_t)sysconf(_SC_PAGESIZE));
		if (r->fd >= 0)
			close(r->fd);
	}
	free(e->ring);
	*e = (struct page_events){ 0 };
}

/* --- reading ---------------------------------------------------------------------------------- */

struct sample_head {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, address;
	uint32_t cpu, reserved;
	uint64_t abi;
};

/* false: the record is too short. */
static bool parse_sample(const char *at, size_t bytes, bool physical, struct page_fault *out)
{
	struct sample_head h;
	uint64_t more[3] = { 0 };
	size_t n;

	if (bytes < sizeof h)
		return false;
	memcpy(&h, at, sizeof h);
	n = (h.abi ? 2 : 0) + (physical ? 1 : 0);
	if (bytes - sizeof h < n * sizeof *more)
		return false;
	memcpy(more, at + sizeof h, n * sizeof *more);
	*out = (struct page_fault){ .ip = h.ip, .time = h.time, .address = h.address, .pid = h.pid,
		.tid = h.tid, .cpu = h.cpu };
	if (h.abi) {
		out->rsi = more[0];
		out->rdi = more[1];
	}
	out->physical = physical ? more[n - 1] : 0;
	return true;
}

/* A record may begin at the ring's end and go on at its begin. */
static void copy_out(const struct page_ring *r, uint64_t at, char *to, size_t bytes)
{
	const char *from = (const char *)r->memory + sysconf(_SC_PAGESIZE);
	const size_t offset = (size_t)(at % r->bytes), first = r->bytes - offset < bytes ?
		r->bytes - offset : bytes;

	memcpy(to, from + offset, first);
	memcpy(to + first, from, bytes - first);
}

/* What takes faults, and up to when. */
struct taker {
	void (*fault)(void *with, const struct page_fault *f);
	void *with;
	uint64_t until;
};

/* false: it is a fault that comes later. */
static bool take_record(struct page_events *e, const char *record,
	const struct perf_event_header *h, const struct taker *to)
{
	const char *body = record + sizeof *h;
	const size_t bytes = h->size - sizeof *h;
	struct page_fault f;
	uint64_t lost;

	if (h->type == PERF_RECORD_SAMPLE) {
		if (!parse_sample(body, bytes, e->physical, &f))
			e->damaged++;
		else if (f.time >= to->until)
			return false;
		else
			to->fault(to->with, &f);
	} else if (h->type == PERF_RECORD_LOST && bytes >= 2 * sizeof lost) {
		memcpy(&lost, body + sizeof lost, sizeof lost);
		e->lost += lost;
	}
	return true;
}

static void take_ring(struct page_events *e, struct page_ring *r, const struct taker *to)
{
	struct perf_event_mmap_page *m = r->memory;
	const uint64_t head = r->mark;
	uint64_t tail = m->data_tail;

	while (tail < head) {
		struct perf_event_header h;
		char record[RECORD_MOST];

		copy_out(r, tail, (char *)&h, sizeof h);
		if (h.size < sizeof h || h.size > head - tail) {
			e->damaged++;
			tail = head;
			break;
		}
		if (h.size <= sizeof record) {
			copy_out(r, tail, record, h.size);
			if (!take_record(e, record, &h, to))
				break;
		} else {
			e->damaged++;
		}
		tail += h.size;
	}
	__atomic_store_n(&m->data_tail, tail, __ATOMIC_RELEASE);
}

void page_events_mark(struct page_events *e)
{
	for (uint32_t i = 0; i < e->nrings; i++) {
		const struct perf_event_mmap_page *m = e->ring[i].memory;

		if (m)
			e->ring[i].mark = __atomic_load_n(&m->data_head, __ATOMIC_ACQUIRE);
	}
}

void page_events_take(struct page_events *e, uint64_t until,
	void (*fault)(void *, const struct page_fault *), void *with)
{
	const struct taker to = { fault, with, until };

	for (uint32_t i = 0; i < e->nrings; i++)
		if (e->ring[i].memory)
			take_ring(e, &e->ring[i], &to);
}

/* --- cost ------------------------------------------------------------------------------------- */

enum { COST_PAGES = 64, COST_ROUNDS = 7, OTHER_BYTES = 8 << 20, LINE = 64 };

static uint64_t thread_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct cost_memory {
	size_t page;
	volatile char *armed, *other;   /* other: fills the caches, as the program's own data does
					 * between two faults */
};

static void fill_caches(const struct cost_memory *m)
{
	for (size_t i = 0; i < OTHER_BYTES; i += LINE)
		m->other[i]++;
}

static uint64_t round_of_faults(const struct cost_memory *m)
{
	uint64_t from;

	madvise((void *)(uintptr_t)m->armed, COST_PAGES * m->page, MADV_DONTNEED);
	fill_caches(m);
	from = thread_cpu();
	for (int i = 0; i < COST_PAGES; i++)
		m->armed[(size_t)i * m->page] = 1;
	return thread_cpu() - from;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x != *y ? (*x < *y ? -1 : 1) : 0;
}

static double median_of_rounds(const struct cost_memory *m)
{
	uint64_t ns[COST_ROUNDS];

	round_of_faults(m);             /* makes the pages */
	for (int k = 0; k < COST_ROUNDS; k++)
		ns[k] = round_of_faults(m);
	qsort(ns, COST_ROUNDS, sizeof *ns, by_size);
	return (double)ns[COST_ROUNDS / 2] / COST_PAGES;
}

static void ignore(void *with, const struct page_fault *f)
{
	(void)with;
	(void)f;
}

double page_events_cost(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = COST_PAGES * page + OTHER_BYTES;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct cost_memory m = { page, memory, memory + COST_PAGES * page };
	struct page_events events;
	struct err err;
	double ns = 0;

	if (memory == MAP_FAILED)
		return 0;
	if (page_events_open(&events, 0, &err) == 0) {
		ns = median_of_rounds(&m);
		page_events_mark(&events);
		page_events_take(&events, UINT64_MAX, ignore, NULL);
		page_events_close(&events);
	}
	munmap(memory, bytes);
	return ns;
}
