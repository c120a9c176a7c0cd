/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a request brought, one line a row, as key=value words. */
#include "tests/monitor/simrun.h"
#include "simulate/cache/sim.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_path(const struct mon_peer *p, uint32_t context)
{
	struct mon_context c;
	uint64_t hash;

	if (!mon_peer_context(p, context, &c, &hash)) {
		printf("?");
		return;
	}
	if (c.parent != MON_ANY) {
		print_path(p, c.parent);
		putchar('/');
	}
	printf("%u.%u", c.unit, c.region);
}

static void print_object(const struct mon_peer *p, uint32_t n)
{
	static const char *const causes[] = { "(stack)", "(heap)", "(image)", "(other)",
		"(small)" };
	const char *name = "", *scope, *source;
	struct mon_object o;
	uint64_t hash;

	if (n < sizeof causes / sizeof *causes)
		printf("%s", causes[n]);
	else if (!mon_peer_object(p, n, &o, &name, &scope, &hash, &source))
		name = "?";
	else
		printf("%s%s", scope, *scope ? ":" : "");
	for (; n >= sizeof causes / sizeof *causes && *name; name++)
		putchar(*name == ' ' ? '_' : *name);    /* "struct node": one word of the line */
}

static void print_sharing(const struct mon_count_row *c)
{
	printf(" false=%" PRIu64 "/%" PRIu64 " true=%" PRIu64 "/%" PRIu64 " shared=%" PRIu64
		" served=%" PRIu64 ",%" PRIu64 " unplaced=%" PRIu64 "\n", c->false_sharing[0], c->false_sharing[1], c->true_sharing[0],
		c->true_sharing[1], c->shared_lines, c->served[0][0] + c->served[0][1],
		c->served[1][0] + c->served[1][1], c->unplaced);
}

static void sum_sharing(struct mon_count_row *sum, const struct mon_count_row *c)
{
	for (int i = 0; i < 2; i++) {
		sum->false_sharing[i] += c->false_sharing[i];
		sum->true_sharing[i] += c->true_sharing[i];
		for (int n = 0; n < MACHINE_NODES; n++)
			sum->served[n][i] += c->served[n][i];
	}
	sum->shared_lines += c->shared_lines;
	sum->unplaced += c->unplaced;
}

static void print_lines(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nlines; i++) {
		const struct mon_line *l = &r->lines[i];

		printf("line object=");
		print_object(p, l->object);
		printf(" offset=%" PRId64 " bytes=%u false=%" PRIu64 " true=%" PRIu64 " threads=%u",
			l->offset, l->bytes, l->false_sharing, l->true_sharing, l->nthreads);
		for (uint32_t k = 0; k < l->nthreads && k < MON_LINE_THREADS; k++)
			printf(" %u=%" PRIx64 "/%" PRIx64, l->thread[k], l->read[k], l->written[k]);
		putchar('\n');
	}
}

static void print_sites(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nsites; i++) {
		const struct mon_site *s = &r->sites[i];

		printf("site context=");
		print_path(p, s->context);
		printf(" object=");
		print_object(p, s->object);
		printf(" line=%u first=%" PRIu64 " last=%" PRIu64 "\n", s->line, s->first, s->last);
	}
}

static void print_walks(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nwalks; i++) {
		const struct mon_walk *k = &r->walks[i];

		printf("walk context=");
		print_path(p, k->context);
		printf(" object=");
		print_object(p, k->object);
		printf(" line=%u thread=%u %s size=%u per=%u bytes=%u seen=%" PRIu64 " length=%" PRIu64, k->line, k->thread,
			k->store ? "writes" : "reads", k->size, k->per, k->bytes, k->seen, k->length);
		for (uint32_t s = 0; s < MON_WALK_STEPS; s++)
			if (k->moves[s])
				printf(" %" PRId64 ":%" PRIu64, k->step[s], k->moves[s]);
		putchar('\n');
	}
}

/* The sums over the columns of the timelines; by row of counts. */
struct column_sums {
	uint64_t count[TIMELINE_FIELDS];
};

static uint32_t find_count(const struct mon_result *r, uint32_t context, uint32_t object, uint32_t thread)
{
	uint32_t i = 0;

	while (i < r->ncounts && (r->counts[i].context != context || r->counts[i].object != object ||
	    r->counts[i].thread != thread))
		i++;
	return i;
}

/* Prints a thread's line, and adds its counts to those of the rows; the last element takes what has no row. */
static void read_timeline(const struct mon_result *r, const struct mon_columns *part, uint32_t n,
	struct column_sums *sums)
{
	struct columns_reader *log = columns_open(part, n);
	uint64_t bytes = 0, cells = 0, sites = 0, marks = 0, columns = 0, length = 0, from = 0;
	struct columns_item it;

