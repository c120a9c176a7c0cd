/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the results of experiments out of the shared memory.
 *
 * A result is checked against its request, and each row before it is kept (client.c says why).  Rows are
 * read from the memfd like a file: reading them through the mapping would make their pages resident here. */
#include "config.h"
#include "monitor/client/peer.h"
#include "monitor/client/row_checks.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads n rows of a table; returns how many could be read. */
static uint32_t read_rows(const struct mon_peer *p, const void *table, size_t size, uint32_t n, void *out)
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

/* A result that is being copied.  Each take_ function has an array with room for n rows: all are copied
 * there, and those that the checks refuse drop out. */
struct taking {
	const struct mon_peer *p;
	int slot;
	struct row_limits limits;
	struct mon_result *out;
};

static void take_counts(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_count_row *rows = out->counts;
	uint32_t got = read_rows(t->p, t->p->shm->count_rows[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++) {
		if (!row_count_ok(&t->limits, &rows[k]))
			continue;
		if (rows[k].variant)
			out->varied[out->nvaried++] = rows[k];
		else
			rows[out->ncounts++] = rows[k];
	}
	out->rejected += n - out->ncounts - out->nvaried;
}

static void take_times(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_time_row *rows = out->times;
	uint32_t got = read_rows(t->p, t->p->shm->time_rows[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_time_ok(&t->limits, &rows[k]))
			rows[out->ntimes++] = rows[k];
	out->rejected += n - out->ntimes;
}

static void take_lines(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_line *rows = out->lines;
	uint32_t got = read_rows(t->p, t->p->shm->lines[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_line_ok(&t->limits, &rows[k]))
			rows[out->nlines++] = rows[k];
	out->rejected += n - out->nlines;
}

static void take_sites(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_site *rows = out->sites;
	uint32_t got = read_rows(t->p, t->p->shm->sites[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_site_ok(&t->limits, &rows[k]))
			rows[out->nsites++] = rows[k];
	out->rejected += n - out->nsites;
}

static void take_events(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_event_row *rows = out->events;
	uint32_t got = read_rows(t->p, t->p->shm->event_rows[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_event_ok(&t->limits, &rows[k]))
			rows[out->nevents++] = rows[k];
	out->rejected += n - out->nevents;
}

static void take_mpi(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_mpi_row *rows = out->mpi_rows;
	uint32_t got = read_rows(t->p, t->p->shm->mpi_rows[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_mpi_ok(&t->limits, &rows[k]))
			rows[out->nmpi++] = rows[k];
	out->rejected += n - out->nmpi;
	out->lost_mpi += n - out->nmpi;
}

static void take_messages(const struct taking *t, uint32_t n)
{
	struct mon_result *out = t->out;
	struct mon_message_row *rows = out->messages;
	uint32_t got = read_rows(t->p, t->p->shm->messages[t->slot], sizeof *rows, n, rows);

	for (uint32_t k = 0; k < got; k++)
		if (row_message_ok(&t->limits, &rows[k]))
			rows[out->nmessages++] = rows[k];
	out->rejected += n - out->nmessages;
	out->lost_messages += n - out->nmessages;
}

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

static int take_done(const struct mon_peer *p, int slot, const struct mon_request *r,
	struct mon_result *out, struct err *err)
{
	const struct asked *a = &p->asked[slot];
	struct taking t = { p, slot, { 0 }, out };
	bool sim = out->kind == MON_SIM;
	uint32_t ntimes = at_most(r->ntime, MON_TIME_ROWS);
	uint32_t ncounts = at_most(r->ncount, MON_COUNT_ROWS);
	uint32_t nlines = sim ? at_most(r->nlines, MON_LINES) : 0;
	uint32_t nsites = sim ? at_most(r->nsites, MON_SITES) : 0;
	uint32_t nevents = out->kind == MON_EVENTS ? at_most(r->nevent_rows, MON_EVENT_ROWS) : 0;
	bool mpi = out->kind == MON_TIME && r->mpi == 1;
	uint32_t nmpi = mpi ? at_most(r->nmpi, MON_MPI_ROWS) : 0;
	uint32_t nmessages = mpi ? at_most(r->nmessages, MON_MESSAGES) : 0;

	if (!result_head_ok(r) || !sample_ok(p, a, r))
		return err_set(err, "process %u: impossible results of an experiment",
			p->hello.pid);
	out->executions = at_most(r->executions, a->count);
	out->ran_first = r->ran_first;
	out->records = r->records;
	out->words = r->words;
	out->lost = r->lost;
	out->unhandled = r->unhandled;
	out->unshared = r->unshared;
	out->sample = (struct mon_sample){ r->classes, r->sampled, r->groups, r->slices };
	out->slice_flags = r->slice_flags;
	out->nvariants = a->nvariants;
	out->mpi = mpi;
	out->lost_mpi = mpi ? r->lost_mpi : 0;
	out->lost_messages = mpi ? r->lost_messages : 0;
	memcpy(out->phase_ns, r->phase_ns, sizeof out->phase_ns);
	memcpy(out->kernel, r->kernel, sizeof out->kernel);
	out->kernel_executions = r->kernel_executions;
	out->verified = r->verified;
	t.limits = row_limits_of(out, mon_peer_ncontexts(p), mon_peer_nobjects(p));
	t.limits.nevents = a->nevents;
	out->lines = calloc(nlines + 1, sizeof *out->lines);
	out->sites = calloc(nsites + 1, sizeof *out->sites);
	out->events = calloc(nevents + 1, sizeof *out->events);
	out->times = calloc(ntimes + 1, sizeof *out->times);
	out->counts = calloc(ncounts + 1, sizeof *out->counts);
	out->varied = calloc(out->nvariants ? ncounts + 1 : 1, sizeof *out->varied);
	out->mpi_rows = calloc(nmpi + 1, sizeof *out->mpi_rows);
	out->messages = calloc(nmessages + 1, sizeof *out->messages);
	if (!out->times || !out->counts || !out->varied || !out->lines || !out->sites || !out->events || !out->mpi_rows ||
	    !out->messages)
		return err_nomem(err);
	take_times(&t, ntimes);
	take_counts(&t, ncounts);
	take_lines(&t, nlines);
	take_sites(&t, nsites);
	take_events(&t, nevents);
	take_mpi(&t, nmpi);
	take_messages(&t, nmessages);
	return 0;
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
	res.reason = r.reason;
	res.added_ns = r.added_ns;
	res.failed_event = r.failed_event;
	res.failed_errno = r.failed_errno > 0 && r.failed_errno < 4096 ? r.failed_errno : 0;
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
	free(r->times);
	free(r->counts);
	free(r->varied);
	free(r->lines);
	free(r->sites);
	free(r->events);
	r->events = NULL;
	r->nevents = 0;
	free(r->mpi_rows);
	free(r->messages);
	r->mpi_rows = NULL;
	r->messages = NULL;
	r->nmpi = r->nmessages = 0;
	r->times = NULL;
	r->counts = r->varied = NULL;
	r->lines = NULL;
	r->sites = NULL;
	r->ntimes = r->ncounts = r->nvaried = r->nlines = r->nsites = 0;
}
