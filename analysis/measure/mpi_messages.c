/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the calls of MPI of a process, and what matching tells about them. */
#include "analysis/measure/mpi_messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/mpi_match.h"
#include "analysis/measure/mpi_remote.h"
#include "base/mpi_calls.h"
#include "base/region.h"

enum {
	MESSAGES_MOST = 1 << 22,        /* rows kept of a process: 256 MiB */
	RANKS_MOST = 1 << 20
};
static const double UNMATCHED_MOST = 0.1;

/* For whom a context waits. */
struct late { uint32_t context, rank; double ns; };

struct mpi_calls {
	bool lost, lost_messages;       /* rows did not fit */
	double **series;                /* by context * MPI_FIGURES + figure; NULL: 0.  One value
					 * per execution, ns */
	uint32_t ncontexts, nclean;     /* that series has room for */
	struct mon_message_row *rows;   /* execution: among all clean ones */
	uint32_t nrows, cap;
	struct late *late;
	uint32_t nlate, late_cap;
	char **causes;                  /* by rank: where it computes longer; NULL: not known;
					 * owned */
	uint32_t ncauses;
	double clock_error;             /* s; NAN: no other host */
	char text[640];
};

void mpi_calls_free(struct measurements *p)
{
	struct mpi_calls *m = p->mpi;

	if (!m)
		return;
	for (uint32_t i = 0; i < m->ncontexts * MPI_FIGURES; i++)
		free(m->series[i]);
	for (uint32_t i = 0; i < m->ncauses; i++)
		free(m->causes[i]);
	free(m->causes);
	free(m->series);
	free(m->rows);
	free(m->late);
	free(m);
	p->mpi = NULL;
}

/* Makes room for all contexts and executions.  0 / -1. */
static int grow(struct measurements *p)
{
	struct mpi_calls *m = p->mpi;
	double **series = realloc(m->series, ((size_t)p->ncontexts + 1) * MPI_FIGURES *
		sizeof *series);

	if (!series)
		return -1;
	m->series = series;
	for (uint32_t i = m->ncontexts * MPI_FIGURES; i < p->ncontexts * MPI_FIGURES; i++)
		series[i] = NULL;
	m->ncontexts = p->ncontexts;
	for (uint32_t i = 0; i < m->ncontexts * MPI_FIGURES && m->nclean != p->nclean; i++) {
		double *grown = series[i] ? realloc(series[i], p->nclean * sizeof *grown) : NULL;

		if (!series[i])
			continue;
		if (!grown)
			return -1;
		series[i] = grown;
		for (uint32_t e = m->nclean; e < p->nclean; e++)
			grown[e] = 0;
	}
	m->nclean = p->nclean;
	return 0;
}

/* Adds to a figure of the context and all around it. */
static int add(struct measurements *p, uint32_t context, uint32_t execution, enum mpi_figure which,
	double value)
{
	struct mpi_calls *m = p->mpi;

	for (uint32_t c = context; c != NO_CONTEXT && value != 0; c = p->contexts[c].parent) {
		double **at = &m->series[c * MPI_FIGURES + which];

		if (!*at)
			*at = calloc(m->nclean, sizeof **at);
		if (!*at)
			return -1;
		(*at)[execution] += value;
	}
	return 0;
}

static int add_row(struct measurements *p, const struct mon_mpi_row *r, uint32_t execution)
{
	const uint64_t value[] = { [MPI_CALLS] = r->calls, [MPI_TIME] = r->ns, [MPI_SENT] = r->sent,
		[MPI_RECEIVED] = r->received, [MPI_MESSAGES] = r->messages,
		[MPI_UNSIZED] = r->unsized };

	for (int k = 0; k <= MPI_UNSIZED; k++)
		if (add(p, r->context, execution, (enum mpi_figure)k, (double)value[k]))
			return -1;
	return 0;
}

