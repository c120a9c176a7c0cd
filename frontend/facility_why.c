/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells why the kernel refuses an event: its settings, a filter of system calls, or a virtual
 * machine. */
#include <config.h>

#include "frontend/facility.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/metrics.h"

/* Finds a line of a file by how it begins, and copies the rest of it.  -1: there is none. */
static int read_field(const char *file, const char *name, char *out, size_t size)
{
	FILE *f = fopen(file, "re");
	char line[4096];
	int rc = -1;

	while (f && rc && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0) {
			snprintf(out, size, "%s", line + strlen(name));
			rc = 0;
		}
	if (f)
		fclose(f);
	return rc;
}

static int is_filtered(void)
{
	char mode[32];
	int n = 0;

	return read_field("/proc/self/status", "Seccomp:", mode, sizeof mode) == 0 &&
		sscanf(mode, "%d", &n) == 1 && n == 2;
}

int facility_is_virtual(void)
{
	char flags[4096];

	return read_field("/proc/cpuinfo", "flags", flags, sizeof flags) == 0 &&
		strstr(flags, " hypervisor") != NULL;
}

void facility_refused(int error, char *why, size_t size)
{
	const int forbidden = error == EPERM || error == EACCES || error == ENOSYS;
	const int missing =
		error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENXIO;

	if (forbidden && is_filtered())
		snprintf(why, size,
			"a filter of system calls (seccomp) is in force, as containers have it, "
			"and perf_event_open is not "
			"allowed: allow it there (Docker: --cap-add PERFMON, or another "
			"--security-opt seccomp=FILE)");
	else if (missing && facility_is_virtual())
		snprintf(why, size,
			"virtual machine: ask for one that passes the processor's counters on, or "
			"use a machine of your own");
	else
		event_refused(error, why, size);
}
