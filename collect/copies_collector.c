/* SPDX-License-Identifier: BSD-3-Clause */
/* What the misses of a structure cost (--verify), by copies of the process that run an execution
 * with and without them. */
#include "collect/collector.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static bool gives(const struct collection *c, const struct need *need)
{
	struct check_request check;

	return measured_check_next(&c->whatif->check, c->measured, &check) &&
		check.object == need->object && !check.one_cpu;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct check_request check;

	(void)needs;
	if (!measured_check_next(&c->whatif->check, c->measured, &check))
		return false;
	plan_next_execution(c->host->config, MON_VERIFY, now->begun, out);
	out->want.object = check.object;
	out->want.clean_ns = check.clean_ns;
	return true;
}

/* --- why it could not be measured ------------------------------------------------------------ */

static const char *call_name(uint32_t number)
{
	static const struct { long number; const char *name; } calls[] = {
#define CALL(name) { SYS_##name, #name }
		CALL(read), CALL(write), CALL(writev), CALL(openat), CALL(close), CALL(lseek),
		CALL(mmap), CALL(munmap), CALL(mremap), CALL(mprotect), CALL(madvise), CALL(brk),
		CALL(futex), CALL(sched_yield), CALL(nanosleep), CALL(clock_nanosleep), CALL(clone),
		CALL(getpid), CALL(gettid), CALL(getrusage), CALL(times), CALL(ioctl), CALL(kill),
		CALL(sendto), CALL(recvfrom), CALL(sendmsg), CALL(recvmsg), CALL(rt_sigprocmask),
		CALL(rt_sigaction), CALL(exit), CALL(pread64), CALL(pwrite64), CALL(fsync),
		CALL(getrandom), CALL(gettimeofday), CALL(sched_getaffinity),
#undef CALL
	};

	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].number == number)
			return calls[i].name;
	return NULL;
}

static void word_call(const struct mon_verified *v, char *text, size_t size)
{
	const char *name = call_name(v->detail);

	if (name)
		snprintf(text, size,
			"the phase makes a system call (%s), which a copy must not make", name);
	else
		snprintf(text, size,
			"the phase makes a system call (number %u), which a copy must not make",
			(unsigned)v->detail);
}

/* A copy with aliased pages that ends otherwise than the one without follows the structure's
 * values. */
static const char follows[] =
	"its values are addresses or indices that the program follows, or decide what it does";

static void word_end(const struct mon_verified *v, char *text, size_t size)
{
	char how[120];

	if (v->refusal == MON_VERIFY_LATE)
		snprintf(how, sizeof how, "did not end within %.3g s", v->detail * 1e-3);
	else if (v->refusal == MON_VERIFY_SIGNAL && v->detail)
		snprintf(how, sizeof how, "was ended by signal %u (%s)", (unsigned)v->detail,
			strsignal((int)v->detail));
	else if (v->refusal == MON_VERIFY_SIGNAL)
		snprintf(how, sizeof how, "ended within the phase");
	else
		snprintf(how, sizeof how, "made other accesses");
	if (v->aliased)
		snprintf(text, size, "%s: the copy that had other values in it %s", follows, how);
	else
		snprintf(text, size, "a copy of the process %s", how);
}

static void word_refusal(const struct mon_verified *v, char *text, size_t size)
{
	switch ((enum mon_refusal)v->refusal) {
	case MON_VERIFY_NO_PAGES:
		snprintf(text, size, "less than half of it are whole pages of memory of its own");
		break;
	case MON_VERIFY_NO_MEMORY:
		snprintf(text, size, "there is not enough free memory for a copy of the process");
		break;
	case MON_VERIFY_NO_COPY:
		snprintf(text, size, "the process cannot be copied: %s", strerror((int)v->detail));
		break;
	case MON_VERIFY_NO_FILTER:
		snprintf(text, size, "the kernel does not confine copies (seccomp): %s",
			strerror((int)v->detail));
		break;
	case MON_VERIFY_DEVICE:
		snprintf(text, size, "the process has write access to the memory of a device");
		break;
	case MON_VERIFY_MAPPINGS:
		snprintf(text, size,
			"its %llu pages cannot be mapped anew: %s (the kernel limits mappings, "
			"vm.max_map_count)", (unsigned long long)v->pages,
			strerror((int)v->detail));
		break;
	case MON_VERIFY_MACHINE:
		snprintf(text, size, "not on this processor with pages of %u bytes",
			(unsigned)v->detail);
		break;
	case MON_VERIFY_ALIASES:
		snprintf(text, size, "this host takes %u ns to read a page that shares its frame "
			"with many others, as copies without misses have them",
			(unsigned)v->detail);
		break;
	case MON_VERIFY_NOT_RECORDED:
		snprintf(text, size, "the phase made no access that is recorded");
		break;
	case MON_VERIFY_INTERRUPTED:
		snprintf(text, size, "a signal came for the program");
		break;
	case MON_VERIFY_CALL:
		word_call(v, text, size);
		break;
	default:
		word_end(v, text, size);
	}
}

/* --- results --------------------------------------------------------------------------------- */

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	char why[400] = "";

	(void)now;
	(void)plan;
	(void)err;
	if (r->verified.refusal)
		word_refusal(&r->verified, why, sizeof why);
	measured_check_take(&c->whatif->check, &r->verified, why);
	return 0;
}

/* A kernel that takes filters for system calls misses the filter here. */
static bool here(const char *recipes, char *text, size_t size)
{
	const bool can = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0, 0, 0) && errno == EFAULT;

	(void)recipes;
	if (can)
		snprintf(text, size, "the kernel confines copies");
	else
		snprintf(text, size, "the kernel does not confine copies (seccomp): %s",
			strerror(errno));
	return can;
}

const struct collector collector_copies = {
	.name = "copies",
	.what = "what the misses of a structure cost (--verify): copies of the process, with and "
		"without them",
	.progress = "copies",
	.metrics = { METRIC_COST },
	.distorts = true,
	.gives = gives, .plan = plan, .take = take, .here = here,
};
