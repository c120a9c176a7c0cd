/* SPDX-License-Identifier: BSD-3-Clause */
/* The library comes into the program: it maps what the reader has made, removes its traces from the
 * environment, and gives the first thread its slot.  Without the variable, or if anything is
 * refused, it does nothing for good. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <link.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <asm/prctl.h>

#include "burst/decode.h"
#include "burst/memory.h"
#include "burst/signal_calls.h"
#include "burst/block_sites.h"
#include "burst/sys.h"
#include "burst/thread_slots.h"
#include "burst/thunk.h"
#include "burst/tracked.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
extern void *__libc_stack_end;

/* --- the environment -------------------------------------------------------------------- */

/* The descriptors of the memory, and of this library where the program inherits that, too: -1 each,
 * where there is none. */
struct inherited {
	int memory, library;
};

static struct inherited descriptors(void)
{
	const char *value = getenv(BURST_ENV);
	struct inherited i = { -1, -1 };
	char *end;

	if (value == NULL)
		return i;
	if (*value != '\0')
		i.memory = (int)strtol(value, &end, 10);
	if (i.memory >= 0 && *end == ':')
		i.library = atoi(end + 1);
	unsetenv(BURST_ENV);
	return i;
}

static bool ends_with(const char *at, size_t length, const char *name)
{
	size_t n = strlen(name);

	return length >= n && memcmp(at + length - n, name, n) == 0;
}

/* A library whose path no list can have is there by its descriptor. */
static bool is_own_name(const char *at, size_t length, int descriptor)
{
	static const char by[] = BURST_BY_DESCRIPTOR;
	size_t n = sizeof by - 1;

	return ends_with(at, length, "libpscburst.so") ||
		(length > n && memcmp(at, by, n) == 0 && atoi(at + n) == descriptor);
}

/* Removes this library from LD_PRELOAD: a program that this one starts is not recorded.  What else
 * is there stays. */
static void leave_preload(int descriptor)
{
	char *list = getenv("LD_PRELOAD"), *to = list;

	if (list == NULL)
		return;
	for (char *at = list; *at != '\0';) {
		size_t length = strcspn(at, ": ");
		size_t whole = length + (at[length] != '\0');

		if (!is_own_name(at, length, descriptor)) {
			memmove(to, at, whole);
			to += whole;
		}
		at += whole;
	}
	*to = '\0';
	if (to > list && (to[-1] == ':' || to[-1] == ' '))
		to[-1] = '\0';
	if (*list == '\0')
		unsetenv("LD_PRELOAD");
}

/* --- what is refused -------------------------------------------------------------------- */

/* glibc or the kernel checks return addresses against a stack of their own. */
static bool has_shadow_stack(void)
{
	enum { SHADOW_STACK_STATUS = 0x5005 };
	uint64_t on = 0;

	return SYS_3(SYS_arch_prctl, SHADOW_STACK_STATUS, &on, 0) == 0 && on & 1;
}

static bool uses_gs(void)
{
	uint64_t gs = 0;

	return SYS_3(SYS_arch_prctl, ARCH_GET_GS, &gs, 0) != 0 || gs != 0;
}

/* Whether the thunk can save all vector registers. */
static bool has_xsave(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0)
		return false;
	return __get_cpuid_count(13, 0, &a, &b, &c, &d) && b <= THUNK_VECTORS - 1024;
}

/* A program of Go has a note with this name. */
static bool is_go_note(const ElfW(Phdr) *p, ElfW(Addr) base)
{
	const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(base + p->p_vaddr);

	return p->p_type == PT_NOTE && p->p_memsz >= sizeof *note + 4 && note->n_namesz == 4 &&
		memcmp(note + 1, "Go\0", 4) == 0;
}

static int find_runtime(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	for (int k = 0; k < info->dlpi_phnum; k++)
		if (is_go_note(&info->dlpi_phdr[k], info->dlpi_addr))
			*(bool *)found = true;
	return 0;
}

static enum burst_refusal refusal(void)
{
	bool runtime = false;

	if (has_shadow_stack())
		return BURST_SHADOW_STACK;
	if (uses_gs())
		return BURST_GS_USED;
	if (!has_xsave())
		return BURST_NO_XSAVE;
	dl_iterate_phdr(find_runtime, &runtime);
	return runtime ? BURST_JIT_RUNTIME : BURST_NO_REFUSAL;
}

/* --- code that is there from the start --------------------------------------------------- */

/* Keeps the ranges ascending.  The reader, which waits for the recorder to be ready, may replace
 * them at any time after that. */
