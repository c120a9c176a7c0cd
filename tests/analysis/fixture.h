/* SPDX-License-Identifier: BSD-3-Clause */
/* The fixture of the analysis tests: a program's structure and its properties, both given as text,
 * a machine, and hand-made contexts. */
#ifndef PSC_TESTS_ANALYSIS_FIXTURE_H
#define PSC_TESTS_ANALYSIS_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/measure/attributes.h"
#include "analysis/measure/measurements.h"

/* A program's structure as text; `inside` is further regions, "" for none. */
#define FIXTURE_PROGRAM(language, units) \
	"<sir language=\"" language "\" xmlns=\"http://www.lrr.in.tum.de/Periscope\">\n" units "</sir>\n"
#define FIXTURE_PLACE(unit, type, name, file, first, last) \
	" type=\"" type "\" name=\"" name "\" id=\"" #unit "-" #first "\"><position startLine=\"" #first \
	"\" endLine=\"" #last "\"><file name=\"" file "\"/></position>\n"
#define FIXTURE_UNIT(unit, name, file, first, last, inside) \
	"<unit" FIXTURE_PLACE(unit, "subroutine", name, file, first, last) inside "</unit>\n"
#define FIXTURE_REGION(unit, type, name, file, first, last, inside) \
	"<codeRegion" FIXTURE_PLACE(unit, type, name, file, first, last) inside "</codeRegion>\n"

struct fixture {
	char path[64];          /* of the structure, while it lasts */
	struct sir *sir;
	struct machine machine;
	struct asl_program *program;
	struct attributes *attributes;
};

/* The machine has no cache yet.  0, or -1 with a word on standard error. */
static inline int fixture_open(struct fixture *f, const char *sir, uint32_t nregions,
	const char *properties)
{
	struct asl_source source = { "test.asl", properties, strlen(properties) };
	struct err err = { "" };
	int fd;

	strcpy(f->path, "/tmp/test_analysis_XXXXXX.sir");
	fd = mkstemps(f->path, 4);
	if (fd < 0 || write(fd, sir, strlen(sir)) != (ssize_t)strlen(sir))
		return -1;
	close(fd);
	f->sir = sir_read(f->path, &err);
	if (!f->sir || f->sir->nregions != nregions) {
		fprintf(stderr, "sir_read: %s\n", err.text);
		return -1;
	}
	f->program = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr);
	if (!f->program)
		return -1;
	f->attributes = attributes_new(f->program);
	return f->attributes ? 0 : -1;
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
	attributes_free(f->attributes);
	asl_free(f->program);
	sir_free(f->sir);
	unlink(f->path);
}

/* For tests whose state is the fixture. */
static inline int fixture_tear_down(void **state)
{
	fixture_close(*state);
	return 0;
}

struct fixture_context {
	uint32_t parent, region;        /* parent: an earlier one; NO_CONTEXT */
};

/* Costs by which a miss takes the model's extra latency, whatever its class. */
static inline void fixture_costs(struct measurements *p)
{
	const struct machine_flat *m = &p->machine->flat;

	memset(&p->costs, 0, sizeof p->costs);
	p->costs.nlevels = m->nlevels;
	p->costs.cycle = 1;
	for (uint32_t l = 0; l <= m->nlevels; l++)
		for (int i = 0; i < COST_PATTERNS; i++) {
			double ns = l < m->nlevels ? m->level[l].latency : m->memory_latency;

			p->costs.line[l][i] = (struct cost){ ns, ns, ns };
		}
}

/* The measurements of a process with these contexts, in the order of their parents' children,
 * without any figures yet. */
static inline struct measurements *fixture_measurements(const struct fixture *f, int rank, uint32_t threads,
	const struct fixture_context *contexts, uint32_t n)
{
	struct measurements *p = measured_new(f->sir, &f->machine, rank);

	fixture_costs(p);
	p->threads = threads;
	p->contexts = calloc(n, sizeof *p->contexts);
	p->ncontexts = n;
	for (uint32_t c = 0; c < n; c++) {
		uint32_t *at, parent = contexts[c].parent;

		p->contexts[c] = (struct measured_context){ .parent = parent, .child = NO_CONTEXT,
			.next = NO_CONTEXT, .region = contexts[c].region };
		if (parent == NO_CONTEXT)
			continue;
		at = &p->contexts[parent].child;
		while (*at != NO_CONTEXT)
			at = &p->contexts[*at].next;
		*at = c;
	}
	return p;
}

/* Its objects, all of them declared in one file; those whose name is NULL have none. */
static inline void fixture_objects(struct measurements *p, const char *file, const char *const *names,
	uint32_t n)
{
	p->objects = calloc(n, sizeof *p->objects);
	p->nobjects = n;
	for (uint32_t i = 0; i < n; i++)
		p->objects[i] = (struct measured_object){ .name = strdup(names[i] ? names[i] : ""),
			.source = strdup(file), .region = SIR_NONE };
}

/* Times that are given as wall time alone: the threads compute all the time. */
static inline void fixture_busy(struct mon_time_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!rows[i].cpu_ns && !rows[i].wait_ns)
			rows[i].cpu_ns = rows[i].wall_ns;
}

/* Adds the times of one execution, or its counts as the filters select them: 0 / -1, as
 * measured_add_counts(). */
static inline int fixture_times(struct measurements *p, uint64_t phase_ns, const struct mon_time_row *rows,
	size_t n)
{
	struct mon_time_row *own = malloc((n + 1) * sizeof *own);
	struct mon_result r = { .state = MON_DONE, .kind = MON_TIME, .executions = 1,
		.phase_ns = { phase_ns }, .times = own, .ntimes = (uint32_t)n };
	int rc;

	memcpy(own, rows, n * sizeof *own);
	fixture_busy(own, n);
	rc = measured_add_times(p, &r, NULL);
	free(own);
	return rc;
}

/* So many words of records more were played, and could not be kept. */
static inline int fixture_lost(struct measurements *p, uint64_t words, uint64_t lost)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .words = words, .lost = lost };
	struct mon_filter none = { .context = MON_ANY, .object = MON_ANY - 1 };

	return measured_add_counts(p, &r, &none, 1, NULL);
}

static inline int fixture_counts(struct measurements *p, const struct mon_count_row *rows, size_t n,
	const struct mon_filter *filters, uint32_t nfilters)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .records = 1000,
		.counts = (struct mon_count_row *)(uintptr_t)rows, .ncounts = (uint32_t)n };

	return measured_add_counts(p, &r, filters, nfilters, NULL);
}

/* But for rounding. */
static inline bool eq(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

#endif
