/* SPDX-License-Identifier: BSD-3-Clause */
/* What the phase's processor time consists of: a loop with accesses, a call of qsort() that
 * calls back, a loop that accesses nothing, and the phase's own code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/measure/kernel_use.h"
#include "base/abi.h"
#include "analysis/measure/sharing.h"
#include "analysis/measure/cpu_parts.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "step", "step.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "step.c", 9, 80,
			FIXTURE_REGION(1, "loop", "", "step.c", 20, 24, "")
			FIXTURE_REGION(1, "call", "qsort", "step.c", 30, 30, "")
			FIXTURE_REGION(1, "loop", "", "step.c", 40, 44, "")
			FIXTURE_REGION(1, "call", "_gfortran_internal_pack", "step.c", 50, 50, "")))
	FIXTURE_UNIT(1, "cmp", "step.c", 95, 99, ""));

enum { R_STEP, R_PHASE, R_LOOP, R_CALL, R_PURE, R_PACK, R_CMP };
enum { C_PHASE, C_LOOP, C_CALL, C_CMP, C_PURE, C_PACK, NCONTEXTS };
enum { A = MON_OBJ_FIRST, B, NOBJECTS };
enum { US = 1000, MS = 1000000 };

static const char properties[] =
"class Region { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; };\n"
"PROPERTY Long(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";

static struct fixture f;
static uint64_t packing;        /* units in which a library copies a section; 0: the call is not executed */

static int set_up(void **state)
{
	(void)state;
	if (fixture_open(&f, sir_text, 7, properties))
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

static struct measurements *process(void)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_LOOP] = { C_PHASE, R_LOOP }, [C_CALL] = { C_PHASE, R_CALL },
		[C_CMP] = { C_CALL, R_CMP }, [C_PURE] = { C_PHASE, R_PURE }, [C_PACK] = { C_PHASE, R_PACK },
	};
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p = fixture_measurements(&f, 0, 1, contexts, NCONTEXTS);

	fixture_objects(p, "src/step.c", names, NOBJECTS);
	p->costs.fault.one = p->costs.fault.all = (struct cost){ 1000, 500, 2000 };
	p->costs.fault.threads = 1;
	p->costs.source = COST_MEASURED;
	p->modelled = false;
	return p;
}

/* Three executions of 100 units: 50 in the loop, 30 in qsort, of which the brief comparison has
 * 20, 15 in the loop without accesses.  What the kernel does is seen in the context `seen`;
 * NO_CONTEXT: the thread does not read it. */
static void add_times(struct measurements *p, uint64_t unit, const struct mon_kernel *kernel, uint32_t seen)
{
	enum { EXECUTIONS = 3 };
	const uint64_t share[NCONTEXTS] = { 100, 50, 30, 20, 15, packing };
	struct mon_time_row rows[EXECUTIONS * NCONTEXTS];
	struct mon_result r = { .state = MON_DONE, .kind = MON_TIME, .executions = EXECUTIONS, .times = rows };

	for (uint32_t e = 0; e < EXECUTIONS; e++) {
		r.phase_ns[e] = 100 * unit;
		r.kernel[e] = *kernel;
		for (uint32_t c = 0; c < NCONTEXTS && (c != C_PACK || packing); c++) {
			struct mon_time_row *row = &rows[r.ntimes++];

			*row = (struct mon_time_row){ .context = c, .execution = e, .wall_ns = share[c] * unit,
				.cpu_ns = share[c] * unit, .calls = 1, .brief = c == C_CMP ? MON_BRIEF_YES : MON_BRIEF_NOT };
			if (seen != NO_CONTEXT && (c == C_PHASE || c == seen)) {
				row->faults = kernel->minor;
				row->sys_ns = kernel->sys_ns;
			}
		}
	}
	assert_int_equal(measured_add_times(p, &r, NULL), 0);
}

/* In units of ns: the loop computes 10 to 20 and misses 10 times 100 ns / unit; the comparison
 * computes 1. */
static void add_counts(struct measurements *p, uint64_t unit)
{
	const struct mon_count_row rows[] = {
		{ .context = C_LOOP, .object = MON_OBJ_WORK, .core_low = 8 * 10 * unit, .core_high = 8 * 20 * unit, .statements = 10 },
		{ .context = C_LOOP, .object = A, .loads = 1000, .load_miss = { unit / 10 } },
		{ .context = C_CMP, .object = MON_OBJ_WORK, .core_low = 8 * unit, .core_high = 8 * unit, .statements = 10 },
	};

	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof *rows, NULL, 0), 0);
}

