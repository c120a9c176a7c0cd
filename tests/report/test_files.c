/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/random_cases.h"
#include "tests/report/json.h"
#include "tests/report/sample.h"

static const struct report_style style = { .width = 80, .why_not = true };
static char dir[] = "/tmp/psc-report-XXXXXX";
static char file[64];           /* in dir */

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof file, "%s/out.psc", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(dir);      /* fails when a temporary file stayed behind */
}

static char *slurp(const char *path, size_t *len)
{
	struct buf text = BUF_INIT;
	char chunk[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(&text, chunk, n);
	fclose(f);
	if (len)
		*len = text.len;
	return buf_take(&text);
}

static void spit(const char *text)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void psc_file_restores_the_text(void **state)
{
	struct report *reports[] = { sample_lu(), sample_nasty(), sample_empty(true),
		sample_empty(false), report_new(), sample_lu() };
	struct err err;

	(void)state;
	reports[5]->partial = "interrupted";
	reports[5]->findings[0].nruns = reports[5]->findings[0].nprocesses = 0;
	reports[5]->findings[1].npath = 0;
	for (int i = 0; i < 6; i++) {
		struct report *copy;
		char *a, *b;

		assert_int_equal(report_finish(reports[i]), 0);
		if (report_psc_write(reports[i], file, &err) < 0)
			fail_msg("%s", err.text);
		copy = report_psc_read(file, &err);
		if (!copy)
			fail_msg("%s", err.text);
		a = sample_text(reports[i], &style);
		b = sample_text(copy, &style);
		assert_string_equal(a, b);
		free(a);
		free(b);
		report_free(copy);
		report_free(reports[i]);
	}
}

static void psc_file_has_what_old_viewers_look_for(void **state)
{
	static const char *const expected[] = {
		"<Experiment xmlns=\"http://www.lrr.in.tum.de/Periscope\"",
		"<date>2008-03-13</date>", "<time>16:00:00</time>", "<numProcs>1</numProcs>",
		"<numThreads>4</numThreads>", "<dir>examples/lu</dir>", "<sir>./lu.A</sir>",
		"<property cluster=\"false\" ID=\"5\">", "<name>LC3DMissRate</name>",
		"<context FileID=\"1\" FileName=\"buts.f\" RFL=\"75\" Config=\"1x4\" "
			"Region=\"WORKSHARE_DO\" RegionId=\"1-75\">",
		"<execObj process=\"0\" thread=\"0\"/>", "<severity>1.09</severity>",
		"<confidence>1.00</confidence>", "<addInfo>", "<Rate>0.054</Rate>",
	};
	struct report *r = sample_lu();
	const char *at;
	char *text;

	(void)state;
	assert_int_equal(report_finish(r), 0);
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	at = text;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		at = strstr(at, expected[i]);   /* in the schema's order */
		if (!at)
			fail_msg("no %s where it should be", expected[i]);
	}
	free(text);
	report_free(r);
}

static void several_processes_are_a_cluster(void **state)
{
	static const struct rank_run ranks[] = { { 0, 0 }, { 2, 2 } };
	struct report *r = sample_lu(), *copy;
	char *text;

	(void)state;
	r->nprocs = 4;
	r->nfindings = 1;
	r->findings[0].processes = ranks;
	r->findings[0].nruns = r->findings[0].nprocesses = 2;
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	assert_non_null(strstr(text, "cluster=\"true\""));
	free(text);
	copy = report_psc_read(file, NULL);
	assert_int_equal(copy->findings[0].nprocesses, 2);
	assert_int_equal(copy->findings[0].processes[1].first, 2);
	report_free(copy);
	report_free(r);
}

