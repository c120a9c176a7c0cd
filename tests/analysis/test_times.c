/* SPDX-License-Identifier: BSD-3-Clause */
/* Times: what of them is processor time and what is waiting, for a phase that calls, in a team, a
 * routine that works, MPI, and the system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/measure/per_thread.h"
#include "analysis/measure/waits.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "app.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "app.c", 9, 80,
			FIXTURE_REGION(1, "parallelRegion", "", "app.c", 12, 70,
				FIXTURE_REGION(1, "call", "work", "app.c", 20, 20, "")
				FIXTURE_REGION(1, "call", "MPI_Recv", "app.c", 30, 30, ""))
			FIXTURE_REGION(1, "call", "read", "app.c", 75, 75, ""))));

enum { R_MAIN, R_PHASE, R_PARALLEL, R_WORK, R_RECV, R_READ, NREGIONS };
enum { C_PHASE, C_PARALLEL, C_WORK, C_RECV, C_READ, NCONTEXTS };

static const char properties[] =
"enum RegionType { PARALLEL_REGION, CALL_REGION };\n"
"class Region { String name; RegionType type; };\n"
"class SeqPerf { Region region; float exec_time [s]; float cpu_time [s]; float wall_time [s];\n"
"  float time_spread; float phase_time [s]; };\n"
"class MRIParPerf { Region region; int nThreads; float parT[] [s]; float waitT[] [s]; float parT_spread;\n"
"  float away_time [s]; };\n"
"PROPERTY Reads(SeqPerf s) { CONDITION: s.wall_time > 0; CONFIDENCE: s.time_spread > 1 ? 0.5 : 1;\n"
"  SEVERITY: s.exec_time; }\n"
"PROPERTY ReadsNot(SeqPerf s) { CONDITION: s.wall_time > 0; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";

static int set_up(void **state)
{
	static struct fixture f;

	if (fixture_open(&f, sir_text, NREGIONS, properties))
		return -1;
	*state = &f;
	return 0;
}

static struct measurements *make(const struct fixture *f)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_PARALLEL] = { C_PHASE, R_PARALLEL },
		[C_WORK] = { C_PARALLEL, R_WORK }, [C_RECV] = { C_PARALLEL, R_RECV },
		[C_READ] = { C_PHASE, R_READ },
	};

	return fixture_measurements(f, 0, 2, contexts, NCONTEXTS);
}

/* As the monitor reports it: thread 1 has no wall time in the phase. */
#define ROW(c, t, wall, cpu, wait, n) { .context = c, .thread = t, .wall_ns = wall, .cpu_ns = cpu, \
	.wait_ns = wait, .calls = n }
static const struct mon_time_row times[] = {
	ROW(C_PHASE, 0, 1000, 600, 100, 1), ROW(C_PHASE, 1, 0, 500, 0, 0),
	ROW(C_PARALLEL, 0, 700, 500, 50, 1), ROW(C_PARALLEL, 1, 600, 500, 0, 1),
	ROW(C_WORK, 0, 300, 200, 0, 1), ROW(C_WORK, 1, 500, 480, 0, 1),
	ROW(C_RECV, 0, 350, 290, 0, 1),
	ROW(C_READ, 0, 200, 30, 0, 1),
};
enum { NTIMES = sizeof times / sizeof times[0] };

static double ns(double seconds)
{
	return round(seconds * 1e9);
}

static void a_call_of_mpi_waits_whatever_it_does(void **state)
{
	struct measurements *p = make(*state);

	assert_int_equal(fixture_times(p, 1000, times, NTIMES), 0);
	assert_true(ns(measured_cpu(p, C_RECV)) == 0);
	assert_true(ns(measured_wait(p, C_RECV)) == 350);
	assert_true(ns(measured_thread_cpu(p, C_PARALLEL, 0)) == 500 - 290);
	assert_true(ns(measured_thread_wait(p, C_PARALLEL, 0)) == 50 + 350);
	assert_true(ns(measured_thread_cpu(p, C_PARALLEL, 1)) == 500);
	measured_free(p);
}

static void input_waits_only_where_it_has_no_processor(void **state)
{
	struct measurements *p = make(*state);

	assert_int_equal(fixture_times(p, 1000, times, NTIMES), 0);
	assert_true(ns(measured_cpu(p, C_READ)) == 30);
	assert_true(ns(measured_wait(p, C_READ)) == 170);
	assert_true(ns(measured_exec(p, C_READ)) == 200);
	assert_true(ns(measured_thread_cpu(p, C_PHASE, 0)) == 600 - 290);
	assert_true(ns(measured_thread_wait(p, C_PHASE, 0)) == 100 + 350 + 170);
	measured_free(p);
}

