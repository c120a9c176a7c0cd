/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives signal handlers a record buffer of their own.
 *
 * Recording code loads psc_cur, writes words there, and advances psc_cur last.  A handler that used
 * the same buffer would overwrite half a record of the code that it interrupts.  So the outermost
 * routine of a handler, the one that the kernel called, switches to a buffer for its depth of
 * interruption.  The interrupted code simulates those words at its next flush, which the handler's
 * end brings forward.  Nothing here takes a lock or the guard: the handler may have interrupted the
 * monitor itself. */
#include "monitor/host/signals.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/regions.h"
#include "monitor/state.h"
#include "base/from_kernel.h"
#include <errno.h>

/* Discards words that wait in the buffer if they are of another experiment or interval, or fill
 * it. */
static void buffer_renew(struct pscm_signal *s)
{
	uint32_t experiment = atomic_load(&pscm_experiment);
	uint32_t interval = atomic_load(&pscm_interval);

	if (s->experiment == experiment && s->interval == interval &&
	    atomic_load(&s->pos) < s->words + PSCM_SIGNAL_WORDS)
		return;
	atomic_fetch_add(&pscm_lost, (uint64_t)(atomic_load(&s->pos) - s->words));
	atomic_store(&s->pos, s->words);
	s->experiment = experiment;
	s->interval = interval;
}

static void handler_begin(struct pscm_thread *t, struct pscm_signal *s)
{
	if (!s->words) {
		s->words = pscm_map((PSCM_SIGNAL_WORDS + PSC_SLACK_WORDS) * sizeof *s->words);
		atomic_store(&s->pos, s->words);
	}
	if (!s->words) {
		atomic_fetch_add(&pscm_lost, 1);
		pscm_record_sink();
		return;
	}
	buffer_renew(s);
	pscm_record_set_buffer(atomic_load(&s->pos), s->words + PSCM_SIGNAL_WORDS);
	*psc_cur++ = (uint64_t)pscm_region_stack_context(t) << 3 | PSC_REC_CONTEXT;
}

/* A token: the handler's number, shifted by this many bits, and its depth + 1. */
enum { DEPTH = 8 };

uint64_t __psc_signal_begin(const void *from)
{
	struct pscm_thread *t = pscm_self;
	struct pscm_signal *s;
	int saved = errno;

	if (!(pscm_mode() & PSCM_MODE_SIM) || !t || !psc_cur || !from_kernel(from))
		return 0;
	if (t->signals == PSCM_SIGNALS) {
		atomic_fetch_add(&pscm_lost, 1);
		pscm_record_sink();
		return 0;
	}
	/* Take the depth first: a handler that interrupts this code gets the next buffer. */
	s = &t->signal[t->signals++];
	atomic_signal_fence(memory_order_seq_cst);
	s->cur = psc_cur;
	s->end = psc_end;
	s->number = ++t->handled;
	handler_begin(t, s);
	errno = saved;
	return (uint64_t)s->number << DEPTH | ((uint64_t)(s - t->signal) + 1);
}

void pscm_signal_leave(struct pscm_thread *t, uint32_t depth)
{
	struct pscm_signal *s = &t->signal[depth], *top = &t->signal[t->signals - 1];

	if (top->words && psc_cur >= top->words &&
	    psc_cur <= top->words + PSCM_SIGNAL_WORDS + PSC_SLACK_WORDS)
		atomic_store(&top->pos, psc_cur);
	/* Outside of all handlers, psc_end becomes NULL: the next request for space flushes, and
	 * the handlers' words wait no longer.  A nested handler must not flush: it may have
	 * interrupted the monitor. */
	pscm_record_set_buffer(s->cur, depth ? s->end : NULL);
	atomic_signal_fence(memory_order_seq_cst);
	t->signals = depth;
}

void __psc_signal_end(uint64_t token)
{
	struct pscm_thread *t = pscm_self;
	uint32_t depth = (uint32_t)token & ((1u << DEPTH) - 1);

	if (!token || !t)
		return;
	if (t->signals >= depth && t->signal[depth - 1].number == (uint32_t)(token >> DEPTH))
		pscm_signal_leave(t, depth - 1);
	else    /* handlers on several stacks end in any order: flush before more words */
		psc_end = NULL;
}

bool pscm_signals_wait(const struct pscm_thread *t)
{
	for (uint32_t i = 0; i < PSCM_SIGNALS; i++)
		if (atomic_load(&t->signal[i].pos) != t->signal[i].words)
			return true;
	return false;
}

void pscm_signals_drop(struct pscm_thread *t)
{
	for (uint32_t i = 0; i < PSCM_SIGNALS; i++)
		atomic_store(&t->signal[i].pos, t->signal[i].words);
}

void pscm_signals_free(struct pscm_thread *t)
{
	for (uint32_t i = 0; i < PSCM_SIGNALS; i++) {
		struct pscm_signal *s = &t->signal[i];

		if (s->words)
			pscm_unmap(s->words, (PSCM_SIGNAL_WORDS + PSC_SLACK_WORDS) *
				sizeof *s->words);
		s->words = NULL;
		atomic_store(&s->pos, NULL);
	}
}
