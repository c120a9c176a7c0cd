/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what --verify measured, and words why something could not be measured. */
#include "analysis/findings/measured_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/structure_names.h"

#define SHARED_LEAST 0.01       /* share of the structure's misses of the nearest level */

/* s: of an execution with all threads on one CPU. */
static const double ONE_CPU_LONGEST = 4;

/* --- what to measure ------------------------------------------------------------------------- */

/* Computes what the structure costs by the estimate, as a share of the phase's time; unwalked: less
 * the part that page walks have of its memory time.  NAN: there is no estimate. */
static void estimated_share(const struct measurements *p, uint32_t object, bool unwalked,
	struct estimate *out)
{
	double memory = 0, cpu = measured_phase_cpu(p), part = 1;
	struct tally t;

	*out = (struct estimate){ NAN, NAN, NAN };
	if (!p->estimated || p->modelled || !(cpu > 0) || !measured_tally(p, 0, object, &t))
		return;
	for (int c = 0; c < MEMORY_CLASSES; c++)
		memory += t.estimate.memory[c];
	if (unwalked && memory > 0)
		part = fmax(0, 1 - t.estimate.walks / memory);
	out->value = part * t.estimate.stall / cpu;
	out->low = part * t.estimate.low / cpu;
	out->high = part * t.estimate.high / cpu;
}

static struct checked_structure *add(struct measured_check *m, uint32_t object)
{
	struct checked_structure *c;

	for (uint32_t i = 0; i < m->n; i++)
		if (object != MON_ANY && m->structure[i].object == object)
			return NULL;    /* asked for twice */
	if (m->n == CHECKED_MOST)
		return NULL;
	c = &m->structure[m->n++];
	*c = (struct checked_structure){ .object = object };
	return c;
}

static void refuse(struct checked_structure *c, const char *why)
{
	c->done = true;
	snprintf(c->reason, sizeof c->reason, "%s", why);
}

/* Do threads take lines of the structure from each other?  A line at the border of two
 * threads' parts does not matter. */
static bool shared(const struct measurements *p, uint32_t object)
{
	struct tally t;

	return p->threads > 1 && measured_tally(p, 0, object, &t) &&
		t.false_sharing + t.true_sharing > SHARED_LEAST *
		(t.load_miss[0] + t.store_miss[0]);
}

/* Why the phase cannot be executed with all threads on one CPU; "": it can. */
static void unfit_for_one_cpu(const struct measurements *p, char *text, size_t size)
{
	double wall = measured_phase_wall(p);

	text[0] = '\0';
	if (p->modelled)
		snprintf(text, size, "the model is of another machine");
	else if (!(wall > 0))
		snprintf(text, size, "the phase has no clean time");
	else if (p->threads * wall > ONE_CPU_LONGEST)
		snprintf(text, size,
			"an execution takes %.3g s with %u threads, so %.3g s on one CPU; more than %g s are not "
			"asked of the program", wall, (unsigned)p->threads, p->threads * wall,
			ONE_CPU_LONGEST);
}

/* Why the phase cannot be copied at all; "": it can. */
static void unfit(const struct measurements *p, char *text, size_t size)
{
	double wall = measured_phase_wall(p);

	text[0] = '\0';
	if (p->threads > 1)
		snprintf(text, size,
			"%u threads work in the phase, and a copy of the process has one; on one CPU, nothing is "
			"measured but lines that threads take from each other, and they take none of it",
			(unsigned)p->threads);
	else if (!(wall > 0))
		snprintf(text, size, "the phase has no clean time");
	else if (wall * 1e9 > (double)MON_VERIFY_LONGEST)
		snprintf(text, size,
			"an execution takes %.3g s; executions of at most %g s are copied", wall,
			(double)MON_VERIFY_LONGEST * 1e-9);
}

void measured_check_add(struct measured_check *m, const struct measurements *p, const char *name)
{
	uint32_t objects[CHECKED_SAME], n = structures_named(p, name, objects, CHECKED_SAME);
	struct checked_structure *c;
	char why[sizeof c->reason];

	for (uint32_t i = 0; i < n; i++) {
		c = add(m, objects[i]);
		if (!c)
			continue;
		c->one_cpu = shared(p, objects[i]);
		(c->one_cpu ? unfit_for_one_cpu : unfit)(p, why, sizeof why);
		estimated_share(p, objects[i], false, &c->share);
		if (why[0])
			refuse(c, why);
	}
	if (n)
		return;
	c = add(m, MON_ANY);
	if (!c)
		return;
	snprintf(c->name, sizeof c->name, "%s", name);
	c->done = true;
	structures_unknown(p, name, c->reason, sizeof c->reason);
}

static const struct checked_structure *next(const struct measured_check *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->structure[i].done)
			return &m->structure[i];
	return NULL;
}

