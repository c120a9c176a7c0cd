/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of the agent: which is due, armed, and ended. */
#include "monitor/address/first_touch.h"
#include "monitor/collect/armed.h"
#include "monitor/connect.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/phase/phase.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"
#include "base/clock.h"
#include <string.h>

void request_close(struct mon_request *r, enum mon_state state, enum mon_drop reason)
{
	r->reason = reason;
	if (state != MON_DONE)
		r->rows = (struct mon_row_numbers){ 0 };
	atomic_store_explicit(&r->state, state, memory_order_release);
	pscm_event();
}

void request_end(enum mon_state state, enum mon_drop failed)
{
	struct pscm_armed *a = &pscm_phase.armed;
	struct mon_request *r = a->request;

	atomic_store(&pscm_live.mode, 0);
	pscm_units_native(false);
	a->failed = failed;
	if (a->collector->finish)
		a->collector->finish(a);
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
	r->rows = a->rows;
	r->executions = a->progress > a->warm ? a->collector->sums ? 1 : a->progress - a->warm : 0;
	r->lost = atomic_load(&pscm_lost);
	r->unhandled = atomic_load(&pscm_unhandled);
	a->request = NULL;
	pscm_phase.suspended = false;
	pscm_phase.ns = pscm_phase.cpu = 0;
	request_close(r, a->failed ? MON_DROPPED : state, a->failed);
}

void request_finish(enum mon_drop failed)
{
	request_end(MON_DONE, failed);
}

/* A slot's earlier result goes. */
static void request_reset(struct mon_request *r)
{
	r->rows = (struct mon_row_numbers){ 0 };
	r->ran_first = r->records = r->words = r->lost = r->unhandled = 0;
	r->classes = r->sampled = r->groups = r->slices = r->slice_flags = 0;
	r->kernel_executions = 0;
	memset(r->kernel, 0, sizeof r->kernel);
}

/* The number of a void execution comes again: then the request stays ready. */
void request_run(void)
{
	struct mon_request *r = pscm_phase.aside.request;
	struct pscm_thread *t = pscm_thread_self();

	pscm_phase.aside.request = NULL;
	request_reset(r);
	r->ran_first = pscm_phase.begun;
	r->executions = 1;
	if (!t) {
		request_close(r, MON_DROPPED, MON_DROP_MEMORY);
		return;
	}
	switch (pscm_phase.aside.collector->run(r, t)) {
	case COLLECTOR_COPY:
		return;
	case COLLECTOR_VOID:
		atomic_store_explicit(&r->state, MON_READY, memory_order_release);
		return;
	case COLLECTOR_DONE:
		request_close(r, MON_DONE, MON_DROP_NONE);
	}
}

/* What the request says, copied: the program may overwrite the original.  false: it is
 * malformed. */
static bool request_read(struct pscm_armed *a, const struct pscm_collector *c,
	const struct mon_request *r, uint32_t slot)
{
	*a = (struct pscm_armed){ .slot = slot, .collector = c, .kind = r->kind, .warm = r->warm,
		.sample = r->sample, .count = r->count, .nfilters = r->nfilters,
		.nvariants = r->nvariants };
	if (!a->count || a->count > c->most || a->warm > 1000 || a->nfilters > MON_FILTERS ||
	    a->nvariants > MON_VARIANTS)
		return false;
	memcpy(a->filter, r->filter, a->nfilters * sizeof *a->filter);
	memcpy(a->variant, r->variant, a->nvariants * sizeof *a->variant);
	return true;
}

static enum mon_drop request_arm(const struct pscm_collector *c, struct mon_request *r,
	uint32_t slot)
{
	struct pscm_armed *a = &pscm_phase.armed;
	enum mon_drop failed;

	if (!request_read(a, c, r, slot))
		return MON_DROP_REQUEST;
	atomic_store(&pscm_lost, 0);
	atomic_store(&pscm_unhandled, 0);
	request_reset(r);
	if (c->clean)
		first_touch_end();
	a->request = r;
	failed = c->arm(a);
	if (failed) {
		a->request = NULL;
		return failed;
	}
	if (c->clean && pscm_phase.lingers)
		r->slice_flags |= MON_SLICE_LINGER;
	atomic_store_explicit(&r->state, MON_ARMED, memory_order_release);
	return MON_DROP_NONE;
}

/* Has the phase the share of the time since its first execution that the request wants? */
static bool has_share(const struct mon_request *r)
{
	uint64_t first = UINT64_MAX, in = 0, now = clock_ns() - atomic_load(&pscm_shm->paused_ns);

	if (!r->least_percent)
		return true;
	for (uint32_t i = 0; i < pscm_shm->ncandidates && i < MON_CANDIDATES; i++) {
		const struct mon_candidate *c = &pscm_shm->candidate[i];
		uint64_t begun = atomic_load(&c->first), since = atomic_load(&c->since);

		if (!begun || !pscm_region_is_phase(c->hash, c->index))
			continue;
		first = begun < first ? begun : first;
		in += atomic_load(&c->ns) + (since && now > since ? now - since : 0);
	}
	return first < now && in >= (now - first) / 100 * r->least_percent;
}

bool request_is_due(const struct mon_request *r, uint64_t n)
{
	return atomic_load_explicit(&r->state, memory_order_acquire) == MON_READY &&
		r->generation == pscm_phase.generation && r->first <= n;
}

bool requests_any_due(uint64_t n)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (request_is_due(&pscm_shm->request[i], n))
			return true;
	return false;
}

bool request_next_is_clean(void)
{
	if (pscm_phase.armed.request)
		return pscm_phase.armed.collector->clean;
	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		const struct mon_request *r = &pscm_shm->request[i];
		const struct pscm_collector *c = collector_of(r);

		if (c && c->clean && request_is_due(r, pscm_phase.begun + 1))
			return true;
	}
	return false;
}

/* A process may have no execution with the first number. */
static bool has_passed(const struct mon_request *r, uint64_t n, bool numbered)
{
	return r->first < n && !(numbered && n < r->first + r->warm + r->count);
}

void requests_due(uint64_t n, bool numbered)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++) {
		struct mon_request *r = &pscm_shm->request[i];
		const struct pscm_collector *c;
		enum mon_drop failed;

		if (!request_is_due(r, n))
			continue;
		if (has_passed(r, n, numbered) || pscm_phase.armed.request ||
		    pscm_phase.aside.request || !has_share(r)) {
			request_close(r, MON_MISSED, MON_DROP_NONE);
			continue;
		}
		c = collector_of(r);
		if (c && c->run) {
			atomic_store_explicit(&r->state, MON_ARMED, memory_order_release);
			pscm_phase.aside.request = r;
			pscm_phase.aside.collector = c;
			continue;
		}
		failed = c ? request_arm(c, r, i) : MON_DROP_REQUEST;
		if (failed)
			request_close(r, MON_DROPPED, failed);
	}
}

void pscm_phase_forking(void)
{
	if (!pscm_shm || !pscm_on())
		return;
	pscm_lock(&pscm_phase.lock);
	collectors_forking();
	pscm_unlock(&pscm_phase.lock);
}
