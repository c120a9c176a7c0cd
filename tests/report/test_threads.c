/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of threads: order and bounds, which of them are one bar, and every form of the report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/model/thread_groups.h"
#include "tests/report/sample.h"

static char file[] = "/tmp/psc-threads-XXXXXX";

static struct report_thread thread(int process, int number, double time, double wait)
{
	return (struct report_thread){ .region = "a.c:main/loop 1", .file = "a.c", .line = 3, .type = REGION_LOOP,
		.process = process, .thread = number, .time = time, .modelled_time = NAN, .barrier_wait = wait,
		.est_stall = time / 2, .est_stall_low = 0, .est_stall_high = time, .accesses = 1e6,
		.first_misses = 1e5, .last_misses = 1e4 };
}

/* Processes with so many threads each, all alike. */
static struct report *even(int processes, int threads)
{
	struct report *r = report_new();

	r->nprocs = processes;
	r->nthreads = threads;
	r->thread_rows = arena_array(r->arena, (size_t)(processes * threads), sizeof *r->thread_rows);
	for (int p = processes - 1; p >= 0; p--)
		for (int t = threads - 1; t >= 0; t--)
			r->thread_rows[r->nthread_rows++] = thread(p, t, 0.01, 0.001);
	return r;
}

static const char *processes_of(const struct thread_bars *b, int bar)
{
	static char text[100];
	struct buf out = BUF_INIT;

	thread_bar_processes(&out, b, &b->bar[bar]);
	snprintf(text, sizeof text, "%s", buf_str(&out));
	buf_free(&out);
	return text;
}

static void parts_sum_to_the_threads_time(void **state)
{
	struct report_thread t = thread(0, 0, 0.01, 0.002);

	(void)state;
	t.mpi_wait = 0.003;
	assert_true(fabs(thread_part(&t, THREAD_COMPUTING) - 0.005) < 1e-12);
	assert_true(fabs(thread_part(&t, THREAD_MEMORY) - 0.005) < 1e-12);
	assert_true(fabs(thread_part(&t, THREAD_WAITING) - 0.005) < 1e-12);
	t.est_stall = 0.02;     /* an estimate of the quartile may exceed the median */
	assert_true(thread_part(&t, THREAD_COMPUTING) == 0);
	t.est_stall = NAN;
	assert_true(thread_part(&t, THREAD_COMPUTING) == t.time);
	assert_true(isnan(thread_part(&t, THREAD_MEMORY)));
	t.est_stall = 0.02;
	t.modelled_time = 0.05; /* waits are of this host */
	assert_true(fabs(thread_part(&t, THREAD_COMPUTING) - 0.03) < 1e-12);
	assert_true(isnan(thread_part(&t, THREAD_WAITING)));
}

static void few_threads_have_a_bar_each(void **state)
{
	struct report *r = even(1, 4);
	struct thread_bars b;

	(void)state;
	report_thread_rows_keep(r);
	assert_int_equal(thread_bars(r, r->thread_rows[0].region, THREAD_BARS, &b), 0);
	assert_int_equal(b.nbars, 4);
	assert_int_equal(b.bar[3].row->thread, 3);
	assert_int_equal(b.bar[3].nthreads, 1);
	assert_int_equal(b.nrest, 0);
	thread_bars_free(&b);
	report_free(r);
}

static void processes_that_are_alike_are_shown_once(void **state)
{
	struct report *r = even(8, 2);
	struct thread_bars b;

	(void)state;
	report_thread_rows_keep(r);
	r->thread_rows[2 * 5 + 1].time = 0.013;         /* process 5 is not, nor is process 7 like it */
	r->thread_rows[2 * 7].last_misses = 2e4;
	assert_int_equal(thread_bars(r, r->thread_rows[0].region, THREAD_BARS, &b), 0);
	assert_int_equal(b.nbars, 6);
	assert_string_equal(processes_of(&b, 0), "0-4, 6");
	assert_int_equal(b.bar[1].nthreads, 6);
	assert_string_equal(processes_of(&b, 2), "5");
	assert_string_equal(processes_of(&b, 4), "7");
	assert_true(fabs(b.longest - 0.014) < 1e-12);
	thread_bars_free(&b);
	report_free(r);
}

static void many_threads_share_bars_and_the_rest_is_summed(void **state)
{
	struct report *r = even(1, 200);
	struct thread_bars b;
	double sum = 0;

	(void)state;
	report_thread_rows_keep(r);
	assert_int_equal(thread_bars(r, r->thread_rows[0].region, THREAD_BARS, &b), 0);
	assert_int_equal(b.nbars, 1);
	assert_int_equal(b.bar[0].last_thread, 199);
	assert_int_equal(b.bar[0].nthreads, 200);
	thread_bars_free(&b);
	for (int i = 0; i < 200; i++)
		r->thread_rows[i].time = 0.01 * (i + 1);        /* now no two are alike, but by the measure of the last */
	assert_int_equal(thread_bars(r, r->thread_rows[0].region, 10, &b), 0);
	assert_int_equal(b.nbars, 10);
	for (int i = 0, n = b.nrest; i < b.nbars; i++)
		assert_true((n += b.bar[i].nthreads) <= 200);
	assert_int_equal(b.nrest, 200 - b.bar[9].last_thread - 1);
	for (int i = b.bar[9].last_thread + 1; i < 200; i++)
		sum += r->thread_rows[i].barrier_wait;
	assert_true(fabs(b.rest[THREAD_WAITING] - sum) < 1e-9);
	thread_bars_free(&b);
	report_free(r);
}