bool measured_check_next(const struct measured_check *m, const struct measurements *p,
	struct check_request *out)
{
	const struct checked_structure *c = next(m);

	if (!c)
		return false;
	*out = (struct check_request){ c->one_cpu, c->object,
		(uint64_t)(measured_phase_wall(p) * 1e9) + 1 };
	if (out->clean_ns > MON_VERIFY_LONGEST)
		out->clean_ns = MON_VERIFY_LONGEST;
	return true;
}

/* --- results --------------------------------------------------------------------------------- */

void measured_check_take(struct measured_check *m, const struct mon_verified *v, const char *why)
{
	struct checked_structure *c = (struct checked_structure *)(uintptr_t)next(m);

	if (!c)
		return;
	c->done = true;
	c->result = *v;
	if (why[0])
		refuse(c, why);
	else if (!v->pairs)
		refuse(c, "no copy was timed");
}

void measured_check_one_cpu(struct measured_check *m, const char *why)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct checked_structure *c = &m->structure[i];

		if (c->done || !c->one_cpu)
			continue;
		c->done = true;
		if (why)
			refuse(c, why);
	}
}

void measured_check_give_up(struct measured_check *m, const char *why)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->structure[i].done)
			refuse(&m->structure[i], why);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void fill_measured(const struct mon_verified *v, struct report_verified *out)
{
	double clean[MON_PAIRS], aliased[MON_PAIRS], saved[MON_PAIRS];
	uint32_t n = v->pairs;

	for (uint32_t i = 0; i < n; i++) {
		clean[i] = (double)v->clean_ns[i];
		aliased[i] = (double)v->aliased_ns[i];
		saved[i] = clean[i] > 0 ? 1 - aliased[i] / clean[i] : 0;
	}
	qsort(clean, n, sizeof clean[0], ascending);
	qsort(aliased, n, sizeof aliased[0], ascending);
	qsort(saved, n, sizeof saved[0], ascending);
	out->cold = v->cold != 0;
	out->time = clean[n / 2] * 1e-9;
	out->time_with = aliased[n / 2] * 1e-9;
	out->measured = saved[n / 2];
	out->measured_low = saved[n / 4];
	out->measured_high = saved[n - 1 - n / 4];
}

static void fill_estimated(const struct measurements *p, const struct checked_structure *c,
	struct report_verified *out)
{
	struct estimate share = c->share;
	double cpu = measured_phase_cpu(p);

	out->program_time = p->estimated && !p->modelled ? cpu : measured_cpu(p, 0);
	if (!c->one_cpu)
		estimated_share(p, c->object, true, &share);
	out->estimated = share.value;
	out->estimated_low = share.low;
	out->estimated_high = share.high;
}

static int fill_one_cpu(const struct measurements *p, struct report_verified *out)
{
	struct one_cpu_sums t;

	if (measured_one_cpu(p, &t))
		return -1;
	if (!(t.time > 0) || !(t.one_cpu > 0))
		return 0;
	out->time = out->program_time = t.time * 1e-9;
	out->time_with = t.one_cpu * 1e-9;
	out->measured = out->measured_low = 1 - t.one_cpu / t.time;
	out->measured_high = 1 - t.one_cpu / t.slow;
	return 0;
}

static bool fill(const struct checked_structure *c, const struct measurements *p, struct arena *a,
	struct report_verified *out)
{
	bool failed = false;

	*out = (struct report_verified){ .time = NAN, .time_with = NAN, .program_time = NAN,
		.measured = NAN, .measured_low = NAN, .measured_high = NAN, .estimated = NAN,
		.estimated_low = NAN, .estimated_high = NAN };
	if (c->object == MON_ANY) {
		out->structure = arena_strdup(a, c->name);
		out->unknown = true;
	} else {
		out->structure = arena_strdup(a, p->objects[c->object].name);
		failed = findings_declared(p, c->object, a, &out->scope, &out->declared) != 0;
	}
	if (c->reason[0]) {
		out->reason = arena_strdup(a, c->reason);
		return out->structure && out->reason && !failed;
	}
	out->one_cpu = c->one_cpu;
	fill_estimated(p, c, out);
	if (c->one_cpu)
		failed |= fill_one_cpu(p, out) != 0;
	else
		fill_measured(&c->result, out);
	return out->structure && !failed;
}

int measured_check_report(const struct measured_check *m, const struct search *s, struct report *r)
{
	if (!m->n)
		return 0;
	r->verified = arena_array(r->arena, m->n, sizeof *r->verified);
	if (!r->verified)
		return -1;
	for (uint32_t i = 0; i < m->n; i++)
		if (!fill(&m->structure[i], s->measured, r->arena, &r->verified[r->nverified++]))
			return -1;
	return 0;
}
