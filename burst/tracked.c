/* SPDX-License-Identifier: BSD-3-Clause */
/* The allocator of tracked memory.
 *
 * All blocks lie in one shared mapping, which is made once and stays: so pages of it can be armed
 * at any time, whatever other threads do, and nothing has to be locked in a handler.  Blocks have
 * classes of sizes, four for each doubling, and the addresses of a released block serve the next
 * one of its class.  What is known of a block stands apart from it, so that an allocation
 * touches none of its pages. */
#define _GNU_SOURCE
#include "burst/tracked.h"

#include <linux/userfaultfd.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <time.h>

#include "burst/sys.h"

enum { UNIT = 64 << 10, CLASSES = 128, PAGE = 4096, HEAD = 16 };
/* Released blocks that keep their pages, as the C library's allocator keeps
 * small parts of its heap. */
enum { KEPT_BLOCK = 32 << 20, KEPT_ALL = 64 << 20 };

/* Of the unit in which a block begins. */
struct unit {
	uint32_t next;          /* the next free block of its class: number of the unit + 1; 0:
				 * none */
	uint8_t class;
	bool used;
	bool dirty;             /* it has pages that may not be 0 */
};

static struct {
	char *low;              /* NULL: nothing is tracked */
	uint64_t bytes, top;    /* of the mapping; up to here blocks have been made */
	struct unit *unit;
	uint32_t free[CLASSES]; /* number of the unit + 1; 0: none */
	uint64_t kept;          /* bytes of free blocks with pages */
	bool shared;            /* false: in a child of fork(), where the memory is the child's
				 * own */
	uint64_t least;         /* the smallest tracked block */
	struct burst_header *header;
} tracked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* This thread holds the lock for a fork(): other handlers of it may allocate memory. */
static _Thread_local bool forking __attribute__((tls_model("initial-exec")));

static void lock_take(void)
{
	if (!forking)
		pthread_mutex_lock(&lock);
}

static void lock_leave(void)
{
	if (!forking)
		pthread_mutex_unlock(&lock);
}

/* --- classes of sizes ------------------------------------------------------------------- */

/* 1 2 3 4, 5 6 7 8, 10 12 14 16, 20 ... units. */
static uint64_t class_units(uint32_t class)
{
	return class < 4 ? class + 1 : (uint64_t)(5 + class % 4) << (class / 4 - 1);
}

/* CLASSES: it is too large. */
static uint32_t class_of(uint64_t bytes)
{
	const uint64_t units = (bytes + UNIT - 1) / UNIT;
	uint32_t class = 0;

	while (class < CLASSES && class_units(class) < units)
		class++;
	return class;
}

static uint64_t class_bytes(uint32_t class)
{
	return class_units(class) * UNIT;
}

/* --- blocks ----------------------------------------------------------------------------- */

static uint32_t unit_of(const void *block)
{
	return (uint32_t)((uint64_t)((const char *)block - tracked.low) / UNIT);
}

/* Takes a free block, or makes one.  Returns its unit + 1; 0: no room.  Under the lock. */
static uint32_t take(uint32_t class)
{
	uint32_t found = tracked.free[class];
	struct unit *u;

	if (found != 0) {
		u = &tracked.unit[found - 1];
		tracked.free[class] = u->next;
		tracked.kept -= u->dirty ? class_bytes(class) : 0;
	} else {
		if (class_bytes(class) > tracked.bytes - tracked.top)
			return 0;
		found = (uint32_t)(tracked.top / UNIT) + 1;
		tracked.top += class_bytes(class);
		u = &tracked.unit[found - 1];
		u->class = (uint8_t)class;
		atomic_store_explicit(&tracked.header->tracked.top, tracked.top,
			memory_order_release);
	}
	u->used = true;
	return found;
}

/* Gives the pages of a block back.  True: it reads as 0 from now on, as it does not where the
 * program has locked pages of it. */
static bool empty(char *at, uint64_t bytes)
{
	return SYS_3(SYS_madvise, at, bytes, tracked.shared ? MADV_REMOVE : MADV_DONTNEED) == 0;
}

void *burst_tracked_allocate(size_t size, size_t alignment, bool zero)
{
	/* As the C library, which keeps the size in front of a block. */
	const size_t offset = alignment > HEAD ? 0 : HEAD;
	uint32_t class, found;
	char *at;

	if (__builtin_expect(size < tracked.least, 1) || tracked.low == NULL || !tracked.shared ||
	    alignment > UNIT || size > tracked.bytes - HEAD)
		return NULL;
	class = class_of(size + offset);
	if (class == CLASSES)
		return NULL;
	lock_take();
	found = take(class);
	lock_leave();
	if (found == 0)
		return NULL;
	at = tracked.low + (uint64_t)(found - 1) * UNIT + offset;
	if (zero && tracked.unit[found - 1].dirty)
		memset(at, 0, size);
	tracked.unit[found - 1].dirty = true;
	return at;
}