static int keep_messages(struct measurements *p, const struct mon_result *r, uint32_t first)
{
	struct mpi_calls *m = p->mpi;
	struct mon_message_row *rows;

	if (m->nrows + r->nmessages > MESSAGES_MOST) {
		m->lost_messages = true;
		return 0;
	}
	rows = realloc(m->rows, (m->nrows + (size_t)r->nmessages + 1) * sizeof *rows);
	if (!rows)
		return -1;
	m->rows = rows;
	for (uint32_t i = 0; i < r->nmessages; i++) {
		if (r->messages[i].context >= p->ncontexts ||
		    r->messages[i].execution >= r->executions)
			continue;
		rows[m->nrows] = r->messages[i];
		rows[m->nrows++].execution += first;
	}
	return 0;
}

int mpi_calls_add(struct measurements *p, const struct mon_result *r, uint32_t first)
{
	if (!r->mpi && !p->mpi)
		return 0;
	if (!p->mpi)
		p->mpi = calloc(1, sizeof *p->mpi);
	if (!p->mpi || grow(p))
		return -1;
	p->mpi->lost |= r->lost_mpi > 0 || !r->mpi;
	p->mpi->lost_messages |= r->lost_messages > 0 || !r->mpi;
	for (uint32_t i = 0; i < r->nmpi_rows; i++)
		if (r->mpi_rows[i].context < p->ncontexts &&
		    r->mpi_rows[i].execution < r->executions &&
		    add_row(p, &r->mpi_rows[i], first + r->mpi_rows[i].execution))
			return -1;
	return keep_messages(p, r, first);
}

/* --- matching --------------------------------------------------------------------------------- */

static int add_late(struct measurements *p, uint32_t context, uint32_t rank, double ns)
{
	struct mpi_calls *m = p->mpi;

	for (uint32_t c = context; c != NO_CONTEXT; c = p->contexts[c].parent) {
		uint32_t i = 0;

		while (i < m->nlate && (m->late[i].context != c || m->late[i].rank != rank))
			i++;
		if (i == m->nlate) {
			struct late *grown = realloc(m->late, (m->nlate + 1) * sizeof *grown);

			if (!grown)
				return -1;
			m->late = grown;
			m->late[m->nlate++] = (struct late){ c, rank, 0 };
		}
		m->late[i].ns += ns;
	}
	return 0;
}

static void forget_waits(struct mpi_calls *m)
{
	for (uint32_t c = 0; c < m->ncontexts; c++)
		for (int k = MPI_LATE_SENDER; k <= MPI_UNCERTAIN; k++) {
			free(m->series[c * MPI_FIGURES + (uint32_t)k]);
			m->series[c * MPI_FIGURES + (uint32_t)k] = NULL;
		}
	m->nlate = 0;
}

/* A wait for a rank on another host that is no longer than the clocks' error is none that is known;
 * unsure: it could be so long. */
static struct mpi_wait known_wait(const struct mpi_wait *w, const struct mon_message_row *r,
	double error, double *unsure)
{
	struct mpi_wait k = *w;

	*unsure = 0;
	if (!k.matched || !(error > 0) || (double)k.ns > error)
		return k;
	*unsure = fmin(error, (double)(r->end - r->begin));
	k.ns = 0;
	return k;
}

/* error: by rank, of the clock of its host, ns; 0: of this host, or not known.  In collectives with
 * other hosts anybody may have been the last within the largest error. */
static int note_waits(struct measurements *p, const struct mpi_wait *waits, const double *error,
	uint32_t nranks)
{
	static const enum mpi_figure figure[] = { [MPI_WAIT_SENDER] = MPI_LATE_SENDER,
		[MPI_WAIT_RECEIVER] = MPI_LATE_RECEIVER, [MPI_WAIT_COLLECTIVE] = MPI_COLLECTIVE,
		[MPI_WAIT_BARRIER] = MPI_BARRIER };
	struct mpi_calls *m = p->mpi;
	double worst = 0;

	for (uint32_t r = 0; r < nranks; r++)
		worst = fmax(worst, error[r]);
	forget_waits(m);
	for (uint32_t i = 0; i < m->nrows; i++) {
		const struct mon_message_row *r = &m->rows[i];
		double end = r->peer < nranks ? error[r->peer] : 0;
		struct mpi_wait w;
		double unsure;

		if (waits[i].kind == MPI_WAIT_NONE)
			continue;
		w = known_wait(&waits[i], r, r->kind >= PSC_MPI_MEET ? worst : end, &unsure);
		if (add(p, r->context, r->execution, MPI_ENDS, 1) ||
		    add(p, r->context, r->execution, MPI_UNMATCHED, !w.matched) ||
		    add(p, r->context, r->execution, MPI_UNCERTAIN, unsure) ||
		    add(p, r->context, r->execution, figure[w.kind], (double)w.ns) ||
		    (w.ns && add_late(p, r->context, w.late, (double)w.ns)))
			return -1;
	}
	return 0;
}

