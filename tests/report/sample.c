/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/report/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MISS "LC3DMissRate"
#define READ "LC3DReadMissRate"

static struct report_node region(enum region_type type, const char *name, const char *file, int line,
	double rate, double time)
{
	return (struct report_node){ .type = type, .name = name, .file = file, .line = line,
		.measure = rate, .time = time, .holds = rate > 0.02 };
}

static struct report_node structure(const char *name, const char *alias, const char *scope,
	const char *file, int line, double rate)
{
	return (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = name, .alias_of = alias,
		.scope = scope, .file = file, .line = line, .measure = rate, .time = NAN, .holds = true };
}

static struct report_node phase(double rate)
{
	struct report_node n = region(REGION_USER, "", "ssor.f", 109, rate, 0.412);

	n.phase = true;
	return n;
}

/* Appends a finding whose path is given up to a node without a file. */
static struct report_finding *add(struct report *r, const char *property,
	const struct report_node *path)
{
	struct report_finding *f = &r->findings[r->nfindings++];
	struct report_node *copy;
	static const struct rank_run zero;

	while (path[f->npath].file)
		f->npath++;
	copy = arena_array(r->arena, (size_t)f->npath, sizeof *copy);
	memcpy(copy, path, (size_t)f->npath * sizeof *copy);
	f->path = copy;
	f->property = property;
	f->file = "memory.asl";
	f->line = strcmp(property, MISS) == 0 ? 41 : 52;
	f->number = strcmp(property, MISS) == 0 ? 5 : 6;
	if (strcmp(property, READ) == 0)
		f->refines = MISS;
	f->processes = &zero;
	f->nruns = f->nprocesses = 1;
	f->measure = copy[f->npath - 1].measure;
	f->time_share = NAN;
	for (int i = 0; i < f->npath; i++)
		if (!isnan(copy[i].time))
			f->time_share = copy[i].time / 0.412;
	f->severity_share = f->measure * f->time_share;
	f->severity_max_share = f->severity_share;
	f->severity = f->severity_share * 0.412;
	f->severity_is_time = true;
	f->severity_is_index = true;
	f->est_stall_share = f->severity_share * 4.7;
	f->est_stall_low_share = f->est_stall_share / 2;
	f->est_stall_high_share = f->est_stall_share * 1.5;
	/* Read misses are a part of what the other property has. */
	f->own_stall_share = f->own_stall_low_share = f->own_stall_high_share = strcmp(property, READ) == 0 ? 0 : NAN;
	f->page_faults = f->fault_share = f->fault_low_share = f->fault_high_share = f->fault_left = NAN;
	f->kind = MISS_STREAM;
	f->about = ABOUT_MEMORY;
	f->confidence = 1;
	f->coverage = 1;
	return f;
}

#define ADD(r, property, ...) \
	add(r, property, (const struct report_node[]){ __VA_ARGS__, { .file = NULL } })

#define COMMON "COMMON cvar"
#define PAR(rate) phase(0.038), region(REGION_PARALLEL, "", "ssor.f", 120, rate, 0.410)

static void sweep(struct report *r, const char *sub, int loop, int call, double time, double rate,
	double v)
{
	static const struct report_site sites[] = { { 91, 7e5, 2e5 }, { 84, 9e5, 1.5e5 }, { 0, 1e4, 5e3 } };
	const char *file = strcmp(sub, "buts") == 0 ? "buts.f" : "blts.f";
	struct report_finding *f = ADD(r, MISS, PAR(0.038),
		region(REGION_LOOP, "", "ssor.f", loop, 0.037, time * 1.3),
		region(REGION_CALL, sub, "ssor.f", call, rate - 0.003, time * 1.01),
		region(REGION_SUB, sub, file, 4, rate - 0.003, time * 1.01),
		region(REGION_WORKSHARE_DO, "", file, 75, rate, time),
		structure("v", "rsd", COMMON, file, 4, v));

	f->sites = sites;
	f->nsites = 3;
	f->place_line = 91;
	f->why = "v is read and written once per sweep in steps of one element";
	f->advice = "fuse the sweep with its neighbour, or block over k, so that a plane of rsd stays in the cache.";
}

