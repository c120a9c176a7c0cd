/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/mpi_launch.h"
#include "analysis/trials/actions.h"
#include "frontend/options.h"

enum { WORDS = 24 };

/* getopt writes to the words, so they are copied. */
static int parse(struct frontend_options *o, struct err *err, const char *line)
{
	static char text[1024];
	char *argv[WORDS] = { (char *)"psc_frontend" }, *save = NULL;
	int argc = 1;

	strcpy(text, line);
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	optind = 0;
	err->text[0] = '\0';
	return options_parse(o, argc, argv, err);
}

static void a_launcher_goes_before_the_program(void **state)
{
	const struct hosts none = { .n = 0 }, some = { .n = 1 };
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--apprun srun --app ./lu -- 64"), 0);
	o.apprun = "srun  -n 3";
	assert_int_equal(mpi_launch(&o, &none, &err), 0);
	assert_int_equal(o.ncommand, 5);
	assert_string_equal(o.command[0], "srun");
	assert_string_equal(o.command[2], "3");
	assert_string_equal(o.command[3], "./lu");
	assert_string_equal(o.command[4], "64");
	assert_null(o.command[5]);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--mpinumprocs 0 --app ./lu"), -1);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app ./lu --ompnumthreads 3"), 0);
	assert_int_equal(mpi_launch(&o, &none, &err), 0);
	assert_int_equal(o.ncommand, 1);
	assert_string_equal(getenv("OMP_NUM_THREADS"), "3");
	options_free(&o);
	/* On several hosts the launcher passes the monitor's variable on: by a word where the user has such words, too. */
	unsetenv("OMPI_MCA_mca_base_env_list");
	assert_int_equal(parse(&o, &err, "--app mpirun -- -x HOME ./lu"), 0);
	assert_int_equal(mpi_launch(&o, &some, &err), 0);
	assert_int_equal(o.ncommand, 6);
	assert_string_equal(o.command[0], "mpirun");
	assert_string_equal(o.command[1], "-x");
	assert_string_equal(o.command[2], "PSC_MONITOR");
	assert_string_equal(o.command[3], "-x");
	assert_null(getenv("OMPI_MCA_mca_base_env_list"));
	options_free(&o);
	/* a program's own -x is not the launcher's */
	assert_int_equal(parse(&o, &err, "--app ./lu -- -x 5"), 0);
	assert_int_equal(mpi_launch(&o, &some, &err), 0);
	assert_int_equal(o.ncommand, 3);
	assert_string_equal(getenv("OMPI_MCA_mca_base_env_list"), "PSC_MONITOR");
	options_free(&o);
	unsetenv("OMPI_MCA_mca_base_env_list");
	assert_int_equal(parse(&o, &err, "--exe ./lu --app mpirun -- -n 2 ./lu -x 5"), 0);
	assert_int_equal(mpi_launch(&o, &some, &err), 0);
	assert_int_equal(o.ncommand, 6);
	options_free(&o);
	unsetenv("OMPI_MCA_mca_base_env_list");
	assert_int_equal(parse(&o, &err, "--app mpirun -- -n 2 ./lu"), 0);
	assert_int_equal(mpi_launch(&o, &some, &err), 0);
	assert_int_equal(o.ncommand, 4);
	assert_string_equal(getenv("OMPI_MCA_mca_base_env_list"), "PSC_MONITOR");
	options_free(&o);
}

static void processes_get_processors_for_their_threads(void **state)
{
	char text[64], *w[MPI_WORDS];

	struct mpi_job job = { .kind = MPI_OPENMPI, .ranks = 2, .ranks_each = 2, .threads = 4, .cpus = 8, .mpirun = "mpirun" };

	(void)state;
	assert_int_equal(mpi_words(&job, text, w), 5);
	assert_string_equal(w[0], "mpirun");
	assert_string_equal(w[2], "2");
	assert_string_equal(w[4], "slot:PE=4");
	job.ranks = job.ranks_each = 3;
	assert_int_equal(mpi_words(&job, text, w), 7);
	assert_string_equal(w[4], "slot:OVERSUBSCRIBE");
	assert_string_equal(w[6], "none");
	job.kind = MPI_MPICH;
	assert_int_equal(mpi_words(&job, text, w), 3);
	job.hosts = "a:2,b:1";
	job.several = true;
	assert_int_equal(mpi_words(&job, text, w), 5);
	assert_string_equal(w[3], "-hosts");
	assert_string_equal(w[4], "a:2,b:1");
	job.kind = MPI_OPENMPI;
	job.ranks_each = 2;
	assert_int_equal(mpi_words(&job, text, w), 11);
	assert_string_equal(w[3], "--host");
	assert_string_equal(w[5], "-x");
	assert_string_equal(w[10], "slot:PE=4");
}

