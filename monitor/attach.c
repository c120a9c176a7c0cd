/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets an analysis begin while the program runs (attach.h). */
#include "config.h"
#include "monitor/attach.h"
#include "monitor/host/locks.h"
#include "monitor/host/stacks.h"
#include "monitor/host/threads.h"
#include "monitor/shared/attach_message.h"
#include "monitor/state.h"
#include "base/unit_tables.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pscm_live.attach: wiped in a child of fork(), as is pscm_live.units_lock. */
enum {
	NOBODY_ASKS,
	TAKEN,                  /* the handler writes `asked` */
	WANTED,                 /* the next marker begins */
	BEGINNING,
	BEGUN                   /* until attach_end() */
};
enum { SIGNALS_BYTES = 8 };     /* of the kernel's signal set */
#define BIT(signal) (UINT64_C(1) << ((signal) - 1))
/* all but faults: a program may handle those of its own data */
#define ALL_SIGNALS (~(BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS)))

static struct {
	const struct attach_events *events;     /* NULL: not prepared */
	struct psc_unit *units;         /* not registered, linked by `next`; guarded by
					 * pscm_live.units_lock */
	bool armed;                     /* their bits are set; same lock */
	struct mon_attach *asked;       /* of who has set TAKEN or BEGINNING */
	void *stack;
} attach;
static _Atomic bool never;
static pthread_mutex_t ending = PTHREAD_MUTEX_INITIALIZER;

/* --- units: written by the handler, too, so nothing here waits but units_lock() --------------- */

/* All bits, or none. */
static void unit_set(struct psc_unit *unit, uint8_t to)
{
	const unsigned char *text = unit->tables ? tables_text(unit->tables) : NULL;
	struct psc_mark *mark = psc_unit_marks(unit);

	for (uint64_t i = 0, nregions = text ? tables_number(&text) : 0; i < nregions; i++)
		__atomic_store_n(&mark[i].marked, to != 0, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < PSC_PHASE_BYTES; i++) {
		pscm_flag_byte(&unit->phase[i], to);
		pscm_flag_byte(&unit->iterates[i], to);
	}
}

static void units_set(uint8_t to)
{
	for (struct psc_unit *u = attach.units; u; u = u->next)
		unit_set(u, to);
	attach.armed = to != 0;
}

static bool units_trylock(void)
{
	return !atomic_exchange(&pscm_live.units_lock, 1);
}

/* Sets the bits unless the list is locked: who holds it calls this behind the lock. */
static void arm(void)
{
	while (atomic_load(&pscm_live.attach) == WANTED && units_trylock()) {
		bool done = attach.armed;

		if (!done)
			units_set(255);
		atomic_store(&pscm_live.units_lock, 0);
		if (done)
			return;
	}
}

static void units_lock(void)
{
	while (!units_trylock())
		syscall(SYS_sched_yield);
}

static void units_unlock(void)
{
	atomic_store(&pscm_live.units_lock, 0);
	arm();
}

bool attach_unit_add(struct psc_unit *unit)
{
	if (!attach.events || unit->abi != PSC_ABI_VERSION)
		return false;
	units_lock();
	if (atomic_load(&pscm_live.attach) == BEGUN) {
		units_unlock();
		return false;
	}
	unit->next = attach.units;
	attach.units = unit;
	if (attach.armed)
		unit_set(unit, 255);
	units_unlock();
	return true;
}

bool attach_unit_remove(struct psc_unit *unit)
{
	bool found = false;

	if (!attach.events)
		return false;
	units_lock();
	for (struct psc_unit **u = &attach.units; *u && !found; u = &(*u)->next)
		if (*u == unit) {
			*u = unit->next;
			found = true;
			break;
		}
	units_unlock();
	return found;
}

/* --- the signal ------------------------------------------------------------------------------- */

/* Writes "/proc/PID/fd/NUMBER". */
static void descriptor_path(char *to, uint32_t pid, uint32_t number)
{
	static const char parts[2][8] = { "/proc/", "/fd/" };
	uint32_t numbers[2] = { pid, number };

	for (int part = 0; part < 2; part++) {
		char digits[12];
		int n = 0;

		for (const char *s = parts[part]; *s; s++)
			*to++ = *s;
		do
			digits[n++] = (char)('0' + numbers[part] % 10);
		while (numbers[part] /= 10);
		while (n)
			*to++ = digits[--n];
	}
	*to = '\0';
}

