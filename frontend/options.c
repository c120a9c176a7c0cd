/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the command line of psc_frontend. */
#include "frontend/options.h"
#include "base/output_names.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/tree.h"
#include "analysis/trials/actions.h"
#include "frontend/collector_option.h"

enum {
	O_APP = 256, O_EXE, O_MPI, O_OMP, O_APPRUN, O_PHASE, O_EXPERIMENT_TIME, O_MACHINE,
	O_THREADS_ON, O_NO_CALIBRATE, O_PROPERTIES, O_SET, O_STRATEGY, O_COUNTERS, O_DELAY, O_WARM,
	O_CLEAN, O_COUNT, O_SAMPLE, O_MAX_SLOWDOWN, O_MAX_TIME, O_MAX_EXECUTIONS, O_MAX_RUNS,
	O_THRESHOLD, O_CONFIDENCE, O_TOP, O_PSC, O_NO_PSC, O_JSON, O_HTML, O_NO_SOURCE, O_CSV,
	O_CSV_LEDGER, O_TIMELINE, O_NO_TIMELINE, O_TIMELINE_CSV, O_PERFETTO, O_PARAVER, O_EXPORT,
	O_PHASE_LOG, O_WHY_NOT, O_WHAT_IF, O_NO_WHAT_IF, O_VERIFY, O_TRY, O_TRY_KEEP, O_COMPARE,
	O_LOCKSTEP, O_COLOR, O_AGENTS, O_FANOUT, O_HOSTS, O_HOSTFILE, O_DOCTOR, O_LIST_METRICS,
	O_COLLECTOR, O_STOP, O_ATTACH, O_PAGES, O_PAGE_BUDGET, O_PAGE_WRITES,
	O_SIR, O_PLACEMENT
};
enum { WHAT_IF_MAX = 16, PAGE_BUDGET = 5 };

