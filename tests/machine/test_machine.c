/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/machine.h"

static int read_text(const char *text, struct machine *m, struct err *err)
{
	char path[] = "/tmp/psc-test-XXXXXX.xml";
	int fd = mkstemps(path, 4), ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	ret = machine_read(m, path, err);
	unlink(path);
	return ret;
}

static void paper_machine_has_the_figures_of_its_processor(void **state)
{
	struct machine m;
	struct err err;
	const struct machine_level *l = m.flat.level;

	(void)state;
	assert_int_equal(machine_read(&m, "itanium2", &err), 0);
	assert_string_equal(m.name, "itanium2");
	assert_non_null(strstr(m.source, "itanium2.xml"));
	assert_true(m.ghz == 1.3 && m.flat.ghz == 1.3);
	assert_int_equal(m.flat.ncpus, 4);
	assert_int_equal(m.flat.nlevels, 2);
	assert_int_equal(m.flat.pages, MACHINE_PAGES_FIRST_TOUCH);
	assert_int_equal(m.flat.page_size, 16384);
	assert_int_equal(m.flat.memory_latency, 200);
	assert_int_equal(l[0].level, 2);
	assert_int_equal(l[0].size, 256 * 1024);
	assert_int_equal(l[0].assoc, 8);
	assert_int_equal(l[0].line, 128);
	assert_int_equal(l[0].sets, 256);
	assert_int_equal(l[0].cpus, 1);
	assert_int_equal(l[0].latency, 6);
	assert_int_equal(l[1].level, 3);
	assert_int_equal(l[1].size, 3 * 1024 * 1024);
	assert_int_equal(l[1].assoc, 12);
	assert_int_equal(l[1].sets, 2048);
	assert_int_equal(l[1].shared, MACHINE_SHARED_CPU);
	assert_int_equal(l[1].latency, 14);
}

static bool equal(const struct machine *a, const struct machine *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->title, b->title) == 0
		&& a->ghz == b->ghz && memcmp(&a->flat, &b->flat, sizeof a->flat) == 0
		&& a->misses == b->misses && memcmp(a->line, b->line, sizeof a->line) == 0;
}

static void models_survive_writing_and_reading(void **state)
{
	static const char *const names[] = { "a64fx", "epyc-2s", "itanium2", "x86-server", "xeon-2s" };
	char path[] = "/tmp/psc-test-XXXXXX.xml";
	int fd = mkstemps(path, 4);
	struct machine m, again;
	struct err err;

	(void)state;
	close(fd);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(machine_read(&m, names[i], &err), 0);
		snprintf(m.title, sizeof m.title, "<odd> & \"quoted\"");
		m.ghz = m.flat.ghz = 2.445428;
		m.flat.pages = MACHINE_PAGES_VIRTUAL;
		assert_int_equal(machine_write(&m, path, &err), 0);
		assert_int_equal(machine_read(&again, path, &err), 0);
		assert_true(equal(&m, &again));
	}
	unlink(path);
	assert_int_equal(machine_write(&m, "/nonexistent/x.xml", &err), -1);
	assert_non_null(strstr(err.text, "/nonexistent/x.xml: "));
	m.flat.nlevels = 0;
	assert_int_equal(machine_write(&m, path, &err), -1);
}

#define MACHINE(attributes, inside) "<machine name='t' clock='2GHz' " attributes ">\n" inside "</machine>"
#define CPUS "<cpus count='4'/>\n"
#define L1 "<cache level='1' size='32KiB' ways='8' line='64' latency='4'/>\n"
#define L2 "<cache level='2' size='1MiB' ways='16' line='64' shared='all' latency='14'/>\n"
#define MEMORY "<memory latency='200'/>\n"
#define OPTION(rest) CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' " rest)
#define SECOND(rest) MACHINE("", CPUS L1 "<cache level='2' size='1MiB' ways='16' line='64' latency='14' " \
	rest "/>\n" MEMORY)
#define TLB(rest) MACHINE("", CPUS L1 MEMORY "<tlb " rest "/>\n")
#define NODES(attributes, inside) MACHINE("", CPUS L1 MEMORY "<nodes " attributes ">" inside "</nodes>\n")
#define CHANNELS(rest) MACHINE("", CPUS L1 "<memory latency='200' " rest "/>\n")
#define CACHE(rest) MACHINE("", CPUS "<cache " rest "/>\n" MEMORY)

