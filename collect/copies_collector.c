/* SPDX-License-Identifier: BSD-3-Clause */
/* What the misses of a structure cost (--verify), by copies of the process that run an execution with and without them. */
#include "collect/collector.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static bool gives(const struct collection *c, const struct need *need)
{
	struct check_request check;

	return measured_check_next(&c->whatif->check, c->measured, &check) && check.object == need->object && !check.one_cpu;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out)
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

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan, const struct mon_result *r,
	struct err *err)
{
	(void)now;
	(void)plan;
	(void)err;
	measured_check_take(&c->whatif->check, r);
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
		snprintf(text, size, "the kernel does not confine copies (seccomp): %s", strerror(errno));
	return can;
}

const struct collector collector_copies = {
	.name = "copies",
	.what = "what the misses of a structure cost (--verify): copies of the process, with and without them",
	.progress = "copies",
	.metrics = { METRIC_COST },
	.distorts = true,
	.gives = gives, .plan = plan, .take = take, .here = here,
};
