/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the raw counts of one process as CSV. */
#include "analysis/measure/counts_csv.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/measure/sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void field(FILE *f, const char *text)
{
	fputc('"', f);
	for (; text && *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc(*text, f);
	}
	fputs("\",", f);
}

static void number(FILE *f, double v, const char *end)
{
	if (!isnan(v))
		fprintf(f, "%.17g", v);
	fputs(end, f);
}

/* Conditions of base/counters.def: has the machine this counter at the level? */
#define ALL(m, l) true
#define WRITES(m, l) ((m)->write)
#define PREFETCHES(m, l) ((m)->level[l].prefetch)

static void row(FILE *f, const struct measurements *p, const struct machine *m, uint32_t context,
	uint32_t object)
{
	static const char *const causes[] = { "(stack)", "(heap)", "(image)", "(other)", "(small)" };
	const struct measured_context *c = &p->contexts[context];
	const struct sir_region *r = c->region == SIR_NONE ? NULL : &p->sir->regions[c->region];
	struct tally t;

	if (!measured_tally(p, context, object, &t))
		return;
	fprintf(f, "%d,%u,%d,", p->rank < 0 ? 0 : p->rank, context, c->parent == NO_CONTEXT ? -1 : (int)c->parent);
	field(f, r ? region_type_name(r->type) : "UNKNOWN_REGION");
	field(f, r ? r->name : "");
	field(f, r ? r->file : "");
	fprintf(f, "%d,", r ? r->line : 0);
	if (object == MON_ANY)
		field(f, "*");
	else if (object < MON_OBJ_FIRST)
		field(f, object <= MON_OBJ_SMALL ? causes[object] : "(other)");
	else
		field(f, p->objects[object].name);
	number(f, measured_wall(p, context), ",");
#define COUNTER_ONE(name, cell, sample, column, ...) \
	if (*column) \
		number(f, t.name, ",");
#define COUNTER_PAIR(name, ...) number(f, tally_coherence(p, t.name), ",");
#include "base/counters.def"
	for (uint32_t l = 0; l < m->flat.nlevels; l++) {
#define COUNTER_LEVEL(name, cell, column, machines) \
		if (machines(&m->flat, l)) \
			number(f, t.name[l], ",");
#include "base/counters.def"
	}
	for (uint32_t l = 0; l < m->flat.ntlbs; l++) {
#define COUNTER_TLB(name, ...) \
		number(f, t.name##_load_miss[l], ","); \
		number(f, t.name##_store_miss[l], ",");
#include "base/counters.def"
	}
	number(f, tally_local(p, &t), ",");
	number(f, tally_remote(p, &t), "");
	for (uint32_t l = 0; p->sample.classes && l < m->flat.nlevels; l++)
		for (int store = 0; store < 2; store++) {
			fputc(',', f);
			number(f, sampling_error_count(p, t.group[l][store]), "");
		}
	fputc('\n', f);
}

int export_counts(const struct measurements *p, const struct machine *m, const char *path,
	struct err *err)
{
	char name[1200];
	FILE *f;

	if (p->rank > 0)
		snprintf(name, sizeof name, "%s.%d", path, p->rank);
	else
		snprintf(name, sizeof name, "%s", path);
	f = fopen(name, "we");
	if (!f)
		return err_sys(err, "%s", name);
	fputs("rank,context,parent,type,name,file,line,object,exec_time,", f);
#define COUNTER_ONE(name, cell, sample, column, ...) \
	if (*column) \
		fputs(column ",", f);
#define COUNTER_PAIR(name, cell, column) fputs(column ",", f);
#include "base/counters.def"
	for (uint32_t l = 0; l < m->flat.nlevels; l++) {
#define COUNTER_LEVEL(name, cell, column, machines) \
		if (machines(&m->flat, l)) \
			fprintf(f, "l%u_" column ",", m->flat.level[l].level);
#include "base/counters.def"
	}
	for (uint32_t l = 1; l <= m->flat.ntlbs; l++) {
#define COUNTER_TLB(name, cell, column) fprintf(f, column "%u_load_miss," column "%u_store_miss,", l, l);
#include "base/counters.def"
	}
	fputs("local,remote", f);
	for (uint32_t l = 0; p->sample.classes && l < m->flat.nlevels; l++)
		fprintf(f, ",l%u_load_miss_error,l%u_store_miss_error", m->flat.level[l].level,
			m->flat.level[l].level);
	fputc('\n', f);
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		uint32_t *objects, n = measured_objects_of(p, c, &objects);

		row(f, p, m, c, MON_ANY);
		for (uint32_t cause = 0; cause < MON_OBJ_FIRST; cause++) {
			struct tally t;

			if (measured_tally(p, c, cause, &t) && tally_refs(&t) > 0)
				row(f, p, m, c, cause);
		}
		for (uint32_t i = 0; i < n; i++)
			row(f, p, m, c, objects[i]);
		free(objects);
	}
	if (fclose(f))
		return err_sys(err, "%s", name);
	return 0;
}
