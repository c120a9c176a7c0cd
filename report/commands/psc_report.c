/* SPDX-License-Identifier: BSD-3-Clause */
/* The program psc_report: prints a property file as text, or converts it to another form. */
#include "config.h"

#include <getopt.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/output_names.h"
#include "report/commands/psc_report.h"

#define DEFAULT_TOP 10

enum {
	VERBOSE = 'v', TOP = 256, PROPERTY, TABLE, PATHS, LEDGER, THREADS, WHY_NOT, JSON, CSV, PSC,
	HTML, CALLGRIND, HATCHET, SCHEMA, WIDTH, COLOR, ASCII, COMPARE, MARKDOWN, CHECK, FAIL_ON,
	WARN_ON, BASELINE, WORSE_BY, WARN_BY, SARIF, JUNIT, HISTORY, STRUCTURE, EXPLAIN, NO_SOURCE,
	TIMELINE, CARTOGRAPHY, PORTAL, PORTAL_SORT, PORTAL_COUNT, FLOWS, PROCESS, THREADS_AT,
	TIMELINE_CSV, PERFETTO, PARAVER, PLACEMENT, OUTPUT = 'o'
};
static const struct cli_option cli_options[] = {
	{ .help = "What is printed:" },
	{ "verbose", VERBOSE, NULL, "every finding with its path, not the problems on one screen",
		0 },
	{ "top", TOP, "N",
		"the N worst problems or findings, on as many lines as they take (0 = all; default: 24 lines "
		"of problems, 10 findings)", 0 },
	{ "property", PROPERTY, "NAME", "only the findings of one property", 0 },
	{ "explain", EXPLAIN, "N",
		"only problem N: claim, evidence, source, change, and the commands that test it; also "
		"--json", 0 },
	{ "table", TABLE, NULL, "only the ranked table", 0 },
	{ "paths", PATHS, NULL, "only the search paths", 0 },
	{ "ledger", LEDGER, NULL, "only the attribution ledger of accesses; also with --csv", 0 },
	{ "threads", THREADS, NULL,
		"only what each thread does, in the phase and by region; also with --csv", 0 },
	{ "why-not", WHY_NOT, NULL, "also every test, with the number that decided it", 0 },
	{ .help = "Memory over one execution of the phase:" },
	{ "timeline", TIMELINE, "[=STRUCTURE]",
		"addresses of structures over time: of those that matter, or of one", 0 },
	{ "cartography", CARTOGRAPHY, NULL,
		"addresses by thread: which thread uses what another touched first", 0 },
	{ "portal", PORTAL, "TABLE",
		"counts with bars: variables (by thread; by process where there are several), "
		"threads, modules (variables by memory node)", 0 },
	{ "portal-sort", PORTAL_SORT, "COLUMN",
		"the column that a portal is sorted by, as thread0 (default: all)", 0 },
	{ "portal-count", PORTAL_COUNT, "COUNT",
		"what it counts: accesses (default), reads, writes, bytes, misses, "
		"memory", 0 },
	{ "flows", FLOWS, "WHAT",
		"which threads use a structure when; of thread:N, which structures that thread "
		"uses", 0 },
	{ "threads-at", THREADS_AT, "N",
		"what N threads would have from memory on the same machine model, by structure "
		"and memory node, with ranges", 0 },
	{ "process", PROCESS, "N", "these views of process N (default: the one with most accesses)",
		0 },
	{ .help = "In which form:" },
	{ "json", JSON, NULL, "JSON instead of text", 0 },
	{ "csv", CSV, NULL, "CSV, one line per finding (or per row of the ledger, of the threads)",
		0 },
	{ "html", HTML, NULL, "one self-contained HTML page", 0 },
	{ "no-source", NO_SOURCE, NULL, "with --html: no source lines in the page", 0 },
	{ "psc", PSC, NULL, "Periscope's XML", 0 },
	{ "markdown", MARKDOWN, "[=FILE]",
		"a comparison, or to FILE the result of --check, as Markdown for a pull request",
		0 },
	{ "callgrind", CALLGRIND, NULL,
		"costs of regions and structures as callgrind writes them, for KCachegrind "
		"and speedscope", 0 },
	{ "hatchet", HATCHET, NULL, "the same as JSON that Hatchet reads (GraphFrame.from_literal)",
		0 },
	{ "timeline-csv", TIMELINE_CSV, "FILE",
		"write memory over one execution to FILE, instead of the report: a line "
		"per column of the execution, region, structure and thread", 0 },
	{ "perfetto", PERFETTO, "FILE",
		"the same as a trace for Perfetto's viewer: regions as slices, misses of "
		"structures as counters", 0 },
	{ "paraver", PARAVER, "STEM",
		"the same as a Paraver trace: STEM.prv, STEM.pcf, STEM.row, STEM.cfg", 0 },
	{ "placement", PLACEMENT, "[=FORM]",
		"where structures should lie, as far as the report speaks for it. FORM: rules "
		"(default; for psc_frontend --placement), code (calls to write, as a diff), "
		"environment (lines for numactl and the environment), sites (allocations by call "
		"stack)", 0 },
	{ "width", WIDTH, "N", "columns of the text (default 80, at least 60)", 0 },
	{ "color", COLOR, NULL, "emphasis by terminal colours", 0 },
	{ "ascii", ASCII, NULL, "shorten names with \"..\", not with a Unicode ellipsis", 0 },
	{ .help = "Two versions of a program:" },
	{ "compare", COMPARE, NULL,
		"compare BEFORE.psc and AFTER.psc: what is gone, new and changed", 0 },
	{ "history", HISTORY, NULL,
		"the costs in all property files of the directory DIR, a line a run; also --csv",
		0 },
	{ "structure", STRUCTURE, "NAME", "only those of one data structure", 0 },
	{ .help = "A gate for continuous integration:" },
	{ "check", CHECK, NULL,
		"test FILE.psc against the limits below; exit status 1 if a hard one is exceeded",
		0 },
	{ "fail-on", FAIL_ON, "EXPR",
		"a hard limit: no finding may be so, as est_stall_share > 10%; 'phase: l2_misses > 5e6', "
		"'structure a: l1_misses > 1e6', 'structure *: ...'; repeatable", 0 },
	{ "warn-on", WARN_ON, "EXPR", "a soft limit: it is reported, the exit status stays 0", 0 },
	{ "baseline", BASELINE, "FILE", "an earlier property file of the program", 0 },
	{ "worse-by", WORSE_BY, "SHARE",
		"a hard limit: no structure may have more accesses or misses than in the baseline "
		"by more than SHARE, as 10%", 0 },
	{ "warn-by", WARN_BY, "SHARE", "the same as a soft limit", 0 },
	{ "sarif", SARIF, "FILE", "write the result as SARIF 2.1.0, too", 0 },
	{ "junit", JUNIT, "FILE", "write the result as JUnit XML, too", 0 },
	{ .help = "Other (names of files: %h host, %p process number, %t time):" },
	{ "output", OUTPUT, "FILE", "write to FILE, as to OUT", 0 },
	{ "schema", SCHEMA, NULL, "print the JSON schema of --json", 0 },
	{ "force", 'f', NULL, "overwrite OUT even if it is not a report of psc_report", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_report",
	.usage = "[options] FILE.psc [OUT]\n"
		"--compare [options] BEFORE.psc AFTER.psc [OUT]\n"
		"--history [options] DIR [OUT]\n"
		"--check --fail-on EXPR [options] FILE.psc",
	.purpose =
	"Prints a property file as text, or turns it into another form. OUT is - or absent for standard "
		"output. A .psc file is never overwritten.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_report --why-not lu.psc | less\n"
		"  psc_report --html lu.psc lu.html\n"
		"  psc_report --perfetto lu.pftrace lu.psc\n"
		"  psc_report --timeline=u lu.psc\n"
		"  psc_report --compare before.psc lu.psc\n"
		"  psc_report --check --fail-on 'structure a: l2_misses > 1e6' lu.psc\n"
		"  psc_report --check --baseline main.psc --worse-by 10% --junit=lu.xml lu.psc\n"
		"\n"
		"Exit status: 0 done; 1 a limit of --check is exceeded; 2 wrong use, a file that cannot be read or written, a view of "
		"what the file does not have (a timeline, a structure, a thread)."
};

static int number(const char *s, int *v)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (end == s || *end || n < 0 || n > INT_MAX)
		return -1;
	*v = (int)n;
	return 0;
}

