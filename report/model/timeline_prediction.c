/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts lines from memory, and the load of the nodes, with more threads. */
#include "report/model/timeline_prediction.h"

#include <math.h>

#define FITS 0.7        /* bytes for each cache over its size: all that comes again is there .. */
#define OVERFLOWS 1.3   /* .. nothing is */
#define FIT_LOW 0.75    /* bounds of that ratio */
#define FIT_HIGH 1.33
/* passes over its bytes for each cache: a structure that is fetched once, or little more */
#define ONCE 1.5
#define FIT_LEAST 0.05  /* misses of data that fit are of another kind */
enum { PAGE = 4096 };

/* --- threads on the machine ------------------------------------------------------------------- */

static int groups_of(int n, int each)
{
	return each > 0 ? (n + each - 1) / each : 1;
}

/* Groups of `each` neighbouring CPUs in which one of the threads runs, where machine_cpu() in
 * machine/flat.h puts them. */
static int groups_used(const struct report_timeline *t, int threads, int each)
{
	const int n = threads < t->cpus ? threads : t->cpus, nodes = n < t->nodes ? n : t->nodes;
	int used = 0;

	if (!t->spread || t->nodes <= 1)
		return groups_of(n, each);
	if (each >= t->node_cpus)
		return groups_of(nodes, t->node_cpus > 0 ? each / t->node_cpus : 1);
	for (int k = 0; k < nodes; k++)
		used += groups_of((n - k + t->nodes - 1) / t->nodes, each);
	return used;
}

int time_nodes_used(const struct report_timeline *t, int threads)
{
	return t->nodes > 1 ? groups_used(t, threads, t->node_cpus) : 1;
}

int time_caches_used(const struct report_timeline *t, int threads)
{
	return groups_used(t, threads, t->cache_cpus);
}

/* --- structures ------------------------------------------------------------------------------- */

struct use {
	double lines;                   /* from memory an execution, in the run */
	double bytes;                   /* used; 0: not known */
	double common;                  /* the part that several threads use; NAN: not known */
	int node;                       /* that serves most */
	double single;                  /* the part that it serves beyond the mean of the others */
	double placed;                  /* the part of the lines whose node is known */
};

/* From the first byte used to the last: which rows between them are used is known of a sample
 * only. */
static double bytes_of(const struct time_structure *s)
{
	if (!time_accesses(&s->sums))
		return 0;
	return s->from >= 0 && s->to >= s->from ? (double)(s->to - s->from + 1) :
		(double)s->s->bytes;
}

static void find_single(const struct time_facts *f, struct time_modules *m, int structure,
	int nodes, struct use *u)
{
	const double *load = m->load + (size_t)structure * (size_t)m->n;
	double all = 0, most = -1;

	for (int k = 0; k < nodes; k++) {
		double n = 0;

		for (int c = 0; c < m->n / f->t->nodes; c++)
			n += load[k * (m->n / f->t->nodes) + c];
		all += n;
		if (n > most) {
			most = n;
			u->node = k;
		}
	}
	u->single = all > 0 && nodes > 1 ? fmax(0, most / all - (all - most) / all / (nodes - 1)) :
		0;
	u->placed = u->lines > 0 ? fmin(1, all / u->lines) : 1;
}

static int find_uses(const struct time_facts *f, int nodes, struct use *use)
{
	struct time_modules m;

	if (time_modules(f, &m))
		return -1;
	for (int i = 0; i < f->t->nstructures; i++) {
		const struct time_structure *s = &f->structure[i];

		use[i] = (struct use){ .lines = (double)s->sums.memory / f->t->executions,
			.bytes = bytes_of(s),
			.common = s->row && f->t->threads > 1 ?
				s->sharing[SHARING_READ] + s->sharing[SHARING_WRITTEN] :
				NAN };
		if (f->t->nodes > 1)
			find_single(f, &m, i, nodes, &use[i]);
	}
	return 0;
}

/* What all structures need of each of so many caches, over its size. */
static double filling(const struct time_facts *f, const struct use *use, int caches)
{
	double bytes = 0;

	for (int i = 0; i < f->t->nstructures; i++) {
		const double common = isnan(use[i].common) ? 0 : use[i].common;

		bytes += use[i].bytes * (common + (1 - common) / caches);
	}
	return f->t->cache_bytes > 0 ? bytes / (double)f->t->cache_bytes : INFINITY;
}

static double fit(double filled)
{
	return filled <= FITS ? 0 : filled >= OVERFLOWS ? 1 : (filled - FITS) / (OVERFLOWS - FITS);
}

/* The part of the misses that is left when the same data lie in more caches. */
static struct time_range left(const struct time_facts *f, const struct use *use,
	const struct time_prediction *p)
{
	const double before = fit(filling(f, use, p->run_caches)), now = filling(f, use, p->caches);

	if (before < FIT_LEAST || p->caches <= p->run_caches)
		return (struct time_range){ 1, 1, 1 };
	return (struct time_range){ fmin(1, fit(now) / before),
		fmin(1, fit(now * FIT_LOW) / before), fmin(1, fit(now * FIT_HIGH) / before) };
}

