/* SPDX-License-Identifier: BSD-3-Clause */
/* The views of memory over time in a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "report/text/over_time.h"
#include "report/text/plot.h"
#include "tests/report/made_timeline.h"
#include "tests/report/sample.h"

static const struct over_time_style plain = { .process = -1, .unicode = true };

/* The view of a report of this one timeline; caller frees. */
static void view(struct buf *out, const struct made *m, const struct over_time_style *style)
{
	struct report_timeline t = m->t;
	struct report *r = report_new();
	struct err err;

	r->timelines = &t;
	r->ntimelines = 1;
	assert_int_equal(over_time_text(r, style, out, &err), 0);
	report_free(r);
}

static void has(const struct buf *b, const char *want)
{
	if (!strstr(buf_str(b), want))
		assert_string_equal(buf_str(b), want);
}

/* No line is wider than the page, and none ends with a space. */
static void fits(const struct buf *b, int width)
{
	const char *s = buf_str(b);
	struct buf line = BUF_INIT;

	for (size_t n; *s; s += n + 1) {
		n = strcspn(s, "\n");
		buf_clear(&line);
		buf_add(&line, s, n);
		if (page_columns(buf_str(&line)) > width || (n && s[n - 1] == ' '))
			assert_string_equal(buf_str(&line), "");
	}
	buf_free(&line);
}

/* Thread 0 fills table; then both read it and write a half of out each. */
static struct made *gather(void)
{
	struct made *m = made_new(2);
	const int fill = made_region(m, "a.c:fill/loop 1", 0), look = made_region(m, "a.c:look/loop 1", 0);
	const int table = made_structure(m, "table"), out = made_structure(m, "out");

	made_use(m, &(struct made_use){ fill, table, 0, 0, 16, 0, 16, MADE_UP, true, 1000 });
	for (int k = 0; k < 2; k++) {
		made_use(m, &(struct made_use){ look, table, k, 16, 32, 0, 16, MADE_ALL, false, 800 });
		made_use(m, &(struct made_use){ look, out, k, 16, 32, 8 * k, 8 * k + 8, MADE_UP, true, 200 });
	}
	m->cells[1].misses[0] = made_flat(m, 16, 32, 400);
	made_mark(m, 0, 0, 16000);
	made_mark(m, 1, 0, 16000);
	return m;
}

static void channels_have_a_place_each_and_the_busiest_a_lane_of_time(void **state)
{
	struct made *m = gather();
	const struct report_point of_table[] = {
		{ 16 * 4, 800 }, { 16 * 4 + 1, 800 }, { 20 * 4 + 2, 800 }, { 20 * 4 + 3, 800 } };
	const struct report_point of_out[] = { { 31 * 4 + 1, 1600 } };
	struct over_time_style style = plain;
	struct report *r = report_new();
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	style.view = OVER_PORTAL;
	style.portal = PORTAL_MODULES;
	style.unicode = false;
	m->t.channels = m->t.node_channels = 4;
	m->t.interleave = 256;
	m->cells[1].channels = (struct report_series){ of_table, 4 };
	m->cells[2].channels = (struct report_series){ of_out, 1 };
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "2.0 times the mean; out makes 100% of the difference\n");
	has(&b, "table    3200 5555555555555555\n");
	has(&b, "out      1600 ....8888........\n");
	has(&b, "all      4800 3333888833333333\n");
	has(&b, "      channel 0   1   2   3\n");
	has(&b, "    channel 3 .........................................452....");
	style.sort = "node 1";
	r->timelines = &m->t;
	r->ntimelines = 1;
	assert_int_equal(over_time_text(r, &style, &b, &err), -1);
	assert_string_equal(err.text, "--portal-sort: the table of channels has no column \"node 1\"");
	report_free(r);
	buf_free(&b);
	made_free(m);
}

static void points_bars_and_heights_have_forms_of_both_kinds(void **state)
{
	struct plot p;
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(plot_new(&p, 3, 1), 0);
	plot_set(&p, 0, 0);
	plot_set(&p, 2, 1);
	plot_set(&p, 3, 0);
	for (int x = 4; x < 6; x++)
		for (int y = 0; y < 2; y++)
			plot_set(&p, x, y);
	plot_set(&p, 6, 0);             /* outside */
	plot_line(&b, &p, 0, true);
	plot_line(&b, &p, 0, false);
	assert_string_equal(buf_str(&b), "▘▞█'/#");
	buf_clear(&b);
	plot_bar(&b, 0.5, 3, true);
	plot_bar(&b, 0.5, 4, false);
	plot_bar(&b, 1e-9, 2, true);
	plot_bar(&b, 0, 2, true);
	assert_string_equal(buf_str(&b), "█▌ ##  ▏   ");
	buf_clear(&b);
	for (int i = 0; i <= 4; i++)
		plot_height(&b, i / 4., true);
	for (int i = 0; i <= 4; i++)
		plot_height(&b, i / 4., false);
	assert_string_equal(buf_str(&b), "·▃▅▇█.3578");
	plot_free(&p);
	buf_free(&b);
}

