/* SPDX-License-Identifier: BSD-3-Clause */
/* Confines a copy of the process, gives it pages, and takes its times (process_copies.h). */
#include "config.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/collect/process_copies.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#define ARCHITECTURE 0
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS SECCOMP_RET_KILL
#endif

enum {
	SIGNALS_BYTES = 8,              /* of the kernel's signal set */
	ALIAS_BYTES = 16 << 10,         /* of page frames: at most half of the nearest cache */
	ALIAS_FILES = 64,               /* that many times as many, where the host needs it */
	ALIAS_PASSES = 3,
	ALIAS_NS = 500,                 /* a page is read in less, whatever its translation takes */
	CHUNK = 1 << 20
};

bool pscm_verify_copy;
static struct verify_page *page;
static struct pscm_thread *thread;
static uint64_t start, room;
static uint32_t runs_wanted;
static bool recorded;                   /* its accesses are compared, not its time */

static __attribute__((noreturn)) void copy_exit(void)
{
	for (;;)
		syscall(SYS_exit_group, 0);
}

static __attribute__((noreturn)) void refuse(enum mon_refusal why, uint32_t detail)
{
	page->detail = detail;
	atomic_store(&page->refusal, why);
	copy_exit();
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- limits --------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	syscall(SYS_write, fd, text, strlen(text));
	close((int)fd);
}

static void limit(int resource, rlim_t most)
{
	struct rlimit r;

	if (getrlimit(resource, &r))
		return;
	if (most > r.rlim_max)
		most = r.rlim_max;
	r.rlim_cur = r.rlim_max = most;
	setrlimit(resource, &r);
}

/* The kernel ends the copy with the thread that made it, if memory is short, or if it does not end
 * by itself. */
static void limits(const struct verify_job *j)
{
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	write_file("/proc/self/oom_score_adj", "1000");
	limit(RLIMIT_CPU, j->seconds);
	limit(RLIMIT_CORE, 0);
}

/* As the kernel has it; its signal set has SIGNALS_BYTES. */
struct action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
#ifndef __riscv
	void (*restorer)(int, siginfo_t *, void *);
#endif
	uint64_t mask;
};
enum { WITH_RESTORER = 0x04000000 };    /* RISC-V: ignored */

/* The filter stopped a system call. */
static void stopped(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	refuse(MON_VERIFY_CALL, (uint32_t)info->si_syscall);
}

/* All signals are blocked except the filter's.  A fault that is blocked ends the process without a
 * handler. */
static void signals(void)
{
	struct action a = { .handler = stopped, .flags = SA_SIGINFO | WITH_RESTORER,
		.mask = ~UINT64_C(0) };
	uint64_t blocked = ~(UINT64_C(1) << (SIGSYS - 1));

#ifndef __riscv
	a.restorer = stopped;           /* which does not return */
#endif
	if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, SIGNALS_BYTES) ||
	    syscall(SYS_rt_sigaction, SIGSYS, &a, NULL, SIGNALS_BYTES))
		refuse(MON_VERIFY_NO_FILTER, (uint32_t)errno);
}

/* clock_gettime changes nothing; the copy's own times need it. */
static void confine(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof code[0], code };

	if (syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) ||
	    syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		refuse(MON_VERIFY_NO_FILTER, (uint32_t)errno);
}

/* --- memory --------------------------------------------------------------------------------- */

struct area {
	uint64_t lo, hi;
	bool writable, code, shared;
	const char *path;               /* up to the end of the line */
};

static uint64_t hexadecimal(const char **at)
{
	uint64_t v = 0;

	for (;; ++*at) {
		char c = **at;

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			return v;
	}
}

/* Parses a line "lo-hi perms offset device inode path" and moves to the next; false: the end. */
static bool area_next(const char **at, struct area *a)
{
	const char *c = *at;

	if (!*c)
		return false;
	a->lo = hexadecimal(&c);
	c++;
	a->hi = hexadecimal(&c);
	c++;
	a->writable = c[1] == 'w';
	a->code = c[2] == 'x';
	a->shared = c[3] == 's';
	for (int fields = 0; fields < 4; fields++) {
		while (*c != ' ' && *c != '\n')
			c++;
		while (*c == ' ')
			c++;
	}
	a->path = c;
	while (*c != '\n')
		c++;
	*at = c + 1;
	return true;
}

static void maps_read(const struct verify_job *j)
{
	long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC), n;
	size_t used = 0;

	while ((n = syscall(SYS_read, fd, j->maps + used, j->maps_bytes - 1 - used)) > 0)
		used += (size_t)n;
	if (n < 0 || used + 1 >= j->maps_bytes || !used)
		refuse(MON_VERIFY_MAPPINGS, (uint32_t)errno);
	j->maps[used] = '\0';
	close((int)fd);
}

