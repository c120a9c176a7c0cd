/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how much memory a copy of the process may take: what the machine has available, and what
 * every control group around the process leaves.  A group may kill all its
 * processes when it is full. */
#include "monitor/collect/process_copies.h"
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TEXT = 4096, PATH = 1024 };

/* Reads the beginning of a file; "" where it cannot. */
static void file_read(const char *path, char text[TEXT])
{
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	long n = fd < 0 ? -1 : syscall(SYS_read, fd, text, TEXT - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close((int)fd);
}

/* The decimal number at `at`, behind spaces; most: there is none ("max"). */
static uint64_t number(const char *at, uint64_t most)
{
	uint64_t v = 0;

	while (*at == ' ')
		at++;
	if (*at < '0' || *at > '9')
		return most;
	for (; *at >= '0' && *at <= '9'; at++)
		v = v > UINT64_MAX / 16 ? most : v * 10 + (uint64_t)(*at - '0');
	return v;
}

static uint64_t file_number(const char *directory, const char *name, uint64_t most)
{
	char path[PATH + 64], text[TEXT];

	strcpy(path, directory);
	strcpy(path + strlen(path), name);
	file_read(path, text);
	return number(text, most);
}

/* What the groups from `path` up to `root` leave.  path: at least as long as root; shortened. */
static uint64_t groups_leave(char *path, size_t root, const char *limit, const char *used)
{
	uint64_t least = UINT64_MAX;

	for (size_t n = strlen(path); ; path[n] = '\0') {
		uint64_t most = file_number(path, limit, UINT64_MAX);
		uint64_t now = most == UINT64_MAX ? 0 : file_number(path, used, 0);

		if (most != UINT64_MAX && least > most - (now < most ? now : most))
			least = most - (now < most ? now : most);
		if (n <= root)
			return least;
		while (n > root && path[n - 1] != '/')
			n--;
		n -= n > root;
	}
}

/* The group's path in a line of /proc/self/cgroup is appended to the root, if it fits. */
static uint64_t hierarchy_leaves(const char *line, const char *root, const char *limit,
	const char *used)
{
	char path[PATH];
	size_t n = strlen(root), i = 0;

	strcpy(path, root);
	while (line[i] && line[i] != '\n' && n + i < PATH - 1)
		i++;
	memcpy(path + n, line, i);
	path[n + i] = '\0';
	return groups_leave(path, n, limit, used);
}

static uint64_t groups_free(void)
{
	char text[TEXT];
	const char *at;
	uint64_t least = UINT64_MAX, v;

	file_read("/proc/self/cgroup", text);
	at = strstr(text, "0::/");
	if (at) {
		least = hierarchy_leaves(at + 3, "/sys/fs/cgroup", "/memory.max",
			"/memory.current");
		v = hierarchy_leaves(at + 3, "/sys/fs/cgroup/unified", "/memory.max",
			"/memory.current");
		least = v < least ? v : least;
	}
	at = strstr(text, ":memory:/");
	if (at) {
		v = hierarchy_leaves(at + 8, "/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
			"/memory.usage_in_bytes");
		least = v < least ? v : least;
	}
	return least;
}

uint64_t verify_memory_free(void)
{
	static const char name[] = "MemAvailable:";
	char text[TEXT];
	const char *at;
	uint64_t all, groups = groups_free();

	file_read("/proc/meminfo", text);
	at = strstr(text, name);
	all = at ? number(at + sizeof name - 1, 0) << 10 : 0;
	return all < groups ? all : groups;
}
