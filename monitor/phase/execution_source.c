/* SPDX-License-Identifier: BSD-3-Clause */
/* What begins and ends an execution: the phase itself, a number, a span of time. */
#include "monitor/phase/execution_source.h"
#include "monitor/host/threads.h"
#include "monitor/phase/timed_spans.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"

static _Atomic uint64_t given;          /* number; 0: none */

void execution_number(uint64_t n)
{
	atomic_store_explicit(&given, n, memory_order_relaxed);
}

static uint64_t next_number(uint64_t last)
{
	return last + 1;
}

static uint64_t given_number(uint64_t last)
{
	uint64_t n = atomic_load_explicit(&given, memory_order_relaxed);

	return n > last ? n : last;
}

/* --- spans of time --------------------------------------------------------------------------- */

/* Between measured spans of time the markers go on, so that the next one knows the open regions. */
static void watch(void)
{
	if (!pscm_thread_self() || !pscm_on())
		return;
	pscm_units_call(PSCM_CALLS_SLICED);
	pscm_units_native(false);
	pscm_flag(&__psc_live, 1);
	atomic_store(&pscm_live.mode, PSCM_MODE_WATCH);
}

static void watch_end(void)
{
	if (!pscm_on())
		return;
	atomic_store(&pscm_live.mode, 0);
	pscm_flag(&__psc_live, 0);
	pscm_units_call(PSCM_CALLS_NONE);
}

const struct execution_source *execution_source(void)
{
	static const struct execution_source phase = { .begins = next_number };
	static const struct execution_source numbered = { .numbered = true,
		.begins = given_number };
	static const struct execution_source spans = {
		.cuts = true, .begins = next_number, .begun = timed_begin,
		.carries = pscm_region_stack_carry, .rests = watch, .ends = watch_end
	};

	if (pscm_timed())
		return &spans;
	return atomic_load_explicit(&given, memory_order_relaxed) ? &numbered : &phase;
}
