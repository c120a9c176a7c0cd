/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the results of experiments out of the shared memory.
 *
 * A result is checked against its request, and each row before it is kept (client.c says why).
 * Rows are read from the memfd like a file: reading them through the mapping would make their
 * pages resident here. */
#include "config.h"
#include "monitor/client/peer.h"
#include "monitor/client/row_checks.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads n rows of a table; returns how many could be read. */
static uint32_t read_rows(const struct mon_peer *p, const void *table, size_t size, uint32_t n,
	void *out)
{
	off_t at = (off_t)((uintptr_t)table - (uintptr_t)p->shm);
	size_t got = 0;

	while (got < n * size) {
		ssize_t k = pread(p->memory, (char *)out + got, n * size - got, at + (off_t)got);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break;
		got += (size_t)k;
	}
	return (uint32_t)(got / size);
}

/* --- rows ------------------------------------------------------------------------------------ */

#define ROWS(name, row, ...) \
	static bool name##_ok(const struct row_limits *limits, const void *r) \
	{ \
		return row_##name##_ok(limits, r); \
	}
#include "monitor/shared/result_rows.def"

static const struct row_table {
	size_t offset, size;    /* of the slots' arrays in struct mon_shm; of a row */
	uint32_t most, kinds;   /* as in result_rows.def */
	size_t number;          /* its place in struct mon_row_numbers */
	size_t rows, n;         /* in struct mon_result */
	bool (*ok)(const struct row_limits *limits, const void *row);
} tables[] = {
#define ROWS(name, row, most, kinds) \
	{ offsetof(struct mon_shm, name), sizeof(struct row), most, kinds, \
		offsetof(struct mon_row_numbers, name), offsetof(struct mon_result, name), \
		offsetof(struct mon_result, n##name), name##_ok },
#include "monitor/shared/result_rows.def"
};
enum { ROW_TABLES = sizeof tables / sizeof *tables };

static void put_rows(struct mon_result *out, const struct row_table *w, void *rows, uint32_t n)
{
	memcpy((char *)out + w->rows, &rows, sizeof rows);
	memcpy((char *)out + w->n, &n, sizeof n);
}

static void *rows_of(const struct mon_result *r, const struct row_table *w)
{
	void *rows;

	memcpy(&rows, (const char *)r + w->rows, sizeof rows);
	return rows;
}

static uint32_t number_of(const struct mon_request *r, const struct row_table *w)
{
	uint32_t n;

	memcpy(&n, (const char *)&r->rows + w->number, sizeof n);
	return w->kinds & MON_OF_KIND(r->kind) ? at_most(n, w->most) : 0;
}

/* A result that is being copied. */
struct taking {
	const struct mon_peer *p;
	int slot;
	struct row_limits limits;
	struct mon_result *out;
};

/* Copies n rows of a table; those that the check refuses drop out. */
static int take_rows(const struct taking *t, const struct row_table *w, uint32_t n, struct err *err)
{
	char *rows = calloc(n + 1, w->size);
	const char *from = (const char *)t->p->shm + w->offset +
		(size_t)t->slot * w->most * w->size;
	uint32_t got, kept = 0;

	put_rows(t->out, w, rows, 0);
	if (!rows)
		return err_nomem(err);
	got = read_rows(t->p, from, w->size, n, rows);
	for (uint32_t k = 0; k < got; k++)
		if (w->ok(&t->limits, rows + k * w->size))
			memmove(rows + kept++ * w->size, rows + k * w->size, w->size);
	put_rows(t->out, w, rows, kept);
	t->out->rejected += n - kept;
	return 0;
}

/* Counts of variants are a list of their own. */
static int split_variants(struct mon_result *out, struct err *err)
{
	uint32_t n = out->ncounts;

	out->varied = calloc(out->nvariants ? n + 1 : 1, sizeof *out->varied);
	if (!out->varied)
		return err_nomem(err);
	out->ncounts = 0;
	for (uint32_t k = 0; k < n; k++)
		if (out->counts[k].variant)
			out->varied[out->nvaried++] = out->counts[k];
		else
			out->counts[out->ncounts++] = out->counts[k];
	return 0;
}

/* --- results --------------------------------------------------------------------------------- */

static bool slices_ok(const struct asked *a, const struct mon_request *r)
{
	return a->kind == MON_SIM && a->slices && a->sample <= 1 && !a->nvariants &&
		r->groups == MON_GROUPS && r->sampled && r->sampled <= r->classes;
}

/* Is the sample the one that was requested? */
static bool sample_ok(const struct mon_peer *p, const struct asked *a, const struct mon_request *r)
{
	struct mon_sample s = { 0 };

	if (r->slices)
		return slices_ok(a, r);
	if (a->kind == MON_SIM && a->sample > 1 && mon_sample_of(&p->machine, a->sample, &s, NULL))
		return false;
	return r->classes == s.classes && r->sampled == s.chosen && r->groups == s.groups;
}

/* What the result says of the experiment as a whole. */
static void take_head(const struct asked *a, const struct mon_request *r, struct mon_result *out)
{
	out->executions = at_most(r->executions, at_most(a->count, MON_EXECUTIONS));
	out->ran_first = r->ran_first;
	out->records = r->records;
	out->words = r->words;
	out->lost = r->lost;
	out->unhandled = r->unhandled;
	out->unshared = r->unshared;
	out->left_out = r->left_out;
	out->counted_words = r->counted_words;
	out->strayed = r->strayed;
	out->strays = at_most(r->strays, MON_THREADS);
	out->undrawn = r->undrawn;
	out->sample = (struct mon_sample){ r->classes, r->sampled, r->groups, r->slices };
	out->slice_flags = r->slice_flags;
	out->nvariants = a->nvariants;
	out->mpi = out->kind == MON_TIME && r->mpi == 1;
	memcpy(out->phase_ns, r->phase_ns, sizeof out->phase_ns);
	memcpy(out->kernel, r->kernel, sizeof out->kernel);
	out->kernel_executions = r->kernel_executions;
	out->verified = r->verified;
}

static void take_trial(const struct mon_request *r, struct mon_result *out)
{
	out->trial = r->trial;
	out->trial.library[sizeof out->trial.library - 1] = '\0';
	if (out->trial.refusal >= MON_TRIAL_REFUSALS)
		out->trial.refusal = MON_TRIAL_HIDDEN;
}

static void take_hardware(const struct mon_request *r, struct mon_result *out)
{
	out->hardware = r->hardware;
	out->hardware.unit[sizeof out->hardware.unit - 1] = '\0';
	out->hardware.why[sizeof out->hardware.why - 1] = '\0';
}

static int take_done(const struct mon_peer *p, int slot, const struct mon_request *r,
	struct mon_result *out, struct err *err)
{
	const struct asked *a = &p->asked[slot];
	struct taking t = { p, slot, { 0 }, out };

	if (!result_head_ok(r) || !sample_ok(p, a, r))
		return err_set(err, "process %u: impossible results of an experiment",
			p->hello.pid);
	take_head(a, r, out);
	t.limits = row_limits_of(out, mon_peer_ncontexts(p), mon_peer_nobjects(p));
	t.limits.nevents = a->nevents;
	t.limits.nschedule = a->nschedule;
	for (int i = 0; i < ROW_TABLES; i++)
		if (take_rows(&t, &tables[i], number_of(r, &tables[i]), err))
			return -1;
	if (out->mpi) {
		out->lost_mpi = r->lost_mpi + at_most(r->rows.mpi_rows, MON_MPI_ROWS) -
			out->nmpi_rows;
		out->lost_messages = r->lost_messages + at_most(r->rows.messages, MON_MESSAGES) -
			out->nmessages;
	}
	return split_variants(out, err);
}

int mon_peer_take(struct mon_peer *p, int slot, struct mon_result *out, struct err *err)
{
	enum mon_state state = mon_peer_state(p, slot);
	struct mon_result res = { .state = state };
	struct mon_request r;

	if (state != MON_DONE && state != MON_MISSED && state != MON_DROPPED)
		return err_set(err, "slot %d holds no result yet", slot);
	copy_once(&r, &p->shm->request[slot], sizeof r);
	res.kind = p->asked[slot].kind;
	r.kind = res.kind;      /* whatever the application has made of it */
	res.reason = r.reason;
	res.added_ns = r.added_ns;
	res.failed_event = r.failed_event;
	res.failed_errno = r.failed_errno > 0 && r.failed_errno < 4096 ? r.failed_errno : 0;
	if (res.kind == MON_TRIAL)
		take_trial(&r, &res);
	res.bursts = r.bursts;
	res.pages = r.pages;
	if (res.bursts.refusal >= MON_BURSTS_REFUSALS)
		res.bursts.refusal = MON_BURSTS_NOT_LOADED;
	take_hardware(&r, &res);
	if (state == MON_DONE && take_done(p, slot, &r, &res, err)) {
		mon_result_free(&res);
		return -1;
	}
	atomic_fetch_and(&p->shm->doorbell, ~(1u << slot));
	atomic_store_explicit(&p->shm->request[slot].state, MON_EMPTY, memory_order_release);
	*out = res;
	return 0;
}

void mon_result_free(struct mon_result *r)
{
	for (int i = 0; i < ROW_TABLES; i++) {
		free(rows_of(r, &tables[i]));
		put_rows(r, &tables[i], NULL, 0);
	}
	free(r->varied);
	r->varied = NULL;
	r->nvaried = 0;
}
