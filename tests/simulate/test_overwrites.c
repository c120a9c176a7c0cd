/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores that are overwritten before anything reads them: programs whose truth is known, and random
 * records against bytes that are followed one by one. */
#include "simulate/cache/unread_bytes.h"
#include "simulate/simulate.h"
#include "tests/simulate/neighbours.h"

enum {
	LOAD8 = 8 << 2 | PSC_LOAD, STORE8 = 8 << 2 | PSC_STORE, OBJECT = 1 << 16, FIRST = 7 * 16,
	N = 1024, MOST = 400000, BODIES = 64
};
#define AT(object) ((uint64_t)OBJECT * (FIRST + (object)))      /* the begin of an object */

static struct body { _Alignas(8) struct psc_segment s; uint32_t d[256]; } bodies[BODIES];
static uint64_t words[MOST];
static size_t nwords;
static struct sim_thread *thread[2];

/* --- records ---------------------------------------------------------------------------------- */

static void word(uint64_t w)
{
	assert_true(nwords < MOST);
	words[nwords++] = w;
}

static void context(uint32_t c)
{
	word((uint64_t)c << 3 | PSC_REC_CONTEXT);
}

static struct body *body_of(int i, const uint32_t *d, uint32_t n, uint32_t ngroups,
	uint32_t naccess, uint32_t nrecord)
{
	struct body *b = &bodies[i];

	b->s = (struct psc_segment){ .nwords = (uint16_t)nrecord, .ngroups = (uint16_t)ngroups,
		.naccess = (uint16_t)naccess, .length = (uint16_t)n };
	memcpy(b->d, d, n * sizeof *d);
	return b;
}

static void begin(void)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = 2, .page_size = 4096,
		.level[0] = level(64, 8, 64), .level[1] = level(64, 8, 1024) };

	object_bytes = OBJECT;
	nwords = 0;
	sim_arm(&sim, &m, &env);
	sim.unread = unread_bytes_new(&env, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		thread[i] = thread_make();
		assert_int_equal(sim_core_attach(&thread[i]->core, &sim, i), 0);
	}
}

static void end(void)
{
	thread_free(thread[0]);
	thread_free(thread[1]);
	blocks_free();
}

/* Simulates what was recorded as a batch of a thread. */
static void play(int t)
{
	assert_int_equal(sim_batch(thread[t], words, words + nwords, true, true), 0);
	nwords = 0;
}

struct truth { uint64_t stored, overwritten, first; };

/* What both threads have counted in a context; 0: in all. */
static struct truth counted(uint32_t c, uint64_t address)
{
	const uint32_t object = address / OBJECT % 7 + MON_OBJ_FIRST;
	struct truth sum = { 0 };

	for (int t = 0; t < 2; t++)
		for (uint32_t i = 1; i < thread[t]->core.ncells; i++) {
			const struct sim_cell *cell = &thread[t]->core.cells[i];

			if ((uint32_t)cell->key != object || (c && sim_cell_context(cell) != c))
				continue;
			sum.stored += cell->stored;
			sum.overwritten += cell->overwritten;
			sum.first += cell->overwritten_first;
		}
	return sum;
}

static void is(uint32_t c, uint64_t address, uint64_t stored, uint64_t overwritten, uint64_t first)
{
	const struct truth t = counted(c, address);

	assert_int_equal(t.stored, stored);
	assert_int_equal(t.overwritten, overwritten);
	assert_int_equal(t.first, first);
}

/* A loop of n iterations, whose one group moves by 8 bytes. */
static void loop1(uint32_t access, uint64_t address, uint64_t n)
{
	const uint32_t d[] = { 8, access };

	word((uint64_t)(uintptr_t)&body_of((int)access & 1, d, 2, 1, 1, 1)->s | PSC_REC_LOOP);
	word(n);
	word(address);
}

/* --- programs --------------------------------------------------------------------------------- */

static void an_array_is_zeroed_and_then_filled(void **state)
{
	(void)state;
	begin();
	context(1);
	loop1(STORE8, AT(1), N);        /* zeroed */
	context(2);
	loop1(STORE8, AT(1), N);        /* filled */
	loop1(LOAD8, AT(1), N);
	context(3);
	loop1(STORE8, AT(1), N);        /* lost at the end, but nothing overwrites it */
	play(0);
	is(1, AT(1), 8 * N, 8 * N, 8 * N);
	is(2, AT(1), 8 * N, 0, 0);
	is(3, AT(1), 8 * N, 0, 0);
	end();
}

