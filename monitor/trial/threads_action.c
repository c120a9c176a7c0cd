/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions threads:spread, threads:compact and threads:pin: each thread of the process stays on
 * one CPU.
 *
 * spread and compact take the CPUs in the order of the request, which the agent makes from the
 * topology of the host; the threads come in the order of their numbers, in which they were made.
 * pin leaves each thread where it runs. Of the CPUs, a thread gets those alone that it may use. */
#include "config.h"
#include "monitor/trial/action.h"
#include "monitor/host/affinity.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MOST = 1024, STAT_PROCESSOR = 39 };

struct thread {
	long tid;
	uint32_t cpu;           /* that it gets */
	struct cpu_mask before;
};
static struct {
	struct thread *thread;
	uint32_t n;
	bool many;              /* more threads than that */
	bool b;
} all;

/* --- which CPUs ------------------------------------------------------------------------------- */

static bool add(long tid)
{
	struct thread *t = &all.thread[all.n];

	all.many = all.n == THREADS_MOST;
	if (all.many)
		return false;
	*t = (struct thread){ .tid = tid };
	if (affinity_get(tid, &t->before))
		all.n++;
	return true;
}

static char *put_number(char *p, long n)
{
	char digits[24], *d = digits + sizeof digits;

	for (; n; n /= 10)
		*--d = (char)('0' + n % 10);
	memcpy(p, d, (size_t)(digits + sizeof digits - d));
	return p + (digits + sizeof digits - d);
}

/* The CPU where a thread runs, or ran last: a field of its "stat" in /proc;
 * AFFINITY_CPUS: it is not known. */
static uint32_t cpu_of(long tid)
{
	char path[64] = "/proc/self/task/", text[1024];
	uint32_t cpu = 0;
	long n, at, field = 2;
	int fd;

	memcpy(put_number(path + strlen(path), tid), "/stat", sizeof "/stat");
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	n = fd < 0 ? 0 : (long)syscall(SYS_read, fd, text, sizeof text - 1);
	if (fd >= 0)
		syscall(SYS_close, fd);
	/* The second field, in parentheses, may have blanks and parentheses. */
	for (at = n - 1; at >= 0 && text[at] != ')'; at--)
		;
	for (; at >= 0 && at < n && field < STAT_PROCESSOR; at++)
		field += text[at] == ' ';
	if (at < 0 || field < STAT_PROCESSOR)
		return AFFINITY_CPUS;
	for (; at < n && text[at] >= '0' && text[at] <= '9'; at++)
		cpu = 10 * cpu + (uint32_t)(text[at] - '0');
	return cpu;
}

static bool taken(uint32_t cpu)
{
	for (uint32_t i = 0; i < all.n; i++)
		if (all.thread[i].cpu == cpu)
			return true;
	return false;
}

/* The next CPU from `at` on in the order, which the thread may use; one that no thread has,
 * as long as there are any. */
static uint32_t next_cpu(const struct mon_request *r, const struct thread *t, uint32_t at)
{
	const uint32_t n = r->ncpus < MON_TRIAL_CPUS ? r->ncpus : MON_TRIAL_CPUS;

	for (int again = 0; again < 2; again++)
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t cpu = r->cpu[(at + i) % n];

			if (affinity_has(&t->before, cpu) && (again || !taken(cpu)))
				return cpu;
		}
	return AFFINITY_CPUS;
}

static void choose(const struct mon_request *r)
{
	for (uint32_t i = 0; i < all.n; i++)
		all.thread[i].cpu = AFFINITY_CPUS;
	for (uint32_t i = 0; i < all.n; i++) {
		struct thread *t = &all.thread[i];
		const uint32_t now = r->action == MON_ACTION_PIN ? cpu_of(t->tid) : AFFINITY_CPUS;

		t->cpu = now < AFFINITY_CPUS && !taken(now) &&
			affinity_has(&t->before, now) ? now : next_cpu(r, t, i);
	}
}

/* Are all threads on one CPU each, as it is? */
static bool pinned(void)
{
	for (uint32_t i = 0; i < all.n; i++) {
		const struct cpu_mask one = affinity_one(all.thread[i].cpu % AFFINITY_CPUS);

		if (memcmp(&one, &all.thread[i].before, sizeof one) != 0)
			return false;
	}
	return true;
}

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	(void)out;
	if (sandbox_around())
		return MON_TRIAL_FORBIDDEN;
	if (!all.thread)
		all.thread = pscm_map(THREADS_MOST * sizeof *all.thread);
	all.n = 0;
	all.b = false;
	if (!all.thread || !affinity_each_thread(add) || !r->ncpus)
		return MON_TRIAL_NO_CPUS;
	choose(r);
	for (uint32_t i = 0; i < all.n; i++)
		if (all.thread[i].cpu >= AFFINITY_CPUS)
			return MON_TRIAL_NO_CPUS;
	return pinned() ? MON_TRIAL_PINNED : MON_TRIAL_DONE;
}

/* --- switches --------------------------------------------------------------------------------- */

/* A thread that has ended meanwhile is none; what the program has set itself meanwhile stays. */
static bool to_b(uint64_t until)
{
	(void)until;
	all.b = true;
	for (uint32_t i = 0; i < all.n; i++) {
		const struct cpu_mask one = affinity_one(all.thread[i].cpu);
		struct cpu_mask now;

		if (affinity_get(all.thread[i].tid, &now) &&
		    memcmp(&now, &all.thread[i].before, sizeof now) == 0)
			affinity_set(all.thread[i].tid, &one);
	}
	return true;
}

/* The thread whose CPU this is; a thread that was made in B has inherited it from that
 * one.  NULL: it is not ours. */
static const struct thread *owner_of(const struct cpu_mask *now, long tid)
{
	const struct thread *found = NULL;

	for (uint32_t i = 0; i < all.n; i++) {
		const struct cpu_mask one = affinity_one(all.thread[i].cpu);

		if (memcmp(&one, now, sizeof one) != 0)
			continue;
		if (!found || all.thread[i].tid == tid)
			found = &all.thread[i];
	}
	return found;
}

static bool give_back(long tid)
{
	const struct thread *t;
	struct cpu_mask now;

	if (!affinity_get(tid, &now))
		return true;
	t = owner_of(&now, tid);
	if (t)
		affinity_set(tid, &t->before);
	return true;
}

static void put_back(void)
{
	if (!all.b)
		return;
	affinity_each_thread(give_back);
	all.b = false;
}

static bool to_a(uint64_t until)
{
	(void)until;
	put_back();
	return true;
}

static void forked(void)
{
	if (all.b)
		give_back(0);
	all.b = false;
}

/* Only threads that had one CPU before may have it now. */
static bool verify(struct mon_trial *out)
{
	(void)out;
	for (uint32_t i = 0; i < all.n; i++) {
		struct cpu_mask now;

		if (affinity_get(all.thread[i].tid, &now) &&
		    memcmp(&now, &all.thread[i].before, sizeof now) != 0)
			return false;
	}
	return true;
}

static uint64_t memory(void)
{
	return 0;
}

#define ACTION(name, how) \
	const struct trial_action name = { .action = how, .can = can, .to_b = to_b, .to_a = to_a, \
		.put_back = put_back, .forked = forked, .verify = verify, .memory = memory }
ACTION(trial_threads_spread, MON_ACTION_SPREAD);
ACTION(trial_threads_compact, MON_ACTION_COMPACT);
ACTION(trial_threads_pin, MON_ACTION_PIN);
