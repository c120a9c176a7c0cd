/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the words of bursts. */
#include "config.h"
#include "foreign/play_bursts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "foreign/burst_nodes.h"
#include "monitor/shared/shm.h"

enum {
	CHUNK = 2048,           /* words of a thread that are simulated before the next thread's */
	UNCOUNTED_PART = 4,     /* one word in so many, at a burst's begin */
	SLAB = 1 << 20
};

/* --- memory for the simulator, until the process ends ----------------------------------------- */

static void *map(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void *memory(size_t bytes)
{
	static char *slab;
	static size_t left;
	void *at;

	bytes = (bytes + 63) & ~(size_t)63;
	if (bytes >= SLAB)
		return map(bytes);
	if (left < bytes) {
		slab = map(SLAB);
		left = slab ? SLAB : 0;
	}
	if (left < bytes)
		return NULL;
	at = slab;
	slab += bytes;
	left -= bytes;
	return at;
}

/* --- the simulator's questions ---------------------------------------------------------------- */

static bool place(void *asker, uint64_t address, struct sim_place *out)
{
	struct memory_span span;

	memory_objects_find(asker, address, &span);
	*out = (struct sim_place){ .lo = span.lo, .hi = span.hi, .object = span.object };
	return true;
}

/* Descriptors are this process's own memory. */
static bool readable(uint64_t address, uint64_t *lo, uint64_t *length)
{
	*lo = address;
	*length = sizeof(struct psc_segment) + UINT16_MAX * sizeof(uint32_t);
	return true;
}

/* A bit for each line that has missed the last level, by address: a hash of 4 KiB pieces. */
enum { MARKS = 1 << 20 };
struct marks {
	uint64_t piece[MARKS];          /* + 1; 0: free */
	_Atomic uint64_t word[MARKS];
	uint32_t n;
};

static _Atomic uint64_t *marks(void *space, uint64_t address, bool make)
{
	struct marks *m = space;
	const uint64_t piece = (address >> 12) + 1;
	uint32_t slot = (uint32_t)(piece * UINT64_C(0x9e3779b97f4a7c15) >> 44);

	for (; m->piece[slot]; slot = (slot + 1) % MARKS)
		if (m->piece[slot] == piece)
			return &m->word[slot];
	if (!make || m->n == MARKS / 4 * 3)
		return NULL;
	m->piece[slot] = piece;
	m->n++;
	return &m->word[slot];
}

static uint32_t node(void *space, uint64_t address)
{
	(void)space;
	(void)address;
	return MACHINE_NODES;
}

static const struct sim_env env = { .get = memory, .room = memory, .place = place,
	.readable = readable, .marks = marks, .node = node };

/* --- threads ---------------------------------------------------------------------------------- */

int play_bursts_begin(struct play_bursts *p, const struct machine_flat *m,
	struct memory_objects *objects, struct err *err)
{
	struct machine_flat model = *m;

	/* Pages are seen in bursts, so the order of their first touches is not known. */
	model.pages = MACHINE_PAGES_VIRTUAL;
	*p = (struct play_bursts){ .objects = objects };
	if (!sim_machine_ok(&model))
		return err_set(err, "the machine model cannot be simulated");
	sim_arm(&p->sim, &model, &env);
	p->sim.warming = true;          /* every miss marks its line: a line that was never seen is
					 * told from others */
	p->sim.space = memory(sizeof(struct marks));
	p->thread = calloc(MON_THREADS, sizeof *p->thread);
	p->records = malloc((CHUNK * 8 + BLOCK_CODE_WORDS) * sizeof *p->records);
	return p->sim.space && p->thread && p->records && !burst_contents_begin(&p->contents) ? 0 :
		err_nomem(err);
}

void play_bursts_of(struct play_bursts *p, uint64_t words)
{
	p->words_each = words - words / UNCOUNTED_PART;
}

void play_bursts_end(struct play_bursts *p)
{
	for (uint32_t i = 0; p->thread && i < p->nthreads; i++)
		block_code_end(&p->thread[i].code);
	free(p->thread);
	free(p->records);
	burst_contents_end(&p->contents);
	*p = (struct play_bursts){ 0 };
}

/* The second core makes the directory; the first one joins it at its next burst. */
static int join_sharing(struct play_bursts *p, struct burst_thread_play *t)
{
	if (!p->share && p->nthreads > 1 && p->sim.machine.ncpus > 1)
		p->share = share_new(&env, &p->sim.machine, 0);
	return p->share && !t->sim->core.sharing ? share_attach(p->share, &t->sim->core,
		t->number) : 0;
}

static int make_core(struct play_bursts *p, struct burst_thread_play *t)
{
	struct sim_thread *s = t->sim = memory(sizeof *s);

	if (!s)
		return -1;
	s->core.cells = memory(SIM_CELLS * sizeof *s->core.cells);
	s->core.index = memory(2 * SIM_CELLS * sizeof *s->core.index);
	t->sums = memory(SIM_CELLS * sizeof *t->sums);
	if (!s->core.cells || !s->core.index || !t->sums)
		return -1;
	sim_core_clear(&s->core);
	s->asker = p->objects;
	s->places = UINT32_MAX;
	return sim_core_attach(&s->core, &p->sim, t->number);
}

struct burst_thread_play *play_bursts_thread(struct play_bursts *p, struct code_contexts *places,
	uint32_t slot, uint32_t tid)
{
	struct burst_thread_play *t = p->of_slot[slot] ? &p->thread[p->of_slot[slot] - 1] : NULL;

	if (t && t->tid == tid)
		return t;
	if (p->nthreads == MON_THREADS)
		return NULL;
	t = &p->thread[p->nthreads];
	*t = (struct burst_thread_play){ .tid = tid, .number = p->nthreads };
	block_code_begin(&t->code, places);
	p->of_slot[slot] = ++p->nthreads;
	return t;
}

/* --- bursts ----------------------------------------------------------------------------------- */

void play_bursts_add(struct burst_thread_play *t, const struct burst_thread *slot)
{
	const uint64_t from = slot->first, to = atomic_load_explicit(&slot->offset,
		memory_order_acquire);

	t->slot = slot;
	t->fs = slot->fs;
	t->at = t->end = NULL;
	if (t->code.generation != slot->generation) {
		block_code_forget(&t->code);
		t->code.generation = slot->generation;
	}
	if (from < BURST_WORDS_AT || to < from || to > BURST_BLOCKS_AT ||
	    (from | to) % sizeof(uint64_t))
		return;
	t->at = (const uint64_t *)(const void *)((const char *)t->slot + from);
	t->end = (const uint64_t *)(const void *)((const char *)t->slot + to);
	block_code_learn(&t->code, t->slot, t->at, t->end);
	block_code_tell_branches(&t->code);
	t->before = UINT64_MAX;
	t->uncounted = (uint64_t)(t->end - t->at) / UNCOUNTED_PART;
	t->context = t->begins_in;
}

/* Notes the words that the thread's burst lacks. */
static void note_end(struct play_bursts *p, struct burst_thread_play *t)
{
	if (t->lacking)
		burst_contents_add(&p->contents, p->bursts, t->begins_in, MON_ANY, t->lacking);
	t->lacking = 0;
}

struct watching {
	const struct play_bursts *play;
	const struct burst_thread_play *thread;
};

static void watched(void *to, const struct burst_access *a, uint64_t address)
{
	const struct watching *w = to;

	w->play->watch(w->play->watcher, w->thread, a, address);
}

/* Notes in which contexts the words of a block are. */
static void note_contexts(struct play_bursts *p, struct burst_thread_play *t,
	const struct code_block *b)
{
	uint32_t context = t->context;

	for (uint32_t i = 0; i < b->npieces; i++) {
		const struct code_piece *at = &b->piece[i];

		if (at->context != PLACE_CALLER)
			context = at->context;
		if (at->words)
			burst_contents_add(&p->contents, p->bursts, t->begins_in, context,
				at->words);
	}
	t->lacking -= t->lacking < b->words ? t->lacking : b->words;
}

/* Makes records of the thread's next words, some of them blocks; stops where the
 * words are not understood. */
static uint64_t *next_records(struct play_bursts *p, struct burst_thread_play *t, uint64_t most)
{
	const bool noted = p->words_each && !t->uncounted;
	const uint64_t *from = t->at;
	uint64_t *out = p->records;

	while (t->at < t->end && (uint64_t)(t->at - from) < most && out < p->records + CHUNK * 8) {
		const uint64_t number = *t->at; /* once: the program may write there */
		const struct code_block *b = block_code_at(&t->code, t->slot, number);

		if (!b || (uint64_t)(t->end - t->at) < b->words) {
			p->words_invalid += (uint64_t)(t->end - t->at);
			t->end = t->at;
			break;
		}
		if (p->watch)
			block_code_accesses(b, t->at + 1, t->fs, watched,
				&(struct watching){ p, t });
		if (noted)
			note_contexts(p, t, b);
		block_code_branch(&t->code, t->before, b->ip);
		t->before = number;
		block_code_records(b, t->at + 1, t->fs, &t->context, &out);
		t->at += b->words;
	}
	p->words += (uint64_t)(t->at - from);
	return out;
}

static void run_chunk(struct play_bursts *p, struct burst_thread_play *t, uint64_t burst)
{
	const bool counting = !t->uncounted;
	const uint64_t *from = t->at;
	uint64_t *end = next_records(p, t, counting || t->uncounted > CHUNK ? CHUNK : t->uncounted);
	const uint64_t done = (uint64_t)(t->at - from);

	t->uncounted -= done < t->uncounted ? done : t->uncounted;
	if (t->sim->core.sharing)
		share_begin(t->sim->core.sharing, (uint32_t)burst + 1);
	sim_batch(t->sim, p->records, end, counting, true);
	if (t->sim->core.sharing)
		share_end(t->sim->core.sharing);
}

static void group_add(uint64_t group[SAMPLE_GROUPS], uint64_t all, uint64_t burst)
{
	uint64_t known = 0;

	for (int g = 0; g < SAMPLE_GROUPS; g++)
		known += group[g];
	group[burst % SAMPLE_GROUPS] += all > known ? all - known : 0;
}

/* Adds to a group of bursts what the cells have missed since the last burst, and the statements of
 * cells of the work, which have no misses. */
static void group_close(struct burst_thread_play *t, uint64_t burst)
{
	struct sim_core *core = &t->sim->core;

	sim_core_sum(core);
	for (uint32_t i = 1; core->counting && i < core->ncells; i++) {
		const struct sim_cell *c = &core->cells[i];

		for (int k = 0; k < 2 * MACHINE_LEVELS; k++)
			group_add(t->sums[i].miss[k / 2][k % 2], c->miss[k / 2][k % 2], burst);
		if ((uint32_t)c->key == SIM_OBJECT_WORK)
			group_add(t->sums[i].miss[0][0], c->statements, burst);
	}
}

static bool begin_thread(struct play_bursts *p, struct burst_thread_play *t)
{
	if (t->at == t->end)
		return false;
	if ((!t->sim && make_core(p, t)) || join_sharing(p, t)) {
		t->at = t->end;
		return false;
	}
	t->sim->generation = (memory_objects_generation(p->objects) + t->code.changes) & INT32_MAX;
	t->sim->context = t->context;
	t->lacking = p->words_each;
	burst_nodes_see(t, &p->sim.machine);
	return true;
}

void play_bursts_run(struct play_bursts *p, uint64_t burst)
{
	bool more = false, any = false;

	for (uint32_t i = 0; i < p->nthreads; i++)
		any |= begin_thread(p, &p->thread[i]);
	p->bursts += any;
	do {
		more = false;
		for (uint32_t i = 0; i < p->nthreads; i++) {
			struct burst_thread_play *t = &p->thread[i];

			if (t->at == t->end)
				continue;
			run_chunk(p, t, burst);
			more |= t->at != t->end;
		}
	} while (more);
	for (uint32_t i = 0; i < p->nthreads && any; i++)
		if (p->thread[i].sim) {
			group_close(&p->thread[i], burst);
			note_end(p, &p->thread[i]);
		}
}

void play_bursts_settle(struct play_bursts *p)
{
	if (p->share)
		share_finish(p->share);
	for (uint32_t i = 0; i < p->nthreads; i++) {
		struct burst_thread_play *t = &p->thread[i];

		if (!t->sim)
			continue;
		sim_core_sum(&t->sim->core);
		if (t->sim->core.sharing)
			share_settle(&t->sim->core);
	}
}