	while (log && columns_next(log, &it)) {
		columns += it.kind == COLUMNS_CELL && (!columns || from != it.from);
		from = it.from;
		cells += it.kind == COLUMNS_CELL;
		sites += it.kind == COLUMNS_SITE;
		marks += it.kind == COLUMNS_MARK;
		length += it.kind == COLUMNS_END ? it.to : 0;
		for (int f = 0; it.kind == COLUMNS_CELL && f < TIMELINE_FIELDS; f++)
			sums[find_count(r, it.context, it.object, part->thread)].count[f] += it.count[f];
	}
	for (uint32_t i = 0; i < n; i++)
		bytes += part[i].bytes;
	printf("timeline thread=%u number=%d width=%" PRIu64 " length=%" PRIu64 " columns=%" PRIu64 " cells=%" PRIu64 " sites=%"
		PRIu64 " marks=%" PRIu64 " bytes=%" PRIu64 " left_out=%" PRIu64 " whole=%d\n", part->thread, part->number,
		part->width, length, columns, cells, sites, marks, bytes, part->left_out, log && columns_whole(log));
	columns_close(log);
}

static bool same_sums(const struct mon_count_row *c, const struct column_sums *s, uint32_t nlevels)
{
	const uint32_t last = nlevels - 1;
	bool same = s->count[TIMELINE_READS] == c->loads && s->count[TIMELINE_WRITES] == c->stores &&
		s->count[TIMELINE_BYTES] == c->bytes && s->count[TIMELINE_COHERENT] == c->false_sharing[0] +
		c->false_sharing[1] + c->true_sharing[0] + c->true_sharing[1] &&
		s->count[TIMELINE_CLASS + MISS_STREAM] == c->stream_load[last] + c->stream_store[last];

	for (uint32_t l = 0; l < nlevels; l++)
		same = same && s->count[TIMELINE_MISSES + l] == c->load_miss[l] + c->store_miss[l];
	for (uint32_t i = 0; i < MACHINE_NODES; i++)
		same = same && s->count[TIMELINE_SERVED + i] == c->served[i][0] + c->served[i][1];
	return same;
}

static void print_timelines(const struct mon_result *r, uint32_t nlevels)
{
	struct column_sums *sums = calloc(r->ncounts + 1, sizeof *sums);
	uint32_t differ = 0;

	if (!sums)
		simrun_die("no memory");
	for (uint32_t i = 0, n; i < r->ncolumns; i += n) {
		n = columns_parts(r->columns + i, r->ncolumns - i);
		read_timeline(r, r->columns + i, n, sums);
	}
	for (uint32_t i = 0; i < r->ncounts; i++)
		differ += r->counts[i].object != MON_OBJ_WORK && !same_sums(&r->counts[i], &sums[i], nlevels);
	printf("timelines rows=%u counts=%u differ=%u without=%d\n", r->ncolumns, r->ncounts, differ,
		sums[r->ncounts].count[TIMELINE_READS] != 0);
	free(sums);
}

/* What only some machines have, summed. */
static void print_extras(const struct mon_result *r, const struct machine_flat *m)
{
	struct mon_count_row sum = { 0 };

	for (uint32_t i = 0; i < r->ncounts; i++) {
		for (uint32_t l = 0; l < m->nlevels; l++) {
			sum.writeback[l] += r->counts[i].writeback[l];
			sum.prefetched[l] += r->counts[i].prefetched[l];
			sum.useful[l] += r->counts[i].useful[l];
		}
		for (uint32_t l = 0; l < m->ntlbs; l++)
			for (int s = 0; s < 2; s++)
				sum.tlb_miss[l][s] += r->counts[i].tlb_miss[l][s];
	}
	for (uint32_t l = 0; m->write && l < m->nlevels; l++)
		printf(" w%u=%" PRIu64, l + 1, sum.writeback[l]);
	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].prefetch)
			printf(" p%u=%" PRIu64 "/%" PRIu64, l + 1, sum.prefetched[l], sum.useful[l]);
	for (uint32_t l = 0; l < m->ntlbs; l++)
		printf(" t%u=%" PRIu64 "/%" PRIu64, l + 1, sum.tlb_miss[l][0], sum.tlb_miss[l][1]);
}