static const struct { const char *text, *line, *what; } broken[] = {
	{ "", "", "" },
	{ "hello", ":1: ", "" },
	{ "<machine>\n<cpus></machine>", ":2: ", "mismatch" },
	{ "<sir/>", ":1: ", "root is <sir>" },
	{ "<!DOCTYPE machine [<!ENTITY a 'x'>]><machine name='&a;'/>", ":1: ", "document type" },
	{ "<machine clock='1GHz'/>", ":1: ", "without name" },
	{ "<machine name='t'/>", ":1: ", "without clock" },
	{ "<machine name='t' clock='fast'/>", ":1: ", "clock=\"fast\"" },
	{ "<machine name='t' clock='1.3 GHz'/>", ":1: ", "clock=" },
	{ "<machine name='t' clock='1,3GHz'/>", ":1: ", "clock=" },
	{ "<machine name='t' clock='.GHz'/>", ":1: ", "clock=" },
	{ "<machine name='t' clock='99999999999999999999GHz'/>", ":1: ", "clock=" },
	{ "<machine name='t' clock='0GHz'>" CPUS L1 MEMORY "</machine>", ":", "clock" },
	{ MACHINE("colour='red'", CPUS L1 MEMORY), ":1: ", "no attribute colour" },
	{ MACHINE("pages='large'", CPUS L1 MEMORY), ":1: ", "none of first-touch, virtual" },
	{ MACHINE("page='5000'", CPUS L1 MEMORY), ":", "page of 5000 bytes" },
	{ MACHINE("page='4kB'", CPUS L1 MEMORY), ":1: ", "page=\"4kB\"" },
	{ MACHINE("", L1 MEMORY), ":2: ", "before <cpus>" },
	{ MACHINE("", CPUS CPUS L1 MEMORY), ":3: ", "twice" },
	{ MACHINE("", CPUS L1 MEMORY MEMORY), ":5: ", "twice" },
	{ MACHINE("", CPUS MEMORY), ":1: ", "without <cache>" },
	{ MACHINE("", MEMORY), ":1: ", "without <cpus>" },
	{ MACHINE("", CPUS L1), ":1: ", "without <memory>" },
	{ MACHINE("", CPUS "<disk/>"), ":3: ", "<disk>" },
	{ MACHINE("", "<cpus count='0'/>"), ":2: ", "count=\"0\"" },
	{ MACHINE("", "<cpus count='-1'/>"), ":2: ", "count=\"-1\"" },
	{ MACHINE("", "<cpus/>"), ":2: ", "without count" },
	{ MACHINE("", CPUS L2 L1 MEMORY), ":4: ", "nearest level must come first" },
	{ MACHINE("", CPUS L1 L1 MEMORY), ":4: ", "comes after" },
	{ CACHE("level='1' size='32KiB' ways='8' line='48' latency='4'"), ":3: ",
		"not a power of two" },
	{ CACHE("level='1' size='32KiB' ways='7' line='64' latency='4'"), ":3: ",
		"not a whole number of sets" },
	{ CACHE("level='1' size='32' ways='8' line='64' latency='4'"), ":3: ", "whole number" },
	{ CACHE("level='1' size='32KB' ways='8' line='64' latency='4'"), ":3: ", "32KB" },
	{ CACHE("level='1' size='99999999999GiB' ways='8' line='64' latency='4'"), ":3: ",
		"not a size" },
	{ CACHE("level='1' size='1024GiB' ways='1' line='8' latency='4'"), ":3: ", "too many sets" },
	{ CACHE("level='1' size='32KiB' ways='many' line='64' latency='4'"), ":3: ", "many" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64'"), ":3: ", "without latency" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' way='8'"), ":3: ",
		"no attribute way" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' shared='us'"), ":3: ",
		"none of cpu, core, socket, all" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' shared='core'"), ":3: ",
		"without cpus" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' shared='cpu' cpus='2'"),
		":3: ", "private" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='4' shared='socket' cpus='5'"),
		":3: ", "5 of 4" },
	{ CACHE("level='1' size='32KiB' ways='8' line='64' latency='200'"), ":1: ",
		"memory is not slower" },
	{ MACHINE("", CPUS L1 "<cache level='2' size='32KiB' ways='8' line='64' latency='9'/>"), ":4: ",
		"not larger" },
	{ MACHINE("", CPUS L1 "<cache level='2' size='64KiB' ways='8' line='64' latency='4'/>"), ":4: ",
		"not slower" },
	{ MACHINE("", CPUS L1 "<cache level='2' size='64KiB' ways='8' line='32' latency='9'/>"), ":4: ",
		"shorter lines" },
	{ MACHINE("", CPUS L2 "<cache level='3' size='2MiB' ways='8' line='64' latency='19'/>"), ":4: ",
		"fewer CPUs" },
	{ OPTION("index='physical'"), ":3: ", "nearest level is indexed by virtual addresses" },
	{ SECOND("index='real'"), ":4: ", "none of virtual, physical" },
	{ OPTION("read='0'"), ":3: ", "read=\"0\" is no cost" },
	{ OPTION("write='-1'"), ":3: ", "write=\"-1\"" },
	{ OPTION("walk='1.1234567'"), ":3: ", "walk=\"1.1234567\"" },
	{ OPTION("read='3GB/s'"), ":3: ", "read=\"3GB/s\"" },
	{ OPTION("misses='3'"), ":3: ", "no attribute misses" },
	{ MACHINE("", "<cpus count='4' misses='0'/>" L1 MEMORY), ":2: ", "misses=\"0\"" },
	{ MACHINE("", CPUS L1 "<memory latency='200' read='none'/>\n"), ":4: ", "read=\"none\"" },
	{ MACHINE("", CPUS L1 "<memory latency='200' index='physical'/>\n"), ":4: ",
		"no attribute index" },
	{ OPTION("replacement='fifo'"), ":3: ", "none of lru, plru, random" },
	{ CACHE("level='1' size='24KiB' ways='6' line='64' latency='4' replacement='plru'"), ":3: ",
		"plru is a tree, but 6 ways" },
	{ OPTION("inclusion='victim'"), ":3: ", "none of none, inclusive, exclusive" },
	{ OPTION("inclusion='inclusive'"), ":3: ", "cannot be inclusive" },
	{ OPTION("inclusion='exclusive'"), ":3: ", "cannot be exclusive" },
	{ OPTION("prefetch='all'"), ":3: ", "none of none, next-line, stride" },
	{ OPTION("degree='2'"), ":3: ", "degree without prefetch" },
	{ OPTION("prefetch='none' degree='2'"), ":3: ", "degree without prefetch" },
	{ OPTION("prefetch='stride' degree='17'"), ":3: ", "degree 17 is not" },
	{ OPTION("prefetch='stride' degree='0'"), ":3: ", "degree=\"0\"" },
	{ SECOND("inclusion='exclusive' prefetch='next-line'"), ":4: ", "cannot prefetch" },
	{ MACHINE("", CPUS L1 "<cache level='2' size='1MiB' ways='16' line='128' latency='14' "
		"inclusion='exclusive'/>\n" MEMORY), ":4: ", "not as long as L1" },
	{ MACHINE("", "<cpus count='6'/>\n<cache level='1' size='32KiB' ways='8' line='64' "
		"shared='core' cpus='2' latency='4'/>\n<cache level='2' size='1MiB' ways='16' "
		"line='64' shared='socket' cpus='3' latency='14'/>\n" MEMORY), ":4: ",
		"not a multiple of L1's 2" },
	{ MACHINE("write='through'", CPUS L1 MEMORY), ":1: ", "none of untracked, back" },
	{ MACHINE("", "<cpus count='4' sockets='5'/>" L1 MEMORY), ":2: ", "5 sockets" },
	{ TLB("level='1' entries='64'"), ":5: ", "without miss" },
	{ TLB("level='2' entries='64' miss='7'"), ":5: ", "level 1 is expected" },
	{ TLB("level='1' entries='64' ways='7' miss='7'"), ":5: ", "whole number of sets" },
	{ TLB("level='1' entries='64' page='48KiB' miss='7'"), ":5: ", "not a power of two" },
	{ TLB("level='1' entries='64' page='2048' miss='7'"), ":5: ", "not a power of two" },
	{ TLB("level='1' entries='64' size='7' miss='7'"), ":5: ", "no attribute size" },
	{ TLB("level='1' entries='64' miss='7'/>\n<tlb level='2' entries='32' miss='9'"), ":6: ",
		"covers no more memory" },
	{ TLB("level='1' entries='64' miss='7' page='8KiB'/>\n<tlb level='2' entries='640' miss='9'"),
		":6: ", "smaller pages" },
	{ TLB("level='1' entries='6' miss='7'/>\n<tlb level='2' entries='32' miss='9'/>\n"
		"<tlb level='3' entries='99' miss='9'"), ":7: ", "more than 2 TLB" },
	{ MACHINE("", "<nodes count='2' remote='300'/>" CPUS), ":2: ", "before <cpus>" },
	{ MACHINE("", "<cpus count='4' threads='apart'/>" L1 MEMORY), ":2: ", "none of neighbours, spread" },
	{ MACHINE("", "<cpus count='4' threads='spread'/>\n" L1 MEMORY), ":", "spread\" wants several nodes" },
	{ CHANNELS("channels='4'"), ":4: ", "without interleave" },
	{ CHANNELS("interleave='256'"), ":4: ", "without channels" },
	{ CHANNELS("channels='1' interleave='256'"), ":4: ", "1 channels of each of 1 nodes" },
	{ CHANNELS("channels='65' interleave='256'"), ":4: ", "channels=\"65\"" },
	{ CHANNELS("channels='4' interleave='32'"), ":4: ", "from a line, 64, to 1 MiB" },
	{ CHANNELS("channels='4' interleave='384'"), ":4: ", "not a power of two" },
	{ MACHINE("", CPUS L1 "<memory latency='200' channels='40' interleave='64'/>\n<nodes count='2' remote='300'/>"), ":4: ",
		"40 channels of each of 2 nodes are not 2 to 64 in all" },
	{ NODES("count='3' remote='300'", ""), ":5: ", "spread evenly" },
	{ NODES("count='1' remote='300'", ""), ":5: ", "2 or more" },
	{ NODES("count='17' remote='300'", ""), ":5: ", "count=\"17\"" },
	{ NODES("count='2'", ""), ":5: ", "either remote or one <node>" },
	{ NODES("count='2' remote='300'", "<node latency='200 300'/>"), ":5: ", "either remote" },
	{ NODES("count='2'", "<node latency='200 300'/>"), ":5: ", "either remote" },
	{ NODES("count='2'", "\n<node latency='200'/>"), ":6: ", "2 numbers" },
	{ NODES("count='2'", "\n<node latency='200 300 400'/>"), ":6: ", "2 numbers" },
	{ NODES("count='2'", "\n<node latency='200 0'/>"), ":6: ", "2 numbers" },
	{ NODES("count='2'", "\n<node latency='200 x'/>"), ":6: ", "2 numbers" },
	{ NODES("count='2'", "\n<node/>"), ":6: ", "without latency" },
	{ NODES("count='2'", "\n<hub/>"), ":6: ", "not <node>" },
	{ NODES("count='2'", "<node latency='200 300'/><node latency='300 210'/>"), ":5: ",
		"from node 1 to node 1 it takes 210 cycles, to a node's own memory 200" },
	{ NODES("count='2' remote='150'", ""), ":5: ", "from node 0 to node 1 it takes 150 cycles" },
	{ NODES("count='2' remote='300' threshold='200'", ""), ":5: ", "threshold of 200 cycles" },
	{ NODES("count='2' remote='300' threshold='301'", ""), ":5: ", "threshold of 301 cycles" },
	{ MACHINE("", CPUS L1 MEMORY "<nodes count='2' remote='300'/><nodes count='2' remote='300'/>"),
		":5: ", "<nodes> twice" },
	{ MACHINE("", CPUS
		"<cache level='1' size='1KiB' ways='1' line='64' latency='1'/>\n"
		"<cache level='2' size='2KiB' ways='1' line='64' latency='2'/>\n"
		"<cache level='3' size='4KiB' ways='1' line='64' latency='3'/>\n"
		"<cache level='4' size='8KiB' ways='1' line='64' latency='4'/>\n"
		"<cache level='5' size='16KiB' ways='1' line='64' latency='5'/>\n" MEMORY), ":7: ",
		"more than 4 cache levels" },
};

