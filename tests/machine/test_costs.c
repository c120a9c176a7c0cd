/* SPDX-License-Identifier: BSD-3-Clause */
/* What a line costs: from the model, assumed, and measured; the file of a calibration. */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <libxml/relaxng.h>

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/user_file.h"
#include "machine/calibration.h"
#include "machine/local.h"

static char cache[] = "/tmp/psc-test-XXXXXX";

static int use_own_cache(void **state)
{
	(void)state;
	return mkdtemp(cache) && setenv("XDG_CACHE_HOME", cache, 1) == 0 ? 0 : -1;
}

static int remove_cache(void **state)
{
	char path[PATH_MAX];
	struct err err;

	(void)state;
	if (calibration_path(false, path, sizeof path, &err) == 0)
		unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	return rmdir(cache);
}

static bool near(double a, double b)
{
	return a > b * 0.999999 && a < b * 1.000001;
}

static struct machine model(const char *name)
{
	struct machine m;
	struct err err;

	if (machine_read(&m, name, &err) < 0)
		fail_msg("%s", err.text);
	return m;
}

static void in_order(const struct machine_costs *c)
{
	for (uint32_t i = 0; i <= c->nlevels; i++) {
		for (int k = 0; k < COST_PATTERNS; k++) {
			assert_true(c->line[i][k].low > 0);
			assert_true(c->line[i][k].low <= c->line[i][k].value);
			assert_true(c->line[i][k].value <= c->line[i][k].high);
		}
		assert_true(i == 0 || c->walk[i][COST_WALK_CHASE].value > 0);
	}
}

/* --- without a measurement ------------------------------------------------------------------- */

static void a_models_costs_are_computed_from_its_attributes(void **state)
{
	struct machine m = model("xeon-2s");
	struct machine_costs c;
	char note[256] = "x";
	const struct cost *l3 = c.line[2], *memory = c.line[3];

	(void)state;
	machine_costs(&m, false, &c, note, sizeof note);
	assert_int_equal(c.source, COST_MODEL);
	assert_string_equal(note, "");
	assert_int_equal(c.nlevels, 3);
	assert_true(near(c.cycle, 1 / 2.6));
	assert_true(near(l3[COST_READ].value, 6.7 / 2.6) && near(l3[COST_WRITE].value, 6.9 / 2.6));
	assert_true(near(memory[COST_CHASE].value, 210 / 2.6));
	assert_true(near(memory[COST_GATHER].value, 210 / 2.6 / 12));
	assert_true(near(memory[COST_STORE].value, 210 / 2.6 / 6));
	assert_true(near(memory[COST_STRIDED].value, memory[COST_GATHER].value));
	assert_true(near(memory[COST_CHASE].low, 210 / 2.6 * 0.75));
	assert_true(near(memory[COST_CHASE].high, 210 / 2.6 * 4 / 3));
	/* 60 cycles / 12 misses is less than a line costs in a stream. */
	assert_true(near(l3[COST_GATHER].value, l3[COST_READ].value));
	assert_true(near(c.walk[3][COST_WALK_CHASE].value, 90 / 2.6));
	assert_true(near(c.walk[3][COST_WALK_GATHER].value, 90 / 2.6 / 12));
	assert_true(c.walk[0][COST_WALK_CHASE].value == 0);
	assert_true(c.read_bandwidth[0] == 0 && c.when == 0);
	in_order(&c);
}

static void all_shipped_models_say_what_lines_cost(void **state)
{
	static const char *const names[] = { "itanium2", "x86-server", "xeon-2s", "epyc-2s", "a64fx" };
	struct machine_costs c;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct machine m = model(names[i]);

		machine_costs(&m, false, &c, NULL, 0);
		assert_int_equal(c.source, COST_MODEL);
		in_order(&c);
		for (uint32_t k = 1; k <= c.nlevels; k++)
			assert_true(c.line[k][COST_CHASE].value > c.line[k][COST_GATHER].value);
	}
}

