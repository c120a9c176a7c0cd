/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of memory over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "report/words/timeline_words.h"
#include "tests/report/made_timeline.h"

typedef void writer(struct buf *b, const struct time_facts *f, int at);

static void says(struct made *m, writer *write, int at, const char *want)
{
	struct time_facts *f = time_facts_new(&m->t);
	struct buf b = BUF_INIT;

	write(&b, f, at);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
	time_facts_free(f);
}

static void claim(struct buf *b, const struct time_facts *f, int view)
{
	timeline_claim(b, f, (enum timeline_view)view);
}

static void reading(struct buf *b, const struct time_facts *f, int view)
{
	timeline_reading(b, f, (enum timeline_view)view);
}

static void walk(struct buf *b, const struct time_facts *f, int structure)
{
	timeline_walk(b, f, structure, true);
}

static void edges(struct buf *b, const struct time_facts *f, int at)
{
	(void)at;
	timeline_edges(b, f);
}

/* Two threads; thread 0 fills table, then both read it; then each writes its half of out. */
static struct made *gather(void)
{
	struct made *m = made_new(2);
	const int fill = made_region(m, "a.c:fill/loop 1", 0), look = made_region(m, "a.c:look/loop 1", 0);
	const int table = made_structure(m, "table"), out = made_structure(m, "out");

	made_use(m, &(struct made_use){ fill, table, 0, 0, 10, 0, 16, MADE_UP, true, 1000 });
	for (int k = 0; k < 2; k++) {
		made_use(m, &(struct made_use){ look, table, k, 10, 32, 0, 16, MADE_ALL, false, 800 });
		made_use(m, &(struct made_use){ look, out, k, 10, 32, 8 * k, 8 * k + 8, MADE_UP, true, 200 });
	}
	made_mark(m, 0, 0, 10000);
	made_mark(m, 1, 0, 10000);
	return m;
}

static void a_structure_says_how_it_is_walked_through_and_where(void **state)
{
	struct made *m = gather();

	(void)state;
	says(m, timeline_structure_claim, 0, "table: written forwards, each part several times, in fill, then read as a whole, each byte about 17 times, in look");
	says(m, walk, 0, "written forwards, then read as a whole again and again");
	says(m, timeline_structure_claim, 1, "out: written forwards, each part several times, in look");
	says(m, claim, VIEW_TIMELINE, "table: written forwards, then read as a whole again and again; out: "
		"written forwards");
	made_free(m);
}

static void a_structure_says_whose_it_is_and_when(void **state)
{
	struct made *m = gather();

	(void)state;
	says(m, timeline_sharing, 0, "written by its first toucher alone, read by both threads; first touched by thread 0");
	says(m, timeline_pattern, 0, "table: filled by thread 0, then read by both threads at once");
	says(m, timeline_pattern, 1, "out: written by both threads, each a part of its own");
	says(m, timeline_advice, 0, "");        /* one node: there is no wrong place */
	says(m, claim, VIEW_CARTOGRAPHY, "thread 0 touched table first, others use it, too; of out, each thread has a part of its own");
	made_free(m);
}

static void one_thread_alone_is_told_from_others_with_few_accesses(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:wait/loop 1", 0), done = made_structure(m, "done");

	(void)state;
	made_use(m, &(struct made_use){ r, done, 1, 0, 32, 0, 1, MADE_ALL, false, 1000 });
	says(m, timeline_pattern, 0, "done: read by thread 1 alone");
	says(m, timeline_sharing, 0, "of one thread alone; first touched by thread 1");
	made_use(m, &(struct made_use){ r, done, 0, 16, 17, 8, 9, MADE_ALL, false, 30 });
	says(m, timeline_pattern, 0, "done: read almost only by thread 1");
	m->t.rows = m->t.nmaps = 0;
	says(m, timeline_sharing, 0, "almost only of thread 1");
	made_free(m);
}

static void who_reads_what_others_filled_are_those_who_use_it_then(void **state)
{
	struct made *m = made_new(2);
	const int fill = made_region(m, "a.c:fill/loop 1", 0), s = made_structure(m, "result");
	const int add = made_region(m, "a.c:add/loop 1", 0);

	(void)state;
	for (int k = 0; k < 2; k++)
		made_use(m, &(struct made_use){ fill, s, k, 0, 10, 8 * k, 8 * k + 8, MADE_UP,
			true, 1000 });
	made_use(m, &(struct made_use){ add, s, 0, 10, 32, 0, 16, MADE_UP, false, 1000 });
	made_mark(m, 0, 0, 10000);
	made_mark(m, 1, 0, 10000);
	says(m, timeline_pattern, 0, "result: filled by both threads, then read by thread 0 alone");
	made_free(m);
}

