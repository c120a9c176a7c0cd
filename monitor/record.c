/* SPDX-License-Identifier: BSD-3-Clause */
/* Record buffers: who fills them, who empties them, when.
 *
 * A thread fills its own buffer and empties it when it is full.  At the end of an execution the
 * boundary's thread empties its own and those of parked threads (outside their team's region);
 * it never touches the owner's psc_cur, it only moves `tail`.  A thread that runs on keeps its
 * words until the end of the experiment. */
#include "monitor/record_check.h"
#include "monitor/touch.h"
#include <errno.h>
#include <string.h>

int __psc_recording;
int __psc_live;
__thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));

_Atomic uint64_t pscm_unhandled, pscm_lost;

static struct {
	pthread_mutex_t attach;         /* guards the making of caches */
	_Atomic uint32_t run, stretch;
	_Atomic uint32_t forks;         /* of teams, by threads that are in none */
	_Atomic bool counting, play;
	struct sample sample;           /* of the first simulation, or unused */
	uint32_t shared_words;
	/* What all records are played on: the machine with the program as it is, then variants. */
	struct simulation {
		struct sim sim;
		struct pscm_whatif whatif;      /* of variants */
		uint32_t cores;                 /* that joined; guarded by attach */
		struct share *_Atomic share;    /* from the second one on */
	} simulation[1 + MON_VARIANTS];
	uint32_t nsimulations;
} record = { .attach = PTHREAD_MUTEX_INITIALIZER };

/* Where a thread writes that cannot record: each of its blocks comes back to __psc_flush(). */
uint64_t pscm_sink[PSC_SLACK_WORDS + 64];

static void lose(uint64_t n)
{
	atomic_fetch_add_explicit(&pscm_lost, n, memory_order_relaxed);
}

/* What the thread wrote there since it last asked for room. */
static void lose_sink(void)
{
	bool in = psc_cur > pscm_sink && psc_cur <= pscm_sink + sizeof pscm_sink / sizeof *pscm_sink;

	lose(in ? (uint64_t)(psc_cur - pscm_sink) : 1);
}

static struct pscm_view *view_of(struct pscm_thread *t, uint32_t simulation)
{
	return simulation ? t->variant[simulation - 1] : &t->view;
}

static bool view_room(struct pscm_view *v)
{
	if (!v->sim.core.cells)
		v->sim.core.cells = pscm_map(SIM_CELLS * sizeof *v->sim.core.cells);
	if (!v->sim.core.index)
		v->sim.core.index = pscm_map(2 * SIM_CELLS * sizeof *v->sim.core.index);
	if (record.simulation[0].sim.sample && !v->sim.core.sums)
		v->sim.core.sums = pscm_map(SIM_CELLS * sizeof *v->sim.core.sums);
	return v->sim.core.cells && v->sim.core.index && (!record.simulation[0].sim.sample || v->sim.core.sums);
}

static bool buffer_make(struct pscm_thread *t)
{
	if (!t->words) {
		t->words = pscm_map((PSCM_WORDS + PSC_SLACK_WORDS) * sizeof *t->words);
		t->tail = t->words;
	}
	if (!t->work_stack)
		t->work_stack = pscm_stack_make();
	return t->words && view_room(&t->view);
}

static void buffer_reset(struct pscm_thread *t)
{
	t->tail = t->words;
	pscm_record_place(t->words, t->words +
		(atomic_load_explicit(&record.simulation[0].share, memory_order_relaxed) ?
		record.shared_words : PSCM_WORDS));
	atomic_store_explicit(&t->pos, psc_cur, memory_order_release);
}

/* Coherence between the cores of a simulation; record.attach is held. */
static struct share *share_make(struct simulation *x)
{
	const struct machine_flat *m = &x->sim.machine;
	struct share *s = atomic_load(&x->share);