static void attach_takes_processes_and_no_program(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--attach 12,7 --phase a.c:3 --attach 9"), 0);
	assert_int_equal(o.nattach, 3);
	assert_int_equal(o.attach[0], 12);
	assert_int_equal(o.attach[1], 7);
	assert_int_equal(o.attach[2], 9);
	assert_int_equal(o.ncommand, 0);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--attach 12,"), -1);
	assert_non_null(strstr(err.text, "--attach takes a whole number"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--attach 12 -- ./lu"), -1);
	assert_non_null(strstr(err.text, "it runs already"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--attach 12 --apprun srun"), -1);
	options_free(&o);
}

static void refused_hosts(const char *list)
{
	struct hosts h;
	struct err err;

	assert_int_equal(hosts_read(&h, list, NULL, &err), -1);
	assert_int_equal(h.n, 0);
}

static void hosts_have_names_and_slots(void **state)
{
	struct hosts h;
	struct err err;
	uint32_t each;
	char *list;

	(void)state;
	assert_int_equal(hosts_read(&h, "a,b.c:3,a", NULL, &err), 0);
	assert_int_equal(h.n, 2);
	assert_string_equal(h.list[1].name, "b.c");
	list = mpi_hosts(&h, 7, &each);
	assert_string_equal(list, "a:2,b.c:3");
	assert_int_equal(each, 3);
	free(list);
	hosts_free(&h);
	assert_int_equal(hosts_read(&h, "a,b,c,d", NULL, &err), 0);
	list = mpi_hosts(&h, 6, &each);
	assert_string_equal(list, "a:2,b:2,c:1,d:1");
	free(list);
	list = mpi_hosts(&h, 1, &each);
	assert_string_equal(list, "a:1");
	free(list);
	hosts_free(&h);
	assert_int_equal(hosts_read(&h, "localhost:4", NULL, &err), 0);
	assert_int_equal(h.n, 0);
	refused_hosts("");
	refused_hosts("a,,b");
	refused_hosts("a:0");
	refused_hosts("a:x");
	refused_hosts("-x");
	refused_hosts("a b");
	refused_hosts("a,");
}

static void read_hostfile(const char *text, int n, const char *message)
{
	char path[] = "hostfile-XXXXXX";
	struct hosts h;
	struct err err;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	assert_int_equal(hosts_read(&h, NULL, path, &err), n < 0 ? -1 : 0);
	if (n < 0)
		assert_non_null(strstr(err.text, message));
	else
		assert_int_equal(h.n, n);
	hosts_free(&h);
	unlink(path);
}

static void hostfiles_are_those_of_mpirun(void **state)
{
	(void)state;
	read_hostfile("# hosts\nn1 slots=2\n\n n2\tslots=4 max_slots=8 # fast\nn1 slots=1\n", 2, "");
	read_hostfile("n1\nn2 slots=none\n", -1, ":2: 'slots=none'");
	read_hostfile("n1\nn2 cores=3\n", -1, ":2: 'cores=3'");
	read_hostfile("# none\n", -1, "no host is named");
}

static void the_mpi_of_a_program_is_known(void **state)
{
	static const char a[] = "x\0libmpi.so.40\0libc.so.6", b[] = "libmpich.so.12", c[] = "\0libmpi.so.12\0", d[] = "libc";

	(void)state;
	assert_int_equal(mpi_kind_of_text(a, sizeof a), MPI_OPENMPI);
	assert_int_equal(mpi_kind_of_text(b, sizeof b), MPI_MPICH);
	assert_int_equal(mpi_kind_of_text(c, sizeof c), MPI_MPICH);
	assert_int_equal(mpi_kind_of_text(d, sizeof d), MPI_OTHER);
	assert_int_equal(mpi_kind_of("/does/not/exist"), MPI_OTHER);
}

static void the_users_line_is_understood(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app ./lu --phase ssor.f:109 -- 64 3"), 0);
	assert_string_equal(o.phase, "ssor.f:109");
	assert_int_equal(o.ncommand, 3);
	assert_string_equal(o.command[0], "./lu");
	assert_string_equal(o.command[2], "3");
	assert_null(o.command[3]);
	assert_int_equal(o.delay, 1);
	assert_int_equal(o.clean, 5);
	assert_int_equal(o.fanout, 8);
	assert_int_equal(o.sample, 1);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--sample 8 --fanout 2 --app x"), 0);
	assert_int_equal(o.sample, 8);
	assert_int_equal(o.fanout, 2);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--fanout 1 --app x"), -1);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--phase a.c:3 -- mpirun -np 2 ./a --phase x"), 0);
	assert_string_equal(o.command[0], "mpirun");
	assert_int_equal(o.ncommand, 6);
	options_free(&o);
}

static void property_lists_add_up(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--properties paper,./my.asl --properties memory "
		"--set A=1 --set B.c=2 --app x"), 0);
	assert_int_equal(o.nproperties, 3);
	assert_string_equal(o.properties[1], "./my.asl");
	assert_int_equal(o.nsettings, 2);
	options_free(&o);
}

