/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the command line of psc_frontend. */
#include "frontend/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	O_APP = 256, O_EXE, O_PHASE, O_MACHINE, O_PROPERTIES, O_SET, O_STRATEGY, O_COUNTERS, O_DELAY,
	O_WARM, O_CLEAN, O_COUNT, O_SAMPLE, O_MAX_TIME, O_MAX_EXECUTIONS, O_THRESHOLD, O_CONFIDENCE, O_TOP,
	O_PSC, O_NO_PSC, O_JSON, O_HTML, O_CSV, O_CSV_LEDGER, O_EXPORT, O_WHY_NOT, O_WHAT_IF,
	O_LOCKSTEP, O_COLOR, O_AGENTS, O_DOCTOR, O_STOP, O_VERSION
};
enum { WHAT_IF_MAX = 16 };

static const struct option longs[] = {
	{ "app", required_argument, NULL, O_APP },
	{ "exe", required_argument, NULL, O_EXE },
	{ "phase", required_argument, NULL, O_PHASE },
	{ "machine", required_argument, NULL, O_MACHINE },
	{ "properties", required_argument, NULL, O_PROPERTIES },
	{ "set", required_argument, NULL, O_SET },
	{ "strategy", required_argument, NULL, O_STRATEGY },
	{ "counters", required_argument, NULL, O_COUNTERS },
	{ "delay", required_argument, NULL, O_DELAY },
	{ "warm", required_argument, NULL, O_WARM },
	{ "clean", required_argument, NULL, O_CLEAN },
	{ "count", required_argument, NULL, O_COUNT },
	{ "sample", required_argument, NULL, O_SAMPLE },
	{ "max-time", required_argument, NULL, O_MAX_TIME },
	{ "max-executions", required_argument, NULL, O_MAX_EXECUTIONS },
	{ "threshold", required_argument, NULL, O_THRESHOLD },
	{ "confidence", required_argument, NULL, O_CONFIDENCE },
	{ "top", required_argument, NULL, O_TOP },
	{ "output", required_argument, NULL, 'o' },
	{ "psc", required_argument, NULL, O_PSC },
	{ "no-psc", no_argument, NULL, O_NO_PSC },
	{ "json", required_argument, NULL, O_JSON },
	{ "html", required_argument, NULL, O_HTML },
	{ "csv", required_argument, NULL, O_CSV },
	{ "csv-ledger", required_argument, NULL, O_CSV_LEDGER },
	{ "export-counts", required_argument, NULL, O_EXPORT },
	{ "why-not", no_argument, NULL, O_WHY_NOT },
	{ "what-if", optional_argument, NULL, O_WHAT_IF },
	{ "lockstep", no_argument, NULL, O_LOCKSTEP },
	{ "color", required_argument, NULL, O_COLOR },
	{ "agents", required_argument, NULL, O_AGENTS },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "doctor", no_argument, NULL, O_DOCTOR },
	{ "stop", required_argument, NULL, O_STOP },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, O_VERSION },
	{ NULL, 0, NULL, 0 }
};

void options_help(void)
{
	fputs(
"Usage: psc_frontend --app PROGRAM [--phase FILE:LINE] [options] [-- ARGUMENTS]\n"
"       psc_frontend --phase FILE:LINE [options] -- PROGRAM [ARGUMENTS]\n"
"Finds the memory bottlenecks of an instrumented program while it runs, and\n"
"prints them ranked, each with its path down to the data structure.\n"
"\n"
"The program:\n"
"  --app PROGRAM        run it (no shell); its arguments follow --\n"
"  --exe FILE           the instrumented executable, where PROGRAM is a launcher\n"
"  --phase FILE:LINE    the repeated part to measure: the loop or subroutine that\n"
"                       starts there, else the innermost that contains the line;\n"
"                       a range FILE:9-38, as psc_sir --regions prints it, will do\n"
"What to look for:\n"
"  --properties LIST    property files, comma-separated: memory (default), levels,\n"
"                       balance, numa, sharing, paper, or paths of your own\n"
"  --set NAME=VALUE     set a constant or Property.parameter\n"
"  --machine NAME       machine model: one of psc_machine --list, or a file\n"
"                       (default: this host)\n"
"  --strategy NAME      share (default): go down where time or misses are;\n"
"                       paper: go down where the property holds\n"
"  --threshold SHARE    report from this share of phase time on (default 0)\n"
"  --confidence C       below it a finding is undecided (default 0.8)\n"
"How to measure:\n"
"  --delay N            phase executions skipped first (default 1)\n"
"  --clean N            undisturbed executions, whose median is the time (3)\n"
"  --warm N             executions that warm the simulated caches (default 1)\n"
"  --count N            executions counted per experiment (default 1)\n"
"  --sample N           simulate one cache set in N (8 is a good choice): faster, and\n"
"                       misses have an error, which is printed with them\n"
"  --counters N         count at most N things per experiment (default: all)\n"
"  --max-time SECONDS, --max-executions N\n"
"                       end the search then, and report what was found\n"
"  --lockstep           the program waits for the planner at phase boundaries\n"
"What comes out:\n"
"  -o, --output FILE    the report (default: standard output)\n"
"  --top N              findings printed (default 10, 0 = all)\n"
"  --why-not            also what was tested and did not hold, with the number\n"
"  --psc FILE           property file (default PROGRAM.psc); --no-psc: none\n"
"  --html FILE          the report as one page for a browser\n"
"  --json FILE, --csv FILE, --csv-ledger FILE, --export-counts FILE\n"
"                       the same in other forms; where the accesses belong; the raw\n"
"                       counts per context\n"
"  --what-if [STRUCTURE[:FIX,..]]\n"
"                       after the search: what changes to a structure (those of the\n"
"                       first findings) would save; repeatable.  FIX: pad, pad=BYTES\n"
"                       (rows of so many bytes), touch, interleave, hit\n"
"  --color WHEN         auto, always, never\n"
"  -q, --quiet          no progress\n"
"  -v, --verbose        each step of agents, processes and application; repeat for more\n"
"Other:\n"
"  --agents HOW         how the agents of this host are started: mpirun, local (without\n"
"                       MPI), or auto (default): mpirun, where that fails local\n"
"  --doctor             what can be measured on this machine, and why; with --app\n"
"                       the program is analysed, and what was recorded is checked\n"
"  --stop PID           end the analysis of that psc_frontend, not its program\n"
"  -h, --help           this text;  --version\n"
"\n"
"Exit code: the program's own where it is not 0 (128 + n after signal n; standard\n"
"error says so); else 0 analysis done, 4 partial analysis, 130 and 143 after Ctrl-C\n"
"and SIGTERM.  2: usage or set-up error, nothing was run.\n",
		stdout);
}

