/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_instrument COMPILER ARGS...: runs the compiler with the plugin and links the monitor
 * library. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "base/cli.h"
#include "instrument/gcc_arguments.h"
#include "instrument/gcc_compiler.h"
#include "instrument/mpi_library.h"
#include "instrument/other_gccs.h"
#include "instrument/own_files.h"
#include "instrument/plugin_choice.h"

#define EXIT_USAGE 2
#define MAX_CHOICES 128

enum { SHOW = 256, PHASE, EXCLUDE, ATTACH, REBUILD };
static const struct cli_option cli_options[] = {
	{ "show", SHOW, NULL, "print the command, then run it", 0 },
	{ "phase", PHASE, "FILE:LINE",
		"let the loop that begins there be the phase, whatever it contains; repeatable",
		0 },
	{ "exclude", EXCLUDE, "PATTERN",
		"do not instrument the files or functions that match; repeatable", 0 },
	{ "attach", ATTACH, NULL,
		"let psc_frontend --attach find loops of small functions, too, that were entered before; costs "
		"a test in each iteration of loops that could be the phase, and what is inlined into them may no longer be "
		"vectorised", 0 },
	{ "rebuild-plugin", REBUILD, NULL,
		"build the plugin for COMPILER again, unless the installed one is for "
		"that GCC; print its path", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_instrument",
	.usage = "[--show] [--attach] [--phase=FILE:LINE]...\n"
		"               [--exclude=PATTERN]... COMPILER ARGUMENTS...\n"
		"--rebuild-plugin COMPILER",
	.purpose =
	"Compiles and links as COMPILER would, and makes the program analysable by psc_frontend. COMPILER is "
		"gcc, g++, gfortran, cc, c++ or an MPI wrapper of GCC (mpicc, mpicxx, mpifort). A link to this program "
		"with the name psc_COMPILER takes the compiler's arguments only: psc_gcc, psc_g++, psc_gfortran, "
		"psc_mpicc, psc_mpicxx and psc_mpifort are there. For a GCC (11 to 14) that no plugin was installed for, "
		"one is built at first use, in the user's cache directory.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_instrument gfortran -O2 -g -o lu lu.f\n"
		"  make CC=\"psc_instrument gcc\"\n"
		"  cmake -DCMAKE_C_COMPILER=psc_gcc .\n"
		"  psc_instrument --rebuild-plugin gcc-13\n"
		"\n"
		"Exit status: the compiler's; 2: wrong use, or no compiler that works with the plugin.",
	.stops = true
};

struct options {
	bool show, rebuild;
	const char *choices[MAX_CHOICES];   /* plugin options: "phase=…", "exclude=…", "attach" */
	int nchoices;
};

struct command {
	char **argv;      /* strings allocated here or the caller's; never freed: execvp()
			   * follows */
	size_t n;
};

static void add(struct command *c, const char *arg)
{
	c->argv = realloc(c->argv, (c->n + 2) * sizeof *c->argv);
	if (!c->argv) {
		fputs("psc_instrument: out of memory\n", stderr);
		exit(EXIT_USAGE);
	}
	c->argv[c->n++] = (char *)arg;
	c->argv[c->n] = NULL;
}

static char *joined(const char *a, const char *b)
{
	char *s = malloc(strlen(a) + strlen(b) + 1);

	if (!s) {
		fputs("psc_instrument: out of memory\n", stderr);
		exit(EXIT_USAGE);
	}
	return strcat(strcpy(s, a), b);
}

/* The GCC versions with an installed plugin, as "12.2.0 11". */
#define INSTALLED PSC_GCC_VERSION PSC_OTHER_GCCS

static int wrong(const struct err *err)
{
	fprintf(stderr, "psc_instrument: %s\n", err->text);
	return -1;
}

static const char *find_library(const char *file)
{
	static const char *const places[] = { "/monitor/.libs", "/monitor", "/../lib", "/../lib64",
		NULL };
	const char *dir = getenv("PSC_LIBDIR");

	if (dir && *dir)
		return dir;
	return own_file_dir(places, file);
}

/* --- the command ---------------------------------------------------------------------------- */
static int add_plugin(struct command *c, const struct options *o, const struct gcc_compiler *gcc)
{
	struct err err;
	const char *plugin = plugin_choose(gcc, &err);

	if (!plugin)
		return wrong(&err);
	add(c, joined("-fplugin=", plugin));
	for (int i = 0; i < o->nchoices; i++)
		add(c, joined("-fplugin-arg-pscplugin-", o->choices[i]));
	return 0;
}

/* libgfortran.a and others test one weak symbol for the presence of threads, which libpscmon brings
 * along, and then use the other symbols unchecked: a static link must contain all that they use. */
#define THREAD_SYMBOLS "-Wl,-u,pthread_mutex_lock,-u,pthread_mutex_trylock,-u,pthread_mutex_unlock," \
	"-u,pthread_mutex_init,-u,pthread_mutex_destroy,-u,pthread_mutexattr_init," \
	"-u,pthread_mutexattr_settype,-u,pthread_mutexattr_destroy,-u,pthread_cond_init," \
	"-u,pthread_cond_destroy,-u,pthread_cond_wait,-u,pthread_cond_timedwait," \
	"-u,pthread_cond_signal,-u,pthread_cond_broadcast,-u,pthread_once,-u,pthread_key_create," \
	"-u,pthread_key_delete,-u,pthread_getspecific,-u,pthread_setspecific,-u,pthread_create," \
	"-u,pthread_join,-u,pthread_detach,-u,pthread_self,-u,pthread_equal,-u,pthread_cancel," \
	"-u,pthread_sigmask,-u,sched_yield,-u,pthread_rwlock_rdlock,-u,pthread_rwlock_wrlock," \
	"-u,pthread_rwlock_unlock"

/* A static program without the C library gets libpscidle: the same symbols without function. */
static const char *library_of(const struct compiler_job *job)
{
	return !job->is_static ? "/libpscmon.so" : job->bare ? "/libpscidle.a" : "/libpscmon.a";
}

static int add_library(struct command *c, const struct compiler_job *job)
{
	const char *file = library_of(job), *dir = find_library(file);

	if (!dir) {
		fprintf(stderr,
			"psc_instrument: %s not found beside this program; set PSC_LIBDIR to its"
			" directory\n", file + 1);
		return -1;
	}
	add(c, joined("-L", dir));
	if (!job->is_static)
		add(c, joined("-Wl,-rpath,", dir));
	/* As options, not as file names: after -x LANGUAGE a library's file would be compiled as
	 * source. */
	add(c, "-Wl,--push-state,--no-as-needed");
	add(c, job->is_static && job->bare ? "-lpscidle" : "-lpscmon");
	add(c, "-Wl,--pop-state");
	if (job->is_static && !job->bare) {
		add(c, THREAD_SYMBOLS);
		add(c, "-lpthread");
	}
	return 0;
}

/* The pass-throughs of MPI, which must be seen before the library that they pass calls on to:
 * before the argument that names it, or last, where the compiler adds it.  For MPICH, all of
 * them: its Fortran calls C. */
static void add_mpi(struct command *c, const char *mpi)
{
	static const char *const places[] = { "/monitor/mpi", "/../lib", "/../lib64", NULL };
	char *file = joined("/libpscmpi-", joined(mpi, ".a")), *dir;
	const char *given = getenv("PSC_LIBDIR");

	if (given && *given && access(joined(given, file), R_OK) == 0)
		dir = joined(given, "");
	else
		dir = own_file_dir(places, file);
	if (!dir)
		return;         /* the program links and runs without; its calls are timed, not
				 * looked at */
	if (strcmp(mpi, "mpich") == 0)
		add(c, "-Wl,-u,MPI_Init");
	add(c, joined("-L", dir));
	add(c, joined("-lpscmpi-", mpi));
}

static bool is_plain(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		"@%_+=:,./-")] == '\0';
}

