/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what the pass-throughs of MPI report.
 *
 * A call of MPI is a wait: it spins, or sleeps, until others have come.  What does not fit is
 * counted; the agent then knows that the figures are none. */
#include "monitor/collect/mpi_rows.h"
#include "monitor/collect/armed.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include <errno.h>

#pragma GCC visibility push(default)
#include "base/mpi_calls.h"
int __psc_mpi;
#pragma GCC visibility pop

static struct {
	pthread_mutex_t lock;
	uint32_t slot;
	_Atomic uint32_t execution;     /* MON_ANY: none that counts */
	_Atomic bool seen;              /* there are pass-throughs, and MPI was called */
	uint32_t nrows, nevents;
	uint64_t lost_rows, lost_events;
	uint32_t row_of[MON_CONTEXTS];  /* the context's row, if that is of this context and
					 * execution */
} mpi = { .lock = PTHREAD_MUTEX_INITIALIZER, .execution = MON_ANY };

void mpi_rows_start(void)
{
	pscm_flag(&__psc_mpi, pscm_shm->mpi != 0);
}

void mpi_rows_stop(void)
{
	pscm_flag(&__psc_mpi, 0);
}

void mpi_rows_arm(const struct pscm_armed *a)
{
	pscm_lock(&mpi.lock);
	mpi.slot = a->slot;
	mpi.nrows = mpi.nevents = 0;
	mpi.lost_rows = mpi.lost_events = 0;
	pscm_unlock(&mpi.lock);
}

void mpi_rows_execution(uint32_t number)
{
	atomic_store(&mpi.execution, number);
}

void mpi_rows_finish(struct pscm_armed *a)
{
	struct mon_request *r = a->request;

	pscm_lock(&mpi.lock);
	a->rows.mpi_rows = mpi.nrows;
	a->rows.messages = mpi.nevents;
	r->lost_mpi = mpi.lost_rows;
	r->lost_messages = mpi.lost_events;
	r->mpi = atomic_load(&mpi.seen) && r->kind == MON_TIME;
	mpi.nrows = mpi.nevents = 0;
	pscm_unlock(&mpi.lock);
}

/* The row of a context in this execution; NULL: the table is full. */
static struct mon_mpi_row *row(uint32_t context, uint32_t execution)
{
	struct mon_mpi_row *rows = pscm_shm->mpi_rows[mpi.slot];
	uint32_t at = mpi.row_of[context];

	if (at < mpi.nrows && rows[at].context == context && rows[at].execution == execution)
		return &rows[at];
	if (mpi.nrows == MON_MPI_ROWS) {
		mpi.lost_rows++;
		return NULL;
	}
	at = mpi.row_of[context] = mpi.nrows++;
	rows[at] = (struct mon_mpi_row){ .context = context, .execution = execution };
	return &rows[at];
}

/* The thread, inside the monitor; NULL: nothing is to be measured. */
static struct pscm_thread *come_in(void)
{
	struct pscm_thread *t;

	if (!(pscm_mode() & PSCM_MODE_TIME) || !pscm_guard())
		return NULL;
	t = pscm_thread_self();
	if (t) {
		pscm_region_stack_sync(t);
		return t;
	}
	pscm_unguard();
	return NULL;
}

uint64_t __psc_mpi_now(void)
{
	return clock_ns();
}

uint64_t __psc_mpi_begin(void)
{
	int saved = errno;
	struct pscm_thread *t = come_in();
	uint64_t now = 0;

	if (unlikely(!atomic_load_explicit(&mpi.seen, memory_order_relaxed)))
		atomic_store(&mpi.seen, true);
	if (t && t->times.state != PSCM_OUTSIDE) {
		uint32_t context = pscm_region_stack_context(t);

		now = clock_ns();
		if (context)
			brief_never(pscm_context_region(context));
		times_wait(t, context, now);
	}
	if (t)
		pscm_unguard();
	errno = saved;
	return now;
}

void __psc_mpi_event(const struct psc_mpi_event *event, uint64_t begin, uint64_t end)
{
	uint32_t execution = atomic_load(&mpi.execution);
	struct pscm_thread *t = execution == MON_ANY ? NULL : come_in();

	if (!t)
		return;
	pscm_lock(&mpi.lock);
	if (mpi.nevents == MON_MESSAGES)
		mpi.lost_events++;
	else
		pscm_shm->messages[mpi.slot][mpi.nevents++] = (struct mon_message_row){ .kind =
			event->kind, .peer = event->peer, .tag = event->tag, .size = event->size,
			.context = pscm_region_stack_context(t), .execution = execution,
			.communicator = event->communicator, .number = event->number,
			.posted = event->posted, .begin = begin, .end = end };
	pscm_unlock(&mpi.lock);
	pscm_unguard();
}

void __psc_mpi_end(uint64_t begin, uint64_t end, const struct psc_mpi_bytes *bytes)
{
	int saved = errno;
	uint32_t execution = atomic_load(&mpi.execution);
	struct pscm_thread *t = come_in();
	struct mon_mpi_row *r;

	if (!t)
		return;
	times_waited(t, pscm_region_stack_context(t), end);
	pscm_lock(&mpi.lock);
	r = execution == MON_ANY ? NULL : row(pscm_region_stack_context(t), execution);
	if (r) {
		r->calls++;
		r->ns += end > begin ? end - begin : 0;
		r->sent += bytes->sent;
		r->received += bytes->received;
		r->messages += bytes->messages;
		r->unsized += bytes->unsized;
	}
	pscm_unlock(&mpi.lock);
	pscm_unguard();
	errno = saved;
}