/* --- where a rank computes longer ------------------------------------------------------------- */

double *mpi_calls_own_times(const struct measurements *p)
{
	double *own = calloc((size_t)p->sir->nregions + 1, sizeof *own);

	for (uint32_t c = 0; own && c < p->ncontexts; c++) {
		uint32_t region = p->contexts[c].region, up = p->contexts[c].parent;
		double cpu = like_median(p, p->contexts[c].cpu) * 1e-9;

		if (isnan(cpu))
			continue;
		if (region < p->sir->nregions)
			own[region] += cpu;
		if (up != NO_CONTEXT && p->contexts[up].region < p->sir->nregions)
			own[p->contexts[up].region] -= cpu;
	}
	return own;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "the loop lu.f:100", "the function more (lu.f:90)" */
static void region_words(const struct sir_region *r, char *out, size_t size)
{
	const char *what = r->type == REGION_LOOP ? "the loop" : r->type == REGION_WORKSHARE_DO ?
		"the shared loop" :
		r->type == REGION_PARALLEL ? "the parallel region" : r->type == REGION_CALL ?
			"the call of" : "the function";

	if (r->type == REGION_SUB || r->type == REGION_MAIN || r->type == REGION_CALL)
		snprintf(out, size, "%s %s (%s:%d)", what, r->name, file_name(r->file), r->line);
	else
		snprintf(out, size, "%s %s:%d", r->type == REGION_LOOP ||
			r->type == REGION_WORKSHARE_DO || r->type == REGION_PARALLEL ? what :
			"the region", file_name(r->file), r->line);
}

static const double LONGER = 0.05;      /* of the phase's time: less does not explain that a process
					 * is late */

/* A rank, of this host or another, as it is compared with the others. */
struct rank_times {
	uint32_t rank;
	const double *own;      /* by region, s */
	double exec;            /* of the phase, s */
	int behind;             /* the rank for which it waits longest; -1 */
	char *cause;            /* owned; NULL: it does not compute longer than the others */
};

/* "which computes 1.2 ms longer than the mean of the others, 1 ms of it in the loop lu.f:100"; the
 * caller frees.
 * NULL: it does not, or no memory. */
static char *cause_of(const struct sir *sir, const struct rank_times *all, uint32_t n,
	uint32_t which)
{
	double most = 0, sum = 0;
	uint32_t at = SIR_NONE;
	char *text = malloc(256);

	for (uint32_t r = 0; r < sir->nregions; r++) {
		double others = 0, more;

		for (uint32_t k = 0; k < n; k++)
			others += k == which ? 0 : all[k].own[r];
		more = all[which].own[r] - others / (n - 1);
		sum += more;
		if (more > most) {
			most = more;
			at = r;
		}
	}
	if (text && at != SIR_NONE && most > LONGER * all[which].exec) {
		char where[160];

		region_words(&sir->regions[at], where, sizeof where);
		snprintf(text, 256,
			"which computes %.3g ms longer than the mean of the others, %.3g ms of it in %.150s", 1e3 * (sum > most ? sum : most), 1e3 * most, where);
		return text;
	}
	free(text);
	return NULL;
}

/* A process that is late from its own waits is no cause: names the one that it waits for, if that
 * computes longer. The caller frees. */
static char *cause_behind(const struct rank_times *all, uint32_t n, uint32_t which)
{
	char *text = malloc(400);

	if (text)
		snprintf(text, 400, "which is late from its own waits");
	for (uint32_t k = 0; text && k < n; k++)
		if ((int)all[k].rank == all[which].behind && all[k].cause)
			snprintf(text, 400, "which waits itself, most of it for rank %d, %.300s",
				all[which].behind, all[k].cause);
	return text;
}

/* Gives every process of this host the causes of all ranks, which are less than nranks. */
static int share_causes(struct measurements *const *here, uint32_t nhere,
	const struct rank_times *all, uint32_t n, uint32_t nranks)
{
	for (uint32_t i = 0; i < nhere; i++) {
		struct mpi_calls *m = here[i]->mpi;

		for (uint32_t k = 0; k < m->ncauses; k++)
			free(m->causes[k]);
		free(m->causes);
		m->causes = calloc((size_t)nranks + 1, sizeof *m->causes);
		m->ncauses = m->causes ? nranks : 0;
		for (uint32_t k = 0; m->causes && k < n; k++)
			m->causes[all[k].rank] = all[k].cause ? strdup(all[k].cause) :
				cause_behind(all, n, k);
		if (!m->causes)
			return -1;
	}
	return 0;
}

/* The rank for which these rows wait longest; -1: for none. */
static int waits_most_for(const struct mpi_wait *waits, uint32_t n, uint32_t nranks)
{
	double *ns = calloc((size_t)nranks + 1, sizeof *ns);
	int most = -1;

	for (uint32_t i = 0; ns && i < n; i++)
		if (waits[i].ns && waits[i].late < nranks)
			ns[waits[i].late] += (double)waits[i].ns;
	for (uint32_t r = 0; ns && r < nranks; r++)
		if (ns[r] > (most < 0 ? 0 : ns[most]))
			most = (int)r;
	free(ns);
	return most;
}

static int by_rank(const void *a, const void *b)
{
	const struct measurements *x = *(struct measurements *const *)a,
		*y = *(struct measurements *const *)b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The processes with messages, by rank.  The caller frees. */
static struct measurements **with_messages(struct measurements *const *processes, uint32_t n,
	uint32_t *out)
{
	struct measurements **list = malloc((n + 1) * sizeof *list);

	*out = 0;
	for (uint32_t i = 0; list && i < n; i++)
		if (processes[i]->mpi && processes[i]->rank >= 0 &&
		    processes[i]->rank < RANKS_MOST && processes[i]->nclean)
			list[(*out)++] = processes[i];
	if (list)
		qsort(list, *out, sizeof *list, by_rank);
	return list;
}

/* Everything that is matched: first the processes of this host, then the ranks of others. */
struct match {
	struct measurements **here;     /* owned */
	uint32_t nhere, n;
	struct mpi_side *sides;         /* owned, as the rows of other hosts' */
	struct mpi_wait **waits;        /* owned */
	struct mpi_clock *clocks;       /* owned; of the other hosts */
	uint32_t nclocks, nranks;
	double *error;                  /* owned; by rank, ns */
	struct rank_times *times;       /* owned, as own times of processes of this host */
};

static void match_free(struct match *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->waits)
			free(m->waits[i]);
		if (m->times)
			free(m->times[i].cause);
		if (m->times && i < m->nhere)
			free((double *)(uintptr_t)m->times[i].own);
		if (m->sides && i >= m->nhere)
			free((struct mon_message_row *)(uintptr_t)m->sides[i].rows);
	}
	free(m->here);
	free(m->sides);
	free(m->waits);
	free(m->clocks);
	free(m->error);
	free(m->times);
}