/* Takes bytes from what the copy may add. */
static void spend(uint64_t bytes)
{
	if (bytes > room)
		refuse(MON_VERIFY_NO_MEMORY, (uint32_t)(bytes >> 20));
	room -= bytes;
}

static bool begins(const char *text, const char *with)
{
	while (*with && *text == *with)
		text++, with++;
	return !*with;
}

static bool is_device(const struct area *a)
{
	return begins(a->path, "/dev/") && !begins(a->path, "/dev/zero") &&
		!begins(a->path, "/dev/shm/");
}

/* Copies through /proc/self/mem: a page behind the end of its file is left zero there, and would
 * fault in a plain copy. */
static void copy_pages(int memory, char *to, uint64_t from, uint64_t bytes, uint64_t page_bytes)
{
	uint64_t done = 0;

	while (done < bytes) {
		uint64_t left = bytes - done;
		long n = syscall(SYS_pread64, memory, to + done, left < CHUNK ? left : CHUNK,
			(off_t)(from + done));

		done += n > 0 ? (uint64_t)n : page_bytes - done % page_bytes;
	}
}

/* Puts a private copy in place of shared memory. */
static void make_private(const struct area *a, int memory, uint64_t page_bytes)
{
	size_t bytes = a->hi - a->lo;
	void *copy, *to = (void *)(uintptr_t)a->lo;

	if (is_device(a))
		refuse(MON_VERIFY_DEVICE, 0);
	spend(bytes);
	copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy == MAP_FAILED)
		refuse(MON_VERIFY_NO_MEMORY, (uint32_t)(bytes >> 20));
	copy_pages(memory, copy, a->lo, bytes, page_bytes);
	if (syscall(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != (long)to)
		refuse(MON_VERIFY_NO_MEMORY, (uint32_t)(bytes >> 20));
	if (a->code)
		mprotect(to, bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
}

/* Replaces the memory shared with the agent: keeps only what tells which regions are the phase. */
static void forget_agent(void)
{
	void *own = mmap(NULL, sizeof *pscm_shm, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (own == MAP_FAILED)
		refuse(MON_VERIFY_NO_MEMORY, 0);
	memcpy(own, pscm_shm, offsetof(struct mon_shm, machine));
	if (syscall(SYS_mremap, own, sizeof *pscm_shm, sizeof *pscm_shm,
	    MREMAP_MAYMOVE | MREMAP_FIXED, pscm_shm) != (long)pscm_shm)
		refuse(MON_VERIFY_NO_MEMORY, 0);
}

/* Writes to all pages that exist, so that they are copied now and not in the execution. */
static void prefault(const struct area *a, int pagemap, uint64_t *entry, uint64_t page_bytes)
{
	static const uint64_t there = UINT64_C(3) << 62;        /* present, or swapped out */

	for (uint64_t at = a->lo; at < a->hi; ) {
		long n = syscall(SYS_pread64, pagemap, entry, VERIFY_ENTRIES * sizeof *entry,
			(off_t)(at / page_bytes * sizeof *entry));

		if (n < (long)sizeof *entry)
			refuse(MON_VERIFY_NO_MEMORY, 0);
		for (long i = 0; i < n / (long)sizeof *entry && at < a->hi; i++) {
			volatile char *p = (volatile char *)(uintptr_t)at;

			if (entry[i] & there) {
				spend(page_bytes);
				*p = *p;
			}
			at += page_bytes;
		}
	}
}

static void pages_make(const struct verify_job *j)
{
	long memory = syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC);
	long pagemap = syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t shm = (uint64_t)(uintptr_t)pscm_shm, own = (uint64_t)(uintptr_t)page;
	const char *at = j->maps;
	struct area a;

	if (memory < 0 || pagemap < 0)
		refuse(MON_VERIFY_NO_COPY, (uint32_t)errno);
	while (area_next(&at, &a)) {
		if (a.lo == own || (a.lo >= shm && a.lo < shm + sizeof *pscm_shm))
			continue;
		if (a.writable && a.shared)
			make_private(&a, (int)memory, j->page_bytes);
		else if (a.writable)
			prefault(&a, (int)pagemap, j->entries, j->page_bytes);
#ifdef MADV_POPULATE_READ
		else if (a.code)
			madvise((void *)(uintptr_t)a.lo, a.hi - a.lo, MADV_POPULATE_READ);
#endif
	}
	close((int)memory);
	close((int)pagemap);
}

/* --- aliases -------------------------------------------------------------------------------- */

/* A file that holds the structure's first bytes n times.  Returns its descriptor. */
static int frames_make(const char first[ALIAS_BYTES], uint32_t n)
{
	const size_t bytes = (size_t)n * ALIAS_BYTES;
	int fd = memfd_create("alias", MFD_CLOEXEC);
	char *p;

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		refuse(MON_VERIFY_NO_COPY, (uint32_t)errno);
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		refuse(MON_VERIFY_NO_COPY, (uint32_t)errno);
	for (uint32_t i = 0; i < n; i++)
		memcpy(p + (size_t)i * ALIAS_BYTES, first, ALIAS_BYTES);
	munmap(p, bytes);
	return fd;
}

/* Maps the structure's pages to n times ALIAS_BYTES of frames, one n-th of them to each. */
static void alias_to(const struct verify_job *j, const char first[ALIAS_BYTES], uint32_t n)
{
	int fd = frames_make(first, n);
	uint64_t all = 0, done = 0;

	for (size_t i = 0; i < j->nranges; i++)
		all += j->range[i].hi - j->range[i].lo;
	for (size_t i = 0; i < j->nranges; i++)
		for (uint64_t at = j->range[i].lo; at < j->range[i].hi; at += ALIAS_BYTES) {
			uint64_t left = j->range[i].hi - at, bytes = left < ALIAS_BYTES ? left :
				ALIAS_BYTES;

			if (mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd,
			    (off_t)(done * n / all * ALIAS_BYTES)) == MAP_FAILED)
				refuse(MON_VERIFY_MAPPINGS, (uint32_t)errno);
			done += bytes;
		}
	close(fd);
}