static void broken_files_are_refused_with_their_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct machine m = { .name = "untouched" };
		struct err err = { "" };

		if (read_text(broken[i].text, &m, &err) != -1)
			fail_msg("accepted: %s", broken[i].text);
		if (!strstr(err.text, broken[i].line) || !strstr(err.text, broken[i].what)
		    || !*err.text)
			fail_msg("%s\nsays \"%s\", not \"%s\" \"%s\"", broken[i].text, err.text,
				broken[i].line, broken[i].what);
		assert_string_equal(m.name, "untouched");
	}
}

static void defaults_and_units_are_as_documented(void **state)
{
	struct machine m;
	struct err err;

	(void)state;
	assert_int_equal(read_text("<machine name='t' clock='1300MHz'><cpus count='6'/>"
		"<cache level='1' size='48 KiB' ways='12' line='64B' latency='5'/>"
		"<cache level='2' size='33MiB' ways='11' line='64' shared='socket' cpus='3' latency='70'/>"
		"<memory latency='200'/></machine>", &m, &err), 0);
	assert_true(m.ghz == 1.3);
	assert_string_equal(m.title, "t");
	assert_int_equal(m.flat.page_size, 4096);
	assert_int_equal(m.flat.pages, MACHINE_PAGES_FIRST_TOUCH);
	assert_int_equal(m.flat.level[0].sets, 64);
	assert_int_equal(m.flat.level[0].shared, MACHINE_SHARED_CPU);
	assert_int_equal(m.flat.level[1].sets, 49152);  /* no power of two */
	assert_int_equal(m.flat.level[1].shared, MACHINE_SHARED_SOCKET);
	assert_int_equal(m.flat.level[1].cpus, 3);
}