/* Which rows are kept does not depend on their order, nor on how they were put together. */
static void rows_are_bounded_and_ordered(void **state)
{
	struct report *all = even(3000, 2), *parts[2] = { even(3000, 2), report_new() };

	(void)state;
	report_thread_rows_keep(all);
	assert_int_equal(all->nthread_rows, REPORT_THREAD_ROWS);
	assert_int_equal(all->thread_rows_left_out, 6000 - REPORT_THREAD_ROWS);
	assert_int_equal(all->thread_rows[5].process, 2);
	parts[0]->nthread_rows = 5000;          /* the last processes; then the first ones */
	report_thread_rows_keep(parts[0]);
	parts[1]->thread_rows = arena_array(parts[1]->arena, 6000, sizeof *all->thread_rows);
	for (int i = 0; i < parts[0]->nthread_rows; i++)
		parts[1]->thread_rows[parts[1]->nthread_rows++] = parts[0]->thread_rows[i];
	for (int i = 0; i < 1000; i++)
		parts[1]->thread_rows[parts[1]->nthread_rows++] = thread(i / 2, i % 2, 0.01, 0.001);
	parts[1]->thread_rows_left_out = parts[0]->thread_rows_left_out;
	report_thread_rows_keep(parts[1]);
	assert_int_equal(parts[1]->nthread_rows, all->nthread_rows);
	assert_int_equal(parts[1]->thread_rows_left_out, all->thread_rows_left_out);
	for (int i = 0; i < all->nthread_rows; i++) {
		assert_int_equal(all->thread_rows[i].process, parts[1]->thread_rows[i].process);
		assert_int_equal(all->thread_rows[i].thread, parts[1]->thread_rows[i].thread);
	}
	report_free(all);
	report_free(parts[0]);
	report_free(parts[1]);
}

static char *written(int (*writer)(const struct report *, const char *, struct err *), const struct report *r)
{
	char *text = calloc(1, 1 << 20);
	FILE *f;

	assert_int_equal(writer(r, file, NULL), 0);
	f = fopen(file, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

static void every_form_has_the_same_figures(void **state)
{
	struct report *r = sample_lu(), *back;
	char *text;

	(void)state;
	r->thread_rows_left_out = 3;
	free(written(report_psc_write, r));
	back = report_psc_read(file, NULL);
	assert_int_equal(back->nthread_rows, r->nthread_rows);
	assert_int_equal(back->thread_rows_left_out, 3);
	for (int i = 0; i < r->nthread_rows; i++) {
		assert_string_equal(back->thread_rows[i].region, r->thread_rows[i].region);
		assert_int_equal(back->thread_rows[i].thread, r->thread_rows[i].thread);
		assert_true(back->thread_rows[i].barrier_wait == r->thread_rows[i].barrier_wait);
		assert_true(back->thread_rows[i].last_misses == r->thread_rows[i].last_misses ||
			isnan(r->thread_rows[i].last_misses));
	}
	report_free(back);
	text = written(report_json_write, r);
	assert_non_null(strstr(text, "\"threads\": [\n    {\"region\": \"ssor.f:ssor/loop 1\", \"file\": \"ssor.f\", \"line\": 109"));
	assert_non_null(strstr(text, "\"thread\": 2, \"time\": 0.34, \"modelled_time\": null, \"barrier_wait\": 0.05, "
		"\"mpi_wait\": 0, \"other_wait\": 0, \"est_stall\": null"));
	free(text);
	text = written(report_threads_csv_write, r);
	assert_non_null(strstr(text, "region,file,line,type,order,process,thread,time,"));
	assert_non_null(strstr(text, "\nssor.f:ssor/loop 1,ssor.f,109,LOOP_REGION,0,0,2,0.34,,0.05,0,0,,,,,,\n"));
	free(text);
	text = written(report_html_write, r);
	assert_non_null(strstr(text, "<h2 id=threads>"));
	assert_non_null(strstr(text, "3 lines of threads were left out"));
	free(text);
	report_free(r);
}

static void one_thread_has_no_table(void **state)
{
	struct report *r = even(1, 1);
	struct report_style style = { .width = 80 };
	char *text = sample_text(r, &style);

	(void)state;
	assert_null(strstr(text, "What threads do"));
	free(text);
	text = written(report_html_write, r);
	assert_null(strstr(text, "id=threads"));
	free(text);
	report_free(r);
	r = sample_lu();
	text = sample_text(r, &style);
	assert_non_null(strstr(text, "What threads do (per phase execution)"));
	assert_null(strstr(text, "parallel 1 (ssor.f:120)"));
	free(text);
	style.part = REPORT_THREADS;
	text = sample_text(r, &style);
	assert_non_null(strstr(text, "parallel 1 (ssor.f:120)"));
	assert_null(strstr(text, "Bottlenecks"));
	free(text);
	report_free(r);
}

static int make_file(void **state)
{
	int fd = mkstemp(file);

	(void)state;
	return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_sum_to_the_threads_time),
		cmocka_unit_test(few_threads_have_a_bar_each),
		cmocka_unit_test(processes_that_are_alike_are_shown_once),
		cmocka_unit_test(many_threads_share_bars_and_the_rest_is_summed),
		cmocka_unit_test(rows_are_bounded_and_ordered),
		cmocka_unit_test(every_form_has_the_same_figures),
		cmocka_unit_test(one_thread_has_no_table),
	};

	return cmocka_run_group_tests_name("threads of a report", tests, make_file, remove_file);
}