static void a_brief_walk_has_what_few_accesses_miss_most(void **state)
{
	struct made *m = made_new(1);
	const int copy = made_region(m, "a.c:copy/loop 1", 0), scale = made_region(m, "a.c:scale/loop 1", 0);
	const int s = made_structure(m, "x");

	(void)state;
	made_use(m, &(struct made_use){ copy, s, 0, 0, 28, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ scale, s, 0, 28, 32, 0, 16, MADE_DOWN, false, 160 });
	m->cells[0].misses[0] = made_flat(m, 0, 28, 1);
	says(m, walk, 0, "written forwards");
	m->cells[1].misses[0] = made_flat(m, 28, 32, 90);
	says(m, walk, 0, "written forwards, then read backwards");
	says(m, reading, VIEW_TIMELINE, "Left to right: one execution, in 32 columns of 1000 accesses. Top to bottom: addresses, "
		"from the first byte used to the last. x has 100% of the misses of level 1. ");
	for (int i = 0; i < 2; i++) {           /* a machine whose nearest level is 2 */
		m->cells[i].misses[1] = m->cells[i].misses[0];
		m->cells[i].misses[0].n = 0;
	}
	says(m, walk, 0, "written forwards, then read backwards");
	says(m, reading, VIEW_TIMELINE, "Left to right: one execution, in 32 columns of 1000 accesses. Top to bottom: addresses, "
		"from the first byte used to the last. x has 100% of the misses of level 2. ");
	made_free(m);
}

static void lines_tell_the_way_within_pieces_in_no_order(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct report_line_walk line = { .file = "a.c", .line = 12, .region = r, .structure = s,
		.size = 8, .per = 1, .span = 8, .seen = 1000, .step = -8, .share = 1 };

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 16, 0, 16, MADE_MIXED, false, 150 });
	says(m, walk, 0, "read in no order that shows");
	m->t.line_walks = &line;
	m->t.nline_walks = 1;
	says(m, walk, 0, "read backwards in pieces, which come in no order");
	made_free(m);
}

static void structures_are_told_by_whose_their_parts_are(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), a = made_structure(m, "a"), b = made_structure(m, "b");

	(void)state;
	for (int k = 0; k < 2; k++) {
		made_use(m, &(struct made_use){ r, b, k, 0, 16, 0, 16, MADE_ALL, true, 400 });
		made_use(m, &(struct made_use){ r, a, k, 0, 16, 0, 16, MADE_ALL, true, 300 });
		made_mark(m, k, 0, 16000);
	}
	m->structures[0].toucher = m->structures[1].toucher = made_flat(m, 0, 16, 1);
	says(m, claim, VIEW_CARTOGRAPHY, "thread 0 touched b and a first, others use them, too");
	for (int i = 0; i < 2; i++)
		m->structures[i].toucher = (struct report_series){ NULL, 0 };
	m->t.nmarks = 0;                /* it is not known which thread is first */
	says(m, claim, VIEW_CARTOGRAPHY, "a and b: several threads write and use the same parts");
	made_free(m);
}

static void parts_that_change_threads_are_told(void **state)
{
	struct made *m = made_new(2);
	const int down = made_region(m, "a.c:down/loop 1", 0);
	const int up = made_region(m, "a.c:up/loop 1", 0), s = made_structure(m, "x");

	(void)state;
	for (int k = 0; k < 2; k++) {
		const int first = 8 * k, other = 8 - first;

		made_use(m, &(struct made_use){ down, s, k, 0, 8, first, first + 8, MADE_ALL, true,
			800 });
		made_use(m, &(struct made_use){ up, s, k, 8, 16, other, other + 8, MADE_ALL, true,
			800 });
		made_mark(m, k, 0, 8000);
		made_mark(m, k, 1, 16000);
	}
	says(m, timeline_sharing, 0, "100% handed over to others; "
		"up gives its parts to other threads than down; first touched by several threads");
	says(m, claim, VIEW_CARTOGRAPHY, "x: one thread fills a part, another one uses it; "
		"up gives the parts of x to other threads than down");
	says(m, timeline_advice, 0,
		"Divide both loops alike: each thread then finds its part in its own cache.");
	made_free(m);
}