void command_take(struct report_options *o, enum report_command command, const char *option)
{
	if (!o->asked)
		o->asked = option;
	else if (strcmp(o->asked, option) != 0)
		o->second = option;
	o->command = command;
}

static bool has_gate_option(const struct report_options *o)
{
	return o->nlimits || o->baseline || o->worse_by || o->warn_by || o->sarif || o->junit;
}

/* As take_files(), of --check. */
static int take_gate(struct report_options *o, int n, char **names)
{
	if (n > 1)
		return cli_wrong(&cli, "--check wants one file, not '%s'", names[1]);
	if ((o->format != FORMAT_TEXT && !o->markdown_file) || o->output)
		return cli_wrong(&cli,
			"--check prints text, and writes --markdown=FILE, --sarif FILE, --junit FILE");
	o->in = names[0];
	return -1;
}

/* Options that choose what of the text report is printed. */
static bool asks_for_part(const struct report_options *o)
{
	return o->style.part != REPORT_WHOLE || o->verbose || o->property || o->explain;
}

static bool has_trace_option(const struct report_options *o)
{
	return o->timeline_csv || o->perfetto || o->paraver;
}

/* As take_files(), of --timeline-csv and its like. */
static int take_traces(struct report_options *o, int n, char **names)
{
	if (n > 1)
		return cli_wrong(&cli,
			"--timeline-csv, --perfetto and --paraver want one file, not '%s'",
			names[1]);
	if (o->command != COMMAND_PRINT || o->format != FORMAT_TEXT || o->output ||
	    asks_for_part(o))
		return cli_wrong(&cli,
			"--timeline-csv, --perfetto and --paraver write their files alone");
	o->command = COMMAND_TRACES;
	o->in = names[0];
	return -1;
}

