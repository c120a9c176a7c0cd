/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/sir/support.h"

#define HEAD "<?xml version=\"1.0\"?>\n<sir xmlns=\"http://www.lrr.in.tum.de/Periscope\">\n" \
	"<source name=\"a.cc\" hash=\"00000000000000aa\" language=\"C++\" dir=\"/home/u/src\"/>\n" \
	"<source name=\"b.cc\" hash=\"00000000000000bb\" language=\"C++\" dir=\"/home/u/src/sub\"/>\n"

static struct sir *good(const char *text)
{
	struct err err;
	struct sir *s = read_text(text, strlen(text), &err);

	if (!s)
		print_error("%s\n", err.text);
	assert_non_null(s);
	return s;
}

static void bad(const char *text, const char *line, const char *what)
{
	struct err err;

	assert_null(read_text(text, strlen(text), &err));
	if (!strstr(err.text, line) || !strstr(err.text, what))
		fail_msg("\"%s\" lacks \"%s\" or \"%s\"", err.text, line, what);
}

static char *printed(const struct sir *s)
{
	struct buf b = BUF_INIT;
	char *text;

	sir_print(s, &b);
	text = buf_take(&b);
	assert_non_null(text);
	return text;
}

static const struct sir_region *named(const struct sir *s, const char *name)
{
	uint32_t id = sir_find_unit(s, name);

	assert_int_not_equal(id, SIR_NONE);
	return &s->regions[id];
}

static void fragment_gives_every_field(void **state)
{
	struct sir *s = good(
		"<fragment source=\"ssor.f\" language=\"Fortran\" hash=\"9f3c\" compiler=\"GNU\" dir=\"/home/u/lu\" optimize=\"none\">"
		"<unit type=\"subroutine\" name=\"ssor\" symbol=\"ssor_\" id=\"1-4\" index=\"0\" hook=\"marker phase\">"
		"<position startLine=\"4\" endLine=\"262\"><file name=\"ssor.f\"/></position>"
		"<array name=\"u\" type=\"DOUBLE\" nelts=\"1373125\" access=\"rw\" scope=\"cvar\" class=\"common\" line=\"9\"/>"
		"<codeRegion type=\"loop\" name=\"\" id=\"1-109\" index=\"7\" hook=\"marker\" refuse=\"parallel\" own=\"unrecorded\" math=\"exp pow\">"
		"<position startLine=\"109\" endLine=\"240\"><file name=\"ssor.f\"/></position>"
		"<copy of=\"argument\" for=\"jacld\" line=\"110\"/><copy of=\"block\"/><copy of=\"else\"/><copy of=\"block\"/>"
		"<codeRegion type=\"call\" name=\"jacld\" id=\"1-156\" index=\"12\" hook=\"marker\">"
		"<position startLine=\"156\" endLine=\"156\"><file name=\"ssor.f\"/></position>"
		"</codeRegion></codeRegion></unit></fragment>");
	const struct sir_region *u = &s->regions[0], *loop = &s->regions[1], *call = &s->regions[2];
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(s->nregions, 3);
	assert_int_equal(s->nsources, 1);
	assert_true(s->sources[0].hash == 0x9f3c);
	assert_string_equal(s->sources[0].dir, "/home/u/lu");
	assert_true(s->sources[0].unoptimised);
	assert_false(s->sources[0].vectors);
	assert_string_equal(u->name, "ssor");
	assert_string_equal(u->symbol, "ssor_");
	assert_int_equal(u->type, REGION_SUB);
	assert_int_equal(u->line, 4);
	assert_int_equal(u->end_line, 262);
	assert_int_equal(u->hooks, SIR_HOOK_MARKER | SIR_HOOK_PHASE);
	assert_int_equal(u->narrays, 1);
	assert_int_equal(loop->ncopies, 2);
	assert_int_equal(loop->copies[0].of, SIR_COPY_ARGUMENT);
	assert_string_equal(loop->copies[0].callee, "jacld");
	assert_int_equal(loop->copies[0].line, 110);
	assert_int_equal(loop->copies[1].of, SIR_COPY_BLOCK);
	assert_null(loop->copies[1].callee);
	assert_true(u->arrays[0].nelts == 1373125);
	assert_int_equal(u->arrays[0].access, SIR_READ | SIR_WRITE);
	assert_int_equal(u->arrays[0].cls, SIR_CLASS_COMMON);
	assert_string_equal(u->arrays[0].scope, "cvar");
	assert_int_equal(u->child, loop->id);
	assert_int_equal(loop->type, REGION_LOOP);
	assert_string_equal(loop->refuse, "parallel");
	assert_true(loop->unrecorded);
	assert_string_equal(loop->math, "exp pow");
	assert_null(call->math);
	assert_false(call->unrecorded);
	assert_int_equal(call->parent, loop->id);
	assert_int_equal(call->type, REGION_CALL);
	assert_int_equal(sir_unit_of(s, call->id), u->id);
	assert_int_equal(sir_find_hook(s, 0x9f3c, 12), call->id);
	assert_int_equal(sir_find_hook(s, 0x9f3c, 11), SIR_NONE);
	assert_int_equal(sir_find_hook(s, 0x9f3d, 12), SIR_NONE);
	assert_int_equal(sir_find_unit(s, "SSOR"), u->id);      /* Fortran */
	assert_int_equal(sir_find_unit(s, "ssor_"), u->id);
	assert_int_equal(sir_find_unit(s, "sso"), SIR_NONE);
	assert_int_equal(sir_find_unit(s, ""), SIR_NONE);
	sir_region_label(u, &b);
	assert_string_equal(buf_str(&b), "ssor( SUB_REGION, ssor.f, 4 )");
	buf_clear(&b);
	sir_region_label(loop, &b);
	assert_string_equal(buf_str(&b), "( LOOP_REGION, ssor.f, 109 )");
	buf_free(&b);
	sir_free(s);
	sir_free(NULL);
}