static void add_range(struct burst_header *h, uint64_t low, uint64_t high)
{
	uint32_t at = h->ranges;

	if (at == BURST_RANGES)
		return;
	for (; at > 0 && h->code[at - 1].low > low; at--)
		h->code[at] = h->code[at - 1];
	h->code[at] = (struct burst_range){ low, high };
	h->ranges++;
}

static int add_code(struct dl_phdr_info *info, size_t size, void *header)
{
	enum { PAGE = 4096 };

	(void)size;
	for (int k = 0; k < info->dlpi_phnum; k++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[k];
		uint64_t low = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && (p->p_flags & (PF_X | PF_W)) == PF_X)
			add_range(header, low & ~(uint64_t)(PAGE - 1),
				(low + p->p_memsz + PAGE - 1) & ~(uint64_t)(PAGE - 1));
	}
	return 0;
}

/* The program's first blocks of memory and its first samples have callers, too. */
static void know_code(struct burst_header *h)
{
	atomic_fetch_add(&h->code_change, 1);
	h->ranges = 0;
	dl_iterate_phdr(add_code, h);
	atomic_fetch_add(&h->code_change, 1);
}

/* --- memory ----------------------------------------------------------------------------- */

/* NULL: it cannot be mapped, *error is the kernel's. */
static void *map_shared(int file, uint64_t bytes, int protection, long *error)
{
	long at = sys_call(
		SYS_mmap, 0, (long)bytes, protection, MAP_SHARED | MAP_NORESERVE, file, 0);

	if (at < 0 && at > -4096) {
		*error = at;
		return NULL;
	}
	SYS_3(SYS_madvise, at, bytes, MADV_DONTFORK);
	SYS_3(SYS_madvise, at, bytes, MADV_DONTDUMP);
	return (void *)at;
}

static uint64_t bytes_of(uint32_t slots)
{
	return BURST_HEADER_BYTES + (uint64_t)slots * BURST_SLOT_BYTES;
}

/* The addresses that both views may have: where the user limits those of the process (ulimit -v), a
 * part of what the limit leaves, since the program needs the rest. */
