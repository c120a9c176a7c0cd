/* SPDX-License-Identifier: BSD-3-Clause */
/* Page faults: why memory is new in each execution, and which structure and context they are of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/measure/cpu_parts.h"
#include "analysis/measure/fault_costs.h"
#include "analysis/measure/kernel_use.h"
#include "base/abi.h"
#include "tests/analysis/fixture.h"

/* Two loops in a phase. */
static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "step", "step.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "step.c", 9, 80,
			FIXTURE_REGION(1, "loop", "", "step.c", 20, 24, "")
			FIXTURE_REGION(1, "loop", "", "step.c", 30, 34, ""))));

enum { R_STEP, R_PHASE, R_FILL, R_READ };
enum { C_PHASE, C_FILL, C_READ, NCONTEXTS };
enum { A = MON_OBJ_FIRST, B, NOBJECTS };
enum { US = 1000, EXECUTIONS = 3, FAULTS = 100 };

static const char properties[] =
"class Region { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; };\n"
"PROPERTY Long(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";

static struct fixture f;

static int set_up(void **state)
{
	(void)state;
	if (fixture_open(&f, sir_text, 4, properties))
		return -1;
	fixture_cache(&f);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fixture_close(&f);
	return 0;
}

/* A block of `pages` pages that is allocated in each of two recorded executions. */
static void allocate_again(struct measured_object *o, double pages)
{
	o->kind = MON_KIND_HEAP;
	o->size = (uint64_t)(pages * FAULT_PAGE);
	o->largest = pages * FAULT_PAGE;
	o->allocated = 2 * pages * FAULT_PAGE;
	o->allocations = o->executions = 2;
}

/* Three executions of 1 ms with FAULTS faults, of which the first loop has 3/4 and the other 1/4, at 1 us each. */
static struct measurements *process(void)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_FILL] = { C_PHASE, R_FILL }, [C_READ] = { C_PHASE, R_READ },
	};
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p = fixture_measurements(&f, 0, 1, contexts, NCONTEXTS);
	static const uint64_t faults[NCONTEXTS] = { FAULTS, 3 * FAULTS / 4, FAULTS / 4 };
	struct mon_time_row rows[EXECUTIONS * NCONTEXTS];
	struct mon_result r = { .state = MON_DONE, .kind = MON_TIME, .executions = EXECUTIONS, .times = rows };

	fixture_objects(p, "src/step.c", names, NOBJECTS);
	p->costs.fault.one = p->costs.fault.all = (struct cost){ 1000, 500, 2000 };
	p->costs.fault.threads = 1;
	p->costs.source = COST_MEASURED;
	p->modelled = false;
	for (uint32_t e = 0; e < EXECUTIONS; e++) {
		r.phase_ns[e] = 1000 * US;
		r.kernel[e] = (struct mon_kernel){ .user_ns = 900 * US, .minor = FAULTS };
		for (uint32_t c = 0; c < NCONTEXTS; c++) {
			uint64_t ns = c == C_PHASE ? 1000 * US : 400 * US;

			rows[r.ntimes++] = (struct mon_time_row){ .context = c, .execution = e, .wall_ns = ns, .cpu_ns = ns,
				.calls = 1, .brief = MON_BRIEF_NOT, .faults = faults[c] };
		}
	}
	assert_int_equal(measured_add_times(p, &r, NULL), 0);
	return p;
}

/* The first loop stores to both, the second reads a, and stores to b as often as `stores`. */
static void add_counts(struct measurements *p, uint64_t stores)
{
	const struct mon_count_row rows[] = {
		{ .context = C_FILL, .object = MON_OBJ_WORK, .core_low = 8 * US, .core_high = 80 * US, .statements = 10 },
		{ .context = C_FILL, .object = A, .stores = 1000 },
		{ .context = C_READ, .object = MON_OBJ_WORK, .core_low = 8 * US, .core_high = 80 * US, .statements = 10 },
		{ .context = C_READ, .object = A, .loads = 1000 },
		{ .context = C_READ, .object = B, .loads = 10, .stores = stores },
	};

	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof *rows, NULL, 0), 0);
}

