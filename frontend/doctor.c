/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what can be measured on this host, and why the rest cannot. */
#include <config.h>

#include "frontend/doctor.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "frontend/facility.h"
#include "frontend/launch.h"
#include "frontend/metrics_list.h"
#include "frontend/netns.h"
#include "base/err.h"
#include "machine/machine.h"

static void line(const char *what, const char *state, const char *why)
{
	printf("  %-10s %-14s %s\n", what, state, why);
}

/* Events of the kernel, by opening those of each recipe. */
static void events(void)
{
	char text[200];
	int n = metrics_summary(text, sizeof text);

	line("perf", n > 0 ? "available" : "not available", text);
}

/* First touch of pages needs the kernel's page-fault events: tries to open one. */
static void page_faults(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof attr,
		.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1, .disabled = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ADDR, .exclude_kernel = 1,
		.exclude_hv = 1 };
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	char why[160];

	if (fd >= 0) {
		close((int)fd);
		line("placement", "available",
			"memory nodes of pages, by page faults (machine models with nodes)");
		return;
	}
	snprintf(why, sizeof why, "local and remote accesses stay undefined; page-fault events: %s",
		strerror(errno));
	line("placement", "not available", why);
}

static void mpirun(void)
{
	struct err err;
	char why[1200];

	line("mpirun", "default", launch_mpirun());
	if (netns_possible(&err) == 0) {
		line("", "", "in a network namespace: nothing listens outside");
		return;
	}
	snprintf(why, sizeof why,
		"listens on ALL networks of this host while an analysis runs: no network\n%27s"
		"namespace is possible here (%s).  With --agents local nothing listens", "",
		err.text);
	line("", "", why);
}

/* Prints how agents can be started. 0; -1: in no way. */
static int agents(void)
{
	char agent[4200];
	struct err err;
	bool mpi = launch_possible(AGENTS_MPIRUN, agent, sizeof agent, &err) == 0, local;

	if (mpi)
		mpirun();
	else
		line("mpirun", "not available", err.text);
	local = launch_possible(AGENTS_LOCAL, agent, sizeof agent, &err) == 0;
	if (local)
		line("local", mpi ? "available" : "default",
			"without MPI; nothing listens (--agents local)");
	else
		line("local", "not available", err.text);
	return mpi || local ? 0 : -1;
}

int doctor(void)
{
	struct machine m;
	struct err err;
	int rc;

	fidelity_card();
	printf("Collectors on this host:\n");
	line("sim", "available", "needs code compiled with psc_instrument; default for counts");
	line("time", "available", "needs code compiled with psc_instrument; default for times");
	page_faults();
	events();
	printf("Agents:\n");
	rc = agents();
	printf("Machine model of this host:\n");
	if (machine_here(&m, &err))
		line("machine", "none", err.text);
	else {
		line(m.name, "", m.title);
		if (m.note[0])
			line("", "", m.note);
	}
	return rc ? 2 : 0;
}
