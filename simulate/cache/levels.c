/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates independent cache levels with true LRU, and keeps cores and their cells. */
#include "simulate/cache/frames.h"
#include "simulate/cache/channels.h"
#include "simulate/cache/hierarchy.h"
#include "simulate/cache/lru.h"
#include "simulate/cache/map_counts.h"

enum { SIM_TAGS_MAX = 1 << 27 };

bool sim_machine_ok(const struct machine_flat *m)
{
	if (m->nlevels < 1 || m->nlevels > MACHINE_LEVELS)
		return false;
	if (m->page_size < 4096 || m->page_size > (1u << 30) || (m->page_size & (m->page_size - 1)))
		return false;
	for (uint32_t i = 0; i < m->nlevels; i++) {
		const struct machine_level *l = &m->level[i];

		if (l->line < 8 || l->line > 4096 || (l->line & (l->line - 1)) ||
		    l->line > m->page_size || !l->assoc || !l->sets ||
		    (uint64_t)l->assoc * l->sets > SIM_TAGS_MAX)
			return false;
	}
	return hier_machine_ok(m);
}

void sim_arm(struct sim *s, const struct machine_flat *m, const struct sim_env *env)
{
	if (s->env)             /* else it was never armed, and its pages may not have been touched
				 * yet */
		memset(s, 0, sizeof *s);
	s->machine = *m;
	s->env = env;
	s->wide = m->pages == MACHINE_PAGES_VIRTUAL;
	s->generic = hier_needed(m);
	s->line_min = m->level[0].line;
	s->page = (uint32_t)__builtin_ctz(m->page_size);
	for (uint32_t i = 1; i < m->nlevels; i++) {
		if (m->level[i].line < s->line_min)
			s->line_min = m->level[i].line;
		s->frames |= m->level[i].physical != 0;
	}
	/* Generic levels share line numbers, so all or none are indexed by frames.  The nearest may
	 * be only if frames do not change its sets. */
	if (s->generic && (uint64_t)m->level[0].line * m->level[0].sets > m->page_size)
		s->frames = false;
}

void sim_lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
#ifdef __GLIBC__
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	pthread_mutex_init(lock, &a);
	pthread_mutexattr_destroy(&a);
}

struct sim_cache *sim_cache_make(struct sim *s, const struct machine_level *l)
{
	struct sim_cache *c = s->env->get(sizeof *c);
	size_t tag = s->wide || s->generic ? sizeof(uint64_t) : sizeof(uint32_t);

	if (!c)
		return NULL;
	while (1u << c->stride < l->assoc)
		c->stride++;
	c->tags = s->env->get(((size_t)l->sets << c->stride) * tag + 64);
	if (!c->tags)
		return NULL;
	sim_lock_init(&c->lock);
	c->guard = &c->lock;
	c->shift = (uint32_t)__builtin_ctz(l->line);
	c->assoc = l->assoc;
	c->sets = l->sets;
	c->mask = l->sets & (l->sets - 1) ? 0 : l->sets - 1;
	/* With one set the magic wraps to 0, and so does every remainder. */
	c->magic = UINT64_MAX / l->sets + 1;
	c->page = s->page;
	c->frames = s->frames && (l->physical || s->generic);
	return c;
}

uint32_t sim_instance(const struct sim *s, uint32_t level, uint32_t cpu)
{
	const struct machine_level *l = &s->machine.level[level];

	if (l->shared == MACHINE_SHARED_ALL)
		return 0;
	return l->shared == MACHINE_SHARED_CPU ? cpu : cpu / (l->cpus ? l->cpus : 1);
}