	if (!s && m->ncpus > 1 && atomic_load(&record.play)) {
		s = share_new(&pscm_sim_env, m, pscm_shm->turn);
		if (!s)
			lose(1);
		atomic_store(&x->share, s);
	}
	return s;
}

/* It begins with the second core, if nobody knew that more would come; the first one joins at its next
 * batch. */
static void share_join(struct simulation *x, struct pscm_view *v, uint32_t thread)
{
	struct share *s = x->cores++ ? share_make(x) : atomic_load(&x->share);

	if (s && share_attach(s, &v->sim.core, thread))
		lose(1);
}

/* Makes a view one of a simulation of this experiment. */
static bool view_join(struct pscm_view *v, struct simulation *x, uint32_t thread)
{
	const struct machine_flat *m = &x->sim.machine;
	bool ok;

	sim_core_clear(&v->sim.core);
	pscm_lock(&record.attach);
	ok = !sim_core_attach(&v->sim.core, &x->sim, thread);
	if (ok)
		share_join(x, v, thread);
	pscm_unlock(&record.attach);
	v->pages = x->sim.space;
	v->sim.asker = v;
	v->node = m->nodes.count > 1 ? thread % (m->ncpus ? m->ncpus : 1) /
		(m->nodes.cpus ? m->nodes.cpus : 1) : 0;
	v->sim.places = UINT32_MAX;
	return ok;
}

static bool views_join(struct pscm_thread *t)
{
	bool ok = view_join(&t->view, &record.simulation[0], t->index);

	for (uint32_t i = 1; i < record.nsimulations && ok; i++) {
		struct pscm_view *v = t->variant[i - 1];

		if (!v)
			v = t->variant[i - 1] = pscm_map(sizeof *v);
		ok = v && view_room(v) && view_join(v, &record.simulation[i], t->index);
		if (ok) {
			v->whatif = &record.simulation[i].whatif;
			v->sim.whole = true;
		}
	}
	return ok;
}

/* Makes the owner's views and buffer belong to this experiment; t->lock is held. */
static bool join_run(struct pscm_thread *t)
{
	uint32_t run = atomic_load(&record.run), stretch = atomic_load(&record.stretch);
	bool ok = true;

	if (likely(t->run == run && t->stretch == stretch))
		return true;
	if (t->run != run)
		ok = views_join(t);
	buffer_reset(t);        /* what lies there is older */
	t->view.sim.context = pscm_stack_context(t);
	if (!ok)
		return false;
	if (t->run != run)
		t->played = 0;
	t->run = run;
	t->stretch = stretch;
	return true;
}

/* Plays [from, end) in one simulation; returns the words not understood. */
static size_t play(struct pscm_thread *t, uint32_t i, const uint64_t *from, const uint64_t *end,
	bool counting)
{
	struct share *share = atomic_load(&record.simulation[i].share);
	struct pscm_view *v = view_of(t, i);
	size_t lost;

	if (unlikely(!v->sim.core.sharing && share))
		share_attach(share, &v->sim.core, t->index);
	if (v->sim.core.sharing)
		share_begin(v->sim.core.sharing, t->team ? t->team : atomic_load(&pscm_epoch));
	v->sim.generation = atomic_load(&pscm_space_generation);
	lost = sim_batch(&v->sim, from, end, counting, atomic_load(&record.play));
	if (v->sim.core.sharing)
		share_end(v->sim.core.sharing);
	return lost;
}

struct batch {
	struct pscm_thread *thread;
	const uint64_t *from, *end;
};

static void consume_batch(void *batch)
{
	const struct batch *b = batch;
	struct pscm_thread *t = b->thread;
	const uint64_t *from = b->from, *end = b->end;
	/* Once: another thread may begin the first counted execution meanwhile. */
	bool counting = atomic_load(&record.counting);
	size_t lost;

	pscm_space_refresh();
	if (pscm_check_wanted())
		pscm_check_words(t, from, end, counting);
	t->played += (uint64_t)(end - from);
	for (uint32_t i = 1; i < record.nsimulations; i++) {
		t->variant[i - 1]->sim.context = t->view.sim.context;
		play(t, i, from, end, counting);
	}
	lost = play(t, 0, from, end, counting);
	t->played -= lost;
	lose(lost);
}