static const struct cli_option cli_options[] = {
	{ .help = "The program:" },
	{ "app", O_APP, "PROGRAM", "run it (no shell); its arguments follow --", 0 },
	{ "attach", O_ATTACH, "PID,..",
		"analyse a program that runs already, from now on, and leave it running: its processes, or the "
		"launcher (mpirun) that started them on this host", 0 },
	{ "exe", O_EXE, "FILE", "the instrumented executable, if PROGRAM is a launcher", 0 },
	{ "mpinumprocs", O_MPI, "N",
		"an MPI program: run N processes of it with the mpirun of its MPI", 0 },
	{ "ompnumthreads", O_OMP, "T",
		"set OMP_NUM_THREADS; with --mpinumprocs each process has T processors", 0 },
	{ "apprun", O_APPRUN, "COMMAND",
		"start it with this launcher instead, as in \"srun -n 64\"", 0 },
	{ "phase", O_PHASE, "FILE:LINE",
		"the repeated part to measure: the loop or subroutine that starts there, "
		"else the innermost that contains the line; a range FILE:9-38, as psc_sir --regions prints it, will do; "
		"NAME of a subroutine or user region; FILE with one outer loop (default: the loop with most of the time)", 0 },
	{ "experiment-time", O_EXPERIMENT_TIME, "SECONDS",
		"of a program that repeats nothing: measure spans of so much time of it "
		"instead of executions of a phase", 0 },
	{ .help = "What to look for:" },
	{ "properties", O_PROPERTIES, "LIST",
		"property files, comma-separated (default: memory,sharing,faults, with --mpinumprocs also mpi, where threads may run on several memory nodes also objects): memory, "
		"sharing, faults, levels, balance, mpi, numa, objects, openmp, events, time, scaling, paper, or paths of your own", 0 },
	{ "sir", O_SIR, "FILE",
		"report only the regions and data structures of this file, which psc_sir has "
		"printed and you have shortened", 0 },
	{ "set", O_SET, "NAME=VALUE", "set a constant or Property.parameter", 0 },
	{ "machine", O_MACHINE, "NAME",
		"machine model: one of psc_machine --list, or a file (default: this host)", 0 },
	{ "threads-on", O_THREADS_ON, "CPUS",
		"CPUs of the model on which the program's threads run: compact (neighbours, the default), "
		"spread (its sockets and memory nodes in turn; the default with --machine and OMP_PROC_BIND=spread), or a list, as in 0,4,8-11", 0 },
	{ "no-calibrate", O_NO_CALIBRATE, NULL,
		"do not measure what memory costs on this host, as is done at the first analysis (up to "
		"6 s), and when it is quieter than it was then: use what was measured, else assume it", 0 },
	{ "strategy", O_STRATEGY, "NAME",
		"share (default): examine parts that have a share of time or misses; paper: "
		"parts of a region where the property holds", 0 },
	{ "threshold", O_THRESHOLD, "SHARE",
		"report findings whose severity exceeds this share of phase time, as 0.1 or 10% (default 0)",
		0 },
	{ "confidence", O_CONFIDENCE, "C",
		"a property that holds with less confidence is undecided (default 0.8)", 0 },
	{ .help = "How to measure:" },
	{ "delay", O_DELAY, "N", "phase executions skipped first (default 1)", 0 },
	{ "clean", O_CLEAN, "N", "undisturbed executions, whose median is the time (default 5)",
		0 },
	{ "warm", O_WARM, "N", "executions that warm the simulated caches (default 1)", 0 },
	{ "count", O_COUNT, "N", "executions counted per experiment (default 1)", 0 },
	{ "sample", O_SAMPLE, "N",
		"simulate one cache set in N (8 is a good choice): faster, but misses have an error, "
		"which is printed with them", 0 },
	{ "max-slowdown", O_MAX_SLOWDOWN, "LIMIT",
		"how much longer recording may take, else slices are counted. auto (the default): all "
		"recorded executions add 10 s at most, or as much as the program has run; 60s: a counted execution takes so much more; "
		"10x: so many times as long; none: all is recorded", 0 },
	{ "counters", O_COUNTERS, "N", "count at most N things per experiment (default: all)", 0 },
	{ "collector", O_COLLECTOR, "[LIST]",
		"ways to measure that are preferred where several give the same figures, comma-separated; "
		"burst: recorded in bursts, though our wrappers have compiled it; page: also "
		"which pages threads access; perf: misses as the processor samples them; two of "
		"sim, burst and perf: both, each in a run of the program, and the difference; "
		"without LIST: list them all, with what this host can do", 0 },
	{ "page-budget", O_PAGE_BUDGET, "PERCENT",
		"with the collector page: the part of the program's processor time that faults "
		"at pages made to fault may take (default 5); first touches of tracked memory and bursts "
		"cost more, which no budget bounds", 0 },
	{ "page-writes", O_PAGE_WRITES, NULL,
		"with the collector page, which this asks for: which pages of any private memory are "
		"written, which stays where it is; reads are not seen", 0 },
	{ "max-time", O_MAX_TIME, "SECONDS", "end the search then, and report what was found", 0 },
	{ "max-executions", O_MAX_EXECUTIONS, "N", "the same after N phase executions", 0 },
	{ "max-runs", O_MAX_RUNS, "N",
		"run the program up to N times, if one run has too few executions of the phase: times in one, "
		"counts in the next (default: once, and once more where a run of less than 5 s was too short to be measured, ended with 0 "
		"and read nothing from standard input; 1: never again)", 0 },
	{ "lockstep", O_LOCKSTEP, NULL, "the program waits for the planner at phase boundaries",
		0 },
	{ "placement", O_PLACEMENT, "FILE",
		"apply the rules of that file when memory is allocated: structures on all memory "
		"nodes in turn, on one, or in large pages; psc_report --placement writes such a "
		"file", 0 },
	{ .help = "What comes out (names of files: %h host, %p process number, %t time):" },
	{ "output", 'o', "FILE", "the report (default: standard output)", 0 },
	{ "top", O_TOP, "N",
		"print N problems (with -v findings), on as many lines as they take (0 = all; default: 24 "
		"lines of problems, 10 findings)", 0 },
	{ "why-not", O_WHY_NOT, NULL,
		"also list what was tested and did not hold, with the deciding number", 0 },
	{ "psc", O_PSC, "FILE", "property file (default PROGRAM.psc)", 0 },
	{ "no-psc", O_NO_PSC, NULL, "no property file", 0 },
	{ "html", O_HTML, "FILE", "the report as one page for a browser", 0 },
	{ "no-source", O_NO_SOURCE, NULL, "with --html: no source lines in the page", 0 },
	{ "json", O_JSON, "FILE", "the report as JSON", 0 },
	{ "csv", O_CSV, "FILE", "the findings as CSV", 0 },
	{ "csv-ledger", O_CSV_LEDGER, "FILE", "where the accesses belong, as CSV", 0 },
	{ "timeline", O_TIMELINE, NULL,
		"draw accesses by address over time, too: for psc_report --timeline and --cartography", 0 },
	{ "no-timeline", O_NO_TIMELINE, NULL, "do not, as --html does without being asked", 0 },
	{ "timeline-csv", O_TIMELINE_CSV, "FILE",
		"memory over one execution as CSV: a line per column of the execution, region, "
		"structure and thread", 0 },
	{ "perfetto", O_PERFETTO, "FILE", "the same as a trace for Perfetto's viewer", 0 },
	{ "paraver", O_PARAVER, "STEM",
		"the same as a Paraver trace: STEM.prv, STEM.pcf, STEM.row, STEM.cfg", 0 },
	{ "pages", O_PAGES, "FILE",
		"the pages that each thread was seen to access, by intervals, as CSV: with the collector page, which this "
		"asks for, too", 0 },
	{ "export-counts", O_EXPORT, "FILE", "the raw counts of each calling context, as CSV", 0 },
	{ "phase-log", O_PHASE_LOG, "FILE",
		"why the phase was chosen: the times of regions, and each decision, as text", 0 },
	{ "what-if", O_WHAT_IF, "[STRUCTURE[:FIX,..]]",
		"after the search, estimate what changes to a structure (default: "
		"those of the first findings) would save; repeatable. FIX: pad, pad=BYTES (length of the rows to pad), touch, "
		"interleave, replicate, bind, threads, dense, split, nocopy, fit=LEVEL, pages=2M, hit", 0 },
	{ "no-what-if", O_NO_WHAT_IF, NULL,
		"nor what changes to the first problems would save: without --what-if only those "
		"whose effect follows from the counts", 0 },
	{ "verify", O_VERIFY, "STRUCTURE",
		"at last, measure what its misses cost: copies of the process run an execution "
		"of the phase with and without them, or, where threads take its lines from each other, all threads run on one CPU in "
		"six executions; repeatable", 0 },
	{ "try", O_TRY, "[ACTION]",
		"at last, try an action in the running program: executions of the phase with and without it, "
		"until the difference is sure, then all is put back; repeatable. ACTION: malloc (released memory is kept), "
		"STRUCTURE:pages=2M (its memory is in large pages), STRUCTURE:interleave, :bind=N, :local (on other memory nodes), "
		"threads:spread, :compact, :pin (threads stay on CPUs); without it: what the report speaks for", 0 },
	{ "try-keep", O_TRY_KEEP, NULL,
		"with --try: an action that gains stays in force until the program ends", 0 },
	{ "compare", O_COMPARE, "FILE",
		"compare with that property file, of the program before a change; it may be the "
		"one that this run replaces", 0 },
	{ "color", O_COLOR, "WHEN", "auto, always, never", 0 },
	{ "quiet", 'q', NULL, "no progress", 0 },
	{ "verbose", 'v', NULL,
		"every finding with its path, not the problems on one screen; again (-vv): also each step "
		"of agents, processes and application", 0 },
	{ .help = "Other:" },
	{ "agents", O_AGENTS, "HOW",
		"how the agents of this host are started: mpirun, local (without MPI), or auto "
		"(default): mpirun, and local if that fails", 0 },
	{ "hosts", O_HOSTS, "LIST",
		"the hosts that the program runs on, as in node1:4,node2:4 (with their slots): an agent is started "
		"on each (default: the nodes of the Slurm job, else this host)", 0 },
	{ "hostfile", O_HOSTFILE, "FILE",
		"the same from a file, as mpirun reads it: a line is NAME slots=N", 0 },
	{ "fanout", O_FANOUT, "K",
		"an agent has at most K others below it, whose results it merges (default 8)", 0 },
	{ "doctor", O_DOCTOR, NULL,
		"list each facility of this host, tried by its effect: what can be known with it, "
		"and what would change that; with --app, analyse the program and check the "
		"invariants of the measurement", 0 },
	{ "list-metrics", O_LIST_METRICS, NULL,
		"list the metrics of kernel events and hardware counters: the event that gives "
		"each on this host, or why none does", 0 },
	{ "stop", O_STOP, "PID", "end the analysis of that psc_frontend, not its program", 0 },
	CLI_COMMON
};
const struct cli options_cli = {
	.program = "psc_frontend",
	.usage = "--app PROGRAM [--phase FILE:LINE] [options] [-- ARGUMENTS]\n"
		"--phase FILE:LINE [options] -- PROGRAM [ARGUMENTS]\n"
		"--attach PID[,PID...] [--phase FILE:LINE] [options]\n"
		"--doctor [--app PROGRAM [options] [-- ARGUMENTS]]",
	.purpose =
	"Finds the memory bottlenecks of an instrumented program while it runs, and prints them ranked, each "
		"with its path down to the data structure.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_frontend --app ./lu                              choose the phase\n"
		"  psc_frontend --app ./lu --phase ssor.f:109 --what-if\n"
		"  psc_frontend --mpinumprocs 4 --app ./lu-mpi\n"
		"  psc_frontend --attach 4711                           a process that runs\n"
		"  psc_frontend --phase cg.c:88 --machine itanium2 --html cg.html -- ./cg -n 40\n"
		"\n"
		"Exit status: the program's own where it is not 0 (128 + n after signal n; standard error says so); "
		"else 0 analysis done, 4 partial analysis, 130 and 143 after Ctrl-C and SIGTERM. 2: wrong use or set-up "
		"error, nothing was run. With --attach never the program's: it goes on, or ends by itself.",
	.stops = true
};

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