static void channels_are_known_where_the_page_tells_them(void **state)
{
	static const struct { const char *text; uint32_t known; } models[] = {
		{ MACHINE("", CPUS L1 MEMORY), 0 },
		{ CHANNELS("channels='8' interleave='256'"), 8 },
		{ CHANNELS("channels='64' interleave='64'"), 64 },
		{ CHANNELS("channels='6' interleave='256'"), 0 },
		{ CHANNELS("channels='2' interleave='4KiB'"), 0 },
		{ MACHINE("page='2MiB'", CPUS L1 "<memory latency='9' channels='2' interleave='4KiB'/>"), 0 },
		{ MACHINE("page='2MiB' pages='virtual'", CPUS L1 "<memory latency='9' channels='2' interleave='4KiB'/>"), 2 },
	};
	char path[] = "/tmp/psc-test-XXXXXX.xml";
	struct machine m, again;
	struct err err;

	(void)state;
	close(mkstemps(path, 4));
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		assert_int_equal(read_text(models[i].text, &m, &err), 0);
		assert_int_equal(machine_channels(&m.flat), models[i].known);
		assert_int_equal(machine_write(&m, path, &err), 0);
		assert_int_equal(machine_read(&again, path, &err), 0);
		assert_true(equal(&m, &again));
	}
	unlink(path);
}

static void threads_run_on_neighbours_or_on_the_nodes_in_turn(void **state)
{
	static const uint32_t node[] = { 0, 1, 0, 1, 0 }, cpu[] = { 0, 2, 1, 3, 0 };
	struct machine m;
	struct err err;

	(void)state;
	assert_int_equal(read_text(NODES("count='2' remote='300'", ""), &m, &err), 0);
	for (uint32_t i = 0; i < 6; i++)
		assert_true(machine_cpu(&m.flat, i) == i % 4 && machine_node(&m.flat, i) == i % 4 / 2);
	assert_int_equal(read_text(MACHINE("", "<cpus count='4' threads='spread'/>" L1 MEMORY "<nodes count='2' remote='300'/>"), &m,
		&err), 0);
	for (uint32_t i = 0; i < 5; i++)
		assert_true(machine_cpu(&m.flat, i) == cpu[i] && machine_node(&m.flat, i) == node[i]);
}

/* With more nodes than sockets, as many, and more sockets than nodes. */
static void threads_that_are_spread_run_on_the_sockets_in_turn(void **state)
{
	static const struct { int sockets, nodes; uint32_t cpu[9]; } cases[] = {
		{ 2, 4, { 0, 4, 2, 6, 1, 5, 3, 7, 0 } },
		{ 2, 2, { 0, 4, 1, 5, 2, 6, 3, 7, 0 } },
		{ 4, 2, { 0, 4, 2, 6, 1, 5, 3, 7, 0 } },
		{ 2, 1, { 0, 4, 1, 5, 2, 6, 3, 7, 0 } },
		{ 3, 1, { 0, 1, 2, 3, 4, 5, 6, 7, 0 } },
	};
	struct machine m;
	struct err err;

	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		char text[512], nodes[64] = "";

		if (cases[c].nodes > 1)
			snprintf(nodes, sizeof nodes, "<nodes count='%d' remote='300'/>",
				cases[c].nodes);
		snprintf(text, sizeof text, MACHINE("", "<cpus count='8' sockets='%d' "
			"threads='spread'/>" L1 MEMORY "%s"), cases[c].sockets, nodes);
		assert_int_equal(read_text(text, &m, &err), 0);
		for (uint32_t i = 0; i < 9; i++)
			assert_int_equal(machine_cpu(&m.flat, i), cases[c].cpu[i]);
	}
}