static void a_structure_of_two_classes_is_told_by_its_parts(void **state)
{
	struct made *m = made_new(2);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");

	(void)state;
	for (int k = 0; k < 2; k++)
		made_use(m, &(struct made_use){ r, s, k, 0, 16, 0, 16, MADE_ALL, false, 1600 });
	made_use(m, &(struct made_use){ r, s, 1, 0, 16, 0, 6, MADE_ALL, true, 600 });
	says(m, timeline_sharing, 0, "38% shared and written, 62% shared and read only");
	says(m, claim, VIEW_CARTOGRAPHY, "x: several threads write and use the same parts");
	made_free(m);
}

static void ranks_are_told_by_their_accesses(void **state)
{
	struct made *m[2] = { made_new(1), made_new(1) };
	struct time_facts *f[2], *alike[2];
	struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const int r = made_region(m[i], "a.c:step/loop 1", 0), s = made_structure(m[i], "x");

		made_use(m[i], &(struct made_use){ r, s, 0, 0, 16, 0, 16, MADE_ALL, false, 500 + 500 * i });
		m[i]->t.process = 3 + i;
		f[i] = time_facts_new(&m[i]->t);
	}
	timeline_ranks_claim(&b, f, 1);
	assert_string_equal(buf_str(&b), "");
	timeline_ranks_claim(&b, f, 2);
	assert_string_equal(buf_str(&b), "rank 4 makes 67% of the accesses of 2 ranks, 2.0 times as many as "
		"any other");
	buf_clear(&b);
	alike[0] = alike[1] = f[1];
	timeline_ranks_claim(&b, alike, 2);
	assert_string_equal(buf_str(&b), "both ranks make equally many accesses");
	buf_free(&b);
	for (int i = 0; i < 2; i++) {
		time_facts_free(f[i]);
		made_free(m[i]);
	}
}

static void portals_and_lanes_say_who_does_most(void **state)
{
	struct made *m = gather();

	(void)state;
	says(m, claim, VIEW_VARIABLES, "table takes 84% of all accesses; thread 0 makes 45% more than the next");
	says(m, claim, VIEW_GANTT, "thread 0 works alone in 31% of the columns; fill: table; look: table and out");
	says(m, claim, VIEW_MODULES, "the machine model has one memory node: it serves all");
	says(m, timeline_thread_claim, 1, "thread 1: table 80%, out 20% of its accesses");
	made_free(m);
}

static void a_part_without_accesses_is_said(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 8, MADE_DOWN, false, 1000 });
	says(m, timeline_structure_claim, 0, "x: read backwards, each part several times; half of it shows no access");
	says(m, claim, VIEW_TIMELINE, "x: read backwards (half of it shows no access)");
	says(m, claim, VIEW_CARTOGRAPHY, "one thread: all rows are its own");
	m->structures[0].bytes = 64;    /* an access is drawn in the first of its two rows */
	m->structures[0].used_from = 0;
	m->structures[0].used_to = 63;
	says(m, claim, VIEW_TIMELINE, "x: read backwards");
	made_free(m);
}

static void few_accesses_say_nothing_of_rows_that_the_sample_lacks(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct buf b = BUF_INIT;
	struct time_facts *f;

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 8, MADE_DOWN, false, 200 });
	f = time_facts_new(&m->t);
	timeline_structure_claim(&b, f, 0);
	timeline_claim(&b, f, VIEW_TIMELINE);
	assert_true(b.len > 0);
	assert_null(strstr(buf_str(&b), "no access"));
	buf_free(&b);
	time_facts_free(f);
	made_free(m);
}

static void without_addresses_the_misses_say_how_it_is_walked_through(void **state)
{
	struct made *m = made_new(1);
	const int r = made_region(m, "a.c:step/loop 1", 0), s = made_structure(m, "x");
	struct report_line_walk line = { "a.c", 11, r, s, false, 8, 1, 8, 1000, 256, 0.99, NAN };
	const struct report_point chain = { 5 * TIMELINE_CLASSES + TIMELINE_CHAINED, 800 };

	(void)state;
	made_use(m, &(struct made_use){ r, s, 0, 0, 32, 0, 16, MADE_ALL, false, 1000 });
	m->t.rows = m->t.nmaps = 0;
	says(m, timeline_structure_claim, 0, "x: read");
	m->t.line_walks = &line;
	m->t.nline_walks = 1;
	says(m, timeline_structure_claim, 0, "x: read at a constant step");
	m->cells[0].kinds = (struct report_series){ &chain, 1 };
	says(m, timeline_structure_claim, 0, "x: read along a chain");
	says(m, timeline_structure_reading, 0, "Addresses were not drawn: the picture has when, not where. 32.0 k accesses an execution, "
		"100% of all; 0 miss level 1, 800 come from memory.");
	made_free(m);
}

