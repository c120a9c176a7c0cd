/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the fields of the model and its types of rows, and accesses them by kind. */
#include "report/model/fields.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define F(type, kind, name) { #name, FIELD_##kind, offsetof(struct type, name) }
#define END { NULL, FIELD_TEXT, 0 }

const struct field report_fields[] = {
	F(report, OPTIONAL, version),
	F(report, OPTIONAL, command),
	F(report, OPTIONAL, directory),
	F(report, OPTIONAL, executable),
	F(report, INT64, when),
	F(report, REAL, elapsed),
	F(report, INT, nprocs),
	F(report, INT, nthreads),
	F(report, INT, hosts),
	F(report, REAL, cpus),
	F(report, REAL, cpus_others),
	F(report, REAL, cpus_idle),
	F(report, OPTIONAL, phase_choice),
	F(report, REAL, phase_time),
	F(report, INT64, phase_executions),
	F(report, INT64, executions_used),
	F(report, INT, experiments),
	F(report, INT, runs),
	F(report, OPTIONAL, strategy),
	F(report, OPTIONAL, properties),
	F(report, OPTIONAL, machine),
	F(report, OPTIONAL, machine_source),
	F(report, OPTIONAL, counts_source),
	F(report, OPTIONAL, sampled),
	F(report, REAL, sample_share),
	F(report, REAL, unseen_share),
	F(report, OPTIONAL, times_source),
	F(report, OPTIONAL, costs_source),
	F(report, REAL, stall_cycles),
	F(report, BOOL, rank_by_stall),
	F(report, INT, thread_rows_left_out),
	F(report, OPTIONAL, partial),
	END
};

const struct field phase_fields[] = {
	F(report, REAL, cpu_time),
	F(report, REAL, modelled_time),
	F(report, REAL, wall_time),
	F(report, REAL, barrier_wait),
	F(report, REAL, mpi_wait),
	F(report, REAL, other_wait),
	F(report, REAL, away_time),
	F(report, REAL, time_spread),
	F(report, REAL, time_least),
	F(report, REAL, time_most),
	F(report, OPTIONAL, unlike),
	F(report, REAL, others_share),
	F(report, REAL, est_stall),
	F(report, REAL, est_stall_low),
	F(report, REAL, est_stall_high),
	F(report, REAL, memory_time),
	F(report, REAL, core_time),
	F(report, REAL, branch_time),
	F(report, REAL, computing_time),
	F(report, REAL, computing_low),
	F(report, REAL, computing_high),
	F(report, REAL, kernel_time),
	F(report, REAL, fault_time),
	F(report, REAL, library_time),
	F(report, REAL, unexplained_time),
	F(report, REAL, faults),
	F(report, REAL, major_faults),
	F(report, OPTIONAL, library_calls),
	F(report, OPTIONAL, fault_blocks),
	F(report, OPTIONAL, fault_place),
	F(report, REAL, run_share),
	F(report, REAL, run_seen),
	F(report, OPTIONAL, phase_warning),
	END
};

const struct field node_fields[] = {
	F(report_node, REGION, type),
	F(report_node, TEXT, name),
	F(report_node, OPTIONAL, alias_of),
	F(report_node, OPTIONAL, scope),
	F(report_node, TEXT, file),
	F(report_node, INT, line),
	F(report_node, OPTIONAL, name_path),
	F(report_node, BOOL, phase),
	F(report_node, BOOL, holds),
	F(report_node, REAL, measure),
	F(report_node, REAL, measure_error),
	F(report_node, REAL, time),
	END
};

const struct field finding_fields[] = {
	F(report_finding, TEXT, property),
	F(report_finding, OPTIONAL, refines),
	F(report_finding, TEXT, file),
	F(report_finding, INT, line),
	F(report_finding, INT, number),
	F(report_finding, REAL, severity),
	F(report_finding, BOOL, severity_is_time),
	F(report_finding, BOOL, severity_is_index),
	F(report_finding, REAL, severity_share),
	F(report_finding, REAL, severity_max_share),
	F(report_finding, REAL, measure),
	F(report_finding, REAL, confidence),
	F(report_finding, REAL, time_share),
	F(report_finding, REAL, est_stall_share),
	F(report_finding, REAL, est_stall_low_share),
	F(report_finding, REAL, est_stall_high_share),
	F(report_finding, REAL, own_stall_share),
	F(report_finding, REAL, own_stall_low_share),
	F(report_finding, REAL, own_stall_high_share),
	F(report_finding, OPTIONAL, kind),
	F(report_finding, REAL, severity_error),
	F(report_finding, REAL, measure_error),
	F(report_finding, REAL, est_stall_error),
	F(report_finding, REAL, coverage),
	F(report_finding, BOOL, unwarmed),
	F(report_finding, BOOL, all_callers),
	F(report_finding, BOOL, over_processes),
	F(report_finding, OPTIONAL, why),
	F(report_finding, OPTIONAL, advice),
	F(report_finding, BOOL, rank_figures),
	F(report_finding, INT, figures_rank),
	F(report_finding, OPTIONAL, info),
	F(report_finding, OPTIONAL, declared),
	F(report_finding, OPTIONAL, about),
	F(report_finding, OPTIONAL, source),
	F(report_finding, INT, first_line),
	F(report_finding, INT, last_line),
	F(report_finding, INT, place_line),
	F(report_finding, OPTIONAL, place_routine),
	F(report_finding, INT, problem),
	END
};