static void without_attributes_costs_are_assumed(void **state)
{
	struct machine m = model("xeon-2s");
	struct machine_costs c;

	(void)state;
	memset(m.line, 0, sizeof m.line);
	m.misses = 0;
	machine_costs(&m, false, &c, NULL, 0);
	assert_int_equal(c.source, COST_ASSUMED);
	assert_true(near(c.line[3][COST_READ].value, 210 / 2.6 / 8));
	assert_true(near(c.line[3][COST_WRITE].value, 210 / 2.6 / 6));
	assert_true(near(c.line[3][COST_READ].low, c.line[3][COST_READ].value / 2));
	assert_true(near(c.line[3][COST_READ].high, c.line[3][COST_READ].value * 2));
	assert_true(near(c.walk[3][COST_WALK_CHASE].value, 210 / 2.6));
	in_order(&c);
	/* One attribute is not all. */
	m.misses = 5;
	machine_costs(&m, false, &c, NULL, 0);
	assert_int_equal(c.source, COST_ASSUMED);
	assert_true(near(c.line[3][COST_GATHER].value, 42 / 2.6));
}

/* --- a calibration's file -------------------------------------------------------------------- */

static struct calibration sample(const struct machine *m)
{
	struct calibration c = { .line = m->flat.level[0].line };
	struct machine_costs *k = &c.costs;

	k->source = COST_MEASURED;
	k->nlevels = m->flat.nlevels;
	k->cycle = 0.4375;
	k->addition = 1.3125;
	k->mispredict = 6.5;
	k->load = 0.25;
	k->loaded = true;
	k->when = 1790000000;
	k->huge_known = true;
	k->spread = 0.75;
	strcpy(k->varies, "memory chase");
	snprintf(c.processor, sizeof c.processor, "%s", m->title);
	k->transfer = (struct cost){ 95, 90, 126 };
	k->fault = (struct fault_cost){ COST_MEASURED, { 1500, 1400, 1700 }, { 4500, 3000, 9000 }, 4 };
	k->read_bandwidth[0] = 1.5e10;
	k->write_bandwidth[0] = 1e10;
	k->read_bandwidth[3] = 3e10;
	k->write_bandwidth[3] = 2e10;
	machine_host_name(k->host, sizeof k->host);
	for (uint32_t i = 0; i <= k->nlevels; i++) {
		c.set[i] = 65536u << i;
		if (i < k->nlevels) {
			c.size[i] = m->flat.level[i].size;
			c.level[i] = m->flat.level[i].level;
		}
		for (int p = 0; p < COST_PATTERNS; p++)
			k->line[i][p] = (struct cost){ 1.5 + i * 10 + p, 1.25 + i * 10 + p, 99.125 };
		for (int p = 0; p < COST_WALKS; p++)
			k->walk[i][p] = (struct cost){ i, 0, i + 1 };
		k->walk_pages[i] = i ? 1024u << i : 0;
		for (int p = 0; p < COST_WALKS; p++)
			k->huge[i][p] = (struct cost){ i / 2.0, 0, i };
	}
	return c;
}

static void keep(const struct calibration *c)
{
	char path[PATH_MAX];
	struct err err = { "" };

	if (calibration_path(true, path, sizeof path, &err) < 0 || calibration_write(c, path, &err) < 0)
		fail_msg("%s", err.text);
}

static void a_calibration_survives_its_file(void **state)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m), again;
	char path[PATH_MAX];
	struct err err = { "" };

	(void)state;
	keep(&c);
	assert_int_equal(calibration_path(false, path, sizeof path, &err), 0);
	assert_int_equal(strncmp(path, cache, strlen(cache)), 0);
	assert_true(calibration_is(path));
	if (calibration_read(path, &again, &err) < 0)
		fail_msg("%s", err.text);
	assert_memory_equal(again.size, c.size, sizeof c.size);
	assert_memory_equal(again.set, c.set, sizeof c.set);
	assert_memory_equal(again.costs.line, c.costs.line, sizeof c.costs.line);
	assert_memory_equal(again.costs.walk, c.costs.walk, sizeof c.costs.walk);
	assert_memory_equal(again.costs.walk_pages, c.costs.walk_pages, sizeof c.costs.walk_pages);
	assert_true(again.costs.huge_known);
	assert_memory_equal(again.costs.huge, c.costs.huge, sizeof c.costs.huge);
	assert_true(again.costs.spread == 0.75);
	assert_string_equal(again.costs.varies, "memory chase");
	assert_string_equal(again.processor, m.title);
	assert_true(again.costs.read_bandwidth[3] == 3e10 && again.costs.write_bandwidth[0] == 1e10);
	assert_true(again.costs.transfer.high == 126 && again.costs.loaded && again.costs.load == 0.25);
	assert_memory_equal(&again.costs.fault.one, &c.costs.fault.one, sizeof(struct cost));
	assert_memory_equal(&again.costs.fault.all, &c.costs.fault.all, sizeof(struct cost));
	assert_true(again.costs.fault.threads == 4 && again.costs.fault.source == COST_MEASURED);
	assert_true(again.costs.cycle == 0.4375 && again.costs.addition == 1.3125 && again.costs.when == 1790000000);
	assert_string_equal(again.costs.host, c.costs.host);
}

