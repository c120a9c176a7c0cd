/* SPDX-License-Identifier: BSD-3-Clause */
/* tried_faults STEPS MODE: counts up words of a table in each step.  In the first step in which
 * malloc, the thread's CPUs or the table's node are not as at the start, else in the last one:
 *   fork    a child looks at the same        thread  a thread is made, which lives to the end
 *   unmap   the table is allocated anew      exit    the program ends
 *   kill    it is killed                     tool    it kills the tool, if that is its parent, and
 *                                                    waits for the state at the start
 * All but kill print whether sums, malloc, CPUs and memory policies are as at the start: none
 * depends on a trial. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 8 << 20, WORDS = BYTES / 8, LOOKS = 20000, AFTER = 40, MOST = 2000000,
	LARGE = 2 << 20 /* bytes of a large page */, PLACES = 3,
	GREAT = 40 << 20 /* malloc's threshold never rises to that */ };

struct state {
	int maps;               /* malloc maps a great block by itself */
	int cpus;               /* that the thread may use */
	int nodes[PLACES];      /* of pages of the table: their neighbours may be a large page */
	int policy, of_table;
};

static uint64_t *table;
static struct state start;
static atomic_int over;

static void allocate(void)
{
	free(table);
	table = aligned_alloc(LARGE, BYTES);
	if (!table)
		exit(1);
	memset(table, 0, BYTES);
}

static int cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

static struct state now(void)
{
	size_t *volatile great = malloc(GREAT);
	void *pages[PLACES] = { table, (char *)table + 4096, (char *)table + LARGE };
	struct state s = { .maps = (int)(great[-1] >> 1 & 1), .cpus = cpus(),
		.nodes = { -1, -1, -1 }, .policy = -1, .of_table = -1 };

	free(great);
	syscall(SYS_move_pages, 0, (unsigned long)PLACES, pages, NULL, s.nodes, 0);
	syscall(SYS_get_mempolicy, &s.policy, NULL, 0UL, NULL, 0UL);
	syscall(SYS_get_mempolicy, &s.of_table, NULL, 0UL, table, 2UL /* MPOL_F_ADDR */);
	return s;
}

/* A bit for each difference. */
static int other(void)
{
	const struct state s = now();

	return (s.maps != start.maps) | (s.cpus != start.cpus) << 1 |
		(memcmp(s.nodes, start.nodes, sizeof s.nodes) != 0) << 2 |
		(s.policy != start.policy) << 3 | (s.of_table != start.of_table) << 4;
}

static uint64_t __attribute__((noinline)) step(uint64_t *t, uint64_t at)
{
	for (int i = 0; i < LOOKS; i++) {
		at = at * UINT64_C(6364136223846793005) + 1442695040888963407u;
		t[at >> 20 & (WORDS - 1)]++;
	}
	return at;
}

static int wrong_sums(uint64_t looks)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < WORDS; i++)
		sum += table[i];
	return sum != looks;
}

static void *live(void *arg)
{
	while (!atomic_load(&over))
		usleep(1000);
	*(int *)arg = cpus();
	return NULL;
}

static int child_other(void)
{
	int status, pid = fork();

	if (!pid) {
		other();        /* the first release gives back what malloc has kept */
		_exit(other());
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Is it a program of the tool's?  parent: its own. */
static int is_of_tool(int pid, int *parent)
{
	char path[64];
	FILE *f;
	int n;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	f = fopen(path, "r");
	n = f ? fscanf(f, "%*d (psc_%*[^)]) %*c %d", parent) : 0;
	if (f)
		fclose(f);
	return n == 1;
}

/* The front end, and its agents if they are its children. */
static void kill_the_tool(void)
{
	const int front = getppid();
	struct dirent *e;
	int parent;
	DIR *d = opendir("/proc");

	if (!is_of_tool(front, &parent))
		return;
	while (d && (e = readdir(d)) != NULL)
		if (is_of_tool(atoi(e->d_name), &parent) && parent == front)
			kill(atoi(e->d_name), SIGKILL);
	if (d)
		closedir(d);
	kill(front, SIGKILL);
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 1;
	const char *mode = argc > 2 ? argv[2] : "";
	int last = steps, child = 0, made = 0, done = 0;
	uint64_t looks = 0, at = 1;
	pthread_t thread;

	allocate();
	start = now();
	for (int i = 0; i < last; i++) { /* the steps */
		const int b = other();

		at = step(table, at);
		looks += LOOKS;
		if (done && !strcmp(mode, "tool") && b && last < MOST)
			last++;
		if (done || !(b || i == steps - 1))
			continue;
		if (b)
			fprintf(stderr, "in state B\n");
		done = 1;
		last = i + AFTER;
		if (!strcmp(mode, "fork"))
			child = child_other();
		if (!strcmp(mode, "thread"))
			made = !pthread_create(&thread, NULL, live, &child);
		if (!strcmp(mode, "unmap")) {
			allocate();
			looks = 0;
		}
		if (!strcmp(mode, "kill"))
			raise(SIGKILL);
		if (!strcmp(mode, "exit"))
			break;
		if (!strcmp(mode, "tool"))
			kill_the_tool();
	}
	atomic_store(&over, 1);
	if (made) {
		pthread_join(thread, NULL);
		child = child != start.cpus;
	}
	if (!strcmp(mode, "exit"))
		printf("wrong sums: %d\n", wrong_sums(looks));
	else
		printf("wrong sums: %d; child or thread: %d; at the end: %d\n",
			wrong_sums(looks), child, other() & ~4);
	return 7;
}