static double faults_of(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	return measured_tally(p, context, object, &t) ? t.estimate.faults : NAN;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * fmax(1, fabs(b));
}

static struct measured_object blocks(double allocations, double grown, double mapped, uint32_t made)
{
	return (struct measured_object){ .kind = MON_KIND_HEAP, .size = 100000, .allocated = 1e6, .largest = 100000,
		.allocations = allocations, .grown = grown, .mapped = mapped, .made = made };
}

static void the_cause_is_what_allocates(void **state)
{
	struct measurements *p = process();
	const struct {
		struct measured_object o;
		enum fault_cause cause;
	} cases[] = {
		{ blocks(10, 0, 0, 0), FAULT_ALLOCATED },
		{ blocks(10, 0, 8, 0), FAULT_MAPPED },
		{ blocks(10, 0, 2, 0), FAULT_ALLOCATED },       /* malloc's threshold follows the blocks */
		{ blocks(100, 97, 0, 0), FAULT_GROWN },
		{ blocks(100, 97, 90, 0), FAULT_GROWN },        /* whoever has mapped them */
		{ blocks(100, 97, 0, PSC_SITE_REALLOC), FAULT_REALLOC },
		{ blocks(100, 10, 0, PSC_SITE_REALLOC), FAULT_ALLOCATED },
		{ blocks(3, 2, 0, 0), FAULT_ALLOCATED },        /* too few to tell */
		{ blocks(100, 50, 0, 0), FAULT_ALLOCATED },     /* grids, large and small in turn */
		{ blocks(10, 0, 8, PSC_SITE_AUTOMATIC), FAULT_AUTOMATIC },
		{ blocks(10, 0, 0, PSC_SITE_TEMPORARY), FAULT_TEMPORARY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (fault_cause_of(p, &cases[i].o) != cases[i].cause)
			fail_msg("case %zu: %s, not %s", i, fault_cause_names[fault_cause_of(p, &cases[i].o)],
				fault_cause_names[cases[i].cause]);
	measured_free(p);
}

static void memory_that_stays_is_not_allocated_again(void **state)
{
	struct measurements *p = process();
	struct measured_object once = blocks(1, 0, 1, 0), stack = blocks(10, 0, 0, 0);

	(void)state;
	once.allocated = (double)once.size;
	stack.kind = MON_KIND_LOCAL;
	assert_true(fault_bytes_again(p, &once) == 0 && fault_bytes_again(p, &stack) == 0);
	assert_int_equal(fault_cause_of(p, &once), FAULT_FRESH);
	assert_int_equal(fault_cause_of(p, &stack), FAULT_FRESH);
	assert_true(isnan(fault_left(p, &once)));
	once.executions = 2;            /* and kept until the next is there */
	assert_true(fault_bytes_again(p, &once) == (double)once.size / 2);
	measured_free(p);
}

/* Of a list of 1000 blocks to 100 KB by a constant, 50 MB in all, twice the largest remains. */
static void growing_by_a_factor_leaves_about_twice_the_largest_block(void **state)
{
	struct measurements *p = process();
	struct measured_object by_constant = blocks(1000, 999, 0, 0), by_factor = blocks(8, 7, 0, 0), again = blocks(8, 0, 0, 0);

	(void)state;
	by_constant.allocated = 50e6;
	by_factor.allocated = 200000;
	assert_true(near(fault_left(p, &by_constant), 200000 / 50e6));
	assert_true(near(fault_left(p, &by_factor), 1));
	assert_true(near(fault_left_of_cure(p, &by_factor), 0.5));      /* by its final size at once */
	assert_true(near(fault_left_of_cure(p, &by_constant), fault_left(p, &by_constant)));
	assert_true(fault_left(p, &again) == 0);
	measured_free(p);
}

/* 75 of the faults are in the loop that fills a, which is allocated again with 80 pages; the other loop only reads it, and
 * has stored to b. */
static void faults_are_of_the_structure_that_is_stored_to(void **state)
{
	struct measurements *p = process();

	(void)state;
	allocate_again(&p->objects[A], 80);
	allocate_again(&p->objects[B], 30);
	add_counts(p, 500);
	assert_true(near(faults_of(p, C_FILL, A), 75));
	assert_true(near(faults_of(p, C_READ, A), 0));
	assert_true(near(faults_of(p, C_READ, B), 25));
	assert_true(near(faults_of(p, C_PHASE, A), 75));
	assert_true(near(faults_of(p, C_PHASE, MON_ANY), 100));
	measured_free(p);
}

/* Neither a nor b is stored to in the second loop, but libraries may have. */
static void without_stores_faults_are_of_what_is_accessed(void **state)
{
	struct measurements *p = process();

	(void)state;
	allocate_again(&p->objects[A], 80);
	allocate_again(&p->objects[B], 20);
	add_counts(p, 0);
	assert_true(near(faults_of(p, C_READ, A), 20));
	assert_true(near(faults_of(p, C_READ, B), 5));
	measured_free(p);
}

static void faults_without_a_block_are_the_contexts(void **state)
{
	struct measurements *p = process();

	(void)state;
	add_counts(p, 500);
	assert_true(near(faults_of(p, C_FILL, A), 0));
	assert_true(near(faults_of(p, C_FILL, MON_ANY), 75));
	measured_free(p);
}

/* In a program whose phase is executed once, they may be first touches that happen once. */
static void in_a_single_execution_only_blocks_have_faults(void **state)
{
	struct measurements *p = process();

	(void)state;
	p->expected_ns = 1e6;
	allocate_again(&p->objects[A], 80);
	add_counts(p, 500);
	assert_true(near(faults_of(p, C_FILL, A), 75));
	assert_true(near(faults_of(p, C_FILL, MON_ANY), 75));
	assert_true(near(faults_of(p, C_READ, MON_ANY), 25));   /* a is accessed there, too */
	measured_free(p);
	p = process();
	p->expected_ns = 1e6;
	add_counts(p, 500);
	assert_true(near(faults_of(p, C_PHASE, MON_ANY), 0));
	measured_free(p);
}

/* The verdict and the problems say the same number. */
static void their_time_sums_to_the_phases(void **state)
{
	struct measurements *p = process();
	struct cpu_parts parts;
	struct tally t;

	(void)state;
	allocate_again(&p->objects[A], 80);
	add_counts(p, 500);
	measured_cpu_parts(p, &parts);
	assert_true(measured_tally(p, C_PHASE, MON_ANY, &t));
	assert_true(near(t.estimate.fault_time * 1e9, parts.faults * 1e9));
	assert_true(near(parts.faults, 100e-6));
	assert_true(near(t.estimate.fault_low, 50e-6) && near(t.estimate.fault_high, 200e-6));
	measured_free(p);
}

static void another_machines_model_has_none(void **state)
{
	struct measurements *p = process();

	(void)state;
	p->modelled = true;
	allocate_again(&p->objects[A], 80);
	add_counts(p, 500);
	assert_true(near(faults_of(p, C_PHASE, MON_ANY), 0));
	measured_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cause_is_what_allocates),
		cmocka_unit_test(memory_that_stays_is_not_allocated_again),
		cmocka_unit_test(growing_by_a_factor_leaves_about_twice_the_largest_block),
		cmocka_unit_test(faults_are_of_the_structure_that_is_stored_to),
		cmocka_unit_test(without_stores_faults_are_of_what_is_accessed),
		cmocka_unit_test(faults_without_a_block_are_the_contexts),
		cmocka_unit_test(in_a_single_execution_only_blocks_have_faults),
		cmocka_unit_test(their_time_sums_to_the_phases),
		cmocka_unit_test(another_machines_model_has_none),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