/* guard: the lock of the core's farthest level; NULL: the new cache's own. */
static struct sim_cache *level_make(struct sim *s, uint32_t level, uint32_t n, uint32_t ncpus,
	pthread_mutex_t *guard)
{
	const struct machine_level *l = &s->machine.level[level];
	struct sim_cache *c = sim_cache_make(s, l);

	if (!c || (s->generic && !hier_cache_make(s, c, l)))
		return NULL;
	c->cpus = l->shared == MACHINE_SHARED_ALL ? ncpus : l->shared == MACHINE_SHARED_CPU ? 1 :
		l->cpus;
	c->cpu = l->shared == MACHINE_SHARED_ALL ? 0 : n * c->cpus;
	if (c->cpu + c->cpus > ncpus)
		c->cpus = ncpus - c->cpu;
	if (guard)
		c->guard = guard;
	c->random = UINT32_C(0x9e3779b9) * (level * SIM_CPUS + n + 1);
	return c;
}

static void reuse_arm(struct sim_core *core)
{
	const struct machine_flat *m = &core->sim->machine;

	reuse_begin(core->reuse, REUSE_SHIFT);
	for (uint32_t l = 0; l < m->nlevels; l++)
		core->reuse->near[l] = (uint64_t)m->level[l].assoc * m->level[l].sets *
			m->level[l].line / 2 / m->level[0].line;
}

static bool sites_make(struct sim_core *core)
{
	core->sites = core->sim->env->get(sizeof *core->sites);
	if (!core->sites)
		return false;
	core->sites->of[0] = &core->sites->rest[0];
	core->sites->ngroups = 1;
	return true;
}

int sim_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu)
{
	uint32_t ncpus = s->machine.ncpus ? s->machine.ncpus : 1;
	uint32_t last = s->machine.nlevels - 1;

	if (ncpus > SIM_CPUS)
		ncpus = SIM_CPUS;
	cpu %= ncpus;
	for (uint32_t i = s->machine.nlevels; i-- > 0; ) {
		struct sim_cache *_Atomic *at = &s->instance[i][sim_instance(s, i, cpu)];
		struct sim_cache *c = atomic_load_explicit(at, memory_order_relaxed);

		/* Generic: cores that share any level share the farthest one, so its lock is
		 * enough. */
		if (!c)
			c = level_make(s, i, sim_instance(s, i, cpu), ncpus,
				s->generic && i < last ? &core->level[last]->lock : NULL);
		if (!c)
			return -1;
		atomic_store_explicit(at, c, memory_order_release);
		core->level[i] = c;
	}
	core->nlevels = s->machine.nlevels;
	core->sim = s;
	core->generic = s->generic;
	core->border = SIM_NO_BORDER;
	core->lock = core->level[0]->guard;
	if (!sites_make(core))
		return -1;
	sim_channels_attach(core);
	core->reuse = s->env->get(sizeof *core->reuse);
	if (core->reuse)
		reuse_arm(core);
	core->usual = core->level[0]->shift == 6 && s->page == SIM_PATTERN_PAGE && !s->sample &&
		core->reuse;
	return hier_core_attach(core, s, cpu) ? 0 : -1;
}

/* --- sites ------------------------------------------------------------------------------------ */

uint32_t sim_group(struct sim_core *core, uint32_t line)
{
	struct sim_sites *t = core->sites;

	if (!line || t->ngroups == SIM_GROUPS)
		return 0;
	t->line[t->ngroups] = line;
	t->of[t->ngroups] = &t->rest[0];
	return t->ngroups++;
}

void sim_groups_forget(struct sim_core *core)
{
	core->sites->ngroups = 1;
}

static struct sim_site *site_of_line(struct sim_sites *t, struct sim_cell *cell, uint32_t line,
	struct sim_site *rest)
{
	const uint64_t key = ((uint64_t)(uintptr_t)cell << 16) + line;
	uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SIM_SITES;

	for (; t->site[slot].cell; slot = (slot + 1) % SIM_SITES)
		if (t->site[slot].cell == cell && t->site[slot].line == line)
			return &t->site[slot];
	if (t->nsites == SIM_SITES / 4 * 3)
		return rest;
	t->nsites++;
	t->site[slot].line = line;
	t->site[slot].next = rest->next;
	rest->next = slot + 1;
	return &t->site[slot];
}