/* Takes the files of the command line.  As parse(). */
static int take_files(struct report_options *o, int n, char **names)
{
	int wanted = o->command == COMMAND_COMPARE ? 2 : 1;

	if (o->second)
		return cli_wrong(&cli, "%s and %s are asked for: one at a time", o->asked,
			o->second);
	if (over_time_without_view(o))
		return cli_wrong(&cli, "%s", over_time_without_view(o));
	if (n == 0)
		return cli_wrong(&cli, "no file given");
	if (n < wanted)
		return cli_wrong(&cli, "--compare wants two files, BEFORE.psc and AFTER.psc");
	if (n > wanted + 1)
		return cli_wrong(&cli, wanted == 2 ? "--compare wants two files, not '%s'" :
			"one file at a time, not '%s'", names[wanted + 1]);
	if (has_trace_option(o))
		return take_traces(o, n, names);
	if (o->command == COMMAND_CHECK)
		return take_gate(o, n, names);
	if (has_gate_option(o))
		return cli_wrong(&cli, "limits and their results want --check");
	if (o->format == FORMAT_MARKDOWN && (o->command != COMMAND_COMPARE || o->markdown_file))
		return cli_wrong(&cli, o->markdown_file ?
			"--markdown=FILE wants --check; --compare takes OUT behind its "
			"files" : "--markdown is a form of --compare");
	if (o->command == COMMAND_HISTORY && o->format != FORMAT_TEXT && o->format != FORMAT_CSV)
		return cli_wrong(&cli, "--history has the forms text and --csv");
	if (o->command == COMMAND_OVER_TIME && asks_for_part(o))
		return cli_wrong(&cli,
			"%s is a view of its own, without parts of the report and single properties", o->asked);
	if (o->command == COMMAND_OVER_TIME && o->format != FORMAT_TEXT)
		return cli_wrong(&cli,
			"--timeline, --cartography, --portal and --flows are text; --json has their rows");
	if (o->command == COMMAND_PLACEMENT && (o->format != FORMAT_TEXT || asks_for_part(o)))
		return cli_wrong(&cli, "--placement has forms of its own, as --placement=code");
	if (o->explain && (o->command != COMMAND_PRINT || (o->format != FORMAT_TEXT &&
	    o->format != FORMAT_JSON)))
		return cli_wrong(&cli, "--explain has the forms text and --json");
	if (o->structure && o->command != COMMAND_HISTORY)
		return cli_wrong(&cli, "--structure wants --history");
	if (o->command == COMMAND_COMPARE && o->format != FORMAT_TEXT && o->format != FORMAT_JSON &&
			o->format != FORMAT_MARKDOWN)
		return cli_wrong(&cli, "--compare has the forms text, --json and --markdown");
	o->before = wanted == 2 ? names[0] : NULL;
	o->in = names[wanted - 1];
	if (o->output && n > wanted)
		return cli_wrong(&cli, "two files to write to, '%s' and '%s'", o->output,
			names[wanted]);
	o->out = o->output ? o->output : n > wanted ? names[wanted] : "-";
	return -1;
}

