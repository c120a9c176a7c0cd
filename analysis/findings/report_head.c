/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills in the head of the report of one process: what was measured, where, by which model. */
#include "analysis/findings/findings.h"
#include "analysis/findings/name_paths.h"
#include "analysis/findings/slice_texts.h"
#include "analysis/measure/time_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <config.h>

struct head {
	const struct search *s;
	const struct run_config *config;
	struct report *r;
	bool failed;
};

static char *keep(struct head *b, const char *text)
{
	char *p = arena_strdup(b->r->arena, text ? text : "");

	if (!p)
		b->failed = true;
	return p;
}

static const char *describe_machine(struct head *b)
{
	const struct machine *m = &b->config->machine;
	struct buf text = BUF_INIT;
	const char *kept;

	buf_printf(&text, "%s: %s", m->name, m->title);
	for (uint32_t i = 0; i < m->flat.nlevels; i++) {
		const struct machine_level *l = &m->flat.level[i];
		bool mib = l->size >= 1 << 20;

		buf_printf(&text, "; L%u %.4g %s", l->level,
			(double)l->size / (mib ? 1 << 20 : 1 << 10), mib ? "MiB" : "KiB");
	}
	kept = keep(b, buf_str(&text));
	buf_free(&text);
	return kept;
}

static void describe_sample(struct head *b, const struct mon_sample *s)
{
	struct report *r = b->r;
	char part[32];

	if (s->slices) {
		b->failed |= slice_texts_head(r, b->s->measured, b->config) != 0;
		return;
	}
	r->sample_share = (double)s->chosen / s->classes;
	if (s->classes % s->chosen)
		snprintf(part, sizeof part, "%u in %u", s->chosen, s->classes);
	else
		snprintf(part, sizeof part, "1 in %u", s->classes / s->chosen);
	r->sampled = arena_printf(r->arena, "%s of the cache sets was simulated (%u of %u classes "
		"of lines): accesses are exact; misses are scaled, and with 95 %% probability they "
		"lie within the interval after +-, provided that the classes are alike. Accesses to "
		"few sets only, as with a stride of 4096 bytes, can be missed without any sign of it",
		part, s->chosen, s->classes);
	b->failed |= !r->sampled;
}

/* Fills in what memory costs in the phase, and the source of the costs. */
static void describe_costs(struct head *b)
{
	const struct measurements *p = b->s->measured;
	static const enum report_costs sources[] = {
		[COST_ASSUMED] = COSTS_ASSUMED, [COST_MODEL] = COSTS_MODEL,
		[COST_MEASURED] = COSTS_MEASURED,
	};
	struct report *r = b->r;
	struct tally all;

	r->est_stall = r->est_stall_low = r->est_stall_high = NAN;
	r->memory_time = r->core_time = r->branch_time = r->run_share = r->run_seen = NAN;
	if (!p->estimated || !measured_tally(p, 0, MON_ANY, &all))
		return;
	*(p->modelled ? &r->modelled_time : &r->cpu_time) = measured_phase_cpu(p);
	r->est_stall = all.estimate.stall;
	r->est_stall_low = all.estimate.low;
	r->est_stall_high = all.estimate.high;
	r->memory_time = tally_memory_time(&all);
	r->core_time = all.estimate.core;
	r->branch_time = all.estimate.branches;
	r->costs_source = sources[p->costs.source];
	if (p->costs.source != COST_MEASURED)
		return;
	r->costs_host = keep(b, p->costs.host);
	r->costs_when = p->costs.when;
	r->costs_loaded = p->costs.loaded;
	r->costs_varied = p->costs.varies[0] != '\0';
}

/* Fills in what the threads spend the time of the phase on. */
static void describe_times(struct head *b)
{
	const struct measurements *p = b->s->measured;
	struct report *r = b->r;
	struct time_parts parts;

	if (!p->ncontexts)
		return;
	measured_time_parts(p, &parts);
	r->cpu_time = parts.cpu;
	r->barrier_wait = parts.barrier;
	r->mpi_wait = parts.mpi;
	r->other_wait = parts.blocked;
	r->away_time = parts.away;
	r->wall_time = measured_phase_wall(p);
	r->time_spread = measured_spread(p, 0);
}

static void describe_asked(struct head *b)
{
	const struct run_config *c = b->config;
	struct report *r = b->r;

	r->asked = arena_array(r->arena, (size_t)c->nasked + 1, sizeof *r->asked);
	if (!r->asked) {
		b->failed = true;
		return;
	}
	for (uint32_t i = 0; i < c->nasked; i++)
		r->asked[i] = (struct report_asked){ keep(b, c->asked[i].name),
			keep(b, c->asked[i].set), c->asked[i].usual };
	r->nasked = (int)c->nasked;
}

