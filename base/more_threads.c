/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts lines from memory, and the load of the nodes, with more threads. */
#include "base/more_threads.h"

#include <math.h>

#include "base/reuse_classes.h"
#include "base/spread_cpus.h"

/* More caches leave at least this part of the misses on what several threads use: with less, the
 * range of examples has no use; with half, counts of LULESH are below it. */
#define COMMON_LEAST 0.25
#define FITS 0.7        /* bytes for each cache over its size: all that comes again is there .. */
#define OVERFLOWS 1.3   /* .. nothing is */
#define FIT_LOW 0.75    /* bounds of that ratio */
#define FIT_HIGH 1.33
/* passes over its bytes for each cache: a structure that is fetched once, or little more */
#define ONCE 1.5
#define FIT_LEAST 0.05  /* misses of data that fit are of another kind */
enum { PAGE = 4096 };

/* --- threads on the machine ------------------------------------------------------------------- */

/* Groups of `each` neighbouring CPUs in which one of the threads runs. */
static int groups_used(const struct more_machine *m, int threads, int each)
{
	const uint32_t cpus = (uint32_t)m->cpus;
	const struct spread_parts parts = spread_parts(cpus, (uint32_t)m->nodes,
		(uint32_t)m->sockets);
	const int n = threads < m->cpus ? threads : m->cpus, turns = (int)parts.parts;
	int used = 0, seen = -1;        /* seen: the last group that was counted */

	if (each <= 0)
		return 1;
	if (!m->spread)
		return (n + each - 1) / each;
	/* Threads take each part's CPUs from its first one on. */
	for (int k = 0; k < turns; k++) {
		const int turn = (int)spread_turn(parts, (uint32_t)k);
		const int from = k * (m->cpus / turns), first = from / each,
			own = n > turn ? (n - turn + turns - 1) / turns : 0,
			last = (from + own - 1) / each;

		if (!own)
			continue;
		used += last - (first > seen ? first : seen + 1) + 1;
		seen = last > seen ? last : seen;
	}
	return used;
}

int more_nodes_used(const struct more_machine *m, int threads)
{
	return m->nodes > 1 ? groups_used(m, threads, m->node_cpus) : 1;
}

int more_node(const struct more_machine *m, int k)
{
	return m->spread && m->node_cpus > 0 && k < m->cpus ?
		(int)spread_cpu((uint32_t)m->cpus, (uint32_t)m->nodes, (uint32_t)m->sockets,
			(uint32_t)k) / m->node_cpus : k;
}

bool more_node_among(const struct more_machine *m, int node, int n)
{
	for (int k = 0; k < n; k++)
		if (more_node(m, k) == node)
			return true;
	return false;
}

int more_caches_used(const struct more_machine *m, int threads)
{
	return groups_used(m, threads, m->cache_cpus);
}

/* --- structures ------------------------------------------------------------------------------- */

void more_threads_place(struct more_use *u, const struct more_machine *m, const double *served,
	int nodes)
{
	double all = 0, most = -1;

	for (int k = 0; k < nodes; k++) {
		const int node = more_node(m, k);

		all += served[node];
		if (served[node] > most) {
			most = served[node];
			u->node = node;
		}
	}
	u->single = all > 0 && nodes > 1 ? fmax(0, most / all - (all - most) / all / (nodes - 1)) :
		0;
	u->placed = u->lines > 0 ? fmin(1, all / u->lines) : 1;
}

/* A prediction in the making. */
struct making {
	const struct more_machine *m;
	const struct more_use *use;
	int n;
	struct more_threads *p;
};

/* What all structures need of each of so many caches, over its size. */
static double filling(const struct making *k, int caches)
{
	double bytes = 0;

	for (int i = 0; i < k->n; i++) {
		const double common = isnan(k->use[i].common) ? 0 : k->use[i].common;

		bytes += k->use[i].bytes * (common + (1 - common) / caches);
	}
	return k->m->cache_bytes > 0 ? bytes / (double)k->m->cache_bytes : INFINITY;
}

