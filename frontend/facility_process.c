/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries what needs no events: timers of processor time, the recorder of bursts, the node of a page.
 */
#include <config.h>

#include "frontend/facility.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "frontend/ask_foreign.h"

enum { PERIOD_NS = 1000000, SPIN_NS = 30000000 };

/* --- time samples ----------------------------------------------------------------------------- */

static volatile sig_atomic_t expired;

static void count_expiry(int signal)
{
	(void)signal;
	expired++;
}

static uint64_t thread_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns 0, or errno of what failed. */
static int count_expiries(void)
{
	const int number = SIGRTMIN + 3;
	struct sigaction own = { .sa_handler = count_expiry, .sa_flags = SA_RESTART }, before;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
	const struct itimerspec each = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
	const uint64_t until = thread_time() + SPIN_NS;
	timer_t timer;

	expired = 0;
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
		return errno;
	sigaction(number, &own, &before);
	timer_settime(timer, 0, &each, NULL);
	while (thread_time() < until)
		;
	timer_delete(timer);
	sigaction(number, &before, NULL);
	return 0;
}

/* The kernel's clock ticks decide how many expiries there are, so half of them is no fault. */
void facility_time_samples(struct facility *f)
{
	const int error = count_expiries();

	*f = (struct facility){ .name = "samples of processor time",
		.knows = "time by function and line" };
	snprintf(f->tested, sizeof f->tested, "%d samples in %d ms", (int)expired,
		SPIN_NS / 1000000);
	f->state = expired ? FACILITY_WORKS : FACILITY_FAILS;
	if (error || !expired)
		snprintf(f->why, sizeof f->why, "%s",
			error ? strerror(error) : "no timer of processor time expires here");
}

/* --- the recorder ----------------------------------------------------------------------------- */

void facility_recorder(struct facility *f)
{
	char said[200];
	struct err err;

	*f = (struct facility){ .name = "recorder of any program",
		.knows = "nothing of programs that psc_gcc has not compiled" };
	if (ask_foreign("--try-recorder", said, sizeof said, &err) == 0) {
		f->state = FACILITY_WORKS;
		f->knows = "every access in short bursts: who, what, which line; misses of a model";
		snprintf(f->tested, sizeof f->tested, "%.*s", (int)sizeof f->tested - 1, said);
		return;
	}
	f->state = FACILITY_FAILS;
	snprintf(f->tested, sizeof f->tested, "no burst came");
	snprintf(f->why, sizeof f->why, "%.*s", (int)sizeof f->why - 1, err.text);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static int several_nodes(void)
{
	FILE *f = fopen("/sys/devices/system/node/online", "re");
	char text[64] = "";
	int several = f && fgets(text, sizeof text, f) && strpbrk(text, "-,");

	if (f)
		fclose(f);
	return several;
}

void facility_nodes(struct facility *f)
{
	static volatile char page[1] = { 1 };
	void *const at = (void *)((uintptr_t)page & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
	int node = -1;
	const long rc = syscall(SYS_move_pages, 0, 1UL, &at, NULL, &node, 0);

	*f = (struct facility){
		.name = "node of a page", .state = FACILITY_FAILS, .knows = "no placement of pages"
	};
	if (rc || node < 0) {
		snprintf(f->tested, sizeof f->tested, "asked; no answer");
		snprintf(f->why, sizeof f->why, "%s", strerror(rc ? errno : -node));
		return;
	}
	snprintf(f->tested, sizeof f->tested, "asked; the answer is node %d", node);
	f->state = several_nodes() ? FACILITY_WORKS : FACILITY_PARTLY;
	f->knows = f->state == FACILITY_WORKS ? "local and remote memory" :
						"placement, but nothing can be remote";
	if (f->state == FACILITY_PARTLY)
		snprintf(f->why, sizeof f->why,
			"one memory node only: use a machine with two, or a model of one "
			"(--machine)");
}
