/* SPDX-License-Identifier: BSD-3-Clause */
/* Timelines in the forms of other tools, read back by small readers of their own. */
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

#include "report/model/timeline_facts.h"
#include "report/model/timeline_lanes.h"
#include "tests/report/sample.h"

enum { COLUMNS = 32, FILL = 8, THREADS = 2, PROCESSES = 2 };

static char directory[] = "/tmp/psc-traces-XXXXXX";
static struct report *sample;

static char *path_of(const char *name)
{
	static char path[200];

	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

/* The contents of a file of the test's directory; the caller frees. */
static char *contents(const char *name, size_t *n)
{
	FILE *f = fopen(path_of(name), "r");
	char *text = malloc(1 << 22);

	assert_non_null(f);
	assert_non_null(text);
	*n = fread(text, 1, (1 << 22) - 1, f);
	text[*n] = '\0';
	fclose(f);
	return text;
}

/* --- the axis of time ----------------------------------------------------------------------- */

/* 8000 references fill the table in 10 ms, 24000 gather from it in 50 ms. */
static void a_region_s_clean_time_is_spread_over_its_references(void **state)
{
	struct timeline_lanes l;
	struct err err;

	(void)state;
	assert_int_equal(timeline_lanes_make(&sample->timelines[0], &l, &err), 0);
	assert_true(l.is_time && l.threads == THREADS && l.columns == COLUMNS);
	assert_true(fabs(timeline_lanes_at(&l, 0, 0)) < 1);
	assert_true(fabs(timeline_lanes_at(&l, 0, FILL / 2) - 5e6) < 1);
	assert_true(fabs(timeline_lanes_at(&l, 0, FILL) - 10e6) < 1);
	assert_true(fabs(timeline_lanes_at(&l, 0, COLUMNS) - 60e6) < 1);
	assert_int_equal(timeline_lanes_region(&l, 0, FILL - 1), 2);
	assert_int_equal(timeline_lanes_region(&l, 0, FILL), 3);
	timeline_lanes_free(&l);
}

/* Thread 1 has 40 references less to the barrier, 1250 ns each: it waits there, and has them behind it. */
static void threads_meet_at_barriers(void **state)
{
	struct timeline_lanes l;
	struct err err;

	(void)state;
	assert_int_equal(timeline_lanes_make(&sample->timelines[0], &l, &err), 0);
	assert_true(fabs(timeline_lanes_at(&l, 1, FILL) - 10e6 - 40 * 1250) < 1);
	assert_true(fabs(timeline_lanes_at(&l, 1, COLUMNS) - 60e6 - 40 * 1250) < 1);
	/* Seven columns of 8.75 ms are stretched as the 9.95 ms before the barrier are to 10. */
	assert_true(fabs(timeline_lanes_at(&l, 1, FILL - 1) - 8.75e6 / 9.95 * 10) < 1);
	timeline_lanes_free(&l);
}

static void without_times_a_reference_counts_one(void **state)
{
	struct report_timeline t = sample->timelines[0];
	struct report_time_region regions[3];
	struct timeline_lanes l;
	struct err err;

	(void)state;
	memcpy(regions, t.regions, sizeof regions);
	for (int i = 0; i < 3; i++)
		regions[i].time = NAN;
	t.regions = regions;
	t.nmarks = 0;
	assert_int_equal(timeline_lanes_make(&t, &l, &err), 0);
	assert_false(l.is_time);
	assert_true(fabs(timeline_lanes_at(&l, 1, COLUMNS) - 32000) < 1e-6);
	timeline_lanes_free(&l);
}

/* Other forms have the threads where the pictures have them, also where only some of them pass a barrier. */
static void lanes_are_aligned_as_pictures_are(void **state)
{
	struct report_timeline t = sample->timelines[0];
	struct report_time_region regions[3];
	struct report_time_mark marks[] = { { 1, 0, FILL * 500 }, { 0, 0, FILL * 1000 }, { 0, 1, FILL * 1500 } };
	struct timeline_lanes l;
	struct time_facts *f;
	struct err err;

	(void)state;
	memcpy(regions, t.regions, sizeof regions);
	for (int i = 0; i < 3; i++)
		regions[i].time = NAN;
	t.regions = regions;
	t.marks = marks;
	t.nmarks = 3;
	f = time_facts_new(&t);
	assert_non_null(f);
	assert_int_equal(timeline_lanes_make(&t, &l, &err), 0);
	for (int i = 0; i < 2; i++)
		for (int c = 0; c < COLUMNS; c++)
			assert_true(fabs(timeline_lanes_at(&l, i, c) - time_axis_border(&f->axis, i, c)) < 1 + t.width / 10);
	timeline_lanes_free(&l);
	time_facts_free(f);
}

/* --- CSV ------------------------------------------------------------------------------------- */

/* Splits a line at its commas, in place; the number of cells. */
static int cells_of(char *line, char **cell, int most)
{
	int n = 0;

	for (char *s = line; s && n < most; n++) {
		cell[n] = s;
		s = strchr(s, ',');
		if (s)
			*s++ = '\0';
	}
	return n;
}

static int column_of(char **heading, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(heading[i], name) == 0)
			return i;
	fail_msg("no column %s", name);
	return -1;
}

