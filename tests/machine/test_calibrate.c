/* SPDX-License-Identifier: BSD-3-Clause */
/* When a calibration is refused: machine/calibrate.c with a processor clock of the test's and slices that
 * measure nothing. */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "machine/calibration.h"
#include "machine/machine.h"
#include "machine/slices.h"
#include "machine/usable.h"
#include "machine/working_sets.h"

static struct {
	unsigned rounds;        /* that were made */
	unsigned most;          /* after which the processor time is used up */
	time_t used;            /* s of processor time, if it is */
	int wide;               /* the pattern whose slices take 100 or 200 ns; -1: none */
	char told[200];         /* what was said to be measured, each once */
	unsigned tellings;
} fake;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_working_sets_make(const struct machine *m, struct working_sets *out, struct err *err);
void __wrap_working_sets_free(struct working_sets *s);
void __wrap_slices_round(struct slices *s, struct working_sets *sets, bool everything);
unsigned __wrap_slices_least(const struct slices *s, const struct working_sets *sets, bool quiet);
uint64_t __wrap_usable_measure(const struct machine_flat *f, struct working_sets *sets, uint64_t most, double near,
	double far);

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock != CLOCK_PROCESS_CPUTIME_ID)
		return __real_clock_gettime(clock, t);
	*t = (struct timespec){ .tv_sec = fake.rounds >= fake.most ? fake.used : 0 };
	return 0;
}

int __wrap_working_sets_make(const struct machine *m, struct working_sets *out, struct err *err)
{
	(void)err;
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

static int calibrate(unsigned most, int wide, struct err *err)
{
	struct calibration c;
	struct machine m;

	fake.rounds = 0;
	fake.most = most;
	fake.used = 60;
	fake.wide = wide;
	assert_int_equal(machine_read(&m, "x86-server", err), 0);
	fake.told[0] = '\0';
	fake.tellings = 0;
	return calibration_measure(&m, tell, &c, err);
}

static void without_a_round_nothing_is_calibrated(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(0, -1, &err), -1);
	assert_non_null(strstr(err.text, "too busy: only 0 of at least 8 rounds"));
}

static void few_rounds_are_refused_and_more_are_not(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(7, -1, &err), -1);
	assert_non_null(strstr(err.text, "too busy: only 7 of at least 8 rounds"));
	assert_int_equal(calibrate(8, -1, &err), 0);
}

static void costs_whose_quartiles_differ_are_refused_unless_they_only_add_to_others(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(30, COST_GATHER, &err), -1);
	assert_non_null(strstr(err.text, "gather\" differ by 100 %"));
	assert_int_equal(calibrate(30, COST_CROWDED, &err), 0);
}

static void what_is_measured_is_told_in_each_round(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(8, -1, &err), 0);
	assert_true(fake.tellings >= 1 + 8 + 1);
	assert_string_equal(fake.told, "page faults; what lines of caches and memory cost; the size of the last cache level");
	assert_int_equal(calibrate(0, -1, &err), -1);
	assert_true(fake.tellings >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_round_nothing_is_calibrated),
		cmocka_unit_test(few_rounds_are_refused_and_more_are_not),
		cmocka_unit_test(costs_whose_quartiles_differ_are_refused_unless_they_only_add_to_others),
		cmocka_unit_test(what_is_measured_is_told_in_each_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
