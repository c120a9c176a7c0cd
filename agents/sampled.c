/* SPDX-License-Identifier: BSD-3-Clause */
#include "agents/sampled.h"
#include "agents/search.h"

#include <math.h>
#include <string.h>

enum {
	DRAWS = 4096,           /* each with its opposite: sure to half a per cent */
	HELD = 256, REFUTED = 64        /* when so many agree, that is all there is to say */
};

/* --- counts ------------------------------------------------------------------------------------- */

static void shift_count(const struct mon_sample *s, const double by[MON_ERRORS],
	const float group[MON_GROUPS], double *count)
{
	double parts[MON_ERRORS], sum = *count;

	mon_sample_parts(s, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += by[i] * parts[i];
	*count = sum > 0 ? sum : 0;
}

/* What is known of misses only goes with them. */
static void shift_last(struct tally *t, double factor)
{
	t->unwarmed *= factor;
	t->local *= factor;
	t->remote *= factor;
	t->unplaced *= factor;
	t->far_cycles *= factor;
	t->far_loads *= factor;
	for (int k = 0; k < TALLY_CLASSES; k++)
		t->slow_loads[k] *= factor;
}

void sampled_shift(const struct mon_sample *s, const double by[MON_ERRORS], struct tally *t)
{
	double factor = 1;

	for (int l = 0; l < MACHINE_LEVELS; l++) {
		double before = t->load_miss[l] + t->store_miss[l];

		shift_count(s, by, t->group[l][0], &t->load_miss[l]);
		shift_count(s, by, t->group[l][1], &t->store_miss[l]);
		if (!(before > 0))
			continue;
		factor = (t->load_miss[l] + t->store_miss[l]) / before; /* at last: of the farthest */
		t->fetched[l] *= factor;
	}
	shift_last(t, factor);
}

/* --- possible values ---------------------------------------------------------------------------- */

/* In (0, 1); the same sequence in every run. */
static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.;
}

static double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(6.283185307179586 * uniform(state));
}

/* Normal in each part, and all over one estimate of their size: together Student's t. */
static void draw(uint64_t *state, uint32_t groups, double by[MON_ERRORS])
{
	double square = 0;

	for (uint32_t i = 1; i < groups; i++) {
		double z = normal(state);

		square += z * z;
	}
	for (int i = 0; i < MON_ERRORS; i++)
		by[i] = normal(state) / sqrt(square / (groups - 1));
}

static enum asl_truth holds_for(const struct search *s, uint32_t property, const struct subject *subject,
	const double by[MON_ERRORS], struct asl_verdict *v)
{
	struct subject moved = *subject;

	moved.off = by;
	sampled_shift(&s->perf->sample, by, &moved.tally);
	sampled_shift(&s->perf->sample, by, &moved.around);
	search_evaluate(s, property, &moved, v);
	return v->holds;
}

static bool is_sampled(const struct search *s, uint32_t property, const struct subject *subject)
{
	return s->perf->sample.classes && subject->counted &&
		binding_needs_misses(s->binding, asl_property(s->program, property));
}

double sampled_probability(const struct search *s, uint32_t property, const struct subject *subject,
	bool holds)
{
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
	struct asl_verdict v;
	int n = 0, held = 0;

	if (!is_sampled(s, property, subject))
		return holds;
	while (n < DRAWS && (n < (holds ? HELD : REFUTED) || (held && held < n))) {
		double by[MON_ERRORS];

		draw(&state, s->perf->sample.groups, by);
		for (int side = 0; side < 2; side++, n++) {
			held += holds_for(s, property, subject, by, &v) == ASL_TRUE;
			for (int i = 0; i < MON_ERRORS; i++)
				by[i] = -by[i];
		}
	}
	return (double)held / n;
}

/* --- intervals ---------------------------------------------------------------------------------- */

/* Student's t, 97.5 %, by degrees of freedom. */
static double interval(const struct mon_sample *s, double square)
{
	static const double t[MON_GROUPS] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365 };

	return s->classes ? t[s->groups - 1] * sqrt(square) : NAN;
}

static double squared(double a, double b)
{
	return (a - b) * (a - b);
}

/* A severity is there only where the property holds: then on one side at least. */
void sampled_errors(const struct search *s, uint32_t property, const struct subject *subject,
	struct sampled_errors *out)
{
	struct asl_verdict here, v;
	double measure = 0, severity = 0;

	out->measure = out->severity = NAN;
	if (!is_sampled(s, property, subject))
		return;
	search_evaluate(s, property, subject, &here);
	for (int i = 0; i < MON_ERRORS; i++) {
		double by[MON_ERRORS] = { 0 };

		by[i] = 1;
		holds_for(s, property, subject, by, &v);
		measure += squared(v.measure, here.measure);
		if (isnan(v.severity)) {
			by[i] = -1;
			holds_for(s, property, subject, by, &v);
		}
		severity += squared(v.severity, here.severity);
	}
	out->measure = interval(&s->perf->sample, measure);
	out->severity = interval(&s->perf->sample, severity);
}

double sampled_stall_error(const struct perf *p, const struct tally *t)
{
	double sum = 0, here = tally_stall_time(p, t);

	for (int i = 0; p->sample.classes && i < MON_ERRORS; i++) {
		double by[MON_ERRORS] = { 0 };
		struct tally moved = *t;

		by[i] = 1;
		sampled_shift(&p->sample, by, &moved);
		sum += squared(tally_stall_time(p, &moved), here);
	}
	return interval(&p->sample, sum);
}

double sampled_count_error(const struct perf *p, const float group[MON_GROUPS])
{
	double parts[MON_ERRORS], sum = 0;

	if (!p->sample.classes)
		return NAN;
	mon_sample_parts(&p->sample, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		sum += parts[i] * parts[i];
	return interval(&p->sample, sum);
}

double sampled_miss_error(const struct perf *p, const struct tally *t)
{
	uint32_t n = p->machine->flat.nlevels;
	float group[MON_GROUPS] = { 0 };

	for (int g = 0; n && g < MON_GROUPS; g++)
		group[g] = t->group[n - 1][0][g] + t->group[n - 1][1][g];
	return sampled_count_error(p, group);
}
