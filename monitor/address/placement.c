/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the kernel's page-fault events.
 *
 * A page is on the node of the thread whose fault on it came last: memory that was unmapped and
 * mapped again, or copied after fork(), faults again.  The kernel writes events into one ring per
 * CPU; they are merged by time into a radix tree from page to thread.  The event descriptors are
 * closed at once: the mapping keeps an event alive, and a program may close descriptors that it
 * does not know. */
#include "monitor/address/placement.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	CPUS = 1024, BITS = 12, FAN = 1 << BITS,
	HUGE_PAGES = 512, BLOCKS = FAN / HUGE_PAGES,    /* of 2 MiB */
	TIDS = 4096,
	CODES = 4096,           /* instructions that cause faults; those that find no room are not
				 * known */
	RING_MOST = 4 << 20, RINGS_MOST = 32 << 20, RING_LEAST = 1 << 14
};

/* Per page: kernel id of the thread, 0 unknown.  One fault may map 2 MiB; then it is the only fault
 * of its block. */
struct fault_leaf {
	_Atomic uint32_t tid[FAN];
	_Atomic uint16_t code[FAN];     /* 1 + index in placement.code; 0 unknown */
	struct { _Atomic uint32_t tid, faults; uint32_t page; } block[BLOCKS];
};
struct fault_node { struct fault_leaf *_Atomic leaf[FAN]; };

struct fault { uint64_t code, time, address; uint32_t pid, tid; };

/* A thread, by its kernel id, and 1 + its number.  When it has ended, another
 * thread may get the number. */
struct numbered { _Atomic uint32_t tid, index, ended; };

static struct {
	pthread_mutex_t lock;
	bool on, huge, kernel;  /* kernel: faults in system calls are reported, too */
	uint32_t pid, nrings;
	struct machine_flat machine;
	size_t ring_bytes;
	struct perf_event_mmap_page *ring[CPUS];
	struct fault_node *_Atomic root[FAN];
	struct numbered thread[TIDS];
	_Atomic uint64_t code[CODES];
	_Atomic uint64_t lost;
} placement = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- events --------------------------------------------------------------------------------- */

static int event_open(int cpu, bool kernel, bool threads_only)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof a,
		.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1, .inherit = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		PERF_SAMPLE_ADDR, .exclude_kernel = !kernel, .exclude_hv = 1, .watermark = 1,
		.wakeup_watermark = UINT32_MAX };

#ifdef PERF_ATTR_SIZE_VER7
	a.inherit_thread = threads_only;
#else
	if (threads_only)
		return -1;
#endif
	return (int)syscall(SYS_perf_event_open, &a, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void rings_unmap(void)
{
	for (uint32_t i = 0; i < placement.nrings; i++)
		munmap(placement.ring[i], placement.ring_bytes + 4096);
	placement.nrings = 0;
}

/* Maps a ring for each CPU.  false: events are not available, or not with rings of this size. */
static bool rings_map(size_t bytes, bool kernel, bool threads_only)
{
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);

	placement.ring_bytes = bytes;
	for (int cpu = 0; cpu < ncpus && cpu < CPUS; cpu++) {
		int fd = event_open(cpu, kernel, threads_only);
		void *p;

		if (fd < 0 && errno == ENODEV)  /* the CPU is offline */
			continue;
		p = fd < 0 ? MAP_FAILED : mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
		if (fd >= 0)
			close(fd);
		if (p == MAP_FAILED) {
			rings_unmap();
			return false;
		}
		placement.ring[placement.nrings++] = p;
	}
	return placement.nrings > 0;
}

/* Reads a choice such as "always [madvise] never". */
static bool huge_pages(void)
{
	char text[64] = "";
	int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && !strstr(text, "[never]");
}

int placement_start(const struct machine_flat *m)
{
	long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t bytes = RING_MOST;
	bool kernel = false;

	if (sysconf(_SC_PAGESIZE) != 4096)
		return -1;      /* pages are numbered in units of 4 KiB */
	while (bytes > RING_LEAST && bytes * (size_t)ncpus > RINGS_MOST)
		bytes /= 2;
	for (; bytes >= RING_LEAST; bytes /= 2)
		for (int i = 0; i < 4; i++) {
			kernel = i < 2;
			if (rings_map(bytes, kernel, i % 2 == 0))
				goto mapped;
		}
	return -1;
mapped:
	placement.pid = (uint32_t)getpid();
	placement.machine = *m;
	placement.huge = huge_pages();
	placement.kernel = kernel;
	placement.on = true;
	return 0;
}

void placement_stop(void)
{
	pscm_lock(&placement.lock);
	placement.on = false;
	rings_unmap();
	pscm_unlock(&placement.lock);
}

/* --- tree from page to thread --------------------------------------------------------------- */