/* Expands the names that options give to output files.  As parse(). */
static int expand_names(struct report_options *o)
{
	const char **names[] = { &o->output, &o->markdown_file, &o->sarif, &o->junit,
		&o->timeline_csv, &o->perfetto, &o->paraver };
	struct err err;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!*names[i])
			continue;
		o->names[i] = output_name(*names[i], &err);
		if (!o->names[i])
			return cli_wrong(&cli, "%s", err.text);
		*names[i] = o->names[i];
	}
	return -1;
}

static int print_schema(const char *path)
{
	struct err err;

	return report_schema_write(path, &err) < 0 ? cli_wrong(&cli, "%s", err.text) : 0;
}

/* Takes the value of an option of memory over time.  As parse(). */
static int take_over_time(struct report_options *o, int c, const char *value)
{
	int n = 0;

	switch (c) {
	case PORTAL:
		n = over_time_name(portal_names, value);
		if (n < 0)
			return cli_wrong(&cli,
				"--portal wants variables, threads or modules, not '%s'", value);
		over_time_take(o, OVER_PORTAL, "--portal", NULL);
		o->over_time.portal = (enum portal)n;
		return -1;
	case PORTAL_COUNT:
		n = over_time_name(portal_count_names, value);
		if (n < 0)
			return cli_wrong(&cli,
				"--portal-count wants accesses, reads, writes, bytes, misses or memory, not '%s'", value);
		o->over_time.count = (enum portal_count)n;
		return -1;
	case THREADS_AT:
		over_time_take(o, OVER_PREDICTION, "--threads-at", NULL);
		if (number(value, &o->over_time.threads) < 0 || !o->over_time.threads)
			return cli_wrong(&cli, "--threads-at wants a number of threads, not '%s'",
				value);
		return -1;
	default:
		if (number(value, &o->over_time.process) < 0)
			return cli_wrong(&cli, "--process wants a number, not '%s'", value);
		return -1;
	}
}

/* As take_over_time(), of --placement. */
static int take_placement(struct report_options *o, const char *value)
{
	const int form = value ? over_time_name(placement_form_names, value) : PLACEMENT_RULES;

	if (form < 0)
		return cli_wrong(&cli,
			"--placement wants rules, code, environment or sites, not '%s'", value);
	command_take(o, COMMAND_PLACEMENT, "--placement");
	o->placement = (enum placement_form)form;
	return -1;
}

