/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of the phase: what is written is read back; malformed text is refused at its line; and
 * logs of real programs (logs/) are replayed: today's rules decide as they did when the program
 * ran, and end with the same phase. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phase/phase_log.h"

#define MS UINT64_C(1000000)

static const struct phase_time two[] = {
	{ .region = 7, .ns = 900 * MS, .runs = 40, .entries = 1, .since_first = 950 * MS,
		.open = true, .more = true },
	{ .region = 9, .ns = 50 * MS, .runs = 900, .entries = 900, .since_first = 990 * MS,
		.brief = true, .shared = true, .team = true }
};

static struct phase_look look_of(const struct phase_time *t, uint32_t n, uint32_t phase)
{
	return (struct phase_look){ .t = t, .n = n, .phase = phase, .elapsed_ns = 1000 * MS,
		.processes = 1, .needed = 9, .least = 5 };
}

static void assert_decision(const struct phase_decision *a, const struct phase_decision *b,
	const char *where, int line)
{
	if (a->verdict != b->verdict || a->reason != b->reason || a->region != b->region ||
	    a->runs != b->runs)
		fail_msg("%s:%d: %s %s region %" PRIu32 "%s, where the log has %s %s region %" PRIu32 "%s", where, line,
			phase_verdict_name(a->verdict), phase_reason_name(a->reason), a->region,
			a->runs ? " runs" : "", phase_verdict_name(b->verdict),
			phase_reason_name(b->reason), b->region, b->runs ? " runs" : "");
}

static void what_is_written_is_read_back(void **state)
{
	const struct phase_held held = { .chosen = true, .leads = true, .runs = true, .ran = true,
		.elapsed_ns = 6000 * MS, .accesses = 123456 };
	const struct phase_held none = { .ended = true, .accesses = NAN };
	struct phase_look look = look_of(two, 2, PHASE_NONE);
	struct phase_log_writer w = { 0 };
	struct phase_decision d = phase_decide(&look), h = phase_confirm(&held),
		e = phase_confirm(&none);
	struct buf b = BUF_INIT;
	struct phase_log log;
	struct err err;

	(void)state;
	phase_log_begin(&b, "./a program");
	phase_log_region(&b, 7, "loop a.f:7-9");
	assert_true(phase_log_look(&w, &b, &look, &d));
	assert_false(phase_log_look(&w, &b, &look, &d));        /* nothing is new */
	look.phase = 7;
	look.elapsed_ns += PHASE_LOG_NS + look.elapsed_ns / 4;
	assert_true(phase_log_look(&w, &b, &look, &d));
	phase_log_held(&b, &held, &h);
	phase_log_held(&b, &none, &e);
	phase_log_end(&w);
	assert_int_equal(phase_log_read(&log, buf_str(&b), "log", &err), 0);
	assert_string_equal(log.command, "./a program");
	assert_int_equal(log.n, 4);
	assert_int_equal(log.item[1].look.phase, 7);
	assert_int_equal(log.item[0].look.phase, PHASE_NONE);
	for (int i = 0; i < 2; i++) {
		const struct phase_look *l = &log.item[i].look;

		assert_int_equal(l->n, 2);
		for (uint32_t k = 0; k < 2; k++) {
			assert_int_equal(l->t[k].ns, two[k].ns);
			assert_int_equal(l->t[k].runs, two[k].runs);
			assert_int_equal(l->t[k].entries, two[k].entries);
			assert_int_equal(l->t[k].since_first, two[k].since_first);
			assert_int_equal(l->t[k].open, two[k].open);
			assert_int_equal(l->t[k].team, two[k].team);
		}
		assert_decision(&log.item[i].decided, &d, "log", log.item[i].line);
	}
	assert_int_equal(log.item[2].held.ran, true);
	assert_true(log.item[2].held.accesses == 123456);
	assert_decision(&log.item[2].decided, &h, "log", log.item[2].line);
	assert_true(isnan(log.item[3].held.accesses));
	assert_decision(&log.item[3].decided, &e, "log", log.item[3].line);
	phase_log_free(&log);
	buf_free(&b);
}

