/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/report/made.h"

struct made made_begin(void)
{
	struct made m = { .r = report_new() };

	m.r->command = "./heat";
	m.r->nprocs = m.r->nthreads = 1;
	m.r->phase = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "heat.f90", .line = 10 };
	m.r->phase_time = m.r->cpu_time = 0.1;
	m.r->est_stall = 0.06;
	m.r->est_stall_low = 0.03;
	m.r->est_stall_high = 0.08;
	m.r->strategy = BY_SHARE;
	sample_asked(m.r, (const char *const[]){ "memory", "sharing" }, 2, 2);
	m.r->findings = arena_array(m.r->arena, MADE_MOST, sizeof *m.r->findings);
	return m;
}

struct report_node made_node(enum region_type type, const char *name, int line)
{
	return (struct report_node){ .type = type, .name = name, .file = "heat.f90", .line = line,
		.measure = NAN, .measure_error = NAN, .time = NAN, .holds = true };
}

struct report_finding *made_add(struct made *m, const char *property, int line, const char *structure,
	const char *kind, double est)
{
	struct report_finding *f = &m->r->findings[m->r->nfindings];
	struct report_node *path = m->path[m->r->nfindings++];

	path[f->npath++] = made_node(REGION_LOOP, "", 10);
	if (line)
		path[f->npath++] = made_node(REGION_LOOP, "", line);
	if (structure)
		path[f->npath++] = made_node(REGION_DATA_STRUCTURE, structure, 1);
	f->path = path;
	f->property = property;
	f->file = "memory.asl";
	f->kind = kind ? miss_kind_from_name(kind) : MISS_UNKNOWN;
	f->about = ABOUT_MEMORY;
	f->severity_is_time = true;
	f->severity_is_index = false;
	f->severity_share = f->est_stall_share = est;
	f->est_stall_low_share = est / 2;
	f->est_stall_high_share = est * 1.2;
	f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = NAN;
	f->page_faults = f->fault_share = f->fault_low_share = f->fault_high_share = f->fault_left = NAN;
	f->severity = est * 0.1;
	f->confidence = f->coverage = 1;
	f->time_share = 0.5;
	return f;
}

struct report_finding *made_own(struct report_finding *f, double own)
{
	f->own_stall_share = own;
	f->own_stall_low_share = own / 2;
	f->own_stall_high_share = own * 1.2;
	return f;
}

struct report_problems made_problems(struct made *m)
{
	assert_int_equal(report_finish(m->r), 0);
	return m->r->problems;
}

void made_end(struct made *m, struct report_problems *p)
{
	*p = (struct report_problems){ 0 };
	report_free(m->r);
}

void made_advise(struct report_finding *f, const char *why, const char *advice)
{
	f->why = why;
	f->advice = advice;
}

struct report_finding *made_call(struct made *m, const char *property, int line, double severity)
{
	struct report_finding *f = made_add(m, property, line, NULL, NULL, 0);
	struct report_node *path = m->path[m->r->nfindings - 1];

	path[f->npath++] = made_node(REGION_CALL, "MPI_Waitall", 50);
	f->about = ABOUT_THREADS;
	f->severity_share = severity;
	f->nprocesses = 1;
	made_advise(f, "calls of MPI take long", "see for whom they wait");
	return f;
}

const struct report_style made_screen = { .width = 80, .part = REPORT_SHORT, .lines = REPORT_SCREEN,
	.psc = "heat.psc" };

void has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("not in the text: \"%s\"\n%s", words, text);
}

void has_not(const char *text, const char *words)
{
	if (strstr(text, words))
		fail_msg("\"%s\" in:\n%s", words, text);
}