bool burst_tracked_has(const void *block)
{
	return (uint64_t)((const char *)block - tracked.low) < tracked.bytes;
}

bool burst_tracked_is_shared(const void *at)
{
	return burst_tracked_has(at) && tracked.shared;
}

size_t burst_tracked_size(const void *block)
{
	return class_bytes(tracked.unit[unit_of(block)].class) - (uint64_t)((const char *)block -
		tracked.low) % UNIT;
}

static bool begins_block(const void *block)
{
	const uint64_t offset = (uint64_t)((const char *)block - tracked.low) % UNIT;

	return (offset == 0 || offset == HEAD) && tracked.unit[unit_of(block)].used;
}

int burst_tracked_free(void *block)
{
	const uint32_t number = unit_of(block);
	struct unit *u = &tracked.unit[number];
	const uint64_t bytes = class_bytes(u->class);

	if (!begins_block(block))
		return -1;
	if (bytes > KEPT_BLOCK || tracked.kept + bytes > KEPT_ALL)
		u->dirty = !empty(tracked.low + (uint64_t)number * UNIT, bytes);
	lock_take();
	u->used = false;
	tracked.kept += u->dirty ? bytes : 0;
	u->next = tracked.free[u->class];
	tracked.free[u->class] = number + 1;
	lock_leave();
	return 0;
}

/* --- arming ----------------------------------------------------------------------------- */

/* Copies the windows, as far as they are in the tracked memory: the program may have
 * overwritten the reader's. */
static int copy_windows(const struct burst_tracked *t, struct iovec *to)
{
	const uint32_t n = t->windows;
	int found = 0;

	for (uint32_t k = 0; k < n && k < BURST_WINDOWS; k++) {
		const struct burst_window w = t->window[k];

		if (w.bytes != 0 && w.offset <= tracked.bytes &&
		    w.bytes <= tracked.bytes - w.offset && (w.offset | w.bytes) % PAGE == 0)
			to[found++] = (struct iovec){ tracked.low + w.offset, w.bytes };
	}
	return found;
}

/* One call for all windows, so that other processors are interrupted once;
 * older kernels refuse that. */
static uint64_t drop(const struct iovec *window, int n)
{
	enum { SELF = -10000 };
	long done = sys_call(SYS_process_madvise, SELF, (long)window, n, MADV_DONTNEED, 0, 0);
	uint64_t failed = 0;

	for (int k = 0; k < n; k++) {
		if (done >= (long)window[k].iov_len) {
			done -= (long)window[k].iov_len;
			continue;
		}
		done = 0;
		failed += SYS_3(SYS_madvise, window[k].iov_base, window[k].iov_len,
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

void burst_tracked_arm(struct burst_header *h)
{
	struct burst_tracked *t = &h->tracked;
	uint64_t wanted = atomic_load_explicit(&t->arm_wanted, memory_order_acquire),
		begun = atomic_load(&t->arm_begun);
	struct iovec window[BURST_WINDOWS];
	uint64_t from;

	if (wanted == begun || tracked.low == NULL || !atomic_compare_exchange_strong(&t->arm_begun,
	    &begun, wanted))
		return;
	from = thread_cpu();
	atomic_fetch_add(&t->arm_failed, drop(window, copy_windows(t, window)));
	atomic_fetch_add(&t->arm_ns, thread_cpu() - from);
	atomic_store_explicit(&t->arm_done, wanted, memory_order_release);
}

/* --- fork ------------------------------------------------------------------------------- */

/* Shared memory is not copied by fork().  The child copies it, and the parent waits meanwhile.
 * `progress` grows as the child copies: a parent whose child has been
 * killed does not wait for ever. */
struct copy {
	_Atomic uint64_t progress;
	_Atomic bool done;
};
static struct copy *copy;       /* one page, which parents and children share */
enum { COPY_PART = 1 << 20, COPY_PATIENCE_MS = 2000 };

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	forking = true;
	atomic_store(&copy->progress, 0);
	atomic_store(&copy->done, !tracked.shared);
}

static void wait_for_child(void)
{
	const struct timespec tick = { 0, 100000 };
	uint64_t seen = 0, same = 0;

	while (!atomic_load(&copy->done) && same * (uint64_t)tick.tv_nsec < COPY_PATIENCE_MS *
	       UINT64_C(1000000)) {
		const uint64_t now = atomic_load(&copy->progress);

		same = now == seen ? same + 1 : 0;
		seen = now;
		SYS_3(SYS_nanosleep, &tick, NULL, 0);
	}
}

static void after_fork_in_parent(void)
{
	if (tracked.shared)
		wait_for_child();
	forking = false;
	pthread_mutex_unlock(&lock);
}

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

/* Copies the blocks in use: a child allocates no other ones. */
static void copy_blocks(char *to, const char *from, uint64_t bytes)
{
	const bool all = has_swap();

	for (uint64_t n = 0; n < bytes / UNIT; n += class_bytes(tracked.unit[n].class) / UNIT) {
		const uint64_t size = class_bytes(tracked.unit[n].class), at = n * UNIT;

		for (uint64_t k = 0; tracked.unit[n].used && k < size; k += COPY_PART) {
			copy_part(to + at + k, from + at + k,
				size - k < COPY_PART ? size - k : COPY_PART, all);
			atomic_fetch_add(&copy->progress, 1);
		}
	}
}

/* Puts private memory with the same contents in the place of [at, at +
 * bytes).  false: no memory. */
static bool make_private(char *at, uint64_t bytes)
{
	const long new = bytes == 0 ? 0 : sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == 0)
		return true;
	if (new < 0 && new > -4096)
		return false;
	copy_blocks((char *)new, at, bytes);
	return sys_call(SYS_mremap, new, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		(long)at, 0) == (long)at;
}

static void after_fork_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	forking = false;
	if (tracked.shared) {
		/* fork() itself fails where there is no memory for the child. */
		const bool made = make_private(tracked.low, tracked.top);

		tracked.shared = false;
		atomic_store(&copy->done, true);
		if (!made)
			SYS_3(SYS_exit_group, 127, 0, 0);
	}
}