/* Refuses options that spans of time cannot be combined with. */
static int timed_conflicts(const struct frontend_options *o, struct err *err)
{
	const struct { bool given; const char *option, *why; } with[] = {
		{ o->nattach, "attach",
			"what called what is followed from the main program's begin" },
		{ o->phase, "phase",
			"either executions of a phase are measured, or spans of time" },
		{ o->mpinumprocs || o->apprun, o->apprun ? "apprun" : "mpinumprocs",
			"spans of several processes do not begin "
			"together, so one would be recorded while others are timed" },
		{ o->ntries, "try",
			"spans are not alike, so an action cannot be told from another span" },
		{ o->nwhat_if, "what-if or --verify",
			"spans are not alike, so a change cannot be told from another span" },
		{ o->counters, "counters", "counts of unlike spans would be put together" },
		{ o->sample > 1, "sample", "spans are counted in slices" },
		{ !o->warm, "warm 0", "the first span counts where slices can begin" },
		{ o->max_runs > 1, "max-runs", "one run has as many spans as it has time for" },
	};

	for (size_t i = 0; o->timed_ns && i < sizeof with / sizeof with[0]; i++)
		if (with[i].given)
			return err_set(err, "--experiment-time cannot be used with --%s: %s",
				with[i].option, with[i].why);
	return 0;
}