static void every_mistake_is_named(void **state)
{
	static const struct { const char *line, *says; } cases[] = {
		{ "", "no program is given" },
		{ "--phase a.c:1", "no program is given" },
		{ "--app", "--app needs a value" },
		{ "--foo --app x", "unknown option '--foo'" },
		{ "--app x 64", "'64': the program's arguments come after --" },
		{ "--app x --clean 0", "--clean takes a whole number from 1 to 64, not '0'" },
		{ "--app x --max-slowdown 60", "--max-slowdown takes a time from 0.001s to 1000000s, a factor" },
		{ "--app x --sample 0", "--sample takes a whole number from 1 to 4096, not '0'" },
		{ "--app x --sample 1/8", "not '1/8'" },
		{ "--app x --delay -1", "--delay takes a whole number" },
		{ "--app x --delay 3x", "not '3x'" },
		{ "--app x --confidence 1.5", "--confidence takes a number from 0 to 1" },
		{ "--app x --strategy best", "--strategy takes one of share, paper, not 'best'" },
		{ "--collector --sample 0", "--sample takes" },
		{ "--app x --set A", "--set takes NAME=VALUE, not 'A'" },
		{ "--app x --color red", "auto, always, never" },
		{ "--stop me", "--stop takes a whole number" },
	};
	struct frontend_options o;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(parse(&o, &err, cases[i].line), -1);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s' said '%s'", cases[i].line, err.text);
		options_free(&o);
	}
}

static void limits_of_a_recorded_execution_are_understood(void **state)
{
	static const struct { const char *line; uint64_t ns; uint32_t percent; bool budget; } cases[] = {
		{ "--app x", 10000000000u, 0, true },
		{ "--app x --max-slowdown 1.5s", 1500000000u, 0, false },
		{ "--app x --max-slowdown 20x", 0, 2000, false },
		{ "--app x --max-slowdown none", 0, 0, false },
		{ "--app x --max-slowdown none --max-slowdown=2s", 2000000000u, 0, false },
		{ "--app x --max-slowdown none --max-slowdown auto", 10000000000u, 0, true },
	};
	struct frontend_options o;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(parse(&o, &err, cases[i].line), 0);
		assert_int_equal(o.slow_ns, cases[i].ns);
		assert_int_equal(o.slow_percent, cases[i].percent);
		assert_true(o.slow_budget == cases[i].budget);
		options_free(&o);
	}
}

static void fixes_to_try_are_understood(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--what-if --what-if b --what-if=ns::v:pad,hit "
		"--what-if g->edges:pad=4096 --what-if a:replicate,bind,threads --app x"), 0);
	assert_int_equal(o.nwhat_if, 5);
	assert_int_equal(o.what_if[4].fixes, FIX_REPLICATE | FIX_BIND | FIX_THREADS);
	assert_string_equal(o.what_if[0].structure, "");
	assert_int_equal(o.what_if[0].fixes, 0);
	assert_string_equal(o.what_if[1].structure, "b");
	assert_string_equal(o.what_if[2].structure, "ns::v");
	assert_int_equal(o.what_if[2].fixes, FIX_PAD | FIX_HIT);
	assert_string_equal(o.what_if[3].structure, "g->edges");
	assert_int_equal(o.what_if[3].fixes, FIX_ROWS);
	assert_int_equal(o.what_if[3].row, 4096);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--what-if ns::v --app x"), 0);
	assert_string_equal(o.what_if[0].structure, "ns::v");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--verify b --what-if=c --verify ns::v --app x"), 0);
	assert_int_equal(o.nwhat_if, 3);
	assert_string_equal(o.what_if[0].structure, "b");
	assert_int_equal(o.what_if[0].fixes, FIX_VERIFY);
	assert_int_equal(o.what_if[1].fixes, 0);
	assert_string_equal(o.what_if[2].structure, "ns::v");
	options_free(&o);
}