static void dependences_are_told_by_pairs_of_sections(void **state)
{
	struct made *m = made_new(1);
	const int copy = made_region(m, "a.c:copy/loop 1", 0), add = made_region(m, "a.c:add/loop 1", 0);
	const int a = made_structure(m, "a"), b = made_structure(m, "b");

	(void)state;
	for (int s = a; s <= b; s++) {
		made_use(m, &(struct made_use){ copy, s, 0, 0, 16, 0, 16, MADE_ALL, true, 1600 });
		made_use(m, &(struct made_use){ add, s, 0, 16, 32, 0, 16, MADE_ALL, false, 1600 });
	}
	says(m, edges, 0, "add reads a, b that copy wrote, as far as rows of addresses show.");
	made_free(m);
}

/* a is written by A, read by C; b by B; D reads what C wrote: A before C before D, B whenever. */
static void sections_that_share_nothing_written_could_run_side_by_side(void **state)
{
	struct made *m = made_new(1);
	const int first = made_region(m, "a.c:A/loop 1", 0);
	const int second = made_region(m, "a.c:B/loop 1", 0);
	const int third = made_region(m, "a.c:C/loop 1", 0);
	const int last = made_region(m, "a.c:D/loop 1", 0);
	const int a = made_structure(m, "a"), b = made_structure(m, "b");
	const int c = made_structure(m, "c");

	(void)state;
	made_use(m, &(struct made_use){ first, a, 0, 0, 8, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ second, b, 0, 8, 16, 0, 16, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ third, a, 0, 16, 24, 0, 16, MADE_UP, false, 500 });
	made_use(m, &(struct made_use){ third, c, 0, 16, 24, 0, 16, MADE_UP, true, 500 });
	made_use(m, &(struct made_use){ last, c, 0, 24, 32, 0, 16, MADE_UP, false, 1000 });
	says(m, edges, 0, "C reads a that A wrote; D reads c that C wrote, as far as rows of "
		"addresses show. A and B use no memory that another of them writes: they could "
		"run side by side, unless one needs a value that another returns.");
	made_use(m, &(struct made_use){ second, a, 0, 8, 16, 7, 8, MADE_UP, true, 10 });
	says(m, edges, 0, "C reads a that A wrote; D reads c that C wrote, as far as rows of "
		"addresses show.");
	made_free(m);
}

static void halves_of_a_structure_are_no_dependence(void **state)
{
	struct made *m = made_new(1);
	const int low = made_region(m, "a.c:low/loop 1", 0);
	const int high = made_region(m, "a.c:high/loop 1", 0);
	const int a = made_structure(m, "a");

	(void)state;
	made_use(m, &(struct made_use){ low, a, 0, 0, 16, 0, 8, MADE_UP, true, 1000 });
	made_use(m, &(struct made_use){ high, a, 0, 16, 32, 8, 16, MADE_UP, true, 1000 });
	says(m, edges, 0, "low and high use no memory that another of them writes: they could run "
		"side by side, unless one needs a value that another returns.");
	made_free(m);
}

static void a_routine_that_reads_what_an_earlier_call_wrote_is_told_once(void **state)
{
	struct made *m = made_new(1);
	const int red = made_region(m, "a.c:step/call relax 1 > a.c:relax", 0);
	const int black = made_region(m, "a.c:step/call relax 2 > a.c:relax", 0);
	const int last = made_region(m, "a.c:step/call relax 3 > a.c:relax", 0);
	const int end = made_region(m, "a.c:end", 0), u = made_structure(m, "u");

	(void)state;
	made_use(m, &(struct made_use){ red, u, 0, 0, 10, 0, 16, MADE_ALL, true, 1600 });
	made_use(m, &(struct made_use){ black, u, 0, 10, 20, 0, 16, MADE_ALL, false, 1600 });
	made_use(m, &(struct made_use){ last, u, 0, 20, 26, 0, 16, MADE_ALL, false, 1600 });
	made_use(m, &(struct made_use){ end, u, 0, 26, 32, 0, 16, MADE_ALL, false, 1600 });
	says(m, edges, 0,
		"relax reads u that it wrote before; end reads u that relax wrote, as far as rows "
		"of addresses show.");
	made_free(m);
}