/* Consumes [from, end) on the thread's second stack; t->lock is held, the views are of this experiment. */
static void consume(struct pscm_thread *t, const uint64_t *from, const uint64_t *end)
{
	struct batch b = { t, from, end };

	if (end > from)
		pscm_stack_run(t->work_stack, consume_batch, &b);
}

/* --- signal handlers' words ------------------------------------------------------------------------ */

void pscm_record_stamp(uint32_t *run, uint32_t *stretch)
{
	*run = atomic_load(&record.run);
	*stretch = atomic_load(&record.stretch);
}

/* They begin with their context; what follows goes on in that of the thread. */
static void consume_apart(struct pscm_thread *t, const struct pscm_signal *s, const uint64_t *from,
	const uint64_t *end)
{
	uint32_t context = t->view.sim.context;

	if (s->run == t->run && s->stretch == t->stretch)
		consume(t, from, end);
	else
		lose((uint64_t)(end - from));
	t->view.sim.context = context;
}

/* What handlers recorded while they interrupted the thread; more of them may do so meanwhile. */
static void consume_signals(struct pscm_thread *t)
{
	for (uint32_t i = 0; i < PSCM_SIGNALS; i++) {
		struct pscm_signal *s = &t->signal[i];
		uint64_t *from = s->words, *end = atomic_load(&s->pos);

		do {
			if (end > from)
				consume_apart(t, s, from, end);
			from = end;
		} while (!atomic_compare_exchange_strong(&s->pos, &end, s->words));
	}
}

/* In a handler whose room is full: its words are played before those of what it interrupts. */
static void flush_signal(struct pscm_thread *t)
{
	struct pscm_signal *s = &t->signal[t->signals - 1];

	if (s->words && psc_cur >= s->words &&
	    psc_cur <= s->words + PSCM_SIGNAL_WORDS + PSC_SLACK_WORDS)
		consume_apart(t, s, s->words, psc_cur);
	else
		lose(1);
	if (!s->words)
		return;
	atomic_store(&s->pos, s->words);
	pscm_record_place(s->words, s->words + PSCM_SIGNAL_WORDS);
	*psc_cur++ = (uint64_t)pscm_stack_context(t) << 3 | PSC_REC_CONTEXT;
}

/* --- buffers ----------------------------------------------------------------------------------------- */

static bool in_buffer(const struct pscm_thread *t, const uint64_t *p)
{
	return p >= t->words && p <= t->words + PSCM_WORDS + PSC_SLACK_WORDS;
}

/* By the owner, with t->lock held. */
static void flush_own(struct pscm_thread *t)
{
	uint64_t waiting;

	if (unlikely(t->signals)) {
		flush_signal(t);
		return;
	}
	if (!(pscm_mode() & PSCM_MODE_SIM)) {
		pscm_signals_drop(t);
		buffer_reset(t);
		return;
	}
	pscm_stack_sync(t);
	waiting = in_buffer(t, psc_cur) && psc_cur > t->tail ? (uint64_t)(psc_cur - t->tail) : 1;
	if (!join_run(t)) {
		lose(waiting);
		pscm_signals_drop(t);
		buffer_reset(t);
		return;
	}
	/* After a signal handler met the monitor at work, psc_cur is in the sink. */
	if (in_buffer(t, psc_cur))
		consume(t, t->tail, psc_cur);
	else if (psc_cur)
		lose_sink();
	consume_signals(t);
	buffer_reset(t);
}

