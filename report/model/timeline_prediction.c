/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts lines from memory with more threads from what is known of a timeline. */
#include "report/model/timeline_prediction.h"

#include <math.h>

#include "base/reuse_classes.h"

/* --- structures ------------------------------------------------------------------------------- */

/* From the first byte used to the last: which rows between them are used is known of a sample
 * only. */
static double bytes_of(const struct time_structure *s)
{
	if (!time_accesses(&s->sums))
		return 0;
	return s->from >= 0 && s->to >= s->from ? (double)(s->to - s->from + 1) :
		(double)s->s->bytes;
}

static void place(const struct time_facts *f, const struct time_modules *m, int structure,
	const struct more_machine *machine, int nodes, struct more_use *u, double *served)
{
	const int channels = m->n / f->t->nodes;
	const double *load = m->load + (size_t)structure * (size_t)m->n;

	for (int k = 0; k < f->t->nodes; k++) {
		served[k] = 0;
		for (int c = 0; c < channels; c++)
			served[k] += load[k * channels + c];
	}
	more_threads_place(u, machine, served, nodes);
}

/* Of all structures, as soon as it is known of one; 0 / -1 (memory). */
static int find_reuse(const struct time_facts *f, struct more_use *use)
{
	const struct report_timeline *t = f->t;
	double *reuse = arena_array(f->arena, (size_t)t->nstructures * REUSE_CLASSES,
		sizeof *reuse);
	bool any = false;

	if (!reuse)
		return -1;
	for (int i = 0; i < t->nstructures; i++) {
		const struct report_series *s = &t->structures[i].reuse;

		any = any || s->n > 0;
		for (int k = 0; k < s->n; k++)
			reuse[i * REUSE_CLASSES + (int)s->point[k].at] =
				(double)s->point[k].value;
	}
	for (int i = 0; any && i < t->nstructures; i++)
		use[i].reuse = reuse + (size_t)i * REUSE_CLASSES;
	return 0;
}

static int find_uses(const struct time_facts *f, const struct more_machine *machine,
	struct more_use *use)
{
	const int used = more_nodes_used(machine, f->t->threads);
	const size_t nodes = f->t->nodes > 1 ? (size_t)f->t->nodes : 1;
	double *served = arena_array(f->arena, nodes, sizeof *served);
	struct time_modules m;

	if (!served || time_modules(f, &m))
		return -1;
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[i];

		use[i] = (struct more_use){ .lines = (double)s->sums.memory / f->t->executions,
			.bytes = bytes_of(s),
			.common = s->row && f->t->threads > 1 ?
				s->sharing[SHARING_READ] + s->sharing[SHARING_WRITTEN] :
				NAN };
		if (f->t->nodes > 1)
			place(f, &m, i, machine, used, &use[i], served);
	}
	return find_reuse(f, use);
}

/* --- bandwidth -------------------------------------------------------------------------------- */

/* Bytes/s that so many threads read together; 0: not measured.  Beyond those that were measured, as
 * the last of them. */
static double bandwidth(const struct report_timeline *t, int threads)
{
	double last = 0;

	for (int i = 0; i < t->bandwidth.n; i++) {
		if (last > 0 && (int)t->bandwidth.point[i].at > threads)
			break;
		last = (double)t->bandwidth.point[i].value * 1e6;
	}
	return last;
}

static void find_time(const struct time_facts *f, struct time_prediction *p)
{
	const struct report_timeline *t = f->t;
	const double rate = bandwidth(t, p->lines.threads),
		even = t->time * t->threads / p->lines.threads;
	struct more_range bytes = { 0, 0, 0 };

	if (!(rate > 0) || isnan(t->time))
		return;
	for (int i = 0; i < t->nstructures; i++) {
		const struct time_sums *s = &f->structure[i].sums;
		const double all = (double)time_accesses(s),
			written = all > 0 ? (double)s->writes / all : 0;

		bytes.low += p->lines.structure[i].low * t->line;
		bytes.value += p->lines.structure[i].value * t->line * (1 + written);
		bytes.high += p->lines.structure[i].high * t->line * (written > 0 ? 2 : 1);
	}
	p->transfer = bytes.value / rate;
	p->time.low = fmin(t->time, fmax(even, bytes.low / rate));
	p->time.value = fmin(t->time, fmax(even, bytes.value / rate));
	p->time.high = t->time;
}

/* --- all -------------------------------------------------------------------------------------- */

int time_predicted_threads(const struct report_timeline *t, int out[TIME_PREDICTIONS])
{
	int n = 0;

	if (t->threads < 1 || t->threads >= t->cpus)
		return 0;
	for (int threads = t->threads; n < TIME_PREDICTIONS && threads < t->cpus; n++) {
		threads = threads > t->cpus / 2 ? t->cpus : 2 * threads;
		out[n] = threads;
	}
	return n;
}

struct more_machine time_machine(const struct report_timeline *t)
{
	return (struct more_machine){ t->cpus, t->nodes, t->node_cpus, t->cache_cpus, t->line,
		t->cache_bytes, t->spread, t->sockets };
}

int time_predict(const struct time_facts *f, int threads, struct time_prediction *p,
	struct err *err)
{
	const struct report_timeline *t = f->t;
	const struct more_machine m = time_machine(t);
	struct more_use *use = arena_array(f->arena, (size_t)t->nstructures, sizeof *use);

	*p = (struct time_prediction){ .time = { NAN, NAN, NAN }, .transfer = NAN };
	if (t->cpus < 1)
		return err_set(err, "the timeline does not say for which machine it was counted");
	if (threads < t->threads || threads > t->cpus)
		return err_set(err,
			"process %d had %d thread%s, and the machine model has %d CPUs: %d to %d "
			"threads can be predicted",
			t->process, t->threads, t->threads == 1 ? "" : "s", t->cpus, t->threads,
			t->cpus);
	if (!use || find_uses(f, &m, use) ||
		more_threads_predict(&m, use, t->nstructures, t->threads, threads, f->arena,
			&p->lines))
		return err_nomem(err);
	find_time(f, p);
	return 0;
}
