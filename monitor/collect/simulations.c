/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the simulations of an experiment, attaches threads to them, and passes them the words. */
#include "monitor/collect/simulations.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/column_rows.h"
#include "monitor/collect/experiment_rows.h"
#include "monitor/collect/part_users.h"
#include "monitor/collect/sim_env.h"
#include "monitor/collect/thread_nodes.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/state.h"

static struct {
	pthread_mutex_t attach;         /* guards sim_core_attach() and share_new() */
	_Atomic bool simulate;          /* else words are only counted */
	struct sample sample;           /* of the program as it is; unused without sampling */
	struct simulation {
		struct sim sim;
		struct pscm_whatif whatif;      /* variants only */
		uint32_t cores;                 /* attached so far; guarded by attach */
		struct share *_Atomic share;    /* coherence; NULL until a second core joins */
	} of[1 + MON_VARIANTS];
	uint32_t n;
} simulations = { .attach = PTHREAD_MUTEX_INITIALIZER };

static void count_lost(uint64_t n)
{
	atomic_fetch_add_explicit(&pscm_lost, n, memory_order_relaxed);
}

/* --- making them ----------------------------------------------------------------------------- */

static bool simulation_arm(struct simulation *x, const struct machine_flat *m)
{
	sim_arm(&x->sim, m, &pscm_sim_env);
	x->sim.space = pscm_page_numbers_new();
	x->cores = 0;
	atomic_store(&x->share, NULL);
	return x->sim.space;
}

static bool make_all(const struct pscm_armed *a, const struct machine_flat *m)
{
	uint32_t line = 0;
	bool ok;

	for (uint32_t i = 0; i < m->nlevels; i++)
		if (m->level[i].line > line)
			line = m->level[i].line;
	pscm_page_numbers_arm(m);
	ok = simulation_arm(&simulations.of[0], m);
	for (uint32_t i = 1; i <= a->nvariants && ok; i++) {
		const struct mon_variant *v = &a->variant[i - 1];

		simulations.of[i].whatif = (struct pscm_whatif){ .number = i,
			.object = v->object, .fix = v->fix, .line = line,
			.nodes = m->nodes.count ? m->nodes.count : 1,
			.parameter = v->parameter ? v->parameter : 1 };
		ok = simulation_arm(&simulations.of[i], m);
	}
	simulations.n = 1 + a->nvariants;
	thread_nodes_arm();
	locality_begin();
	simulations.of[0].sim.columns = column_rows_wanted(a);
	simulations.of[0].sim.maps = simulations.of[0].sim.columns && a->request->maps;
	return ok;
}

enum mon_drop simulations_arm(struct pscm_armed *a)
{
	struct machine_flat m = pscm_shm->machine;
	struct mon_request *r = &pscm_shm->request[a->slot];

	if (!sim_machine_ok(&m))
		return MON_DROP_MACHINE;
	if (a->sample > 1 && (hier_needed(&m) || a->nvariants ||
	    !sample_make(&simulations.sample, &m, a->sample, SAMPLE_SEED)))
		return MON_DROP_SAMPLE;
	if (!make_all(a, &m))
		return MON_DROP_MEMORY;
	if (a->sample > 1) {
		simulations.of[0].sim.sample = &simulations.sample;
		r->classes = simulations.sample.classes;
		r->sampled = simulations.sample.chosen;
		r->groups = simulations.sample.groups;
	}
	if (r->overwrites)
		simulations.of[0].sim.unread = unread_bytes_new(&pscm_sim_env,
			simulations.of[0].sim.space);
	atomic_store(&simulations.simulate, a->kind == MON_SIM);
	return MON_DROP_NONE;
}

void simulations_execution(void)
{
	for (uint32_t i = 0; i < simulations.n; i++)
		atomic_fetch_add_explicit(&simulations.of[i].sim.execution, 1,
			memory_order_relaxed);
	pscm_page_nodes_forget();
}

void simulations_warm(bool warming)
{
	for (uint32_t i = 0; i < simulations.n; i++)
		simulations.of[i].sim.warming = warming;
}

void simulations_forget_unread(void)
{
	unread_bytes_forget(simulations.of[0].sim.unread);
}

/* --- threads ---------------------------------------------------------------------------------- */

bool simulations_memory(struct pscm_replay *r)
{
	bool sums = simulations.of[0].sim.sample || atomic_load(&pscm_sliced);

	if (!r->sim.core.cells)
		r->sim.core.cells = pscm_map(SIM_CELLS * sizeof *r->sim.core.cells);
	if (!r->sim.core.index)
		r->sim.core.index = pscm_map(2 * SIM_CELLS * sizeof *r->sim.core.index);
	if (sums && !r->sim.core.sums)
		r->sim.core.sums = pscm_map(SIM_CELLS * sizeof *r->sim.core.sums);
	return r->sim.core.cells && r->sim.core.index && (!sums || r->sim.core.sums);
}

