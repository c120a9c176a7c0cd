/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the model: fields, and types of rows. */
#include "report/model/field_tables.h"

static const char *const costs_names[COSTS_SOURCES + 1] = {
	[COSTS_UNKNOWN] = "",
	[COSTS_ASSUMED] = "assumed",
	[COSTS_MODEL] = "model",
	[COSTS_MEASURED] = "measured",
};

const char *const strategy_names[BY_STRATEGIES + 1] = {
	[BY_UNKNOWN] = "",
	[BY_SHARE] = "share",
	[BY_PAPER] = "paper",
};

static const char *const about_names[ABOUTS + 1] = {
	[ABOUT_UNKNOWN] = "",
	[ABOUT_MEMORY] = "memory",
	[ABOUT_THREADS] = "threads",
	[ABOUT_OWN] = "own",
	[ABOUT_FAULTS] = "faults",
	[ABOUT_NODES] = "nodes",
};

const struct field report_fields[] = {
	F(report, OPTIONAL, version),
	F(report, OPTIONAL, command),
	F(report, OPTIONAL, directory),
	F(report, OPTIONAL, executable),
	F(report, INT64, when),
	M(report, REAL, elapsed, MAX),
	M(report, INT, nprocs, ADD),
	M(report, INT, nthreads, MAX),
	M(report, INT, hosts, ANEW),
	M(report, REAL, cpus, ANEW),
	M(report, REAL, cpus_others, ANEW),
	M(report, REAL, cpus_idle, ANEW),
	F(report, OPTIONAL, phase_choice),
	M(report, REAL, phase_time, MEAN),
	M(report, INT64, phase_executions, MAX),
	M(report, INT64, executions_used, MAX),
	M(report, INT, experiments, MAX),
	M(report, INT, runs, MAX),
	N(report, strategy, strategy_names),
	F(report, OPTIONAL, machine),
	F(report, OPTIONAL, machine_source),
	F(report, OPTIONAL, counts_source),
	F(report, OPTIONAL, collector),
	F(report, OPTIONAL, other_collector),
	F(report, OPTIONAL, other_source),
	M(report, OPTIONAL, sampled, LEAST),
	M(report, REAL, sample_share, WITH),
	M(report, REAL, unseen_share, MAX),
	M(report, BOOL, slowdown_limited, ANY),
	M(report, BOOL, bursts, ANY),
	F(report, OPTIONAL, times_source),
	N(report, costs_source, costs_names),
	F(report, OPTIONAL, costs_host),
	F(report, INT64, costs_when),
	F(report, BOOL, costs_loaded),
	F(report, BOOL, costs_varied),
	M(report, REAL, stall_cycles, SUM),
	F(report, BOOL, rank_by_stall),
	M(report, INT, thread_rows_left_out, ADD),
	M(report, INT, timelines_left_out, ADD),
	M(report, OPTIONAL, partial, LEAST),
	END
};

const struct field phase_fields[] = {
	M(report, REAL, cpu_time, MEAN_KNOWN),
	M(report, REAL, modelled_time, MEAN_KNOWN),
	M(report, REAL, wall_time, MEAN_KNOWN),
	M(report, REAL, barrier_wait, MEAN_KNOWN),
	M(report, REAL, mpi_wait, MEAN_KNOWN),
	M(report, REAL, other_wait, MEAN_KNOWN),
	M(report, REAL, away_time, MEAN_KNOWN),
	M(report, REAL, children_time, SUM),
	M(report, REAL, time_spread, MAX),
	M(report, REAL, time_least, MIN),
	M(report, REAL, time_most, MAX),
	M(report, OPTIONAL, unlike, LEAST),
	M(report, REAL, others_share, MAX),
	M(report, REAL, est_stall, MEAN_KNOWN),
	M(report, REAL, est_stall_low, MEAN_KNOWN),
	M(report, REAL, est_stall_high, MEAN_KNOWN),
	M(report, REAL, memory_time, MEAN_KNOWN),
	M(report, REAL, core_time, MEAN_KNOWN),
	M(report, REAL, branch_time, MEAN_KNOWN),
	M(report, REAL, computing_time, MEAN_KNOWN),
	M(report, REAL, computing_low, MEAN_KNOWN),
	M(report, REAL, computing_high, MEAN_KNOWN),
	M(report, REAL, kernel_time, MEAN_KNOWN),
	M(report, REAL, fault_time, MEAN_KNOWN),
	M(report, REAL, library_time, MEAN_KNOWN),
	M(report, REAL, unexplained_time, MEAN_KNOWN),
	M(report, REAL, faults, MEAN_KNOWN),
	M(report, REAL, major_faults, MEAN_KNOWN),
	OF_MOST(report, library_calls, library_time),
	OF_MOST(report, math_calls, computing_time),
	OF_MOST(report, fault_blocks, fault_time),
	OF_MOST(report, fault_place, fault_time),
	M(report, REAL, run_share, MEAN_KNOWN),
	M(report, REAL, run_seen, MAX),
	M(report, OPTIONAL, phase_warning, LEAST),
	M(report, OPTIONAL, unoptimised, LEAST),
	M(report, BOOL, locks, ANY),
	END
};