#define SLOW_BUDGET UINT64_C(10000000000)       /* ns that all recorded executions may add, at
						 * least */

/* A time in seconds (60s), a factor (10x), none, or auto: a budget. */
static int slowdown_option(const char *text, struct frontend_options *o, struct err *err)
{
	char *end;
	double v = strtod(text, &end);
	bool budget = strcmp(text, "auto") == 0, none = strcmp(text, "none") == 0, number = !none &&
		end != text;
	bool time = number && strcmp(end, "s") == 0 && v >= 0.001 && v <= 1e6;
	bool factor = number && strcmp(end, "x") == 0 && v >= 1.5 && v <= 1000;

	if (!budget && !none && !time && !factor)
		return err_set(err,
			"--max-slowdown takes a time from 0.001s to 1000000s, a factor from 1.5x "
			"to 1000x, auto, or none, not '%s'", text);
	o->slow_budget = budget;
	o->slow_ns = budget ? SLOW_BUDGET : time ? (uint64_t)(v * 1e9) : 0;
	o->slow_percent = factor ? (uint32_t)(v * 100) : 0;
	return 0;
}

/* A share, as 0.1 or 10%.  More than the whole phase is a mistake for a percentage. */
static int threshold_option(const char *text, struct frontend_options *o, struct err *err)
{
	size_t n = strlen(text);
	char share[32];

	if (n && text[n - 1] == '%' && n < sizeof share) {
		snprintf(share, sizeof share, "%.*s", (int)(n - 1), text);
		if (real_option("threshold", share, 0, 100, &o->threshold, err))
			return -1;
		o->threshold /= 100;
		return 0;
	}
	if (real_option("threshold", text, 0, 1e9, &o->threshold, err))
		return -1;
	return o->threshold <= 1 ? 0 :
		err_set(err, "--threshold %s is more than the whole phase: a tenth of its time is "
		"0.1 or 10%%", text);
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

/* Splits `text` at commas, in place (argv is writable). */
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

static int add_what_if(struct frontend_options *o, const char *option, const char *text,
	struct err *err)
{
	struct fix_want w, *p;

	if (strcmp(option, "verify") == 0 ? fixes_parse_verify(text, &w, err) :
	    fixes_parse(text, &w, err))
		return -1;
	p = realloc(o->what_if, ((size_t)o->nwhat_if + 1) * sizeof *p);
	if (!p)
		return err_nomem(err);
	o->what_if = p;
	p[o->nwhat_if++] = w;
	if (o->nwhat_if > WHAT_IF_MAX)
		return err_set(err,
			"--%s is given too often: --what-if and --verify at most %d times", option,
			WHAT_IF_MAX);
	return 0;
}

static int add_try(struct frontend_options *o, const char *text, struct err *err)
{
	if (o->ntries == TRIES_MOST)
		return err_set(err, "--try is given too often: at most %d times", TRIES_MOST);
	if (action_parse(text, &o->tries[o->ntries], err))
		return -1;
	o->ntries++;
	return 0;
}

static int add_attach(struct frontend_options *o, char *text, struct err *err)
{
	for (char *word = text, *next; word; word = next) {
		uint64_t pid;
		long *p;

		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (count_option("attach", word, 1, 1 << 30, &pid, err))
			return -1;
		p = realloc(o->attach, ((size_t)o->nattach + 1) * sizeof *p);
		if (!p)
			return err_nomem(err);
		o->attach = p;
		p[o->nattach++] = (long)pid;
	}
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

/* The options about what comes out.  -1: none of them, or wrong. */
static int parse_output(struct frontend_options *o, int c, char *arg, struct err *err)
{
	uint32_t top = 0;

	switch (c) {
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
	case O_NO_SOURCE: o->no_source = true; return 0;
	case O_CSV: o->csv = arg; return 0;
	case O_CSV_LEDGER: o->csv_ledger = arg; return 0;
	case O_PAGES: o->pages = arg; return 0;
	case O_TIMELINE: o->timeline = true; return 0;
	case O_NO_TIMELINE: o->no_timeline = true; return 0;
	case O_TIMELINE_CSV: o->timeline_csv = arg; return 0;
	case O_PERFETTO: o->perfetto = arg; return 0;
	case O_PARAVER: o->paraver = arg; return 0;
	case O_EXPORT: o->counts = arg; return 0;
	case O_PHASE_LOG: o->phase_log = arg; return 0;
	case O_WHY_NOT: o->why_not = true; return 0;
	case O_WHAT_IF: return add_what_if(o, "what-if", arg, err);
	case O_NO_WHAT_IF: o->no_what_if = true; return 0;
	case O_VERIFY: return add_what_if(o, "verify", arg, err);
	case O_TRY: return add_try(o, arg, err);
	case O_TRY_KEEP: o->keep_tried = true; return 0;
	case O_PLACEMENT: o->placement = arg; return 0;
	default: return -1;
	}
}

static int parse_one(struct frontend_options *o, int c, char *arg, const char **app,
	struct err *err)
{
	static const char *const strategies[] = { "share", "paper", NULL };
	static const char *const colors[] = { "auto", "always", "never", NULL };
	static const char *const ways[] = { "auto", "mpirun", "local", NULL };
	uint64_t big = 0;
	double seconds = 0;

	switch (c) {
	case O_APP: *app = arg; return 0;
	case O_ATTACH: return add_attach(o, arg, err);
	case O_EXE: o->executable = arg; return 0;
	case O_PHASE: o->phase = arg; return 0;
	case O_EXPERIMENT_TIME:
		if (real_option("experiment-time", arg, 0.01, 86400, &seconds, err))
			return -1;
		o->timed_ns = (uint64_t)(seconds * 1e9);
		return 0;
	case O_MPI: return small_option("mpinumprocs", arg, 1, 1u << 20, &o->mpinumprocs, err);
	case O_OMP: return small_option("ompnumthreads", arg, 1, 1u << 16, &o->ompnumthreads, err);
	case O_APPRUN: o->apprun = arg; return 0;
	case O_MACHINE: o->machine = arg; return 0;
	case O_THREADS_ON: o->threads_on = arg; return 0;
	case O_NO_CALIBRATE: o->no_calibrate = true; return 0;
	case O_PROPERTIES: return add_list(&o->properties, &o->nproperties, arg, err);
	case O_SET:
		if (!strchr(arg, '=') || arg[0] == '=')
			return err_set(err, "--set takes NAME=VALUE, not '%s'", arg);
		return add_word(&o->settings, &o->nsettings, arg, err);
	case O_SIR: o->sir = arg; return 0;
	case O_STRATEGY: o->strategy = arg; return one_of("strategy", arg, strategies, err);
	case O_COUNTERS: return small_option("counters", arg, 1, 64, &o->counters, err);
	case O_DELAY: return small_option("delay", arg, 0, 1u << 30, &o->delay, err);
	case O_WARM: return small_option("warm", arg, 0, 64, &o->warm, err);
	case O_CLEAN: return small_option("clean", arg, 1, 64, &o->clean, err);
	case O_COUNT: return small_option("count", arg, 1, 64, &o->counted, err);
	case O_SAMPLE: return small_option("sample", arg, 1, 4096, &o->sample, err);
	case O_MAX_SLOWDOWN: return slowdown_option(arg, o, err);
	case O_PAGE_WRITES: o->page_writes = true; return 0;
	case O_PAGE_BUDGET: return real_option("page-budget", arg, 0.1, 100, &o->page_budget, err);
	case O_MAX_TIME: return real_option("max-time", arg, 0, 1e9, &o->max_time, err);
	case O_MAX_EXECUTIONS:
		return count_option("max-executions", arg, 1, UINT64_MAX / 2, &o->max_executions,
			err);
	case O_MAX_RUNS: return small_option("max-runs", arg, 1, 32, &o->max_runs, err);
	case O_THRESHOLD: return threshold_option(arg, o, err);
	case O_CONFIDENCE: return real_option("confidence", arg, 0, 1, &o->confidence, err);
	case O_COMPARE: o->compare = arg; return 0;
	case O_LOCKSTEP: o->lockstep = true; return 0;
	case O_COLOR: o->color = arg; return one_of("color", arg, colors, err);
	case O_AGENTS: o->agents = arg; return one_of("agents", arg, ways, err);
	case O_HOSTS: o->hosts = arg; return 0;
	case O_HOSTFILE: o->hostfile = arg; return 0;
	case O_FANOUT: return small_option("fanout", arg, TREE_FANOUT_LEAST, TREE_FANOUT_MOST,
		&o->fanout, err);
	case 'q': o->quiet = true; return 0;
	case 'v': o->verbose++; return 0;
	case O_DOCTOR: o->action = ACT_DOCTOR; return 0;
	case O_LIST_METRICS: o->action = ACT_LIST_METRICS; return 0;
	case O_COLLECTOR: return collector_option(o, arg, err);
	case O_STOP:
		o->action = ACT_STOP;
		if (count_option("stop", arg, 2, 1 << 30, &big, err))
			return -1;
		o->stop_pid = (long)big;
		return 0;
	case CLI_HELP: o->action = ACT_HELP; return 0;
	case CLI_VERSION: o->action = ACT_VERSION; return 0;
	default: return parse_output(o, c, arg, err);
	}
}

static int take_command(struct frontend_options *o, const char *app, int argc, char **argv,
	struct err *err)
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

/* --attach: nothing is started, so nothing says how. */
static int refuse_with_attach(const struct frontend_options *o, const char *app, int argc,
	struct err *err)
{
	const char *wrong = app ? "--app: the program runs already" :
		argc ? "a program: it runs already" :
		o->apprun || o->mpinumprocs || o->ompnumthreads ?
		"--apprun, --mpinumprocs and --ompnumthreads: the program runs already" :
		o->max_runs > 1 ? "--max-runs: the program is not run again" :
		o->placement ? "--placement: its memory is allocated already" :
		o->hosts ||
			o->hostfile ? "--hosts and --hostfile: it is for processes of this host" :
		o->action == ACT_DOCTOR ? "--doctor" : NULL;

	return wrong ? err_set(err, "--attach does not go with %s", wrong) : 0;
}

/* An unknown option right behind the program's name is one of the program, unless it is a slip. */
static int wrong_behind_app(const char *word, const char *app, struct err *err)
{
	if (strncmp(err->text, "unknown option", 14) != 0 || strstr(err->text, "did you mean"))
		return -1;
	return err_set(err,
		"'%s' is not an option of psc_frontend: the program's arguments come after --, as in "
		"--app %s -- %s", word, app, word);
}

/* Expands the names of all output files. */
static int expand_names(struct frontend_options *o, struct err *err)
{
	const char **names[] = { &o->output, &o->psc, &o->html, &o->json, &o->csv, &o->csv_ledger,
		&o->counts, &o->timeline_csv, &o->perfetto, &o->paraver, &o->pages,
		&o->phase_log };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!*names[i])
			continue;
		o->names[i] = output_name(*names[i], err);
		if (!o->names[i])
			return -1;
		*names[i] = o->names[i];
	}
	return 0;
}