/* Creates the coherence directory of a simulation.  simulations.attach is held. */
static struct share *share_make(struct simulation *x)
{
	const struct machine_flat *m = &x->sim.machine;
	struct share *s = atomic_load(&x->share);

	if (!s && m->ncpus > 1 && atomic_load(&simulations.simulate)) {
		s = share_new(&pscm_sim_env, m, pscm_shm->turn);
		if (!s)
			count_lost(1);
		atomic_store(&x->share, s);
	}
	return s;
}

/* Attaches a core to the directory.  The second core creates it, unless simulations_meet() did
 * so before; the first core then attaches at its next batch. */
static void share_join(struct simulation *x, struct pscm_replay *r, uint32_t thread)
{
	struct share *s = x->cores++ ? share_make(x) : atomic_load(&x->share);

	if (s && share_attach(s, &r->sim.core, thread))
		count_lost(1);
}

/* Makes a replay of the thread belong to a simulation of this experiment, as that CPU of it. */
static bool replay_join(struct pscm_replay *r, struct simulation *x, const struct pscm_thread *t,
	uint32_t cpu)
{
	bool ok;

	sim_core_clear(&r->sim.core);
	pscm_lock(&simulations.attach);
	ok = !sim_core_attach(&r->sim.core, &x->sim, cpu);
	if (ok)
		share_join(x, r, t->index);
	pscm_unlock(&simulations.attach);
	r->pages = x->sim.space;
	r->sim.asker = r;
	r->node = t->node;
	r->thread = t->index;
	r->sim.places = UINT32_MAX;
	return ok;
}

bool simulations_join(struct pscm_thread *t)
{
	uint32_t cpu;
	bool ok;

	pscm_lock(&simulations.attach);
	cpu = thread_nodes_cpu(t);
	pscm_unlock(&simulations.attach);
	ok = replay_join(&t->replay, &simulations.of[0], t, cpu);
	t->replay.sim.walked = true;
	for (uint32_t i = 1; i < simulations.n && ok; i++) {
		struct pscm_replay *r = t->variant[i - 1];

		if (!r)
			r = t->variant[i - 1] = pscm_map(sizeof *r);
		ok = r && simulations_memory(r) && replay_join(r, &simulations.of[i], t, cpu);
		if (ok) {
			r->whatif = &simulations.of[i].whatif;
			r->sim.whole = true;
		}
	}
	return ok;
}

void simulations_meet(void)
{
	pscm_lock(&simulations.attach);
	for (uint32_t i = 0; i < simulations.n; i++)
		share_make(&simulations.of[i]);
	pscm_unlock(&simulations.attach);
}

struct share *simulations_share(void)
{
	return atomic_load(&simulations.of[0].share);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Simulates [from, end) in simulation i.  Returns the number of words that were not understood. */
static size_t replay_words(struct pscm_thread *t, uint32_t i, const uint64_t *from,
	const uint64_t *end, bool counting)
{
	struct share *share = atomic_load(&simulations.of[i].share);
	struct pscm_replay *r = i ? t->variant[i - 1] : &t->replay;
	size_t lost;

	if (unlikely(!r->sim.core.sharing && share))
		share_attach(share, &r->sim.core, t->index);
	if (r->sim.core.sharing)
		share_begin(r->sim.core.sharing, t->team ? t->team : atomic_load(&pscm_epoch));
	r->sim.generation = atomic_load(&pscm_translation_generation);
	lost = sim_batch(&r->sim, from, end, counting, atomic_load(&simulations.simulate));
	if (r->sim.core.sharing)
		share_end(r->sim.core.sharing);
	return lost;
}

size_t simulations_play(struct pscm_thread *t, const uint64_t *from, const uint64_t *end,
	bool counting)
{
	for (uint32_t i = 1; i < simulations.n; i++) {
		t->variant[i - 1]->sim.context = t->replay.sim.context;
		replay_words(t, i, from, end, counting);
	}
	return replay_words(t, 0, from, end, counting);
}

void simulations_finish(struct pscm_armed *a)
{
	for (uint32_t i = 0; i < simulations.n; i++)
		if (atomic_load(&simulations.of[i].share))
			share_finish(simulations.of[i].share);
	experiment_rows_write(a, simulations_share(), simulations.n,
		atomic_load(&simulations.simulate));
}
