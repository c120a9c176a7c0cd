/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines from memory predicted for more threads, of timelines whose answer is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words/timeline_words.h"
#include "tests/report/made_timeline.h"

enum { TABLE, OUT, LINE = 64, NODES = 4, THREADS = 2 };

/* Two threads, on two of four nodes, each of two CPUs that share a cache.  Both read all of table; each writes a half of
 * out. */
static struct made *both_read(void)
{
	struct made *m = made_new(THREADS);
	const int r = made_region(m, "a.c:step/loop 1", 0), table = made_structure(m, "table"), out = made_structure(m, "out");

	m->t.cpus = 2 * NODES;
	m->t.nodes = NODES;
	m->t.node_cpus = m->t.cache_cpus = 2;
	m->t.line = LINE;
	m->t.spread = true;
	m->t.cache_bytes = 1024;        /* all overflows it */
	for (int k = 0; k < THREADS; k++) {
		made_use(m, &(struct made_use){ r, table, k, 0, 32, 0, 16, MADE_ALL, false, 800 });
		made_use(m, &(struct made_use){ r, out, k, 0, 32, 8 * k, 8 * k + 8, MADE_UP, true, 200 });
	}
	return m;
}

static int nodes_used(const struct made *m, int threads)
{
	const struct more_machine machine = time_machine(&m->t);

	return more_nodes_used(&machine, threads);
}

static int caches_used(const struct made *m, int threads)
{
	const struct more_machine machine = time_machine(&m->t);

	return more_caches_used(&machine, threads);
}

/* Lines from a node to the cell. */
static void serve(struct made *m, int cell, int node, int64_t lines)
{
	struct report_point *p = malloc(sizeof *p);

	*p = (struct report_point){ (uint32_t)node, lines };
	m->cells[cell].served = (struct report_series){ p, 1 };
}

/* The lines of a pass over a structure of 16 KiB. */
enum { PASS = MADE_BYTES / LINE };

static void serve_all(struct made *m)
{
	serve(m, 0, 0, PASS);           /* table lies on node 0 .. */
	serve(m, 2, 0, PASS);
	serve(m, 1, 0, PASS / 2);       /* .. out half and half */
	serve(m, 3, 1, PASS / 2);
}

static void done(struct made *m, struct time_facts *f)
{
	time_facts_free(f);
	for (int i = 0; i < m->t.ncells; i++)
		free((void *)(uintptr_t)m->cells[i].served.point);
	made_free(m);
}

static bool about(double a, double b)
{
	return fabs(a - b) < 1e-6 * (1 + fabs(b));
}

static void threads_are_on_nodes_in_turn_or_side_by_side(void **state)
{
	struct made *m = both_read();

	(void)state;
	assert_int_equal(nodes_used(m, 1), 1);
	assert_int_equal(nodes_used(m, 3), 3);
	assert_int_equal(nodes_used(m, 8), 4);
	assert_int_equal(caches_used(m, 3), 3);
	m->t.cache_cpus = 1;
	assert_int_equal(caches_used(m, 7), 7);
	m->t.cache_cpus = 4;            /* of two nodes */
	assert_int_equal(caches_used(m, 2), 1);
	assert_int_equal(caches_used(m, 3), 2);
	m->t.sockets = 2;               /* the second thread is on the third node */
	assert_int_equal(caches_used(m, 2), 2);
	assert_int_equal(caches_used(m, 8), 2);
	assert_int_equal(nodes_used(m, 3), 3);
	m->t.sockets = 0;
	m->t.cache_cpus = 2;
	m->t.spread = false;
	assert_int_equal(nodes_used(m, 2), 1);
	assert_int_equal(nodes_used(m, 3), 2);
	assert_int_equal(caches_used(m, 8), 4);
	m->t.cache_cpus = 8;
	assert_int_equal(caches_used(m, 8), 1);
	done(m, NULL);
}