static void structures_are_drawn_by_address_and_time(void **state)
{
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	view(&b, m, &plain);
	fits(&b, 80);
	has(&b, "table: written forwards, then read as a whole again and again; out: written\nforwards\n");
	has(&b, "       region │fill                            │look\n");
	has(&b, " miss L1 ≤25% ·································█████████████████████████████████\n");
	has(&b, "        table ▀▀▀▀██▙▄▄▄▄▄▖                    █████████████████████████████████\n");
	has(&b, "       16 KiB           ▀▀▀▀▀▀▚▄▄▄▄▄▄          █████████████████████████████████\n");
	has(&b, "          out                                  ▀▀▀▀▀▀▀▀████▙▄▄▄▄▄▄▄▄▄▄▄▄\n");
	has(&b, "all L1 ≤20% ·································█");
	has(&b, "              0                              16.0 k              32.0 k accesses\n");
	has(&b, "look reads table that fill wrote, as far as rows of addresses show.\n");
	buf_free(&b);
	made_free(m);
}

static void structures_that_are_walked_through_alike_are_one_picture(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), a = made_structure(m, "a"), b = made_structure(m, "b");
	const int c = made_structure(m, "c");
	struct buf out = BUF_INIT;

	(void)state;
	made_use(m, &(struct made_use){ r, a, 0, 0, 32, 0, 16, MADE_UP, false, 400 });
	made_use(m, &(struct made_use){ r, b, 0, 0, 32, 0, 16, MADE_UP, false, 300 });
	made_use(m, &(struct made_use){ r, c, 0, 0, 32, 0, 16, MADE_DOWN, false, 300 });
	view(&out, m, &plain);
	fits(&out, 80);
	has(&out, "         as b ");
	has(&out, "            c ");
	assert_null(strstr(buf_str(&out), "            b "));
	buf_free(&out);
	made_free(m);
}

/* Thread 1 misses the last rows of table alone, and half of that the second level, too. */
static struct made *gather_misses(void)
{
	struct made *m = gather();
	static struct report_point point[16];

	for (unsigned c = 0; c < 16; c++)
		point[c] = (struct report_point){ (16 + c) * MADE_ROWS + 15, 400 };
	m->maps[0].first_misses = (struct report_series){ point, 16 };
	m->cells[1].misses[1] = made_flat(m, 16, 32, 100);
	return m;
}

static void misses_are_drawn_by_level_and_by_address(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather_misses();
	struct buf b = BUF_INIT;

	(void)state;
	view(&b, m, &style);
	has(&b, "  all L1 ≤20% ·································█");
	has(&b, "   all L2 ≤5% ·································█");
	buf_clear(&b);
	style.of = "table";
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "     where it\n    misses L1\n");
	has(&b, "\n                                               ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n");
	has(&b, "  miss L2 ≤7% ·································█");
	buf_clear(&b);
	style.of = NULL;
	style.view = OVER_CARTOGRAPHY;
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "      miss L1 ·····························································█████\n");
	buf_free(&b);
	made_free(m);
}

/* As if the machine's nearest level were the second. */
static void swap_levels(struct made *m)
{
	for (int i = 0; i < m->t.ncells; i++) {
		const struct report_series first = m->cells[i].misses[0];

		m->cells[i].misses[0] = m->cells[i].misses[1];
		m->cells[i].misses[1] = first;
	}
}

static void a_machine_without_a_first_level_shows_the_nearest(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct report_time_line line = { .file = "a.c", .line = 7, .region = 2, .structure = 1 };
	struct buf b = BUF_INIT;

	(void)state;
	swap_levels(m);
	line.first_misses = made_flat(m, 16, 32, 200);
	m->t.lines = &line;
	m->t.nlines = 1;
	view(&b, m, &style);
	has(&b, " miss L2 ≤25% ");
	has(&b, "a.c:7");
	assert_null(strstr(buf_str(&b), "L1"));
	buf_free(&b);
	made_free(m);
}

static void more_channels_than_places_share_them(void **state)
{
	enum { CHANNELS = 100 };
	struct over_time_style style = plain;
	struct made *m = gather();
	struct report_point point[CHANNELS];
	struct buf b = BUF_INIT;

	(void)state;
	style.view = OVER_PORTAL;
	style.portal = PORTAL_MODULES;
	style.unicode = false;
	m->t.channels = m->t.node_channels = CHANNELS;
	m->t.interleave = 256;
	for (unsigned k = 0; k < CHANNELS; k++)
		point[k] = (struct report_point){ 16 * CHANNELS + k, k == CHANNELS - 1 ? 800 : 100 };
	m->cells[1].channels = (struct report_series){ point, CHANNELS };
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "a place in it 2 channels, a height the lines\nof the busiest of them.");
	has(&b, "table  10.7 k 22222222222222222222222222222222222222222222222228\n");
	has(&b, "      channel 0   8   16  24  32  40  48  56  64  72  80  88  96\n");
	buf_free(&b);
	made_free(m);
}

