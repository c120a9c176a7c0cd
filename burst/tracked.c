/* SPDX-License-Identifier: BSD-3-Clause */
/* The allocator of tracked memory.
 *
 * All blocks lie in one shared mapping, which is made once and stays: so pages of it can be armed
 * at any time, whatever other threads do, and nothing has to be locked in a handler.  Blocks have
 * classes of sizes, four for each doubling, and the addresses of a released block serve the next
 * one of its class.  What is known of a block stands apart from it, so that an allocation
 * touches none of its pages.
 *
 * A block of malloc's goes as a whole.  One of mmap's may lose a part of its pages before. */
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

#include "burst/forked.h"
#include "burst/statics.h"
#include "burst/sys.h"

enum { UNIT = 64 << 10, CLASSES = 128, PAGE = 4096, HEAD = 16 };
/* Larger mappings are addresses that a program keeps for later. */
#define MAP_MOST (UINT64_C(64) << 30)
/* Released blocks that keep their pages, as the C library's allocator keeps
 * small parts of its heap. */
enum { KEPT_BLOCK = 32 << 20, KEPT_ALL = 64 << 20 };

enum unit_use { UNIT_FREE, UNIT_BLOCK, UNIT_MAPPING, UNIT_STATICS };

/* Of the unit in which a block begins. */
struct unit {
	uint32_t next;          /* the next free block of its class: number of the unit + 1; 0:
				 * none */
	uint32_t left;          /* UNIT_MAPPING: pages that have not been unmapped */
	uint8_t class;
	uint8_t use;            /* enum unit_use */
	bool dirty;             /* it has pages that may not be 0 */
};

static struct {
	uint64_t top;           /* up to here blocks have been made */
	struct unit *unit;
	uint32_t *start;        /* the units in which blocks begin, ascending */
	_Atomic uint32_t nstarts;
	uint32_t free[CLASSES]; /* number of the unit + 1; 0: none */
	uint32_t deferred;      /* blocks that were released while a child copied: likewise */
	uint64_t kept;          /* bytes of free blocks with pages */
	bool shared;            /* false: in a child of fork(), where the memory is the child's
				 * own */
	bool no_blocks;         /* malloc() is not the C library's: mappings alone */
	struct burst_header *header;
} tracked;
struct burst_area burst_area = { .least = UINT64_MAX };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
	return (uint32_t)((uint64_t)((const char *)block - burst_area.low) / UNIT);
}

static char *address_of(uint32_t unit)
{
	return burst_area.low + (uint64_t)unit * UNIT;
}

/* Gives pages back.  True: they read as 0 from now on, as they do not where the program has
 * locked some. */
static bool empty(char *at, uint64_t bytes)
{
	return SYS_3(SYS_madvise, at, bytes, tracked.shared ? MADV_REMOVE : MADV_DONTNEED) == 0;
}

/* A free block serves the next one of its class.  Under the lock. */
static void put_free(uint32_t number)
{
	struct unit *u = &tracked.unit[number];

	tracked.kept += u->dirty ? class_bytes(u->class) : 0;
	u->next = tracked.free[u->class];
	tracked.free[u->class] = number + 1;
}

static void empty_if_large(uint32_t number)
{
	struct unit *u = &tracked.unit[number];
	const uint64_t bytes = class_bytes(u->class);

	if (u->dirty && (bytes > KEPT_BLOCK || tracked.kept + bytes > KEPT_ALL))
		u->dirty = !empty(address_of(number), bytes);
}

/* No child copies any more.  Under the lock. */
static void put_deferred(void)
{
	while (tracked.deferred != 0 && !burst_forked_copying()) {
		const uint32_t number = tracked.deferred - 1;

		tracked.deferred = tracked.unit[number].next;
		empty_if_large(number);
		put_free(number);
	}
}

/* A new block: its unit + 1; 0: no room.  A child of fork() that sees it sees all of this: another
 * thread's writes come to it in their order.  Under the lock. */
static uint32_t make(uint32_t class)
{
	const uint32_t number = (uint32_t)(tracked.top / UNIT),
		n = atomic_load_explicit(&tracked.nstarts, memory_order_relaxed);

	if (class_bytes(class) > burst_area.bytes - tracked.top)
		return 0;
	tracked.unit[number].class = (uint8_t)class;
	tracked.start[n] = number;
	tracked.top += class_bytes(class);
	atomic_store_explicit(&tracked.header->tracked.top, tracked.top, memory_order_release);
	atomic_store_explicit(&tracked.nstarts, n + 1, memory_order_release);
	return number + 1;
}

/* Takes a free block, or makes one.  Returns its unit + 1; 0: no room. */
static uint32_t take(uint32_t class, enum unit_use use)
{
	uint32_t found;

	pthread_mutex_lock(&lock);
	put_deferred();
	found = tracked.free[class];
	if (found != 0) {
		struct unit *u = &tracked.unit[found - 1];

		tracked.free[class] = u->next;
		tracked.kept -= u->dirty ? class_bytes(class) : 0;
	} else {
		found = make(class);
	}
	if (found != 0)
		tracked.unit[found - 1].use = (uint8_t)use;
	pthread_mutex_unlock(&lock);
	return found;
}

