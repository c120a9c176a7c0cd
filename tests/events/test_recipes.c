/* SPDX-License-Identifier: BSD-3-Clause */
/* Recipes, and the names of events in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "config.h"
#include "events/metrics.h"

static struct event_metrics m;
static struct err err;

static struct event_metric *metric(const char *text, const char *name)
{
	memset(&m, 0, sizeof m);
	assert_int_equal(event_metrics_parse(&m, "test", text, &err), 0);
	event_metrics_choose(&m);
	return event_metrics_find(&m, name);
}

static void a_wrong_line_is_named(void **unused)
{
	(void)unused;
	memset(&m, 0, sizeof m);
	assert_int_equal(event_metrics_parse(&m, "test", "# all\n\nfaults page-faults\n", &err), -1);
	assert_string_equal(err.text, "test:3: no '=' behind the metric");
	assert_int_equal(event_metrics_parse(&m, "test", "Faults = page-faults\n", &err), -1);
	assert_string_equal(err.text, "test:1: 'Faults' is not the name of a metric");
	assert_int_equal(event_metrics_parse(&m, "test", "faults = # none\n", &err), -1);
	assert_string_equal(err.text, "test:1: faults: no event");
}

static void the_first_event_that_opens_is_chosen(void **unused)
{
	struct event_metric *f;
	struct mon_event page;
	bool hardware;

	(void)unused;
	assert_int_equal(event_translate("page-faults:u", &page, &hardware, &err), 0);
	assert_false(hardware);
	assert_int_equal(page.flags, MON_EVENT_USER);
	f = metric("a = no-such-event | nopmu/x/ | page-faults:u | cycles\n", "a");
	if (!f->event[0]) {
		print_message("# no software events here: %s\n", f->why);
		skip();
	}
	assert_string_equal(f->event, "page-faults:u");
	assert_memory_equal(&f->code, &page, sizeof page);
	assert_string_equal(f->why, "");
}

static void a_recipe_without_an_event_says_why(void **unused)
{
	struct event_metric *f;

	(void)unused;
	f = metric("a = no-such-event\nb = nopmu/event=1/\nc = r1g\n", "a");
	assert_string_equal(f->event, "");
	assert_string_equal(f->why, "no-such-event: no event has this name");
	assert_string_equal(event_metrics_find(&m, "b")->why, "nopmu/event=1/: this machine has no nopmu");
	assert_string_equal(event_metrics_find(&m, "c")->why, "r1g: no event has this name");
}

static void a_later_line_replaces_an_earlier_one(void **unused)
{
	(void)unused;
	memset(&m, 0, sizeof m);
	assert_int_equal(event_metrics_parse(&m, "test", "a = x\nb = y\na = z", &err), 0);
	assert_int_equal(m.n, 2);
	assert_string_equal(event_metrics_find(&m, "a")->recipe, "z");
	assert_null(event_metrics_find(&m, "c"));
}

static void raw_codes_are_hexadecimal(void **unused)
{
	struct mon_event e;
	bool hardware;

	(void)unused;
	assert_int_equal(event_translate("r01cd", &e, &hardware, &err), 0);
	assert_int_equal(e.type, 4);
	assert_true(e.config == 0x1cd);
	assert_true(hardware);
	assert_int_equal(e.flags, 0);
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void the_kernels_own_description_is_read(void **unused)
{
	char dir[] = "/tmp/psc-events-XXXXXX", path[200], remove[220];
	struct mon_event e;
	bool hardware;

	(void)unused;
	assert_non_null(mkdtemp(dir));
	setenv("PSC_EVENT_SOURCES", dir, 1);
	snprintf(path, sizeof path, "%s/cpu", dir);
	mkdir(path, 0700);
	put(path, "type", "9\n");
	snprintf(path, sizeof path, "%s/cpu/format", dir);
	mkdir(path, 0700);
	put(path, "event", "config:0-7,32-35\n");
	put(path, "umask", "config:8-15\n");
	put(path, "ldlat", "config1:0-15\n");
	put(path, "any", "config:21\n");
	snprintf(path, sizeof path, "%s/cpu/events", dir);
	mkdir(path, 0700);
	put(path, "slow-loads", "event=0x1cd,umask=0x2,ldlat=64,any\n");
	assert_int_equal(event_translate("cpu/slow-loads/:u", &e, &hardware, &err), 0);
	assert_int_equal(e.type, 9);
	assert_true(e.config == (UINT64_C(0xcd) | UINT64_C(1) << 32 | 0x200 | 1 << 21));
	assert_true(e.config1 == 64 && e.config2 == 0);
	assert_int_equal(e.flags, MON_EVENT_USER);
	assert_int_equal(event_translate("cpu/config=0x3c,config1=7/", &e, &hardware, &err), 0);
	assert_true(e.config == 0x3c && e.config1 == 7);
	assert_int_equal(event_translate("cpu/fast-loads/", &e, &hardware, &err), -1);
	assert_string_equal(err.text, "cpu has no event fast-loads here");
	assert_int_equal(event_translate("cpu/colour=3/", &e, &hardware, &err), -1);
	assert_string_equal(err.text, "'colour' is no field of cpu");
	assert_int_equal(event_translate("cpu/event=x/", &e, &hardware, &err), -1);
	unsetenv("PSC_EVENT_SOURCES");
	snprintf(remove, sizeof remove, "rm -r %s", dir);
	assert_int_equal(system(remove), 0);
}

static void libpfm4_translates_its_names(void **unused)
{
	struct mon_event e;
	bool hardware;

	(void)unused;
#ifndef HAVE_PFM
	assert_int_equal(event_translate("pfm:PAGE-FAULTS", &e, &hardware, &err), -1);
	assert_string_equal(err.text, "built without libpfm4");
#else
	assert_int_equal(event_translate("pfm:perf::PAGE-FAULTS", &e, &hardware, &err), 0);
	assert_int_equal(e.type, 1);
	assert_true(e.config == 2 && !hardware);
	assert_int_equal(event_translate("pfm:NO_SUCH_EVENT", &e, &hardware, &err), -1);
#endif
}

static void reasons_say_what_to_do(void **unused)
{
	char text[200];

	(void)unused;
	event_refused(13, text, sizeof text);
	assert_non_null(strstr(text, "perf_event_paranoid"));
	event_refused(24, text, sizeof text);
	assert_non_null(strstr(text, "ulimit -n"));
	event_refused(2, text, sizeof text);
	assert_non_null(strstr(text, "not supported"));
	event_refused(0, text, sizeof text);
	assert_non_null(strstr(text, "sandbox"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_line_is_named),
		cmocka_unit_test(the_first_event_that_opens_is_chosen),
		cmocka_unit_test(a_recipe_without_an_event_says_why),
		cmocka_unit_test(a_later_line_replaces_an_earlier_one),
		cmocka_unit_test(raw_codes_are_hexadecimal),
		cmocka_unit_test(the_kernels_own_description_is_read),
		cmocka_unit_test(libpfm4_translates_its_names),
		cmocka_unit_test(reasons_say_what_to_do),
	};

	return cmocka_run_group_tests_name("recipes", tests, NULL, NULL);
}