static void describe(struct head *b)
{
	const struct run_config *c = b->config;
	const struct measurements *p = b->s->measured;
	struct report *r = b->r;
	const char *slash = strrchr(c->machine.source, '/');

	r->command = keep(b, c->command);
	r->directory = keep(b, c->directory);
	r->executable = keep(b, c->executable);
	r->nprocs = 1;
	r->nthreads = p->threads ? (int)p->threads : 1;
	r->version = PACKAGE_VERSION;
	r->phase_choice = c->phase_choice ? keep(b, c->phase_choice) : NULL;
	r->phase_time = measured_phase_time(p);
	describe_times(b);
	describe_costs(b);
	b->failed |= findings_processor_time(p, r) != 0;
	/* Times and counts of bursts are of the same execution. */
	r->executions_used = (int64_t)(b->config->bursts ? p->nclean : p->nclean + p->counted);
	r->strategy = c->strategy == STRATEGY_PAPER ? BY_PAPER : BY_SHARE;
	describe_asked(b);
	r->machine = describe_machine(b);
	r->rank_by_stall = c->foreign;
	r->machine_source = keep(b, slash ? slash + 1 : c->machine.source);
	r->sample_share = r->unseen_share = r->children_time = NAN;
	r->bursts = c->bursts;
	if (p->sample.classes)
		describe_sample(b, &p->sample);
	r->counts_source = p->counts_source;
	if (findings_executions(p, r))
		b->failed = true;
	if (c->timed_ns) {
		r->unlike = findings_timed_unlike(c, r->unlike, r->arena);
		b->failed |= !r->unlike;
	}
	if (p->sir->regions && c->phase_region < p->sir->nregions) {
		const struct sir_region *phase = &p->sir->regions[c->phase_region];

		r->phase = (struct report_node){ .type = phase->type, .name = keep(b, phase->name),
			.file = keep(b, name_file(p->sir, phase->file)), .line = phase->line,
			.name_path = name_path(p->sir, c->phase_region, r->arena), .phase = true,
			.measure = NAN, .measure_error = NAN, .time = r->phase_time };
	}
}

enum { SOURCES_NAMED = 3 };

/* Is the source that of an earlier context's region? */
static bool named_before(const struct measurements *p, uint32_t context, uint32_t source)
{
	for (uint32_t c = 0; c < context; c++)
		if (p->contexts[c].region != SIR_NONE &&
		    p->sir->regions[p->contexts[c].region].source == source)
			return true;
	return false;
}

/* Names the sources of the phase's code that were compiled without optimisation. */
static void describe_sources(struct head *b)
{
	const struct measurements *p = b->s->measured;
	struct buf names = BUF_INIT;
	unsigned n = 0;

	for (uint32_t c = 0; c < p->ncontexts; c++) {
		const uint32_t region = p->contexts[c].region;
		const struct sir_source *s = region == SIR_NONE ? NULL :
			&p->sir->sources[p->sir->regions[region].source];

		if (!s || !s->unoptimised || named_before(p, c, p->sir->regions[region].source))
			continue;
		if (n++ < SOURCES_NAMED)
			buf_printf(&names, "%s%s", n > 1 ? ", " : "", name_file(p->sir, s->name));
	}
	if (n > SOURCES_NAMED)
		buf_printf(&names, " and %u more", n - SOURCES_NAMED);
	b->r->unoptimised = n ? keep(b, buf_str(&names)) : NULL;
	b->failed |= names.failed;
	buf_free(&names);
}

/* A region in which threads wait for one another's locks. */
static bool locks(const struct sir_region *r)
{
	static const char *const calls[] = { "pthread_mutex_", "pthread_spin_", "pthread_rwlock_",
		"omp_set_lock", "omp_set_nest_lock" };

	for (size_t i = 0; r->type == REGION_CALL && r->name && i < sizeof calls / sizeof *calls;
	     i++)
		if (strncmp(r->name, calls[i], strlen(calls[i])) == 0)
			return true;
	return r->type == REGION_CRITICAL;
}

static void describe_locks(struct head *b)
{
	const struct sir *sir = b->s->measured->sir;

	for (uint32_t i = 0; i < sir->nregions && !b->r->locks; i++)
		b->r->locks = locks(&sir->regions[i]);
}

int findings_head(const struct search *s, const struct run_config *config, struct report *r)
{
	struct head b = { .s = s, .config = config, .r = r };

	describe(&b);
	describe_sources(&b);
	describe_locks(&b);
	return b.failed ? -1 : 0;
}