static void threads_run_where_the_user_says(void **state)
{
	static const uint32_t cpu[] = { 0, 3, 1, 2, 0 };
	static const char *const wrong[] = { "", "4", "0,", "1-0", "0-3:0", "spreads", "0;1", "-1", "0-", "99999999999999999999" };
	struct machine m, before;
	struct err err;

	(void)state;
	assert_int_equal(read_text(NODES("count='2' remote='300'", ""), &m, &err), 0);
	m.flat.nodes.real = 1;
	assert_int_equal(machine_threads_on(&m.flat, "spread", &err), 0);
	assert_true(machine_cpu(&m.flat, 1) == 2 && !m.flat.nodes.real);
	assert_int_equal(machine_threads_on(&m.flat, "compact", &err), 0);
	assert_int_equal(machine_cpu(&m.flat, 1), 1);
	assert_int_equal(machine_threads_on(&m.flat, "0-3:3,1-2", &err), 0);
	for (uint32_t i = 0; i < 5; i++)
		assert_true(machine_cpu(&m.flat, i) == cpu[i] && machine_node(&m.flat, i) == cpu[i] / 2);
	before = m;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(machine_threads_on(&m.flat, wrong[i], &err), -1);
	assert_memory_equal(&m, &before, sizeof m);
}

static void omp_proc_bind_spreads_the_threads_of_a_model_with_nodes(void **state)
{
	struct machine m;
	struct err err;

	(void)state;
	assert_int_equal(read_text(MACHINE("", CPUS L1 MEMORY), &m, &err), 0);
	assert_false(machine_threads_bound(&m.flat, "spread"));
	assert_int_equal(machine_threads_on(&m.flat, "spread", &err), -1);
	assert_int_equal(read_text(NODES("count='2' remote='300'", ""), &m, &err), 0);
	assert_false(machine_threads_bound(&m.flat, NULL) || machine_threads_bound(&m.flat, "close") ||
		machine_threads_bound(&m.flat, "spreading"));
	assert_int_equal(machine_node(&m.flat, 1), 0);
	assert_true(machine_threads_bound(&m.flat, " Spread,close"));
	assert_int_equal(machine_node(&m.flat, 1), 1);
}

static void options_are_read_and_have_defaults(void **state)
{
	struct machine m;
	struct err err;
	const struct machine_flat *f = &m.flat;

	(void)state;
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	assert_int_equal(f->level[0].replacement, MACHINE_LRU);
	assert_int_equal(f->level[2].inclusion, MACHINE_INDEPENDENT);
	assert_int_equal(f->level[1].prefetch, MACHINE_NO_PREFETCH);
	assert_int_equal(f->level[1].degree, 0);
	assert_int_equal(f->write, MACHINE_WRITE_UNTRACKED);
	assert_int_equal(f->ntlbs, 0);
	assert_int_equal(f->sockets, 1);
	assert_int_equal(f->nodes.count, 1);
	assert_int_equal(f->nodes.cpus, f->ncpus);
	assert_int_equal(f->nodes.threshold, 0);
	assert_int_equal(f->nodes.latency[0][0], f->memory_latency);

	assert_int_equal(machine_read(&m, "epyc-2s", &err), 0);
	assert_int_equal(f->level[1].replacement, MACHINE_PLRU);
	assert_int_equal(f->level[1].inclusion, MACHINE_INCLUSIVE);
	assert_int_equal(f->level[1].prefetch, MACHINE_STRIDE);
	assert_int_equal(f->level[1].degree, 2);
	assert_int_equal(f->level[2].inclusion, MACHINE_EXCLUSIVE);
	assert_int_equal(f->level[2].cpus, 8);
	assert_int_equal(f->write, MACHINE_WRITE_BACK);
	assert_int_equal(f->sockets, 2);
	assert_int_equal(f->nodes.count, 8);
	assert_int_equal(f->nodes.cpus, 16);
	assert_int_equal(f->nodes.threshold, 310);
	assert_int_equal(f->nodes.latency[4][4], 270);
	assert_int_equal(f->nodes.latency[4][7], 310);
	assert_int_equal(f->nodes.latency[4][3], 540);
	assert_int_equal(f->ntlbs, 2);
	assert_int_equal(f->tlb[0].entries, 64);
	assert_int_equal(f->tlb[0].ways, 64);
	assert_int_equal(f->tlb[0].page, 4096);
	assert_int_equal(f->tlb[1].ways, 16);
	assert_int_equal(f->tlb[1].miss, 30);
}

static void own_models_are_found_first(void **state)
{
	char dir[] = "/tmp/psc-test-XXXXXX", path[64], env[128], names[256];
	struct machine m;
	struct err err;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/itanium2.xml", dir);
	f = fopen(path, "w");
	fputs(MACHINE("title='mine'", CPUS L1 MEMORY), f);
	fclose(f);
	snprintf(env, sizeof env, "/nonexistent:%s", dir);
	setenv("PSC_MACHINE_PATH", env, 1);
	assert_int_equal(machine_read(&m, "itanium2", &err), 0);
	assert_string_equal(m.title, "mine");
	assert_string_equal(m.source, path);
	assert_int_equal(machine_read(&m, "x86-server", &err), 0);
	machine_list(names, sizeof names);
	assert_string_equal(names, "itanium2, a64fx, epyc-2s, x86-server, xeon-2s");
	unsetenv("PSC_MACHINE_PATH");
	unlink(path);
	rmdir(dir);
	assert_int_equal(machine_read(&m, "pdp11", &err), -1);
	assert_non_null(strstr(err.text, "\"pdp11\"; there are: a64fx, epyc-2s, itanium2"));
	assert_int_equal(machine_read(&m, "./pdp11.xml", &err), -1);
	assert_non_null(strstr(err.text, "./pdp11.xml: No such file"));
	assert_int_equal(machine_read(&m, "/tmp", &err), -1);
	assert_non_null(strstr(err.text, "is a directory"));
}