static void actions_to_try_are_names_or_what_is_proposed(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--try malloc --try-keep --app x"), 0);
	assert_true(o.ntries == 1 && o.tries[0].action == TRIED_MALLOC && o.keep_tried);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--try --app x"), 0);
	assert_true(o.ntries == 1 && o.tries[0].action == TRIED_NOTHING && !o.keep_tried);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--try=mallok --app x"), -1);
	assert_non_null(strstr(err.text, "one of malloc"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--try-keep --app x"), -1);
	assert_non_null(strstr(err.text, "goes with --try"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--try --experiment-time 1 --app x"), -1);
	assert_non_null(strstr(err.text, "not alike"));
	options_free(&o);
}

static void bad_fixes_are_named(void **state)
{
	static const struct { const char *line, *words; } bad[] = {
		{ "--what-if b:pda --app x", "not 'pda'" },
		{ "--what-if b:verify --app x", "not 'verify'" },
		{ "--verify= --app x", "name of a structure" },
		{ "--what-if b: --app x", "not ''" },
		{ "--what-if b:pad, --app x", "not ''" },
		{ "--what-if :pad --app x", "STRUCTURE" },
		{ "--what-if b:pad=0 --app x", "not '0'" },
		{ "--what-if b:pad=-8 --app x", "not '-8'" },
		{ "--what-if b:pad=4k --app x", "not '4k'" },
		{ "--what-if b:pad=8,pad=16 --app x", "twice" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct frontend_options o;
		struct err err;

		assert_int_equal(parse(&o, &err, bad[i].line), -1);
		if (!strstr(err.text, bad[i].words))
			fail_msg("%s: %s", bad[i].line, err.text);
		options_free(&o);
	}
}

static void names_are_not_abbreviated(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--strat a.c:3 --app x"), -1);
	assert_string_equal(err.text, "'--strat' is abbreviated: write --strategy");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--strat=a.c:3 --app x"), -1);
	assert_string_equal(err.text, "'--strat' is abbreviated: write --strategy");
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--phase=a.c:3 --app x --quiet"), 0);
	assert_string_equal(o.phase, "a.c:3");
	assert_true(o.quiet);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --qui"), -1);
	assert_string_equal(err.text, "'--qui' is abbreviated: write --quiet");
	options_free(&o);
	/* the value of an option is no option */
	assert_int_equal(parse(&o, &err, "--app x --output --qui"), 0);
	assert_string_equal(o.output, "--qui");
	options_free(&o);
}

static void options_of_a_launcher_belong_behind_the_dashes(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app mpirun -np 2 ./x"), -1);
	assert_non_null(strstr(err.text, "'-np' is not an option of psc_frontend"));
	assert_non_null(strstr(err.text, "--app mpirun -- -np"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app mpirun --machne x"), -1);
	assert_non_null(strstr(err.text, "did you mean '--machine'?"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --phase"), -1);
	assert_string_equal(err.text, "--phase needs a value");
	options_free(&o);
}

static void names_of_files_are_expanded(void **state)
{
	struct frontend_options o;
	struct err err;
	char host[300] = "", want[400];

	(void)state;
	gethostname(host, sizeof host - 1);
	snprintf(want, sizeof want, "lu.%s.%ld.html", host, (long)getpid());
	assert_int_equal(parse(&o, &err, "--app x --html lu.%h.%p.html -o %t --csv 100%.csv --json a%%h"), 0);
	assert_string_equal(o.html, want);
	assert_int_equal(strlen(o.output), strlen("20260102-150405"));
	assert_int_equal(o.output[8], '-');
	assert_string_equal(o.csv, "100%.csv");
	assert_string_equal(o.json, "a%h");
	assert_null(o.psc);
	assert_false(o.no_source);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --html lu.html --no-source"), 0);
	assert_true(o.no_source);
	options_free(&o);
}

static void a_threshold_is_a_share(void **state)
{
	struct frontend_options o;
	struct err err;

	(void)state;
	assert_int_equal(parse(&o, &err, "--app x --threshold 10%"), 0);
	assert_true(o.threshold > 0.0999 && o.threshold < 0.1001);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold 0.2"), 0);
	assert_true(o.threshold > 0.1999 && o.threshold < 0.2001);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold 10"), -1);
	assert_non_null(strstr(err.text, "0.1 or 10%"));
	options_free(&o);
	assert_int_equal(parse(&o, &err, "--app x --threshold %"), -1);
	assert_int_equal(parse(&o, &err, "--app x --threshold ten"), -1);
	options_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_users_line_is_understood),
		cmocka_unit_test(a_launcher_goes_before_the_program),
		cmocka_unit_test(attach_takes_processes_and_no_program),
		cmocka_unit_test(processes_get_processors_for_their_threads),
		cmocka_unit_test(hosts_have_names_and_slots),
		cmocka_unit_test(hostfiles_are_those_of_mpirun),
		cmocka_unit_test(the_mpi_of_a_program_is_known),
		cmocka_unit_test(property_lists_add_up),
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(limits_of_a_recorded_execution_are_understood),
		cmocka_unit_test(fixes_to_try_are_understood),
		cmocka_unit_test(actions_to_try_are_names_or_what_is_proposed),
		cmocka_unit_test(bad_fixes_are_named),
		cmocka_unit_test(names_are_not_abbreviated),
		cmocka_unit_test(options_of_a_launcher_belong_behind_the_dashes),
		cmocka_unit_test(names_of_files_are_expanded),
		cmocka_unit_test(a_threshold_is_a_share),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