static void show(const struct command *c)
{
	for (size_t i = 0; i < c->n; i++) {
		char *s = is_plain(c->argv[i]) ? c->argv[i] : shell_quoted(c->argv[i]);

		printf("%s%s", i ? " " : "", s ? s : "?");
	}
	putchar('\n');
	fflush(stdout);
}

static int build(struct command *c, const struct options *o, int argc, char **argv)
{
	struct compiler_job job = arguments_read(argc - 1, argv + 1);
	struct gcc_compiler gcc;
	const char *mpi;
	struct err err;

	add(c, argv[0]);
	if (!job.idle && gcc_compiler_ask(argv[0], &gcc, &err))
		return wrong(&err);
	/* A link needs the plugin, too: with -flto it compiles. */
	if (!job.idle && (job.compiles || job.links) && add_plugin(c, o, &gcc))
		return -1;
	mpi = !job.idle && job.links && !job.bare ? mpi_library_name(argv[0], &job, argv + 1) :
		NULL;
	for (int i = 1; i < argc; i++) {
		if (mpi && i == job.mpi)
			add_mpi(c, mpi);
		add(c, argv[i]);
	}
	if (mpi && !job.mpi)
		add_mpi(c, mpi);
	return !job.idle && job.links ? add_library(c, &job) : 0;
}