static void one_structure_has_lanes_of_reads_and_writes(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	style.of = "table";
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "table: written forwards, each part several times, in fill, then read as a whole,\neach byte about 13 times, in look\n");
	has(&b, "     accesses           ▀▀██▙▄▖                █████████████████████████████████\n");
	has(&b, "        reads ·································█");
	has(&b, "       writes ▆");
	has(&b, " miss L1 ≤25% ·································█");
	buf_free(&b);
	made_free(m);
}

static void without_unicode_all_is_ascii(void **state)
{
	static const enum over_time_view views[] = { OVER_TIMELINE, OVER_CARTOGRAPHY, OVER_PORTAL, OVER_FLOWS };
	struct made *m = gather();

	(void)state;
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		struct over_time_style style = {
			.view = views[i], .process = -1,
			.of = views[i] == OVER_FLOWS ? "table" : NULL };
		struct buf b = BUF_INIT;

		view(&b, m, &style);
		fits(&b, 80);
		for (size_t k = 0; k < b.len; k++)
			assert_in_range(b.data[k], 1, 127);
		buf_free(&b);
	}
	made_free(m);
}

static void without_addresses_lanes_show_when(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	m->t.rows = m->t.nmaps = 0;
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "the picture has when,");
	has(&b, "        table ▆▆▆▆▆");
	buf_free(&b);
	made_free(m);
}

static void lanes_of_addresses_have_the_first_toucher(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	style.view = OVER_CARTOGRAPHY;
	style.width = 60;
	view(&b, m, &style);
	fits(&b, 60);
	has(&b, "              rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr\n"
		"     table  0 0000000000000000000000000000000000000000000000\n"
		"    16 KiB  1 0000000000000000000000000000000000000000000000\n");
	has(&b, "       out  0 00000000000000000000000·······················\n"
		"    16 KiB  1 ·······················11111111111111111111111\n");
	buf_free(&b);
	made_free(m);
}

static void portals_have_totals_at_both_edges(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	style.view = OVER_PORTAL;
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "table     ███████████████  28.8 k ██████▋          12.8 k    87%\n");
	has(&b, "all                        32.0 k                  16.0 k   100%\n");
	buf_clear(&b);
	style.sort = "thread1";
	style.count = PORTAL_WRITES;
	style.top = 1;                  /* no row but the others' */
	view(&b, m, &style);
	has(&b, "2 others ");
	buf_clear(&b);
	style = plain;
	style.view = OVER_PORTAL;
	style.portal = PORTAL_THREADS;
	view(&b, m, &style);
	has(&b, "thread 0  ");
	has(&b, "table                     out");
	buf_free(&b);
	made_free(m);
}

static void many_columns_and_rows_are_others(void **state)
{
	struct made *m = made_new(8);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct over_time_style style = plain;
	struct buf b = BUF_INIT;

	(void)state;
	for (int k = 0; k < 8; k++)
		made_use(m, &(struct made_use){ r, s, k, 0, 10, 0, 16, MADE_UP, false, 100 * (k + 1) });
	style.view = OVER_PORTAL;
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "5 others");
	has(&b, "thread 7");
	has(&b, "15.0 k   100%\n");     /* threads 0 to 4 */
	buf_free(&b);
	made_free(m);
}

static void flows_are_lanes_and_a_table(void **state)
{
	struct over_time_style style = plain;
	struct made *m = gather();
	struct buf b = BUF_INIT;

	(void)state;
	style.view = OVER_FLOWS;
	style.of = "table";
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "table: filled by thread 0, then read by both threads at once\n");
	has(&b, "      thread 0 W ███");
	has(&b, "        0   16.0 k       0    0  fill                 -   16.0 k        -      -\n");
	has(&b, "   16.0 k   32.0 k       1    0  look            12.8 k        -        -      -\n");
	buf_clear(&b);
	style.of = "thread:1";
	view(&b, m, &style);
	fits(&b, 80);
	has(&b, "thread 1: table 80%, out 20% of its accesses\n");
	has(&b, "   16.0 k   32.0 k  out          look                 -     3200        -      -\n");
	buf_free(&b);
	made_free(m);
}

