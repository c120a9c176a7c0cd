/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which engines simulate loops of the usual shapes: the first one that suits, and those that
 * would continue where it stops.  Prints the table of choices. */
#include "tests/simulate/neighbours.h"
#include "simulate/loop/loop.h"
#include <stdio.h>

enum { LOAD8 = 8 << 2 | PSC_LOAD, STORE8 = 8 << 2 | PSC_STORE, WAIT8 = LOAD8 | PSC_GROUP_SPIN, MOST = 200 };

static struct { _Alignas(8) struct psc_segment s; uint32_t d[MOST]; } body;
static const uint64_t words[MOST];      /* all begin at 0: nothing is simulated */

/* A loop of n groups, all with that descriptor word and step; the last one with `last_step`. */
static void loop_of(uint32_t n, uint32_t word, int32_t step, int32_t last_step)
{
	body.s = (struct psc_segment){ .nwords = (uint16_t)n, .ngroups = (uint16_t)n, .naccess = (uint16_t)n,
		.length = (uint16_t)(2 * n) };
	for (uint32_t i = 0; i < n; i++) {
		body.d[2 * i] = (uint32_t)(i + 1 < n ? step : last_step);
		body.d[2 * i + 1] = word;
	}
}

/* Groups of two members that are 100 bytes apart. */
static void loop_of_pairs_apart(uint32_t n, int32_t step)
{
	const uint32_t d[] = { (uint32_t)step, PSC_GROUP_MANY | 108u << 8 | 2, 2u << 16 | 16, 0, LOAD8, 100u << 16 | LOAD8 };

	body.s = (struct psc_segment){ .nwords = (uint16_t)n, .ngroups = (uint16_t)n, .naccess = (uint16_t)(2 * n),
		.length = (uint16_t)(6 * n) };
	for (uint32_t i = 0; i < n; i++)
		memcpy(body.d + 6 * i, d, sizeof d);
}

static struct work work;

/* The engines, "/" between them. */
static const char *choice(uint64_t count, uint32_t facts)
{
	static char out[100];
	struct sim_segment seg = { .s = &body.s };
	struct loop l = { .s = &body.s, .seg = &seg, .words = words, .count = count, .per = body.s.naccess,
		.facts = facts };
	size_t used = 0;

	for (uint32_t e = 0; e < LOOP_ENGINES; e++) {
		e = loop_choose(&work, &l, e, count);
		used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", used ? "/" : "", loop_engines[e].name);
	}
	return out;
}

static void row(const char *what, uint64_t count, uint32_t facts, const char *expected)
{
	const char *found = choice(count, facts);

	printf("%-52s %6llu  %s\n", what, (unsigned long long)count, found);
	assert_string_equal(found, expected);
}

static int begin(void **state)
{
	static struct sim_thread *t;
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .page_size = 4096, .level[0] = level(64, 8, 64),
		.level[1] = level(64, 8, 1024) };

	(void)state;
	t = thread_make();
	sim_arm(&sim, &m, &env);
	assert_int_equal(sim_core_attach(&t->core, &sim, 0), 0);
	work = (struct work){ .v = t, .core = &t->core, .l1 = t->core.level[0], .most = 64 };
	return 0;
}

static int end(void **state)
{
	(void)state;
	thread_free(work.v);
	blocks_free();
	return 0;
}

static void one_thread(void **state)
{
	(void)state;
	loop_of(3, LOAD8, 8, 8);
	row("a[i] + b[i] + c[i]", 1000, 0, "periods/events/in step/iterations");
	row("the same, a few times", 20, 0, "periods/events/in step/iterations");
	row("the same, fewer", 11, 0, "iterations");
	loop_of(3, LOAD8, 8, 0);
	row("a[i] + b[i] + c", 1000, 0, "events/in step/iterations");
	loop_of(3, LOAD8, 8, 800);
	row("a[i] + b[i] + c[i][j]", 1000, 0, "in step/iterations");
	loop_of(3, LOAD8, 800, 800);
	row("a[i][j] + b[i][j] + c[i][j]", 1000, 0, "in step/iterations");
	loop_of(3, LOAD8, 800, 1600);
	row("a[i][j] + b[2 * i][j]", 1000, 0, "in step/iterations");
	loop_of(3, LOAD8, 40, 40);
	row("a[i].x + b[i].x + c[i].x, 40 bytes each", 1000, 0, "periods/in step/iterations");
	loop_of_pairs_apart(1, 8);
	row("a[i] + a[i + 12]", 1000, 0, "periods/events/in step/iterations");
	loop_of_pairs_apart(33, 8);
	row("33 such pairs: 66 streams", 1000, 0, "in step/iterations");
	loop_of_pairs_apart(1, 40);
	row("s[i].x + s[i + 2].y, 40 bytes each", 1000, 0, "in step/iterations");
	loop_of(70, LOAD8, 8, 8);
	row("70 arrays", 1000, 0, "in step/iterations");
	loop_of(97, LOAD8, 8, 8);
	row("97 arrays", 1000, 0, "iterations");
	loop_of(2, WAIT8, 0, 0);
	row("waits", 1000, FACT_WAITS, "events/iterations");
	loop_of(3, STORE8, 8, 8);
	row("stores of more than a line", 1000, FACT_EACH, "iterations");
	row("a copy in each iteration", 1000, FACT_RANGES, "iterations");
	body.d[1] |= PSC_GROUP_TAIL;
	row("the exit behind the first of three", 1000, 0, "periods/events/iterations");
}

static void a_sample(void **state)
{
	(void)state;
	loop_of(3, LOAD8, 8, 8);
	row("a sample of the sets: a[i] + b[i] + c[i]", 1000, FACT_SAMPLED, "events/iterations");
	loop_of(3, LOAD8, 800, 800);
	row("a sample: a[i][j] + b[i][j] + c[i][j]", 1000, FACT_SAMPLED, "events/iterations");
}

static void several_threads(void **state)
{
	(void)state;
	loop_of(3, LOAD8, 8, 8);
	row("several threads: a[i] + b[i] + c[i]", 1000, FACT_TOLD, "split/in step/iterations");
	row("fewer", 3, FACT_TOLD, "split/iterations");
	row("several threads, of one turn", 20, FACT_TOLD | FACT_IN_TURN, "one turn/iterations");
	row("the same, with a copy", 20, FACT_TOLD | FACT_IN_TURN | FACT_RANGES, "iterations");
	loop_of(70, LOAD8, 8, 8);
	row("several threads: 70 arrays", 1000, FACT_TOLD, "in step/iterations");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread),
		cmocka_unit_test(a_sample),
		cmocka_unit_test(several_threads),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
