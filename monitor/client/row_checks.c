/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks each row of a result against the tables' sizes and against what is plausible. */
#include "monitor/client/row_checks.h"
#include "base/mpi_calls.h"

enum { SANE_BITS = 56 };        /* bits of a plausible count: more than a year in ns */
enum { SLACK_NS = 1000000000 }; /* by which a time may exceed what is plausible */
enum { LAST_WIDTH = 48 };       /* bits of a column's width */
enum { LAST_LINE = 1 << 30 };   /* of a source file; compilers count no further */

/* No thread can run or wait for longer than all executions took.  Twice that: the clocks differ,
 * and a thread that is at a marker when an execution ends adds what it did to the next one. */
static uint64_t longest(const struct mon_result *r)
{
	uint64_t all = SLACK_NS;

	for (uint32_t i = 0; i < r->executions; i++)
		all += 2 * r->phase_ns[i];
	return all;
}

struct row_limits row_limits_of(const struct mon_result *r, uint32_t ncontexts, uint32_t nobjects)
{
	return (struct row_limits){ ncontexts, nobjects, r->executions, r->nvariants, longest(r),
		r->sample.slices > 0, r->mpi, 0, 0 };
}

bool result_head_ok(const struct mon_request *r)
{
	uint64_t any = r->ran_first | r->records | r->words | r->lost | r->unhandled | r->unshared |
		r->left_out | r->undrawn | r->counted_words | r->strayed;

	for (int i = 0; i < MON_EXECUTIONS; i++)
		any |= r->phase_ns[i] | r->kernel[i].user_ns | r->kernel[i].sys_ns |
			r->kernel[i].minor | r->kernel[i].major | r->kernel[i].voluntary |
			r->kernel[i].involuntary;
	for (uint32_t i = 0; i < MON_PAIRS && r->kind == MON_VERIFY; i++)
		any |= r->verified.clean_ns[i] | r->verified.aliased_ns[i] | r->verified.pages;
	if (r->kind == MON_TRIAL && (r->trial.switch_ns[0] | r->trial.switch_ns[1] |
	    r->trial.switch_cpu_ns[0] | r->trial.switch_cpu_ns[1] | r->trial.pages |
	    r->trial.moved | r->trial.left | r->trial.strayed) >> SANE_BITS)
		return false;
	if (r->kind == MON_VERIFY && (r->verified.pairs > MON_PAIRS ||
	    r->verified.refusal >= MON_VERIFY_REFUSALS))
		return false;
	return any >> SANE_BITS == 0 && r->kernel_executions <= MON_KERNEL_EXECUTIONS;
}

bool row_times_ok(const struct row_limits *limits, const struct mon_time_row *r)
{
	return r->context < limits->ncontexts && r->execution < limits->executions &&
		r->thread < MON_THREADS &&
		(r->wall_ns | r->calls | r->pieces | r->counted | r->faults |
		r->sys_ns) >> SANE_BITS == 0 && r->cpu_ns <= limits->longest &&
		r->wait_ns <= limits->longest && r->startup_ns >> SANE_BITS == 0;
}

bool row_counts_ok(const struct row_limits *limits, const struct mon_count_row *r)
{
	uint64_t any = 0;

	if (r->context >= limits->ncontexts || r->object >= limits->nobjects ||
	    r->thread >= MON_THREADS || r->variant > limits->nvariants || r->node >= MACHINE_NODES)
		return false;
#define COUNTER_ONE(name, ...) any |= r->name;
#define COUNTER_ROW(name, ...) any |= r->name;
#define COUNTER_PAIR(name, ...) any |= r->name[0] | r->name[1];
#define COUNTER_LEVEL(name, ...) \
	for (int l = 0; l < MACHINE_LEVELS; l++) \
		any |= r->name[l];
#define COUNTER_TLB(name, ...) \
	for (int l = 0; l < MACHINE_TLBS; l++) \
		any |= r->name##_miss[l][0] | r->name##_miss[l][1];
#define COUNTER_REUSE(name, ...) \
	for (int k = 0; k < REUSE_CLASSES; k++) \
		any |= r->name[k];
#define COUNTER_NODE(name, ...) \
	for (int n = 0; n < MACHINE_NODES; n++) \
		any |= r->name[n][0] | r->name[n][1];
#include "base/counters.def"
	for (int l = 0; l < MACHINE_LEVELS; l++)
		for (int g = 0; g < 2 * MON_GROUPS; g++) {
			float v = r->group[l][g / MON_GROUPS][g % MON_GROUPS];

			if (limits->slices && v < 0)
				v = -v;
			if (!(v >= 0 && v < (float)(UINT64_C(1) << SANE_BITS)))
				return false;
		}
	for (int k = 0; k < MON_SAMPLED; k++)
		if (!(r->sampled[k] >= 0 && r->sampled[k] < (float)(UINT64_C(1) << SANE_BITS)))
			return false;
	return any >> SANE_BITS == 0;
}

