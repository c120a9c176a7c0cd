/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the search stand on: a program's structure and its properties, both given as text, a
 * machine, and contexts made by hand. */
#ifndef PSC_TESTS_AGENTS_FIXTURE_H
#define PSC_TESTS_AGENTS_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/bind.h"
#include "agents/perf.h"

struct fixture {
	char path[64];          /* of the structure, while it lasts */
	struct sir *sir;
	struct machine machine;
	struct asl_program *program;
	struct binding *binding;
};

/* The machine has no cache yet.  0, or -1 with a word on standard error. */
static inline int fixture_open(struct fixture *f, const char *sir, uint32_t nregions,
	const char *properties)
{
	struct asl_source source = { "test.asl", properties, strlen(properties) };
	struct err err = { "" };
	int fd;

	strcpy(f->path, "/tmp/test_agents_XXXXXX.sir");
	fd = mkstemps(f->path, 4);
	if (fd < 0 || write(fd, sir, strlen(sir)) != (ssize_t)strlen(sir))
		return -1;
	close(fd);
	f->sir = sir_read(f->path, &err);
	if (!f->sir || f->sir->nregions != nregions) {
		fprintf(stderr, "sir_read: %s\n", err.text);
		return -1;
	}
	f->program = asl_compile(&source, 1, NULL, 0, asl_diag_print, stderr);
	if (!f->program)
		return -1;
	f->binding = binding_new(f->program);
	return f->binding ? 0 : -1;
}

/* One level of 10 cycles, memory 110, 1 GHz. */
static inline void fixture_cache(struct fixture *f)
{
	f->machine.ghz = 1;
	f->machine.flat.nlevels = 1;
	f->machine.flat.level[0] = (struct machine_level){ .level = 3, .line = 64, .latency = 10 };
	f->machine.flat.memory_latency = 110;
}

static inline void fixture_close(struct fixture *f)
{
	binding_free(f->binding);
	asl_free(f->program);
	sir_free(f->sir);
	unlink(f->path);
}

/* Context n of `region`, behind the other children of its parent. */
static inline void fixture_context(struct perf *p, uint32_t n, uint32_t parent, uint32_t region)
{
	uint32_t *at;

	p->contexts[n] = (struct perf_context){ .parent = parent, .child = PERF_NONE,
		.next = PERF_NONE, .region = region };
	if (parent == PERF_NONE)
		return;
	at = &p->contexts[parent].child;
	while (*at != PERF_NONE)
		at = &p->contexts[*at].next;
	*at = n;
}

#endif