/* of a unit */
static bool is(double seconds, double units, uint64_t unit)
{
	return fabs(seconds * 1e9 - units * (double)unit) < 0.001 * (double)unit;
}

static double sum_of(const struct cpu_parts *c)
{
	return c->computing + c->memory + (isnan(c->kernel) ? 0 : c->kernel) + c->branches + c->library + c->unexplained;
}

/* All of its time is that of the copy, which is no part of what libraries take. */
static void what_a_library_packs_is_a_copy(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US };
	struct measurements *p;
	struct tally t;
	struct cpu_parts c;

	(void)state;
	packing = 4;
	p = process();
	add_times(p, US, &kernel, C_LOOP);
	add_counts(p, US);
	packing = 0;
	measured_cpu_parts(p, &c);
	assert_true(is(sum_of(&c), 100, US));
	assert_true(is(c.memory, 1.1 * 10 + 4, US) && is(c.library, 30 - 1, US));
	assert_true(measured_tally(p, C_PHASE, MON_ANY, &t));
	assert_true(is(t.estimate.memory[MEMORY_COPY], 4, US));
	measured_free(p);
}

static void parts_sum_to_the_processor_time(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, US, &kernel, C_LOOP);
	add_counts(p, US);
	measured_cpu_parts(p, &c);
	assert_true(is(sum_of(&c), 100, US));
	assert_true(is(c.memory, 1.1 * 10, US));        /* the time allows for what M is at most (estimate.h) */
	/* At most what the core's model says of the loop and of the comparisons.  Of the loop without
	 * accesses nothing is known: it may call what is not recorded. */
	assert_true(is(c.computing, 20 + 1, US));
	assert_true(is(c.computing_low, 8 + 0.8, US));
	assert_true(is(c.library, 30 - 1, US));
	assert_true(is(c.unexplained, 50 - 11 - 20 + 5 + 15, US));
	assert_true(c.kernel == 0 && c.faults == 0);
	measured_free(p);
}

static void what_the_kernel_was_not_asked_is_not_known(void **state)
{
	const struct mon_kernel kernel = { 0 };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	measured_cpu_parts(p, &c);
	assert_true(isnan(c.computing) && isnan(c.unexplained));
	add_times(p, US, &kernel, C_LOOP);
	add_counts(p, US);
	measured_cpu_parts(p, &c);
	assert_true(isnan(c.kernel) && isnan(c.faults));
	assert_true(is(sum_of(&c), 100, US));
	measured_free(p);
}

/* Ten faults at 1 us each, too few clock ticks for system time: taken from the loop that has
 * them. */
static void faults_take_what_one_was_measured_to_take(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US, .minor = 10, .major = 1, .voluntary = 2 };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, US, &kernel, C_LOOP);
	add_counts(p, US);
	measured_cpu_parts(p, &c);
	assert_true(is(c.faults, 10, US));
	assert_true(is(c.kernel, 10, US));
	assert_true(is(c.unexplained, 50 - 10 - 11 - 20 + 5 + 15, US));
	assert_true(is(sum_of(&c), 100, US));
	assert_true(kernel_use_phase(p).faults == 10 && kernel_use_phase(p).major == 1 && kernel_use_phase(p).switches == 2);
	assert_int_equal(measured_fault_context(p), C_LOOP);
	assert_true(kernel_use_faults(p, C_LOOP) == 10 && kernel_use_faults(p, C_PHASE) == 0);
	measured_free(p);
}

/* The same, but no thread has read its part: the phase's is all that is known. */
static void faults_whose_place_is_not_known_are_the_phases(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US, .minor = 10 };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, US, &kernel, NO_CONTEXT);
	add_counts(p, US);
	measured_cpu_parts(p, &c);
	assert_true(is(c.kernel, 10, US));
	assert_true(is(sum_of(&c), 100, US));
	assert_int_equal(measured_fault_context(p), NO_CONTEXT);
	measured_free(p);
}