static double model_sum(const char *name, bool stores)
{
	double sum = 0;

	for (int p = 0; p < sample->ntimelines; p++) {
		const struct report_timeline *t = &sample->timelines[p];

		for (int i = 0; i < t->ncells; i++)
			if (strcmp(t->structures[t->cells[i].structure - 1].name, name) == 0)
				sum += (double)series_sum(stores ? &t->cells[i].writes : &t->cells[i].misses[2]);
	}
	return sum;
}

static void csv_has_each_count_once(void **state)
{
	struct err err;
	char *cell[64], *head[64], *save = NULL, *text;
	double stores = 0, misses = 0, gather = 0, node1 = 0, channel = 0;
	int n, width;
	size_t len;

	(void)state;
	assert_int_equal(report_timeline_csv_write(sample, path_of("t.csv"), &err), 0);
	text = contents("t.csv", &len);
	width = cells_of(strtok_r(text, "\n", &save), head, 64);
	for (char *line; (line = strtok_r(NULL, "\n", &save)) != NULL;) {
		n = cells_of(line, cell, 64);
		assert_int_equal(n, width);
		assert_string_equal(cell[column_of(head, width, "file")], "gather.c");
		if (strcmp(cell[column_of(head, width, "structure")], "table") != 0)
			continue;
		stores += atof(cell[column_of(head, width, "stores")]);
		misses += atof(cell[column_of(head, width, "l3_miss")]);
		gather += atof(cell[column_of(head, width, "gather")]);
		node1 += atof(cell[column_of(head, width, "node1")]);
		channel += atof(cell[column_of(head, width, "node1_channel1")]);
	}
	assert_true(stores > 0 && fabs(stores - model_sum("table", true)) < 0.5);
	assert_true(misses > 0 && fabs(misses - model_sum("table", false)) < 0.5);
	/* 24 columns with 400 misses each, of two threads in two processes; thread 1's 8 columns of 125 are served by node 1. */
	assert_true(fabs(gather - 24 * 400 * THREADS * PROCESSES) < 0.5);
	assert_true(fabs(node1 - 8 * 125 * PROCESSES) < 0.5 && fabs(channel - node1) < 0.5);
	free(text);
}

/* --- Perfetto -------------------------------------------------------------------------------- */

/* A message that is read: a field after the other. */
struct reader { const uint8_t *at, *end; };
struct field { uint64_t number, value; struct reader inside; double real; };

static uint64_t read_varint(struct reader *r)
{
	uint64_t v = 0;

	for (int shift = 0;; shift += 7) {
		assert_true(r->at < r->end && shift < 64);
		v |= (uint64_t)(*r->at & 0x7f) << shift;
		if (!(*r->at++ & 0x80))
			return v;
	}
}

static bool read_field(struct reader *r, struct field *f)
{
	uint64_t key;

	if (r->at == r->end)
		return false;
	key = read_varint(r);
	*f = (struct field){ .number = key >> 3 };
	switch (key & 7) {
	case 0:
		f->value = read_varint(r);
		break;
	case 1:
		assert_true(r->end - r->at >= 8);
		memcpy(&f->real, r->at, 8);     /* this test runs where doubles are little-endian */
		r->at += 8;
		break;
	case 2:
		f->value = read_varint(r);
		assert_true(f->value <= (uint64_t)(r->end - r->at));
		f->inside = (struct reader){ r->at, r->at + f->value };
		r->at += f->value;
		break;
	default:
		fail_msg("wire type %u", (unsigned)(key & 7));
	}
	return true;
}

enum { TRACKS = 200, DEPTH = 8 };
struct track {
	char name[64];
	bool thread, counter;
	uint64_t parent, last;
	char open[DEPTH][64];
	int depth, deepest, slices, values;
	double greatest;
};