struct sim_site *sim_site_find(struct sim_core *core, uint32_t group, struct sim_cell *cell)
{
	struct sim_sites *t = core->sites;
	struct sim_site *s = &t->rest[cell - core->cells];
	const uint32_t line = sim_source_line(core, group, cell);

	if (line && cell != core->cells)
		s = site_of_line(t, cell, line, s);
	s->cell = cell;
	if (!(t->line[group] & SIM_LINE_OF_CALLEE))
		t->of[group] = s;
	return s;
}

/* --- cores ------------------------------------------------------------------------------------ */

void sim_core_clear(struct sim_core *core)
{
	memset(core->cells, 0, (core->ncells ? core->ncells : 1) * sizeof *core->cells);
	if (core->sums)
		memset(core->sums, 0, (core->ncells ? core->ncells : 1) * sizeof *core->sums);
	if (core->ncells > 1)           /* else nothing was in it, and its pages may not have been
					 * touched yet */
		memset(core->index, 0, 2 * SIM_CELLS * sizeof *core->index);
	memset(core->marks, 0, sizeof core->marks);
	sim_channels_clear(core);
	core->ncells = 1;
	core->nqueue = core->nclass = core->nfar = 0;
	core->unsummed = 0;
	core->sharing = NULL;
	core->overflow = core->records = core->warmed = core->ranged = core->begun = 0;
	core->border = SIM_NO_BORDER;
	core->timeline = NULL;
	core->counting = false;
	core->irregular = MISS_GATHER;
	core->walks = NULL;
	core->unread = NULL;
	core->maps = core->drawn = NULL;
	memset(core->call, 0, sizeof core->call);
	memset(&core->pattern, 0, sizeof core->pattern);
}

void sim_core_count(struct sim_core *core)
{
	core->counting = true;
	for (uint32_t i = 1; i < core->ncells; i++)
		core->cells[i] = (struct sim_cell){ .key = core->cells[i].key };
	sim_channels_clear(core);
	core->overflow = 0;
}

void sim_core_follow(struct sim_core *core)
{
	uint32_t now = atomic_load_explicit(&core->sim->execution, memory_order_relaxed);

	if (core->execution == now)
		return;
	core->execution = now;
	if (core->reuse)
		reuse_execution(core->reuse);
}

/* The number of misses that a miss with a cause stands for. */
static uint64_t stands_for(uint32_t class)
{
	return UINT64_C(1) << ((class & ~SIM_MEETS) >> SIM_SHIFT_AT);
}

void sim_count_cause(struct sim_cell *cell, uint32_t level, uint32_t class)
{
	const uint32_t cause = class >> SIM_CAUSE_AT & 0xff;

	if (cause >> level & 1)
		cell->conflict[level] += stands_for(class);
	else if (cause & REUSE_WITHIN)
		cell->capacity[level] += stands_for(class);
}

void sim_count_stride(struct sim_cell *cell, uint32_t class)
{
	enum { LONGEST = 1 << 14 };     /* lines; so that sums of squares stay plausible counts */
	const uint64_t n = stands_for(class);
	const int64_t step = cell->last.step < 0 ? -(int64_t)cell->last.step : cell->last.step;

	if (!step || step > LONGEST)
		return;
	cell->stride[0] += n;
	cell->stride[1] += n * (uint64_t)step;
	cell->stride[2] += n * (uint64_t)step * (uint64_t)step;
}

void sim_core_sums(struct sim_core *core, const struct sim_cell *cell, uint32_t level,
	uint32_t store, uint64_t first, uint64_t n)
{
	const struct sample *s = core->sim->sample;

	core->sums[cell - core->cells].miss[level][store][s->group[sample_class(s, first)]] += n;
}

struct sim_cell *sim_core_cell(struct sim_core *core, uint32_t context, uint32_t object)
{
	uint64_t key = (uint64_t)context << 32 | object;
	uint32_t mask = 2 * SIM_CELLS - 1;
	uint32_t slot = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & mask;