static void the_calls_that_wait_are_known_by_name(void **state)
{
	(void)state;
	assert_int_equal(waits_of("MPI_Waitall"), WAITS_ALL);
	assert_int_equal(waits_of("mpi_allreduce"), WAITS_ALL);
	assert_int_equal(waits_of("mpirun"), WAITS_NOT);
	assert_int_equal(waits_of("accept"), WAITS_BLOCKED);
	assert_int_equal(waits_of("pthread_join"), WAITS_BLOCKED);
	assert_int_equal(waits_of("sleep"), WAITS_BLOCKED);
	assert_int_equal(waits_of("writev"), WAITS_BLOCKED);
	assert_int_equal(waits_of("reader"), WAITS_NOT);
	assert_int_equal(waits_of(""), WAITS_NOT);
}

static void exec_time_is_the_slowest_threads_and_cpu_time_is_everybodys(void **state)
{
	struct measurements *p = make(*state);

	assert_int_equal(fixture_times(p, 1000, times, NTIMES), 0);
	assert_true(ns(measured_exec(p, C_PHASE)) == 310 + 620);
	assert_true(ns(measured_phase_time(p)) == 310 + 620);
	assert_true(ns(measured_phase_wall(p)) == 1000);
	assert_true(ns(measured_cpu(p, C_PHASE)) == 310 + 500);
	assert_true(ns(measured_exec(p, C_WORK)) == 480);
	assert_true(ns(measured_wall(p, C_WORK)) == 500);
	assert_true(p->contexts[C_WORK].cpu[0] == 680);
	assert_true(p->contexts[C_WORK].thread[1].cpu[0] == 480);
	assert_true(p->contexts[C_WORK].thread[1].wait[0] == 0);
	measured_free(p);
}

static void who_only_worked_in_a_team_below_is_no_member(void **state)
{
	struct measurements *p = make(*state);

	assert_int_equal(fixture_times(p, 1000, times, NTIMES), 0);
	assert_int_equal(measured_team_size(p, C_PHASE), 1);
	assert_int_equal(measured_team_member(p, C_PHASE, 0), 0);
	assert_int_equal(measured_team_size(p, C_RECV), 2);
	assert_int_equal(measured_team_member(p, C_RECV, 1), 1);
	measured_free(p);
}

/* Executions in which the work of both threads takes 480 + n * 20 ns. */
static void the_spread_is_that_of_the_quartiles(void **state)
{
	struct measurements *p = make(*state);
	static const uint64_t more[] = { 0, 20, 400, 60, 40 };
	struct mon_time_row varied[NTIMES];

	for (int e = 0; e < 5; e++) {
		if (e < 3)
			assert_true(isnan(measured_spread(p, C_WORK)));
		memcpy(varied, times, sizeof times);
		for (int i = 0; i < NTIMES; i++)
			if (varied[i].context == C_WORK)
				varied[i].cpu_ns = 480 + more[e] - 100 * (1 - varied[i].thread);
		assert_int_equal(fixture_times(p, 1000, varied, NTIMES), 0);
	}
	/* medians 520 and 420; quartiles 500 and 540 */
	assert_true(ns(measured_exec(p, C_WORK)) == 520);
	assert_true(fabs(measured_spread(p, C_WORK) - 20. / 520) < 1e-9);
	assert_true(fabs(measured_team_spread(p, C_WORK) - 20. / 520) < 1e-9);
	assert_true(measured_spread(p, C_READ) == 0);
	measured_free(p);
}

static void a_thread_is_away_while_it_neither_runs_nor_waits(void **state)
{
	struct measurements *p = make(*state);

	assert_true(isnan(measured_team_away(p, C_WORK)));
	assert_int_equal(fixture_times(p, 1000, times, NTIMES), 0);
	assert_true(ns(measured_team_away(p, C_WORK)) == 100);  /* of thread 1; thread 0: 700 - 210 - 400 */
	measured_free(p);
}

static void a_property_that_reads_noise_is_known(void **state)
{
	const struct fixture *f = *state;

	assert_true(attributes_reads_noise(f->attributes, asl_property(f->program, 0)));
	assert_false(attributes_reads_noise(f->attributes, asl_property(f->program, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_of_mpi_waits_whatever_it_does),
		cmocka_unit_test(input_waits_only_where_it_has_no_processor),
		cmocka_unit_test(the_calls_that_wait_are_known_by_name),
		cmocka_unit_test(exec_time_is_the_slowest_threads_and_cpu_time_is_everybodys),
		cmocka_unit_test(who_only_worked_in_a_team_below_is_no_member),
		cmocka_unit_test(the_spread_is_that_of_the_quartiles),
		cmocka_unit_test(a_thread_is_away_while_it_neither_runs_nor_waits),
		cmocka_unit_test(a_property_that_reads_noise_is_known),
	};

	return cmocka_run_group_tests(tests, set_up, fixture_tear_down);
}
