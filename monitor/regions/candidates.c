/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the table of candidates: the regions that could be the phase, their time and executions. */
#include "monitor/regions/candidates.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/compile_units.h"
#include "monitor/state.h"
#include "base/clock.h"
#include <string.h>

enum {
	BRIEF_NS = 10000,               /* entries and iterations shorter than this are not worth a
					 * call */
	RARE_NS = 1000000,              /* the same once the phase is settled */
	ENTRIES = 64, ITERATIONS = 1024,        /* between two tests of the length */
	ELSEWHERE = 64,                 /* entries by other threads, until a candidate is given
					 * up */
	KNOWN_NS = 50000000, KNOWN_ENTRIES = 8, /* after which a candidate of brief executions is
						 * given up */
	SPARSE = 64,                    /* the phase: one of so many brief entries is timed */
	WASTED = 8192                   /* calls in vain, between two tests of their rate */
};

struct candidate {
	_Atomic uintptr_t owner;        /* token of the thread in it; 0: none */
	uint32_t depth;                 /* recursive entries of the owner */
	uintptr_t frame;                /* of the outermost one */
	uint64_t start;                 /* ns, of now() */
	uint64_t closed;                /* end of the last entry that was timed */
	uint64_t tested_ns, tested_entries;     /* sums at the last test of entries */
	uint64_t iterations, tested_at; /* in this entry; ns at the last test of iterations */
	uint32_t elsewhere;
	uint32_t weight;                /* entries that one timed entry stands for; 0: 1 */
	bool skipped;                   /* entered while the clock stood still */
	bool untimed;                   /* an entry that another one stands for */
	bool brief;                     /* its executions are: it cannot be the phase */
	bool given_up;                  /* for that reason */
	bool unhooked, uncounted;       /* its entries, its iterations are not called */
};

static struct candidate candidates[MON_CANDIDATES];
static struct pscm_pool pool = { .lock = PTHREAD_MUTEX_INITIALIZER };
static bool settled;

static uintptr_t self(void)
{
	return (uintptr_t)&pscm_busy;
}

static struct mon_candidate *row(unsigned role)
{
	return &pscm_shm->candidate[(role & ROLE_CANDIDATE) - 1];
}

static struct candidate *state(unsigned role)
{
	return &candidates[(role & ROLE_CANDIDATE) - 1];
}

static uint64_t now(void)
{
	uint64_t at = atomic_load_explicit(&pscm_shm->stands, memory_order_relaxed);

	return at ? at : clock_ns() - atomic_load_explicit(&pscm_shm->paused_ns,
		memory_order_relaxed);
}

static uint64_t limit(void)
{
	return __atomic_load_n(&settled, __ATOMIC_RELAXED) ? RARE_NS : BRIEF_NS;
}

/* --- units ---------------------------------------------------------------------------------- */

/* A candidate that was given up has none: if its hooks are called for the sake of another region,
 * they count as calls in vain. */
static uint16_t find_role(const struct psc_unit *unit, const struct unit_roles *r, uint32_t region)
{
	uint16_t role = pscm_region_is_phase(unit->hash, region) ? ROLE_PHASE : 0,
		c = r->listed[region];

	return c && (role || !candidates[c - 1].unhooked) ? role | c : role;
}

static bool concerns(const struct psc_unit *unit)
{
	for (uint32_t i = 0; i < pscm_shm->ncandidates && i < MON_CANDIDATES; i++)
		if (pscm_shm->candidate[i].hash == unit->hash)
			return true;
	for (uint32_t r = 0; r < unit->nregions; r++)
		if (pscm_region_is_phase(unit->hash, r))
			return true;
	return false;
}

static void set_bits(const struct psc_unit *unit, const struct unit_roles *r, unit_mask bits[2])
{
	for (uint32_t i = 0; i < unit->nregions; i++) {
		const struct unit_bit *b = &r->bit[i % UNIT_BITS];
		unsigned role = r->role[i];
		const struct candidate *c = role & ROLE_CANDIDATE ? state(role) : NULL;

		if (role & ROLE_PHASE || (c && !c->unhooked && !b->off[0]))
			unit_mask_set(bits[0], i);
		if (role & ROLE_PHASE || (c && !c->unhooked && !c->uncounted && !b->off[1]))
			unit_mask_set(bits[1], i);
	}
}

/* The candidate has become the phase: if it was given up, it is timed again, and does
 * not go on as it did before. */
static void take_up(unsigned role)
{
	if (role & ROLE_PHASE && role & ROLE_CANDIDATE && state(role)->given_up) {
		state(role)->given_up = false;
		atomic_store(&row(role)->given_up, 0);
	}
}