/* Whether the file at `path` is what machine/calibration.rng says. */
static bool fits_the_grammar(const char *path)
{
	const char *srcdir = getenv("srcdir");
	char grammar[PATH_MAX];
	xmlRelaxNGParserCtxtPtr parser;
	xmlRelaxNGPtr schema;
	xmlRelaxNGValidCtxtPtr valid;
	xmlDocPtr doc = xmlReadFile(path, NULL, 0);
	int wrong;

	snprintf(grammar, sizeof grammar, "%s/machine/calibration.rng", srcdir ? srcdir : ".");
	parser = xmlRelaxNGNewParserCtxt(grammar);
	schema = xmlRelaxNGParse(parser);
	assert_true(doc && schema);
	valid = xmlRelaxNGNewValidCtxt(schema);
	wrong = xmlRelaxNGValidateDoc(valid, doc);
	xmlRelaxNGFreeValidCtxt(valid);
	xmlRelaxNGFree(schema);
	xmlRelaxNGFreeParserCtxt(parser);
	xmlFreeDoc(doc);
	return wrong == 0;
}

static void a_written_calibration_fits_the_grammar(void **state)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m);
	char path[PATH_MAX];
	struct err err = { "" };

	(void)state;
	assert_int_equal(calibration_path(false, path, sizeof path, &err), 0);
	keep(&c);
	assert_true(fits_the_grammar(path));
	c.usable = c.size[c.costs.nlevels - 1] / 4;
	c.costs.fault.threads = 1;
	c.costs.varies[0] = c.processor[0] = '\0';
	c.costs.huge_known = false;
	keep(&c);
	assert_true(fits_the_grammar(path));
	if (calibration_read(path, &c, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(c.usable == c.size[c.costs.nlevels - 1] / 4);
}

static void this_hosts_calibration_is_used(void **state)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m);
	struct machine_costs costs;
	char note[512] = "x";

	(void)state;
	keep(&c);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_MEASURED);
	assert_string_equal(note, "");
	assert_true(costs.line[3][COST_CHASE].value == 1.5 + 30 + COST_CHASE);
	/* Another machine's model is not this host. */
	machine_costs(&m, false, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_MODEL);
}

static void a_calibration_that_does_not_fit_is_not_used(void **state)
{
	struct machine m = model("x86-server"), other = model("xeon-2s");
	struct calibration c = sample(&m);
	struct machine_costs costs;
	char note[512];

	(void)state;
	c.processor[0] = '\0';   /* not known */
	keep(&c);
	machine_costs(&other, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_ASSUMED);
	assert_non_null(strstr(note, "its L2 is not this machine's: not used"));
	strcpy(c.processor, "another");
	keep(&c);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_ASSUMED);
	assert_non_null(strstr(note, "is of another processor, another: not used"));
	c.processor[0] = '\0';
	keep(&c);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_MEASURED);
	strcpy(c.costs.host, "elsewhere");
	keep(&c);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_ASSUMED);
	assert_non_null(strstr(note, "is of host elsewhere"));
}

static void without_a_calibration_a_note_says_so(void **state)
{
	struct machine m = model("x86-server");
	struct machine_costs costs;
	char note[512], path[PATH_MAX];
	struct err err;

	(void)state;
	assert_int_equal(calibration_path(false, path, sizeof path, &err), 0);
	unlink(path);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_int_equal(costs.source, COST_ASSUMED);
	assert_non_null(strstr(note, "not calibrated: run psc_machine --calibrate"));
	/* A relative path is not a cache directory; without HOME there is none. */
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/nonexistent", 1);
	assert_int_equal(calibration_path(false, path, sizeof path, &err), 0);
	assert_non_null(strstr(path, "/nonexistent/.cache/periscope/"));
	unsetenv("HOME");
	assert_int_equal(calibration_path(false, path, sizeof path, &err), -1);
	machine_costs(&m, true, &costs, note, sizeof note);
	assert_non_null(strstr(note, "no cache directory"));
	setenv("XDG_CACHE_HOME", cache, 1);
}

