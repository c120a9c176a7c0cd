/* SPDX-License-Identifier: BSD-3-Clause */
/* The division of costs among findings, over a made-up process: its neighbours are here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/cost_cells.h"

/* phase > loop > inner, phase > other; A and B are structures, OTHERS has no name. */
enum { PHASE, LOOP, INNER, OTHER, NCONTEXTS };
enum { A = MON_OBJ_FIRST, B, OTHERS, NOBJECTS };
enum { MOST = 12 };

static const uint32_t parents[NCONTEXTS] = { NO_CONTEXT, PHASE, LOOP, PHASE };

struct made {
	double cell[NCONTEXTS][NOBJECTS];       /* s, without the contexts inside */
	struct measured_context contexts[NCONTEXTS];
	struct measurements measured;
	struct report report;
	struct report_finding findings[MOST];
	struct cost_place places[MOST];
};

static struct made *now;

static bool is_inside(uint32_t context, uint32_t around)
{
	while (context != around && context != NO_CONTEXT)
		context = parents[context];
	return context == around;
}

/* --- neighbours ------------------------------------------------------------------------------- */

static double cost(uint32_t context, uint32_t object)
{
	double sum = 0;

	for (uint32_t c = 0; c < NCONTEXTS; c++)
		for (uint32_t o = A; o < NOBJECTS; o++)
			if (is_inside(c, context) && (object == MON_ANY || o == object))
				sum += now->cell[c][o];
	return sum;
}

bool measured_tally(const struct measurements *p, uint32_t context, uint32_t object,
	struct tally *out)
{
	(void)p;
	memset(out, 0, sizeof *out);
	out->estimate.stall = cost(context, object);
	out->estimate.low = out->estimate.stall / 2;
	out->estimate.high = out->estimate.stall * 2;
	out->estimate.fault_time = out->estimate.stall / 10;
	out->estimate.fault_low = out->estimate.stall / 20;
	out->estimate.fault_high = out->estimate.stall / 5;
	out->estimate.faults = out->estimate.stall * 1000;
	return true;
}

uint32_t measured_objects_of(const struct measurements *p, uint32_t context, uint32_t **objects)
{
	(void)p;
	(void)context;
	*objects = calloc(2, sizeof **objects);
	(*objects)[0] = A;
	(*objects)[1] = B;
	return 2;
}

bool report_about_memory(const struct report_finding *f)
{
	return f->about == ABOUT_MEMORY;
}

int report_finding_compare(const struct report_finding *a, const struct report_finding *b)
{
	return strcmp(a->property, b->property);
}

/* --- findings --------------------------------------------------------------------------------- */

static struct made *begin(void)
{
	static struct made m;

	memset(&m, 0, sizeof m);
	for (int c = 0; c < NCONTEXTS; c++)
		m.contexts[c].parent = parents[c];
	m.measured.contexts = m.contexts;
	m.measured.ncontexts = NCONTEXTS;
	m.report.findings = m.findings;
	now = &m;
	return &m;
}

/* A finding of memory, whose estimate is that of its place, without the loop if rest. */
static struct report_finding *add(struct made *m, const char *property, uint32_t context,
	uint32_t object, bool rest)
{
	static uint32_t less[] = { LOOP };
	int i = m->report.nfindings++;

	m->places[i] = (struct cost_place){ context, object, less, rest };
	m->findings[i] = (struct report_finding){ .property = property, .about = ABOUT_MEMORY,
		.est_stall_share = cost(context, object) - (rest ? cost(LOOP, object) : 0) };
	return &m->findings[i];
}

static void divide(struct made *m)
{
	assert_int_equal(findings_divide(&m->measured, &m->report, m->places, 1), 0);
}