static void malformed_text_is_refused_at_its_line(void **state)
{
	static const char *const texts[][2] = {
		{ "", "x:1: not a log of the phase of version 1 (\"phase-log 1\")" },
		{ "phase-log 2\n", "x:1: not a log of the phase of version 1 (\"phase-log 1\")" },
		{ "phase-log 1\nlooks 1", "x:2: no such line" },
		{ "phase-log 1\nlook", "x:2: not a number" },
		{ "phase-log 1\nlook -1", "x:2: not a number" },
		{ "phase-log 1\nlook 99999999999999999999", "x:2: not a number" },
		{ "phase-log 1\nlook 5 processes 1 needed 9", "x:2: an incomplete look" },
		{ "phase-log 1\nlook 5 processes 0 needed 9 least 5", "x:2: an incomplete look" },
		{ "phase-log 1\nlook 5 processes 1 needed 9 least 5",
			"x:2: the last look has no decision" },
		{ "phase-log 1\nlook 5 processes 1 needed 9 least 5 never",
			"x:2: a look has no such word" },
		{ "phase-log 1\n\ntime 1 2", "x:3: times outside of a look" },
		{ "phase-log 1\nlook 5 processes 1 needed 9 least 5\ntime 1 2 often",
			"x:3: times have no such word" },
		{ "phase-log 1\nlook 5 processes 1 needed 9 least 5\nlook 6",
			"x:3: what is above has no decision" },
		{ "phase-log 1\ndecided keep best", "x:2: a decision about nothing" },
		{ "phase-log 1\nheld 5\ndecided stay best", "x:3: no such verdict" },
		{ "phase-log 1\nheld 5\ndecided wait", "x:3: no such reason" },
		{ "phase-log 1\nheld 5\ndecided wait early region 4294967295",
			"x:3: not the number of a region" },
		{ "phase-log 1\nheld 5 idle\n", "x:2: a finished analysis has no such word" },
	};
	struct phase_log log;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(phase_log_read(&log, texts[i][0], "x", &err), -1);
		assert_string_equal(err.text, texts[i][1]);
	}
}

/* --- the rules -------------------------------------------------------------------------------- */

static void assert_decides(const struct phase_look *look, enum phase_verdict v, enum phase_reason r,
	uint32_t region)
{
	struct phase_decision d = phase_decide(look);

	assert_string_equal(phase_verdict_name(d.verdict), phase_verdict_name(v));
	assert_string_equal(phase_reason_name(d.reason), phase_reason_name(r));
	assert_int_equal(d.region, region);
}

static void each_decision_has_its_reason(void **state)
{
	struct phase_time t[3] = { two[0], two[1], { .region = 11, .ns = 100 * MS, .runs = 20,
		.entries = 20, .since_first = 1000 * MS } };
	struct phase_look look = look_of(t, 3, PHASE_NONE);

	(void)state;
	assert_decides(&look, PHASE_CHANGE, PHASE_FIRST, 7);
	look.phase = 7;
	assert_decides(&look, PHASE_KEEP, PHASE_BEST, PHASE_NONE);
	look.phase = 11;
	assert_decides(&look, PHASE_CHANGE, PHASE_MORE, 7);
	look.elapsed_ns = 10 * MS;
	assert_decides(&look, PHASE_WAIT, PHASE_EARLY, PHASE_NONE);
	look = look_of(t, 3, 11);
	t[2] = (struct phase_time){ .region = 11, .ns = 600 * MS, .runs = 400, .entries = 40,
		.since_first = 990 * MS, .open = true };
	assert_decides(&look, PHASE_CHANGE, PHASE_AROUND, 7);
	t[2].ns = 860 * MS;     /* nearly as much */
	assert_decides(&look, PHASE_KEEP, PHASE_RUNS, PHASE_NONE);
	t[0].runs = t[2].runs = 1;
	t[0].ns = t[2].ns = 100 * MS;
	assert_decides(&look, PHASE_KEEP, PHASE_NOTHING, PHASE_NONE);
	look.ended = true;
	look.elapsed_ns = 10000 * MS;
	assert_decides(&look, PHASE_KEEP, PHASE_NOTHING, PHASE_NONE);
	t[0] = two[0];
	look.elapsed_ns = 1000 * MS;
	assert_decides(&look, PHASE_RERUN, PHASE_MORE, 7);
}