/* Replaces the first `from` of a good file by `to`, and reads it. */
static int read_changed(const char *from, const char *to, struct err *err)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m), unused;
	struct buf text = BUF_INIT;
	char path[] = "/tmp/psc-test-XXXXXX", whole[16384], *at;
	int fd = mkstemp(path), ret;
	FILE *f;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(calibration_write(&c, path, err), 0);
	f = fopen(path, "r");
	whole[fread(whole, 1, sizeof whole - 1, f)] = '\0';
	fclose(f);
	at = strstr(whole, from);
	if (!at)
		fail_msg("\"%s\" is not in the file", from);
	buf_add(&text, whole, (size_t)(at - whole));
	buf_puts(&text, to);
	buf_puts(&text, at + strlen(from));
	assert_int_equal(output_write(path, &text, err), 0);
	buf_free(&text);
	ret = calibration_read(path, &unused, err);
	unlink(path);
	return ret;
}

static void bad_files_are_refused_with_their_line(void **state)
{
	static const struct { const char *from, *to, *line, *what; } bad[] = {
		{ "<calibration ", "<calibrations ", ":", "mismatch" },
		{ "</calibration>", "", ":", "" },
		{ "cycle=\"0.4375\"", "cycle=\"0\"", ":2: ", "cycle=\"0\"" },
		{ "cycle=\"0.4375\"", "cycle=\"fast\"", ":2: ", "cycle=\"fast\"" },
		{ "cycle=\"0.4375\"", "cycle=\"-1\"", ":2: ", "cycle=\"-1\"" },
		{ "cycle=\"0.4375\"", "", ":2: ", "without cycle" },
		{ "addition=\"1.3125\"", "addition=\"slow\"", ":2: ", "addition=\"slow\"" },
		{ "host=", "nost=", ":2: ", "no attribute nost" },
		{ "when=\"2", "when=\"x2", ":2: ", "is not a date" },
		{ "load=\"0.25\"", "load=\"1.5\"", ":2: ", "load=\"1.5\"" },
		{ "loaded=\"yes\"", "loaded=\"maybe\"", ":2: ", "none of no, yes" },
		{ "size=\"32KiB\"", "size=\"32\xc2\xb5\"", ":3: ", "is not a size" },
		{ "size=\"512KiB\"", "size=\"16KiB\"", ":20: ", "L2 is not larger than L1" },
		{ "<read ns=\"1.5\"", "<read ns=\"1.5e3\"", ":4: ", "ns=\"1.5e3\"" },
		{ "<read ns=\"1.5\"", "<read ns=\"1\"", ":4: ", "not low <= ns <= high" },
		{ "<read ns=\"1.5\"", "<read", ":4: ", "without ns" },
		{ "<write ", "<read ", ":5: ", "<read> twice" },
		{ "<gather ", "<guess ", ":8: ", "<guess> is no pattern" },
		{ "    <chase ns=\"7.5\" low=\"7.25\" high=\"99.125\"/>\n", "", ":3: ", "without <chase>" },
		{ "pages=\"2048\"", "pages=\"0\"", ":20: ", "pages=\"0\"" },
		{ "<memory ", "<disk ", ":", "" },
		{ "<transfer ", "<bandwidth ", ":", "no attribute ns" },
		{ "<fault threads=\"1\"", "<fault threads=\"2\"", ":", "of one thread first" },
		{ "<fault threads=\"4\"", "<fault threads=\"1\"", ":", "of one thread first" },
		{ "<fault threads=\"4\"", "<fault", ":", "without threads" },
		{ "bandwidth threads=\"1\"", "bandwidth threads=\"65\"", ":", "threads=\"65\"" },
		{ "bandwidth threads=\"4\"", "bandwidth threads=\"1\"", ":", "of 1 threads twice" },
		{ "read=\"15000000000\"", "read=\"15e9\"", ":", "bytes a second" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (read_changed(bad[i].from, bad[i].to, &err) == 0)
			fail_msg("%s: accepted", bad[i].to);
		if (!strstr(err.text, bad[i].line) || !strstr(err.text, bad[i].what))
			fail_msg("%s: \"%s\"", bad[i].to, err.text);
	}
	if (read_changed("<read ", "<read ", &err) < 0)
		fail_msg("%s", err.text);
}

/* Takes all that stands between `from` and `to`, and these, out of a text. */
static void take_out(char *text, const char *from, const char *to)
{
	for (char *at = text; (at = strstr(at, from));) {
		const char *end = strstr(at + strlen(from), to) + strlen(to);

		memmove(at, end, strlen(end) + 1);
	}
}

/* A host that gives no huge pages, or whose levels are too small for page walks. */
static void a_file_without_pages_is_read(void **state)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m), read;
	char path[PATH_MAX], text[16384];
	struct buf changed = BUF_INIT;
	struct err err = { "" };
	FILE *f;

	(void)state;
	keep(&c);
	assert_int_equal(calibration_path(false, path, sizeof path, &err), 0);
	f = fopen(path, "r");
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	take_out(text, " pages=\"", "\"");
	take_out(text, "<huge-", "/>");
	buf_puts(&changed, text);
	assert_int_equal(output_write(path, &changed, &err), 0);
	buf_free(&changed);
	assert_true(fits_the_grammar(path));
	if (calibration_read(path, &read, &err) < 0)
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i <= c.costs.nlevels; i++) {
		assert_memory_equal(&read.costs.line[i][COST_CHASE], &c.costs.line[i][COST_CHASE], sizeof(struct cost));
		assert_true(read.costs.walk_pages[i] == 0 && !read.costs.huge_known);
		/* walks cost what they do, whatever the size of the data */
		assert_true(machine_walk(&read.costs, i, COST_WALK_GATHER, 1).value == c.costs.walk[i][0].value);
	}
}

