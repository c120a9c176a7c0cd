/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates a property on many subjects at once. */
#include "analysis/search/sweep.h"

#include <math.h>
#include <stdlib.h>

int subjects_new(struct subjects *s, size_t n)
{
	s->at = calloc(n + 1, sizeof *s->at);
	s->p = calloc(n + 1, sizeof *s->p);
	s->n = n;
	if (!s->at || !s->p) {
		subjects_free(s);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		s->p[i] = &s->at[i];
	return 0;
}

void subjects_free(struct subjects *s)
{
	free(s->at);
	free(s->p);
	*s = (struct subjects){ 0 };
}

int sweep_run(struct sweep *w, const struct asl_program *program, const struct binding *binding,
	uint32_t property, const struct subjects *subjects)
{
	const struct asl_property *p = asl_property(program, property);
	struct asl_env env = binding_env(binding);
	struct asl_columns columns = { 0 };
	struct subject phase;
	void *others[] = { &phase };

	*w = (struct sweep){ 0 };
	if (!subjects->n || p->nparams > 2 || (p->nparams == 2 && p->basis != 1))
		return 0;
	columns.holds = w->holds = malloc(subjects->n * sizeof *w->holds);
	columns.measure = w->measure = malloc(subjects->n * sizeof *w->measure);
	if (!w->holds || !w->measure) {
		sweep_free(w);
		return -1;
	}
	phase = subjects->at[0];
	phase.context = 0;
	phase.object = MON_ANY;
	asl_evaluate_all(program, property, &env, subjects->p, subjects->n, others, &columns);
	return 0;
}

bool sweep_fails(const struct sweep *w, size_t at, struct asl_verdict *out)
{
	if (!w->holds || w->holds[at] != ASL_FALSE)
		return false;
	*out = (struct asl_verdict){ .holds = ASL_FALSE, .confidence = NAN, .severity = NAN,
		.measure = w->measure[at] };
	return true;
}

void sweep_free(struct sweep *w)
{
	free(w->holds);
	free(w->measure);
	*w = (struct sweep){ 0 };
}
