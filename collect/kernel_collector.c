/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel does in the phase, in further executions: asked for where the clean ones were too
 * short for ticks to tell. */
#include "collect/collector.h"

#include <math.h>

#include "analysis/measure/cpu_parts.h"
#include "analysis/measure/kernel_use.h"

#define KERNEL_MATTERS 0.1      /* of what computing and memory take */
/* s: reading the kernel's figures at both ends of an execution takes some us */
#define KERNEL_SHORT 1e-4

/* True: so much of the phase's time is neither memory nor computing that more about the kernel is
 * worth knowing. */
static bool matters(const struct measurements *measured)
{
	struct cpu_parts parts;

	measured_cpu_parts(measured, &parts);
	return parts.kernel + parts.library + parts.unexplained >
		KERNEL_MATTERS * (parts.computing + parts.memory);
}

/* Not of ranks, as others may be recording then. */
static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	const uint32_t lacking = kernel_use_lacking(c->measured);
	bool *asked = collection_state(c, &collector_kernel);

	(void)needs;
	if (*asked || !lacking || now->rank || now->exited || now->run > 1 || !matters(c->measured))
		return false;
	*asked = true;
	plan_next_execution(c->host->config, MON_TIME, now->begun, out);
	out->want.warm = 1;             /* its caches may be cold */
	out->want.count = lacking;
	out->want.kernel_only = measured_phase_wall(c->measured) < KERNEL_SHORT ? MON_KERNEL_WHOLE :
		MON_KERNEL_EACH;
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	(void)now;
	(void)plan;
	return kernel_use_more(c->measured, r) ? err_nomem(err) : 0;
}

const struct collector collector_kernel = {
	.name = "kernel",
	.what = "what the kernel does in short executions: further ones, without recording",
	.metrics = { METRIC_KERNEL },
	.quiet = true,
	.patience = { .ns = UINT64_C(700000000) },
	.state = sizeof(bool),
	.plan = plan, .take = take,
};