static int count_option(const char *name, const char *text, uint64_t min, uint64_t max,
	uint64_t *out, struct err *err)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || end == text || *end || text[0] == '-' || v < min || v > max)
		return err_set(err, "--%s takes a whole number from %llu to %llu, not '%s'", name,
			(unsigned long long)min, (unsigned long long)max, text);
	*out = v;
	return 0;
}

static int small_option(const char *name, const char *text, uint32_t min, uint32_t max,
	uint32_t *out, struct err *err)
{
	uint64_t v = 0;
	int rc = count_option(name, text, min, max, &v, err);

	if (!rc)
		*out = (uint32_t)v;
	return rc;
}

static int real_option(const char *name, const char *text, double min, double max, double *out,
	struct err *err)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v >= min && v <= max))
		return err_set(err, "--%s takes a number from %g to %g, not '%s'", name, min, max,
			text);
	*out = v;
	return 0;
}

static int add_word(const char ***list, int *n, const char *word, struct err *err)
{
	void *p = realloc((void *)*list, ((size_t)*n + 1) * sizeof **list);

	if (!p)
		return err_nomem(err);
	*list = p;
	(*list)[(*n)++] = word;
	return 0;
}

/* Splits at commas, in place: argv is ours to write. */
static int add_list(const char ***list, int *n, char *text, struct err *err)
{
	for (char *word = text, *next; word; word = next) {
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (*word && add_word(list, n, word, err))
			return -1;
	}
	return 0;
}

static int add_what_if(struct options *o, const char *text, struct err *err)
{
	struct fix_want w, *p;

	if (fixes_parse(text, &w, err))
		return -1;
	p = realloc(o->what_if, ((size_t)o->nwhat_if + 1) * sizeof *p);
	if (!p)
		return err_nomem(err);
	o->what_if = p;
	p[o->nwhat_if++] = w;
	if (o->nwhat_if > WHAT_IF_MAX)
		return err_set(err, "--what-if is given more than %d times", WHAT_IF_MAX);
	return 0;
}

static int one_of(const char *name, const char *text, const char *const *allowed, struct err *err)
{
	struct err list = { "" };
	size_t n = 0;

	for (int i = 0; allowed[i]; i++) {
		if (strcmp(allowed[i], text) == 0)
			return 0;
		n += (size_t)snprintf(list.text + n, sizeof list.text - n, "%s%s", i ? ", " : "",
			allowed[i]);
	}
	return err_set(err, "--%s takes one of %s, not '%s'", name, list.text, text);
}

