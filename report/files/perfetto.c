/* SPDX-License-Identifier: BSD-3-Clause */
/* The timelines as a trace of Perfetto's TrackEvent: a track for each thread with its regions as
 * nested slices, and below it for each structure two counters, its misses of the nearest and of
 * the last level per access. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/user_file.h"
#include "report/files/protobuf.h"
#include "report/model/timeline_lanes.h"
#include "report/model/report.h"
#include "report/words/timeline_words.h"

/* Fields of the messages that are written, by the names of Perfetto's .proto files. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_FLAGS = 13,
	PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5,
	TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_SOURCE = 33,
	EVENT_DOUBLE = 44 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };
enum { ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum { SOURCE_FILE = 2, SOURCE_FUNCTION = 3, SOURCE_LINE = 4 };
enum { SEQUENCE = 1, STATE_CLEARED = 1 };

/* Structures with less of a process's accesses and misses than this are one counter together, so
 * are those behind the first COUNTERS. */
#define COUNTER_SHARE 0.01
enum { COUNTERS = 24, DEPTH = 64, NAME = 64 };

struct trace {
	struct buf *out;
	const struct report *r;
	uint64_t last_uuid;
};

static void put_packet(struct trace *t, struct buf *packet)
{
	proto_number(packet, PACKET_SEQUENCE, SEQUENCE);
	proto_message(t->out, TRACE_PACKET, packet);
	buf_free(packet);
}

/* Ends the descriptor of a new track. */
static void put_track(struct trace *t, struct buf *track, uint64_t uuid)
{
	struct buf packet = BUF_INIT;

	proto_number(track, TRACK_UUID, uuid);
	proto_message(&packet, PACKET_TRACK, track);
	if (uuid == 1)
		proto_number(&packet, PACKET_FLAGS, STATE_CLEARED);
	put_packet(t, &packet);
	buf_free(track);
}

static uint64_t process_track(struct trace *t, const struct report_timeline *l, bool is_time)
{
	struct buf track = BUF_INIT, process = BUF_INIT, name = BUF_INIT;

	buf_printf(&name, "%s, process %d (%s)", t->r->command ? t->r->command : "?", l->process,
		is_time ? "time: estimate, of clean executions" : "time: references");
	proto_number(&process, PROCESS_PID, (uint64_t)l->process + 1);
	proto_string(&process, PROCESS_NAME, buf_str(&name));
	proto_message(&track, TRACK_PROCESS, &process);
	put_track(t, &track, ++t->last_uuid);
	buf_free(&process);
	buf_free(&name);
	return t->last_uuid;
}

/* Threads have unlike numbers over all processes. */
static uint64_t thread_track(struct trace *t, const struct report_timeline *l, uint64_t parent,
	int number)
{
	struct buf track = BUF_INIT, thread = BUF_INIT;
	char name[NAME];

	snprintf(name, sizeof name, "thread %d", number);
	proto_number(&thread, THREAD_PID, (uint64_t)l->process + 1);
	proto_number(&thread, THREAD_TID, (uint64_t)REPORT_TIMELINES + t->last_uuid + 1);
	proto_string(&thread, THREAD_NAME, name);
	proto_number(&track, TRACK_PARENT, parent);
	proto_message(&track, TRACK_THREAD, &thread);
	put_track(t, &track, ++t->last_uuid);
	buf_free(&thread);
	return t->last_uuid;
}

static uint64_t counter_track(struct trace *t, uint64_t parent, const char *structure,
	const char *level)
{
	struct buf track = BUF_INIT, name = BUF_INIT, none = BUF_INIT;

	buf_printf(&name, "%s: %s misses per access", structure, level);
	proto_number(&track, TRACK_PARENT, parent);
	proto_string(&track, TRACK_NAME, buf_str(&name));
	proto_message(&track, TRACK_COUNTER, &none);
	put_track(t, &track, ++t->last_uuid);
	buf_free(&name);
	return t->last_uuid;
}

static void put_event(struct trace *t, struct buf *event, double time, unsigned type,
	uint64_t track)
{
	struct buf packet = BUF_INIT;

	proto_number(event, EVENT_TYPE, type);
	proto_number(event, EVENT_TRACK, track);
	proto_number(&packet, PACKET_TIMESTAMP, timeline_lanes_tick(time));
	proto_message(&packet, PACKET_EVENT, event);
	put_packet(t, &packet);
	buf_free(event);
}

/* --- slices -------------------------------------------------------------------------------- */