const struct field node_fields[] = {
	M(report_node, REGION, type, KEY),
	M(report_node, TEXT, name, KEY),
	M(report_node, OPTIONAL, alias_of, KEY),
	F(report_node, OPTIONAL, scope),
	M(report_node, TEXT, file, KEY),
	M(report_node, INT, line, KEY),
	F(report_node, OPTIONAL, name_path),
	F(report_node, BOOL, argument),
	F(report_node, BOOL, phase),
	M(report_node, BOOL, holds, ANY),
	M(report_node, REAL, measure, MEAN_ROW),
	M(report_node, REAL, measure_error, MEAN_ROW),
	M(report_node, REAL, time, MEAN_ROW),
	END
};

const struct field finding_fields[] = {
	M(report_finding, TEXT, property, KEY),
	F(report_finding, OPTIONAL, refines),
	F(report_finding, TEXT, file),
	F(report_finding, INT, line),
	F(report_finding, INT, number),
	M(report_finding, REAL, severity, MEAN),
	F(report_finding, BOOL, severity_is_time),
	F(report_finding, BOOL, severity_is_index),
	M(report_finding, REAL, severity_share, SEVERITY),
	F(report_finding, REAL, severity_max_share),
	M(report_finding, REAL, measure, MEAN_ROW),
	M(report_finding, REAL, confidence, MIN),
	M(report_finding, REAL, time_share, MEAN_ROW),
	M(report_finding, REAL, est_stall_share, SHARE),
	M(report_finding, REAL, est_stall_low_share, SHARE),
	M(report_finding, REAL, est_stall_high_share, SHARE),
	M(report_finding, REAL, own_stall_share, SHARE),
	M(report_finding, REAL, own_stall_low_share, SHARE),
	M(report_finding, REAL, own_stall_high_share, SHARE),
	N(report_finding, kind, miss_kind_names),
	M(report_finding, REAL, page_faults, MEAN),
	M(report_finding, REAL, fault_share, SHARE),
	M(report_finding, REAL, fault_low_share, SHARE),
	M(report_finding, REAL, fault_high_share, SHARE),
	N(report_finding, fault_cause, fault_cause_names),
	F(report_finding, REAL, fault_left),
	M(report_finding, REAL, severity_error, SEVERITY),
	M(report_finding, REAL, measure_error, MEAN_ROW),
	M(report_finding, REAL, est_stall_error, SHARE),
	M(report_finding, REAL, coverage, MIN),
	M(report_finding, BOOL, unwarmed, ANY),
	M(report_finding, BOOL, scalar, ANY),
	M(report_finding, BOOL, all_callers, ANY),
	M(report_finding, BOOL, over_processes, KEY),
	F(report_finding, OPTIONAL, why),
	F(report_finding, OPTIONAL, advice),
	F(report_finding, OPTIONAL, fixes),
	F(report_finding, BOOL, rank_figures),
	F(report_finding, INT, figures_rank),
	F(report_finding, OPTIONAL, info),
	F(report_finding, OPTIONAL, declared),
	N(report_finding, about, about_names),
	F(report_finding, OPTIONAL, source),
	F(report_finding, INT, first_line),
	F(report_finding, INT, last_line),
	F(report_finding, INT, place_line),
	F(report_finding, OPTIONAL, place_routine),
	M(report_finding, INT, problem, ANEW),
	END
};