/* Level 2 was measured with 4096 pages, level 3 with 16384, memory with 131072. */
static void walks_lie_between_what_was_measured(void **state)
{
	struct machine_costs c = { .nlevels = 3, .walk_pages = { 0, 4096, 16384, 131072 } };
	static const double ns[] = { 0, 4, 6, 18 };

	(void)state;
	for (int i = 1; i < 4; i++)
		for (int k = 0; k < COST_WALKS; k++)
			c.walk[i][k] = (struct cost){ ns[i], ns[i] / 2, ns[i] * 2 };
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 0).value, 18));
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 1e9).value, 18));
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 16384).value, 6));
	assert_true(near(machine_walk(&c, 3, COST_WALK_STORE, 32768).value, 6 + 12 / 3.));
	assert_true(near(machine_walk(&c, 3, COST_WALK_STORE, 32768).high, 2 * (6 + 12 / 3.)));
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 8192).value, 5));
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 100).value, 4));
	assert_true(near(machine_walk(&c, 2, COST_WALK_GATHER, 1e9).value, 6));
	assert_true(near(machine_walk(&c, 1, COST_WALK_GATHER, 1).value, 4));
	/* dependent loads wait for the walk wherever its entries are */
	assert_true(near(machine_walk(&c, 3, COST_WALK_CHASE, 100).value, 18));
	/* a nearer level that a busy moment made dearer tells nothing */
	c.walk[2][COST_WALK_GATHER] = (struct cost){ 20, 20, 20 };
	assert_true(near(machine_walk(&c, 3, COST_WALK_GATHER, 23170.475).value, 11));
}

static void bandwidth_lies_between_what_was_measured(void **state)
{
	struct machine m = model("x86-server");
	struct machine_costs c = sample(&m).costs;

	(void)state;
	assert_true(machine_bandwidth(&c, false, 1) == 1.5e10);
	assert_true(machine_bandwidth(&c, false, 4) == 3e10);
	assert_true(near(machine_bandwidth(&c, false, 2), 2e10));
	assert_true(near(machine_bandwidth(&c, true, 3), 1e10 + 1e10 * 2 / 3));
	assert_true(machine_bandwidth(&c, true, 64) == 2e10);
	memset(c.read_bandwidth, 0, sizeof c.read_bandwidth);
	assert_true(machine_bandwidth(&c, false, 2) == 0);
}