/* A copy of the function adds the members that only its unit uses. */
static void the_members_that_a_region_uses_are_read_and_merged(void **state)
{
	static const char unit[] = "<unit type=\"function\" name=\"f\" hash=\"%s\"><position startLine=\"3\" "
		"endLine=\"9\"><file name=\"/a.h\"/></position>"
		"<record type=\"body\" array=\"p\" size=\"72\" members=\"9\" used=\"%s\"/>"
		"<record type=\"body\" size=\"72\" members=\"9\" used=\"%s\"/></unit>";
	char text[4096], *at = text;
	struct sir *s;
	const struct sir_record *r;
	char *first;

	(void)state;
	at += sprintf(at, HEAD);
	at += sprintf(at, unit, "aa", "16:8:pos.z", "8:8:y");
	at += sprintf(at, unit, "bb", "0:8:pos.x 16:8:pos.z",
		"0:8:x 16:8:z 24:8:u 32:8:v 40:8:w 48:8:a 56:8:b 64:8:c");
	strcpy(at, "</sir>");
	s = good(text);
	assert_int_equal(s->nregions, 1);
	assert_int_equal(s->regions[0].nrecords, 2);
	r = s->regions[0].records;
	assert_string_equal(r[0].type, "body");
	assert_string_equal(r[0].array, "p");
	assert_int_equal(r[0].size, 72);
	assert_int_equal(r[0].members, 9);
	assert_false(r[0].all);
	assert_int_equal(r[0].nused, 2);
	assert_string_equal(r[0].used[0].name, "pos.x");
	assert_int_equal(r[0].used[1].offset, 16);
	assert_int_equal(r[0].used[1].size, 8);
	assert_null(r[1].array);
	assert_true(r[1].all);
	first = printed(s);
	assert_non_null(strstr(first, "<record type=\"body\" array=\"p\" size=\"72\" members=\"9\" "
		"used=\"0:8:pos.x 16:8:pos.z\"/>"));
	assert_non_null(strstr(first, "<record type=\"body\" size=\"72\" members=\"9\" used=\"0:8:x 8:8:y 16:8:z "
		"24:8:u 32:8:v 40:8:w 48:8:a 56:8:b 64:8:c\"/>"));
	free(first);
	sir_free(s);
}

static void a_list_of_all_members_says_that_all_are_used(void **state)
{
	static const char record[] = "<record type=\"tally\" array=\"t\" size=\"24\" members=\"2\" "
		"used=\"0:8:hits 8:4:lost\"/>";
	char text[4096];
	struct sir *s;
	char *again;

	(void)state;
	snprintf(text, sizeof text, HEAD "<unit type=\"function\" name=\"f\"><position startLine=\"3\" endLine=\"9\">"
		"<file name=\"/a.h\"/></position>%s</unit></sir>", record);
	s = good(text);
	assert_true(s->regions[0].records[0].all);
	assert_int_equal(s->regions[0].records[0].nused, 2);
	assert_string_equal(s->regions[0].records[0].used[1].name, "lost");
	again = printed(s);
	assert_non_null(strstr(again, record));
	free(again);
	sir_free(s);
}