static void tests(struct report *r)
{
	static struct report_node places[3];

	places[0] = region(REGION_PARALLEL, "", "ssor.f", 120, 0.012, 0.41);
	places[1] = region(REGION_WORKSHARE_DO, "", "ssor.f", 126, 0.029, 0.02);
	places[2] = structure("u", NULL, COMMON, "jacld.f", 5, NAN);
	r->tested = arena_array(r->arena, 5, sizeof *r->tested);
	r->ntested = 4;
	r->tested[0] = (struct report_tested){ "LC2DMissRate", &places[1], NULL, 0, REPORT_FALSE,
		"rate 0.029 <= 0.05" };
	r->tested[1] = (struct report_tested){ "LC2DMissRate", &places[0], NULL, 0, REPORT_FALSE,
		"rate 0.012 <= 0.05" };
	r->tested[2] = (struct report_tested){ READ, &places[2], "( WORKSHARE_DO, jacld.f, 39 )", 0,
		REPORT_UNDECIDED, "lc3_data_read_miss not measured" };
	r->tested[3] = (struct report_tested){ READ, &places[1], NULL, 0, REPORT_PRUNED,
		"0.4 % of phase time < 1 %" };
}

static struct report *head(void)
{
	struct report *r = report_new();

	r->command = "./lu.A";
	r->directory = "examples/lu";
	r->executable = "./lu.A";
	r->version = "0.1.0";
	r->when = 1205424000;
	r->elapsed = 5.62;
	r->nprocs = 1;
	r->nthreads = 4;
	r->phase = region(REGION_LOOP, "", "ssor.f", 109, 0.038, 0.412);
	r->phase.phase = true;
	r->phase_choice = "the innermost loop that contains line 111";
	r->phase_time = 0.412;
	r->cpu_time = 1.38;
	r->wall_time = 0.731;
	r->time_spread = 0.042;
	r->time_least = 1.31;
	r->time_most = 2.48;
	r->unlike = "shares are of execution 8; its times are those of executions 2, 4 and 6, of its kind";
	r->others_share = 0.31;
	r->phase_executions = 250;
	r->executions_used = 9;
	r->experiments = 6;
	r->strategy = BY_SHARE;
	sample_asked(r, (const char *const[]){ "memory" }, 1, 1);
	r->machine = "itanium2: Itanium 2, 1.3 GHz, L2 256 KiB, L3 3 MiB";
	r->machine_source = "given with --machine";
	r->counts_source = "sim: simulated by the machine model, every access (array refs)";
	r->times_source = "processor time and waits: median of 5 clean executions on this host";
	return r;
}

void sample_asked(struct report *r, const char *const *names, int n, int usual)
{
	r->asked = arena_array(r->arena, (size_t)n, sizeof *r->asked);
	for (int i = 0; i < n; i++) {
		const char *slash = strrchr(names[i], '/');

		r->asked[i] = (struct report_asked){ names[i], slash ? slash + 1 : names[i], i < usual };
	}
	r->nasked = n;
}

static void ledger(struct report *r)
{
	static const struct report_ledger causes[] = {
		{ LEDGER_STACKS, 412000, 120, NAN },
		{ LEDGER_NAMED, 26.1e6, 1.01e6, NAN },
		{ LEDGER_HEAP, 0, 0, NAN },
		{ LEDGER_LOST, NAN, NAN, NAN },
	};

	r->ledger = arena_array(r->arena, 4, sizeof *r->ledger);
	memcpy(r->ledger, causes, sizeof causes);
	r->nledger = 4;
}

static void gains(struct report *r)
{
	static const struct report_gain some[] = {
		{ "rsd", COMMON, NULL, TRIED_HIT, "bound of all changes: it always hits", NULL,
			20e6, 26e6, 0.055, NULL, NAN },
		{ "rsd", COMMON, NULL, TRIED_PAD, "begins 1 line later (64 bytes)", NULL,
			12e6, 12e6, 0.025, NULL, NAN },
		{ "rsd", COMMON, NULL, TRIED_PAD, "rows of 1320 bytes get 64 bytes more", NULL, -3e6, -3e6,
			-0.006, NULL, NAN },
		{ "rsd", COMMON, NULL, TRIED_TOUCH, "", "the machine has one memory node", NAN, NAN, NAN,
			NULL, NAN },
		{ "rds", NULL, NULL, TRIED_NONE, "", "no structure of that name is accessed in the phase; there is "
			"rsd, u", NAN, NAN, NAN, NULL, NAN },
		{ "u", COMMON, NULL, TRIED_PAD, "begins 1 line later (64 bytes)", NULL,
			0, 0, 0, NULL, NAN },
	};

	r->ngains = sizeof some / sizeof some[0];
	r->gains = arena_array(r->arena, (size_t)r->ngains, sizeof *r->gains);
	memcpy(r->gains, some, sizeof some);
	r->stall_cycles = 80e6;
}