static void copy_text(char *to, size_t n, const struct field *f)
{
	snprintf(to, n, "%.*s", (int)f->value, (const char *)f->inside.at);
}

static void read_descriptor(struct track *tracks, struct reader r)
{
	struct field f;
	struct track t = { .greatest = 0 };
	uint64_t uuid = 0;

	while (read_field(&r, &f))
		switch (f.number) {
		case 1: uuid = f.value; break;
		case 2: copy_text(t.name, sizeof t.name, &f); break;
		case 4: t.thread = true; break;
		case 5: t.parent = f.value; break;
		case 8: t.counter = true; break;
		}
	assert_true(uuid > 0 && uuid < TRACKS);
	tracks[uuid] = t;
}

static void read_event(struct track *tracks, struct reader r, uint64_t time)
{
	struct field f, name = { 0 };
	struct track *t = NULL;
	uint64_t type = 0;
	double real = NAN;

	while (read_field(&r, &f))
		switch (f.number) {
		case 9: type = f.value; break;
		case 11: assert_true(f.value < TRACKS); t = &tracks[f.value]; break;
		case 23: name = f; break;
		case 44: real = f.real; break;
		}
	assert_non_null(t);
	assert_true(time >= t->last);
	t->last = time;
	if (type == 4) {
		assert_true(t->counter && real >= 0);
		t->values++;
		t->greatest = real > t->greatest ? real : t->greatest;
	} else if (type == 1) {
		assert_true(t->thread && t->depth < DEPTH);
		copy_text(t->open[t->depth++], 64, &name);
		t->deepest = t->depth > t->deepest ? t->depth : t->deepest;
		t->slices++;
	} else {
		assert_int_equal(type, 2);
		assert_true(t->depth > 0);
		t->depth--;
	}
}

static void read_trace(struct track *tracks, struct reader trace)
{
	struct field packet, f;

	while (read_field(&trace, &packet)) {
		struct field event = { 0 };
		uint64_t time = 0;

		assert_int_equal(packet.number, 1);
		while (read_field(&packet.inside, &f))
			if (f.number == 8)
				time = f.value;
			else if (f.number == 11)
				event = f;
			else if (f.number == 60)
				read_descriptor(tracks, f.inside);
		if (event.number)
			read_event(tracks, event.inside, time);
	}
}

static void perfetto_has_regions_as_slices_and_misses_as_counters(void **state)
{
	struct track *tracks = calloc(TRACKS, sizeof *tracks);
	int threads = 0, counters = 0;
	struct err err;
	size_t n;
	char *text;

	(void)state;
	assert_int_equal(report_perfetto_write(sample, path_of("t.pftrace"), &err), 0);
	text = contents("t.pftrace", &n);
	read_trace(tracks, (struct reader){ (uint8_t *)text, (uint8_t *)text + n });
	for (int i = 0; i < TRACKS; i++) {
		assert_int_equal(tracks[i].depth, 0);
		threads += tracks[i].thread;
		counters += tracks[i].counter;
		if (tracks[i].thread) {         /* the step, in it the two loops */
			assert_int_equal(tracks[i].slices, 3);
			assert_int_equal(tracks[i].deepest, 2);
			assert_string_equal(tracks[i].open[0], "gather.c:step/loop 1 (gather.c:10)");
			assert_string_equal(tracks[i].open[1], "loop 2 (gather.c:15)");
			assert_true(tracks[i].last >= 60000000 && tracks[i].last <= 60050000);
		}
		if (strcmp(tracks[i].name, "table: L3 misses per access") == 0) {
			assert_true(tracks[tracks[i].parent].thread);
			assert_int_equal(tracks[i].values, 3);          /* as it fills, as it gathers, the end */
			assert_true(fabs(tracks[i].greatest - 0.8) < 1e-12);
		}
	}
	assert_int_equal(threads, THREADS * PROCESSES);
	assert_int_equal(counters, 2 * 2 * THREADS * PROCESSES);
	free(tracks);
	free(text);
}

/* --- Paraver --------------------------------------------------------------------------------- */

struct prv { uint64_t end, covered[THREADS * PROCESSES], last; int states, events; double table; };