static double standard_error(const struct mon_sample *s, const float *group)
{
	double parts[MON_ERRORS], square = 0;

	mon_sample_parts(s, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		square += parts[i] * parts[i];
	return sqrt(square);
}

/* Of a row's loads and stores; adds them to the sum's groups. */
static double miss_error(const struct mon_sample *s, const struct mon_count_row *c, uint32_t l, float *sum)
{
	float group[MON_GROUPS];

	for (int g = 0; g < MON_GROUPS; g++) {
		group[g] = c->group[l][0][g] + c->group[l][1][g];
		sum[g] += group[g];
	}
	return standard_error(s, group);
}

static void print_counts(const struct mon_peer *p, const struct mon_result *r,
	const struct machine_flat *m)
{
	uint32_t nlevels = m->nlevels;
	struct mon_count_row sum = { 0 };
	float error[MACHINE_LEVELS][MON_GROUPS] = { { 0 } };

	for (uint32_t i = 0; i < r->ncounts; i++) {
		const struct mon_count_row *c = &r->counts[i];

		printf("count context=");
		print_path(p, c->context);
		printf(" object=");
		print_object(p, c->object);
		printf(" thread=%u loads=%" PRIu64 " stores=%" PRIu64 " bytes=%" PRIu64, c->thread,
			c->loads, c->stores, c->bytes);
		sum.loads += c->loads;
		sum.stores += c->stores;
		sum.bytes += c->bytes;
		sum.unwarmed += c->unwarmed;
		sum.folded += c->folded;
		for (uint32_t l = 0; l < nlevels; l++) {
			printf(" m%u=%" PRIu64 "/%" PRIu64 " f%u=%" PRIu64, l + 1,
				c->load_miss[l], c->store_miss[l], l + 1, c->fetched[l]);
			sum.load_miss[l] += c->load_miss[l];
			sum.store_miss[l] += c->store_miss[l];
			sum.fetched[l] += c->fetched[l];
		}
		printf(" unwarmed=%" PRIu64 " folded=%" PRIu64, c->unwarmed, c->folded);
		for (uint32_t l = 0; r->sample.classes && l < nlevels; l++) {
			printf(" e%u=%.0f", l + 1, miss_error(&r->sample, c, l, error[l]));
		}
		print_sharing(c);
		sum_sharing(&sum, c);
	}
	printf("total loads=%" PRIu64 " stores=%" PRIu64 " bytes=%" PRIu64, sum.loads, sum.stores,
		sum.bytes);
	for (uint32_t l = 0; l < nlevels; l++)
		printf(" m%u=%" PRIu64 "/%" PRIu64 " f%u=%" PRIu64, l + 1, sum.load_miss[l],
			sum.store_miss[l], l + 1, sum.fetched[l]);
	printf(" unwarmed=%" PRIu64 " folded=%" PRIu64, sum.unwarmed, sum.folded);
	for (uint32_t l = 0; r->sample.classes && l < nlevels; l++)
		printf(" e%u=%.0f", l + 1, standard_error(&r->sample, error[l]));
	print_extras(r, m);
	print_sharing(&sum);
}

/* By variant and object, all threads together. */
static void print_varied(const struct mon_peer *p, const struct mon_result *r, uint32_t nlevels)
{
	for (uint32_t i = 0; i < r->nvaried; i++) {
		const struct mon_count_row *c = &r->varied[i];

		printf("varied variant=%u object=", c->variant);
		print_object(p, c->object);
		printf(" thread=%u loads=%" PRIu64 " stores=%" PRIu64, c->thread, c->loads, c->stores);
		for (uint32_t l = 0; l < nlevels; l++)
			printf(" m%u=%" PRIu64 "/%" PRIu64, l + 1, c->load_miss[l], c->store_miss[l]);
		putchar('\n');
	}
}

static void print_aliases(const struct mon_peer *p)
{
	for (uint32_t i = 0; i < mon_peer_naliases(p); i++) {
		uint32_t region, object, context;
		uint64_t hash;
		const char *name;

		if (!mon_peer_alias(p, i, &hash, &region, &object, &context, &name))
			continue;
		printf("alias name=%s region=%u object=", name, region);
		print_object(p, object);
		putchar('\n');
	}
}

void simrun_print(struct mon_peer *p, int slot, const struct machine_flat *m, bool timelines)
{
	static const char *const states[] = { "empty", "ready", "armed", "done", "missed", "dropped" };
	struct mon_result r;
	struct err err;

	if (mon_peer_take(p, slot, &r, &err))
		simrun_die(err.text);
	printf("request state=%s reason=%u executions=%u first=%" PRIu64 " records=%" PRIu64
		" lost=%" PRIu64 " unhandled=%" PRIu64 " rejected=%u unshared=%" PRIu64,
		states[r.state], r.reason, r.executions, r.ran_first, r.records, r.lost,
		r.unhandled, r.rejected, r.unshared);
	if (r.sample.slices)
		printf(" slices=%u", r.sample.slices);
	if (r.sample.classes)
		printf(" sampled=%u/%u freedom=%u", r.sample.chosen, r.sample.classes, r.sample.groups - 1);
	putchar('\n');
	for (uint32_t i = 0; i < r.ntimes; i++) {
		printf("time context=");
		print_path(p, r.times[i].context);
		printf(" thread=%u execution=%u wall=%" PRIu64 " cpu=%" PRIu64 " wait=%" PRIu64
			" calls=%" PRIu64 "\n", r.times[i].thread, r.times[i].execution,
			r.times[i].wall_ns, r.times[i].cpu_ns, r.times[i].wait_ns, r.times[i].calls);
	}
	if (r.state == MON_DONE && r.kind == MON_SIM) {
		print_counts(p, &r, m);
		print_varied(p, &r, m->nlevels);
		print_lines(p, &r);
		print_sites(p, &r);
		print_walks(p, &r);
		print_aliases(p);
		if (timelines)
			print_timelines(&r, m->nlevels);
	}
	for (uint32_t i = 0; i < r.executions; i++)
		printf("execution n=%" PRIu64 " ns=%" PRIu64 "\n", r.ran_first + i, r.phase_ns[i]);
	mon_result_free(&r);
}