/* 30 ticks of system time: 40 ms an execution, of which 1000 faults can have taken 2 us each. */
static void system_time_beyond_the_faults_is_system_calls(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 60 * MS, .sys_ns = 40 * MS, .minor = 1000 };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, MS, &kernel, C_LOOP);
	add_counts(p, MS);
	measured_cpu_parts(p, &c);
	assert_true(is(c.faults, 2, MS));
	assert_true(is(c.kernel, 40, MS));
	assert_true(is(sum_of(&c), 100, MS));
	measured_free(p);
}

/* Two threads take b, a lock.  calls: the loop also calls what takes an unknown time. */
static void take_a_lock(struct measurements *p, bool calls)
{
	struct mon_line line = { .object = B, .bytes = 64, .true_sharing = 10, .nthreads = 2, .locks = 1, .nlocks = 1, .nupdated = 1 };
	const struct mon_result lines = { .lines = &line, .nlines = 1 };
	const struct mon_count_row rows[] = {
		{ .context = C_LOOP, .object = MON_OBJ_WORK, .core_low = 8 * 5 * MS, .core_high = 8 * 5 * MS, .statements = 10,
			.unknown_calls = calls },
		{ .context = C_LOOP, .object = B, .loads = 1000, .load_miss = { 10 }, .coherent_load = { 10 }, .true_sharing = { 10 },
			.contended = 100 },
	};

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(sharing_lines(p, &lines), 0);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof *rows, NULL, 0), 0);
}

/* 40 ms an execution in the kernel, 2 of them for page faults: the rest is the lock's, unless another call may have it. */
static void system_time_where_threads_take_a_lock_is_a_wait_for_it(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 60 * MS, .sys_ns = 40 * MS, .minor = 1000 };

	(void)state;
	for (int calls = 0; calls < 2; calls++) {
		struct measurements *p = process();
		struct cpu_parts c;
		struct tally t;

		add_times(p, MS, &kernel, C_LOOP);
		take_a_lock(p, calls);
		measured_cpu_parts(p, &c);
		assert_true(is(sum_of(&c), 100, MS));
		assert_true(is(c.kernel, calls ? 40 : 2, MS));
		assert_true(measured_tally(p, C_LOOP, B, &t));
		assert_true(calls ? t.estimate.stall * 1e9 < MS : t.estimate.stall * 1e9 >= 38 * MS);
		assert_true(calls || t.estimate.low * 1e9 >= 34 * MS);
		measured_free(p);
	}
}

static void one_tick_of_system_time_is_not_believed(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 96 * MS, .sys_ns = 2 * MS };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, MS, &kernel, C_LOOP);
	add_counts(p, MS);
	measured_cpu_parts(p, &c);
	assert_true(c.kernel == 0);
	measured_free(p);
}

/* The comparisons have no markers while the kernel's figures are read: what is seen in the call
 * around them is theirs, too. */
static void brief_calls_have_their_part_of_the_kernel(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 76 * MS, .sys_ns = 24 * MS };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, MS, &kernel, C_CALL);
	add_counts(p, MS);
	measured_cpu_parts(p, &c);
	assert_true(is(c.kernel, 24, MS));
	assert_true(is(sum_of(&c), 100, MS));
	assert_true(is(kernel_use_own(p, C_CALL, 0, 10 * MS) * 1e-9, 8, MS));
	assert_true(is(kernel_use_own(p, C_CMP, 0, 20 * MS) * 1e-9, 16, MS));
	assert_true(kernel_use_own(p, C_LOOP, 0, 50 * MS) == 0);
	measured_free(p);
}

/* Clean executions of 100 us are too short for ticks of 4 ms: more are asked for, and tell. */
static void further_executions_tell_the_system_time_of_short_ones(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US };
	struct mon_result more = { .state = MON_DONE, .kind = MON_TIME, .executions = 1, .kernel_executions = 61,
		.kernel = { { .user_ns = 122 * MS, .sys_ns = 64 * MS } } };
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	add_times(p, US, &kernel, NO_CONTEXT);
	add_counts(p, US);
	assert_int_equal(kernel_use_lacking(p), 1197);
	assert_int_equal(kernel_use_more(p, &more), 0);
	assert_int_equal(p->nclean, 3);
	assert_int_equal(kernel_use_lacking(p), 0);
	measured_cpu_parts(p, &c);
	assert_true(c.kernel > 0);
	assert_true(is(sum_of(&c), 100, US));
	measured_free(p);
}