/* Only a memfd of this user that keeps its size is mapped: reading it cannot fault. */
static struct mon_attach *asked_map(uint32_t pid, uint32_t number)
{
	const int need = F_SEAL_SHRINK | F_SEAL_GROW;
	struct mon_attach *m = MAP_FAILED;
	struct stat s;
	char path[40];
	int fd;

	descriptor_path(path, pid, number);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &s) && s.st_uid == (uid_t)syscall(SYS_geteuid) &&
	    s.st_size == (off_t)sizeof *m && (fcntl(fd, F_GET_SEALS) & need) == need)
		m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (m == MAP_FAILED)
		return NULL;
	if (m->magic == MON_ATTACH_MAGIC && m->pid == (uint32_t)getpid())
		return m;
	munmap(m, sizeof *m);
	return NULL;
}

static void asked_answer(struct mon_attach *m, enum mon_attach_state state,
	enum mon_attach_reason reason)
{
	m->reason = reason;
	atomic_store(&m->state, state);
	munmap(m, sizeof *m);
}

/* A program with other rights than its user's is not connected to that user's agent. */
static bool guarded(void)
{
	return syscall(SYS_getuid) != syscall(SYS_geteuid) ||
		syscall(SYS_getgid) != syscall(SYS_getegid) ||
		syscall(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0) != 1;
}

static void asked(struct mon_attach *m)
{
	int state = NOBODY_ASKS;

	if (m->version != MON_VERSION) {
		asked_answer(m, MON_ATTACH_FAILED, MON_ATTACH_VERSION);
		return;
	}
	if (guarded()) {
		asked_answer(m, MON_ATTACH_FAILED, MON_ATTACH_GUARDED);
		return;
	}
	if (atomic_load(&m->state) == MON_ATTACH_LEAVE) {
		if (pscm_on() && atomic_load(&pscm_live.attach) == BEGUN)
			atomic_fetch_or(&pscm_shm->doorbell, MON_BELL_DETACHED);
		asked_answer(m, MON_ATTACH_DONE, MON_ATTACH_NO_REASON);
		return;
	}
	if (atomic_load(&never) || pscm_on()) {
		asked_answer(m, MON_ATTACH_FAILED, MON_ATTACH_AGAIN);
		return;
	}
	if (!atomic_compare_exchange_strong(&pscm_live.attach, &state, TAKEN)) {
		/* Nobody has come to a marker since the last one asked. */
		if (state != WANTED || !atomic_compare_exchange_strong(&pscm_live.attach, &state,
		    TAKEN)) {
			asked_answer(m, MON_ATTACH_FAILED, MON_ATTACH_OTHER);
			return;
		}
		asked_answer(attach.asked, MON_ATTACH_FAILED, MON_ATTACH_OTHER);
	}
	attach.asked = m;
	atomic_store(&m->state, MON_ATTACH_SEEN);
	atomic_store(&pscm_live.attach, WANTED);
	arm();
}

static void signalled(int number, siginfo_t *info, void *context)
{
	uint64_t value = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
	int saved = errno;
	struct mon_attach *m;

	(void)number, (void)context;
	if (info->si_code == SI_QUEUE && value >> 32 == MON_ATTACH_VALUE) {
		m = asked_map((uint32_t)info->si_pid, (uint32_t)value);
		if (m)
			asked(m);
	}
	errno = saved;
}

/* --- the handler ------------------------------------------------------------------------------ */

/* As the kernel has it. */
struct action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
#ifndef __riscv
	void (*restorer)(void);
#endif
	uint64_t mask;
};
#define WITH_RESTORER 0x04000000UL

#if defined(__x86_64__) && !defined(__ILP32__)
/* These bytes, and no others, tell unwinders and debuggers that a signal's frame follows. */
__asm__(".text\n"
	".hidden pscm_attach_return\n"
	".globl pscm_attach_return\n"
	".type pscm_attach_return, @function\n"
	"	nop\n"
	"pscm_attach_return:\n"
	"	mov $15, %rax\n"
	"	syscall\n"
	".size pscm_attach_return, . - pscm_attach_return\n");
void pscm_attach_return(void);
#endif