/* Another machine's model has other caches; its page faults are this system's. */
static void page_faults_cost_what_was_measured_here_on_any_model(void **state)
{
	struct machine m = model("x86-server"), other = model("a64fx");
	struct calibration c = sample(&m);
	struct machine_costs costs;

	(void)state;
	keep(&c);
	machine_costs(&other, false, &costs, NULL, 0);
	assert_int_equal(costs.source, COST_MODEL);
	assert_int_equal(costs.fault.source, COST_MEASURED);
	assert_true(machine_fault(&costs, 1).value == 1500 && machine_fault(&costs, 0).low == 1400);
	assert_true(near(machine_fault(&costs, 2).value, 2500) && near(machine_fault(&costs, 3).high, 1700 + 7300 * 2 / 3.));
	assert_true(machine_fault(&costs, 4).high == 9000 && machine_fault(&costs, 64).value == 4500);
}

/* A file without <fault>: the rest of it is used. */
static void page_faults_that_were_not_measured_are_assumed(void **state)
{
	struct machine m = model("x86-server");
	struct calibration c = sample(&m);
	struct machine_costs costs;

	(void)state;
	c.costs.fault = (struct fault_cost){ .source = COST_ASSUMED };
	keep(&c);
	machine_costs(&m, true, &costs, NULL, 0);
	assert_int_equal(costs.source, COST_MEASURED);
	assert_int_equal(costs.fault.source, COST_ASSUMED);
	assert_true(machine_fault(&costs, 8).value >= 1000 && machine_fault(&costs, 8).value <= 2000);
	assert_true(machine_fault(&costs, 1).low == 500 && machine_fault(&costs, 1).high >= 4000);
}

/* This host with an L3 that no processor has for two cores, as a calibration sees it. */
static void the_last_level_has_what_was_measured(void **state)
{
	static const struct { uint64_t usable, size; const char *note; } hosts[] = {
		{ 0, 4 << 20, "" },
		{ 24 << 20, 24 << 20, "L3: 24 of 480 MiB can be had here, as measured" },
		{ (40 << 20) + 5, 40 << 20, "L3: 40 of 480 MiB" },
		{ 100000, 2 << 20, "L3: 2 of 480 MiB" },        /* twice the L2, whatever others left */
	};
	struct machine m;
	struct err err;

	(void)state;
#ifndef HAVE_HWLOC
	skip();
#endif
	setenv("HWLOC_SYNTHETIC", "package:1 l3:1(size=503316480) core:2 l2:1(size=1048576) l1d:1(size=49152) pu:1", 1);
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		struct machine_costs costs;
		struct calibration c;

		assert_int_equal(machine_host(&m, &err), 0);
		c = sample(&m);
		c.usable = hosts[i].usable;
		keep(&c);
		assert_int_equal(machine_here(&m, &err), 0);
		if (m.flat.level[2].size != hosts[i].size || !strstr(m.note, hosts[i].note))
			fail_msg("%" PRIu64 ": L3 of %" PRIu64 ", note \"%s\"", hosts[i].usable, m.flat.level[2].size, m.note);
		assert_int_equal(machine_check(&m, &err), 0);
		machine_costs(&m, true, &costs, NULL, 0);
		assert_int_equal(costs.source, COST_MEASURED);
	}
	unsetenv("HWLOC_SYNTHETIC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_level_has_what_was_measured),
		cmocka_unit_test(page_faults_cost_what_was_measured_here_on_any_model),
		cmocka_unit_test(page_faults_that_were_not_measured_are_assumed),
		cmocka_unit_test(a_models_costs_are_computed_from_its_attributes),
		cmocka_unit_test(all_shipped_models_say_what_lines_cost),
		cmocka_unit_test(without_attributes_costs_are_assumed),
		cmocka_unit_test(a_calibration_survives_its_file),
		cmocka_unit_test(a_written_calibration_fits_the_grammar),
		cmocka_unit_test(this_hosts_calibration_is_used),
		cmocka_unit_test(a_calibration_that_does_not_fit_is_not_used),
		cmocka_unit_test(without_a_calibration_a_note_says_so),
		cmocka_unit_test(bad_files_are_refused_with_their_line),
		cmocka_unit_test(a_file_without_pages_is_read),
		cmocka_unit_test(walks_lie_between_what_was_measured),
		cmocka_unit_test(bandwidth_lies_between_what_was_measured),
	};

	return cmocka_run_group_tests(tests, use_own_cache, remove_cache);
}