const struct field problem_fields[] = {
	F(report_problem, INT, number),
	F(report_problem, TEXT, key),
	NAMED("kind", TEXT, report_problem, cause, DESCRIBE),
	F(report_problem, BOOL, memory),
	F(report_problem, TEXT, file),
	F(report_problem, INT, line),
	F(report_problem, REAL, share),
	F(report_problem, REAL, low),
	F(report_problem, REAL, high),
	F(report_problem, REAL, page_faults),
	NAMED("paths", INT, report_problem, npaths, DESCRIBE),
	F(report_problem, REAL, saves),
	F(report_problem, REAL, saves_low),
	F(report_problem, REAL, saves_high),
	F(report_problem, BOOL, saves_more),
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

const struct field pass_fields[] = {
	F(report_pass, TEXT, file),
	F(report_pass, INT, line),
	F(report_pass, REAL, share),
	END
};

const struct field site_fields[] = {
	F(report_site, INT, line),
	F(report_site, REAL, first_misses),
	F(report_site, REAL, last_misses),
	END
};

const struct field line_use_fields[] = {
	F(report_line_use, INT, line),
	F(report_line_use, INT, threads),
	F(report_line_use, INT, thread),
	F(report_line_use, BOOL, writes),
	F(report_line_use, INT64, first),
	F(report_line_use, INT64, last),
	F(report_line_use, BOOL, of_line),
	F(report_line_use, BOOL, other_block),
	F(report_line_use, BOOL, lock),
	F(report_line_use, OPTIONAL, other),
	F(report_line_use, OPTIONAL, members),
	END
};

const struct field gain_fields[] = {
	M(report_gain, TEXT, structure, KEY),
	M(report_gain, OPTIONAL, scope, KEY),
	M(report_gain, OPTIONAL, declared, KEY),
	{ "fix", FIELD_NAME, offsetof(struct report_gain, fix), MERGE_KEY, 0, tried_fix_names },
	M(report_gain, TEXT, change, KEY),
	M(report_gain, OPTIONAL, reason, KEY_IF),
	M(report_gain, REAL, least, SUM),
	M(report_gain, REAL, most, SUM),
	M(report_gain, REAL, time_share, SHARE_KNOWN),
	F(report_gain, OPTIONAL, allocated),
	F(report_gain, REAL, node),
	END
};

const struct field verified_fields[] = {
	M(report_verified, TEXT, structure, KEY),
	M(report_verified, OPTIONAL, scope, KEY),
	M(report_verified, OPTIONAL, declared, KEY),
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

#define COUNT(prefix, of) \
	NAMED(prefix "access_share", REAL, report_counted, of.access_share, DESCRIBE), \
	NAMED(prefix "first_rate", REAL, report_counted, of.first_rate, DESCRIBE), \
	NAMED(prefix "first_error", REAL, report_counted, of.first_error, DESCRIBE), \
	NAMED(prefix "last_rate", REAL, report_counted, of.last_rate, DESCRIBE), \
	NAMED(prefix "last_error", REAL, report_counted, of.last_error, DESCRIBE), \
	NAMED(prefix "coherence_rate", REAL, report_counted, of.coherence_rate, DESCRIBE), \
	NAMED(prefix "est_stall_share", REAL, report_counted, of.stall, DESCRIBE), \
	NAMED(prefix "est_stall_low_share", REAL, report_counted, of.low, DESCRIBE), \
	NAMED(prefix "est_stall_high_share", REAL, report_counted, of.high, DESCRIBE)

const struct field counted_fields[] = {
	M(report_counted, OPTIONAL, structure, KEY),
	M(report_counted, OPTIONAL, scope, KEY),
	M(report_counted, OPTIONAL, declared, KEY),
	COUNT("", one),
	COUNT("other_", other),
	F(report_counted, BOOL, rates_differ),
	F(report_counted, BOOL, stalls_differ),
	END
};

const struct field trial_fields[] = {
	{ "action", FIELD_NAME, offsetof(struct report_trial, action), MERGE_KEY, 0,
		tried_action_names },
	M(report_trial, TEXT, structure, KEY),
	N(report_trial, verdict, trial_verdict_names),
	N(report_trial, reason, trial_reason_names),
	F(report_trial, OPTIONAL, library),
	F(report_trial, REAL, gain),
	F(report_trial, REAL, low),
	F(report_trial, REAL, high),
	F(report_trial, REAL, cost),
	F(report_trial, BOOL, kept),
	F(report_trial, REAL, time),
	F(report_trial, REAL, time_with),
	F(report_trial, REAL, time_before),
	F(report_trial, REAL, memory),
	F(report_trial, REAL, pages),
	F(report_trial, REAL, moved_pages),
	F(report_trial, REAL, left_pages),
	F(report_trial, INT, node),
	F(report_trial, REAL, cost_there),
	F(report_trial, REAL, cost_back),
	F(report_trial, BOOL, wall),
	F(report_trial, BOOL, changed),
	F(report_trial, INT, pairs),
	F(report_trial, INT, executions),
	F(report_trial, INT64, seed),
	END
};

#define SLOW(cycles, i) NAMED("lat" cycles, REAL, report_samples, slow[i], SUM)
const struct field samples_fields[] = {
	M(report_samples, TEXT, region, KEY),
	M(report_samples, OPTIONAL, structure, KEY),
	M(report_samples, OPTIONAL, scope, KEY),
	M(report_samples, OPTIONAL, declared, KEY),
	F(report_samples, TEXT, file),
	F(report_samples, INT, line),
	F(report_samples, REGION, type),
	M(report_samples, REAL, loads, SUM),
	SLOW("4", 0),
	SLOW("8", 1),
	SLOW("16", 2),
	SLOW("32", 3),
	SLOW("64", 4),
	SLOW("128", 5),
	SLOW("256", 6),
	SLOW("512", 7),
	SLOW("1024", 8),
	SLOW("2048", 9),
	SLOW("4096", 10),
	M(report_samples, REAL, placed, SUM),
	M(report_samples, REAL, far_by_page, SUM),
	M(report_samples, REAL, far_by_unit, SUM),
	M(report_samples, REAL, disagree, SUM),
	END
};
#undef SLOW

const struct field placed_fields[] = {
	{ "action", FIELD_NAME, offsetof(struct report_placed, action), MERGE_KEY, 0,
		tried_action_names },
	M(report_placed, TEXT, structure, KEY),
	M(report_placed, OPTIONAL, place, KEY),
	M(report_placed, INT, node, KEY),
	M(report_placed, REAL, objects, SUM),
	M(report_placed, REAL, blocks, SUM),
	M(report_placed, REAL, bytes, SUM),
	M(report_placed, REAL, left, SUM),
	N(report_placed, reason, trial_reason_names),
	END
};

const struct field ledger_fields[] = {
	{ "cause", FIELD_NAME, offsetof(struct report_ledger, cause), MERGE_KEY, 0, ledger_names },
	M(report_ledger, REAL, accesses, SUM_ALL),
	M(report_ledger, REAL, misses, SUM_ALL),
	M(report_ledger, REAL, misses_error, SUM_ALL),
	END
};

#define LEVEL(name, array, i) NAMED(name, REAL, report_cost, array[i], SUM)
const struct field cost_fields[] = {
	M(report_cost, TEXT, region, KEY),
	M(report_cost, OPTIONAL, structure, KEY),
	M(report_cost, OPTIONAL, scope, KEY),
	M(report_cost, OPTIONAL, declared, KEY),
	F(report_cost, TEXT, file),
	F(report_cost, INT, line),
	F(report_cost, REGION, type),
	M(report_cost, REAL, time, MEAN),
	M(report_cost, REAL, accesses, SUM),
	LEVEL("l1_misses", misses, 0),
	LEVEL("l2_misses", misses, 1),
	LEVEL("l3_misses", misses, 2),
	LEVEL("l4_misses", misses, 3),
	LEVEL("l1_misses_error", errors, 0),
	LEVEL("l2_misses_error", errors, 1),
	LEVEL("l3_misses_error", errors, 2),
	LEVEL("l4_misses_error", errors, 3),
	M(report_cost, REAL, coherence, SUM),
	M(report_cost, REAL, est_stall, MEAN),
	M(report_cost, REAL, est_stall_low, MEAN),
	M(report_cost, REAL, est_stall_high, MEAN),
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

const struct field asked_fields[] = {
	M(report_asked, TEXT, name, KEY),
	F(report_asked, TEXT, set),
	F(report_asked, BOOL, usual),
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

static const struct list none[] = { NO_LIST };

static const char *wrong_site(const void *row)
{
	const struct report_site *s = row;

	bool good = s->line >= 0 && s->first_misses >= 0 && s->last_misses >= 0;

	return good ? NULL : "a figure is missing or negative";
}

#define BYTES_FAR (INT64_C(1) << 56)    /* from the begin of a structure */
#define BYTES_MOST 4096                 /* of a line */

static const char *wrong_use(const void *row)
{
	const struct report_line_use *u = row;

	if (u->last < u->first)
		return "its last byte is before the first";
	return u->first < -BYTES_FAR || u->last > BYTES_FAR || u->last - u->first >= BYTES_MOST ?
		"no cache line has these bytes" : NULL;
}

static bool finding_before(const void *a, const void *b)
{
	return report_finding_describes_before(a, b);
}

static bool verified_before(const void *a, const void *b)
{
	return report_verified_describes_before(a, b);
}

const struct row_type node_rows = ROW_TYPE(node, "node", none, STEPS, .brief = false);
const struct row_type site_rows =
	ROW_TYPE(site, "line", none, LINES, .brief = true, .wrong = wrong_site);
const struct row_type use_rows =
	ROW_TYPE(line_use, "use", none, WITH, .brief = true, .wrong = wrong_use);
const struct row_type problem_structure_rows =
	ROW_TYPE(problem_structure, "structure", none, WITH, .brief = true);
const struct row_type pass_rows = ROW_TYPE(pass, "pass", none, WITH, .brief = true);
const struct row_type gain_rows = ROW_TYPE(gain, "gain", none, BY_KEY, .brief = false);
const struct row_type verified_rows =
	ROW_TYPE(verified, "verified", none, BY_KEY, .before = verified_before);
const struct row_type trial_rows = ROW_TYPE(trial, "trial", none, BY_KEY, .brief = false);
const struct row_type counted_rows = ROW_TYPE(counted, "counted", none, BY_KEY, .brief = false);
const struct row_type samples_rows = ROW_TYPE(samples, "samples", none, BY_KEY, .brief = false);
const struct row_type placed_rows = ROW_TYPE(placed, "placed", none, BY_KEY, .brief = false);
const struct row_type ledger_rows = ROW_TYPE(ledger, "ledger", none, BY_KEY, .brief = false);
const struct row_type thread_rows = ROW_TYPE(thread, "thread", none, ALL, .brief = false);

static const struct list finding_lists[] = {
	LIST(report_finding, node_rows, path, npath),
	ROWS("lines", report_finding, site_rows, sites, nsites),
	ROWS("shared_lines", report_finding, use_rows, uses, nuses),
	NO_LIST
};
const struct row_type finding_rows =
	ROW_TYPE(finding, NULL, finding_lists, BY_KEY, .before = finding_before, .tall = true);

static const struct list problem_lists[] = {
	ROWS("structures", report_problem, problem_structure_rows, structure, nstructures),
	ROWS("lines", report_problem, site_rows, sites, nsites),
	LIST(report_problem, pass_rows, passes, npasses),
	NO_LIST
};
const struct row_type problem_rows =
	ROW_TYPE(problem, "problem", problem_lists, ANEW, .tall = true);

const struct row_type asked_rows = ROW_TYPE(asked, "asked", none, BY_KEY, .brief = false);

static const struct list cost_lists[] = {
	ROWS("lines", report_cost, site_rows, sites, nsites),
	NO_LIST
};
const struct row_type cost_rows = ROW_TYPE(cost, "cost", cost_lists, BY_KEY, .brief = false);

static const struct list tested_lists[] = { ONE(report_tested, node_rows, place), NO_LIST };
const struct row_type tested_rows = ROW_TYPE(tested, "tested", tested_lists, ALL, .brief = false);

const struct list report_lists[] = {
	LIST(report, asked_rows, asked, nasked),
	ROWS("problems", report, problem_rows, problems.problem, problems.n),
	LIST(report, finding_rows, findings, nfindings),
	LIST(report, gain_rows, gains, ngains),
	LIST(report, verified_rows, verified, nverified),
	LIST(report, trial_rows, trials, ntrials),
	LIST(report, counted_rows, counted, ncounted),
	LIST(report, samples_rows, samples, nsamples),
	LIST(report, placed_rows, placed, nplaced),
	LIST(report, ledger_rows, ledger, nledger),
	LIST(report, cost_rows, costs, ncosts),
	ROWS("threads", report, thread_rows, thread_rows, nthread_rows),
	LIST(report, tested_rows, tested, ntested),
	LIST(report, timeline_rows, timelines, ntimelines),
	NO_LIST
};