static void equal(double a, double b)
{
	if (fabs(a - b) > 1e-12)
		fail_msg("%g, not %g", a, b);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void the_innermost_finding_about_a_structure_has_its_cost(void **state)
{
	struct made *m = begin();
	struct report_finding *around, *inner;

	(void)state;
	m->cell[PHASE][A] = 0.1;
	m->cell[LOOP][A] = 0.2;
	m->cell[INNER][A] = 0.3;
	around = add(m, "FetchExcess", PHASE, A, false);
	inner = add(m, "MemoryStall", LOOP, A, false);
	divide(m);
	equal(inner->own_stall_share, 0.5);
	equal(around->own_stall_share, 0.1);
	equal(inner->own_stall_low_share, 0.25);
	equal(inner->own_stall_high_share, 1);
}

/* A tenth of each cell, beside what memory costs there. */
static void page_faults_are_divided_by_themselves(void **state)
{
	struct made *m = begin();
	struct report_finding *memory, *around, *inner;

	(void)state;
	m->cell[PHASE][A] = 0.1;
	m->cell[LOOP][A] = 0.2;
	m->cell[INNER][B] = 0.3;
	memory = add(m, "MemoryStall", LOOP, A, false);
	around = add(m, "PageFaults", PHASE, MON_ANY, false);
	inner = add(m, "PageFaults", LOOP, A, false);
	around->about = inner->about = ABOUT_FAULTS;
	divide(m);
	equal(memory->own_stall_share, 0.2);
	assert_true(isnan(memory->fault_share) && isnan(memory->page_faults) && isnan(inner->own_stall_share));
	equal(inner->fault_share, 0.02);
	equal(around->fault_share, 0.04);
	equal(around->fault_low_share, 0.02);
	equal(around->fault_high_share, 0.08);
	equal(inner->page_faults, 200);
}

static void of_two_properties_of_one_place_the_first_has_it(void **state)
{
	struct made *m = begin();
	struct report_finding *second, *first;

	(void)state;
	m->cell[LOOP][A] = 0.2;
	second = add(m, "P2", LOOP, A, false);
	first = add(m, "P1", LOOP, A, false);
	divide(m);
	equal(first->own_stall_share, 0.2);
	equal(second->own_stall_share, 0);
}

static void a_region_has_what_no_structure_s_finding_has(void **state)
{
	struct made *m = begin();
	struct report_finding *region, *a;

	(void)state;
	m->cell[LOOP][A] = 0.2;
	m->cell[INNER][B] = 0.1;
	m->cell[INNER][OTHERS] = 0.05;
	m->cell[OTHER][B] = 0.4;
	region = add(m, "MemoryStall", LOOP, MON_ANY, false);
	a = add(m, "MemoryStall", PHASE, A, false);
	divide(m);
	equal(a->own_stall_share, 0.2);
	equal(region->own_stall_share, 0.15);
}

static void what_a_finding_does_not_count_is_not_its_own(void **state)
{
	struct made *m = begin();
	struct report_finding *rest;

	(void)state;
	m->cell[PHASE][A] = 0.1;
	m->cell[INNER][A] = 0.3;
	m->cell[OTHER][A] = 0.05;
	rest = add(m, "MemoryStall", PHASE, A, true);
	divide(m);
	equal(rest->own_stall_share, 0.15);
}

static void what_is_not_about_memory_has_no_part(void **state)
{
	struct made *m = begin();
	struct report_finding *wait, *a;

	(void)state;
	m->cell[LOOP][A] = 0.2;
	wait = add(m, "LoadImbalance", LOOP, A, false);
	wait->about = ABOUT_THREADS;
	a = add(m, "MemoryStall", LOOP, A, false);
	divide(m);
	assert_true(isnan(wait->own_stall_share));
	equal(a->own_stall_share, 0.2);
}

/* Whatever the findings are: no cell is counted twice, none that a finding has is lost, and no
 * finding has more than its estimate. */
static void costs_are_partitioned(void **state)
{
	static const char *const properties[] = { "P1", "P2", "P3" };
	static const uint32_t objects[] = { A, B, MON_ANY };

	(void)state;
	srand(1);
	for (int round = 0; round < 500; round++) {
		struct made *m = begin();
		double sum = 0, most = 0;
		bool everything = false;

		for (int c = 0; c < NCONTEXTS; c++)
			for (int o = A; o < NOBJECTS; o++)
				m->cell[c][o] = rand() % 8 / 100.0;
		for (int i = rand() % MOST; i >= 0; i--) {
			uint32_t context = (uint32_t)rand() % NCONTEXTS;
			uint32_t object = objects[rand() % 3];
			bool rest = object != MON_ANY && context == PHASE && rand() % 2;

			everything |= context == PHASE && object == MON_ANY;
			add(m, properties[rand() % 3], context, object, rest);
		}
		divide(m);
		for (int i = 0; i < m->report.nfindings; i++) {
			const struct report_finding *f = &m->findings[i];

			assert_true(f->own_stall_share >= 0 &&
				f->own_stall_share <= f->est_stall_share + 1e-12);
			sum += f->own_stall_share;
			most = f->est_stall_share > most ? f->est_stall_share : most;
		}
		assert_true(sum <= cost(PHASE, MON_ANY) + 1e-12 && sum >= most - 1e-12);
		if (everything)
			equal(sum, cost(PHASE, MON_ANY));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_finding_about_a_structure_has_its_cost),
		cmocka_unit_test(page_faults_are_divided_by_themselves),
		cmocka_unit_test(of_two_properties_of_one_place_the_first_has_it),
		cmocka_unit_test(a_region_has_what_no_structure_s_finding_has),
		cmocka_unit_test(what_a_finding_does_not_count_is_not_its_own),
		cmocka_unit_test(what_is_not_about_memory_has_no_part),
		cmocka_unit_test(costs_are_partitioned),
	};

	return cmocka_run_group_tests_name("cost cells", tests, NULL, NULL);
}