bool row_lines_ok(const struct row_limits *limits, const struct mon_line *r)
{
	bool ok = r->object < limits->nobjects && r->bytes >= 8 && r->bytes <= 4096 &&
		r->nthreads && r->nthreads <= MON_THREADS && r->nlocks <= r->bytes &&
		r->nupdated <= r->nlocks && r->offset > -(INT64_C(1) << SANE_BITS) &&
		r->offset < INT64_C(1) << SANE_BITS &&
		(r->false_sharing | r->true_sharing) >> SANE_BITS == 0;

	for (uint32_t k = 0; ok && k < r->nthreads && k < MON_LINE_THREADS; k++)
		ok = r->thread[k] < MON_THREADS && r->used[k] < limits->nobjects &&
			r->in_block[k] > -(INT64_C(1) << SANE_BITS) &&
			r->in_block[k] < INT64_C(1) << SANE_BITS;
	return ok;
}

bool row_mpi_rows_ok(const struct row_limits *limits, const struct mon_mpi_row *r)
{
	return limits->mpi && r->context < limits->ncontexts && r->execution < limits->executions &&
		(r->calls | r->sent | r->received | r->messages | r->unsized) >> SANE_BITS == 0 &&
		r->ns >> SANE_BITS == 0;
}

bool row_messages_ok(const struct row_limits *limits, const struct mon_message_row *r)
{
	return limits->mpi && r->kind >= PSC_MPI_SEND && r->kind <= PSC_MPI_UP &&
		r->context < limits->ncontexts && r->execution < limits->executions &&
		r->begin <= r->end && r->posted <= r->end && r->end < UINT64_C(1) << 62;
}

bool row_sites_ok(const struct row_limits *limits, const struct mon_site *r)
{
	return r->context < limits->ncontexts && r->object < limits->nobjects &&
		r->line <= LAST_LINE && !r->zero && (r->first | r->last) >> SANE_BITS == 0;
}

bool row_burst_words_ok(const struct row_limits *limits, const struct mon_burst_words *r)
{
	return r->begins < limits->ncontexts && (r->words | r->bursts) >> SANE_BITS == 0 &&
		(r->context < limits->ncontexts || r->context == MON_ANY);
}

bool row_walks_ok(const struct row_limits *limits, const struct mon_walk *r)
{
	bool ok = r->context < limits->ncontexts && r->object < limits->nobjects &&
		r->thread < MON_THREADS && r->line <= LAST_LINE && r->store <= 1 &&
		r->size <= UINT16_MAX && r->per <= UINT16_MAX && r->bytes <= UINT16_MAX &&
		(r->seen | r->length) >> SANE_BITS == 0;

	for (uint32_t i = 0; ok && i < MON_WALK_STEPS; i++)
		ok = r->moves[i] <= r->seen;
	return ok;
}

bool row_columns_ok(const struct row_limits *limits, const struct mon_columns *r)
{
	(void)limits;
	return r->thread < MON_THREADS && r->number >= -1 && r->number < MON_THREADS &&
		r->node < MACHINE_NODES && r->bytes <= MON_COLUMN_BYTES && r->width &&
		r->width >> LAST_WIDTH == 0 &&
		r->left_out >> SANE_BITS == 0;
}

bool row_maps_ok(const struct row_limits *limits, const struct mon_map *r)
{
	return r->object < limits->nobjects && r->thread < MON_THREADS && r->row <= MON_MAP_ROWS &&
		r->width && (r->from | r->width | r->lo | r->bytes) >> SANE_BITS == 0;
}

bool row_uses_ok(const struct row_limits *limits, const struct mon_use *r)
{
	return r->object < limits->nobjects && r->row <= MON_MAP_ROWS &&
		(r->lo | r->bytes) >> SANE_BITS == 0;
}

bool row_touches_ok(const struct row_limits *limits, const struct mon_touch *r)
{
	return r->object < limits->nobjects && r->thread < MON_THREADS && r->from < r->to &&
		r->to <= MON_MAP_ROWS && r->bytes >> SANE_BITS == 0;
}

bool row_localities_ok(const struct row_limits *limits, const struct mon_locality *r)
{
	return r->object < limits->nobjects && (r->toucher < MON_THREADS ||
		r->toucher == MON_ANY) && (r->node < MACHINE_NODES || r->node == MON_ANY) &&
		r->users && (r->bytes | r->code) >> SANE_BITS == 0;
}

bool row_events_ok(const struct row_limits *limits, const struct mon_event_row *r)
{
	return r->context < limits->ncontexts && r->thread < MON_THREADS &&
		r->event < limits->nevents && r->execution < limits->executions &&
		r->running <= r->enabled && (r->value | r->enabled) >> SANE_BITS == 0;
}

bool row_trials_ok(const struct row_limits *limits, const struct mon_trial_row *r)
{
	return r->slot < limits->nschedule && r->discarded <= MON_TRIAL_EXECUTIONS &&
		(r->wall_ns | r->cpu_ns | r->memory) >> SANE_BITS == 0;
}
