/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the kernel has done for the process and for single threads. */
#include "config.h"
#include "monitor/collect/kernel_counts.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/threads.h"
#include "monitor/regions/region_times.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Figures by context are worth having from this part of the processor time on: a fault in 100 us
 * (1 to 40 us each), or a twentieth of system time. */
enum { FAULT_EVERY_NS = 100000, SYSTEM_PART = 20 };

_Atomic uint32_t pscm_kernel_round;

static struct {
	bool allowed;           /* to call getrusage() */
	bool by_thread, open;
	uint32_t executions, rounds;
	struct mon_kernel begin, execution, request;
} use;

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static bool read_use(int who, struct mon_kernel *out)
{
	struct rusage r;

	if (syscall(SYS_getrusage, who, &r))
		return false;
	*out = (struct mon_kernel){ .user_ns = ns_of(&r.ru_utime), .sys_ns = ns_of(&r.ru_stime),
		.minor = (uint64_t)r.ru_minflt, .major = (uint64_t)r.ru_majflt,
		.voluntary = (uint64_t)r.ru_nvcsw, .involuntary = (uint64_t)r.ru_nivcsw };
	return true;
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void add_grown(struct mon_kernel *to, const struct mon_kernel *now,
	const struct mon_kernel *before)
{
	to->user_ns += grown(now->user_ns, before->user_ns);
	to->sys_ns += grown(now->sys_ns, before->sys_ns);
	to->minor += grown(now->minor, before->minor);
	to->major += grown(now->major, before->major);
	to->voluntary += grown(now->voluntary, before->voluntary);
	to->involuntary += grown(now->involuntary, before->involuntary);
}

/* --- executions ------------------------------------------------------------------------------ */

static void often(bool yes)
{
	bool is = kernel_use_often();

	if (yes && !is)
		atomic_store(&pscm_kernel_round, ++use.rounds);
	else if (!yes && is)
		atomic_store(&pscm_kernel_round, 0);
}

void kernel_use_stop(void)
{
	often(false);
	use.allowed = use.open = false;
}

void kernel_use_arm(bool by_thread)
{
	static const struct mon_kernel none;

	often(false);
	use.allowed = !sandbox_around();
	use.by_thread = by_thread;
	use.open = false;
	use.executions = 0;
	use.execution = use.request = none;
}

void kernel_use_begin(void)
{
	enum { ASK_EVERY = 16 };

	if (use.allowed && ++use.executions % ASK_EVERY == 0 && sandbox_around()) {
		use.allowed = false;
		often(false);
	}
	use.open = use.allowed && read_use(RUSAGE_SELF, &use.begin);
}

void kernel_use_end(void)
{
	struct mon_kernel now;

	if (use.open && read_use(RUSAGE_SELF, &now))
		add_grown(&use.execution, &now, &use.begin);
	use.open = false;
}

struct mon_kernel kernel_use_take(void)
{
	static const struct mon_kernel none;
	const struct mon_kernel taken = use.execution;
	uint64_t ran;

	add_grown(&use.request, &taken, &none);
	use.execution = none;
	ran = use.request.user_ns + use.request.sys_ns;
	often(use.allowed && use.by_thread && (use.request.minor > ran / FAULT_EVERY_NS ||
		use.request.sys_ns > ran / SYSTEM_PART));
	return taken;
}

void kernel_use_sum(struct mon_request *r, const struct mon_kernel *execution, uint64_t ns)
{
	static const struct mon_kernel none;

	if (!r->kernel_executions++) {
		r->kernel[0] = none;
		r->phase_ns[0] = 0;
	}
	add_grown(&r->kernel[0], execution, &none);
	r->phase_ns[0] += ns;
}

void kernel_use_finish(struct mon_request *r)
{
	static const struct mon_kernel none;

	kernel_use_end();
	if (r->kernel_executions)
		add_grown(&r->kernel[0], &use.execution, &none);
	use.execution = none;
}

/* --- threads --------------------------------------------------------------------------------- */

void kernel_use_skip(struct pscm_thread *t)
{
	struct mon_kernel now;

	t->times.kernel_round = 0;
	if (!read_use(RUSAGE_THREAD, &now))
		return;
	t->times.kernel_round = atomic_load_explicit(&pscm_kernel_round, memory_order_relaxed);
	t->times.faults = now.minor;
	t->times.sys_ns = now.sys_ns;
}

void kernel_use_give(struct pscm_thread *t, uint32_t context, bool faults_alone)
{
	struct pscm_times *k = &t->times;
	uint64_t faults = k->faults, sys_ns = k->sys_ns;
	uint32_t round = k->kernel_round;

	kernel_use_skip(t);
	if (round && k->kernel_round == round)
		times_kernel(t, context, grown(k->faults, faults), faults_alone ? 0 :
			grown(k->sys_ns, sys_ns));
}
