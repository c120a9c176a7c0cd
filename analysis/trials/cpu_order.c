/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads where CPUs are, and sorts them. */
#include "analysis/trials/cpu_order.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *sys, uint32_t cpu, const char *name, uint64_t *out)
{
	char path[512];
	unsigned long long v;
	FILE *f;
	bool good;

	snprintf(path, sizeof path, "%s/cpu%u/topology/%s", sys, (unsigned)cpu, name);
	f = fopen(path, "re");
	if (!f)
		return false;
	good = fscanf(f, "%llu", &v) == 1;
	fclose(f);
	*out = good ? v : 0;
	return good;
}

/* A link to its node is in the directory of a CPU; without memory nodes there is none. */
static uint32_t node_of(const char *sys, uint32_t cpu)
{
	char path[512];
	unsigned node = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "%s/cpu%u", sys, (unsigned)cpu);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (sscanf(e->d_name, "node%u", &node) == 1)
			break;
	if (d)
		closedir(d);
	return node;
}

uint32_t cpu_places(const char *sys, struct cpu_place *out, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t cpu = 0; cpu < max && n < max; cpu++) {
		uint64_t package, core;

		/* A CPU that is off has no topology. */
		if (!read_number(sys, cpu, "physical_package_id", &package) ||
		    !read_number(sys, cpu, "core_id", &core))
			continue;
		out[n++] = (struct cpu_place){ .cpu = cpu, .node = node_of(sys, cpu),
			.socket = (uint32_t)package, .core = package << 32 | core };
	}
	return n;
}

static bool same_part(const struct cpu_place *a, const struct cpu_place *b)
{
	return a->node == b->node && a->socket == b->socket;
}

/* How many nodes of its socket, or sockets of its node, are before those of this CPU. */
static uint32_t turn_of(const struct cpu_place *p, uint32_t n, const struct cpu_place *of)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool first = (p[i].socket == of->socket && p[i].node < of->node) ||
			(p[i].node == of->node && p[i].socket < of->socket);

		for (uint32_t k = 0; k < i && first; k++)
			first = !same_part(&p[k], &p[i]);
		before += first;
	}
	return before;
}

/* Numbers the cores of each part that is one node's and one socket's, and the CPUs of each core, in
 * the order in which they come. */
static void number(struct cpu_place *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		p[i].nth = p[i].thread = 0;
		p[i].turn = UINT32_MAX;
		for (uint32_t k = 0; k < i; k++) {
			if (!same_part(&p[k], &p[i]))
				continue;
			p[i].turn = p[k].turn;
			if (p[k].core == p[i].core)
				p[i].thread++;
			else if (!p[k].thread)
				p[i].nth++;
		}
		if (p[i].turn == UINT32_MAX)
			p[i].turn = turn_of(p, n, &p[i]);
		for (uint32_t k = 0; k < i && p[i].thread; k++)
			if (p[k].core == p[i].core && same_part(&p[k], &p[i]))
				p[i].nth = p[k].nth;
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int closer(const void *a, const void *b)
{
	const struct cpu_place *p = a, *q = b;
	const int node = compare(p->node, q->node), socket = compare(p->socket, q->socket);
	const int core = compare(p->nth, q->nth), thread = compare(p->thread, q->thread);

	return node ? node : socket ? socket : core ? core : thread;
}

static int farther(const void *a, const void *b)
{
	const struct cpu_place *p = a, *q = b;
	const int thread = compare(p->thread, q->thread), core = compare(p->nth, q->nth);
	const int turn = compare(p->turn, q->turn), node = compare(p->node, q->node);

	return thread ? thread : core ? core : turn ? turn : node ? node :
		compare(p->socket, q->socket);
}

void cpu_order(struct cpu_place *p, uint32_t n, bool spread)
{
	number(p, n);
	if (n > 1)
		qsort(p, n, sizeof *p, spread ? farther : closer);
}
