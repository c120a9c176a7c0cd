/* SPDX-License-Identifier: BSD-3-Clause */
/* The first process of a virtual machine: counts events of known loops with the monitor's code
 * between two markers, runs the commands of /psc/commands, prints all on the console, and switches
 * the machine off. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/from_kernel.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/kernel_events.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

enum { TURNS = 1000000, PAGES = 2048, PAGE = 4096 };

static struct pscm_thread thread;

/* --- neighbours ------------------------------------------------------------------------------ */

void *pscm_map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}
void pscm_unmap(void *p, size_t bytes) { munmap(p, bytes); }
uint32_t pscm_thread_count(void) { return 1; }
struct pscm_thread *pscm_thread_at(uint32_t n) { return n ? NULL : &thread; }
bool pscm_wanted(const struct pscm_armed *a, uint32_t context, uint32_t object, bool objects)
{
	return a && object == MON_ANY && !objects && context < 4;
}

/* --- the loops ------------------------------------------------------------------------------- */

/* Two instructions a turn. */
static __attribute__((noinline)) void turn(uint64_t n)
{
#if defined __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#elif defined __riscv
	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n));
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#endif
}

static volatile char *pages;

static void walk(uint64_t unused)
{
	(void)unused;
	for (long i = 0; i < PAGES; i++)
		(void)pages[i * PAGE + (i * 64) % PAGE];
}

static void touch(uint64_t n)
{
	volatile char *p = pscm_map(n * PAGE);

	for (uint64_t i = 0; i < n; i++)
		p[i * PAGE] = 1;
	pscm_unmap((void *)(uintptr_t)p, n * PAGE);
}

/* Prints "NAME VALUE", or why there is none. */
static void count(const char *name, uint32_t type, uint64_t config, void (*loop)(uint64_t), uint64_t n)
{
	struct mon_request r = { .nevents = 1, .event = { { type, MON_EVENT_USER, config, 0, 0 } } };
	struct pscm_armed a = { .kind = MON_EVENTS, .request = &r };

	if (events_arm(&r)) {
		printf("psc: %s refused\n", name);
		return;
	}
	atomic_store(&pscm_live.mode, PSCM_MODE_TIME | PSCM_MODE_CUT);
	for (int i = 0; i < 2; i++) {
		events_resume(&thread);
		loop(n);
		events_cut(&thread, 1, true);
		events_executed(&a, i > 0);
		a.progress += i > 0;
	}
	atomic_store(&pscm_live.mode, 0);
	events_finish();
	if (events_failed(&r))
		printf("psc: %s failed: %s\n", name, strerror(r.failed_errno));
	else
		printf("psc: %s %llu%s\n", name, (unsigned long long)pscm_shm->events[0][0].value,
			a.rows.events == 1 ? "" : " in several rows");
}

/* Is a handler that the kernel calls told from one that the program calls? */
static volatile int told;

static __attribute__((noinline)) void handler(int number)
{
	(void)number;
	told = from_kernel(__builtin_return_address(0)) ? told + 1 : told + 10;
}

static void handlers(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	handler(SIGUSR1);
	printf("psc: handlers %d\n", told);
}

/* --- analyses -------------------------------------------------------------------------------- */

enum { WORDS = 32 };

/* The next command: a word a line, up to an empty one.  NULL: there is none.  A first word ?TEXT
 * means: only if the command before it did not print TEXT. */
static char *const *command_read(FILE *f)
{
	static char *word[WORDS + 1];
	char line[256];
	int n = 0;

	while (n < WORDS && fgets(line, sizeof line, f) && line[0] != '\n') {
		line[strcspn(line, "\n")] = '\0';
		word[n++] = strdup(line);
	}
	word[n] = NULL;
	return n ? word : NULL;
}

/* In a file: on a terminal the front end would print colours and its progress. */
static int run(char *const word[])
{
	static char *const environment[] = { "PATH=/psc", "HOME=/tmp", "TMPDIR=/tmp", "LD_LIBRARY_PATH=/lib",
		"PSC_MACHINE_PATH=/psc", "PSC_PROPERTIES_PATH=/psc", "PSC_CALIBRATE=no", NULL };
	int status = -1;
	pid_t child = fork();

	if (!child) {
		int out = open("/report", O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(out, 1);
		dup2(out, 2);
		if (!chdir("/psc"))
			execve(word[0], word, environment);
		_exit(127);
	}
	waitpid(child, &status, 0);
	/* What outlives the command is the first process's. */
	while (wait(NULL) > 0)
		;
	return status;
}

static void report_print(int command)
{
	FILE *f = fopen("/report", "r");
	char line[512];

	while (f && fgets(line, sizeof line, f))
		printf("psc: report%d: %s", command, line);
	if (f)
		fclose(f);
}

static bool report_has(const char *text)
{
	FILE *f = fopen("/report", "r");
	char line[512];
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f))
		found = strstr(line, text) != NULL;
	if (f)
		fclose(f);
	return found;
}

static void analyse(void)
{
	FILE *f = fopen("/psc/commands", "r");
	char *const *word;

	for (int i = 1; f && (word = command_read(f)) != NULL; i++) {
		int status;

		if (word[0][0] == '?' && report_has(word[0] + 1))
			continue;
		status = run(word + (word[0][0] == '?'));
		report_print(i);
		printf("psc: status%d %#x\n", i, (unsigned)status);
	}
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	pscm_shm = pscm_map(sizeof *pscm_shm);
	pages = pscm_map((size_t)PAGES * PAGE);
	if (!pscm_shm || !pages) {
		printf("psc: no memory\n");
	} else {
		for (long i = 0; i < PAGES; i++)
			pages[i * PAGE] = 1;
		atomic_store(&pscm_shm->ncontexts, 2);
		thread.times.state = PSCM_RUNS;
		handlers();
		sandbox_start();
		count("faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, touch, 100);
		count("instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, turn, TURNS);
		count("instructions-twice", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, turn, 2 * TURNS);
		count("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, turn, TURNS);
		count("dtlb", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |
			PERF_COUNT_HW_CACHE_RESULT_MISS << 16, walk, 0);
		analyse();
	}
	printf("psc: end\n");
	sync();
	if (getpid() == 1)
		reboot(RB_POWER_OFF);
	return 0;
}