const struct field problem_fields[] = {
	F(report_problem, INT, number),
	F(report_problem, TEXT, key),
	{ "kind", FIELD_TEXT, offsetof(struct report_problem, cause) },
	F(report_problem, BOOL, memory),
	F(report_problem, TEXT, file),
	F(report_problem, INT, line),
	F(report_problem, REAL, share),
	F(report_problem, REAL, low),
	F(report_problem, REAL, high),
	{ "paths", FIELD_INT, offsetof(struct report_problem, npaths) },
	F(report_problem, REAL, saves),
	F(report_problem, REAL, saves_low),
	F(report_problem, REAL, saves_high),
	F(report_problem, INT, gain),
	F(report_problem, BOOL, tried),
	F(report_problem, INT, finding),
	F(report_problem, INT, place_line),
	END
};

const struct field problem_structure_fields[] = {
	F(report_problem_structure, INT, finding),
	F(report_problem_structure, REAL, share),
	END
};

const struct field site_fields[] = {
	F(report_site, INT, line),
	F(report_site, REAL, first_misses),
	F(report_site, REAL, last_misses),
	END
};

const struct field use_fields[] = {
	F(report_line_use, INT, line),
	F(report_line_use, INT, threads),
	F(report_line_use, INT, thread),
	F(report_line_use, BOOL, writes),
	F(report_line_use, INT64, first),
	F(report_line_use, INT64, last),
	F(report_line_use, BOOL, of_line),
	F(report_line_use, BOOL, other_block),
	F(report_line_use, OPTIONAL, members),
	END
};

const struct field gain_fields[] = {
	F(report_gain, TEXT, structure),
	F(report_gain, OPTIONAL, scope),
	F(report_gain, OPTIONAL, declared),
	F(report_gain, TEXT, fix),
	F(report_gain, TEXT, change),
	F(report_gain, OPTIONAL, reason),
	F(report_gain, REAL, least),
	F(report_gain, REAL, most),
	F(report_gain, REAL, time_share),
	END
};

const struct field verified_fields[] = {
	F(report_verified, TEXT, structure),
	F(report_verified, OPTIONAL, scope),
	F(report_verified, OPTIONAL, declared),
	F(report_verified, OPTIONAL, reason),
	F(report_verified, BOOL, cold),
	F(report_verified, BOOL, one_cpu),
	F(report_verified, REAL, time),
	F(report_verified, REAL, time_with),
	F(report_verified, REAL, program_time),
	F(report_verified, REAL, measured),
	F(report_verified, REAL, measured_low),
	F(report_verified, REAL, measured_high),
	F(report_verified, REAL, estimated),
	F(report_verified, REAL, estimated_low),
	F(report_verified, REAL, estimated_high),
	F(report_verified, BOOL, unknown),
	END
};

const struct field ledger_fields[] = {
	F(report_ledger, TEXT, cause),
	F(report_ledger, REAL, accesses),
	F(report_ledger, REAL, misses),
	F(report_ledger, REAL, misses_error),
	END
};

#define LEVEL(name, array, i) { name, FIELD_REAL, offsetof(struct report_cost, array[i]) }
const struct field cost_fields[] = {
	F(report_cost, TEXT, region),
	F(report_cost, OPTIONAL, structure),
	F(report_cost, OPTIONAL, scope),
	F(report_cost, OPTIONAL, declared),
	F(report_cost, TEXT, file),
	F(report_cost, INT, line),
	F(report_cost, REGION, type),
	F(report_cost, REAL, time),
	F(report_cost, REAL, accesses),
	LEVEL("l1_misses", misses, 0),
	LEVEL("l2_misses", misses, 1),
	LEVEL("l3_misses", misses, 2),
	LEVEL("l4_misses", misses, 3),
	LEVEL("l1_misses_error", errors, 0),
	LEVEL("l2_misses_error", errors, 1),
	LEVEL("l3_misses_error", errors, 2),
	LEVEL("l4_misses_error", errors, 3),
	F(report_cost, REAL, coherence),
	F(report_cost, REAL, est_stall),
	F(report_cost, REAL, est_stall_low),
	F(report_cost, REAL, est_stall_high),
	END
};
#undef LEVEL