/* The report in another form is asked for by an option of its own. */
static int check_report_name(const struct frontend_options *o, struct err *err)
{
	static const char *const other[] = { "psc", "html", "json", "csv" };
	const char *dot = o->output ? strrchr(o->output, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof other / sizeof *other; i++)
		if (strcmp(dot + 1, other[i]) == 0)
			return err_set(err,
				"-o %s: -o writes the report as text; for this name use --%s %s",
				o->output, other[i], o->output);
	return 0;
}

/* Pages are sampled if the collector or its file is asked for. */
static int settle_pages(struct frontend_options *o, struct err *err)
{
	if (o->pages || o->page_writes || collector_listed(o->collectors, "page")) {
		o->page_budget = o->page_budget > 0 ? o->page_budget : PAGE_BUDGET;
		return 0;
	}
	return o->page_budget > 0 ?
		err_set(err, "--page-budget goes with --collector page: no pages are sampled") : 0;
}

int options_parse(struct frontend_options *o, int argc, char **argv, struct err *err)
{
	const char *app = NULL, *agents = getenv("PSC_AGENTS"),
		*calibrate = getenv("PSC_CALIBRATE");
	int c, after_app = 0;

	*o = (struct frontend_options){ .strategy = "share", .delay = 1, .warm = 1, .clean = 5,
		.counted = 1, .sample = 1, .slow_budget = true, .slow_ns = SLOW_BUDGET,
		.confidence = 0.8, .top = -1, .color = "auto", .agents = "auto",
		.fanout = TREE_FANOUT, .no_calibrate = calibrate && strcmp(calibrate, "no") == 0 };
	if (agents && *agents && parse_one(o, O_AGENTS, (char *)(uintptr_t)agents, &app, err))
		return err_prefix(err, "PSC_AGENTS");
	while ((c = cli_next(&options_cli, argc, argv, err)) != CLI_END) {
		if (c == CLI_WRONG)
			return after_app && optind <= after_app + 1 ?
				wrong_behind_app(argv[after_app], app, err) : -1;
		/* getopt takes an optional value only behind '='; take it from the next word,
		 * too. */
		if ((c == O_WHAT_IF || c == O_COLLECTOR || c == O_TRY) && !optarg &&
		    optind < argc && argv[optind][0] != '-')
			optarg = argv[optind++];
		if (parse_one(o, c, optarg, &app, err))
			return -1;
		if (c == O_APP)
			after_app = optind;
	}
	if (timed_conflicts(o, err) || check_report_name(o, err) || settle_pages(o, err))
		return -1;
	if (o->keep_tried && !o->ntries)
		return err_set(err, "--try-keep goes with --try: nothing is tried");
	if (o->other_counts && (o->nattach || o->action == ACT_DOCTOR))
		return err_set(err, "--collector %s: two collectors count in a run of the program "
			"each, not with --attach or --doctor", o->collectors);
	if (o->nattach && (o->action == ACT_ANALYSE || o->action == ACT_DOCTOR))
		return refuse_with_attach(o, app, argc - optind, err) ? -1 : expand_names(o, err);
	if (o->action == ACT_DOCTOR && (app || optind < argc))
		o->check = o->verdict = o->quiet = o->no_psc = true;
	else if (o->action != ACT_ANALYSE)
		return 0;
	if (app && optind < argc && strcmp(argv[optind - 1], "--") != 0)
		return err_set(err, "'%s': the program's arguments come after --", argv[optind]);
	return expand_names(o, err) || take_command(o, app, argc - optind, argv + optind, err) ?
		-1 : 0;
}

int options_put_words(struct frontend_options *o, int at, char *const *words, int n,
	struct err *err)
{
	char **command = calloc((size_t)(n + o->ncommand) + 1, sizeof *command);

	if (!command)
		return err_nomem(err);
	memcpy(command, o->command, (size_t)at * sizeof *command);
	memcpy(command + at, words, (size_t)n * sizeof *command);
	memcpy(command + at + n, o->command + at, (size_t)(o->ncommand - at) * sizeof *command);
	free(o->command);
	o->command = command;
	o->ncommand += n;
	return 0;
}

void options_free(struct frontend_options *o)
{
	for (size_t i = 0; i < sizeof o->names / sizeof *o->names; i++)
		free(o->names[i]);
	free(o->command);
	free(o->attach);
	free(o->launcher);
	free(o->launcher_hosts);
	free((void *)o->properties);
	free((void *)o->settings);
	free(o->what_if);
	*o = (struct frontend_options){ 0 };
}