static void what_is_read_again_is_not_dead(void **state)
{
	static const uint32_t triad[] = { 8, LOAD8, 8, LOAD8, 8, STORE8 };

	(void)state;
	begin();
	context(1);
	for (int i = 0; i < 3; i++) {
		word((uint64_t)(uintptr_t)&body_of(2, triad, 6, 3, 3, 3)->s | PSC_REC_LOOP);
		word(N);
		word(AT(1));
		word(AT(2));
		word(AT(3));
		loop1(LOAD8, AT(3), N);
	}
	play(0);
	is(1, AT(3), 3 * 8 * N, 0, 0);
	end();
}

/* Filled, an eighth is read, two thirds of it are filled again: two thirds of the rest are lost. */
static void a_part_is_read_and_a_part_overwritten(void **state)
{
	static const uint32_t every8th[] = { 64, LOAD8 };

	(void)state;
	begin();
	context(1);
	loop1(STORE8, AT(1), 960);
	context(2);
	word((uint64_t)(uintptr_t)&body_of(3, every8th, 2, 1, 1, 1)->s | PSC_REC_LOOP);
	word(120);
	word(AT(1));
	loop1(STORE8, AT(1), 640);
	play(0);
	is(1, AT(1), 8 * 960, 7 * 640, 0);
	is(2, AT(1), 8 * 640, 0, 0);
	end();
}

/* Each element is stored, read one iteration later, and only then overwritten: in order, nothing is
 * lost, though the loads of the loop lie in the range of the stores. */
static void the_order_within_a_loop_counts(void **state)
{
	static const uint32_t d[] = { 8, STORE8, 8, LOAD8, 8, STORE8 };

	(void)state;
	begin();
	context(1);
	for (int k = 0; k < 2; k++) {
		word((uint64_t)(uintptr_t)&body_of(4, d, 6, 3, 3, 3)->s | PSC_REC_LOOP);
		word(N);
		word(AT(1) + 16);
		word(AT(1) + (k ? 8 : 16));
		word(AT(1) + 8);
	}
	play(0);
	/* k = 0: the load reads what the first group has just stored; the last group stores to it
	 * one iteration later.  k = 1: the first group meets the stores of the last group in k = 0,
	 * which nothing has read, in all elements but the last one. */
	is(1, AT(1), 4 * 8 * N, 8 * (N - 1), 0);
	end();
}

static void another_thread_may_read(void **state)
{
	(void)state;
	begin();
	context(1);
	loop1(STORE8, AT(1), N);
	play(0);
	context(2);
	loop1(LOAD8, AT(1), N / 2);
	loop1(STORE8, AT(1), N);
	play(1);
	is(1, AT(1), 8 * N, 4 * N, 4 * N);
	is(2, AT(1), 8 * N, 0, 0);
	end();
}

static void what_lies_before_an_execution_or_a_call_is_not_known(void **state)
{
	(void)state;
	begin();
	context(1);
	loop1(STORE8, AT(1), N);
	word(PSC_REC_CALL(12));
	loop1(STORE8, AT(1), N);
	word(PSC_REC_CALL(PSC_CALL_SAME | PSC_CALL_READS));
	loop1(STORE8, AT(1), N);
	word(PSC_REC_CALL(12 | PSC_CALL_READS));        /* the batch ends with it */
	play(0);
	is(1, AT(1), 24 * N, 8 * N, 8 * N);
	context(1);
	loop1(STORE8, AT(1), N);
	play(0);
	is(1, AT(1), 32 * N, 8 * N, 8 * N);
	atomic_fetch_add(&sim.execution, 1);
	context(1);
	loop1(STORE8, AT(1), N);
	play(0);
	is(1, AT(1), 40 * N, 8 * N, 8 * N);
	unread_bytes_forget(sim.unread);
	context(1);
	loop1(STORE8, AT(1), N);
	play(0);
	is(1, AT(1), 48 * N, 8 * N, 8 * N);
	end();
}

/* --- random records --------------------------------------------------------------------------- */

/* Of the bytes of all objects, one by one. */
enum { OBJECTS = 4, CONTEXTS = 3, BYTES = OBJECTS * OBJECT };
static struct { bool unread[BYTES], read[BYTES / 64]; } known;
static struct truth truth[OBJECTS];

static void follow(uint64_t address, uint64_t n, bool store)
{
	for (uint64_t at = address - AT(0); n--; at++) {
		struct truth *t = &truth[at / OBJECT];

		known.read[at / 64] = known.read[at / 64] || !store;
		t->stored += store;
		t->overwritten += store && known.unread[at];
		t->first += store && known.unread[at] && !known.read[at / 64];
		known.unread[at] = store;
	}
}

struct shape {
	uint32_t d[256], n, groups, accesses, words;
	struct { uint32_t at; uint64_t step; } g[8];
};