static struct unit_roles *make_roles(const struct psc_unit *unit)
{
	uint32_t n = unit->nregions, nbits = n < UNIT_BITS ? n : UNIT_BITS;
	struct unit_roles *r = pscm_pool_get(&pool, nbits * sizeof *r->bit + n * sizeof *r->calls);
	struct unit_bit *bit = (struct unit_bit *)(void *)r;

	if (!bit || !(r = pscm_pool_get(&pool, sizeof *r + 2 * n * sizeof r->role[0])))
		return NULL;
	r->bit = bit;
	r->calls = (struct unit_calls *)(void *)(bit + nbits);
	r->listed = r->role + n;
	for (uint32_t i = 0; i < pscm_shm->ncandidates && i < MON_CANDIDATES; i++)
		if (pscm_shm->candidate[i].hash == unit->hash && pscm_shm->candidate[i].index < n)
			r->listed[pscm_shm->candidate[i].index] = (uint16_t)(i + 1);
	return r;
}

void candidates_unit(struct psc_unit *unit, unit_mask bits[2])
{
	struct unit_roles *r = unit->phases;

	if (!r && (!concerns(unit) || !(r = make_roles(unit))))
		return;
	for (uint32_t i = 0; i < unit->nregions; i++) {
		__atomic_store_n(&r->role[i], find_role(unit, r, i), __ATOMIC_RELAXED);
		take_up(r->role[i]);
	}
	__atomic_store_n(&unit->phases, r, __ATOMIC_RELEASE);
	set_bits(unit, r, bits);
}

bool candidate_is_wanted(const struct psc_unit *unit, uint32_t region, bool often)
{
	const struct unit_roles *r = unit->phases;
	uint64_t entries, ns, since, t;
	const struct mon_candidate *m;
	uint16_t c;

	if (pscm_region_is_phase(unit->hash, region))
		return true;
	c = r && region < unit->nregions ? r->listed[region] : 0;
	if (!c)         /* there are more than the agent lists */
		return pscm_shm->ncandidates > 0;
	if (candidates[c - 1].given_up || (often && candidates[c - 1].brief))
		return false;
	m = &pscm_shm->candidate[c - 1];
	entries = atomic_load(&m->entries);
	if (!entries)
		return !often;
	ns = atomic_load(&m->ns);
	since = atomic_load(&m->since);
	t = since ? now() : 0;
	ns += t > since ? t - since : 0;
	return ns / entries >= limit() || !(often || entries >= ENTRIES ||
		candidates[c - 1].unhooked);
}

static void flag(unsigned role, uint32_t bit)
{
	struct mon_candidate *m = row(role);

	if (!(atomic_load_explicit(&m->flags, memory_order_relaxed) & bit))
		atomic_fetch_or(&m->flags, bit);
}

static void unhook(struct psc_unit *unit, unsigned role)
{
	if (!(role & ROLE_PHASE) && !state(role)->unhooked) {
		state(role)->unhooked = true;
		flag(role, MON_CANDIDATE_UNHOOKED);
		pscm_unit_resolve(unit);
	}
}

static void uncount(struct psc_unit *unit, unsigned role)
{
	if (!(role & ROLE_PHASE) && !state(role)->uncounted) {
		state(role)->uncounted = true;
		flag(role, MON_CANDIDATE_MORE);
		pscm_unit_resolve(unit);
	}
}

/* The compiled code calls hooks of regions that share the bit no more.  Candidates among them lose
 * their end: one that is open remains so. */
static void bit_off(struct psc_unit *unit, struct unit_roles *r, uint32_t bit, int which)
{
	for (uint32_t i = bit; i < unit->nregions; i += UNIT_BITS)
		if (r->role[i] & ROLE_CANDIDATE && !(r->role[i] & ROLE_PHASE))
			flag(r->role[i], which ? MON_CANDIDATE_MORE : MON_CANDIDATE_UNHOOKED);
	r->bit[bit].off[which] = true;
	pscm_unit_resolve(unit);
}

/* A subroutine whose calls are counted is entered or left.  Called every `limit` or more often, it
 * takes less than that. */