/* --- start ------------------------------------------------------------------------------ */

/* Without this, the kernel maps up to 16 pages at a fault that reads. */
static int turn_fault_around_off(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = BURST_UFFD_FEATURES };
	struct uffdio_register range = { .range = { (uint64_t)tracked.low, tracked.bytes },
		.mode = UFFDIO_REGISTER_MODE_WP };
	const int fd = (int)SYS_3(SYS_userfaultfd,
		1 /* user mode only */ | 02000000 /* O_CLOEXEC */, 0, 0);

	if (fd < 0)
		return -1;
	if (SYS_3(SYS_ioctl, fd, UFFDIO_API, &api) == 0 && SYS_3(SYS_ioctl, fd, UFFDIO_REGISTER,
	    &range) == 0)
		return fd;
	SYS_3(SYS_close, fd, 0, 0);
	return -1;
}

/* The reader keeps the descriptor open: the kernel forgets the registration with its last one. */
static void give(int socket, int fd)
{
	char byte = 0, room[CMSG_SPACE(sizeof fd)] = "";
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
		.msg_controllen = sizeof room };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	if (SYS_3(SYS_sendmsg, socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
		tracked.header->tracked.exact = 1;
	SYS_3(SYS_close, fd, 0, 0);
}

static bool limited(void)
{
	struct rlimit r;

	return getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY;
}

static long map(long to, uint64_t bytes, int flags, int file)
{
	const long at = sys_call(SYS_mmap, to, (long)bytes, PROT_READ | PROT_WRITE,
		flags | MAP_NORESERVE, file, file < 0 ? 0 : (long)BURST_BYTES);

	return at < 0 && at > -4096 ? 0 : at;
}

/* Blocks have the alignment of a unit, so the memory has. */
static long map_file(uint64_t bytes, int file)
{
	const long room = sys_call(SYS_mmap, 0, (long)bytes + UNIT, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	const long at = (room + UNIT - 1) / UNIT * UNIT;

	if (room < 0 && room > -4096)
		return 0;
	if (at > room)
		SYS_3(SYS_munmap, room, at - room, 0);
	SYS_3(SYS_munmap, at + (long)bytes, room + UNIT - at, 0);
	return map(at, bytes, MAP_SHARED | MAP_FIXED, file);
}

void burst_tracked_start(int file, struct burst_header *h)
{
	const uint64_t bytes = BURST_TRACKED_BYTES;
	struct stat what;
	long at, units, page;
	int uffd;

	if (h->tracked.least == 0 || limited() || fstat(file, &what) != 0 ||
	    (uint64_t)what.st_size < BURST_BYTES + bytes)
		return;
	at = map_file(bytes, file);
	units = at == 0 ? 0 : map(0, bytes / UNIT * sizeof(struct unit),
		MAP_PRIVATE | MAP_ANONYMOUS, -1);
	page = units == 0 ? 0 : sys_call(SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (units == 0 || (page < 0 && page > -4096))
		return;
	copy = (struct copy *)page;
	if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0)
		return;
	/* The kernel would allocate every page that a core dump reads. */
	SYS_3(SYS_madvise, at, bytes, MADV_DONTDUMP);
	tracked.header = h;
	tracked.bytes = bytes;
	tracked.unit = (struct unit *)units;
	tracked.low = (char *)at;
	tracked.least = h->tracked.least;
	tracked.shared = true;
	uffd = turn_fault_around_off();
	if (uffd >= 0)
		give(h->tracked.socket, uffd);
	atomic_store_explicit(&h->tracked.low, (uint64_t)at, memory_order_release);
}