static uint64_t allowed_bytes(void)
{
	enum { PART = 4, PAGE = 4096 };
	uint64_t pages = 0, has;
	struct rlimit limit;
	char text[64] = "";
	int file;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	file = (int)SYS_4(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return 0;
	SYS_3(SYS_read, file, text, sizeof text - 1);
	SYS_3(SYS_close, file, 0, 0);
	for (const char *at = text; *at >= '0' && *at <= '9'; at++)
		pages = 10 * pages + (uint64_t)(*at - '0');
	has = pages * PAGE;
	return pages == 0 || has >= limit.rlim_cur ? 0 : (limit.rlim_cur - has) / PART;
}

struct views {
	char *memory, *code;
	uint32_t slots;                 /* 0: it cannot be mapped */
	enum burst_refusal why;
	int error;
};

static int map_both(int file, uint32_t slots, struct views *v)
{
	long error = 0;

	v->memory = map_shared(file, bytes_of(slots), PROT_READ | PROT_WRITE, &error);
	v->why = v->memory == NULL ? BURST_NO_MAP : BURST_NO_EXECUTION;
	v->code = v->memory == NULL
		? NULL
		: map_shared(file, bytes_of(slots), PROT_READ | PROT_EXEC, &error);
	v->slots = v->code == NULL ? 0 : slots;
	if (v->code == NULL && v->memory != NULL)
		SYS_3(SYS_munmap, v->memory, bytes_of(slots), 0);
	if (error == -ENOMEM)
		v->why = BURST_NO_MAP;
	v->error = (int)-error;
	return v->code == NULL ? -1 : 0;
}

/* Both views, with as many slots as the process may have addresses for. */
static void map_views(int file, struct views *v)
{
	uint64_t allowed = allowed_bytes();

	*v = (struct views){ .why = BURST_NO_MAP, .error = ENOMEM };
	for (uint32_t slots = BURST_THREADS; slots > 0; slots /= 4)
		if (2 * bytes_of(slots) <= allowed && map_both(file, slots, v) == 0)
			return;
}

static struct burst_live *live_page(void)
{
	enum { PAGE = 4096 };
	long at = sys_call(
		SYS_mmap, 0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at < 0 && at > -4096)
		return NULL;
	if (SYS_3(SYS_madvise, at, PAGE, MADV_WIPEONFORK) != 0) {
		SYS_3(SYS_munmap, at, PAGE, 0);
		return NULL;
	}
	return (struct burst_live *)at;
}

static bool is_ours(const struct burst_header *h)
{
	return h->magic == BURST_MAGIC && h->version == BURST_VERSION;
}

/* --- start ------------------------------------------------------------------------------ */

static void refuse(struct burst_header *h, enum burst_refusal why)
{
	h->refusal = why;
	atomic_store_explicit(&h->state, BURST_REFUSED, memory_order_release);
}

/* Tests: all of the program is to be translated.  The reader's table of the code, if it is another
 * one, comes first: a change of it ends a burst. */
static void begin_at_once(struct burst_header *h)
{
	const struct timespec ms = { 0, 1000000 };

	for (int k = 0; k < 200 && atomic_load(&h->code_change) < 4; k++)
		nanosleep(&ms, NULL);
	SYS_3(SYS_tgkill, getpid(), burst_mine == NULL ? 0 : burst_mine->thread->tid, BURST_SIGNAL);
}

static void begin(struct burst_header *h, char *memory, char *code, uint32_t slots)
{
	struct burst_live *live = live_page();

	if (live == NULL) {
		refuse(h, BURST_NO_MAP);
		return;
	}
	h->pid = (uint32_t)getpid();
	h->most_slots = slots;
	h->own_low = (uint64_t)__ehdr_start;
	h->own_high = (uint64_t)_end;
	know_code(h);
	burst_decoder_start();
	burst_threads_start(memory, code);
	live->header = h;
	burst_live = live;
	if (burst_signals_start() != 0) {
		live->header = NULL;
		refuse(h, BURST_NO_TIMER);
		return;
	}
	burst_thread_begin((uint64_t)__libc_stack_end);
	atomic_store_explicit(&h->state, BURST_READY, memory_order_release);
	if (h->flags & BURST_FOREVER)
		begin_at_once(h);
}

/* The program inherits one end of the reader's socket, and does not know it. */
static void close_socket(const struct burst_header *h)
{
	if (h->tracked.least != 0 && h->tracked.socket > 2)
		SYS_3(SYS_close, h->tracked.socket, 0, 0);
}

static void begin_with(int file, char *memory, char *code, uint32_t slots)
{
	struct burst_header *h = (struct burst_header *)(void *)memory;

	begin(h, memory, code, slots);
	if (h->heap_bytes != 0 && burst_header() != NULL)
		burst_small_start(file);
	if (h->tracked.least == 0)
		return;
	if (burst_header() != NULL)
		burst_tracked_start(file, h, burst_memory_is_standard());
	close_socket(h);
}

/* The head alone, to say why nothing is recorded. */
static void refuse_by_head(int file, enum burst_refusal why, int error)
{
	long ignored;
	struct burst_header *h = map_shared(file, BURST_HEADER_BYTES, PROT_READ | PROT_WRITE,
		&ignored);

	if (h == NULL)
		return;
	if (h->magic == BURST_MAGIC) {
		h->refusal_errno = (uint32_t)error;
		refuse(h, why);
		close_socket(h);
	}
	SYS_3(SYS_munmap, h, BURST_HEADER_BYTES, 0);
}

static void use_views(int file, const struct views *v)
{
	struct burst_header *h = (struct burst_header *)(void *)v->memory;

	if (is_ours(h)) {
		begin_with(file, v->memory, v->code, v->slots);
		return;
	}
	SYS_3(SYS_munmap, v->memory, bytes_of(v->slots), 0);
	SYS_3(SYS_munmap, v->code, bytes_of(v->slots), 0);
	refuse_by_head(file, BURST_NO_VERSION, 0);
}

static void use(int file)
{
	enum burst_refusal why = refusal();
	struct views v = { .why = why };

	if (why == BURST_NO_REFUSAL)
		map_views(file, &v);
	if (v.slots == 0)
		refuse_by_head(file, v.why, v.error);
	else
		use_views(file, &v);
}

__attribute__((constructor)) static void start(void)
{
	const struct inherited i = descriptors();
	struct stat what;

	leave_preload(i.library);
	if (i.library >= 0)
		close(i.library);
	if (i.memory < 0 || fstat(i.memory, &what) != 0)
		return;
	if ((uint64_t)what.st_size >= BURST_BYTES)
		use(i.memory);
	close(i.memory);
}

__attribute__((destructor)) static void end(void)
{
	struct burst_header *h = burst_header();

	if (h != NULL)
		atomic_store_explicit(&h->state, BURST_GONE, memory_order_release);
}