	for (; core->index[slot]; slot = (slot + 1) & mask)
		if (core->cells[core->index[slot]].key == key)
			return &core->cells[core->index[slot]];
	if (core->ncells == SIM_CELLS) {
		core->overflow++;
		return &core->cells[0];
	}
	core->index[slot] = core->ncells;
	core->cells[core->ncells].key = key;
	return &core->cells[core->ncells++];
}

void sim_core_sum(struct sim_core *core)
{
	for (uint32_t i = 0; i < core->ncells; i++) {
		struct sim_cell *c = &core->cells[i];

		for (int store = 0; store < 2; store++) {
			c->refs[store] += c->recent[store] >> 40;
			c->bytes += c->recent[store] & (SIM_ONE - 1);
			c->recent[store] = 0;
		}
	}
	core->unsummed = 0;
}

/* Looks up and caches the marks of 4 KiB.  true: the warm-up did not touch the line. */
static __attribute__((noinline)) bool line_cold_ask(struct sim_core *core, uint64_t chunk,
	uint64_t bit)
{
	static _Atomic uint64_t none;   /* stands for marks that the warm-up did not make */
	_Atomic uint64_t *word = core->marks[chunk % SIM_MARKS].word;

	if (!word || core->marks[chunk % SIM_MARKS].chunk != chunk ||
	    (core->sim->warming && word == &none)) {
		word = core->sim->env->marks(core->sim->space, chunk << 12, core->sim->warming);
		if (!word && core->sim->warming)
			return true;
		if (!word)
			word = &none;
		core->marks[chunk % SIM_MARKS].chunk = chunk;
		core->marks[chunk % SIM_MARKS].word = word;
	}
	if (atomic_load_explicit(word, memory_order_relaxed) & bit)
		return false;
	if (core->sim->warming)
		atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
	return true;
}

/* This function and the next are inlined: a loop may miss in each iteration. */
LRU_INLINE bool line_cold(struct sim_core *core, uint64_t address)
{
	uint64_t chunk = address >> 12, bit = UINT64_C(1) << ((address >> 6) & 63);
	_Atomic uint64_t *word = core->marks[chunk % SIM_MARKS].word;

	if (__builtin_expect(!word || core->marks[chunk % SIM_MARKS].chunk != chunk ||
	    core->sim->warming, 0))
		return line_cold_ask(core, chunk, bit);
	return !(atomic_load_explicit(word, memory_order_relaxed) & bit);
}

/* Counts a miss of the last level: whether it is cold, its memory node, and its channel. */
LRU_INLINE void last_miss(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_cell *cell, uint32_t store, uint32_t shift)
{
	uint64_t a = first >> shift, b = last >> shift;
	bool cold = line_cold(core, a << shift);
	uint32_t node = 0;

	if (b != a)
		cold |= line_cold(core, b << shift);
	cell->unwarmed += cold;
	if (core->sim->machine.nodes.count > 1) {
		node = core->sim->env->node(core->sim->space, first);
		if (node < MACHINE_NODES)
			cell->served[node][store]++;
		else
			cell->unplaced++;
	}
	if (__builtin_expect(core->modules != 0, 0) && node < MACHINE_NODES)
		sim_channels_count(core, cell, a << shift, node);
}

void sim_last_miss(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store, uint32_t shift)
{
	last_miss(core, first, last, cell, store, shift);
}

/* --- farther levels -------------------------------------------------------------------------- */

/* Prefetch a set's tags this many misses ahead if the level's tags exceed FAR bytes. */
enum { AHEAD = 8, FAR = 1 << 18 };

LRU_INLINE void ahead(const struct sim_cache *c, const struct sim_miss *m, uint32_t n)
{
	if (n > AHEAD && ((size_t)c->sets << c->stride) * sizeof(uint32_t) > FAR)
		__builtin_prefetch((uint32_t *)c->tags + ((size_t)lru_set32(c,
			(uint32_t)sim_line(c, m[AHEAD].first, m[AHEAD].frame)) << c->stride), 1);
}