static void counted(struct report *r)
{
	static const struct report_counted some[] = {
		{ "u", COMMON, NULL, { 0.41, 0.125, 0.011, NAN, NAN, 0, 0.09, 0.01, 0.16 },
			{ 0.38, 0.13, 0.052, 0.004, 0.003, 0.001, 0.21, 0.17, 0.25 }, true, true },
		{ NULL, NULL, NULL, { 1, 0.11, 0.01, NAN, NAN, 0, 0.2, 0.02, 0.9 },
			{ 1, 0.09, 0.012, 0.001, 0.002, 0, 0.3, 0.2, 0.4 }, false, false },
		{ "tv", NULL, "jacld.f:12", { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
			{ 0.02, 0.129, 0.001, 0.01, 0.001, 0, 0.004, 0, 0.01 }, false, false },
	};

	r->ncounted = sizeof some / sizeof some[0];
	r->counted = arena_array(r->arena, (size_t)r->ncounted, sizeof *r->counted);
	memcpy(r->counted, some, sizeof some);
	r->collector = "sim";
	r->other_collector = "burst";
	r->other_source = "burst: every access of short bursts (all refs)";
}

static void verified(struct report *r)
{
	static const struct report_verified some[] = {
		{ "rsd", COMMON, "applu.incl:80", NULL, false, false, 0.412, 0.296, 0.409, 0.281, 0.27, 0.3, 0.31, 0.2, 0.36, false },
		{ "u", COMMON, NULL, NULL, true, false, 0.412, 0.40, 0.5, 0.029, -0.01, 0.04, NAN, NAN, NAN, false },
		{ "frct", NULL, NULL, "the phase makes a system call (write), which a copy must not make",
			false, false, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false },
		{ "part", NULL, "ssor.f:9", NULL, false, true, 0.4, 0.1, 0.4, 0.75, 0.74, 0.76, 0.3, 0, 0.94, false },
	};

	r->nverified = sizeof some / sizeof some[0];
	r->verified = arena_array(r->arena, (size_t)r->nverified, sizeof *r->verified);
	memcpy(r->verified, some, sizeof some);
}

static void tried(struct report *r)
{
	static const struct report_trial some[] = {
		{ TRIED_MALLOC, "", TRIAL_GAIN, TRIAL_NO_REASON, NULL, 0.964, 0.963, 0.965, 0.21, 0.0273, 0.00098, 0.0271,
			12e6, NAN, NAN, NAN, -1, NAN, NAN, false, false, false, 8, 134, 629174060106 },
		{ TRIED_LARGE_PAGES, "rsd", TRIAL_GAIN, TRIAL_NO_REASON, NULL, 0.12, 0.09, 0.15, 0.32, 0.0273, 0.024, 0.0271,
			0, 16384, 15872, 0, -1, 0.024, 0.013, false, false, false, 16, 340, 629174060107 },
		{ TRIED_MALLOC, "rsd", TRIAL_REFUSED, TRIAL_OTHER_MALLOC, "libother.so.2", NAN, NAN, NAN, NAN, NAN, NAN, NAN,
			NAN, NAN, NAN, NAN, -1, NAN, NAN, true, true, true, 0, 0, 1 },
	};

	r->ntrials = sizeof some / sizeof some[0];
	r->trials = arena_array(r->arena, (size_t)r->ntrials, sizeof *r->trials);
	memcpy(r->trials, some, sizeof some);
}

static void found(struct report *r)
{
	struct report_finding *f;

	sweep(r, "blts", 149, 165, 0.071, 0.055, 0.025);
	f = ADD(r, READ, phase(0.014), region(REGION_PARALLEL, "", "ssor.f", 120, 0.015, 0.410),
		region(REGION_WORKSHARE_DO, "", "ssor.f", 221, 0.019, 0.062),
		structure("u", NULL, COMMON, "ssor.f", 4, 0.031));
	f->confidence = 0.93;
	f->coverage = 1.0 / 32;
	sweep(r, "buts", 184, 200, 0.083, 0.054, 0.025);
	f = ADD(r, MISS, PAR(0.038), region(REGION_LOOP, "", "ssor.f", 184, 0.037, 0.108),
		region(REGION_CALL, "buts", "ssor.f", 200, 0.051, 0.084),
		region(REGION_SUB, "buts", "buts.f", 4, 0.051, 0.084),
		region(REGION_WORKSHARE_DO, "", "buts.f", 75, 0.054, 0.083));
	f->own_stall_share = f->est_stall_share - f[-1].est_stall_share;        /* that of v */
	f->own_stall_low_share = f->own_stall_share / 2;
	f->own_stall_high_share = f->own_stall_share * 1.5;
	ADD(r, MISS, PAR(0.038), region(REGION_WORKSHARE_DO, "", "ssor.f", 221, 0.039, 0.062),
		structure("u", NULL, COMMON, "ssor.f", 4, 0.031));
	ADD(r, MISS, PAR(0.038), region(REGION_WORKSHARE_DO, "", "ssor.f", 221, 0.039, 0.062),
		structure("rsd", NULL, COMMON, "ssor.f", 4, 0.062));
	ADD(r, READ, phase(0.014), region(REGION_PARALLEL, "", "ssor.f", 120, 0.015, 0.410),
		region(REGION_WORKSHARE_DO, "", "ssor.f", 126, 0.029, 0.021),
		structure("rsd", NULL, COMMON, "ssor.f", 4, 0.029));
	ADD(r, MISS, PAR(0.038), region(REGION_WORKSHARE_DO, "", "ssor.f", 126, 0.029, 0.021),
		structure("rsd", NULL, COMMON, "ssor.f", 4, 0.029));
	f = ADD(r, MISS, PAR(0.038), region(REGION_LOOP, "", "ssor.f", 149, 0.037, 0.092),
		region(REGION_CALL, "jacld", "ssor.f", 156, 0.030, 0.051),
		region(REGION_SUB, "jacld", "jacld.f", 5, 0.030, 0.051),
		region(REGION_WORKSHARE_DO, "", "jacld.f", 39, 0.040, 0.050),
		structure("u", NULL, COMMON, "jacld.f", 5, NAN));
	f->severity_share = 0.0019;
	f->est_stall_share = NAN;
	f->all_callers = true;
	f->over_processes = true;
	f->unwarmed = true;
}

#define PHASE_KEY "ssor.f:ssor/loop 1"
static void sampled(struct report *r)
{
	static const struct report_samples some[] = {
		{ PHASE_KEY, NULL, NULL, NULL, "ssor.f", 109, REGION_LOOP, 1e6,
			{ 1e6, 2e5, 1e5, 1e5, 5e4, 2e4, 0, 0, 0, 0, 0 }, 2e4, 5e3, 1e3, 4e3 },
		{ PHASE_KEY, "u", COMMON, NULL, "ssor.f", 109, REGION_LOOP, NAN,
			{ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
			1e4, 5e2, 4e2, 1e2 },
		{ PHASE_KEY "/parallel 1", "u", COMMON, NULL, "ssor.f", 120, REGION_PARALLEL, 8e5,
			{ 8e5, 1e5, 1e5, 1e5, 5e4, 1e4, 0, 0, 0, 0, 0 }, NAN, NAN, NAN, NAN },
	};

	r->nsamples = sizeof some / sizeof some[0];
	r->samples = arena_array(r->arena, (size_t)r->nsamples, sizeof *r->samples);
	memcpy(r->samples, some, sizeof some);
}

static void threads(struct report *r)
{
	static const struct report_thread some[] = {
		{ PHASE_KEY, "ssor.f", 109, REGION_LOOP, 0, 0, 0, 0.38, NAN, 0.01, 0, 0.002, 0.21, 0.1, 0.3, 7e6, 4e5, 26e4 },
		{ PHASE_KEY, "ssor.f", 109, REGION_LOOP, 0, 0, 1, 0.34, NAN, 0.05, 0, 0, 0.2, 0.1, 0.3, 6.5e6, 39e4, 25e4 },
		{ PHASE_KEY, "ssor.f", 109, REGION_LOOP, 0, 0, 2, 0.34, NAN, 0.05, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN },
		{ PHASE_KEY "/parallel 1", "ssor.f", 120, REGION_PARALLEL, 1, 0, 0, 0.3, NAN, 0.01, 0, 0, 0.2, 0.1, 0.3,
			6e6, 38e4, 24e4 },
		{ PHASE_KEY "/parallel 1", "ssor.f", 120, REGION_PARALLEL, 1, 0, 1, 0.29, NAN, 0.02, 0, 0, 0.2, 0.1, 0.3,
			6e6, 38e4, 24e4 },
	};

	r->nthread_rows = sizeof some / sizeof some[0];
	r->thread_rows = arena_array(r->arena, (size_t)r->nthread_rows, sizeof *r->thread_rows);
	memcpy(r->thread_rows, some, sizeof some);
}

struct report *sample_lu(void)
{
	static const char *sentences[] = {
		"The host's last level (480 MiB) is not plausible; the machine model was given.",
		"2 phase executions were left out: they took part in no experiment.",
	};
	struct report *r = head();

	r->findings = arena_array(r->arena, 32, sizeof *r->findings);
	found(r);
	gains(r);
	verified(r);
	counted(r);
	sampled(r);
	tried(r);
	tests(r);
	ledger(r);
	threads(r);
	sample_timelines(r);
	r->notes = sentences;
	r->nnotes = 2;
	return r;
}

struct report *sample_empty(bool tested)
{
	struct report *r = head();

	if (tested)
		tests(r);
	return r;
}

struct report *sample_nasty(void)
{
	static const char *note = SAMPLE_NASTY;
	static const struct report_line_use uses[] = {
		{ .line = 1, .threads = 3, .thread = 0, .writes = true, .last = 7, .members = SAMPLE_NASTY },
		{ .line = 1, .threads = 3, .thread = 2, .first = 8, .last = 15, .of_line = true, .other_block = true } };
	struct report *r = sample_lu();
	struct report_finding *f = &r->findings[0];
	struct report_node *n = (struct report_node *)&f->path[f->npath - 1];

	r->command = r->directory = r->machine = r->partial = SAMPLE_NASTY;
	r->notes = &note;
	r->nnotes = 1;
	f->property = f->why = f->advice = f->info = SAMPLE_NASTY;
	f->uses = uses;
	f->nuses = 2;
	f->rank_figures = true;
	f->figures_rank = 3;
	n->name = n->file = n->alias_of = n->scope = SAMPLE_NASTY;
	r->tested[0].reason = r->tested[0].property = SAMPLE_NASTY;
	r->gains[0].structure = r->gains[0].change = r->gains[3].reason = SAMPLE_NASTY;
	r->verified[0].structure = r->verified[2].reason = SAMPLE_NASTY;
	r->asked[0].name = SAMPLE_NASTY;
	for (int i = 0; i < 3; i++)
		r->thread_rows[i].region = r->thread_rows[i].file = SAMPLE_NASTY;
	return r;
}

struct report *sample_complete(const struct report *r)
{
	struct buf bytes = BUF_INIT;
	struct report *copy;

	report_encode(r, &bytes);
	copy = report_decode(bytes.data, bytes.len, NULL);
	if (!copy || report_finish(copy) < 0)
		abort();
	buf_free(&bytes);
	return copy;
}

char *sample_text(const struct report *r, const struct report_style *style)
{
	struct report *complete = sample_complete(r);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (report_text(complete, style, out, NULL) < 0)
		abort();
	fclose(out);
	report_free(complete);
	return text;
}

static unsigned next(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

#define SHUFFLE(array, n) \
	for (int i = (n) - 1; i > 0; i--) { \
		int k = (int)(next(&seed) % (unsigned)(i + 1)); \
		memcpy(swap, &(array)[i], sizeof (array)[0]); \
		memcpy(&(array)[i], &(array)[k], sizeof (array)[0]); \
		memcpy(&(array)[k], swap, sizeof (array)[0]); \
	}

void sample_shuffle(struct report *r, unsigned seed)
{
	char swap[sizeof(struct report_finding)];

	SHUFFLE(r->findings, r->nfindings)
	SHUFFLE(r->gains, r->ngains)
	SHUFFLE(r->verified, r->nverified)
	SHUFFLE(r->trials, r->ntrials)
	SHUFFLE(r->counted, r->ncounted)
	SHUFFLE(r->ledger, r->nledger)
	SHUFFLE(r->tested, r->ntested)
	SHUFFLE(r->thread_rows, r->nthread_rows)
	SHUFFLE(r->timelines, r->ntimelines)
	report_thread_rows_keep(r);
	report_timelines_keep(r);
}
