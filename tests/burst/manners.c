/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what recorders stumble over, and prints what came out: it must be the same with and without
 * one. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern char **environ;

enum { CELLS = 4096 };
static volatile long cells[CELLS];
static volatile sig_atomic_t alarms;
static sigjmp_buf back;
static volatile int *volatile nowhere = (volatile int *)8;

static void work(int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int k = 0; k < CELLS; k++)
			cells[k] += k * r;
}

/* --- signals ---------------------------------------------------------------------------- */

static void on_alarm(int number)
{
	(void)number;
	alarms = 1;
}

/* A timer of the program's own interrupts its loop very often. */
static void interrupted_loop(void)
{
	struct sigaction act = { .sa_handler = on_alarm };
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	long sum = 0;

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	work(2000);
	while (!alarms)
		work(1);
	setitimer(ITIMER_REAL, &never, NULL);
	work(0);
	for (int k = 0; k < CELLS; k++)
		sum += cells[k] != 0;
	printf("alarms %d, cells %ld\n", alarms, sum);
}

/* Goes on behind the faulting instruction of two bytes, with the address as its result. */
static void skip_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	const unsigned char *at = (const unsigned char *)u->uc_mcontext.gregs[REG_RIP];

	(void)number;
	if (at[0] != 0x8b)
		_exit(3);
	u->uc_mcontext.gregs[REG_RIP] += 2;
	u->uc_mcontext.gregs[REG_RAX] = (greg_t)(long)info->si_addr;
}

static void repaired_faults(void)
{
	struct sigaction act = { .sa_sigaction = skip_fault, .sa_flags = SA_SIGINFO };
	long sum = 0, value;

	sigaction(SIGSEGV, &act, NULL);
	for (long k = 0; k < 2000; k++) {
		__asm__ volatile("mov (%1), %%eax" : "=a"(value) : "r"(16 + k));
		sum += value;
	}
	printf("faults %ld\n", sum);
}

static void jump_back(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void left_handlers(void)
{
	struct sigaction act;
	volatile long n = 0;

	signal(SIGSEGV, jump_back);
	for (volatile int k = 0; k < 2000; k++)
		if (sigsetjmp(back, 1) == 0)
			*nowhere = 1;
		else
			n++;
	sigaction(SIGSEGV, NULL, &act);
	printf("jumps %ld, handler %d, restarts %d\n", n, act.sa_handler == jump_back,
		(act.sa_flags & SA_RESTART) != 0);
}

/* Waits are not interrupted by anybody. */
static void waits(void)
{
	int interrupted = 0;

	for (int k = 0; k < 100; k++) {
		struct timespec little = { 0, 100000 };
		struct pollfd none;

		work(10);
		interrupted += poll(&none, 0, 1) < 0;
		interrupted += nanosleep(&little, NULL) < 0;
	}
	printf("interrupted %d\n", interrupted);
}

static void blocked_signals(void)
{
	sigset_t all;
	int number;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	work(500);
	raise(SIGUSR1);
	sigwait(&all, &number);
	printf("sigwait %d\n", number == SIGUSR1);
}

/* --- threads ---------------------------------------------------------------------------- */

static void *thread(void *number)
{
	work(100);
	if ((long)number % 3 == 0)
		pthread_exit((void *)5);
	return number;
}

static void *endless(void *unused)
{
	(void)unused;
	for (;;) {
		work(3);
		pthread_testcancel();
	}
	return NULL;
}

static void threads(void)
{
	pthread_t t[8];
	long sum = 0;
	void *result;

	for (int round = 0; round < 5; round++) {
		for (long k = 0; k < 8; k++)
			pthread_create(&t[k], NULL, thread, (void *)k);
		for (int k = 0; k < 8; k++) {
			pthread_join(t[k], &result);
			sum += (long)result;
		}
	}
	pthread_create(&t[0], NULL, endless, NULL);
	usleep(20000);
	pthread_cancel(t[0]);
	pthread_join(t[0], &result);
	printf("threads %ld, cancelled %d\n", sum, result == PTHREAD_CANCELED);
}

/* --- processes -------------------------------------------------------------------------- */

static void forks(void)
{
	int status, good = 0;

	for (int k = 0; k < 20; k++) {
		pid_t child = fork();

		if (child == 0) {
			work(50);
			free(malloc(100000));
			_exit(k);
		}
		waitpid(child, &status, 0);
		good += WIFEXITED(status) && WEXITSTATUS(status) == k;
	}
	printf("forks %d\n", good);
}

/* Whether `true` ran in a child that shares this memory until then. */
static int by_vfork(void)
{
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execlp("true", "true", (char *)NULL);
		_exit(9);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static int by_spawn(void)
{
	char name[] = "true", *arguments[] = { name, NULL };
	int status;
	pid_t child;

	return posix_spawnp(&child, name, NULL, NULL, arguments, environ) == 0 &&
		waitpid(child, &status, 0) == child && status == 0;
}

static void other_programs(void)
{
	char line[16];
	int good = 0;
	FILE *names;

	for (int k = 0; k < 5; k++)
		good += by_vfork() + by_spawn();
	printf("programs %d, exit code %d\n", good, WEXITSTATUS(system("exit 3")));
	names = popen("env | grep -c -e PSC_BURST -e LD_PRELOAD; ls /proc/self/fd | wc -l", "r");
	while (names != NULL && fgets(line, sizeof line, names) != NULL)
		printf("inherited %s", line);
	if (names != NULL)
		pclose(names);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	interrupted_loop();
	repaired_faults();
	left_handlers();
	waits();
	threads();
	forks();
	other_programs();
	blocked_signals();
	return 42;
}