static struct fault_leaf *leaf_at(uint64_t page, bool make)
{
	struct fault_node *_Atomic *np = &placement.root[page >> (2 * BITS) & (FAN - 1)];
	struct fault_node *n = atomic_load_explicit(np, memory_order_acquire);
	struct fault_leaf *l;

	if (!n && make) {
		n = pscm_map(sizeof *n);
		atomic_store_explicit(np, n, memory_order_release);
	}
	if (!n)
		return NULL;
	l = atomic_load_explicit(&n->leaf[page >> BITS & (FAN - 1)], memory_order_acquire);
	if (!l && make) {
		l = pscm_map(sizeof *l);
		atomic_store_explicit(&n->leaf[page >> BITS & (FAN - 1)], l, memory_order_release);
	}
	return l;
}

/* The number of an instruction, from 1; 0: there is no room.  Requires placement.lock. */
static uint16_t code_number(uint64_t code)
{
	for (uint32_t i = 0, at = (uint32_t)(code * 2654435761u >> 7); i < 16; i++, at++) {
		_Atomic uint64_t *known = &placement.code[at % CODES];
		const uint64_t here = atomic_load_explicit(known, memory_order_relaxed);

		if (!here)
			atomic_store_explicit(known, code, memory_order_relaxed);
		if (!here || here == code)
			return (uint16_t)(at % CODES + 1);
	}
	return 0;
}

static void fault_take(const struct fault *f)
{
	uint64_t page = f->address >> 12;
	uint32_t at = (uint32_t)page & (FAN - 1);
	struct fault_leaf *l;

	if (f->pid != placement.pid || f->address >> 48)
		return;
	l = leaf_at(page, true);
	if (!l) {
		atomic_fetch_add(&placement.lost, 1);
		return;
	}
	atomic_store_explicit(&l->tid[at], f->tid, memory_order_relaxed);
	atomic_store_explicit(&l->code[at], code_number(f->code), memory_order_relaxed);
	if (l->block[at / HUGE_PAGES].page != at || !l->block[at / HUGE_PAGES].faults)
		l->block[at / HUGE_PAGES].faults++;
	l->block[at / HUGE_PAGES].page = at;
	atomic_store_explicit(&l->block[at / HUGE_PAGES].tid, f->tid, memory_order_relaxed);
}

/* --- rings ---------------------------------------------------------------------------------- */

static void ring_copy(const struct perf_event_mmap_page *r, uint64_t at, void *out, size_t n)
{
	const char *data = (const char *)r + 4096;

	for (size_t i = 0; i < n; i++)
		((char *)out)[i] = data[(at + i) & (placement.ring_bytes - 1)];
}

/* Reads the next fault of a ring without consuming it.  false: there is none before `head`. */
static bool ring_peek(struct perf_event_mmap_page *r, uint64_t head, struct fault *out)
{
	while (r->data_tail < head) {
		struct perf_event_header h;

		ring_copy(r, r->data_tail, &h, sizeof h);
		if (h.size < sizeof h)
			r->data_tail = head;
		else if (h.type == PERF_RECORD_SAMPLE && h.size >= sizeof h + 32) {
			struct { uint64_t code; uint32_t pid, tid; uint64_t time, address; } s;

			ring_copy(r, r->data_tail + sizeof h, &s, sizeof s);
			*out = (struct fault){ s.code, s.time, s.address, s.pid, s.tid };
			return true;
		} else {
			uint64_t lost[2] = { 0, 0 };

			if (h.type == PERF_RECORD_LOST && h.size >= sizeof h + sizeof lost)
				ring_copy(r, r->data_tail + sizeof h, lost, sizeof lost);
			atomic_fetch_add(&placement.lost, lost[1]);
			r->data_tail += h.size;
		}
	}
	return false;
}

static void ring_next(struct perf_event_mmap_page *r)
{
	struct perf_event_header h;

	ring_copy(r, r->data_tail, &h, sizeof h);
	__atomic_store_n(&r->data_tail, r->data_tail + h.size, __ATOMIC_RELEASE);
}

static bool ring_empty(const struct perf_event_mmap_page *r)
{
	return __atomic_load_n(&r->data_head, __ATOMIC_ACQUIRE) == r->data_tail;
}

/* Requires placement.lock. */
static void rings_merge(void)
{
	static uint64_t head[CPUS];
	static struct fault next[CPUS];
	static bool has[CPUS];

	for (uint32_t i = 0; i < placement.nrings; i++) {
		head[i] = __atomic_load_n(&placement.ring[i]->data_head, __ATOMIC_ACQUIRE);
		has[i] = ring_peek(placement.ring[i], head[i], &next[i]);
	}
	for (;;) {
		uint32_t first = CPUS;

		for (uint32_t i = 0; i < placement.nrings; i++)
			if (has[i] && (first == CPUS || next[i].time < next[first].time))
				first = i;
		if (first == CPUS)
			return;
		fault_take(&next[first]);
		ring_next(placement.ring[first]);
		has[first] = ring_peek(placement.ring[first], head[first], &next[first]);
	}
}