/* Like SNAP: in each time step, of seconds, the threads of a parallel region call outer() five
 * times. */
static void a_team_takes_the_place_of_a_loop_that_is_too_slow(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 26000 * MS, .runs = 2, .entries = 1,
			.since_first = 26000 * MS, .open = true },
		{ .region = 2, .ns = 25500 * MS, .runs = 11, .entries = 11,
			.since_first = 26000 * MS, .open = true, .team = true }
	};
	struct phase_look look = look_of(t, 2, 1);

	(void)state;
	look.elapsed_ns = 26700 * MS;
	assert_decides(&look, PHASE_CHANGE, PHASE_MORE, 2);
	t[1].ns = 23000 * MS;
	assert_decides(&look, PHASE_KEEP, PHASE_HOLDS, PHASE_NONE);
	t[1].ns = 25500 * MS;
	t[1].runs = t[1].entries = 11000;       /* of 2.3 ms: the survey may have made them long */
	assert_decides(&look, PHASE_KEEP, PHASE_HOLDS, PHASE_NONE);
	t[1].runs = t[1].entries = 11;
	t[0].runs = 40;                         /* steps of 0.65 s are waited for */
	assert_decides(&look, PHASE_KEEP, PHASE_BEST, PHASE_NONE);
}

static void assert_confirms(const struct phase_held *f, enum phase_verdict v, enum phase_reason r)
{
	struct phase_decision d = phase_confirm(f);

	assert_string_equal(phase_verdict_name(d.verdict), phase_verdict_name(v));
	assert_string_equal(phase_reason_name(d.reason), phase_reason_name(r));
}

static void a_finished_analysis_waits_for_its_phase(void **state)
{
	const struct phase_held good = { .chosen = true, .leads = true, .runs = true, .ran = true,
		.elapsed_ns = PHASE_CONFIRM_NS, .accesses = PHASE_ACCESSES_LEAST };
	struct phase_held f = good;

	(void)state;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_RUNS);
	f.accesses = NAN;               /* not counted: nothing speaks against it */
	assert_confirms(&f, PHASE_CONFIRM, PHASE_RUNS);
	f.accesses = PHASE_ACCESSES_LEAST - 1;
	assert_confirms(&f, PHASE_WAIT, PHASE_EMPTY);
	f = good;
	f.elapsed_ns--;
	assert_confirms(&f, PHASE_WAIT, PHASE_EARLY);
	f = good;
	f.runs = false;
	assert_confirms(&f, PHASE_WAIT, PHASE_GONE);
	f.elapsed_ns = PHASE_GIVE_UP_NS;
	assert_confirms(&f, PHASE_WAIT, PHASE_GONE);    /* another run shows more */
	f.last_run = true;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_LATE);
	f.slight = true;                /* as the loop of an initialisation */
	assert_confirms(&f, PHASE_WAIT, PHASE_GONE);
	f.elapsed_ns = PHASE_GIVE_UP_SLIGHT_NS;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_LATE);
	f = good;
	f.ran = false;
	assert_confirms(&f, PHASE_WAIT, PHASE_STARVED);
	f = good;
	f.outdone = true;
	assert_confirms(&f, PHASE_WAIT, PHASE_OUTDONE);
	f.ended = true;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_ENDED);
	f = good;
	f.leads = false;
	assert_confirms(&f, PHASE_WAIT, PHASE_EARLY);
	f.settled = true;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_SETTLED);
	f = good;
	f.chosen = false;
	assert_confirms(&f, PHASE_CONFIRM, PHASE_SETTLED);
	f.brief = true;
	assert_confirms(&f, PHASE_WAIT, PHASE_BRIEF);
}