/* --- hwloc ------------------------------------------------------------------------------------- */

static struct machine host_as(const char *synthetic)
{
	struct machine m;
	struct err err = { "" };

#ifndef HAVE_HWLOC
	skip();
#endif
	setenv("HWLOC_SYNTHETIC", synthetic, 1);
	if (machine_host(&m, &err) < 0)
		fail_msg("%s: %s", synthetic, err.text);
	unsetenv("HWLOC_SYNTHETIC");
	assert_int_equal(machine_check(&m, &err), 0);
	return m;
}

static void only_farther_levels_are_indexed_physically(void **state)
{
	static const char *const names[] = { "a64fx", "epyc-2s", "itanium2", "x86-server", "xeon-2s" };
	struct machine m;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(machine_read(&m, names[i], &err), 0);
		for (uint32_t k = 0; k < m.flat.nlevels; k++)
			assert_int_equal(m.flat.level[k].physical, k > 0);
	}
	m.flat.level[0].physical = 1;
	assert_int_equal(machine_check(&m, &err), -1);
	m.flat.level[0].physical = 0;
	m.flat.level[1].physical = 2;
	assert_int_equal(machine_check(&m, &err), -1);
}

static void plausible_topology_becomes_a_model(void **state)
{
	struct machine m = host_as("package:2 l3:2(size=16777216) core:4 l2:1(size=1048576) "
		"l1d:1(size=32768) pu:2");
	const struct machine_level *l = m.flat.level;

	(void)state;
	assert_string_equal(m.source, "hwloc");
	assert_int_equal(m.flat.ncpus, 32);
	assert_int_equal(m.flat.nlevels, 3);
	assert_int_equal(l[0].level, 1);
	assert_int_equal(l[0].size, 32768);
	assert_int_equal(l[0].shared, MACHINE_SHARED_CORE);
	assert_int_equal(l[0].cpus, 2);
	assert_int_equal(l[1].shared, MACHINE_SHARED_CORE);
	assert_int_equal(l[2].level, 3);
	assert_int_equal(l[2].shared, MACHINE_SHARED_SOCKET);
	assert_int_equal(l[2].cpus, 8);
	assert_int_equal(l[0].physical, 0);
	assert_true(l[1].physical == 1 && l[2].physical == 1);
	/* hwloc does not know these; the model says that they are assumed. */
	assert_int_equal(l[2].assoc, 16);
	assert_int_equal(l[2].sets, 16777216 / 64 / 16);
	assert_non_null(strstr(m.note, "ways of L3 not known: 16 assumed"));
	assert_non_null(strstr(m.note, "clock not known: 2.5 GHz assumed"));
	assert_true(m.ghz == 2.5);
	assert_true(l[0].latency < l[1].latency && l[2].latency < m.flat.memory_latency);
}

static void memory_nodes_of_the_host_are_found(void **state)
{
	struct machine m = host_as("package:2 numa:1 l3:1(size=16777216) core:4 l2:1(size=1048576) "
		"l1d:1(size=32768) pu:1");

	(void)state;
	assert_int_equal(m.flat.sockets, 2);
	assert_int_equal(m.flat.nodes.count, 2);
	assert_int_equal(m.flat.nodes.cpus, 4);
	assert_true(!m.flat.nodes.real);        /* it is not this system */
	assert_true(machine_real_node(&m.flat.nodes, 1) == 1 &&
		machine_real_node(&m.flat.nodes, 2) == UINT32_MAX);
	assert_int_equal(m.flat.nodes.latency[0][0], m.flat.memory_latency);
	assert_true(m.flat.nodes.latency[0][1] > m.flat.memory_latency);
	assert_int_equal(m.flat.nodes.threshold, m.flat.nodes.latency[0][1]);
	assert_int_equal(m.flat.ntlbs, 0);      /* hwloc knows none */
	m = host_as("package:1 l3:1(size=16777216) core:4 l2:1(size=1048576) l1d:1(size=32768) pu:1");
	assert_int_equal(m.flat.sockets, 1);
	assert_int_equal(m.flat.nodes.count, 1);
}

/* Two sockets of two nodes each; and two sockets, whose memory the firmware calls one node. */
static void threads_are_spread_over_the_sockets_of_the_host(void **state)
{
	static const uint32_t node[] = { 0, 2, 1, 3, 0, 2, 1, 3 };
	struct machine m = host_as("package:2 numa:2 l3:1(size=16777216) core:2 l2:1(size=1048576) "
		"l1d:1(size=32768) pu:1");
	struct err err;

	(void)state;
	assert_true(m.flat.sockets == 2 && m.flat.nodes.count == 4);
	assert_int_equal(machine_threads_on(&m.flat, "spread", &err), 0);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(machine_node(&m.flat, i), node[i]);
	m = host_as("numa:1 package:2 l3:1(size=16777216) core:4 l2:1(size=1048576) "
		"l1d:1(size=32768) pu:1");
	assert_true(m.flat.sockets == 2 && m.flat.nodes.count == 1);
	assert_int_equal(machine_threads_on(&m.flat, "spread", &err), 0);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(machine_cpu(&m.flat, i), i % 2 * 4 + i / 2);
}