const struct field thread_fields[] = {
	F(report_thread, TEXT, region),
	F(report_thread, TEXT, file),
	F(report_thread, INT, line),
	F(report_thread, REGION, type),
	F(report_thread, INT, order),
	F(report_thread, INT, process),
	F(report_thread, INT, thread),
	F(report_thread, REAL, time),
	F(report_thread, REAL, modelled_time),
	F(report_thread, REAL, barrier_wait),
	F(report_thread, REAL, mpi_wait),
	F(report_thread, REAL, other_wait),
	F(report_thread, REAL, est_stall),
	F(report_thread, REAL, est_stall_low),
	F(report_thread, REAL, est_stall_high),
	F(report_thread, REAL, accesses),
	F(report_thread, REAL, first_misses),
	F(report_thread, REAL, last_misses),
	END
};

const struct field tested_fields[] = {
	F(report_tested, TEXT, property),
	F(report_tested, OPTIONAL, below),
	F(report_tested, INT, process),
	F(report_tested, OUTCOME, outcome),
	F(report_tested, TEXT, reason),
	END
};

/* --- types of rows ---------------------------------------------------------------------------- */

#define LIST(type, rows, array, n) { #array, &rows, offsetof(struct type, array), offsetof(struct type, n) }
#define NAMED(name, type, rows, array, n) { name, &rows, offsetof(struct type, array), offsetof(struct type, n) }
#define ONE(type, rows, pointer) { #pointer, &rows, offsetof(struct type, pointer), LIST_ONE }
#define NO_LIST { NULL, NULL, 0, 0 }

static const struct list none[] = { NO_LIST };

static const char *wrong_site(const void *row)
{
	const struct report_site *s = row;

	return s->line < 0 || !(s->first_misses >= 0) || !(s->last_misses >= 0) ? "a figure is missing or negative" : NULL;
}

const struct row_type node_rows = { "node", sizeof(struct report_node), node_fields, none, NULL, false, false };
const struct row_type site_rows = { "line", sizeof(struct report_site), site_fields, none, wrong_site, true, false };
static const char *wrong_use(const void *row)
{
	const struct report_line_use *u = row;

	return u->last < u->first ? "its last byte is before the first" : NULL;
}

const struct row_type use_rows = { "use", sizeof(struct report_line_use), use_fields, none, wrong_use, true, false };
const struct row_type problem_structure_rows = { "structure", sizeof(struct report_problem_structure),
	problem_structure_fields, none, NULL, true, false };
const struct row_type gain_rows = { "gain", sizeof(struct report_gain), gain_fields, none, NULL, false, false };
const struct row_type verified_rows = { "verified", sizeof(struct report_verified), verified_fields, none, NULL, false, false };
const struct row_type ledger_rows = { "ledger", sizeof(struct report_ledger), ledger_fields, none, NULL, false, false };
const struct row_type thread_rows = { "thread", sizeof(struct report_thread), thread_fields, none, NULL, false, false };

static const struct list finding_lists[] = {
	LIST(report_finding, node_rows, path, npath),
	NAMED("lines", report_finding, site_rows, sites, nsites),
	NAMED("shared_lines", report_finding, use_rows, uses, nuses),
	NO_LIST
};
const struct row_type finding_rows = { NULL, sizeof(struct report_finding), finding_fields, finding_lists, NULL, false, true };

static const struct list problem_lists[] = {
	NAMED("structures", report_problem, problem_structure_rows, structure, nstructures),
	NAMED("lines", report_problem, site_rows, sites, nsites),
	NO_LIST
};
const struct row_type problem_rows = { "problem", sizeof(struct report_problem), problem_fields, problem_lists, NULL, false,
	true };

static const struct list cost_lists[] = { NAMED("lines", report_cost, site_rows, sites, nsites), NO_LIST };
const struct row_type cost_rows = { "cost", sizeof(struct report_cost), cost_fields, cost_lists, NULL, false, false };

static const struct list tested_lists[] = { ONE(report_tested, node_rows, place), NO_LIST };
const struct row_type tested_rows = { "tested", sizeof(struct report_tested), tested_fields, tested_lists, NULL, false, false };