static void members_that_cannot_be_are_located_errors(void **state)
{
	static const char *const wrong[][2] = {
		{ "type=\"t\" size=\"8\" members=\"2\"", "<record> without" },
		{ "size=\"8\" members=\"2\" used=\"*\"", "<record> without" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"\"", "used=\"\" is neither" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"0:4\"", "used=\"0:4\" is neither" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"0:4:\"", "is neither" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"4:8:x\"", "inside 8 bytes" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"-4:8:x\"", "is neither" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"99999999999999999999:8:x\"", "is neither" },
		{ "type=\"t\" size=\"8\" members=\"2\" used=\"0:0:x\"", "is neither" },
	};
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		snprintf(text, sizeof text, HEAD "<unit type=\"function\" name=\"f\"><position startLine=\"3\"><file "
			"name=\"a.c\"/></position>\n<record %s/></unit></sir>", wrong[i][0]);
		bad(text, ":6:", wrong[i][1]);
	}
}

static void printing_and_reading_again_changes_nothing(void **state)
{
	struct sir *s = good(HEAD
		"<unit type=\"function\" name=\"std::map&lt;A&amp;, &quot;B&quot;&gt;::at\" symbol=\"_ZN\""
		" hash=\"aa\" index=\"0\" hook=\"marker\" alias=\"bb:3\">"
		"<position startLine=\"7\" endLine=\"9\"><file name=\"a b&#9;c&#10;.h\"/></position>"
		"<array name=\"x\" type=\"REAL\" nelts=\"0\"/>"
		"<array name=\"y\" type=\"REAL\" nelts=\"3\" access=\"\"/>"
		"<unit type=\"function\" name=\"inner\"><position><file name=\"a.cc\"/></position></unit>"
		"<codeRegion type=\"pipeline\" name=\"\" id=\"1-8\"><position startLine=\"8\" endLine=\"8\">"
		"<file name=\"a.cc\"/></position></codeRegion>"
		"<codeRegion type=\"parallelLoop\" name=\"\" index=\"1\" hook=\"phase\"><position startLine=\"8\""
		" endLine=\"8\"><file name=\"a.cc\"/></position></codeRegion>"
		"</unit></sir>");
	char *first = printed(s), *second;
	const struct sir_region *u = &s->regions[0];

	(void)state;
	assert_string_equal(u->name, "std::map<A&, \"B\">::at");
	assert_string_equal(u->file, "a b\tc\n.h");
	assert_int_equal(sir_find_hook(s, 0xbb, 3), 0);
	assert_int_equal(u->arrays[0].access, SIR_ACCESS_UNSAID);
	assert_int_equal(u->arrays[1].access, 0);
	assert_int_equal(s->regions[1].parent, 0);
	assert_int_equal(sir_unit_of(s, 1), 1);
	assert_int_equal(s->regions[2].type, REGION_UNKNOWN);
	assert_int_equal(s->regions[3].type, REGION_WORKSHARE_DO);
	sir_free(s);
	s = good(first);
	second = printed(s);
	assert_string_equal(first, second);
	assert_non_null(strstr(first, "type=\"pipeline\""));
	assert_non_null(strstr(first, "type=\"parallelLoop\""));
	free(first);
	free(second);
	sir_free(s);
}

static void names_that_xml_cannot_carry_are_replaced(void **state)
{
	struct sir_source src = { .name = "bad\x01\xff\xc0\xafname \xc3\xa9", .hash = 1 };
	struct sir s = { .sources = &src, .nsources = 1 };
	char *text = printed(&s);

	(void)state;
	assert_non_null(strstr(text, "bad????name \xc3\xa9"));
	free(text);
}

/* An inline function as three units saw it. */
#define COPY(hash, first, file, extra) \
	"<unit type=\"function\" name=\"axpy\" hash=\"" hash "\" index=\"" first "0\" hook=\"marker\">" \
	"<position startLine=\"5\" endLine=\"9\"><file name=\"" file "\"/></position>" \
	"<codeRegion type=\"loop\" name=\"\" index=\"" first "1\" hook=\"marker\" refuse=\"innermost\">" \
	"<position startLine=\"6\" endLine=\"7\"><file name=\"" file "\"/></position>" \
	"<array name=\"x\" type=\"REAL\" nelts=\"0\" access=\"r\"/></codeRegion>" extra "</unit>"