static void named(void (*what)(const struct measurements *p, struct buf *out), const struct measurements *p, const char *want)
{
	struct buf b = BUF_INIT;

	what(p, &b);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
}

static void calls_and_blocks_are_named(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US, .minor = 10 };
	struct measurements *p = process();

	(void)state;
	add_times(p, US, &kernel, C_LOOP);
	add_counts(p, US);
	named(measured_library_calls, p, "qsort");
	named(measured_fault_blocks, p, "");
	/* Allocated once, and allocated in each of two executions. */
	p->objects[A].kind = p->objects[B].kind = MON_KIND_HEAP;
	p->objects[A].size = 1 << 20;
	p->objects[A].allocated = 1 << 20;
	p->objects[B].size = 40960;
	p->objects[B].allocated = 2 * 40960;
	p->objects[B].line = 18;
	named(measured_fault_blocks, p, "step.c:18 (b)");
	p->objects[B].allocated = 40960 + 4096;         /* too little for ten pages */
	named(measured_fault_blocks, p, "");
	measured_free(p);
}

/* The brief comparison has 20 units and many more of mispredicted branches, by its model: the call around it computes 10. */
static void branches_of_a_brief_call_take_no_more_than_its_time(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US };
	const struct mon_count_row rows[] = {
		{ .context = C_CALL, .object = MON_OBJ_WORK, .core_low = 8 * US, .core_high = 8 * 20 * US, .statements = 10 },
		{ .context = C_CMP, .object = MON_OBJ_WORK, .core_low = 8 * US, .core_high = 8 * US, .statements = 10,
			.mispredicts = PSC_WORK_MISPREDICT_UNIT * 400 * US },
	};
	struct measurements *p = process();
	struct cpu_parts c;

	(void)state;
	p->costs.mispredict = 1;
	add_times(p, US, &kernel, C_LOOP);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof *rows, NULL, 0), 0);
	measured_cpu_parts(p, &c);
	assert_true(is(sum_of(&c), 100, US));
	assert_true(is(c.branches, 20, US));
	assert_true(is(c.computing, 10, US));
	measured_free(p);
}

/* b is allocated in each execution and touched first in the loop; a only once. */
static void a_region_names_the_blocks_of_its_own_faults(void **state)
{
	const struct mon_kernel kernel = { .user_ns = 100 * US, .minor = 10 };
	const struct mon_count_row rows[] = {
		{ .context = C_LOOP, .object = A, .stores = 100 }, { .context = C_LOOP, .object = B, .stores = 100 },
		{ .context = C_PURE, .object = A, .stores = 100 },
	};
	struct measurements *p = process();
	struct buf loop = BUF_INIT, pure = BUF_INIT;

	(void)state;
	p->objects[B].kind = MON_KIND_HEAP;
	p->objects[B].size = 40960;
	p->objects[B].allocated = 2 * 40960;
	p->objects[B].line = 18;
	add_times(p, US, &kernel, C_LOOP);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof *rows, NULL, 0), 0);
	measured_region_fault_blocks(p, C_LOOP, &loop);
	measured_region_fault_blocks(p, C_PURE, &pure);
	assert_string_equal(buf_str(&loop), "step.c:18 (b)");
	assert_string_equal(buf_str(&pure), "");
	buf_free(&loop);
	buf_free(&pure);
	measured_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_library_packs_is_a_copy),
		cmocka_unit_test(parts_sum_to_the_processor_time),
		cmocka_unit_test(what_the_kernel_was_not_asked_is_not_known),
		cmocka_unit_test(faults_take_what_one_was_measured_to_take),
		cmocka_unit_test(faults_whose_place_is_not_known_are_the_phases),
		cmocka_unit_test(system_time_beyond_the_faults_is_system_calls),
		cmocka_unit_test(system_time_where_threads_take_a_lock_is_a_wait_for_it),
		cmocka_unit_test(one_tick_of_system_time_is_not_believed),
		cmocka_unit_test(brief_calls_have_their_part_of_the_kernel),
		cmocka_unit_test(further_executions_tell_the_system_time_of_short_ones),
		cmocka_unit_test(calls_and_blocks_are_named),
		cmocka_unit_test(branches_of_a_brief_call_take_no_more_than_its_time),
		cmocka_unit_test(a_region_names_the_blocks_of_its_own_faults),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