/* What a region's name adds to that of the region around it. */
static const char *own_name(const struct report_timeline *l, const struct report_time_region *r)
{
	const char *outer = r->parent ? l->regions[r->parent - 1].name : "";
	const size_t n = strlen(outer);

	return n && strncmp(r->name, outer, n) == 0 && r->name[n] == '/' ? r->name + n + 1 :
		r->name;
}

static void begin_slice(struct trace *t, const struct report_timeline *l, int region, double time,
	uint64_t track)
{
	const struct report_time_region *r = &l->regions[region - 1];
	struct buf event = BUF_INIT, source = BUF_INIT, note = BUF_INIT, name = BUF_INIT;

	buf_printf(&name, "%s (%s:%d)", own_name(l, r), r->file, r->line);
	proto_string(&event, EVENT_NAME, buf_str(&name));
	proto_string(&source, SOURCE_FILE, r->file);
	proto_string(&source, SOURCE_FUNCTION, r->name);
	proto_number(&source, SOURCE_LINE, r->line > 0 ? (uint64_t)r->line : 0);
	proto_message(&event, EVENT_SOURCE, &source);
	proto_string(&note, ANNOTATION_NAME, "region");
	proto_string(&note, ANNOTATION_STRING, r->name);
	proto_message(&event, EVENT_ANNOTATION, &note);
	put_event(t, &event, time, TYPE_BEGIN, track);
	buf_free(&source);
	buf_free(&note);
	buf_free(&name);
}

static void end_slice(struct trace *t, double time, uint64_t track)
{
	struct buf event = BUF_INIT;

	put_event(t, &event, time, TYPE_END, track);
}

static void slices(struct trace *t, const struct report_timeline *l,
	const struct timeline_lanes *lanes, int thread, uint64_t track)
{
	int open[DEPTH], nopen = 0;

	for (int c = 0; c <= l->columns; c++) {
		const int region = c < l->columns ? timeline_lanes_region(lanes, thread, c) : 0;
		const double time = timeline_lanes_at(lanes, thread, c);
		int path[DEPTH], n = timeline_path(l, region, path, DEPTH), same = 0;

		while (same < n && same < nopen && path[same] == open[same])
			same++;
		for (; nopen > same; nopen--)
			end_slice(t, time, track);
		for (; nopen < n; nopen++) {
			open[nopen] = path[nopen];
			begin_slice(t, l, path[nopen], time, track);
		}
	}
}

/* --- counters ------------------------------------------------------------------------------ */

/* The accesses and misses of a thread by counter and column, and which
 * counter each structure has. */
struct counters {
	const struct report_timeline *l;
	int last;               /* of the levels; from 0 */
	int n;                  /* counters; the last one is of all other structures */
	int *counter;           /* by structure */
	double *all;            /* by structure: accesses, misses of the nearest and of the last
				 * level, of the process */
	double *sum;            /* [(counter * columns + column) * 3 + ...]: the same */
};

static void sum_process(const struct counters *k)
{
	for (int i = 0; i < k->l->ncells; i++) {
		const struct report_time_cell *c = &k->l->cells[i];
		double *all = &k->all[3 * (c->structure - 1)];

		all[0] += (double)(series_sum(&c->reads) + series_sum(&c->writes));
		all[1] += (double)series_sum(&c->misses[0]);
		all[2] += (double)series_sum(&c->misses[k->last]);
	}
}

/* Gives the structures with a share their counters, in their order. */
static void choose(struct counters *k)
{
	double total[3] = { 0 };

	for (int s = 0; s < k->l->nstructures; s++)
		for (int f = 0; f < 3; f++)
			total[f] += k->all[3 * s + f];
	k->n = 0;
	for (int s = 0; s < k->l->nstructures; s++) {
		bool much = false;

		for (int f = 0; f < 3; f++)
			much |= k->all[3 * s + f] > COUNTER_SHARE * total[f];
		k->counter[s] = much && k->n < COUNTERS ? k->n++ : -1;
	}
	for (int s = 0; s < k->l->nstructures; s++)
		k->counter[s] = k->counter[s] < 0 ? k->n : k->counter[s];
	k->n++;
}

static void add(const struct counters *k, const struct report_time_cell *c,
	const struct report_series *s, int which)
{
	const size_t first = (size_t)k->counter[c->structure - 1] * (size_t)k->l->columns;

	for (int i = 0; i < s->n; i++)
		k->sum[(first + s->point[i].at) * 3 + (size_t)which] += (double)s->point[i].value;
}