void __psc_flush(void)
{
	int saved = errno;
	struct pscm_thread *t = NULL;

	if (!pscm_guard()) {
		if (pscm_mode() & PSCM_MODE_SIM)
			lose_sink();
		pscm_record_sink();
		return;
	}
	if (pscm_on())
		t = pscm_thread_self();
	else
		/* The child of a fork() that we did not see. */
		pscm_flag(&__psc_recording, 0), pscm_flag(&__psc_live, 0);
	if (t && buffer_make(t)) {
		pscm_lock(&t->lock);
		flush_own(t);
		pscm_unlock(&t->lock);
	} else {
		if (pscm_mode())
			lose_sink();
		pscm_record_sink();
	}
	pscm_unguard();
	errno = saved;
}

/* Code may be recording still when nothing is recorded any more; who never did gets no buffer. */
void pscm_record_room(void)
{
	if (!pscm_flag_is(&__psc_recording) && !psc_end)
		pscm_record_sink();
	else
		__psc_flush();
}

void pscm_record_context(struct pscm_thread *t, uint32_t context)
{
	if (!psc_cur)
		return; /* its first flush looks at the stack */
	if (unlikely(psc_cur >= psc_end || t->run != atomic_load(&record.run) ||
	    t->stretch != atomic_load(&record.stretch))) {
		if (!buffer_make(t))
			return;
		pscm_lock(&t->lock);
		flush_own(t);
		if (!t->signals)
			t->view.sim.context = context;
		pscm_unlock(&t->lock);
		return;
	}
	*psc_cur++ = (uint64_t)context << 3 | PSC_REC_CONTEXT;
	if (!t->signals)
		atomic_store_explicit(&t->pos, psc_cur, memory_order_release);
}

/* libgomp's, where the program has it. */
int omp_get_max_threads(void) __attribute__((weak));
int omp_get_num_threads(void) __attribute__((weak));

/* Whom the thread runs beside changes: with several threads, what it did so far is played. */
static void company_changes(struct pscm_thread *t, bool comes)
{
	if (!t->words || !in_buffer(t, psc_cur) || (!comes && !atomic_load(&record.simulation[0].share)))
		return;
	pscm_lock(&t->lock);
	flush_own(t);
	pscm_unlock(&t->lock);
}

void pscm_record_fork(struct pscm_thread *t)
{
	if (t->team)
		return;
	company_changes(t, omp_get_max_threads && omp_get_max_threads() > 1);
	atomic_fetch_add(&record.forks, 1);
}

/* Who is in the same stretch of work may run side by side: between two barriers of a region.  All
 * threads of a team count alike: forks above, then the barriers passed, in these bits. */
enum { BARRIERS = 11 };

/* Before the thread does anything in its first team: else what that did until its first words are played,
 * which may be at the end of the execution, would be played as if each were alone, and by one of them. */
static void team_joins(struct pscm_thread *t)
{
	bool several = omp_get_num_threads && omp_get_num_threads() > 1;

	if (t->signals || (t->run == atomic_load(&record.run) &&
	    (!several || atomic_load(&record.simulation[0].share))) || !buffer_make(t))
		return;
	pscm_lock(&t->lock);
	if (pscm_mode() & PSCM_MODE_SIM) {
		pscm_lock(&record.attach);
		for (uint32_t i = 0; several && i < record.nsimulations; i++)
			share_make(&record.simulation[i]);
		pscm_unlock(&record.attach);
		join_run(t);
	}
	pscm_unlock(&t->lock);
}

void pscm_record_team(struct pscm_thread *t)
{
	if (!t->team)
		t->team = 1u << 31 | atomic_load(&record.forks) << BARRIERS;
	if (pscm_flag_is(&__psc_recording))
		team_joins(t);
}

/* What it did is played while the others may still be at work; behind the barrier they would wait for it. */
void pscm_record_wait(struct pscm_thread *t)
{
	if (t->team)
		company_changes(t, false);
}

void pscm_record_barrier(struct pscm_thread *t)
{
	uint32_t passed = (1u << BARRIERS) - 1;

	if (!t->team)
		return;
	company_changes(t, false);
	t->team = (t->team & ~passed) | ((t->team + 1) & passed);
}