static double fit(double filled)
{
	return filled <= FITS ? 0 : filled >= OVERFLOWS ? 1 : (filled - FITS) / (OVERFLOWS - FITS);
}

/* The part of the misses that is left when the same data lie in more caches, by what fits. */
static struct more_range left_of_all(const struct making *k)
{
	const struct more_threads *p = k->p;
	const double before = fit(filling(k, p->run_caches)), now = filling(k, p->caches);

	if (before < FIT_LEAST || p->caches <= p->run_caches)
		return (struct more_range){ 1, 1, 1 };
	return (struct more_range){ fmin(1, fit(now) / before),
		fmin(1, fit(now * FIT_LOW) / before), fmin(1, fit(now * FIT_HIGH) / before) };
}

/* Misses with a reuse distance of so many bytes or more.  Those of the class around it: all, none
 * or, in between, a part by its logarithm. */
static struct more_range beyond(const double reuse[REUSE_CLASSES], double bytes)
{
	const double at = fmin(REUSE_CLASSES - 1, fmax(0, log2(bytes) - REUSE_FIRST));
	const int class = (int)at;
	double sum = 0;

	for (int i = class + 1; i < REUSE_CLASSES; i++)
		sum += reuse[i];
	return (struct more_range){ sum + reuse[class] * (class + 1 - at), sum,
		sum + reuse[class] };
}

/* The part of a structure's misses that is left.  Misses that distances do not explain stay; at the
 * low end they are as the others, for distances are those of a sample. */
static struct more_range left(const struct making *k, const struct more_use *u,
	const struct more_range *of_all)
{
	const double each = (double)k->m->cache_bytes / k->p->run_threads,
		now = each * k->p->caches;
	double before, known;

	if (!u->reuse)
		return *of_all;
	before = beyond(u->reuse, each * k->p->run_caches).value;
	if (!(before > 0) || k->p->caches <= k->p->run_caches)
		return (struct more_range){ 1, 1, 1 };
	known = fmin(1, before / u->lines);
	return (struct more_range){
		1 - known * (1 - beyond(u->reuse, now).value / before),
		fmin(1, beyond(u->reuse, now / FIT_LOW).low / before),
		1 - known * (1 - fmin(1, beyond(u->reuse, now / FIT_HIGH).high / before)) };
}

/* A structure whose part fits each of more caches may be fetched only once, though all data do not:
 * what a loop uses is less. */
static double least_lines(const struct making *k, const struct more_use *u)
{
	const double common = isnan(u->common) ? 0 : u->common;
	const double part = u->bytes * (common + (1 - common) / k->p->caches);

	if (!(u->bytes > 0) || k->m->line <= 0 || k->p->caches <= k->p->run_caches ||
		part * FIT_LOW >= OVERFLOWS * (double)k->m->cache_bytes)
		return u->lines;
	return fmin(u->lines, u->bytes / k->m->line);
}