static void foreign_file_is_read_as_far_as_it_goes(void **state)
{
	struct report *r;

	(void)state;
	spit("<?xml version='1.0'?><Experiment xmlns='http://www.lrr.in.tum.de/Periscope'>"
		"<date>2011-02-03</date><rev>7</rev><numProcs> 4 </numProcs><purpose>x</purpose>\n"
		"<property cluster='true' ID='7-511'><name>Late &lt;sender&gt;</name>"
		"<context FileID='1' FileName='a.f' RFL='12' RegionType='7' RtsBased='1'>"
		"<execObj process='3' thread='0'/><execObj process='1' thread='0'/>"
		"<execObj process='1' thread='1'/></context>"
		"<severity>12.50</severity><addInfo><CallTime>7</CallTime><New> a b </New></addInfo>"
		"</property></Experiment>");
	r = report_psc_read(file, NULL);
	assert_non_null(r);
	assert_int_equal(r->nprocs, 4);
	assert_int_equal(r->nfindings, 1);
	assert_string_equal(r->findings[0].property, "Late <sender>");
	assert_int_equal(r->findings[0].number, 511);
	assert_true(r->findings[0].severity_share == 0.125);
	assert_true(isnan(r->findings[0].confidence));
	assert_true(isnan(r->findings[0].measure));
	assert_int_equal(r->findings[0].nprocesses, 2);
	assert_int_equal(r->findings[0].processes[0].first, 1);
	assert_int_equal(r->findings[0].processes[1].first, 3);
	assert_string_equal(r->findings[0].info, "CallTime 7, New a b");
	assert_int_equal(r->findings[0].path[0].type, REGION_CALL);
	assert_int_equal(r->findings[0].path[0].line, 12);
	report_free(r);
}