void pscm_record_alone(struct pscm_thread *t)
{
	company_changes(t, false);
	t->team = 0;
}

void pscm_record_park(struct pscm_thread *t)
{
	if (!t->words || !in_buffer(t, psc_cur))
		return;
	pscm_lock(&t->lock);
	if (psc_cur - t->tail > PSCM_WORDS / 4 || pscm_signals_wait(t))
		flush_own(t);
	atomic_store(&t->pos, psc_cur);
	atomic_store(&t->parked, 1);
	pscm_unlock(&t->lock);
}

void pscm_record_unpark(struct pscm_thread *t)
{
	pscm_lock(&t->lock);
	atomic_store(&t->parked, 0);
	if (t->words && t->tail == psc_cur)
		buffer_reset(t);
	pscm_unlock(&t->lock);
}

void pscm_record_leave(struct pscm_thread *t)
{
	if (t->signals) /* in a handler that will not return */
		pscm_signal_leave(t, 0);
	if (t->words) {
		pscm_lock(&t->lock);
		flush_own(t);
		pscm_unmap(t->words, (PSCM_WORDS + PSC_SLACK_WORDS) * sizeof *t->words);
		t->words = t->tail = NULL;
		pscm_signals_free(t);
		atomic_store(&t->pos, NULL);
		pscm_unlock(&t->lock);
	}
	pscm_record_place(NULL, NULL);
}

/* --- boundaries ------------------------------------------------------------------------------------ */

static bool simulation_arm(struct simulation *x, const struct machine_flat *m)
{
	sim_arm(&x->sim, m, &pscm_sim_env);
	x->sim.space = pscm_pages_new();
	x->cores = 0;
	atomic_store(&x->share, NULL);
	return x->sim.space;
}

static bool simulations_arm(const struct pscm_armed *a, const struct machine_flat *m)
{
	uint32_t line = 0;
	bool ok;

	for (uint32_t i = 0; i < m->nlevels; i++)
		if (m->level[i].line > line)
			line = m->level[i].line;
	pscm_pages_arm(m);
	ok = simulation_arm(&record.simulation[0], m);
	for (uint32_t i = 1; i <= a->nvariants && ok; i++) {
		const struct mon_variant *v = &a->variant[i - 1];

		record.simulation[i].whatif = (struct pscm_whatif){ .number = i,
			.object = v->object, .fix = v->fix, .line = line,
			.nodes = m->nodes.count ? m->nodes.count : 1,
			.parameter = v->parameter ? v->parameter : 1 };
		ok = simulation_arm(&record.simulation[i], m);
	}
	record.nsimulations = 1 + a->nvariants;
	return ok;
}

int pscm_record_arm(struct pscm_armed *a)
{
	struct machine_flat m = pscm_shm->machine;
	struct mon_request *r = &pscm_shm->request[a->slot];

	if (!sim_machine_ok(&m))
		return MON_DROP_MACHINE;
	r->classes = r->sampled = r->groups = 0;
	if (a->sample > 1 && (hier_needed(&m) || a->nvariants ||
	    !sample_make(&record.sample, &m, a->sample, SAMPLE_SEED)))
		return MON_DROP_SAMPLE;
	if (!simulations_arm(a, &m))
		return MON_DROP_MEMORY;
	if (a->sample > 1) {
		record.simulation[0].sim.sample = &record.sample;
		r->classes = record.sample.classes;
		r->sampled = record.sample.chosen;
		r->groups = record.sample.groups;
	}
	record.shared_words = pscm_shm->batch && pscm_shm->batch < PSCM_WORDS ? pscm_shm->batch :
		PSCM_SHARED_WORDS;
	atomic_store(&record.play, a->kind == MON_SIM);
	touch_drain();
	atomic_fetch_add(&record.run, 1);
	atomic_store(&pscm_lost, 0);
	atomic_store(&pscm_unhandled, 0);
	pscm_objects_resolve(true);
	pscm_space_build(true);
	return MON_DROP_NONE;
}