static void count_call(struct psc_unit *unit, struct unit_calls *c)
{
	uint32_t n = __atomic_load_n(&c->n, __ATOMIC_RELAXED) + 1;
	uint64_t t, since;

	__atomic_store_n(&c->n, n, __ATOMIC_RELAXED);
	if (likely(n % (2 * ENTRIES)) || !pscm_on() || !pscm_guard())
		return;
	t = clock_ns();
	since = __atomic_exchange_n(&c->since, t, __ATOMIC_RELAXED);
	if (since && (t - since) / ENTRIES < limit()) {
		__atomic_store_n(&c->often, true, __ATOMIC_RELAXED);
		pscm_unit_resolve(unit);
	}
	pscm_unguard();
}

void candidate_none(struct psc_unit *unit, uint32_t region, int which)
{
	struct unit_roles *r = __atomic_load_n(&unit->phases, __ATOMIC_RELAXED);
	uint32_t bit = region % UNIT_BITS, n;
	uint64_t t;

	if (!r || pscm_mode())  /* while something is measured all regions call */
		return;
	if (__atomic_load_n(&r->calls[region].counted, __ATOMIC_RELAXED)) {
		count_call(unit, &r->calls[region]);
		return;
	}
	n = __atomic_load_n(&r->bit[bit].wasted[which], __ATOMIC_RELAXED) + 1;
	__atomic_store_n(&r->bit[bit].wasted[which], n, __ATOMIC_RELAXED);
	if (likely(n % WASTED) || !pscm_on() || !pscm_guard())
		return;
	t = clock_ns();
	if (r->bit[bit].since[which] && t - r->bit[bit].since[which] < WASTED * limit() / 10 &&
	    !r->bit[bit].off[which])
		bit_off(unit, r, bit, which);
	r->bit[bit].since[which] = t;
	pscm_unguard();
}

/* --- hooks ---------------------------------------------------------------------------------- */

static void add(_Atomic uint64_t *sum, uint64_t n)
{
	/* only the owner writes */
	atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + n,
		memory_order_relaxed);
}

/* An entry that stands for others counts with no more than the time since the last one:
 * it may have been held up. */
static void entry_closed(unsigned role)
{
	struct candidate *c = state(role);
	struct mon_candidate *m = row(role);
	uint64_t t = now(), ns = t > c->start ? t - c->start : 0;

	if (c->weight && t > c->closed)
		ns = ns < (t - c->closed) / c->weight ? ns * c->weight : t - c->closed;
	c->closed = t;
	atomic_store_explicit(&m->since, 0, memory_order_relaxed);
	add(&m->ns, ns);
}

/* Gives up a candidate whose executions are brief, once its time so far tells
 * what it takes of the time. */
static bool test_executions(struct psc_unit *unit, unsigned role)
{
	struct mon_candidate *m = row(role);

	if (!state(role)->brief || role & ROLE_PHASE ||
	    atomic_load_explicit(&m->entries, memory_order_relaxed) < KNOWN_ENTRIES ||
	    atomic_load_explicit(&m->ns, memory_order_relaxed) < KNOWN_NS)
		return false;
	state(role)->given_up = true;
	atomic_store_explicit(&m->given_up, now(), memory_order_relaxed);
	unhook(unit, role);
	return true;
}

/* Gives up a candidate whose entries are brief.  The phase is timed in a part of them. */
static void test_entries(struct psc_unit *unit, unsigned role)
{
	struct candidate *c = state(role);
	uint64_t n = atomic_load_explicit(&row(role)->entries, memory_order_relaxed);
	uint64_t ns = atomic_load_explicit(&row(role)->ns, memory_order_relaxed);

	if (test_executions(unit, role) || n - c->tested_entries < ENTRIES)
		return;
	if ((ns - c->tested_ns) / (n - c->tested_entries) < BRIEF_NS)
		flag(role, MON_CANDIDATE_BRIEF);
	if ((ns - c->tested_ns) / (n - c->tested_entries) < limit()) {
		c->weight = SPARSE;
		unhook(unit, role);
	}
	c->tested_entries = n;
	c->tested_ns = ns;
}

/* Another thread is in it.  Its entries are not timed. */
static void entered_elsewhere(struct psc_unit *unit, unsigned role)
{
	if (atomic_load_explicit(&row(role)->flags, memory_order_relaxed) & MON_CANDIDATE_TEAM)
		return;
	flag(role, MON_CANDIDATE_SHARED);
	if (__atomic_add_fetch(&state(role)->elsewhere, 1, __ATOMIC_RELAXED) == ELSEWHERE)
		unhook(unit, role);
}