/* --- recorded programs ------------------------------------------------------------------------ */

static char *text_of(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0;

	assert_non_null(f);
	if (getdelim(&text, &n, '\0', f) < 0)
		fail_msg("%s: empty", path);
	fclose(f);
	return text;
}

/* The phase with which a program's first run ends, if the rules of today decide from its log. */
static uint32_t follow(const struct phase_log *log)
{
	uint32_t phase = PHASE_NONE;

	for (uint32_t i = 0; i < log->n; i++) {
		struct phase_look look = log->item[i].look;
		struct phase_decision d;

		if (log->item[i].kind != PHASE_LOG_LOOK || look.ended)
			continue;
		if (!i)
			phase = look.phase;     /* chosen by the program's structure */
		look.phase = phase;
		d = phase_decide(&look);
		if (d.verdict == PHASE_CHANGE)
			phase = d.region;
	}
	return phase;
}

static uint32_t last_phase(const struct phase_log *log)
{
	uint32_t phase = PHASE_NONE;

	for (uint32_t i = 0; i < log->n; i++)
		if (log->item[i].kind == PHASE_LOG_LOOK && !log->item[i].look.ended)
			phase = log->item[i].decided.verdict == PHASE_CHANGE ?
				log->item[i].decided.region : log->item[i].look.phase;
	return phase;
}

static struct phase_decision decide(const struct phase_log_item *item)
{
	return item->kind == PHASE_LOG_LOOK ? phase_decide(&item->look) :
		phase_confirm(&item->held);
}

/* PSC_GOLDEN=1: the decisions of today's rules replace those of the log, for somebody
 * to look at the difference. */
static void rewrite(const char *path, const struct phase_log *log, const char *text)
{
	struct buf out = BUF_INIT;
	uint32_t i = 0;
	FILE *f;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		if (strncmp(line, "decided ", 8) == 0) {
			struct phase_decision d = decide(&log->item[i++]);

			phase_log_decision(&out, &d);
		} else {
			buf_add(&out, line, (size_t)(strchr(line, '\n') - line) + 1);
		}
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(buf_str(&out), f);
	fclose(f);
	buf_free(&out);
}

static void replay(const char *path)
{
	char *text = text_of(path);
	struct phase_log log;
	struct err err;

	if (phase_log_read(&log, text, path, &err))
		fail_msg("%s", err.text);
	assert_true(log.n > 0);
	if (getenv("PSC_GOLDEN"))
		rewrite(path, &log, text);
	for (uint32_t i = 0; i < log.n && !getenv("PSC_GOLDEN"); i++) {
		struct phase_decision d = decide(&log.item[i]);

		assert_decision(&d, &log.item[i].decided, path, log.item[i].line);
	}
	if (follow(&log) != last_phase(&log))
		fail_msg("%s (%s): the phase is region %" PRIu32 ", not %" PRIu32, path,
			log.command, follow(&log), last_phase(&log));
	phase_log_free(&log);
	free(text);
}

static void recorded_programs_have_the_phase_that_they_had(void **state)
{
	const char *srcdir = getenv("srcdir");
	char folder[4096], path[8192];
	struct dirent *e;
	int n = 0;
	DIR *d;

	(void)state;
	snprintf(folder, sizeof folder, "%s/tests/phase/logs", srcdir ? srcdir : "..");
	d = opendir(folder);
	if (!d)
		fail_msg("%s is not there", folder);
	while ((e = readdir(d))) {
		if (!strstr(e->d_name, ".txt"))
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		replay(path);
		n++;
	}
	closedir(d);
	assert_true(n > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(malformed_text_is_refused_at_its_line),
		cmocka_unit_test(each_decision_has_its_reason),
		cmocka_unit_test(a_team_takes_the_place_of_a_loop_that_is_too_slow),
		cmocka_unit_test(a_finished_analysis_waits_for_its_phase),
		cmocka_unit_test(recorded_programs_have_the_phase_that_they_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