/* The ns of processor time to read a byte of each page, the least of some passes. */
static uint64_t page_ns(const struct verify_job *j)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t pass = 0; pass < ALIAS_PASSES; pass++) {
		uint64_t pages = 0, ns = cpu_ns();

		for (size_t i = 0; i < j->nranges; i++)
			for (uint64_t at = j->range[i].lo; at < j->range[i].hi; at += j->page_bytes,
			     pages++)
				(void)*(const volatile char *)(uintptr_t)at;
		ns = (cpu_ns() - ns) / (pages ? pages : 1);
		least = ns < least ? ns : least;
	}
	return least;
}

/* A host that keeps page tables of its own for a virtual machine drops those of a frame that has
 * more than some mappings (Linux: 1000), and each access to such a page takes microseconds.  More
 * frames then have fewer mappings each. */
static void alias(const struct verify_job *j)
{
	static char first[ALIAS_BYTES];         /* the program's stack may be small */
	const uint64_t length = j->range[0].hi - j->range[0].lo;
	uint64_t ns = 0;

	memcpy(first, (const void *)(uintptr_t)j->range[0].lo, length < sizeof first ? length :
		sizeof first);
	for (uint32_t n = 1; n <= ALIAS_FILES; n *= 4) {
		alias_to(j, first, n);
		ns = page_ns(j);
		if (ns < ALIAS_NS)
			return;
	}
	refuse(MON_VERIFY_ALIASES, (uint32_t)ns);
}

/* --- life of a copy ------------------------------------------------------------------------- */

/* The monitor does nothing here but what is below. */
static void inert(void)
{
	pscm_verify_copy = true;
	thread->stack_whole = true;     /* looking further would take system calls */
	atomic_store(&pscm_live.mode, 0);
	atomic_store(&pscm_live.on, 0);
	pscm_flag(&__psc_recording, 0);
	pscm_flag(&__psc_live, 0);
	pscm_flag(&__psc_heap, 0);
}

void verify_copy_make(const struct verify_job *j)
{
	page = j->page;
	thread = j->thread;
	room = j->memory;
	recorded = j->recorded;
	runs_wanted = VERIFY_RUNS;
	inert();
	if (!ARCHITECTURE || j->page_bytes > ALIAS_BYTES || ALIAS_BYTES % j->page_bytes)
		refuse(MON_VERIFY_MACHINE, (uint32_t)j->page_bytes);
	limits(j);
	signals();
	if (j->recorded) {
		pscm_units_call(PSCM_CALLS_ALL);
		if (!pscm_digest_begin(thread, &page->digest[0]))
			refuse(MON_VERIFY_NO_MEMORY, 0);
	}
	maps_read(j);
	pages_make(j);
	forget_agent();
	if (j->aliased)
		alias(j);
	confine();
	verify_copy_begin();
}

void verify_copy_begin(void)
{
	uint32_t n = atomic_load(&page->runs);

	if (recorded && n && !pscm_digest_begin(thread, &page->digest[n]))
		copy_exit();
	atomic_store(&page->stage, VERIFY_INSIDE);
	start = cpu_ns();
}

void verify_copy_end(bool is_void)
{
	uint64_t now = cpu_ns();
	uint32_t n = atomic_load(&page->runs);

	if (is_void) {
		if (!n)
			refuse(MON_VERIFY_VOID, 0);
		copy_exit();
	}
	pscm_digest_end(thread);
	page->cpu_ns[n] = now - start;
	atomic_store(&page->stage, VERIFY_BETWEEN);
	atomic_store(&page->runs, ++n);
	if (n == runs_wanted)
		copy_exit();
}
