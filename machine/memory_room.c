/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory a calibration may take without hurting others or being killed. */
#include "machine/working_sets.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Reads the first number of a file.  False: there is none ("max"). */
static bool number_in(const char *path, uint64_t *value)
{
	FILE *f = fopen(path, "re");
	bool got = f && fscanf(f, "%" SCNu64, value) == 1;

	if (f)
		fclose(f);
	return got;
}

static uint64_t system_room(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	uint64_t kib = 0;
	char line[128];
	bool got = false;

	while (f && !got && fgets(line, sizeof line, f))
		got = sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1;
	if (f)
		fclose(f);
	return got ? kib * 1024 / 4 : UINT64_MAX;
}

/* What the limits of one directory of a control group's hierarchy leave. */
static uint64_t directory_room(const char *dir, const char *limit, const char *usage)
{
	char path[PATH_MAX];
	uint64_t most, used = 0;

	if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, limit) >= sizeof path
	    || !number_in(path, &most))
		return UINT64_MAX;
	if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, usage) < sizeof path)
		number_in(path, &used);
	return most > used ? (most - used) / 2 : 0;
}

/* A control group's parents limit it too. */
static uint64_t path_room(const char *mount, char *group, const char *limit, const char *usage)
{
	uint64_t room = UINT64_MAX;
	char dir[PATH_MAX];

	for (;;) {
		char *slash = strrchr(group, '/');

		snprintf(dir, sizeof dir, "%s%s", mount, group);
		room = least(room, directory_room(dir, limit, usage));
		if (!slash)
			return room;
		*slash = '\0';
	}
}

static uint64_t group_room(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	uint64_t room = UINT64_MAX;
	char line[2048];

	while (f && fgets(line, sizeof line, f)) {
		char *group = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		if (group && strncmp(line, "0::", 3) == 0)
			room = least(room, path_room("/sys/fs/cgroup", group, "memory.max",
				"memory.current"));
		else if (group && strstr(line, ":memory:"))
			room = least(room, path_room("/sys/fs/cgroup/memory", group,
				"memory.limit_in_bytes", "memory.usage_in_bytes"));
	}
	if (f)
		fclose(f);
	return room;
}

static uint64_t address_room(void)
{
	struct rlimit limit;
	uint64_t pages = 0;
	long page = sysconf(_SC_PAGESIZE);

	if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	number_in("/proc/self/statm", &pages);
	pages *= page > 0 ? (uint64_t)page : 4096;
	return limit.rlim_cur > pages ? (limit.rlim_cur - pages) / 2 : 0;
}

uint64_t memory_room(void)
{
	return least(system_room(), least(group_room(), address_room()));
}