/* The host of the sides of this one; agents are numbered from 1. */
enum { HERE = 0 };

static int add_remote(struct match *m, const struct mpi_remote *r)
{
	struct mon_message_row *rows = malloc((r->nrows + (size_t)1) * sizeof *rows);
	uint32_t k = 0;

	if (!rows)
		return -1;
	memcpy(rows, r->rows, r->nrows * sizeof *rows);
	m->sides[m->n] = (struct mpi_side){ r->rank, rows, r->nrows, r->host };
	m->times[m->n++] = (struct rank_times){ .rank = r->rank, .own = r->own, .exec = r->exec,
		.behind = -1 };
	while (k < m->nclocks && m->clocks[k].host != r->host)
		k++;
	if (k == m->nclocks)
		m->clocks[m->nclocks++].host = r->host;
	return 0;
}

static int match_gather(struct match *m, struct measurements *const *processes, uint32_t n,
	const struct mpi_remotes *remotes)
{
	uint32_t nremotes = remotes ? remotes->n : 0;
	size_t most = (size_t)n + nremotes + 1;

	m->here = with_messages(processes, n, &m->nhere);
	m->sides = calloc(most, sizeof *m->sides);
	m->waits = calloc(most, sizeof *m->waits);
	m->times = calloc(most, sizeof *m->times);
	m->clocks = calloc(most, sizeof *m->clocks);
	if (!m->here || !m->sides || !m->waits || !m->times || !m->clocks)
		return -1;
	for (; m->n < m->nhere; m->n++) {
		const struct measurements *p = m->here[m->n];
		double *own = mpi_calls_own_times(p);

		if (!own || grow(m->here[m->n])) {
			free(own);
			return -1;
		}
		m->sides[m->n] = (struct mpi_side){ (uint32_t)p->rank, p->mpi->rows, p->mpi->nrows,
			HERE };
		m->times[m->n] = (struct rank_times){ (uint32_t)p->rank, own,
			like_median(p, p->contexts[0].exec) * 1e-9, -1, NULL };
	}
	for (uint32_t i = 0; i < nremotes && m->nhere; i++)
		if (add_remote(m, &remotes->list[i]))
			return -1;
	for (uint32_t i = 0; i < m->n; i++) {
		m->waits[i] = malloc((m->sides[i].n + (size_t)1) * sizeof **m->waits);
		if (!m->waits[i])
			return -1;
		if (m->sides[i].rank >= m->nranks)
			m->nranks = m->sides[i].rank + 1;
	}
	m->error = calloc((size_t)m->nranks + 1, sizeof *m->error);
	return m->error ? 0 : -1;
}