void candidate_begin(struct psc_unit *unit, unsigned role, uintptr_t frame)
{
	struct candidate *c = state(role);
	struct mon_candidate *m = row(role);
	uintptr_t nobody = 0;

	if (atomic_load_explicit(&c->owner, memory_order_relaxed) == self()) {
		if (frame < c->frame) {
			c->depth++;
			return;
		}
		/* an exception or a longjmp left it */
		if (!c->skipped && !c->untimed)
			entry_closed(role);
	} else if (!atomic_compare_exchange_strong(&c->owner, &nobody, self())) {
		entered_elsewhere(unit, role);
		return;
	}
	c->depth = 1;
	c->frame = frame;
	c->iterations = 0;
	c->skipped = atomic_load_explicit(&pscm_shm->stands, memory_order_relaxed) != 0 &&
		!(role & ROLE_PHASE);
	if (c->skipped)
		return;
	add(&m->entries, 1);
	c->untimed = c->weight &&
		atomic_load_explicit(&m->entries, memory_order_relaxed) % c->weight;
	if (c->untimed)
		return;
	c->start = c->tested_at = now();
	if (!atomic_load_explicit(&m->first, memory_order_relaxed))
		atomic_store_explicit(&m->first, c->start, memory_order_relaxed);
	atomic_store_explicit(&m->since, c->start, memory_order_relaxed);
}

static bool timed(unsigned role)
{
	const struct candidate *c = state(role);

	return atomic_load_explicit(&c->owner, memory_order_relaxed) == self() && c->depth == 1 &&
		!c->skipped;
}

void candidate_next(struct psc_unit *unit, unsigned role, uintptr_t frame)
{
	struct candidate *c = state(role);
	uint64_t t;

	if (unlikely(!atomic_load_explicit(&row(role)->entries, memory_order_relaxed)) &&
	    !c->skipped && !atomic_load_explicit(&c->owner, memory_order_relaxed)) {
		candidate_begin(unit, role, frame);
		return;
	}
	if (!timed(role))
		return;
	add(&row(role)->runs, 1);
	if (likely(++c->iterations % ITERATIONS))
		return;
	t = now();
	if ((t - c->tested_at) / ITERATIONS < BRIEF_NS) {
		c->brief = true;
		flag(role, MON_CANDIDATE_BRIEF);
	}
	if ((t - c->tested_at) / ITERATIONS < limit())
		uncount(unit, role);
	c->tested_at = t;
}

void candidate_end(struct psc_unit *unit, unsigned role, bool is_void)
{
	struct candidate *c = state(role);

	if (atomic_load_explicit(&c->owner, memory_order_relaxed) != self() || --c->depth)
		return;
	if (!c->skipped) {
		if (!c->untimed)
			entry_closed(role);
		if (!is_void)
			add(&row(role)->runs, 1);
		if (!c->weight)
			test_entries(unit, role);
	}
	atomic_store(&c->owner, 0);
}

uintptr_t candidate_frame(unsigned role)
{
	return role & ROLE_CANDIDATE && timed(role) ? state(role)->frame : 0;
}

/* --- the clock ------------------------------------------------------------------------------ */

void candidates_pause(void)
{
	if (!atomic_load(&pscm_shm->stands))
		atomic_store(&pscm_shm->stands, now());
}

void candidates_resume(bool executed)
{
	uint64_t at = atomic_load(&pscm_shm->stands);

	if (!at)
		return;
	atomic_store(&pscm_shm->paused_ns, clock_ns() - at);
	atomic_store(&pscm_shm->stands, 0);
	if (executed)
		atomic_fetch_add(&pscm_shm->paused_runs, 1);
}

/* Roles stay where they are: another thread may still read them. */
void candidates_again(void)
{
	memset(candidates, 0, sizeof candidates);
	__atomic_store_n(&settled, false, __ATOMIC_RELAXED);
}

bool candidates_settled(void)
{
	if (settled || !atomic_load_explicit(&pscm_shm->settled, memory_order_relaxed))
		return false;
	__atomic_store_n(&settled, true, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < pscm_shm->ncandidates && i < MON_CANDIDATES; i++) {
		struct mon_candidate *m = &pscm_shm->candidate[i];
		uint64_t entries = atomic_load(&m->entries), ns = atomic_load(&m->ns),
			runs = atomic_load(&m->runs);
		uint64_t since = atomic_load(&m->since), t = now();

		if (since && t > since)
			ns += t - since;
		if (entries && ns / entries < RARE_NS) {
			candidates[i].unhooked = true;
			atomic_fetch_or(&m->flags, MON_CANDIDATE_UNHOOKED);
		}
		if (runs && ns / runs < RARE_NS) {
			candidates[i].uncounted = true;
			atomic_fetch_or(&m->flags, MON_CANDIDATE_MORE);
		}
	}
	return true;
}