/* Counts a queued miss that misses this level too, in `fetched` lines. */
LRU_INLINE void count_far(struct sim_core *core, const struct sim_miss *m, uint32_t level,
	uint32_t fetched)
{
	struct sim_cell *cell = m->site->cell;

	cell->miss[level][sim_miss_store(m)]++;
	sim_count_class(cell, level, m->class);
	cell->fetched[level] += fetched;
	sim_core_sampled(core, cell, level, sim_miss_store(m), m->first, 1);
}

/* Counts a queued miss that misses the last level. */
LRU_INLINE void count_last(struct sim_core *core, const struct sim_miss *m, uint64_t last,
	uint32_t shift)
{
	m->site->last++;
	last_miss(core, m->first, last, m->site->cell, sim_miss_store(m), shift);
	if (__builtin_expect(core->drawn != NULL, 0))
		sim_maps_last(core, m->first, m->site->cell);
}

/* Looks up and counts one queued miss of the nearer level; true: it misses this level too. */
LRU_INLINE bool play_one(struct sim_core *core, const struct sim_miss *m, const struct sim_cache *c,
	uint32_t level, bool wide, bool is_last)
{
	uint32_t fetched = lru_line(c, wide, sim_line(c, m->first, m->frame));

	if (__builtin_expect((m->first ^ m->last) >> c->shift != 0, 0))
		fetched += lru_line(c, wide, sim_line(c, m->last, (m->first ^ m->last) >> c->page ?
			frames_scatter(m->last >> c->page) : m->frame));
	if (!fetched)
		return false;
	count_far(core, m, level, fetched);
	if (is_last)
		count_last(core, m, m->last, c->shift);
	return true;
}

/* Common shapes of levels, for which the compiler makes separate code. */
enum ways { ANY, EIGHT, SIXTEEN, WIDE };        /* exactly eight; nine to sixteen; tags of 64
						 * bits */

static enum ways ways_of(const struct sim_core *core, uint32_t level)
{
	const struct sim_cache *c = core->level[level];

	if (core->sim->wide)
		return WIDE;
	if (!c->mask)
		return ANY;
	return c->assoc == 8 ? EIGHT : c->assoc > 8 && c->stride == 4 ? SIXTEEN : ANY;
}

/* Lines of 64 bytes, pages of 4 KiB. */
static bool lines_of_64(const struct sim_cache *c)
{
	return c->shift == 6 && c->page == 12;
}

/* lines64: lines_of_64() holds. */
LRU_INLINE struct sim_cache geometry(const struct sim_cache *level, enum ways ways, bool frames,
	bool lines64)
{
	struct sim_cache c = lru_geometry(level);

	c.frames = frames;
	if (ways == EIGHT) {
		c.assoc = 8;
		c.stride = 3;
	} else if (ways == SIXTEEN) {
		c.stride = 4;
	}
	if (lines64) {
		c.shift = 6;
		c.page = 12;
	}
	if ((ways == EIGHT || ways == SIXTEEN) && (!c.mask || c.assoc < 8 || c.assoc > 16 ||
	    (ways == SIXTEEN && c.assoc == 8)))
		__builtin_unreachable();
	return c;
}

/* Simulates one level; its misses remain in the queue unless it is the last one.  Returns their
 * number. */
LRU_INLINE uint32_t play_level(struct sim_core *core, struct sim_miss *queue, uint32_t n,
	uint32_t level, enum ways ways, bool frames, bool is_last)
{
	const struct sim_cache c = geometry(core->level[level], ways, frames, false);
	uint32_t out = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (ways != WIDE)
			ahead(&c, queue + i, n - i);
		if (play_one(core, queue + i, &c, level, ways == WIDE, is_last) && !is_last)
			queue[out++] = queue[i];
	}
	return out;
}