/* A child of fork() allocates nothing of the memory: its lists do not matter. */
static void give_back(uint32_t number)
{
	struct unit *u = &tracked.unit[number];
	const bool wait = burst_forked_copying();

	if (!wait)
		empty_if_large(number);
	pthread_mutex_lock(&lock);
	u->use = UNIT_FREE;
	if (wait) {
		u->next = tracked.deferred;
		tracked.deferred = number + 1;
	} else {
		put_free(number);
	}
	pthread_mutex_unlock(&lock);
}

void *burst_tracked_allocate_large(size_t size, size_t alignment, bool zero)
{
	/* As the C library, which keeps the size in front of a block. */
	const size_t offset = alignment > HEAD ? 0 : HEAD;
	uint32_t class, found;
	char *at;

	if (burst_area.low == NULL || !tracked.shared || tracked.no_blocks || alignment > UNIT ||
	    size > burst_area.bytes - HEAD)
		return NULL;
	class = class_of(size + offset);
	found = class == CLASSES ? 0 : take(class, UNIT_BLOCK);
	if (found == 0)
		return NULL;
	at = address_of(found - 1) + offset;
	if (zero && tracked.unit[found - 1].dirty)
		memset(at, 0, size);
	tracked.unit[found - 1].dirty = true;
	return at;
}

bool burst_tracked_is_shared_at_all(void)
{
	return tracked.shared;
}

bool burst_tracked_is_shared(const void *at)
{
	return tracked.shared && (burst_tracked_has(at) || burst_statics_have(at));
}

size_t burst_tracked_size(const void *block)
{
	return class_bytes(tracked.unit[unit_of(block)].class) - (uint64_t)((const char *)block -
		burst_area.low) % UNIT;
}

static bool begins_block(const void *block)
{
	const uint64_t offset = (uint64_t)((const char *)block - burst_area.low) % UNIT;

	return (offset == 0 || offset == HEAD) &&
		tracked.unit[unit_of(block)].use == UNIT_BLOCK;
}

int burst_tracked_free(void *block)
{
	if (!begins_block(block))
		return -1;
	give_back(unit_of(block));
	return 0;
}

/* --- mappings --------------------------------------------------------------------------- */

void *burst_tracked_map(size_t size)
{
	const uint32_t class = size > MAP_MOST ? CLASSES : class_of(size);
	uint32_t found;
	struct unit *u;
	char *at;

	if (size < burst_area.least || burst_area.low == NULL || !tracked.shared ||
	    class == CLASSES)
		return NULL;
	found = take(class, UNIT_MAPPING);
	if (found == 0)
		return NULL;
	u = &tracked.unit[found - 1];
	at = address_of(found - 1);
	if (u->dirty && !empty(at, class_bytes(class)))
		memset(at, 0, class_bytes(class));
	u->left = (uint32_t)((size + PAGE - 1) / PAGE);
	u->dirty = true;
	return at;
}