#define LOOP(index, hook) \
	"<codeRegion type=\"loop\" name=\"\" index=\"" index "\" hook=\"" hook "\">" \
	"<position startLine=\"6\" endLine=\"7\"><file name=\"x\"/></position>" \
	"<array name=\"x\" type=\"REAL\" nelts=\"0\" access=\"w\"/></codeRegion>"

static void copies_of_an_inline_function_become_one(void **state)
{
	struct sir *s = good(HEAD
		COPY("aa", "1", "../inc/v.h", "")
		COPY("bb", "2", "../../inc/./v.h", LOOP("29", "marker phase"))
		COPY("bb", "3", "/home/u/inc/v.h", LOOP("39", "marker"))
		COPY("bb", "4", "v.h", "")
		"</sir>");
	const struct sir_region *u = named(s, "axpy");
	char *text, *again;

	(void)state;
	assert_int_equal(s->nregions, 3 + 2);   /* another v.h stays apart */
	assert_int_equal(u->nat, 3);
	assert_int_equal(sir_find_hook(s, 0xaa, 10), u->id);
	assert_int_equal(sir_find_hook(s, 0xbb, 20), u->id);
	assert_int_equal(sir_find_hook(s, 0xbb, 30), u->id);
	assert_int_equal(sir_find_hook(s, 0xbb, 40), 3);
	assert_int_equal(sir_find_hook(s, 0xbb, 21), sir_find_hook(s, 0xaa, 11));
	/* The second loop on the line is another loop, which the first unit does not have. */
	assert_int_not_equal(sir_find_hook(s, 0xbb, 29), sir_find_hook(s, 0xaa, 11));
	assert_int_equal(sir_find_hook(s, 0xbb, 29), sir_find_hook(s, 0xbb, 39));
	assert_int_equal(s->regions[sir_find_hook(s, 0xbb, 39)].parent, u->id);
	assert_true(s->regions[sir_find_hook(s, 0xbb, 39)].hooks & SIR_HOOK_PHASE);
	text = printed(s);
	sir_free(s);
	s = good(text);
	again = printed(s);
	assert_string_equal(text, again);
	assert_int_equal(sir_find_hook(s, 0xbb, 29), sir_find_hook(s, 0xbb, 39));
	free(text);
	free(again);
	sir_free(s);
}

static void a_fragment_met_twice_counts_once(void **state)
{
	static const char text[] = "<fragment source=\"a.c\" hash=\"1\" dir=\"/d\"><unit type=\"function\""
		" name=\"f\" index=\"0\" hook=\"marker\"><position startLine=\"1\" endLine=\"2\">"
		"<file name=\"a.c\"/></position></unit></fragment>";
	char path[] = "/tmp/psc-test-XXXXXX";
	const char *paths[2] = { path, path };
	int fd = mkstemp(path);
	struct err err;
	struct sir *s;

	(void)state;
	assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
	close(fd);
	s = sir_read_all(paths, 2, &err);
	unlink(path);
	assert_non_null(s);
	assert_int_equal(s->nregions, 1);
	assert_int_equal(s->nsources, 1);
	assert_int_equal(s->regions[0].nat, 1);
	sir_free(s);
}