static void structures_always_used_together_are_named_together(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct made *m = made_new(1);
	const int step = made_region(m, "a.c:step/loop 1", 0);
	const int end = made_region(m, "a.c:end/loop 1", 0);

	(void)state;
	for (int i = 0; i < 4; i++) {   /* about a fifth of the step's, each */
		const int s = made_structure(m, names[i]);

		made_use(m, &(struct made_use){ step, s, 0, 0, 20, 0, 16, MADE_UP, false,
			180 + 20 * i });
	}
	made_structure(m, "other");
	made_use(m, &(struct made_use){ step, 5, 0, 0, 8, 0, 16, MADE_UP, false, 460 });
	made_use(m, &(struct made_use){ end, 5, 0, 20, 32, 0, 16, MADE_UP, false, 1000 });
	says(m, claim, VIEW_GANTT, "step: d, c, b and a; end: other");
	made_free(m);
}

static void lines_from_another_node_are_told_with_what_to_do(void **state)
{
	struct made *m = gather();
	const struct report_point nodes[] = { { 0, 1 }, { 1, 2 } };
	struct report_point served[32];

	(void)state;
	for (int i = 0; i < 20; i++)
		served[i] = (struct report_point){ (uint32_t)(12 + i) * 2, 10 };        /* all from node 0 */
	m->t.nodes = 2;
	m->cells[3].served = (struct report_series){ served, 20 };      /* of table, to thread 1 */
	says(m, claim, VIEW_MODULES, "node 0 serves 100% of all lines from memory");
	says(m, timeline_pattern, 0, "table: filled by thread 0, then read by both threads at once");
	m->t.thread_nodes = (struct report_series){ nodes, 2 };
	says(m, claim, VIEW_MODULES, "node 0 serves 100% of all lines from memory; 100% of all go to a thread of another node");
	says(m, timeline_pattern, 0, "table: filled by thread 0, then read by both threads at once, 100% of its lines from "
		"another node");
	says(m, timeline_advice, 0, "Make one copy on each node, or interleave its pages.");
	made_free(m);
}

static void the_structure_that_makes_channels_busy_is_named(void **state)
{
	struct made *m = gather();
	struct report_point even[4], hot[1] = { { 5, 1200 } };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		even[i] = (struct report_point){ 4 + i, 1000 };
	m->t.channels = m->t.node_channels = 4;
	m->t.interleave = 256;
	m->cells[1].channels = (struct report_series){ even, 4 };
	says(m, claim, VIEW_MODULES, "no channel serves more than 1.25 times the mean of all 4");
	m->cells[2].channels = (struct report_series){ hot, 1 };
	says(m, claim, VIEW_MODULES, "1 of 4 channels serves 42% of all lines from memory, most of all channel 1 with 1.7 times the "
		"mean; out makes 100% of the difference");
	even[2].at = hot[0].at = 6;     /* channel 2 has three times as many, of both */
	even[2].value = 3000;
	m->cells[2].channels = (struct report_series){ hot, 1 };
	says(m, claim, VIEW_MODULES, "1 of 4 channels serves 58% of all lines from memory, most of all channel 2 with 2.3 times the "
		"mean; table makes 62% of the difference");
	m->t.channels = 0;
	m->cells[1].channels = m->cells[2].channels = (struct report_series){ NULL, 0 };
	says(m, claim, VIEW_MODULES, "the machine model has one memory node: it serves all");
	made_free(m);
}

static void run(struct buf *b, const struct time_facts *f, int at)
{
	timeline_run(b, f, at);
}

