/* SPDX-License-Identifier: BSD-3-Clause */
/* A calibration that meets a busy machine: machine/calibrate.c with a processor clock of the test's and slices that
 * measure nothing. */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "machine/calibration.h"
#include "machine/local.h"
#include "machine/machine.h"
#include "machine/cost_slices.h"
#include "machine/usable.h"
#include "machine/working_sets.h"

static struct {
	bool begun;             /* the working sets were made */
	unsigned rounds;        /* that were made */
	unsigned most;          /* after which the processor time is used up */
	time_t used;            /* s of processor time, if it is */
	int wide;               /* the pattern whose slices take 100 or 200 ns; -1: none */
	char told[200];         /* what was said to be measured, each once */
	unsigned tellings;
} fake;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_working_sets_make(const struct machine *m, uint64_t pages, struct working_sets *out, struct err *err);
void __wrap_working_sets_free(struct working_sets *s);
void __wrap_slices_round(struct slices *s, struct working_sets *sets, bool everything);
unsigned __wrap_slices_least(const struct slices *s, const struct working_sets *sets, bool quiet);
uint64_t __wrap_usable_measure(const struct machine_flat *f, struct working_sets *sets, uint64_t most, double near,
	double far);

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock != CLOCK_PROCESS_CPUTIME_ID)
		return __real_clock_gettime(clock, t);
	*t = (struct timespec){ .tv_sec = fake.begun && fake.rounds >= fake.most ? fake.used : 0 };
	return 0;
}

int __wrap_working_sets_make(const struct machine *m, uint64_t pages, struct working_sets *out, struct err *err)
{
	(void)pages;
	(void)err;
	fake.begun = true;
	memset(out, 0, sizeof *out);
	out->nlevels = m->flat.nlevels;
	return 0;
}

void __wrap_working_sets_free(struct working_sets *s)
{
	(void)s;
}

void __wrap_slices_round(struct slices *s, struct working_sets *sets, bool everything)
{
	(void)sets;
	(void)everything;
	fake.rounds++;
	if (fake.wide < 0)
		return;
	for (int i = 0; i < 6; i++) {
		series_add(&s->line[1][fake.wide].ns, i % 2 ? 100 : 200);
		series_add(&s->line[1][fake.wide].probe, 5);
	}
}

unsigned __wrap_slices_least(const struct slices *s, const struct working_sets *sets, bool quiet)
{
	(void)s;
	(void)sets;
	return quiet ? 0 : fake.rounds;
}

uint64_t __wrap_usable_measure(const struct machine_flat *f, struct working_sets *sets, uint64_t most, double near,
	double far)
{
	(void)f;
	(void)sets;
	(void)most;
	(void)near;
	(void)far;
	return 0;
}

static void tell(const char *what, unsigned seconds)
{
	const size_t n = strlen(fake.told);

	assert_true(seconds < 60);
	fake.tellings++;
	if (!strstr(fake.told, what))
		snprintf(fake.told + n, sizeof fake.told - n, "%s%s", n ? "; " : "", what);
}

static struct calibration calibrate(unsigned most, int wide)
{
	struct calibration c;
	struct machine m;
	struct err err = { "" };

	fake.begun = false;
	fake.rounds = 0;
	fake.most = most;
	fake.used = 60;
	fake.wide = wide;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	fake.told[0] = '\0';
	fake.tellings = 0;
	if (calibration_measure(&m, &calibration_long, tell, &c, &err) < 0)
		fail_msg("%s", err.text);
	return c;
}

/* What could not be measured is assumed, and its range is twice as wide. */
static void without_a_round_costs_are_assumed_and_marked(void **state)
{
	struct calibration c = calibrate(0, -1);
	struct machine_costs assumed;
	struct machine m;
	struct err err;

	(void)state;
	assert_int_equal(fake.rounds, 0);
	assert_true(machine_costs_marked(&c.costs));
	assert_string_equal(c.costs.varies, "too few rounds");
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	machine_costs_compute(&m, false, &assumed);
	for (uint32_t i = 0; i <= c.costs.nlevels; i++)
		for (int k = 0; k < COST_PATTERNS; k++) {
			assert_true(c.costs.line[i][k].value == assumed.line[i][k].value);
			assert_true(c.costs.line[i][k].low == assumed.line[i][k].low / 2);
			assert_true(c.costs.line[i][k].high == assumed.line[i][k].high * 2);
		}
	assert_true(c.costs.cycle > 0 && c.costs.mispredict > 0 && c.costs.transfer.value > 0);
	assert_false(c.costs.huge_known);
}

static void few_rounds_are_marked_and_more_are_not(void **state)
{
	(void)state;
	assert_string_equal(calibrate(7, -1).costs.varies, "too few rounds");
	assert_string_equal(calibrate(8, -1).costs.varies, "");
}

static void a_cost_that_varies_has_a_wide_range_and_is_marked(void **state)
{
	struct calibration c = calibrate(30, COST_GATHER);

	(void)state;
	assert_string_equal(c.costs.varies, "L2 gather");
	assert_true(c.costs.spread > 0.9);
	assert_true(c.costs.line[1][COST_GATHER].low <= 67 && c.costs.line[1][COST_GATHER].high >= 200);
	assert_true(machine_costs_marked(&c.costs));
	/* one that only adds to others is not worth a mark, but its range is as wide */
	c = calibrate(30, COST_CROWDED);
	assert_string_equal(c.costs.varies, "");
	assert_true(c.costs.line[1][COST_CROWDED].high >= 200);
}

static void what_is_measured_is_told_in_each_round(void **state)
{
	(void)state;
	calibrate(8, -1);
	assert_true(fake.tellings >= 1 + 8 + 1);
	assert_string_equal(fake.told, "page faults; what lines of caches and memory cost; the size of the last cache level");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_round_costs_are_assumed_and_marked),
		cmocka_unit_test(few_rounds_are_marked_and_more_are_not),
		cmocka_unit_test(a_cost_that_varies_has_a_wide_range_and_is_marked),
		cmocka_unit_test(what_is_measured_is_told_in_each_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