static void refused(const char *text, const char *why)
{
	struct err err = { "" };
	struct report *r;

	spit(text);
	r = report_psc_read(file, &err);
	assert_null(r);
	if (!strstr(err.text, why) || strncmp(err.text, file, strlen(file)) != 0)
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

#define ROOT "<Experiment xmlns='http://www.lrr.in.tum.de/Periscope'>\n"
#define OWN "xmlns:pc='urn:periscope-c:report:1'"

static void bad_file_is_refused_with_its_line(void **state)
{
	struct err err;

	(void)state;
	refused("", ": empty, not a property file");
	refused("\x7f" "ELF\1", "(ELF), not a property file");
	refused("ELF\1", ": text, not a property file");
	refused(" {\"format\": 1}", ": JSON, not");
	refused("<!DOCTYPE html>\n<html>", ": an HTML page, not");
	refused("Periscope/C 0.1.0: memory", ": text, not");
	refused("\n<Experiment>\n<a></b></Experiment>", ":3: ");
	refused("\n<sir/>", ":2: root is <sir>, not <Experiment>");
	refused(ROOT "<property ID='1'/></Experiment>", ":2: <property> without <name>");
	refused(ROOT "<property ID='1'><name>x</name></property></Experiment>",
		":2: <property> without <context>");
	refused(ROOT "<property ID='1'><name>x</name><context RFL='1x' FileName='a'/></property>"
		"</Experiment>", ":2: <context>: RFL");
	refused(ROOT "<property ID='1'><name>x</name><context RFL='1' FileName='a'/>"
		"<severity>much</severity></property></Experiment>", ":2: <severity>: \"much\"");
	refused(ROOT "<numProcs>99999999999999999999</numProcs></Experiment>", ":2: <numProcs>");
	refused(ROOT "<pc:report " OWN " elapsed='soon'/></Experiment>", ":2: <report>: elapsed=");
	refused("\n<Experiment xmlns:pc='urn:periscope-c:report:2'/>", ":2: a property file of version 2; this program reads version 1");
	refused(ROOT "<pc:report " OWN "><pc:tested outcome='perhaps'/></pc:report></Experiment>",
		":2: <tested>: outcome=");
	assert_null(report_psc_read("/nonexistent/x.psc", &err));
	assert_non_null(strstr(err.text, "/nonexistent/x.psc: "));
	assert_null(report_psc_read(dir, &err));
}

static void document_types_and_entities_are_refused(void **state)
{
	(void)state;
	refused("<!DOCTYPE Experiment [<!ENTITY a 'b'>]>" ROOT "<dir>&a;</dir></Experiment>",
		"document type");
	refused("<!DOCTYPE Experiment SYSTEM 'http://localhost:1/x.dtd'>" ROOT "</Experiment>",
		"document type");
	refused(ROOT "<dir>&a;</dir></Experiment>", ":2: ");
}

static void damaged_file_never_crashes(void **state)
{
	struct report *r = sample_lu();
	unsigned seed = 3;
	size_t len;
	char *text;

	(void)state;
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	text = slurp(file, &len);
	for (int round = 0; round < valgrind_cases(300); round++) {
		char *copy = strdup(text), old[2];
		struct report *got;

		for (int i = 0; i < 3; i++) {
			seed = seed * 1103515245u + 12345u;
			old[0] = copy[(seed >> 4) % len];
			copy[(seed >> 4) % len] = old[0] >= '0' && old[0] <= '9' ? "<-x9"[seed >> 30] :
				(char)(32 + (seed >> 20) % 95);
		}
		if (round % 4 == 0)
			copy[(seed >> 5) % len] = '\0';
		spit(copy);
		got = report_psc_read(file, NULL);
		if (got)
			free(sample_text(got, &style));
		report_free(got);
		free(copy);
	}
	free(text);
	report_free(r);
}

static void json_is_valid(void **state)
{
	struct report *reports[] = { sample_lu(), sample_nasty(), sample_empty(true), report_new() };
	static const char good[] = "{\"a\": [1.5e-3, \"\\u00e4\", null]}";

	(void)state;
	assert_null(json_fault(good, sizeof good - 1));
	assert_non_null(json_fault("[1,]", 4));
	assert_non_null(json_fault("[nan]", 5));
	for (int i = 0; i < 4; i++) {
		const char *fault;
		size_t len;
		char *text;

		if (i == 0)
			reports[i]->findings[0].measure = INFINITY;
		assert_int_equal(report_finish(reports[i]), 0);
		assert_int_equal(report_json_write(reports[i], file, NULL), 0);
		text = slurp(file, &len);
		fault = json_fault(text, len);
		if (fault)
			fail_msg("not JSON: %.60s", fault);
		if (i == 0) {
			assert_non_null(strstr(text, "\"rank\": 1, \"property\": \"LC3DMissRate\""));
			assert_non_null(strstr(text, "\"time\": 0.412, \"time_with\": 0.296, \"program_time\": "
				"0.409, \"measured\": 0.281"));
			assert_non_null(strstr(text, "\"est_stall_share\": null"));
			assert_non_null(strstr(text, "\"least\": 12000000, \"most\": 12000000, "
				"\"time_share\": 0.025, \"allocated\": null, \"node\": null, "
				"\"findings\": [2, 3, 6, 8, 9]"));
			assert_null(strstr(text, "nan"));
		}
		free(text);
		report_free(reports[i]);
	}
}

static int occurrences(const char *text, const char *what)
{
	int n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

/* Figures of the phase stand in its object, and nowhere else. */
static void figures_of_the_phase_are_written_once(void **state)
{
	static const char *const names[] = { "cpu_time", "wall_time", "est_stall", "est_stall_low",
		"est_stall_high", "memory_time", "core_time", "branch_time", "run_share", "run_seen", "time_spread",
		"computing_time", "computing_low", "computing_high", "kernel_time", "fault_time", "library_time",
		"unexplained_time", "faults", "major_faults" };
	struct report *r = sample_lu();
	char *text, *phase, *at, key[40];

	(void)state;
	r->est_stall = r->est_stall_low = r->est_stall_high = r->memory_time = r->core_time = 0.25;
	r->run_share = r->run_seen = 0.75;
	r->computing_time = r->computing_low = r->computing_high = r->kernel_time = r->fault_time = 0.0625;
	r->library_time = r->unexplained_time = 0.0625;
	r->faults = r->major_faults = 3;
	r->branch_time = 0.125;
	r->nthread_rows = 0;    /* which have such figures of their own */
	for (int psc = 0; psc < 2; psc++) {
		assert_int_equal((psc ? report_psc_write : report_json_write)(r, file, NULL), 0);
		text = slurp(file, NULL);
		phase = strstr(text, psc ? "<pc:phase" : "\"phase\": {");
		assert_non_null(phase);
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			snprintf(key, sizeof key, psc ? " %s=\"" : "\"%s\": ", names[i]);
			assert_int_equal(occurrences(text, key), 1);
			at = strstr(phase, key);
			assert_true(at && at < strchr(phase, psc ? '>' : '}'));
		}
		free(text);
	}
	report_free(r);
}

/* Fields of the record at *p; *p ends behind it. */
static int csv_fields(const char **p)
{
	int n = 1;
	bool quoted = false;

	for (; **p && (quoted || **p != '\n'); (*p)++) {
		if (**p == '"')
			quoted = !quoted;
		n += !quoted && **p == ',';
	}
	assert_false(quoted);
	assert_int_equal(**p, '\n');
	++*p;
	return n;
}

static void csv_records_have_equal_length(void **state)
{
	struct report *r = sample_nasty();
	const char *p;
	char *text;
	int n = 0;

	(void)state;
	assert_int_equal(report_csv_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	for (p = text; *p; n++)
		assert_int_equal(csv_fields(&p), 28);
	assert_int_equal(n, 1 + r->nfindings);
	assert_non_null(strstr(text, "\"a<b>&\"\"c'\\d,"));
	assert_null(strstr(text, "nan"));
	free(text);
	report_free(r);
}

static void the_ledger_is_a_table_of_its_own(void **state)
{
	struct report *r = sample_lu();
	const char *p;
	char *text;
	int n = 0;

	(void)state;
	r->sampled = "1 in 8";
	r->ledger[1].misses_error = 9000;
	assert_int_equal(report_ledger_csv_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	for (p = text; *p; n++)
		assert_int_equal(csv_fields(&p), 6);
	assert_int_equal(n, 1 + r->nledger);
	/* 412000 of 26512000, 120 of 1010120. */
	assert_non_null(strstr(text, "\nthread stacks,412000,0.0155401"));
	assert_non_null(strstr(text, "\nnamed data structures,26100000,0.98445"));
	assert_non_null(strstr(text, ",9000\n"));
	assert_non_null(strstr(text, "\nlost,,,,,\n"));
	free(text);
	r->sampled = NULL;
	r->nledger = 0;
	assert_int_equal(report_ledger_csv_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	assert_string_equal(text, "cause,accesses,accesses_share,misses,misses_share,misses_error\n");
	free(text);
	report_free(r);
}

/* Every element that must be closed is, in order, and nothing of a name becomes one. */
static void html_is_balanced(const char *text)
{
	static const char *const closed[] = { "html", "head", "body", "title", "style", "h1", "h2", "p", "dl",
		"dt", "dd", "table", "thead", "tbody", "details", "summary", "span", "ul", "li", "a", "h3", "main",
		"article", "div", "nav", "header", "script", "code", "svg", "text", "label", "strong", "small" };
	const char *open[64];
	int depth = 0;

	for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
		bool end = at[1] == '/';
		size_t len = strcspn(at + 1 + end, " >");
		size_t i = 0;

		while (i < sizeof closed / sizeof closed[0] && (strlen(closed[i]) != len ||
				memcmp(closed[i], at + 1 + end, len) != 0))
			i++;
		if (i == sizeof closed / sizeof closed[0])
			continue;
		if (!end) {
			assert_true(depth < 64);
			open[depth++] = closed[i];
			continue;
		}
		assert_true(depth > 0);
		assert_ptr_equal(open[--depth], closed[i]);
	}
	assert_int_equal(depth, 0);
}

/* The search path of a problem, and what a property of the user's own file found; no figure of what is not known. */
static void html_has_paths_and_own_properties(void **state)
{
	struct report *r = sample_lu();
	char *text;

	(void)state;
	report_rank(r);
	r->findings[0].about = ABOUT_OWN;
	r->findings[0].advice = "write it <once>";
	r->findings[1].est_stall_low_share = 0;
	r->findings[1].est_stall_high_share = 0.95;
	r->est_stall_low = 0;
	r->est_stall_high = 0.95 * r->cpu_time;
	assert_int_equal(report_finish(r), 0);
	assert_int_equal(report_html_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	html_is_balanced(text);
	assert_non_null(strstr(text, "<p class='small path'>ssor.f:109 &#62; parallel 120 &#62; "));
	assert_non_null(strstr(text, "<h2 id=own><a href='#own'>Your own properties</a></h2>"));
	assert_non_null(strstr(text, "<td class=n data-v=0.054>0.054<td><a href='#f1'>LC3DMissRate</a><td>buts buts.f:75<td>"
		"write it &#60;once&#62;</tr>"));
	assert_non_null(strstr(text, "<div class=amount><strong>not known</strong></div>"));
	free(text);
	report_free(r);
}

static void html_holds_all_sections(void **state)
{
	struct report *r = sample_lu();
	char *text;

	(void)state;
	assert_int_equal(report_finish(r), 0);
	assert_int_equal(report_html_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	html_is_balanced(text);
	assert_non_null(strstr(text, "<dt>Machine</dt><dd>itanium2: Itanium 2"));
	assert_non_null(strstr(text, "<tr class=f id=f9>"));
	assert_null(strstr(text, "<tr class=f id=f10>"));
	assert_non_null(strstr(text, "LC3DReadMissRate: memory.asl:52, refines LC3DMissRate"));
	assert_non_null(strstr(text, "<h2 id=gains><a href='#gains'>What a fix would save"));
	assert_non_null(strstr(text, "touch: not tried: the machine has one memory node"));
	assert_non_null(strstr(text, "<tr><td>rsd (applu.incl:80); in copies of the process<td class=n>409 ms<td class=n>412 ms<td class=n>296 ms<td class=n>28% (27-30)"));
	assert_non_null(strstr(text, "<tr><td>u; in copies of the process; first execution of each copy, its caches are cold<td"));
	assert_non_null(strstr(text, "<tr><td>part (ssor.f:9); all threads on one CPU: none takes lines from another<td"));
	assert_non_null(strstr(text, "<tr><td>frct: not measured: the phase makes a system call (write)"));
	assert_non_null(strstr(text, "<tr><td>named data structures<td class=n>26.1 M"
		"<td class='n b b98' data-v=0.984"));
	assert_non_null(strstr(text, ">98.4%<td class=n>1.01 M<td class='n b b100' data-v="));
	assert_non_null(strstr(text, "<tr><td>lost<td class=n>-<td class=n>-"));
	assert_non_null(strstr(text, "<tr class=all><td>all that was measured<td class=n>26.5 M"));
	assert_non_null(strstr(text, "<summary>4 tests</summary>"));
	assert_non_null(strstr(text, "<td>undecided<td>lc3_data_read_miss not measured"));
	assert_null(strstr(text, "+-"));
	free(text);
	r->sampled = "1 in 8 of the cache sets was simulated";
	r->findings[0].measure_error = 0.002;
	r->ledger[1].misses_error = 9000;
	assert_int_equal(report_html_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	html_is_balanced(text);
	assert_non_null(strstr(text, "<dt>Sampled</dt><dd>1 in 8"));
	assert_non_null(strstr(text, "rate<th class=n>+-<th class=n>memory"));
	assert_non_null(strstr(text, "<td class=n data-v=0.002>0.002<td"));
	assert_non_null(strstr(text, "100%<td class=n>9.00 k</tr>"));
	free(text);
	report_free(r);
}

static void html_has_no_names_that_are_markup(void **state)
{
	struct report *r = sample_nasty();
	char *text;

	(void)state;
	assert_int_equal(report_finish(r), 0);
	assert_int_equal(report_html_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	html_is_balanced(text);
	assert_non_null(strstr(text, "a&#60;b&#62;&#38;&#34;c&#39;\\d,??[31m?\xc3\xa4??e]]&#62;--"));
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "\x1b"));
	assert_null(strstr(text, "nan"));
	free(text);
	report_free(r);
	r = sample_empty(true);
	assert_int_equal(report_html_write(r, file, NULL), 0);
	text = slurp(file, NULL);
	html_is_balanced(text);
	assert_non_null(strstr(text, ">No bottleneck</a></h2>"));
	free(text);
	report_free(r);
}

static void unwritable_output_is_located_and_changes_nothing(void **state)
{
	struct report *r = sample_lu();
	struct err err;
	struct stat st;
	char *text;

	(void)state;
	assert_int_equal(report_psc_write(r, "/nonexistent/out.psc", &err), -1);
	assert_string_equal(err.text, "/nonexistent/out.psc: No such file or directory");
	assert_int_equal(report_json_write(r, dir, &err), -1);
	assert_non_null(strstr(err.text, dir));
	if (stat("/dev/full", &st) == 0) {
		assert_int_equal(report_csv_write(r, "/dev/full", &err), -1);
		assert_non_null(strstr(err.text, "/dev/full: "));
		assert_int_equal(stat("/dev/full", &st), 0);
		assert_true(S_ISCHR(st.st_mode));
	}
	spit("former");
	if (chmod(dir, 0500) == 0 && access(dir, W_OK) != 0) {
		assert_int_equal(report_psc_write(r, file, &err), -1);
		text = slurp(file, NULL);
		assert_string_equal(text, "former");
		free(text);
	}
	chmod(dir, 0700);
	report_free(r);
}

static void a_link_is_followed_and_rights_are_the_users(void **state)
{
	struct report *r = sample_empty(false);
	char link[80];
	struct stat st;
	mode_t mask = umask(027);

	(void)state;
	unlink(file);
	snprintf(link, sizeof link, "%s/link", dir);
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	umask(mask);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(symlink(file, link), 0);
	assert_int_equal(report_csv_write(r, link, NULL), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(link);
	report_free(r);
}

/* tests/report/lu.psc, which tests of psc_report and of the schema read, is what is written now. */
static void the_sample_file_is_up_to_date(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct report *r = sample_lu();
	char path[4096], *kept, *now;
	size_t len[2];

	(void)state;
	snprintf(path, sizeof path, "%s/tests/report/lu.psc", srcdir ? srcdir : ".");
	assert_int_equal(report_finish(r), 0);
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	if (getenv("PSC_GOLDEN"))
		assert_int_equal(report_psc_write(r, path, NULL), 0);
	kept = slurp(path, &len[0]);
	now = slurp(file, &len[1]);
	assert_string_equal(kept, now);
	free(kept);
	free(now);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(psc_file_restores_the_text),
		cmocka_unit_test(the_sample_file_is_up_to_date),
		cmocka_unit_test(psc_file_has_what_old_viewers_look_for),
		cmocka_unit_test(several_processes_are_a_cluster),
		cmocka_unit_test(foreign_file_is_read_as_far_as_it_goes),
		cmocka_unit_test(bad_file_is_refused_with_its_line),
		cmocka_unit_test(document_types_and_entities_are_refused),
		cmocka_unit_test(damaged_file_never_crashes),
		cmocka_unit_test(json_is_valid),
		cmocka_unit_test(figures_of_the_phase_are_written_once),
		cmocka_unit_test(csv_records_have_equal_length),
		cmocka_unit_test(the_ledger_is_a_table_of_its_own),
		cmocka_unit_test(html_holds_all_sections),
		cmocka_unit_test(html_has_paths_and_own_properties),
		cmocka_unit_test(html_has_no_names_that_are_markup),
		cmocka_unit_test(unwritable_output_is_located_and_changes_nothing),
		cmocka_unit_test(a_link_is_followed_and_rights_are_the_users),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("report files", tests, make_dir, remove_dir);
}