void pscm_record_begin(struct pscm_thread *t, bool counting, bool after_gap)
{
	for (uint32_t i = 0; i < record.nsimulations; i++)
		record.simulation[i].sim.warming = !counting;
	atomic_store(&record.counting, counting);
	if (after_gap)
		atomic_fetch_add(&record.stretch, 1);
	pscm_objects_resolve(false);
	pscm_space_build(false);
	touch_drain();
	pscm_flag(&__psc_recording, 1);
	if (!buffer_make(t)) {
		lose(1);
		return;
	}
	pscm_lock(&t->lock);
	if (t->signals) /* left in a way that nobody told of */
		pscm_signal_leave(t, 0);
	join_run(t);
	t->view.sim.context = 0;
	pscm_unlock(&t->lock);
}

void pscm_record_end(struct pscm_thread *t, bool is_void)
{
	uint32_t run = atomic_load(&record.run);

	if (t->words) {
		pscm_lock(&t->lock);
		if (is_void) {
			pscm_signals_drop(t);
			buffer_reset(t);
		} else
			flush_own(t);
		pscm_unlock(&t->lock);
	}
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *o = pscm_thread_at(i);

		if (o == t || !atomic_load(&o->parked))
			continue;
		pscm_lock(&o->lock);
		if (atomic_load(&o->parked) && o->words && o->run == run &&
		    o->stretch == atomic_load(&record.stretch)) {
			uint64_t *pos = atomic_load(&o->pos);

			consume(o, o->tail, pos);
			o->tail = pos;
		}
		pscm_unlock(&o->lock);
	}
}

/* What a thread that runs on has made known; what it writes meanwhile lies behind. */
static void consume_rest(struct pscm_thread *t)
{
	uint64_t *pos = atomic_load(&t->pos);

	if (!t->words || pos <= t->tail)
		return;
	if (t->stretch == atomic_load(&record.stretch))
		consume(t, t->tail, pos);
	else
		lose((uint64_t)(pos - t->tail));
	t->tail = pos;
}

/* The mode is off: whoever is still in a flush leaves it, whoever comes later discards. */
void pscm_record_finish(struct pscm_armed *a)
{
	uint32_t run = atomic_load(&record.run);

	pscm_flag(&__psc_recording, 0);
	a->request->records = a->request->words = 0;
	atomic_store(&pscm_shm->unseen_faults, touch_lost());
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->run == run) {
			consume_rest(t);
			a->request->records += t->view.sim.core.records;
			a->request->words += t->played;
			for (uint32_t k = 0; k < record.nsimulations && !a->failed; k++)
				a->failed = pscm_count_rows(a, view_of(t, k), t->index);
			if (pscm_check_wanted())
				pscm_check_counts(t, !a->failed && atomic_load(&record.play));
		}
		pscm_unlock(&t->lock);
	}
	pscm_line_rows(a, atomic_load(&record.simulation[0].share));
}

void pscm_record_settle(void)
{
	struct pscm_thread *t = pscm_self;

	if (!(pscm_mode() & PSCM_MODE_SIM) || !pscm_guard())
		return;
	if (t)
		pscm_record_end(t, false);
	pscm_unguard();
}

/* Threads that run on, too: their next words may be played when the image is gone. */
static void all_settle(void)
{
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);

		pscm_lock(&t->lock);
		if (t->run == atomic_load(&record.run))
			consume_rest(t);
		pscm_unlock(&t->lock);
	}
}

void pscm_record_unload(const struct psc_unit *unit)
{
	pscm_record_settle();
	if (!(pscm_mode() & PSCM_MODE_SIM) || !pscm_guard())
		return;
	all_settle();
	pscm_space_unload((uint64_t)(uintptr_t)unit);
	all_settle();           /* who began to play before that has ended now */
	pscm_unguard();
}