static void what_all_read_is_fetched_by_each_cache_and_parts_are_not(void **state)
{
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	serve_all(m);
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 8, &p, &err), 0);
	assert_true(p.lines.run_caches == 2 && p.lines.caches == 4 && p.lines.run_nodes == 2 && p.lines.nodes == 4 && p.lines.placed);
	assert_true(about(p.lines.structure[TABLE].value, 4 * PASS) && about(p.lines.structure[TABLE].high, 8 * PASS));
	assert_true(about(p.lines.structure[TABLE].low, 2 * PASS));
	assert_true(about(p.lines.structure[OUT].value, PASS) && about(p.lines.structure[OUT].low, PASS) && about(p.lines.structure[OUT].high, PASS));
	/* Table stays on node 0; the four pages of out lie on the four nodes. */
	assert_true(p.lines.busiest == 0 && about(p.lines.node[0].value, 4.25 * PASS) && about(p.lines.node[3].value, 0.25 * PASS));
	assert_true(p.lines.cause == TABLE && about(p.lines.cause_share, 4 / 4.25));
	done(m, f);
}

/* Accesses that bring a table again and again: as many, whoever makes them. */
static void lines_of_divided_work_do_not_grow_with_the_caches(void **state)
{
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	serve(m, 0, 0, 50 * PASS);
	serve(m, 2, 0, 50 * PASS);
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 8, &p, &err), 0);
	assert_true(about(p.lines.structure[TABLE].value, 100 * PASS) && about(p.lines.structure[TABLE].low, 100 * PASS));
	assert_true(about(p.lines.structure[TABLE].high, 400 * PASS));
	done(m, f);
}

static void data_that_fit_more_caches_come_no_more_from_memory(void **state)
{
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	m->t.ncells = m->t.nmaps = 0;
	for (int k = 0; k < THREADS; k++)
		made_use(m, &(struct made_use){ 1, 2, k, 0, 32, 8 * k, 8 * k + 8, MADE_UP, true, 200 });
	m->t.cache_bytes = MADE_BYTES / 3;      /* half of it does not fit, a quarter does */
	serve(m, 0, 0, PASS / 2);
	serve(m, 1, 1, PASS / 2);
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 8, &p, &err), 0);
	assert_true(p.lines.structure[OUT].value < 0.2 * PASS && about(p.lines.structure[OUT].low, 0) && p.lines.structure[OUT].high > 0.4 * PASS);
	assert_int_equal(time_predict(f, 2, &p, &err), 0);
	assert_true(about(p.lines.structure[OUT].value, PASS));
	done(m, f);
}

/* Four caches of 64 KiB for eight threads, two for the run's two: of a thread's distances, those of
 * 128 KiB and more stay. */
static void lines_whose_distances_fit_more_caches_go(void **state)
{
	static const struct report_point reuse[] = { { 4, PASS / 4 }, { 5, PASS / 4 } };
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	m->t.cache_bytes = 64 << 10;
	m->structures[OUT].reuse = (struct report_series){ reuse, 2 };
	serve_all(m);
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 8, &p, &err), 0);
	/* Half of its lines have a distance; at the low end, the others go as these. */
	assert_true(about(p.lines.structure[OUT].value, 0.75 * PASS));
	assert_true(about(p.lines.structure[OUT].high, PASS));
	assert_true(about(p.lines.structure[OUT].low, 0));
	assert_true(about(p.lines.structure[TABLE].value, 4 * PASS));
	assert_int_equal(time_predict(f, 2, &p, &err), 0);
	assert_true(about(p.lines.structure[OUT].value, PASS));
	done(m, f);
}

static void lines_of_no_known_node_are_in_no_nodes_value(void **state)
{
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	serve_all(m);
	m->cells[0].kinds = m->cells[2].kinds = made_flat(m, 0, 1, 2 * PASS);   /* of table, twice as many are known by class */
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 8, &p, &err), 0);
	assert_true(about(p.lines.structure[TABLE].value, 4 * PASS) && about(p.lines.both[TABLE * NODES].value, 2 * PASS));
	assert_true(p.lines.both[TABLE * NODES + 3].value < 1 && about(p.lines.both[TABLE * NODES + 3].high, p.lines.structure[TABLE].high / 2));
	done(m, f);
}