static uint32_t access_size(void)
{
	static const uint32_t sizes[] = { 1, 2, 4, 8, 8, 8, 16, 32, 64 };

	return sizes[rnd() % 9];
}

static void shape_group(struct shape *s, bool loop)
{
	static const int32_t steps[] = { 0, 4, 8, 8, 8, -8, 16, 24, 64, -64, 200 };
	const int32_t step = steps[rnd() % 11];

	s->g[s->groups].step = (uint64_t)step;
	if (loop)
		s->d[s->n++] = (uint32_t)step;
	s->g[s->groups++].at = s->n;
	s->words++;
	if (rnd() % 3) {
		s->d[s->n++] = access_size() << 2 | (rnd() & 1);
		s->accesses++;
		return;
	}
	/* two or three members, of which the first begins at the group's address; some fill the
	 * step */
	const uint32_t members = 2 + rnd() % 2, at = s->n;
	const uint32_t whole = (uint32_t)(step < 0 ? -step : step);
	const bool fills = whole && whole <= 64 && rnd() % 2;
	uint32_t span = 0, sum[2] = { 0 };

	s->n += 3 + members;
	for (uint32_t i = 0; i < members; i++) {
		const uint32_t size = fills ? whole : access_size(), store = rnd() & 1,
			offset = i && !fills ? rnd() % 40 : 0;

		s->d[at + 3 + i] = offset << 16 | size << 2 | store;
		sum[store] += (1 << 16) + size;
		span = offset + size > span ? offset + size : span;
	}
	s->d[at] = PSC_GROUP_MANY | span << 8 | members;
	s->d[at + 1] = sum[0];
	s->d[at + 2] = sum[1];
	s->accesses += members;
}

static void follow_group(const uint32_t *d, uint64_t address)
{
	if (!(*d & PSC_GROUP_MANY)) {
		follow(address, *d >> 2, *d & 1);
		return;
	}
	for (uint32_t i = 0; i < PSC_MANY_N(*d); i++)
		follow(address + (d[3 + i] >> 16), d[3 + i] >> 2 & 0x3fff, d[3 + i] & 1);
}

/* Near the begin of an object, so that groups meet each other; away from its ends. */
static uint64_t address_of(void)
{
	return AT(rnd() % OBJECTS) + 20000 + rnd() % (rnd() % 4 ? 600 : 9000);
}

static void random_record(int i)
{
	const bool loop = rnd() % 2;
	const uint64_t count = loop ? rnd() % 50 : 1;
	struct shape s = { .n = 0 };
	uint64_t address[8];

	for (uint32_t n = 1 + rnd() % 5; n--; )
		shape_group(&s, loop);
	word((uint64_t)(uintptr_t)&body_of(i, s.d, s.n, s.groups, s.accesses, s.words)->s |
		(loop ? PSC_REC_LOOP : PSC_REC_SEGMENT));
	if (loop)
		word(count);
	for (uint32_t k = 0; k < s.groups; k++)
		word(address[k] = address_of());
	for (uint64_t n = 0; n < count; n++)
		for (uint32_t k = 0; k < s.groups; k++)
			follow_group(s.d + s.g[k].at, address[k] + n * s.g[k].step);
}

static void random_range(int i)
{
	const uint32_t store = rnd() & 1, d[] = { 2 | store };
	const uint64_t address = address_of(), n = rnd() % 700;

	word((uint64_t)(uintptr_t)&body_of(i, d, 1, 1, 1, 2)->s | PSC_REC_SEGMENT);
	word(address);
	word(n);
	follow(address, n, store);
}

static void random_records_give_what_their_bytes_say(void **state)
{
	(void)state;
	for (uint64_t run = 0; run < 300; run++) {
		seed = 77 + run;
		begin();
		memset(&known, 0, sizeof known);
		memset(truth, 0, sizeof truth);
		for (int i = 0; i < BODIES; i++) {
			context(1 + rnd() % CONTEXTS);
			if (i % 8 == 7)
				random_range(i);
			else
				random_record(i);
		}
		play(0);
		for (uint32_t k = 0; k < OBJECTS; k++)
			is(0, AT(k), truth[k].stored, truth[k].overwritten, truth[k].first);
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_is_zeroed_and_then_filled),
		cmocka_unit_test(what_is_read_again_is_not_dead),
		cmocka_unit_test(a_part_is_read_and_a_part_overwritten),
		cmocka_unit_test(the_order_within_a_loop_counts),
		cmocka_unit_test(another_thread_may_read),
		cmocka_unit_test(what_lies_before_an_execution_or_a_call_is_not_known),
		cmocka_unit_test(random_records_give_what_their_bytes_say),
	};

	return cmocka_run_group_tests_name("stores that are overwritten unread", tests, NULL, NULL);
}