/* The unit in which the block begins that the unit belongs to; -1: none does. */
static int64_t start_of(uint32_t unit)
{
	uint32_t lo = 0, hi = atomic_load_explicit(&tracked.nstarts, memory_order_acquire);

	while (lo < hi) {
		const uint32_t middle = lo + (hi - lo) / 2;

		if (tracked.start[middle] <= unit)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo == 0 ? -1 : (int64_t)tracked.start[lo - 1];
}

/* The program may have protected or locked pages; the next block has the addresses. */
static void release_mapping(uint32_t number)
{
	char *at = address_of(number);
	const uint64_t bytes = class_bytes(tracked.unit[number].class);

	SYS_3(SYS_munlock, at, bytes, 0);
	SYS_3(SYS_mprotect, at, bytes, PROT_READ | PROT_WRITE);
	give_back(number);
}

/* Pages of one mapping go.  Their contents go with the last one if a child copies them now. */
static void unmap_part(uint32_t number, char *at, uint64_t bytes)
{
	struct unit *u = &tracked.unit[number];
	const uint32_t pages = (uint32_t)(bytes / PAGE);
	bool last;

	pthread_mutex_lock(&lock);
	last = u->left <= pages;
	u->left -= last ? u->left : pages;
	pthread_mutex_unlock(&lock);
	if (last)
		release_mapping(number);
	else if (!burst_forked_copying())
		empty(at, bytes);
}

bool burst_tracked_unmap(void *from, size_t size)
{
	char *at = from, *end = at + (size + PAGE - 1) / PAGE * PAGE;

	if (!burst_tracked_has(at) || (uint64_t)(at - burst_area.low) % PAGE != 0)
		return false;
	while (at < end && burst_tracked_has(at)) {
		const int64_t number = start_of(unit_of(at));
		const char *block_end = number < 0 ? end : address_of((uint32_t)number) +
			class_bytes(tracked.unit[number].class);
		const uint64_t part = (uint64_t)((block_end < end ? block_end : end) - at);

		if (number >= 0 && tracked.unit[number].use == UNIT_MAPPING)
			unmap_part((uint32_t)number, at, part);
		at += part;
	}
	return true;
}

/* A mapping that shrinks loses its last pages, and one that grows may have room behind it. */
bool burst_tracked_resize(void *from, size_t old_size, size_t size)
{
	const uint32_t number = unit_of(from);
	struct unit *u = &tracked.unit[number];
	const uint64_t before = (old_size + PAGE - 1) / PAGE, after = (size + PAGE - 1) / PAGE;

	if (from != address_of(number) || u->use != UNIT_MAPPING || size == 0 ||
	    after * PAGE > class_bytes(u->class))
		return false;
	if (after < before) {
		unmap_part(number, (char *)from + after * PAGE, (before - after) * PAGE);
		return true;
	}
	pthread_mutex_lock(&lock);
	u->left += (uint32_t)(after - before);
	pthread_mutex_unlock(&lock);
	return true;
}

/* --- for a child of fork() -------------------------------------------------------------- */

void burst_tracked_each(char *at, void (*block)(void *with, char *at, uint64_t bytes), void *with)
{
	const uint32_t n = atomic_load_explicit(&tracked.nstarts, memory_order_acquire);

	if (at != burst_area.low) {
		block(with, at, burst_statics_bytes(at));
		return;
	}
	for (uint32_t k = 0; k < n; k++) {
		const struct unit *u = &tracked.unit[tracked.start[k]];

		if (u->use == UNIT_BLOCK || u->use == UNIT_MAPPING)
			block(with, address_of(tracked.start[k]), class_bytes(u->class));
	}
}

bool burst_tracked_leave(bool (*make_private)(char *at, uint64_t bytes))
{
	const bool made = make_private(burst_area.low, tracked.top) &&
		burst_statics_leave(make_private);

	pthread_mutex_init(&lock, NULL);
	tracked.shared = false;
	return made;
}

/* --- start ------------------------------------------------------------------------------ */

static int open_userfaultfd(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = BURST_UFFD_FEATURES };
	const int fd = (int)SYS_3(SYS_userfaultfd,
		1 /* user mode only */ | 02000000 /* O_CLOEXEC */, 0, 0);

	if (fd < 0 || SYS_3(SYS_ioctl, fd, UFFDIO_API, &api) == 0)
		return fd;
	SYS_3(SYS_close, fd, 0, 0);
	return -1;
}

/* Without this, the kernel maps up to 16 pages at a fault that reads. */
static int turn_fault_around_off(void)
{
	struct uffdio_register range = { .range = { (uint64_t)burst_area.low, burst_area.bytes },
		.mode = UFFDIO_REGISTER_MODE_WP };
	const int fd = open_userfaultfd();

	if (fd < 0 || (SYS_3(SYS_ioctl, fd, UFFDIO_REGISTER, &range) == 0 &&
	    burst_statics_register(fd) == 0))
		return fd;
	SYS_3(SYS_close, fd, 0, 0);
	return -1;
}

/* The reader keeps the descriptor open: the kernel forgets the registration with its last one. */
static void give(struct burst_header *h, int fd)
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
	if (SYS_3(SYS_sendmsg, h->tracked.socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
		h->tracked.exact = 1;
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

static void *private_array(uint64_t bytes)
{
	return (void *)map(0, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

uint64_t burst_tracked_offset(uint64_t bytes)
{
	const uint32_t class = class_of(bytes);
	const uint32_t found = class == CLASSES ? 0 : take(class, UNIT_STATICS);

	return found == 0 ? UINT64_MAX : (uint64_t)(found - 1) * UNIT;
}

void burst_tracked_start(int file, struct burst_header *h, bool blocks)
{
	const uint64_t bytes = BURST_TRACKED_BYTES;
	struct stat what;
	int uffd;

	if (h->tracked.writes) {
		uffd = open_userfaultfd();
		if (uffd >= 0)
			give(h, uffd);
		return;
	}
	if (h->tracked.least == 0 || limited() || fstat(file, &what) != 0 ||
	    (uint64_t)what.st_size < BURST_BYTES + bytes || burst_forked_start() != 0)
		return;
	tracked.unit = private_array(bytes / UNIT * sizeof *tracked.unit);
	tracked.start = private_array(bytes / UNIT * sizeof *tracked.start);
	burst_area.low = tracked.unit == NULL || tracked.start == NULL ? NULL
		: (char *)map_file(bytes, file);
	if (burst_area.low == NULL)
		return;
	/* The kernel would allocate every page that a core dump reads. */
	SYS_3(SYS_madvise, burst_area.low, bytes, MADV_DONTDUMP);
	tracked.header = h;
	burst_area.bytes = bytes;
	burst_area.least = h->tracked.least;
	tracked.no_blocks = !blocks;
	h->tracked.no_blocks = !blocks;
	tracked.shared = true;
	burst_statics_start(file, h);
	uffd = turn_fault_around_off();
	if (uffd >= 0)
		give(h, uffd);
	atomic_store_explicit(&h->tracked.low, (uint64_t)burst_area.low, memory_order_release);
}