/* The program's own sigaction() may be another function.  false: the program's parent or the
 * program had it ignored or handled, and that stays. */
static bool handler_set(void)
{
#if defined(__ILP32__)
	return false;
#else
	struct action a = { .handler = signalled, .flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
		.mask = ALL_SIGNALS };
	struct action old;

#if defined(__x86_64__)
	a.flags |= WITH_RESTORER;
	a.restorer = pscm_attach_return;
#endif
	return !syscall(SYS_rt_sigaction, MON_ATTACH_SIGNAL, NULL, &old, SIGNALS_BYTES) &&
		!old.handler && !syscall(SYS_rt_sigaction, MON_ATTACH_SIGNAL, &a, NULL,
		SIGNALS_BYTES);
#endif
}

void attach_prepare(const struct attach_events *events)
{
	if (sysconf(_SC_PAGESIZE) <= PSCM_PAGE)
		madvise(&pscm_live, sizeof pscm_live, MADV_WIPEONFORK);
	if (handler_set())
		attach.events = events;
}

/* --- the end ---------------------------------------------------------------------------------- */

void attach_never(void)
{
	atomic_store(&never, true);
}

/* The lock keeps signals out, whose handlers might not return. */
bool attach_end_begin(void)
{
	if (atomic_load(&pscm_live.attach) != BEGUN)
		return false;
	pscm_lock(&ending);
	units_lock();
	return true;
}

void attach_end(struct psc_unit *units)
{
	while (units) {
		struct psc_unit *next = units->next;

		units->registered = 0;
		units->next = attach.units;
		attach.units = units;
		units = next;
	}
	atomic_store(&pscm_live.attach, NOBODY_ASKS);
	units_unlock();
	pscm_unlock(&ending);
}

/* --- the marker ------------------------------------------------------------------------------- */

/* Nobody asks any more, or there is no agent: the process is idle as before. */
static void disarm(int state)
{
	units_lock();
	units_set(0);
	atomic_store(&pscm_live.attach, state);
	units_unlock();
}

/* The list stays locked until all units are registered: a library that is unloaded waits. */
static void units_register(void)
{
	struct psc_unit *u;

	units_lock();
	while ((u = attach.units)) {
		attach.units = u->next;
		u->next = NULL;
		attach.events->unit(u);
		if (!u->registered)
			unit_set(u, 0);
	}
	attach.armed = false;
	atomic_store(&pscm_live.attach, BEGUN);
	units_unlock();
}

static void begin(void *unused)
{
	struct mon_attach *m = attach.asked;
	uint32_t seen = MON_ATTACH_SEEN;
	char socket[sizeof m->socket];
	int rc;

	(void)unused;
	if (!atomic_compare_exchange_strong(&m->state, &seen, MON_ATTACH_CONNECTING)) {
		munmap(m, sizeof *m);
		disarm(NOBODY_ASKS);
		return;
	}
	memcpy(socket, m->socket, sizeof socket);
	socket[sizeof socket - 1] = '\0';
	rc = attach.events->begin(socket);
	if (rc < 0)
		attach_never();
	if (rc > 0) {
		units_register();
		asked_answer(m, MON_ATTACH_DONE, MON_ATTACH_NO_REASON);
		return;
	}
	disarm(NOBODY_ASKS);
	asked_answer(m, MON_ATTACH_FAILED, MON_ATTACH_REFUSED);
}

/* Any function of the program may have come to a marker, also a signal handler: no lock of the C
 * library is taken, and no handler runs meanwhile. */
void attach_marker(void)
{
	static const uint64_t all = ALL_SIGNALS;
	int state = WANTED, saved = errno;
	uint64_t mask;

	if (!attach.events || !pscm_guard())
		return;
	if (atomic_compare_exchange_strong(&pscm_live.attach, &state, BEGINNING)) {
		bool blocked = !syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &mask, SIGNALS_BYTES);

		if (!attach.stack)
			attach.stack = pscm_work_stack_make();
		pscm_unguard();
		pscm_work_stack_run(attach.stack, begin, NULL);
		if (blocked)
			syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, SIGNALS_BYTES);
	} else if (state == NOBODY_ASKS) {      /* a child of fork() has its parent's bits */
		disarm(NOBODY_ASKS);
		pscm_unguard();
	} else {
		pscm_unguard();
	}
	errno = saved;
}