/* Returns -1 to continue, else the exit code. */
static int parse(int argc, char **argv, struct report_options *o)
{
	struct err err;
	int c;

	while ((c = cli_next(&cli, argc, argv, &err)) != CLI_END) {
		switch (c) {
		case TOP:
			if (number(optarg, &o->style.top) < 0)
				return cli_wrong(&cli, "--top wants a number, not '%s'", optarg);
			o->style.lines = 0;
			break;
		case WIDTH:
			if (number(optarg, &o->style.width) < 0 || o->style.width < 60)
				return cli_wrong(&cli,
					"--width wants a number, at least 60, not '%s'", optarg);
			break;
		case EXPLAIN:
			if (number(optarg, &o->explain) < 0 || !o->explain)
				return cli_wrong(&cli,
					"--explain wants the number of a problem, not '%s'",
					optarg);
			break;
		case PROPERTY: o->property = optarg; break;
		case TABLE: o->style.part = REPORT_TABLE; break;
		case PATHS: o->style.part = REPORT_PATHS; break;
		case LEDGER: o->style.part = REPORT_LEDGER; break;
		case THREADS: o->style.part = REPORT_THREADS; break;
		case WHY_NOT: o->style.why_not = o->verbose = true; break;
		case VERBOSE: o->verbose = true; break;
		case JSON: o->format = FORMAT_JSON; break;
		case CSV: o->format = FORMAT_CSV; break;
		case PSC: o->format = FORMAT_PSC; break;
		case HTML: o->format = FORMAT_HTML; break;
		case CALLGRIND: o->format = FORMAT_CALLGRIND; break;
		case HATCHET: o->format = FORMAT_HATCHET; break;
		case NO_SOURCE: o->no_source = true; break;
		case TIMELINE: over_time_take(o, OVER_TIMELINE, "--timeline", optarg); break;
		case CARTOGRAPHY: over_time_take(o, OVER_CARTOGRAPHY, "--cartography", NULL); break;
		case FLOWS: over_time_take(o, OVER_FLOWS, "--flows", optarg); break;
		case PORTAL_SORT: o->over_time.sort = optarg; break;
		case PORTAL:
		case PORTAL_COUNT:
		case PROCESS:
		case THREADS_AT:
			if (take_over_time(o, c, optarg) >= 0)
				return CLI_USAGE;
			break;
		case PLACEMENT:
			if (take_placement(o, optarg) >= 0)
				return CLI_USAGE;
			break;
		case TIMELINE_CSV: o->timeline_csv = optarg; break;
		case PERFETTO: o->perfetto = optarg; break;
		case PARAVER: o->paraver = optarg; break;
		case COLOR: o->style.color = true; break;
		case ASCII: o->style.unicode = false; break;
		case MARKDOWN:
			o->format = FORMAT_MARKDOWN;
			o->markdown_file = optarg;
			break;
		case CHECK: command_take(o, COMMAND_CHECK, "--check"); break;
		case HISTORY: command_take(o, COMMAND_HISTORY, "--history"); break;
		case STRUCTURE: o->structure = optarg; break;
		case FAIL_ON:
		case WARN_ON:
			if (o->nlimits == REPORT_LIMITS)
				return cli_wrong(&cli, "more than %d limits", REPORT_LIMITS);
			o->limits[o->nlimits++] = (struct report_limit){ optarg, c == FAIL_ON };
			break;
		case BASELINE: o->baseline = optarg; break;
		case WORSE_BY: o->worse_by = optarg; break;
		case WARN_BY: o->warn_by = optarg; break;
		case SARIF: o->sarif = optarg; break;
		case JUNIT: o->junit = optarg; break;
		case COMPARE: command_take(o, COMMAND_COMPARE, "--compare"); break;
		case SCHEMA: o->schema = true; break;
		case 'f': o->force = true; break;
		case OUTPUT: o->output = optarg; break;
		case CLI_HELP: cli_help(&cli); return 0;
		case CLI_VERSION: cli_version(&cli); return 0;
		default: return cli_wrong(&cli, "%s", err.text);
		}
	}
	c = expand_names(o);
	if (c >= 0)
		return c;
	if (o->schema)
		return print_schema(o->output ? o->output : optind < argc ? argv[optind] : "-");
	return take_files(o, argc - optind, argv + optind);
}

static int run(struct report_options *o)
{
	switch (o->command) {
	case COMMAND_CHECK: return command_check(o);
	case COMMAND_HISTORY: return command_history(o);
	case COMMAND_COMPARE: return command_compare(o);
	case COMMAND_TRACES: return command_traces(o);
	case COMMAND_PLACEMENT: return command_placement(o);
	case COMMAND_OVER_TIME: return command_over_time(o);
	default: return command_print(o);
	}
}

int main(int argc, char **argv)
{
	struct report_options o = { .style = { .top = DEFAULT_TOP, .width = 80,
		.lines = REPORT_SCREEN }, .over_time.process = -1 };
	int rc;

	setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);       /* a reader that has seen enough is no error */
	o.style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	rc = parse(argc, argv, &o);
	if (rc < 0)
		rc = run(&o);
	for (size_t i = 0; i < sizeof o.names / sizeof *o.names; i++)
		free(o.names[i]);
	return rc;
}