/* Moves the times of other hosts' ranks to this host's clock.  Of a host whose clock nothing ties
 * to ours, nothing is matched. */
static int match_clocks(struct match *m)
{
	if (mpi_clocks(m->sides, m->n, HERE, m->clocks, m->nclocks))
		return -1;
	for (uint32_t i = m->nhere; i < m->n; i++) {
		struct mon_message_row *rows =
			(struct mon_message_row *)(uintptr_t)m->sides[i].rows;
		const struct mpi_clock *k = m->clocks;
		int64_t offset;

		while (k->host != m->sides[i].host)
			k++;
		if (k->low == INT64_MIN || k->high == INT64_MAX) {
			m->sides[i].n = 0;
			continue;
		}
		offset = k->low + (k->high - k->low) / 2;
		m->error[m->sides[i].rank] = fmax(1, k->low > k->high ? (double)(k->low - k->high) :
			(double)(k->high - k->low) / 2);
		for (uint32_t r = 0; r < m->sides[i].n; r++) {
			rows[r].posted -= (uint64_t)offset;
			rows[r].begin -= (uint64_t)offset;
			rows[r].end -= (uint64_t)offset;
		}
	}
	return 0;
}

static int match_causes(struct match *m)
{
	if (m->n < 2)
		return 0;
	for (uint32_t i = 0; i < m->n; i++) {
		m->times[i].behind = i < m->nhere ? mpi_calls_late(m->here[i], 0) :
			waits_most_for(m->waits[i], m->sides[i].n, m->nranks);
		m->times[i].cause = cause_of(m->here[0]->sir, m->times, m->n, i);
	}
	return share_causes(m->here, m->nhere, m->times, m->n, m->nranks);
}