static void refused(const struct report *r, const struct over_time_style *style, const char *why)
{
	struct buf b = BUF_INIT;
	struct err err;

	assert_int_equal(over_time_text(r, style, &b, &err), -1);
	assert_string_equal(err.text, why);
	assert_int_equal(b.len, 0);
	buf_free(&b);
}

static void the_size_of_a_part_has_room_beside_its_picture(void **state)
{
	static const struct { double mib; const char *want; } sizes[] = {
		{ 7, " 50% of 7 MiB  " }, { 10, "50% of 10 MiB  " },
		{ 10.3, " 50% of 10MiB  " } };

	(void)state;
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		struct made *m = made_new(1);
		const int region = made_region(m, "a.c:fill/loop 1", 0), table = made_structure(m, "table");
		struct buf b = BUF_INIT;

		made_use(m,
			&(struct made_use){ region, table, 0, 0, 32, 0, 8, MADE_UP, true, 1000 });
		made_mark(m, 0, 0, 16000);
		m->structures[table - 1].bytes = (int64_t)(sizes[k].mib * 1024 * 1024);
		view(&b, m, &plain);
		has(&b, sizes[k].want);
		buf_free(&b);
		made_free(m);
	}
}

static void what_is_not_there_is_refused(void **state)
{
	struct report *r = report_new();
	struct over_time_style style = plain;

	(void)state;
	refused(r, &style, "the report has no timeline: nothing was counted over time in the run");
	sample_timelines(r);
	style.of = "nothing";
	refused(r, &style,
		"the timeline has no structure \"nothing\"; of those with most accesses: table, out");
	style.view = OVER_FLOWS;
	refused(r, &style,
		"the timeline has no structure \"nothing\"; of those with most accesses: table, out");
	style.of = "thread:2";
	refused(r, &style, "the timeline has no thread:2: its threads are 0 to 1");
	style.process = 7;
	refused(r, &style, "the report has no timeline of process 7");
	style = plain;
	style.view = OVER_PORTAL;
	style.sort = "thread9";
	refused(r, &style, "--portal-sort: the table has no column \"thread9\"");
	r->timelines[0].rows = r->timelines[0].nmaps = 0;
	style = plain;
	style.view = OVER_CARTOGRAPHY;
	refused(r, &style, "nothing to show: addresses were not drawn "
		"(psc_frontend --timeline draws them)");
	report_free(r);
}

static void source_lines_that_miss_say_what_they_do(void **state)
{
	struct report *r = report_new();
	struct over_time_style style = plain;
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	sample_timelines(r);
	style.of = "table";
	assert_int_equal(over_time_text(r, &style, &b, &err), 0);
	fits(&b, 80);
	has(&b, "  gather.c:16 45% of its misses; reads table in no order, writes out forwards; 8\n"
		"              bytes at a time, no vectors\n");
	buf_free(&b);
	report_free(r);
}

static void of_several_processes_one_is_drawn_and_portals_have_all(void **state)
{
	struct report *r = report_new();
	struct over_time_style style = plain;
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	sample_timelines(r);
	style.process = 1;
	assert_int_equal(over_time_text(r, &style, &b, &err), 0);
	has(&b, "Process 1 of 2 (--process).\n");
	buf_clear(&b);
	style.process = -1;
	style.view = OVER_PORTAL;
	assert_int_equal(over_time_text(r, &style, &b, &err), 0);
	has(&b, "process 0               process 1    all\n");
	has(&b, "table     ███████████████  40.0 k ███████████████  40.0 k    62%\n");
	buf_free(&b);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(channels_have_a_place_each_and_the_busiest_a_lane_of_time),
		cmocka_unit_test(points_bars_and_heights_have_forms_of_both_kinds),
		cmocka_unit_test(structures_are_drawn_by_address_and_time),
		cmocka_unit_test(structures_that_are_walked_through_alike_are_one_picture),
		cmocka_unit_test(misses_are_drawn_by_level_and_by_address),
		cmocka_unit_test(a_machine_without_a_first_level_shows_the_nearest),
		cmocka_unit_test(more_channels_than_places_share_them),
		cmocka_unit_test(one_structure_has_lanes_of_reads_and_writes),
		cmocka_unit_test(without_unicode_all_is_ascii),
		cmocka_unit_test(without_addresses_lanes_show_when),
		cmocka_unit_test(lanes_of_addresses_have_the_first_toucher),
		cmocka_unit_test(portals_have_totals_at_both_edges),
		cmocka_unit_test(many_columns_and_rows_are_others),
		cmocka_unit_test(flows_are_lanes_and_a_table),
		cmocka_unit_test(the_size_of_a_part_has_room_beside_its_picture),
		cmocka_unit_test(what_is_not_there_is_refused),
		cmocka_unit_test(source_lines_that_miss_say_what_they_do),
		cmocka_unit_test(of_several_processes_one_is_drawn_and_portals_have_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
