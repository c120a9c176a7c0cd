/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates a property for possible true values of sampled counts, to find how probable its verdict
 * is. */
#include "analysis/search/confidence.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/search/search.h"

#include <math.h>

enum {
	DRAWS = 4096,           /* in pairs of opposites: the probability is known to half a per
				 * cent */
	HELD = 256, REFUTED = 64        /* stop here when all draws so far agree */
};

/* --- possible values ------------------------------------------------------------------------- */

/* Uniform in (0, 1), xorshift; the same sequence in every run. */
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

/* Draws multiples of the parts of error: normal variates over one common estimate of the standard
 * deviation, hence Student's t with groups - 1 degrees of freedom. */
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

static enum asl_truth holds_for(const struct search *s, uint32_t property,
	const struct subject *subject, const double by[MON_ERRORS], struct asl_verdict *v)
{
	struct subject moved = *subject;

	moved.off = by;
	sampling_error_shift(&s->measured->sample, by, &moved.tally);
	sampling_error_shift(&s->measured->sample, by, &moved.around);
	search_evaluate(s, property, &moved, v);
	return v->holds;
}

static bool is_sampled(const struct search *s, uint32_t property, const struct subject *subject)
{
	return s->measured->sample.classes && subject->counted &&
		attributes_needs_misses(s->attributes, asl_property(s->program, property));
}

double confidence_probability(const struct search *s, uint32_t property,
	const struct subject *subject, bool holds)
{
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
	struct asl_verdict v;
	int n = 0, held = 0;

	if (!is_sampled(s, property, subject))
		return holds;
	while (n < DRAWS && (n < (holds ? HELD : REFUTED) || (held && held < n))) {
		double by[MON_ERRORS];

		draw(&state, s->measured->sample.groups, by);
		for (int side = 0; side < 2; side++, n++) {
			held += holds_for(s, property, subject, by, &v) == ASL_TRUE;
			for (int i = 0; i < MON_ERRORS; i++)
				by[i] = -by[i];
		}
	}
	return (double)held / n;
}

/* The severity is defined only where the property holds.  Where it does not for counts shifted by
 * +1 part of error, the shift by -1 is taken: the property holds for one of them at least. */
void confidence_errors(const struct search *s, uint32_t property, const struct subject *subject,
	struct confidence_errors *out)
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
		measure += sampling_error_square(v.measure, here.measure);
		if (isnan(v.severity)) {
			by[i] = -1;
			holds_for(s, property, subject, by, &v);
		}
		severity += sampling_error_square(v.severity, here.severity);
	}
	out->measure = sampling_error_interval(&s->measured->sample, measure);
	out->severity = sampling_error_interval(&s->measured->sample, severity);
}
