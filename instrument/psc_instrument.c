/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_instrument COMPILER ARGS...: runs the compiler with the plugin and links the monitor
 * library. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "base/cli.h"
#include "instrument/gcc_arguments.h"

#define EXIT_USAGE 2
#define MAX_CHOICES 128

enum { SHOW = 256, PHASE, EXCLUDE };
static const struct cli_option cli_options[] = {
	{ "show", SHOW, NULL, "print the command, then run it", 0 },
	{ "phase", PHASE, "FILE:LINE", "let the loop that begins there be the phase, whatever it contains; repeatable", 0 },
	{ "exclude", EXCLUDE, "PATTERN",
		"do not instrument the files or functions that match; repeatable", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_instrument",
	.usage = "[--show] [--phase=FILE:LINE]... [--exclude=PATTERN]...\n"
		"               COMPILER ARGUMENTS...",
	.purpose = "Compiles and links as COMPILER would, and makes the program analysable by psc_frontend. COMPILER is "
		"gcc, g++, gfortran, cc, c++ or an MPI wrapper of GCC (mpicc, mpicxx, mpifort). A link to this program "
		"with the name psc_COMPILER takes the compiler's arguments only: psc_gcc, psc_g++, psc_gfortran, "
		"psc_mpicc, psc_mpicxx and psc_mpifort are there.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_instrument gfortran -O2 -g -o lu lu.f\n"
		"  make CC=\"psc_instrument gcc\"\n"
		"  cmake -DCMAKE_C_COMPILER=psc_gcc .\n"
		"\n"
		"Exit status: the compiler's; 2: wrong use, or no compiler that works with the plugin.",
	.stops = true
};

struct options {
	bool show;
	const char *choices[MAX_CHOICES];   /* plugin options: "phase=…", "exclude=…" */
	int nchoices;
};

struct command {
	char **argv;      /* strings allocated here or the caller's; never freed: execvp() follows */
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

/* --- which compiler ------------------------------------------------------------------------- */
/* "x86_64-linux-gnu-gcc-12" is gcc: drops the target before the name and the version behind it. */
static bool ends_in_word(const char *name, size_t n, const char *known)
{
	size_t m = strlen(known);

	return n >= m && strncmp(name + n - m, known, m) == 0 && (n == m || name[n - m - 1] == '-');
}

static bool is_named(const char *name, const char *known)
{
	size_t n = strlen(name), end = n;

	while (end > 0 && strchr("0123456789.", name[end - 1]))
		end--;
	return ends_in_word(name, n, known) ||
		(end > 0 && end < n && name[end - 1] == '-' && ends_in_word(name, end - 1, known));
}

static bool known_compiler(const char *path)
{
	static const char *const known[] = {
		"gcc", "g++", "gfortran", "cc", "c++", "f77", "f95", "mpicc", "mpicxx", "mpic++", "mpiCC",
		"mpifort", "mpif77", "mpif90", NULL
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	static const char *const flavours[] = { ".openmpi", ".mpich", NULL };
	char base[64];

	snprintf(base, sizeof base, "%s", name);
	for (int i = 0; flavours[i]; i++) {
		char *dot = strstr(base, flavours[i]);

		if (dot && dot[strlen(flavours[i])] == '\0')
			*dot = '\0';
	}
	for (int i = 0; known[i]; i++)
		if (is_named(base, known[i]))
			return true;
	return false;
}

static char *quoted(const char *s)
{
	char *out = malloc(4 * strlen(s) + 3), *p = out;

	if (!out)
		return NULL;
	*p++ = '\'';
	for (; *s; s++) {
		if (*s == '\'') {
			memcpy(p, "'\\''", 4);
			p += 4;
		} else {
			*p++ = *s;
		}
	}
	strcpy(p, "'");
	return out;
}

/* Reads the first line that "COMPILER OPTION" prints; empty if it fails. */
static void ask(const char *compiler, const char *option, char *line, size_t size)
{
	char *name = quoted(compiler), command[PATH_MAX + 200];
	FILE *pipe = NULL;

	line[0] = '\0';
	if (name && snprintf(command, sizeof command, "%s %s 2>/dev/null", name, option) <
	    (int)sizeof command)
		pipe = popen(command, "r");
	free(name);
	if (!pipe)
		return;
	if (!fgets(line, (int)size, pipe))
		line[0] = '\0';
	if (pclose(pipe) != 0)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

/* The GCC versions with a plugin, as "12.2.0 11". */
#define SUPPORTED PSC_GCC_VERSION PSC_OTHER_GCCS

static bool is_supported(int major)
{
	const char *list = SUPPORTED;

	for (; list; list = strchr(list + 1, ' '))
		if (atoi(list) == major)
			return true;
	return false;
}

/* The compiler's major version; -1: there is no plugin for it (reported). */
static int check_compiler(const char *compiler)
{
	char version[64], banner[300];

	if (!known_compiler(compiler)) {
		fprintf(stderr, "psc_instrument: %s is not a compiler that the plugin works with: use GCC"
			" %s (gcc, g++, gfortran) or an MPI wrapper of it\n", compiler, SUPPORTED);
		return -1;
	}
	ask(compiler, "-dumpfullversion", version, sizeof version);
	ask(compiler, "--version", banner, sizeof banner);
	if (!version[0] && !banner[0]) {
		fprintf(stderr, "psc_instrument: cannot run %s\n", compiler);
		return -1;
	}
	/* clang answers -dumpfullversion, too, and is cc on some systems. */
	if (!version[0] || strstr(banner, "clang") || strstr(banner, "Intel")) {
		fprintf(stderr, "psc_instrument: %s is not GCC (it says: %s); the plugin is for GCC %s\n",
			compiler, banner, SUPPORTED);
		return -1;
	}
	if (!is_supported(atoi(version))) {
		fprintf(stderr, "psc_instrument: %s is GCC %s, but the plugin was built for GCC %s:"
			" use that one, or build Periscope/C with CC=%s\n", compiler, version,
			SUPPORTED, compiler);
		return -1;
	}
	return atoi(version);
}

/* --- our installed files -------------------------------------------------------------------- */
static bool readable(const char *path)
{
	return access(path, R_OK) == 0;
}

static char *own_directory(void)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	/* In a build tree libtool runs programs from .libs. */
	if (slash - path > 6 && strcmp(slash - 6, "/.libs") == 0)
		slash[-6] = '\0';
	return path;
}

/* The first of `places` below `dir` with `file` in it; NULL: none.  The caller frees it. */
static char *found(const char *dir, const char *const *places, const char *file)
{
	for (; dir && *places; places++) {
		char *place = joined(dir, *places), *path = joined(place, file);

		if (readable(path)) {
			free(path);
			return place;
		}
		free(path);
		free(place);
	}
	return NULL;
}

/* pscplugin.so is for the GCC that built this program, gcc-N/pscplugin.so for GCC N. */
static const char *find_plugin(int major, char *name, size_t size)
{
	static const char *const own[] = { "/instrument/.libs", "/../lib/periscope-c", NULL };
	static const char *const others[] = { "/instrument", "/../lib/periscope-c/instrument", NULL };
	bool is_own = major == atoi(PSC_GCC_VERSION);
	const char *path = getenv("PSC_PLUGIN");
	char *dir;

	if (path && *path)
		return path;
	if (is_own)
		snprintf(name, size, "/pscplugin.so");
	else
		snprintf(name, size, "/gcc-%d/pscplugin.so", major);
	dir = found(own_directory(), is_own ? own : others, name);
	return dir ? joined(dir, name) : NULL;
}

static const char *find_library(const char *file)
{
	static const char *const places[] = { "/monitor/.libs", "/monitor", "/../lib", "/../lib64", NULL };
	const char *dir = getenv("PSC_LIBDIR");

	if (dir && *dir)
		return dir;
	return found(own_directory(), places, file);
}

/* --- the command ---------------------------------------------------------------------------- */
static int add_plugin(struct command *c, const struct options *o, int major)
{
	char name[40];
	const char *plugin = find_plugin(major, name, sizeof name);

	if (!plugin) {
		fprintf(stderr, "psc_instrument: %s not found beside this program;"
			" set PSC_PLUGIN to its path\n", name + 1);
		return -1;
	}
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
		fprintf(stderr, "psc_instrument: %s not found beside this program; set PSC_LIBDIR to its"
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

static bool is_plain(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		"@%_+=:,./-")] == '\0';
}

static void show(const struct command *c)
{
	for (size_t i = 0; i < c->n; i++) {
		char *s = is_plain(c->argv[i]) ? c->argv[i] : quoted(c->argv[i]);

		printf("%s%s", i ? " " : "", s ? s : "?");
	}
	putchar('\n');
	fflush(stdout);
}

static int build(struct command *c, const struct options *o, int argc, char **argv)
{
	struct compiler_job job = arguments_read(argc - 1, argv + 1);
	int major = 0;

	add(c, argv[0]);
	/* A link needs the plugin, too: with -flto it compiles. */
	if (!job.idle && (major = check_compiler(argv[0])) < 0)
		return -1;
	if (!job.idle && (job.compiles || job.links) && add_plugin(c, o, major))
		return -1;
	for (int i = 1; i < argc; i++)
		add(c, argv[i]);
	return !job.idle && job.links ? add_library(c, &job) : 0;
}

static int add_choice(struct options *o, const char *what, const char *value)
{
	if (o->nchoices == MAX_CHOICES) {
		cli_wrong(&cli, "more than %d times --phase and --exclude", MAX_CHOICES);
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
		case CLI_HELP:
			cli_help(&cli);
			exit(0);
		case CLI_VERSION:
			printf("psc_instrument (Periscope/C) %s, for GCC %s\n", PACKAGE_VERSION, SUPPORTED);
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

	if (first < 0 || build(&c, &o, argc - first, argv + first))
		return EXIT_USAGE;
	if (o.show)
		show(&c);
	execvp(c.argv[0], c.argv);
	fprintf(stderr, "psc_instrument: %s: %s\n", c.argv[0], strerror(errno));
	return EXIT_USAGE;
}