static void odd_sizes_get_ways_that_fit(void **state)
{
	struct machine m = host_as("package:1 l3:1(size=34603008) core:11 l2:1(size=1310720) "
		"l1d:1(size=49152) pu:1");

	(void)state;
	assert_int_equal(m.flat.nlevels, 3);
	assert_int_equal(m.flat.level[2].shared, MACHINE_SHARED_ALL);
	assert_int_equal(m.flat.level[0].shared, MACHINE_SHARED_CPU);
	for (int i = 0; i < 3; i++)
		assert_true(m.flat.level[i].size == (uint64_t)m.flat.level[i].sets
			* m.flat.level[i].assoc * m.flat.level[i].line);
}

/* Only the size that no processor has is replaced; what is known of the others stays. */
static void one_implausible_size_is_replaced_and_the_others_are_kept(void **state)
{
	struct machine m = host_as("package:1 l3:1(size=532676608) core:2 l2:1(size=1048576) l1d:1(size=49152) pu:1");

	(void)state;
	assert_string_equal(m.name, "host");
	assert_string_equal(m.source, "hwloc");
	assert_int_equal(m.flat.nlevels, 3);
	assert_int_equal(m.flat.level[0].size, 48 << 10);
	assert_int_equal(m.flat.level[1].size, 1 << 20);
	/* Of a processor that is not known: 2 MiB for a core. */
	assert_int_equal(m.flat.level[2].size, 4 << 20);
	assert_int_equal(m.flat.level[2].cpus, 2);
	assert_int_equal(m.reported, 532676608);
	assert_non_null(strstr(m.note, "an L3 of 508 MiB for 2 cores is not plausible: 4 MiB assumed"));
}