static struct more_range lines_of(const struct making *k, const struct more_use *u,
	const struct more_range *left)
{
	const struct more_threads *p = k->p;
	const int line = k->m->line;
	const double more = (double)p->caches / p->run_caches,
		unit = line > 0 ? u->bytes / line : 0;
	const double shared = u->lines <= ONCE * unit * p->run_caches ?
		u->lines * more :
		fmax(u->lines, unit * p->caches);
	const double part = isnan(u->common) ? 0 : u->common,
		most = isnan(u->common) ? 1 : u->common;
	const double each = fmax(1, fmax(more, (double)p->threads / p->run_threads));
	/* Distances between uses of what several threads use do not shrink, or only some. */
	const struct more_range common = u->reuse ?
		(struct more_range){ 1, fmax(left->low, COMMON_LEAST), 1 } : *left;
	const double value = u->lines * (1 - part) * left->value +
		fmin(shared, u->lines * each) * part * common.value;

	return (struct more_range){ value, fmin(value, (u->reuse ? u->lines : least_lines(k, u)) *
			((1 - part) * left->low + part * common.low)),
		u->lines * ((1 - most) * left->high + most * each * common.high) };
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* What a node serves of a structure with these lines: pages are whole. */
static struct more_range share_of(const struct making *m, const struct more_use *u, int node,
	const struct more_range *lines)
{
	const struct more_threads *p = m->p;
	const bool used = more_node_among(m->m, node, p->nodes);
	const double pages = fmax(1, ceil(u->bytes / PAGE)), own = node == u->node ? u->single : 0,
		spread = 1 - u->single;
	const double even = used ? 1.0 / p->nodes : 0;
	const double low = used ? floor(pages / p->nodes) / pages : 0;
	const double high = used ? fmin(1, ceil(pages / p->nodes) / pages) : 0;

	return (struct more_range){ lines->value * u->placed * (own + spread * even),
		lines->low * u->placed * (own + spread * low),
		lines->high *
			(u->placed * (own + spread * (u->bytes > 0 ? high : even > 0)) + 1 -
				u->placed) };
}

static void add(struct more_range *to, const struct more_range *r)
{
	to->value += r->value;
	to->low += r->low;
	to->high += r->high;
}

static void place(const struct making *m)
{
	const int nodes = m->m->nodes > 1 ? m->m->nodes : 1;
	struct more_threads *p = m->p;

	for (int i = 0; i < m->n; i++)
		for (int k = 0; k < nodes; k++) {
			struct more_range *r = &p->both[(size_t)i * (size_t)nodes + (size_t)k];

			*r = nodes > 1 ? share_of(m, &m->use[i], k, &p->structure[i]) :
				p->structure[i];
			add(&p->node[k], r);
		}
	for (int k = 0; k < nodes; k++)
		p->of_nodes += p->node[k].value;
	p->busiest = 0;
	for (int k = 1; k < nodes; k++)
		if (p->node[k].value > p->node[p->busiest].value)
			p->busiest = k;
	for (int i = 0; i < m->n; i++) {
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

/* --- all -------------------------------------------------------------------------------------- */

struct more_range more_threads_share(const struct more_threads *p, int nodes)
{
	const struct more_range *node = &p->node[p->busiest];
	double low = 0, high = 0;       /* of the others */

	for (int k = 0; k < nodes; k++)
		if (k != p->busiest) {
			low += p->node[k].low;
			high += p->node[k].high;
		}
	return (struct more_range){ node->value / p->of_nodes,
		node->low > 0 ? node->low / (node->low + high) : 0,
		node->high > 0 ? node->high / (node->high + low) : 0 };
}

int more_threads_predict(const struct more_machine *m, const struct more_use *use, int n,
	int run_threads, int threads, struct arena *arena, struct more_threads *p)
{
	const size_t nodes = m->nodes > 1 ? (size_t)m->nodes : 1, all = (size_t)n;
	const struct making k = { m, use, n, p };
	struct more_range of_all;

	*p = (struct more_threads){ .threads = threads,
		.run_threads = run_threads,
		.nodes = more_nodes_used(m, threads),
		.caches = more_caches_used(m, threads),
		.run_nodes = more_nodes_used(m, run_threads),
		.run_caches = more_caches_used(m, run_threads),
		.structure = arena_array(arena, all, sizeof *p->structure),
		.node = arena_array(arena, nodes, sizeof *p->node),
		.both = arena_array(arena, nodes * all, sizeof *p->both),
		.busiest = -1,
		.cause = -1,
		.cause_share = NAN };
	if (!p->structure || !p->node || !p->both)
		return -1;
	p->placed = m->nodes <= 1 || p->run_nodes > 1;
	of_all = left_of_all(&k);
	for (int i = 0; i < n; i++) {
		const struct more_range part = left(&k, &use[i], &of_all);

		p->structure[i] = lines_of(&k, &use[i], &part);
		add(&p->all, &p->structure[i]);
	}
	if (p->placed)
		place(&k);
	return 0;
}