/* --rebuild-plugin: prints the path of the plugin that this compiler is given. */
static int rebuild(const char *compiler)
{
	struct gcc_compiler gcc;
	struct err err;
	char *plugin;

	if (gcc_compiler_ask(compiler, &gcc, &err) || !(plugin = plugin_rebuild(&gcc, &err))) {
		wrong(&err);
		return EXIT_USAGE;
	}
	puts(plugin);
	free(plugin);
	return 0;
}

static int add_choice(struct options *o, const char *what, const char *value)
{
	if (o->nchoices == MAX_CHOICES) {
		cli_wrong(&cli, "more than %d times --phase, --exclude and --attach", MAX_CHOICES);
		return -1;
	}
	o->choices[o->nchoices++] = joined(what, value);
	return 0;
}

/* Where the compiler stands in argv; -1: wrong use, which has been said. */
static int read_options(struct options *o, int argc, char **argv)
{
	struct err err;
	int code;

	while ((code = cli_next(&cli, argc, argv, &err)) != CLI_END) {
		switch (code) {
		case SHOW:
			o->show = true;
			break;
		case PHASE:
			if (!strchr(optarg, ':')) {
				cli_wrong(&cli, "--phase takes FILE:LINE, not '%s'", optarg);
				return -1;
			}
			if (add_choice(o, "phase=", optarg))
				return -1;
			break;
		case EXCLUDE:
			if (!*optarg) {
				cli_wrong(&cli, "--exclude needs a value");
				return -1;
			}
			if (add_choice(o, "exclude=", optarg))
				return -1;
			break;
		case ATTACH:
			if (add_choice(o, "attach", ""))
				return -1;
			break;
		case REBUILD:
			o->rebuild = true;
			break;
		case CLI_HELP:
			cli_help(&cli);
			exit(0);
		case CLI_VERSION:
			printf("psc_instrument (Periscope/C) %s, for GCC %s\n", PACKAGE_VERSION,
				INSTALLED);
			exit(0);
		default:
			cli_wrong(&cli, "%s", err.text);
			return -1;
		}
	}
	if (optind == argc) {
		cli_wrong(&cli, "no compiler given");
		return -1;
	}
	if (o->rebuild && optind + 1 < argc) {
		cli_wrong(&cli, "--rebuild-plugin takes a compiler and no arguments for it");
		return -1;
	}
	return optind;
}

/* Called as psc_gcc, the program acts as gcc: for build systems whose compiler is one word. */
static bool is_compiler_name(char **argv)
{
	char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];

	if (strncmp(name, "psc_", 4) != 0 || strcmp(name, "psc_instrument") == 0)
		return false;
	argv[0] = name + 4;
	return true;
}

int main(int argc, char **argv)
{
	struct options o = { .show = false };
	struct command c = { NULL, 0 };
	int first = argc > 0 && is_compiler_name(argv) ? 0 : read_options(&o, argc, argv);

	if (first >= 0 && o.rebuild)
		return rebuild(argv[first]);
	if (first < 0 || build(&c, &o, argc - first, argv + first))
		return EXIT_USAGE;
	if (o.show)
		show(&c);
	execvp(c.argv[0], c.argv);
	fprintf(stderr, "psc_instrument: %s: %s\n", c.argv[0], strerror(errno));
	return EXIT_USAGE;
}