static void read_state(struct prv *v, const char *line)
{
	unsigned cpu, appl, task, thread, state;
	unsigned long long from, to;

	assert_int_equal(sscanf(line, "1:%u:%u:%u:%u:%llu:%llu:%u", &cpu, &appl, &task, &thread, &from, &to, &state), 7);
	assert_true(appl == 1 && task <= PROCESSES && thread <= THREADS && cpu == (task - 1) * THREADS + thread);
	assert_true(from == v->covered[cpu - 1] && to > from && to <= v->end && from >= v->last);
	assert_true(state <= 3);
	v->covered[cpu - 1] = to;
	v->last = from;
	v->states++;
}

/* What thread 1.1.1 does with the first structure: its accesses as they change. */
static void read_events(struct prv *v, const char *line)
{
	unsigned cpu, appl, task, thread;
	unsigned long long time;
	int at = 0;

	assert_int_equal(sscanf(line, "2:%u:%u:%u:%u:%llu%n", &cpu, &appl, &task, &thread, &time, &at), 5);
	assert_true(time >= v->last && time <= v->end);
	v->last = time;
	v->events++;
	for (line += at; *line; line += at) {
		unsigned type;
		long long value;

		assert_int_equal(sscanf(line, ":%u:%lld%n", &type, &value, &at), 2);
		if (cpu == 1 && type == 90100001)
			v->table = (double)value;
		if (cpu == 1 && type == 90100001 && !time)
			assert_int_equal(value, 1000);
		if (cpu == 1 && type == 90100001 && time == 10000000)
			assert_int_equal(value, 500);
	}
}

static void paraver_is_read_back(void **state)
{
	struct prv v = { .table = NAN };
	struct err err;
	char *save = NULL, *text, *line, units[8];
	unsigned cpus;
	size_t n;

	(void)state;
	assert_int_equal(report_paraver_write(sample, path_of("t"), &err), 0);
	text = contents("t.prv", &n);
	line = strchr(strtok_r(text, "\n", &save), ')');
	assert_int_equal(sscanf(line, "):%llu_%7[^:]:1(%u):1:2(2:1,2:1)", (unsigned long long *)&v.end, units, &cpus), 3);
	assert_string_equal(units, "ns");
	assert_int_equal(cpus, THREADS * PROCESSES);
	while ((line = strtok_r(NULL, "\n", &save)) != NULL)
		if (*line == '1')
			read_state(&v, line);
		else
			read_events(&v, line);
	assert_int_equal(v.states, 2 * THREADS * PROCESSES + PROCESSES);        /* the faster thread is idle at the end */
	for (int i = 0; i < THREADS * PROCESSES; i++)
		assert_int_equal(v.covered[i], v.end);
	assert_true(fabs(v.table) < 1e-12);             /* 0 at last */
	free(text);
}

static void has_line(const char *file, const char *wanted)
{
	size_t n;
	char *text = contents(file, &n), *at = strstr(text, wanted);

	if (!at || (at != text && at[-1] != '\n') || (at[strlen(wanted)] != '\n'))
		fail_msg("%s has no line \"%s\"", file, wanted);
	free(text);
}

static void paraver_s_labels_name_what_the_trace_has(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(report_paraver_write(sample, path_of("t"), &err), 0);
	has_line("t.pcf", "3    gather.c:step/loop 1/loop 2 (gather.c:15)");
	has_line("t.pcf", "7    90300001    L3 misses of table");
	has_line("t.pcf", "7    90100002    Accesses to out");
	has_line("t.row", "LEVEL THREAD SIZE 4");
	has_line("t.row", "process 1, thread 0");
	has_line("t.cfg", "ConfigFile.NumWindows: 3");
	has_line("t.cfg", "window_filter_module evt_type 1 90300001");
}

static int make(void **state)
{
	(void)state;
	sample = report_new();
	if (!mkdtemp(directory) || !sample)
		return -1;
	sample->command = "./gather";
	sample_timelines(sample);
	return 0;
}

static int clean(void **state)
{
	static const char *const files[] = { "t.csv", "t.pftrace", "t.prv", "t.pcf", "t.row", "t.cfg" };

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		unlink(path_of(files[i]));
	report_free(sample);
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_region_s_clean_time_is_spread_over_its_references),
		cmocka_unit_test(threads_meet_at_barriers),
		cmocka_unit_test(without_times_a_reference_counts_one),
		cmocka_unit_test(lanes_are_aligned_as_pictures_are),
		cmocka_unit_test(csv_has_each_count_once),
		cmocka_unit_test(perfetto_has_regions_as_slices_and_misses_as_counters),
		cmocka_unit_test(paraver_is_read_back),
		cmocka_unit_test(paraver_s_labels_name_what_the_trace_has),
	};

	return cmocka_run_group_tests(tests, make, clean);
}
