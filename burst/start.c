/* SPDX-License-Identifier: BSD-3-Clause */
/* The library comes into the program: it maps what the reader has made, removes its traces from the
 * environment, and gives the first thread its slot.  Without the variable, or if anything is
 * refused, it does nothing for good. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <asm/prctl.h>

#include "burst/decode.h"
#include "burst/memory.h"
#include "burst/signals.h"
#include "burst/sys.h"
#include "burst/threads.h"
#include "burst/thunk.h"
#include "burst/tracked.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
extern void *__libc_stack_end;

/* --- the environment -------------------------------------------------------------------- */

static int descriptor(void)
{
	const char *value = getenv(BURST_ENV);
	int number = value != NULL && *value != '\0' ? atoi(value) : -1;

	if (value != NULL)
		unsetenv(BURST_ENV);
	return number;
}

static bool is_own_name(const char *at, size_t length)
{
	static const char name[] = "libpscburst.so";
	size_t n = sizeof name - 1;

	return length >= n && memcmp(at + length - n, name, n) == 0;
}

/* Removes this library from LD_PRELOAD: a program that this one starts is not recorded.  What else
 * is there stays. */
static void leave_preload(void)
{
	char *list = getenv("LD_PRELOAD"), *to = list;

	if (list == NULL)
		return;
	for (char *at = list; *at != '\0';) {
		size_t length = strcspn(at, ": ");
		size_t whole = length + (at[length] != '\0');

		if (!is_own_name(at, length)) {
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

/* --- memory ----------------------------------------------------------------------------- */

static void *map_shared(int file, uint64_t bytes, int protection)
{
	long at = sys_call(
		SYS_mmap, 0, (long)bytes, protection, MAP_SHARED | MAP_NORESERVE, file, 0);

	if (at < 0 && at > -4096)
		return NULL;
	SYS_3(SYS_madvise, at, bytes, MADV_DONTFORK);
	SYS_3(SYS_madvise, at, bytes, MADV_DONTDUMP);
	return (void *)at;
}

static uint64_t bytes_of(uint32_t slots)
{
	return BURST_HEADER_BYTES + (uint64_t)slots * BURST_SLOT_BYTES;
}

/* Both views, with as many slots as the process may have addresses for. */
static uint32_t map_views(int file, char **memory, char **code)
{
	for (uint32_t slots = BURST_THREADS; slots > 0; slots /= 4) {
		*memory = map_shared(file, bytes_of(slots), PROT_READ | PROT_WRITE);
		*code = *memory == NULL ? NULL : map_shared(file, bytes_of(slots), PROT_READ | PROT_EXEC);
		if (*code != NULL)
			return slots;
		if (*memory != NULL)
			SYS_3(SYS_munmap, *memory, bytes_of(slots), 0);
	}
	return 0;
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

/* Tests: all of the program is to be translated.  The reader tells first what its code is. */
static void begin_at_once(struct burst_header *h)
{
	const struct timespec ms = { 0, 1000000 };

	for (int k = 0; k < 2000 && atomic_load(&h->code_change) < 2; k++)
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
	if (h->tracked.least == 0)
		return;
	if (burst_header() != NULL && burst_memory_is_standard())
		burst_tracked_start(file, h);
	close_socket(h);
}

/* The head alone, to say why the rest could not be mapped. */
static void refuse_by_head(int file, enum burst_refusal why)
{
	struct burst_header *h = map_shared(file, BURST_HEADER_BYTES, PROT_READ | PROT_WRITE);

	if (h == NULL)
		return;
	if (is_ours(h)) {
		refuse(h, why);
		close_socket(h);
	}
	SYS_3(SYS_munmap, h, BURST_HEADER_BYTES, 0);
}

static void use(int file)
{
	enum burst_refusal why = refusal();
	char *memory = NULL, *code = NULL;
	uint32_t slots = why == BURST_NO_REFUSAL ? map_views(file, &memory, &code) : 0;

	if (slots == 0)
		refuse_by_head(file, why != BURST_NO_REFUSAL ? why : BURST_NO_MAP);
	else if (is_ours((struct burst_header *)(void *)memory))
		begin_with(file, memory, code, slots);
}

__attribute__((constructor)) static void start(void)
{
	int file = descriptor();
	struct stat what;

	leave_preload();
	if (file < 0 || fstat(file, &what) != 0)
		return;
	if ((uint64_t)what.st_size >= BURST_BYTES)
		use(file);
	close(file);
}

__attribute__((destructor)) static void end(void)
{
	struct burst_header *h = burst_header();

	if (h != NULL)
		atomic_store_explicit(&h->state, BURST_GONE, memory_order_release);
}