const struct list report_lists[] = {
	NAMED("problems", report, problem_rows, problems.problem, problems.n),
	LIST(report, finding_rows, findings, nfindings),
	LIST(report, gain_rows, gains, ngains),
	LIST(report, verified_rows, verified, nverified),
	LIST(report, ledger_rows, ledger, nledger),
	LIST(report, cost_rows, costs, ncosts),
	NAMED("threads", report, thread_rows, thread_rows, nthread_rows),
	LIST(report, tested_rows, tested, ntested),
	NO_LIST
};

const void *list_rows(const struct list *l, const void *obj)
{
	return *(const void *const *)(const void *)((const char *)obj + l->offset);
}

int list_number(const struct list *l, const void *obj)
{
	return l->number == LIST_ONE ? list_rows(l, obj) != NULL : *(const int *)(const void *)((const char *)obj + l->number);
}

const void *list_row(const struct list *l, const void *obj, int i)
{
	return (const char *)list_rows(l, obj) + (size_t)i * l->type->size;
}

void list_set(const struct list *l, void *obj, void *rows, int n)
{
	*(void **)(void *)((char *)obj + l->offset) = l->number == LIST_ONE && !n ? NULL : rows;
	if (l->number != LIST_ONE)
		*(int *)(void *)((char *)obj + l->number) = n;
}

/* --- fields ----------------------------------------------------------------------------------- */

static const char *const outcomes[] = {
	[REPORT_HELD] = "held",
	[REPORT_FALSE] = "false",
	[REPORT_UNDECIDED] = "undecided",
	[REPORT_PRUNED] = "pruned",
	[REPORT_NOT_TESTED] = "not tested",
};
#define NOUTCOMES ((int)(sizeof outcomes / sizeof outcomes[0]))

static const void *at(const struct field *f, const void *obj)
{
	return (const char *)obj + f->offset;
}

static void *slot(const struct field *f, void *obj)
{
	return (char *)obj + f->offset;
}

void fields_clear(const struct field *table, void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		if (f->kind == FIELD_TEXT)
			field_set_text(f, obj, "");
		else if (f->kind == FIELD_OPTIONAL)
			field_set_text(f, obj, NULL);
		else if (f->kind == FIELD_REAL)
			field_set_real(f, obj, NAN);
		else
			field_set_int(f, obj, 0);
	}
}

const char *field_text(const struct field *f, const void *obj)
{
	const char *s = *(const char *const *)at(f, obj);

	return s ? s : "";
}

double field_real(const struct field *f, const void *obj)
{
	return *(const double *)at(f, obj);
}

int64_t field_int(const struct field *f, const void *obj)
{
	switch (f->kind) {
	case FIELD_INT64:
		return *(const int64_t *)at(f, obj);
	case FIELD_BOOL:
		return *(const bool *)at(f, obj);
	case FIELD_REGION:
		return *(const enum region_type *)at(f, obj);
	case FIELD_OUTCOME:
		return *(const enum report_outcome *)at(f, obj);
	default:
		return *(const int *)at(f, obj);
	}
}

bool field_missing(const struct field *f, const void *obj)
{
	if (f->kind == FIELD_OPTIONAL)
		return !*(const char *const *)at(f, obj);
	return f->kind == FIELD_REAL && isnan(field_real(f, obj));
}

void field_set_text(const struct field *f, void *obj, const char *s)
{
	*(const char **)slot(f, obj) = s || f->kind == FIELD_OPTIONAL ? s : "";
}

void field_set_real(const struct field *f, void *obj, double v)
{
	*(double *)slot(f, obj) = v;
}

int field_set_int(const struct field *f, void *obj, int64_t v)
{
	switch (f->kind) {
	case FIELD_INT64:
		*(int64_t *)slot(f, obj) = v;
		return 0;
	case FIELD_BOOL:
		*(bool *)slot(f, obj) = v != 0;
		return v == 0 || v == 1 ? 0 : -1;
	case FIELD_REGION:
		if (v < REGION_UNKNOWN || v > REGION_DATA_STRUCTURE)
			return -1;
		*(enum region_type *)slot(f, obj) = (enum region_type)v;
		return 0;
	case FIELD_OUTCOME:
		if (v < 0 || v >= NOUTCOMES)
			return -1;
		*(enum report_outcome *)slot(f, obj) = (enum report_outcome)v;
		return 0;
	default:
		if (v < INT_MIN || v > INT_MAX)
			return -1;
		*(int *)slot(f, obj) = (int)v;
		return 0;
	}
}

const char *report_outcome_name(enum report_outcome o)
{
	return (int)o >= 0 && (int)o < NOUTCOMES ? outcomes[o] : "?";
}

int report_outcome_from_name(const char *name)
{
	for (int i = 0; i < NOUTCOMES; i++)
		if (strcmp(outcomes[i], name) == 0)
			return i;
	return -1;
}