static void sum_thread(const struct counters *k, int thread)
{
	for (size_t i = 0; i < (size_t)k->n * (size_t)k->l->columns * 3; i++)
		k->sum[i] = 0;
	for (int i = 0; i < k->l->ncells; i++) {
		const struct report_time_cell *c = &k->l->cells[i];

		if (c->thread != thread)
			continue;
		add(k, c, &c->reads, 0);
		add(k, c, &c->writes, 0);
		add(k, c, &c->misses[0], 1);
		add(k, c, &c->misses[k->last], 2);
	}
}

static void counter(struct trace *t, const struct counters *k, const struct timeline_lanes *lanes,
	int thread, int which, int level, uint64_t track)
{
	double before = 0;

	for (int c = 0; c <= k->l->columns; c++) {
		const double *v = &k->sum[((size_t)which * (size_t)k->l->columns + (size_t)c) * 3];
		const double rate = c < k->l->columns && v[0] > 0 ? v[level] / v[0] : 0;
		struct buf event = BUF_INIT;

		if (c && rate == before)
			continue;
		before = rate;
		proto_double(&event, EVENT_DOUBLE, rate);
		put_event(t, &event, timeline_lanes_at(lanes, thread, c), TYPE_COUNTER, track);
	}
}

static bool used(const struct counters *k, int which)
{
	for (int c = 0; c < k->l->columns; c++)
		if (k->sum[((size_t)which * (size_t)k->l->columns + (size_t)c) * 3] > 0)
			return true;
	return false;
}

/* The name of a counter's structure; of the last counter, that of all others. */
static const char *counter_name(const struct counters *k, int which)
{
	for (int s = 0; s < k->l->nstructures && which < k->n - 1; s++)
		if (k->counter[s] == which)
			return timeline_structure_name(&k->l->structures[s]);
	return "(others)";
}

static void thread_counters(struct trace *t, const struct counters *k,
	const struct timeline_lanes *lanes, int thread, uint64_t parent)
{
	char level[NAME];

	sum_thread(k, thread);
	for (int which = 0; which < k->n; which++) {
		if (!used(k, which))
			continue;
		for (int f = 1; f <= (k->last ? 2 : 1); f++) {
			snprintf(level, sizeof level, "L%d", f == 1 ? 1 : k->last + 1);
			counter(t, k, lanes, thread, which, f,
				counter_track(t, parent, counter_name(k, which), level));
		}
	}
}

/* --- the trace ----------------------------------------------------------------------------- */

static bool counters_make(struct counters *k, const struct report_timeline *l, int levels)
{
	const size_t structures = (size_t)l->nstructures + 1;

	*k = (struct counters){ .l = l, .last = levels > 0 ? levels - 1 : 0 };
	k->counter = malloc(structures * sizeof *k->counter);
	k->all = calloc(structures * 3, sizeof *k->all);
	k->sum = malloc((COUNTERS + 1) * (size_t)l->columns * 3 * sizeof *k->sum);
	if (!k->counter || !k->all || !k->sum)
		return false;
	sum_process(k);
	choose(k);
	return true;
}

static void counters_free(struct counters *k)
{
	free(k->counter);
	free(k->all);
	free(k->sum);
}

static int process(struct trace *t, const struct report_timeline *l, struct err *err)
{
	struct timeline_lanes lanes;
	struct counters k;
	int rc = 0;

	if (timeline_lanes_make(l, &lanes, err) < 0)
		return -1;
	if (counters_make(&k, l, report_timeline_levels(t->r))) {
		const uint64_t parent = process_track(t, l, lanes.is_time);

		for (int i = 0; i < l->threads; i++) {
			const uint64_t track = thread_track(t, l, parent, i);

			slices(t, l, &lanes, i, track);
			thread_counters(t, &k, &lanes, i, track);
		}
	} else {
		rc = err_nomem(err);
	}
	counters_free(&k);
	timeline_lanes_free(&lanes);
	return rc;
}

int report_perfetto_write(const struct report *r, const char *path, struct err *err)
{
	struct buf out = BUF_INIT;
	struct trace t = { &out, r, 0 };
	int rc = 0;

	for (int i = 0; i < r->ntimelines && !rc; i++)
		rc = process(&t, &r->timelines[i], err);
	rc = rc ? rc : output_write(path, &out, err);
	buf_free(&out);
	return rc;
}