static struct time_range lines_of(const struct use *u, const struct time_prediction *p, int line,
	const struct time_range *left)
{
	const double more = (double)p->caches / p->run_caches,
		unit = line > 0 ? u->bytes / line : 0;
	const double shared = u->lines <= ONCE * unit * p->run_caches ?
		u->lines * more :
		fmax(u->lines, unit * p->caches);
	const double part = isnan(u->common) ? 0 : u->common,
		most = isnan(u->common) ? 1 : u->common;
	const double each = fmax(1, fmax(more, (double)p->threads / p->run_threads));

	return (struct time_range){ (u->lines * (1 - part) + fmin(shared, u->lines * each) * part) *
			left->value,
		u->lines * left->low, u->lines * (1 - most + most * each) * left->high };
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* What a node serves of a structure with these lines: pages are whole. */
static struct time_range share_of(const struct use *u, const struct time_prediction *p, int node,
	const struct time_range *lines)
{
	const double pages = fmax(1, ceil(u->bytes / PAGE)), own = node == u->node ? u->single : 0,
		spread = 1 - u->single;
	const double even = node < p->nodes ? 1.0 / p->nodes : 0;
	const double low = node < p->nodes ? floor(pages / p->nodes) / pages : 0;
	const double high = node < p->nodes ? fmin(1, ceil(pages / p->nodes) / pages) : 0;

	return (struct time_range){ lines->value * u->placed * (own + spread * even),
		lines->low * u->placed * (own + spread * low),
		lines->high *
			(u->placed * (own + spread * (u->bytes > 0 ? high : even > 0)) + 1 -
				u->placed) };
}

static void add(struct time_range *to, const struct time_range *r)
{
	to->value += r->value;
	to->low += r->low;
	to->high += r->high;
}

static void place(const struct time_facts *f, const struct use *use, struct time_prediction *p)
{
	const int nodes = f->t->nodes > 1 ? f->t->nodes : 1;

	for (int i = 0; i < f->t->nstructures; i++)
		for (int k = 0; k < nodes; k++) {
			struct time_range *r = &p->both[(size_t)i * (size_t)nodes + (size_t)k];

			*r = nodes > 1 ? share_of(&use[i], p, k, &p->structure[i]) :
				p->structure[i];
			add(&p->node[k], r);
		}
	for (int k = 0; k < nodes; k++)
		p->of_nodes += p->node[k].value;
	p->busiest = 0;
	for (int k = 1; k < nodes; k++)
		if (p->node[k].value > p->node[p->busiest].value)
			p->busiest = k;
	for (int i = 0; i < f->t->nstructures; i++) {
		const double n = p->both[(size_t)i * (size_t)nodes + (size_t)p->busiest].value;

		if (n > 0 &&
			(p->cause < 0 ||
				n > p->both[(size_t)p->cause * (size_t)nodes + (size_t)p->busiest]
						.value))
			p->cause = i;
	}
	p->cause_share = p->cause < 0 ?
		NAN :
		p->both[(size_t)p->cause * (size_t)nodes + (size_t)p->busiest].value /
			p->node[p->busiest].value;
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
	const double rate = bandwidth(t, p->threads), even = t->time * t->threads / p->threads;
	struct time_range bytes = { 0, 0, 0 };

	if (!(rate > 0) || isnan(t->time))
		return;
	for (int i = 0; i < t->nstructures; i++) {
		const struct time_sums *s = &f->structure[i].sums;
		const double all = (double)time_accesses(s),
			written = all > 0 ? (double)s->writes / all : 0;

		bytes.low += p->structure[i].low * t->line;
		bytes.value += p->structure[i].value * t->line * (1 + written);
		bytes.high += p->structure[i].high * t->line * (written > 0 ? 2 : 1);
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

int time_predict(const struct time_facts *f, int threads, struct time_prediction *p,
	struct err *err)
{
	const struct report_timeline *t = f->t;
	const size_t nodes = t->nodes > 1 ? (size_t)t->nodes : 1, n = (size_t)t->nstructures;
	struct use *use = arena_array(f->arena, n, sizeof *use);
	struct time_range part;

	*p = (struct time_prediction){ .threads = threads,
		.run_threads = t->threads,
		.busiest = -1,
		.cause = -1,
		.cause_share = NAN,
		.time = { NAN, NAN, NAN },
		.transfer = NAN };
	if (t->cpus < 1)
		return err_set(err, "the timeline does not say for which machine it was counted");
	if (threads < t->threads || threads > t->cpus)
		return err_set(err,
			"the run had %d thread%s, and the machine model has %d CPUs: %d to %d "
			"threads can be predicted",
			t->threads, t->threads == 1 ? "" : "s", t->cpus, t->threads, t->cpus);
	p->structure = arena_array(f->arena, n, sizeof *p->structure);
	p->node = arena_array(f->arena, nodes, sizeof *p->node);
	p->both = arena_array(f->arena, nodes * n, sizeof *p->both);
	if (!use || !p->structure || !p->node || !p->both)
		return err_nomem(err);
	p->nodes = time_nodes_used(t, threads);
	p->caches = time_caches_used(t, threads);
	p->run_nodes = time_nodes_used(t, t->threads);
	p->run_caches = time_caches_used(t, t->threads);
	p->placed = t->nodes <= 1 || p->run_nodes > 1;
	if (find_uses(f, p->run_nodes, use))
		return err_nomem(err);
	part = left(f, use, p);
	for (int i = 0; i < t->nstructures; i++) {
		p->structure[i] = lines_of(&use[i], p, t->line, &part);
		add(&p->all, &p->structure[i]);
	}
	if (p->placed)
		place(f, use, p);
	find_time(f, p);
	return 0;
}