static void sizes_that_cannot_be_are_replaced(void **state)
{
	static const struct { const char *synthetic, *why; uint64_t size[3]; } hosts[] = {
		{ "package:1 l3:1(size=1048576) core:2 l2:1(size=1048576) l1d:1(size=32768) pu:1",
			"an L3 of 1 MiB for 2 cores is not plausible: 4 MiB assumed", { 32 << 10, 1 << 20, 4 << 20 } },
		{ "package:1 l3:1(size=33554432) core:4 l2:1(size=1048576) l1d:1(size=512) pu:1",
			"an L1 of 0.5 KiB for 1 core is not plausible: 32 KiB assumed", { 32 << 10, 1 << 20, 32 << 20 } },
		{ "package:1 l3:1(size=33554432) core:4 l2:1(size=134217728) l1d:1(size=32768) pu:1",
			"an L2 of 128 MiB for 1 core is not plausible: 1 MiB assumed", { 32 << 10, 1 << 20, 32 << 20 } },
		{ "package:1 l3:1(size=2147483648) core:64 l2:1(size=33554432) l1d:1(size=32768) pu:1",
			"an L3 of 2048 MiB for 64 cores is not plausible: 128 MiB assumed", { 32 << 10, 32 << 20, 128 << 20 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		struct machine m = host_as(hosts[i].synthetic);

		if (!strstr(m.note, hosts[i].why))
			fail_msg("%s: note \"%s\"", hosts[i].synthetic, m.note);
		for (int k = 0; k < 3; k++)
			assert_int_equal(m.flat.level[k].size, hosts[i].size[k]);
	}
}

static void without_any_plausible_cache_a_server_is_taken(void **state)
{
	static const struct { const char *synthetic, *why; uint32_t ncpus, l3cpus; } hosts[] = {
		{ "package:1 core:64 pu:2", "no caches are reported", 128, 8 },
		{ "pu:1", "no caches", 1, 1 },
		{ "package:1 core:2 l1d:1(size=512) pu:1", "no cache of a plausible size is reported", 2, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		struct machine m = host_as(hosts[i].synthetic);

		if (!strstr(m.note, hosts[i].why) || !strstr(m.note, "x86-server taken instead"))
			fail_msg("%s: note \"%s\"", hosts[i].synthetic, m.note);
		assert_string_equal(m.name, "x86-server");
		assert_non_null(strstr(m.source, "hwloc ("));
		assert_non_null(strstr(m.source, "); x86-server"));
		assert_int_equal(m.flat.ncpus, hosts[i].ncpus);
		assert_int_equal(m.flat.level[2].cpus, hosts[i].l3cpus);
		assert_int_equal(m.flat.level[2].size, 32 << 20);
	}
}

/* Writes a topology of two cores with private caches: what hwloc exports in a virtual machine. */
static struct machine host_of_xml(const char *vendor, int family, int model, unsigned l1, unsigned l2, unsigned l3)
{
	char path[] = "/tmp/psc-test-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct machine m;
	struct err err = { "" };

#ifndef HAVE_HWLOC
	skip();
#endif
	assert_non_null(f);
	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topology version=\"2.0\">\n"
		"<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" allowed_cpuset=\"0x3\" "
		"nodeset=\"0x1\" complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" gp_index=\"1\">\n"
		"<object type=\"Package\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
		"gp_index=\"2\"><info name=\"CPUVendor\" value=\"%s\"/><info name=\"CPUFamilyNumber\" value=\"%d\"/>"
		"<info name=\"CPUModelNumber\" value=\"%d\"/><info name=\"CPUModel\" value=\"%s %d\"/>\n"
		"<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
		"gp_index=\"3\" local_memory=\"1073741824\"/>\n"
		"<object type=\"L3Cache\" cpuset=\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"4\" "
		"cache_size=\"%u\" depth=\"3\" cache_linesize=\"64\" cache_associativity=\"16\" cache_type=\"0\">\n",
		vendor, family, model, vendor, model, l3);
	for (int i = 0; i < 2; i++)
		fprintf(f, "<object type=\"L2Cache\" cpuset=\"0x%d\" complete_cpuset=\"0x%d\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
			"gp_index=\"%d\" cache_size=\"%u\" depth=\"2\" cache_linesize=\"64\" cache_associativity=\"16\" cache_type=\"0\">"
			"<object type=\"L1Cache\" cpuset=\"0x%d\" complete_cpuset=\"0x%d\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
			"gp_index=\"%d\" cache_size=\"%u\" depth=\"1\" cache_linesize=\"64\" cache_associativity=\"12\" cache_type=\"1\">"
			"<object type=\"Core\" os_index=\"%d\" cpuset=\"0x%d\" complete_cpuset=\"0x%d\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"%d\">"
			"<object type=\"PU\" os_index=\"%d\" cpuset=\"0x%d\" complete_cpuset=\"0x%d\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"%d\"/>"
			"</object></object></object>\n", 1 << i, 1 << i, 10 + i, l2, 1 << i, 1 << i, 20 + i, l1, i, 1 << i, 1 << i, 30 + i, i,
			1 << i, 1 << i, 40 + i);
	fputs("</object></object></object></topology>\n", f);
	assert_int_equal(fclose(f), 0);
	setenv("HWLOC_XMLFILE", path, 1);
	if (machine_host(&m, &err) < 0)
		fail_msg("%s", err.text);
	unsetenv("HWLOC_XMLFILE");
	unlink(path);
	return m;
}

static void a_known_processor_gets_what_its_cores_have(void **state)
{
	static const struct { const char *vendor; int family, model; unsigned l2, l3, kept; const char *note; } hosts[] = {
		{ "GenuineIntel", 6, 207, 2048, 300 << 10, 10 << 10,
			"an L3 of 300 MiB for 2 cores is not plausible: 10 MiB taken, what Emerald Rapids has for as many" },
		{ "GenuineIntel", 6, 143, 2048, 105 << 10, 3840, "Sapphire Rapids" },
		{ "GenuineIntel", 6, 143, 2048, 15 << 10, 15 << 10, "" },
		{ "AuthenticAMD", 26, 2, 1024, 508 << 10, 8 << 10, "Zen 5" },
		{ "AuthenticAMD", 26, 2, 1024, 32 << 10, 32 << 10, "" },
		{ "AuthenticAMD", 25, 1, 512, 96 << 10, 96 << 10, "" },
		{ "Nobody", 1, 1, 1024, 96 << 10, 96 << 10, "" },
		{ "Nobody", 1, 1, 1024, 98 << 10, 4 << 10, "4 MiB assumed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		struct machine m = host_of_xml(hosts[i].vendor, hosts[i].family, hosts[i].model, 48 << 10,
			hosts[i].l2 << 10, hosts[i].l3 << 10);

		assert_string_equal(m.name, "host");
		assert_int_equal(m.flat.ncpus, 2);
		assert_int_equal(m.flat.level[0].size, 48 << 10);
		assert_int_equal(m.flat.level[0].assoc, 12);
		assert_int_equal(m.flat.level[1].size, hosts[i].l2 << 10);
		if (m.flat.level[2].size != hosts[i].kept << 10)
			fail_msg("host %zu: L3 of %u KiB", i, (unsigned)(m.flat.level[2].size >> 10));
		if (!strstr(m.note, hosts[i].note) || (!hosts[i].note[0] && strstr(m.note, "plausible")))
			fail_msg("host %zu: note \"%s\"", i, m.note);
		assert_int_equal(m.reported, hosts[i].note[0] ? hosts[i].l3 << 10 : 0);
	}
}

static void this_host_gives_some_model(void **state)
{
	struct machine m;
	struct err err = { "" };

	(void)state;
	assert_int_equal(machine_host(&m, &err), 0);
	assert_int_equal(machine_check(&m, &err), 0);
	assert_true(m.ghz >= 0.4 && m.ghz <= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper_machine_has_the_figures_of_its_processor),
		cmocka_unit_test(models_survive_writing_and_reading),
		cmocka_unit_test(broken_files_are_refused_with_their_line),
		cmocka_unit_test(channels_are_known_where_the_page_tells_them),
		cmocka_unit_test(threads_run_on_neighbours_or_on_the_nodes_in_turn),
		cmocka_unit_test(threads_that_are_spread_run_on_the_sockets_in_turn),
		cmocka_unit_test(threads_run_where_the_user_says),
		cmocka_unit_test(omp_proc_bind_spreads_the_threads_of_a_model_with_nodes),
		cmocka_unit_test(defaults_and_units_are_as_documented),
		cmocka_unit_test(options_are_read_and_have_defaults),
		cmocka_unit_test(own_models_are_found_first),
		cmocka_unit_test(only_farther_levels_are_indexed_physically),
		cmocka_unit_test(plausible_topology_becomes_a_model),
		cmocka_unit_test(memory_nodes_of_the_host_are_found),
		cmocka_unit_test(threads_are_spread_over_the_sockets_of_the_host),
		cmocka_unit_test(odd_sizes_get_ways_that_fit),
		cmocka_unit_test(one_implausible_size_is_replaced_and_the_others_are_kept),
		cmocka_unit_test(sizes_that_cannot_be_are_replaced),
		cmocka_unit_test(without_any_plausible_cache_a_server_is_taken),
		cmocka_unit_test(a_known_processor_gets_what_its_cores_have),
		cmocka_unit_test(this_host_gives_some_model),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