/* Simulates the last two levels in one pass.  Their lines have the same numbers. */
LRU_INLINE void play_both(struct sim_core *core, uint32_t n, uint32_t level, bool frames)
{
	const struct sim_cache c = geometry(core->level[level], EIGHT, frames, true);
	const struct sim_cache d = geometry(core->level[level + 1], SIXTEEN, frames, true);

	for (const struct sim_miss *m = core->queue; n; m++, n--) {
		const uint64_t line = sim_line(&c, m->first, m->frame);

		ahead(&d, m, n);
		if (__builtin_expect((m->first ^ m->last) >> c.shift != 0, 0)) {
			if (play_one(core, m, &c, level, false, false))
				play_one(core, m, &d, level + 1, false, true);
			continue;
		}
		if (!lru_line(&c, false, line))
			continue;
		count_far(core, m, level, 1);
		if (!lru_line(&d, false, line))
			continue;
		count_far(core, m, level + 1, 1);
		count_last(core, m, m->first, c.shift);
	}
}

/* Functions of their own: the compiler would run out of registers in drain_alone(). */
static __attribute__((noinline)) void play_both_frames(struct sim_core *core, uint32_t n)
{
	play_both(core, n, 1, true);
}

static __attribute__((noinline)) void play_both_plain(struct sim_core *core, uint32_t n)
{
	play_both(core, n, 1, false);
}

static void last_misses(struct sim_core *core, const struct sim_miss *m, uint32_t n)
{
	uint32_t shift = core->level[core->nlevels - 1]->shift;

	for (; n--; m++)
		count_last(core, m, m->last, shift);
}

/* The caller holds the level's lock; this function releases it. */
LRU_INLINE uint32_t play_held(struct sim_core *core, struct sim_miss *queue, uint32_t n,
	uint32_t level, bool is_last)
{
	enum ways ways = ways_of(core, level);
	const bool frames = core->level[level]->frames;

	if (ways == WIDE)
		n = play_level(core, queue, n, level, WIDE, frames, is_last);
	else if (ways == EIGHT && frames)
		n = play_level(core, queue, n, level, EIGHT, true, is_last);
	else if (ways == EIGHT)
		n = play_level(core, queue, n, level, EIGHT, false, is_last);
	else if (ways == SIXTEEN && frames)
		n = play_level(core, queue, n, level, SIXTEEN, true, is_last);
	else if (ways == SIXTEEN)
		n = play_level(core, queue, n, level, SIXTEEN, false, is_last);
	else
		n = play_level(core, queue, n, level, ANY, frames, is_last);
	pthread_mutex_unlock(&core->level[level]->lock);
	return n;
}

LRU_INLINE uint32_t play_locked(struct sim_core *core, struct sim_miss *queue, uint32_t n,
	uint32_t level, bool is_last)
{
	pthread_mutex_lock(&core->level[level]->lock);
	return play_held(core, queue, n, level, is_last);
}

/* Drains the queue of a core that shares levels.  The last level's lock is contended: it is held
 * for lookups only, and if it is busy, misses stay queued while there is room (all: waits for
 * it). */
static void drain_shared(struct sim_core *core, bool all)
{
	uint32_t n = core->nqueue - core->nfar, last = core->nlevels - 1;
	pthread_mutex_t *lock = &core->level[last]->lock;
	struct sim_miss *queue = core->queue + core->nfar;

	for (uint32_t i = 1; i < last && n; i++)
		n = play_locked(core, queue, n, i, false);
	core->nqueue = core->nclass = core->nfar += n;
	n = core->nfar;
	if (n && last) {
		if (pthread_mutex_trylock(lock)) {
			if (!all && n <= SIM_FAR - SIM_QUEUE)
				return;
			pthread_mutex_lock(lock);
		}
		n = play_held(core, core->queue, n, last, false);
	}
	last_misses(core, core->queue, n);
	core->nqueue = core->nclass = core->nfar = 0;
}