static int parse_one(struct options *o, int c, char *arg, const char **app, struct err *err)
{
	static const char *const strategies[] = { "share", "paper", NULL };
	static const char *const colors[] = { "auto", "always", "never", NULL };
	static const char *const ways[] = { "auto", "mpirun", "local", NULL };
	uint64_t big = 0;
	uint32_t top = 0;

	switch (c) {
	case O_APP: *app = arg; return 0;
	case O_EXE: o->executable = arg; return 0;
	case O_PHASE: o->phase = arg; return 0;
	case O_MACHINE: o->machine = arg; return 0;
	case O_PROPERTIES: return add_list(&o->properties, &o->nproperties, arg, err);
	case O_SET:
		if (!strchr(arg, '=') || arg[0] == '=')
			return err_set(err, "--set takes NAME=VALUE, not '%s'", arg);
		return add_word(&o->settings, &o->nsettings, arg, err);
	case O_STRATEGY: o->strategy = arg; return one_of("strategy", arg, strategies, err);
	case O_COUNTERS: return small_option("counters", arg, 1, 64, &o->counters, err);
	case O_DELAY: return small_option("delay", arg, 0, 1u << 30, &o->delay, err);
	case O_WARM: return small_option("warm", arg, 0, 64, &o->warm, err);
	case O_CLEAN: return small_option("clean", arg, 1, 64, &o->clean, err);
	case O_COUNT: return small_option("count", arg, 1, 64, &o->counted, err);
	case O_SAMPLE: return small_option("sample", arg, 1, 4096, &o->sample, err);
	case O_MAX_TIME: return real_option("max-time", arg, 0, 1e9, &o->max_time, err);
	case O_MAX_EXECUTIONS:
		return count_option("max-executions", arg, 1, UINT64_MAX / 2, &o->max_executions,
			err);
	case O_THRESHOLD: return real_option("threshold", arg, 0, 1e9, &o->threshold, err);
	case O_CONFIDENCE: return real_option("confidence", arg, 0, 1, &o->confidence, err);
	case O_TOP:
		if (small_option("top", arg, 0, 1000000, &top, err))
			return -1;
		o->top = (int)top;
		return 0;
	case 'o': o->output = arg; return 0;
	case O_PSC: o->psc = arg; return 0;
	case O_NO_PSC: o->no_psc = true; return 0;
	case O_JSON: o->json = arg; return 0;
	case O_HTML: o->html = arg; return 0;
	case O_CSV: o->csv = arg; return 0;
	case O_CSV_LEDGER: o->csv_ledger = arg; return 0;
	case O_EXPORT: o->counts = arg; return 0;
	case O_WHY_NOT: o->why_not = true; return 0;
	case O_WHAT_IF: return add_what_if(o, arg, err);
	case O_LOCKSTEP: o->lockstep = true; return 0;
	case O_COLOR: o->color = arg; return one_of("color", arg, colors, err);
	case O_AGENTS: o->agents = arg; return one_of("agents", arg, ways, err);
	case 'q': o->quiet = true; return 0;
	case 'v': o->verbose++; return 0;
	case O_DOCTOR: o->action = ACT_DOCTOR; return 0;
	case O_STOP:
		o->action = ACT_STOP;
		if (count_option("stop", arg, 2, 1 << 30, &big, err))
			return -1;
		o->stop_pid = (long)big;
		return 0;
	case 'h': o->action = ACT_HELP; return 0;
	case O_VERSION: o->action = ACT_VERSION; return 0;
	default: return -1;
	}
}

static int take_command(struct options *o, const char *app, int argc, char **argv, struct err *err)
{
	int n = 0;

	if (!app && !argc)
		return err_set(err, "no program is given: --app PROGRAM, or -- PROGRAM ARGUMENTS");
	o->command = calloc((size_t)argc + 2, sizeof *o->command);
	if (!o->command)
		return err_nomem(err);
	if (app)
		o->command[n++] = (char *)(uintptr_t)app;
	for (int i = 0; i < argc; i++)
		o->command[n++] = argv[i];
	o->ncommand = n;
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	const char *app = NULL, *agents = getenv("PSC_AGENTS");
	int c;

	*o = (struct options){ .strategy = "share", .delay = 1, .warm = 1, .clean = 3, .counted = 1,
		.sample = 1, .confidence = 0.8, .top = 10, .color = "auto",
		.agents = "auto" };
	if (agents && *agents && parse_one(o, O_AGENTS, (char *)(uintptr_t)agents, &app, err))
		return err_prefix(err, "PSC_AGENTS");
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:o:qvh", longs, NULL)) != -1) {
		if (c == ':')
			return err_set(err, "%s needs a value", argv[optind - 1]);
		if (c == '?')
			return err_set(err, "unknown option '%s'", argv[optind - 1]);
		/* Its value may follow as a word of its own. */
		if (c == O_WHAT_IF && !optarg && optind < argc && argv[optind][0] != '-')
			optarg = argv[optind++];
		if (parse_one(o, c, optarg, &app, err))
			return -1;
	}
	if (o->action == ACT_DOCTOR && (app || optind < argc))
		o->check = o->verdict = o->quiet = o->no_psc = true;
	else if (o->action != ACT_ANALYSE)
		return 0;
	if (app && optind < argc && strcmp(argv[optind - 1], "--") != 0)
		return err_set(err, "'%s': the program's arguments come after --", argv[optind]);
	return take_command(o, app, argc - optind, argv + optind, err);
}

void options_free(struct options *o)
{
	free(o->command);
	free((void *)o->properties);
	free((void *)o->settings);
	free(o->what_if);
	*o = (struct options){ 0 };
}
