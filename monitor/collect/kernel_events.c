/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts events of the kernel between region markers.
 *
 * Descriptors are moved out of the program's way and close on exec.  The program may close them and
 * use their numbers for other files; all events share one inode, so each use asks the kernel for
 * the event's number first, which other files do not answer.
 *
 * The thread that ends an execution reads and closes the groups of the others.  No mutex guards
 * them: one would take four system calls a marker (locks.c), as much again as reading.  A marker
 * says that it is inside, and leaves the group alone if another thread holds it.
 *
 * In a sandbox (syscall_filter.h) no event is opened. */
#include "monitor/collect/kernel_events.h"
#include "monitor/collect/armed.h"
#include "monitor/host/descriptors.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/host/threads.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include "base/perf_open.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of one context: ns enabled, ns running, the values. */
enum { ENABLED, RUNNING, VALUES, SUMS = VALUES + MON_EVENTS_MOST };
struct event_sums { uint64_t now[SUMS]; };      /* of this execution */

struct pscm_events {
	_Atomic uint32_t inside, held;  /* a marker of the thread uses this; another thread does */
	bool known;                     /* this marker has asked for the event's number already */
	uint32_t experiment;            /* that the group belongs to; 0: no group */
	uint32_t n;                     /* open descriptors */
	bool counting;                  /* `last` is a reading of this piece's begin */
	int fd[MON_EVENTS_MOST];
	uint64_t id[MON_EVENTS_MOST];
	uint64_t last[1 + SUMS];        /* as read: number of events, then as in sums */
	struct event_sums *sums;        /* MON_CONTEXTS of them */
};

static struct {
	uint32_t experiment;            /* from 1 */
	uint32_t n;
	struct mon_event event[MON_EVENTS_MOST];
	_Atomic uint32_t failed;        /* event + 1; 0: none */
	_Atomic int failed_errno;
} events;

/* --- who uses a thread's group -------------------------------------------------------------- */

/* At a marker of its thread.  A marker that never ended (a jump out of a
 * handler) does not matter. */
static bool enter(struct pscm_events *e)
{
	atomic_store(&e->inside, 1);
	if (likely(!atomic_load(&e->held)))
		return true;
	atomic_store(&e->inside, 0);
	return false;
}

static void leave(struct pscm_events *e)
{
	atomic_store_explicit(&e->inside, 0, memory_order_release);
}

/* By another thread.  false: a marker of the thread does not end; it may have vanished in it. */
static bool hold(struct pscm_events *e)
{
	enum { TRIES = 2000 };

	atomic_store(&e->held, 1);
	for (int i = 0; i < TRIES && atomic_load(&e->inside); i++)
		syscall(SYS_sched_yield);
	return !atomic_load(&e->inside);
}

/* --- groups --------------------------------------------------------------------------------- */

static int event_open(const struct mon_event *e, int leader)
{
	const struct perf_code c = { e->type, e->config, e->config1, e->config2,
		(e->flags & MON_EVENT_USER) != 0 };

	return perf_open(&c, leader);
}

/* Is the descriptor still the event? */
static bool is_event(const struct pscm_events *e, uint32_t k)
{
	uint64_t id = 0;

	return !ioctl(e->fd[k], PERF_EVENT_IOC_ID, &id) && id == e->id[k];
}

static void group_close(struct pscm_events *e)
{
	while (e->n) {
		uint32_t k = --e->n;

		if (is_event(e, k))
			syscall(SYS_close, e->fd[k]);
	}
	e->experiment = 0;
	e->counting = false;
}

/* The first failure is told. */
static void fail(uint32_t event, int why)
{
	uint32_t none = 0;

	if (!atomic_load(&events.failed))
		atomic_store(&events.failed_errno, why);
	atomic_compare_exchange_strong(&events.failed, &none, event + 1);
}

/* Opens the calling thread's group. */
static bool group_open(struct pscm_events *e)
{
	group_close(e);
	e->experiment = events.experiment;
	for (uint32_t k = 0; k < events.n; k++) {
		int fd = event_open(&events.event[k], k ? e->fd[0] : -1), why = errno;

		e->fd[k] = pscm_fd_high(fd);
		if (fd < 0 || ioctl(e->fd[k], PERF_EVENT_IOC_ID, &e->id[k])) {
			if (fd >= 0) {
				why = errno;
				syscall(SYS_close, e->fd[k]);
			}
			group_close(e);
			e->experiment = events.experiment;      /* no second attempt */
			fail(k, why);
			return false;
		}
		e->n = k + 1;
	}
	return true;
}

static bool group_read(struct pscm_events *e, uint64_t out[1 + SUMS])
{
	size_t size = (1 + VALUES + e->n) * sizeof *out;

	if (e->n == events.n && (e->known || is_event(e, 0)) &&
	    syscall(SYS_read, e->fd[0], out, size) == (long)size && out[0] == e->n)
		return true;
	fail(0, EBADF);
	return false;
}

/* --- pieces --------------------------------------------------------------------------------- */

static struct pscm_events *events_make(void)
{
	struct pscm_events *e = pscm_map(sizeof *e);

	if (!e)
		return NULL;
	e->sums = pscm_map(MON_CONTEXTS * sizeof *e->sums);
	if (!e->sums) {
		pscm_unmap(e, sizeof *e);
		return NULL;
	}
	return e;
}

static struct pscm_events *events_of(struct pscm_thread *t)
{
	return atomic_load_explicit(&t->events, memory_order_acquire);
}