void placement_drain(void)
{
	bool any = false;

	if (!placement.on || !placement.nrings)
		return;
	pscm_lock(&placement.lock);
	for (uint32_t i = 0; i < placement.nrings && !any; i++)
		any = !ring_empty(placement.ring[i]);
	if (any)
		rings_merge();
	pscm_unlock(&placement.lock);
}

void placement_end(void)
{
	pscm_lock(&placement.lock);
	if (placement.on) {
		rings_merge();
		rings_unmap();
	}
	pscm_unlock(&placement.lock);
}

/* --- queries -------------------------------------------------------------------------------- */

void placement_thread(uint32_t index)
{
	uint32_t tid = (uint32_t)syscall(SYS_gettid);

	for (uint32_t i = 0, at = tid; i < TIDS; i++, at++) {
		uint32_t none = 0;

		if (!atomic_compare_exchange_strong(&placement.thread[at % TIDS].tid, &none, tid) &&
		    none != tid)
			continue;
		atomic_store(&placement.thread[at % TIDS].index, index + 1);
		atomic_store(&placement.thread[at % TIDS].ended, 0);
		return;
	}
}

/* The entry of a thread; NULL: it has none. */
static struct numbered *entry_of(uint32_t tid)
{
	for (uint32_t i = 0, at = tid; i < TIDS; i++, at++) {
		struct numbered *e = &placement.thread[at % TIDS];
		uint32_t here = atomic_load(&e->tid);

		if (here == tid)
			return atomic_load(&e->index) ? e : NULL;
		if (!here)
			break;
	}
	return NULL;
}

void placement_thread_end(void)
{
	struct numbered *e = entry_of((uint32_t)syscall(SYS_gettid));

	if (e)
		atomic_store(&e->ended, 1);
}

static uint32_t node_of(uint32_t tid)
{
	const struct numbered *e = entry_of(tid);

	return e ? machine_node(&placement.machine, atomic_load(&e->index) - 1) : PLACEMENT_UNKNOWN;
}

static uint32_t tid_of(uint64_t page)
{
	struct fault_leaf *l = leaf_at(page, false);
	uint32_t at = (uint32_t)page & (FAN - 1), tid;

	if (!l)
		return 0;
	tid = atomic_load_explicit(&l->tid[at], memory_order_relaxed);
	if (!tid && placement.huge && l->block[at / HUGE_PAGES].faults == 1)
		tid = atomic_load_explicit(&l->block[at / HUGE_PAGES].tid, memory_order_relaxed);
	return tid;
}

uint32_t placement_node(uint64_t address)
{
	uint32_t tid;

	if (!placement.on || address >> 48)
		return PLACEMENT_UNKNOWN;
	tid = tid_of(address >> 12);
	if (!tid) {
		placement_drain();
		tid = tid_of(address >> 12);
	}
	return tid ? node_of(tid) : PLACEMENT_UNKNOWN;
}

/* Where faults in system calls are not reported, a single fault in a block of 2 MiB need not be of
 * a huge page: only what is known of the page itself counts. */
uint32_t placement_toucher(uint64_t address)
{
	const struct fault_leaf *l;
	const struct numbered *e;
	uint32_t tid;

	if (!placement.on || address >> 48)
		return PLACEMENT_UNKNOWN;
	l = leaf_at(address >> 12, false);
	tid = !l ? 0 : placement.kernel ? tid_of(address >> 12) :
		atomic_load_explicit(&l->tid[address >> 12 & (FAN - 1)], memory_order_relaxed);
	e = tid ? entry_of(tid) : NULL;
	return e && !atomic_load(&e->ended) ? atomic_load(&e->index) - 1 : PLACEMENT_UNKNOWN;
}

uint64_t placement_code(uint64_t address)
{
	const struct fault_leaf *l = placement.on && !(address >> 48) ? leaf_at(address >> 12,
		false) : NULL;
	const uint32_t at = (uint32_t)(address >> 12) & (FAN - 1);
	uint32_t number = l ? atomic_load_explicit(&l->code[at], memory_order_relaxed) : 0;

	if (l && !number && placement.huge && l->block[at / HUGE_PAGES].faults == 1)
		number = atomic_load_explicit(&l->code[l->block[at / HUGE_PAGES].page],
			memory_order_relaxed);
	return number ? atomic_load_explicit(&placement.code[number - 1], memory_order_relaxed) : 0;
}

uint64_t placement_lost(void)
{
	return atomic_load(&placement.lost);
}