static void runs_of_one_routine_are_told_apart_by_who_calls_it(void **state)
{
	struct made *m = made_new(1);
	const int top = made_region(m, "a.c:sweep", 0), up = made_region(m, "a.c:sweep/loop 1", top);
	const int down = made_region(m, "a.c:sweep/loop 2", top), s = made_structure(m, "x");
	const int in_up = made_region(m, "a.c:sweep/loop 1 > a.c:relax/loop 1", up);
	const int in_down = made_region(m, "a.c:sweep/loop 2 > a.c:relax/loop 1", down);

	(void)state;
	made_use(m, &(struct made_use){ in_up, s, 0, 0, 16, 0, 16, MADE_UP, false, 1000 });
	made_use(m, &(struct made_use){ in_down, s, 0, 16, 32, 0, 16, MADE_DOWN, false, 1000 });
	says(m, run, 0, "relax:40");
	says(m, run, 1, "relax:50");
	m->t.ncells = m->t.nmaps = 0;
	for (int k = 0; k < 2; k++) {   /* too many changes for the loops of relax */
		const int other = made_region(m, k ? "a.c:sweep/loop 2 > a.c:relax/loop 2" : "a.c:sweep/loop 1 > a.c:relax/loop 2",
			k ? down : up);

		for (int c = 0; c < 6; c++)
			made_use(m, &(struct made_use){ c % 2 ? other : k ? in_down : in_up, s, 0, 16 * k + 2 * c,
				16 * k + (c < 5 ? 2 * c + 2 : 16), 0, 16, MADE_UP, false, 1000 });
	}
	says(m, run, 0, "sweep:20");
	says(m, run, 1, "sweep:30");
	made_free(m);
}

static void nothing_is_said_of_nothing(void **state)
{
	struct made *m = made_new(1);

	(void)state;
	for (int k = 0; k < TIMELINE_VIEWS; k++)
		if (k != VIEW_MODULES && k != VIEW_CARTOGRAPHY && k != VIEW_GANTT)
			says(m, claim, k, "");
	says(m, timeline_thread_claim, 0, "");
	made_structure(m, "x");
	says(m, timeline_structure_claim, 0, "");
	says(m, timeline_structure_reading, 0, "");
	says(m, timeline_pattern, 0, "");
	says(m, timeline_sharing, 0, "");
	made_free(m);
}

static void an_allocation_has_a_place_a_thread_and_how_often_it_is(void **state)
{
	struct made *m = gather();
	struct report_time_structure *s = &m->structures[0];

	(void)state;
	says(m, timeline_allocation, 0, "");
	s->allocated_at = "a.c:3";
	says(m, timeline_allocation, 0, "Allocated at a.c:3.");
	s->allocated_by = 1;
	says(m, timeline_allocation, 0, "Allocated at a.c:3 by thread 1.");
	s->allocations = s->releases = 1;
	says(m, timeline_allocation, 0, "Allocated at a.c:3 by thread 1, once an execution, and released within it.");
	s->allocations = 12;
	s->releases = 0;
	says(m, timeline_allocation, 0, "Allocated at a.c:3 by thread 1, 12 times an execution.");
	made_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allocation_has_a_place_a_thread_and_how_often_it_is),
		cmocka_unit_test(a_structure_says_how_it_is_walked_through_and_where),
		cmocka_unit_test(a_structure_says_whose_it_is_and_when),
		cmocka_unit_test(one_thread_alone_is_told_from_others_with_few_accesses),
		cmocka_unit_test(who_reads_what_others_filled_are_those_who_use_it_then),
		cmocka_unit_test(a_brief_walk_has_what_few_accesses_miss_most),
		cmocka_unit_test(lines_tell_the_way_within_pieces_in_no_order),
		cmocka_unit_test(structures_are_told_by_whose_their_parts_are),
		cmocka_unit_test(parts_that_change_threads_are_told),
		cmocka_unit_test(a_structure_of_two_classes_is_told_by_its_parts),
		cmocka_unit_test(ranks_are_told_by_their_accesses),
		cmocka_unit_test(portals_and_lanes_say_who_does_most),
		cmocka_unit_test(a_part_without_accesses_is_said),
		cmocka_unit_test(few_accesses_say_nothing_of_rows_that_the_sample_lacks),
		cmocka_unit_test(without_addresses_the_misses_say_how_it_is_walked_through),
		cmocka_unit_test(dependences_are_told_by_pairs_of_sections),
		cmocka_unit_test(sections_that_share_nothing_written_could_run_side_by_side),
		cmocka_unit_test(halves_of_a_structure_are_no_dependence),
		cmocka_unit_test(a_routine_that_reads_what_an_earlier_call_wrote_is_told_once),
		cmocka_unit_test(structures_always_used_together_are_named_together),
		cmocka_unit_test(lines_from_another_node_are_told_with_what_to_do),
		cmocka_unit_test(the_structure_that_makes_channels_busy_is_named),
		cmocka_unit_test(runs_of_one_routine_are_told_apart_by_who_calls_it),
		cmocka_unit_test(nothing_is_said_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