static void add(struct event_sums *s, const uint64_t now[1 + SUMS], const uint64_t last[1 + SUMS],
	uint32_t n)
{
	for (uint32_t i = 0; i < VALUES + n; i++)
		s->now[i] += now[1 + i] > last[1 + i] ? now[1 + i] - last[1 + i] : 0;
}

void events_cut(struct pscm_thread *t, uint32_t context, bool wanted)
{
	struct pscm_events *e = events_of(t);
	uint64_t now[1 + SUMS];

	if (!e || !e->counting)
		return;
	e->known = false;
	if (!enter(e))
		return;
	if (e->counting && e->experiment == events.experiment && group_read(e, now)) {
		if (wanted && t->times.state == PSCM_RUNS)
			add(&e->sums[context], now, e->last, e->n);
		e->known = true;
	}
	e->counting = false;
	leave(e);
}

void events_resume(struct pscm_thread *t)
{
	struct pscm_events *e = events_of(t);

	if (t->times.state != PSCM_RUNS)
		return;
	if (!e) {
		e = events_make();
		if (!e) {
			fail(0, ENOMEM);
			return;
		}
		atomic_store_explicit(&t->events, e, memory_order_release);
	}
	if (!enter(e))
		return;
	/* The experiment may have ended meanwhile. */
	if (events_wanted() && (e->experiment == events.experiment || group_open(e)) && e->n)
		e->counting = group_read(e, e->last);
	e->known = false;
	leave(e);
}

void events_leave(struct pscm_thread *t)
{
	struct pscm_events *e = events_of(t);

	if (!e)
		return;
	if (events_wanted())
		events_cut(t, pscm_region_stack_context(t), true);
	if (!enter(e))
		return;
	group_close(e);
	leave(e);
}

void events_forked(void)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_events *e = events_of(pscm_thread_at(i));

		if (e)
			group_close(e);
	}
	sandbox_stop();
}

/* --- experiments ---------------------------------------------------------------------------- */

/* Does something with the sums of each thread. */
static void each(void (*what)(struct pscm_events *e, uint32_t ncontexts))
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);

	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_events *e = events_of(pscm_thread_at(i));

		if (!e)
			continue;
		if (hold(e))
			what(e, ncontexts);
		atomic_store(&e->held, 0);
	}
}

static void forget(struct pscm_events *e, uint32_t ncontexts)
{
	memset(e->sums, 0, ncontexts * sizeof *e->sums);
}

enum mon_drop events_arm(struct mon_request *r)
{
	uint32_t n = r->nevents;

	if (!n || n > MON_EVENTS_MOST)
		return MON_DROP_REQUEST;
	events.n = n;
	for (uint32_t k = 0; k < n; k++)
		events.event[k] = r->event[k];
	atomic_store(&events.failed, 0);
	each(forget);
	events.experiment++;
	if (!sandbox_around())
		return MON_DROP_NONE;
	r->failed_event = 0;
	r->failed_errno = 0;
	return MON_DROP_EVENTS;
}

bool events_failed(struct mon_request *r)
{
	uint32_t failed = atomic_load(&events.failed);

	if (!failed)
		return false;
	r->failed_event = failed - 1;
	r->failed_errno = atomic_load(&events.failed_errno);
	return true;
}

static void finish(struct pscm_events *e, uint32_t ncontexts)
{
	(void)ncontexts;
	group_close(e);
}

void events_finish(void)
{
	each(finish);
}

/* Writes a context's rows.  false: they do not fit. */
static bool rows_of(struct pscm_armed *a, const struct event_sums *s, uint32_t context,
	uint32_t thread)
{
	for (uint32_t k = 0; k < events.n && s->now[ENABLED]; k++) {
		struct mon_event_row *r = pscm_row_events(a);

		if (!r)
			return false;
		*r = (struct mon_event_row){ context, thread, k, a->progress - a->warm,
			s->now[VALUES + k], s->now[ENABLED], s->now[RUNNING] };
	}
	return true;
}

void events_executed(struct pscm_armed *a, bool counted)
{
	uint32_t ncontexts = atomic_load(&pscm_shm->ncontexts);

	for (uint32_t i = 0; i < pscm_thread_count() && counted && !a->failed; i++) {
		struct pscm_thread *t = pscm_thread_at(i);
		struct pscm_events *e = events_of(t);

		for (uint32_t c = 0; e && c < ncontexts && !a->failed; c++)
			if (pscm_wanted(a, c, MON_ANY, false) &&
			    !rows_of(a, &e->sums[c], c, t->index))
				a->failed = MON_DROP_ROWS;
	}
	each(forget);
}

/* --- the collector ---------------------------------------------------------------------------- */

static bool wants(const struct mon_request *r)
{
	return r->kind == MON_EVENTS;
}

static enum mon_drop arm(struct pscm_armed *a)
{
	return events_arm(a->request);
}

static bool executed(struct pscm_armed *a, const struct collector_execution *e)
{
	events_executed(a, e->counted);
	if (events_failed(a->request))
		a->failed = MON_DROP_EVENTS;
	return e->counted;
}

static void end(struct pscm_armed *a)
{
	(void)a;
	events_finish();
}

const struct pscm_collector collect_events = { .mode = PSCM_MODE_TIME | PSCM_MODE_CUT,
	.most = MON_EXECUTIONS, .clean = true, .slower = true, .wants = wants, .arm = arm,
	.cut = events_cut, .resume = events_resume, .take = executed, .finish = end,
	.forked = events_forked, .leave = events_leave };
