/* SPDX-License-Identifier: BSD-3-Clause */
/* When a calibration is refused: machine/calibrate.c with a processor clock of the test's and slices that
 * measure nothing. */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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
} fake;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_working_sets_make(const struct machine *m, struct working_sets *out, struct err *err);
void __wrap_working_sets_free(struct working_sets *s);
void __wrap_slices_round(struct slices *s, struct working_sets *sets, bool everything);
unsigned __wrap_slices_least(const struct slices *s, const struct working_sets *sets, bool quiet);
uint64_t __wrap_usable_measure(const struct machine_flat *f, struct working_sets *sets, double near, double far);

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
	(void)s;
	(void)sets;
	(void)everything;
	fake.rounds++;
}

unsigned __wrap_slices_least(const struct slices *s, const struct working_sets *sets, bool quiet)
{
	(void)s;
	(void)sets;
	return quiet ? 0 : fake.rounds;
}

uint64_t __wrap_usable_measure(const struct machine_flat *f, struct working_sets *sets, double near, double far)
{
	(void)f;
	(void)sets;
	(void)near;
	(void)far;
	return 0;
}

static int calibrate(unsigned most, struct err *err)
{
	struct calibration c;
	struct machine m;

	fake.rounds = 0;
	fake.most = most;
	fake.used = 60;
	assert_int_equal(machine_read(&m, "x86-server", err), 0);
	return calibration_measure(&m, &c, err);
}

static void without_a_round_nothing_is_calibrated(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(0, &err), -1);
	assert_non_null(strstr(err.text, "too busy: only 0 of at least 8 rounds"));
}

static void few_rounds_are_refused_and_more_are_not(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibrate(7, &err), -1);
	assert_non_null(strstr(err.text, "too busy: only 7 of at least 8 rounds"));
	assert_int_equal(calibrate(8, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_round_nothing_is_calibrated),
		cmocka_unit_test(few_rounds_are_refused_and_more_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