static void claim(struct time_facts *f, int threads, const char *want)
{
	struct time_prediction p;
	struct buf b = BUF_INIT;
	struct err err;

	assert_int_equal(time_predict(f, threads, &p, &err), 0);
	timeline_prediction_claim(&b, f, &p);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
}

static void the_busy_node_and_its_cause_are_named(void **state)
{
	struct made *m = both_read();
	struct time_facts *f;

	(void)state;
	serve_all(m);
	f = time_facts_new(&m->t);
	claim(f, 8, "at 8 threads node 0 serves 85% (75% to 92%) of 1280 (768 to 2304) lines from memory, 3.4 times an even share of 4 "
		"nodes; table is 94% of it");
	m->t.spread = false;            /* the threads of the run were on one node */
	claim(f, 8, "at 8 threads memory gives 1280 (768 to 2304) lines an execution");
	done(m, f);
}

static void the_bandwidth_bounds_the_time(void **state)
{
	static const struct report_point rate[] = { { 1, 8000 }, { 2, 10000 } };
	struct made *m = both_read();
	struct time_prediction p;
	struct time_facts *f;
	struct err err;

	(void)state;
	serve_all(m);
	m->t.nodes = 1;
	m->t.node_cpus = m->t.cache_cpus = 8;
	m->t.bandwidth = (struct report_series){ rate, 2 };
	m->t.time = 1e-5;
	f = time_facts_new(&m->t);
	assert_int_equal(time_predict(f, 4, &p, &err), 0);
	/* Two passes over table, and one over out, which is fetched and written back: 64 KiB at 10 GB/s. */
	assert_true(about(p.time.value, 6.5536e-6) && about(p.transfer, 6.5536e-6) && about(p.time.high, 1e-5));
	assert_true(about(p.time.low, 5e-6));
	claim(f, 4, "at 4 threads memory gives 768 (768 to 1280) lines an execution; its bandwidth holds the threads up: an execution takes "
		"0.00655 ms (0.005 to 0.01), not 0.005");
	m->t.time = 1;
	claim(f, 4, "at 4 threads memory gives 768 (768 to 1280) lines an execution; its bandwidth does not hold the threads up");
	done(m, f);
}

static void more_threads_than_cpus_are_refused(void **state)
{
	struct made *m = both_read();
	struct time_facts *f = time_facts_new(&m->t);
	struct time_prediction p;
	struct err err;

	(void)state;
	assert_int_equal(time_predict(f, 9, &p, &err), -1);
	assert_string_equal(err.text, "process 0 had 2 threads, and the machine model has 8 CPUs: 2 to 8 threads can be predicted");
	assert_int_equal(time_predict(f, 1, &p, &err), -1);
	m->t.cpus = 0;
	assert_int_equal(time_predict(f, 2, &p, &err), -1);
	assert_string_equal(err.text, "the timeline does not say for which machine it was counted");
	done(m, f);
}

static void predictions_double_the_threads_up_to_all_cpus(void **state)
{
	struct report_timeline t = { .threads = 3, .cpus = 20 };
	int n[TIME_PREDICTIONS];

	(void)state;
	assert_int_equal(time_predicted_threads(&t, n), 3);
	assert_true(n[0] == 6 && n[1] == 12 && n[2] == 20);
	t.threads = 20;
	assert_int_equal(time_predicted_threads(&t, n), 0);
	t.cpus = 0;
	assert_int_equal(time_predicted_threads(&t, n), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(predictions_double_the_threads_up_to_all_cpus),
		cmocka_unit_test(threads_are_on_nodes_in_turn_or_side_by_side),
		cmocka_unit_test(what_all_read_is_fetched_by_each_cache_and_parts_are_not),
		cmocka_unit_test(lines_of_divided_work_do_not_grow_with_the_caches),
		cmocka_unit_test(data_that_fit_more_caches_come_no_more_from_memory),
		cmocka_unit_test(lines_whose_distances_fit_more_caches_go),
		cmocka_unit_test(lines_of_no_known_node_are_in_no_nodes_value),
		cmocka_unit_test(the_busy_node_and_its_cause_are_named),
		cmocka_unit_test(the_bandwidth_bounds_the_time),
		cmocka_unit_test(more_threads_than_cpus_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
