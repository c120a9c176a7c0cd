/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the raw counts of one process as CSV. */
#include "analysis/measure/counts_csv.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/measure/sharing.h"
#include "base/csv_text.h"
#include "base/user_file.h"

#include <stdio.h>
#include <stdlib.h>

/* Conditions of base/counters.def: has the machine this counter at the level? */
#define ALL(m, l) true
#define WRITES(m, l) ((m)->write)
#define PREFETCHES(m, l) ((m)->level[l].prefetch)

static const char *object_name(const struct measurements *p, uint32_t object)
{
	static const char *const causes[] = { "(stack)", "(heap)", "(image)", "(other)", "(small)",
		"(work)" };

	if (object == MON_ANY)
		return "*";
	if (object < MON_OBJ_FIRST)
		return object <= MON_OBJ_WORK ? causes[object] : "(other)";
	return p->objects[object].name;
}

static void row(struct buf *out, const struct measurements *p, const struct machine *m,
	uint32_t context, uint32_t object)
{
	const struct measured_context *c = &p->contexts[context];
	const struct sir_region *r = c->region == SIR_NONE ? NULL : &p->sir->regions[c->region];
	struct tally t;

	if (!measured_tally(p, context, object, &t))
		return;
	buf_printf(out, "%d,%u,%d", p->rank < 0 ? 0 : p->rank, context, c->parent == NO_CONTEXT ?
		-1 : (int)c->parent);
	csv_next_text(out, r ? region_type_name(r->type) : "UNKNOWN_REGION");
	csv_next_text(out, r ? r->name : "");
	csv_next_text(out, r ? r->file : "");
	buf_printf(out, ",%d", r ? r->line : 0);
	csv_next_text(out, object_name(p, object));
	csv_next_real(out, measured_exec(p, context));
#define COUNTER_ONE(name, cell, sample, column, ...) \
	if (*column) \
		csv_next_real(out, t.name);
#define COUNTER_PAIR(name, ...) csv_next_real(out, tally_coherence(p, t.name));
#include "base/counters.def"
	for (uint32_t l = 0; l < m->flat.nlevels; l++) {
#define COUNTER_LEVEL(name, cell, column, machines) \
		if (machines(&m->flat, l)) \
			csv_next_real(out, t.name[l]);
#include "base/counters.def"
	}
	for (uint32_t l = 0; l < m->flat.ntlbs; l++) {
#define COUNTER_TLB(name, ...) \
		csv_next_real(out, t.name##_load_miss[l]); \
		csv_next_real(out, t.name##_store_miss[l]);
#include "base/counters.def"
	}
#define COUNTER_REUSE(name, ...) csv_next_real(out, tally_reuse_distance(t.name));
#include "base/counters.def"
	csv_next_real(out, tally_local(p, &t));
	csv_next_real(out, tally_remote(p, &t));
	csv_next_real(out, t.estimate.stall);
	csv_next_real(out, t.estimate.low);
	csv_next_real(out, t.estimate.high);
	for (uint32_t l = 0; p->sample.classes && l < m->flat.nlevels; l++) {
		csv_next_real(out, sampling_error_loads(p, &t, l));
		csv_next_real(out, sampling_error_stores(p, &t, l));
	}
	csv_end(out);
}

static void heading(struct buf *out, const struct measurements *p, const struct machine *m)
{
	buf_puts(out, "rank,context,parent,type,name,file,line,object,exec_time");
#define COUNTER_ONE(name, cell, sample, column, ...) \
	if (*column) \
		buf_puts(out, "," column);
#define COUNTER_PAIR(name, cell, column) buf_puts(out, "," column);
#include "base/counters.def"
	for (uint32_t l = 0; l < m->flat.nlevels; l++) {
#define COUNTER_LEVEL(name, cell, column, machines) \
		if (machines(&m->flat, l)) \
			buf_printf(out, ",l%u_" column, m->flat.level[l].level);
#include "base/counters.def"
	}
	for (uint32_t l = 1; l <= m->flat.ntlbs; l++) {
#define COUNTER_TLB(name, cell, column) buf_printf(out, "," column "%u_load_miss," column "%u_store_miss", l, l);
#include "base/counters.def"
	}
#define COUNTER_REUSE(name, cell, column, attribute) buf_puts(out, "," column);
#include "base/counters.def"
	buf_puts(out, ",local,remote,est_stall,est_stall_low,est_stall_high");
	for (uint32_t l = 0; p->sample.classes && l < m->flat.nlevels; l++)
		buf_printf(out, ",l%u_load_miss_error,l%u_store_miss_error", m->flat.level[l].level,
			m->flat.level[l].level);
	csv_end(out);
}

/* All of the context, then what it did to unnamed memory by cause, then to each named structure. */
static void rows(struct buf *out, const struct measurements *p, const struct machine *m,
	uint32_t context)
{
	uint32_t *objects, n = measured_objects_of(p, context, &objects);

	row(out, p, m, context, MON_ANY);
	for (uint32_t cause = 0; cause < MON_OBJ_FIRST; cause++) {
		struct tally t;

		if (measured_tally(p, context, cause, &t) &&
		    (tally_refs(&t) > 0 || cause == MON_OBJ_WORK))
			row(out, p, m, context, cause);
	}
	for (uint32_t i = 0; i < n; i++)
		row(out, p, m, context, objects[i]);
	free(objects);
}

int export_counts(const struct measurements *p, const struct machine *m, const char *path,
	struct err *err)
{
	struct buf out = BUF_INIT;
	char name[1200];
	int rc;

	if (p->rank > 0)
		snprintf(name, sizeof name, "%s.%d", path, p->rank);
	else
		snprintf(name, sizeof name, "%s", path);
	heading(&out, p, m);
	for (uint32_t c = 0; c < p->ncontexts; c++)
		rows(&out, p, m, c);
	rc = output_write(name, &out, err);
	buf_free(&out);
	return rc;
}
