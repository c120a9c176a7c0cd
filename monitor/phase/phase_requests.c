/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of the agent: which is due, armed, and ended. */
#include "monitor/phase/phase.h"
#include "monitor/collect/events.h"
#include "monitor/collect/kernel_use.h"
#include "monitor/collect/mpi_rows.h"
#include "monitor/collect/one_cpu.h"
#include "monitor/host/sandbox.h"
#include "monitor/phase/slice_budget.h"
#include "monitor/phase/slices.h"
#include "base/clock.h"

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
	one_cpu_end();
	pscm_units_native(false);
	a->failed = failed;
	if (a->kind == MON_EVENTS) {
		events_finish();
	} else if (a->kind != MON_TIME) {
		pscm_record_finish(a);
		slices_finish(r);
	}
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
	if (a->kernel_only == MON_KERNEL_WHOLE)
		kernel_use_finish(r);
	mpi_rows_finish(a);
	slice_budget_finish(r);
	r->rows = a->rows;
	r->executions = a->progress > a->warm ? a->kernel_only ? 1 : a->progress - a->warm : 0;
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

/* The number of a void execution comes again: then the request stays ready. */
void request_verify(void)
{
	struct mon_request *r = pscm_phase.verify;
	struct pscm_thread *t = pscm_thread_self();

	pscm_phase.verify = NULL;
	r->rows = (struct mon_row_numbers){ 0 };
	r->records = r->words = r->lost = r->unhandled = 0;
	r->classes = r->sampled = r->groups = r->slices = r->slice_flags = 0;
	r->ran_first = pscm_phase.begun;
	r->executions = 1;
	if (!t) {
		request_close(r, MON_DROPPED, MON_DROP_MEMORY);
		return;
	}
	if (pscm_verify(r, t))
		return;
	if (r->verified.refusal == MON_VERIFY_VOID)
		atomic_store_explicit(&r->state, MON_READY, memory_order_release);
	else
		request_close(r, MON_DONE, MON_DROP_NONE);
}

static enum mon_drop request_arm(struct mon_request *r, uint32_t slot)
{
	struct pscm_armed *a = &pscm_phase.armed;

	*a = (struct pscm_armed){ .slot = slot, .kind = r->kind, .warm = r->warm,
		.sample = r->sample, .count = r->count, .nfilters = r->nfilters,
		.nvariants = r->nvariants, .one_cpu = r->one_cpu && r->kind == MON_TIME,
		.kernel_only = r->kind == MON_TIME ? r->kernel_only : 0 };
	if (a->kind < MON_TIME || a->kind > MON_EVENTS || a->kind == MON_VERIFY || !a->count ||
	    a->count > (a->kernel_only ? MON_KERNEL_EXECUTIONS : MON_EXECUTIONS) || a->warm > 1000 || a->nfilters > MON_FILTERS ||
	    a->nvariants > MON_VARIANTS || (a->nvariants && a->kind != MON_SIM))
		return MON_DROP_REQUEST;
	if (a->one_cpu && sandbox_around())
		return MON_DROP_CPU;
	for (uint32_t i = 0; i < a->nfilters; i++)
		a->filter[i] = r->filter[i];
	for (uint32_t i = 0; i < a->nvariants; i++)
		a->variant[i] = r->variant[i];
	atomic_store(&pscm_lost, 0);
	atomic_store(&pscm_unhandled, 0);
	slice_budget_arm();
	r->ran_first = r->records = r->words = 0;
	r->kernel_executions = 0;
	r->classes = r->sampled = r->groups = r->slices = r->slice_flags = 0;
	kernel_use_arm(false, false);
	if (a->kind == MON_EVENTS) {
		enum mon_drop failed = events_arm(r);

		if (failed)
			return failed;
	} else if (a->kind != MON_TIME) {
		enum mon_drop failed = pscm_record_arm(a);

		if (failed)
			return failed;
		slices_arm(a, (struct slice_clean){ pscm_phase.clean, pscm_phase.clean_cpu });
	} else {
		if (!a->one_cpu)
			pscm_phase.clean = pscm_phase.clean_cpu = 0;
		kernel_use_arm(true, !a->kernel_only && !a->one_cpu);
		mpi_rows_arm(a);
	}
	if (mon_unrecorded(a->kind) && pscm_phase.lingers)
		r->slice_flags |= MON_SLICE_LINGER;
	a->request = r;
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
	return atomic_load_explicit(&r->state, memory_order_acquire) == MON_READY && r->generation == pscm_phase.generation &&
		r->first <= n;
}

bool requests_any_due(uint64_t n)
{
	for (uint32_t i = 0; i < MON_SLOTS; i++)
		if (request_is_due(&pscm_shm->request[i], n))
			return true;
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
		enum mon_drop failed;

		if (!request_is_due(r, n))
			continue;
		if (has_passed(r, n, numbered) || pscm_phase.armed.request || pscm_phase.verify || !has_share(r)) {
			request_close(r, MON_MISSED, MON_DROP_NONE);
			continue;
		}
		if (r->kind == MON_VERIFY) {
			atomic_store_explicit(&r->state, MON_ARMED, memory_order_release);
			pscm_phase.verify = r;
			continue;
		}
		failed = request_arm(r, i);
		if (failed)
			request_close(r, MON_DROPPED, failed);
	}
}