static void errors_name_file_and_line(void **state)
{
	(void)state;
	bad("<sir>\n<unit\n", ":", "");
	bad("hello", "", "neither an ELF file nor");
	bad("", "", "neither an ELF file nor");
	bad("<sir>\n <unit type='function' name='f'>\n </sir>", ":3: ", "mismatch");
	bad("<?xml version='1.0'?>\n<svg/>", ":2: ", "root is <svg>");
	bad("<fragment source='a.c'/>", ":1: ", "no hash");
	bad("<sir>\n<unit type='function' name='f'><position startLine='x'/></unit></sir>", ":2: ",
		"startLine=\"x\"");
	bad("<sir>\n<unit type='function' name='f'><position startLine='-1'/></unit></sir>", ":2: ",
		"startLine=\"-1\"");
	bad("<sir>\n<unit type='function' name='f'><position startLine='99999999999'/></unit></sir>",
		":2: ", "startLine");
	bad(HEAD "<unit type='function' name='f' hash='aa' index='4294967295'/></sir>", ":5: ", "index");
	bad(HEAD "<unit type='function' name='f' hash='cc' index='1'/></sir>", ":5: ", "no <source>");
	bad(HEAD "<unit type='function' name='f' hash='xyz'/></sir>", ":5: ", "hash");
	bad(HEAD "<unit type='function' name='f' hash='aa' alias='bb'/></sir>", ":5: ", "alias");
	bad(HEAD "<unit type='function' name='f' hash='aa' hook='marker'/></sir>", ":5: ",
		"without an index");
	bad("<sir><unit type='function' name='f' index='1'/></sir>", ":1: ", "hash");
	bad(HEAD "<unit type='function' name='f' hash='aa'><codeRegion/></unit></sir>", ":5: ",
		"without a type");
	bad(HEAD "<unit type='function' name='f' hash='aa'><array/></unit></sir>", ":5: ", "<array>");
	bad(HEAD "<unit type='function' name='f' hash='aa'><array name='x' access='x'/></unit></sir>",
		":5: ", "access");
	bad(HEAD "<unit type='function' name='f' hash='aa'><array name='x' nelts='-3'/></unit></sir>",
		":5: ", "nelts");
	bad(HEAD "<unit type='function' name='f' hash='aa' index='1'/>"
		"<unit type='function' name='g' hash='aa' index='1'/></sir>", "index 1", "means both");
}

static void document_types_are_refused(void **state)
{
	(void)state;
	bad("<!DOCTYPE sir [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"
		"<sir><unit type='function' name='&b;'/></sir>", ":1: ", "document type");
	bad("<!DOCTYPE sir SYSTEM \"http://127.0.0.1:9/x.dtd\">\n<sir/>", ":1: ", "document type");
}

static void deep_nesting_is_refused_not_followed(void **state)
{
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	buf_puts(&b, "<sir><unit type='function' name='f'>");
	for (int i = 0; i < 100000; i++)
		buf_puts(&b, "<codeRegion type='loop'>");
	assert_null(read_text(b.data, b.len, &err));
	assert_non_null(strstr(err.text, "deep"));
	buf_free(&b);
}

static void unknown_elements_and_attributes_are_passed_over(void **state)
{
	struct sir *s = good("<sir color='red'><note><unit type='function' name='no'/></note>"
		"<unit type='function' name='f' mood='good'><position startLine='3' endLine='1' x='y'>"
		"<file name='f.c'/></position><codeRegion type='loop'><position startLine='4' endLine='4'>"
		"<file name='f.c'/></position><plugin pluginId='HMPP'><selector><codeRegion/></selector>"
		"</plugin></codeRegion></unit></sir>");

	(void)state;
	assert_int_equal(s->nregions, 2);
	assert_int_equal(s->regions[0].end_line, 3);    /* never before its start */
	assert_int_equal(s->regions[0].nat, 0);
	sir_free(s);
}

static void every_prefix_of_a_document_is_refused(void **state)
{
	static const char text[] = HEAD COPY("aa", "1", "v.h", LOOP("5", "marker")) "</sir>";
	struct err err;

	(void)state;
	for (size_t n = 0; n < sizeof text - 1; n++)
		assert_null(read_text(text, n, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fragment_gives_every_field),
		cmocka_unit_test(the_members_that_a_region_uses_are_read_and_merged),
		cmocka_unit_test(a_list_of_all_members_says_that_all_are_used),
		cmocka_unit_test(members_that_cannot_be_are_located_errors),
		cmocka_unit_test(printing_and_reading_again_changes_nothing),
		cmocka_unit_test(names_that_xml_cannot_carry_are_replaced),
		cmocka_unit_test(copies_of_an_inline_function_become_one),
		cmocka_unit_test(a_fragment_met_twice_counts_once),
		cmocka_unit_test(errors_name_file_and_line),
		cmocka_unit_test(document_types_are_refused),
		cmocka_unit_test(deep_nesting_is_refused_not_followed),
		cmocka_unit_test(unknown_elements_and_attributes_are_passed_over),
		cmocka_unit_test(every_prefix_of_a_document_is_refused),
	};

	return cmocka_run_group_tests_name("sir xml", tests, NULL, NULL);
}