int mpi_calls_match(struct measurements *const *processes, uint32_t n,
	const struct mpi_remotes *remotes)
{
	struct match m = { .n = 0 };
	double error = NAN;
	int rc = match_gather(&m, processes, n, remotes);

	if (!rc && m.nclocks)
		rc = match_clocks(&m);
	if (!rc)
		rc = mpi_match(m.sides, m.n, m.waits);
	for (uint32_t r = 0; r < m.nranks && !rc; r++)
		error = m.error[r] > 0 ? fmax(error, m.error[r] * 1e-9) : error;
	for (uint32_t i = 0; i < m.nhere && !rc; i++) {
		m.here[i]->mpi->clock_error = error;
		rc = note_waits(m.here[i], m.waits[i], m.error, m.nranks);
	}
	if (!rc && m.nhere)
		rc = match_causes(&m);
	match_free(&m);
	return rc;
}

/* --- questions -------------------------------------------------------------------------------- */

static double median(const struct measurements *p, uint32_t context, enum mpi_figure which)
{
	const struct mpi_calls *m = p->mpi;
	const double *s = context < m->ncontexts ? m->series[context * MPI_FIGURES + which] : NULL;

	return s && m->nclean == p->nclean ? like_median(p, s) : 0;
}

/* Could waits that the clocks' error hides be longer than those that are known, and matter? */
static bool uncertain(const struct measurements *p, uint32_t context, double known)
{
	double unsure = median(p, context, MPI_UNCERTAIN);

	return unsure > known && unsure > MPI_UNCERTAIN_LEAST * like_median(p, p->contexts[0].exec);
}

double mpi_calls_figure(const struct measurements *p, uint32_t context, enum mpi_figure which)
{
	const struct mpi_calls *m = p->mpi;
	double v;

	if (!m || m->lost || !p->nclean)
		return NAN;
	v = median(p, context, which);
	switch (which) {
	case MPI_SENT:
	case MPI_RECEIVED: return median(p, context, MPI_UNSIZED) > 0 ? NAN : v;
	case MPI_TIME: return v * 1e-9;
	case MPI_LATE_SENDER:
	case MPI_LATE_RECEIVER:
	case MPI_COLLECTIVE:
	case MPI_BARRIER:
		if (m->lost_messages ||
		    median(p, context, MPI_UNMATCHED) > UNMATCHED_MOST * median(p, context,
		    MPI_ENDS) || uncertain(p, context, v))
			return NAN;
		return v * 1e-9;
	default: return v;
	}
}

uint32_t mpi_calls_rows(const struct measurements *p, const struct mon_message_row **rows)
{
	*rows = p->mpi ? p->mpi->rows : NULL;
	return p->mpi ? p->mpi->nrows : 0;
}

double mpi_calls_clock_error(const struct measurements *p)
{
	return p->mpi && p->mpi->clock_error > 0 ? p->mpi->clock_error : NAN;
}

uint32_t mpi_calls_ranks(const struct measurements *p)
{
	uint32_t most = 0;

	for (uint32_t i = 0; p->mpi && i < p->mpi->nrows; i++)
		if (p->mpi->rows[i].kind >= PSC_MPI_MEET && p->mpi->rows[i].size > most)
			most = p->mpi->rows[i].size;
	return most;
}

int mpi_calls_late(const struct measurements *p, uint32_t context)
{
	const struct mpi_calls *m = p->mpi;
	double most = 0;
	int rank = -1;

	for (uint32_t i = 0; m && i < m->nlate; i++)
		if (m->late[i].context == context && m->late[i].ns > most) {
			most = m->late[i].ns;
			rank = (int)m->late[i].rank;
		}
	return rank;
}

const char *mpi_calls_cause(const struct measurements *p, uint32_t context)
{
	int rank = mpi_calls_late(p, context);
	struct mpi_calls *m = p->mpi;

	if (rank < 0)
		return NULL;
	if ((uint32_t)rank < m->ncauses && m->causes[rank])
		snprintf(m->text, sizeof m->text, "rank %d, %s", rank, m->causes[rank]);
	else
		snprintf(m->text, sizeof m->text, "rank %d", rank);
	return m->text;
}