static void drain_alone(struct sim_core *core)
{
	uint32_t n = core->nqueue, last = core->nlevels - 1;

	if (last == 2 && ways_of(core, 1) == EIGHT && ways_of(core, 2) == SIXTEEN &&
	    lines_of_64(core->level[1]) && lines_of_64(core->level[2]) &&
	    core->level[1]->frames == core->level[2]->frames) {
		pthread_mutex_lock(&core->level[1]->lock);
		pthread_mutex_lock(&core->level[2]->lock);
		if (core->level[1]->frames)
			play_both_frames(core, n);
		else
			play_both_plain(core, n);
		pthread_mutex_unlock(&core->level[2]->lock);
		pthread_mutex_unlock(&core->level[1]->lock);
		return;
	}
	for (uint32_t i = 1; i < last && n; i++)
		n = play_locked(core, core->queue, n, i, false);
	if (!last)
		last_misses(core, core->queue, n);
	else if (n)
		play_locked(core, core->queue, n, last, true);
}

static void drain(struct sim_core *core, bool all)
{
	sim_pattern(core);
	if (core->drawn)
		sim_maps_misses(core, core->queue + core->nfar, core->nqueue - core->nfar);
	if (core->sharing) {
		drain_shared(core, all);
		return;
	}
	drain_alone(core);
	core->nqueue = core->nclass = 0;
}

void sim_drain(struct sim_core *core)
{
	drain(core, true);
}

void sim_drain_some(struct sim_core *core)
{
	drain(core, false);
}

/* Removes a line; older ways move up. */
static bool drop64(const struct sim_cache *c, uint64_t line)
{
	uint64_t *set = (uint64_t *)c->tags + ((size_t)lru_set64(c, line) << c->stride);
	uint32_t way = 0;

	while (way < c->assoc && set[way] != line)
		way++;
	if (way == c->assoc)
		return false;
	for (; way < c->assoc; way++)
		set[way] = way + 1 < c->assoc ? set[way + 1] : 0;
	return true;
}

static bool drop32(const struct sim_cache *c, uint32_t line)
{
	uint32_t *set = (uint32_t *)c->tags + ((size_t)lru_set32(c, line) << c->stride);
	uint32_t way = lru_way32(set, c->assoc, line);

	if (way == c->assoc)
		return false;
	for (; way < c->assoc; way++)
		set[way] = way + 1 < c->assoc ? set[way + 1] : 0;
	return true;
}

uint64_t sim_cache_drop(struct sim *s, struct sim_cache *c, uint64_t first, uint64_t lines,
	uint32_t parts)
{
	uint64_t found = 0;

	pthread_mutex_lock(c->guard);
	for (; lines; lines &= lines - 1) {
		uint64_t line = first + ((uint64_t)__builtin_ctzll(lines) << parts);
		bool here = false;

		for (uint64_t end = line + (UINT64_C(1) << parts); line < end; line++) {
			uint64_t at = sim_line(c, line << c->shift,
				frames_scatter(line << c->shift >> c->page));

			here |= s->generic ? hier_drop(c, at) : s->wide ? drop64(c, at) :
				drop32(c, (uint32_t)at);
		}
		found |= here ? lines & -lines : 0;
	}
	pthread_mutex_unlock(c->guard);
	return found;
}

static bool has_line(const struct sim *s, const struct sim_cache *c, uint64_t line)
{
	const uint64_t *set = (const uint64_t *)c->tags + ((size_t)lru_set64(c, line) << c->stride);
	uint32_t way = 0;

	if (s->generic)
		return hier_has(c, line);
	if (!s->wide)
		return lru_way32((const uint32_t *)c->tags +
			((size_t)lru_set32(c, (uint32_t)line) << c->stride), c->assoc,
			(uint32_t)line) != c->assoc;
	while (way < c->assoc && set[way] != line)
		way++;
	return way != c->assoc;
}

bool sim_cache_has(const struct sim *s, const struct sim_cache *c, uint64_t first, uint32_t parts)
{
	for (uint64_t line = first, end = first + (UINT64_C(1) << parts); line < end; line++)
		if (has_line(s, c, line))
			return true;
	return false;
}
