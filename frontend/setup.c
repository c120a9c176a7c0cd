/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the set-up and fills the configuration of the run, before anything is started. */
#include <config.h>

#include "frontend/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/any_program.h"
#include "frontend/asked_file.h"
#include "frontend/first_calibration.h"
#include "frontend/install_paths.h"
#include "frontend/metrics_list.h"
#include "asl/asl.h"
#include "collect/collector.h"
#include "base/log.h"
#include "monitor/client/mon.h"
#include "sir/sir.h"

void setup_note(struct setup *s, const char *fmt, ...)
{
	va_list ap;

	if (s->nnotes == (int)(sizeof s->notes / sizeof s->notes[0]))
		return;
	va_start(ap, fmt);
	vsnprintf(s->notes[s->nnotes++], sizeof s->notes[0], fmt, ap);
	va_end(ap);
}

static int say(const struct err *err)
{
	log_msg(0, "%s", err->text);
	return -1;
}

/* --- the application ------------------------------------------------------------------------- */

static int read_structure(const char *path, struct sir **sir, struct err *err)
{
	*sir = sir_read(path, err);
	return *sir ? 0 : -1;
}

static bool is_script(const char *path)
{
	char head[2] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, head, sizeof head) < 0)
		head[0] = '\0';
	if (fd >= 0)
		close(fd);
	return head[0] == '#' && head[1] == '!';
}

/* Finds the instrumented executable: --exe, the program, or the first word of the command that is
 * one. */
static int find_executable(struct setup *s, const struct frontend_options *o, struct sir **sir)
{
	struct err err;
	const char *first = o->executable ? o->executable : s->program;

	if (o->counts_by == COUNTS_BURST || (o->counts_by == COUNTS_PERF && !o->nattach))
		return any_program_read(s, o, sir, &err) ? say(&err) : 0;
	if (read_structure(first, sir, &err)) {
		if (!o->executable && is_script(first))
			err_set(&err,
				"%s is a script: name the program that it runs with --exe PROGRAM -- %s ...; or, "
				"to analyse the interpreter, make it the command, as in: psc_frontend -- /bin/sh %s ...",
				first, first, first);
		return say(&err);
	}
	if ((*sir)->nregions || o->executable || o->nattach) {
		s->config.executable = strdup(first);
	} else {
		for (int i = 1; i < o->ncommand; i++) {
			struct sir *other;

			if (access(o->command[i], X_OK) ||
			    read_structure(o->command[i], &other, &err))
				continue;
			if (other->nregions) {
				sir_free(*sir);
				*sir = other;
				s->config.executable = strdup(o->command[i]);
				break;
			}
			sir_free(other);
		}
	}
	/* Pages are sampled by psc_foreign, which takes an instrumented program for any other. */
	if (!(*sir)->nregions || o->page_budget > 0) {
		sir_free(*sir);
		*sir = NULL;
		free(s->config.executable);
		s->config.executable = NULL;
		if (any_program_read(s, o, sir, &err))
			return say(&err);
	}
	return s->config.executable ? 0 : say((err_nomem(&err), &err));
}

static int join_command(struct setup *s, const struct frontend_options *o)
{
	struct buf b = BUF_INIT;

	for (int i = o->nlauncher; i < o->ncommand; i++)
		buf_printf(&b, "%s%s", i > o->nlauncher ? " " : "", o->command[i]);
	s->config.command = buf_take(&b);
	return s->config.command ? 0 : -1;
}

static bool has_array(const struct sir_region *r, const char *name)
{
	for (uint32_t i = 0; i < r->narrays; i++)
		if (strcmp(r->arrays[i].name, name) == 0)
			return true;
	return false;
}

/* Finds an array that the phase loop accesses in its own function.  Accesses in constructs do not
 * count: the compiler makes functions of these.  NULL: there is none. */
static const char *unrecorded_array(const struct sir *sir, const struct sir_region *r)
{
	for (uint32_t c = r->child; c != SIR_NONE; c = sir->regions[c].next)
		if (sir->regions[c].type == REGION_LOOP) {
			const char *name = unrecorded_array(sir, &sir->regions[c]);

			if (name)
				return name;
		}
	for (uint32_t i = 0; i < r->narrays; i++) {
		bool inside = false;

		for (uint32_t c = r->child; c != SIR_NONE; c = sir->regions[c].next)
			inside |= has_array(&sir->regions[c], r->arrays[i].name);
		if (!inside)
			return r->arrays[i].name;
	}
	return NULL;
}

static void warn_unrecorded(struct setup *s, const struct sir *sir, uint32_t region)
{
	const struct sir_region *r = &sir->regions[region];
	const char *name = r->unrecorded ? unrecorded_array(sir, r) : NULL;

	if (!name)
		return;
	setup_note(s,
		"%s accesses '%s' (and perhaps more) directly in the phase loop. The compiler could "
		"not make two versions of this loop (exceptions are caught in it, or jumps enter it by "
		"address): only what it calls, and parallel regions, are recorded, and these accesses are "
		"missing from all counts. Put the loop's body into a subroutine to see them",
		sir->regions[sir_unit_of(sir, region)].name, name);
	log_msg(0, "note: %s", s->notes[s->nnotes - 1]);
}

static bool any_candidate(const struct sir *sir)
{
	for (uint32_t i = 0; i < sir->nregions; i++)
		if (sir->regions[i].hooks & SIR_HOOK_PHASE && sir->regions[i].nat)
			return true;
	return false;
}

/* Finds the phase that is named.  Without --phase, what the structure suggests is measured first;
 * the agents change it if it has too little of the program's time. */
static int choose_phase(struct setup *s, const struct frontend_options *o, const struct sir *sir)
{
	struct run_config *c = &s->config;
	struct buf choice = BUF_INIT;
	struct err err = { "" };
	uint32_t region = SIR_NONE;
	int rc = o->timed_ns || c->bursts ? sir_whole_program(sir, &region, &choice, &err) :
		o->phase ? sir_find_phase(sir, o->phase, &region, &choice, &err)
			 : sir_guess_phase(sir, &region, &choice, &err);

	c->phase_by_time = !o->phase && !o->timed_ns && !c->bursts;
	c->phase_region = SIR_NONE;
	if (rc) {
		buf_free(&choice);
		return c->phase_by_time && any_candidate(sir) ? 0 : say(&err);
	}
	c->phase_region = region;
	for (uint32_t i = 0; i < sir->regions[region].nat && c->nphase < MON_HOOKS; i++) {
		c->phase[c->nphase].hash = sir->regions[region].at[i].hash;
		c->phase[c->nphase++].index = sir->regions[region].at[i].index;
	}
	if (o->timed_ns) {
		buf_clear(&choice);
		run_config_spans(c, &choice);
	}
	/* Report the choice only if it differs from the line that the user gave. */
	if (choice.len && !(o->phase && strrchr(o->phase, ':') &&
			atoi(strrchr(o->phase, ':') + 1) == sir->regions[region].line))
		c->phase_choice = strdup(buf_str(&choice));
	if (!o->timed_ns && !c->bursts)
		warn_unrecorded(s, sir, region);
	buf_free(&choice);
	return 0;
}

static int read_asked(struct setup *s, const struct frontend_options *o, const struct sir *sir)
{
	struct err err = { "" };

	if (!o->sir || !asked_file_read(s, o->sir, sir, &err))
		return 0;
	return err.text[0] ? say(&err) : -1;
}

/* --- machine, properties --------------------------------------------------------------------- */

/* Without use: another machine's model or topology, processes that run elsewhere, invariants.
 * Processes that run already would be disturbed, and would disturb. */
static bool may_calibrate(const struct frontend_options *o, bool here)
{
	return here && !o->no_calibrate && !o->machine && !o->nattach && !o->verdict
		&& !getenv("HWLOC_XMLFILE") && !getenv("HWLOC_SYNTHETIC");
}

/* On another machine's model, threads are bound as the program's environment asks. */
static int choose_threads(struct setup *s, const struct frontend_options *o)
{
	struct machine_flat *m = &s->config.machine.flat;
	struct err err;

	if (o->threads_on)
		return machine_threads_on(m, o->threads_on, &err) ? say(&err) : 0;
	if (o->machine && machine_threads_bound(m, getenv("OMP_PROC_BIND")))
		setup_note(s,
			"OMP_PROC_BIND=spread: the threads run on the model's memory nodes in turn (--threads-on)");
	return 0;
}

static int choose_machine(struct setup *s, const struct frontend_options *o)
{
	struct run_config *c = &s->config;
	struct err err;

	if (o->machine ? machine_read(&c->machine, o->machine, &err)
		       : machine_here(&c->machine, &err))
		return say(&err);
	c->foreign = o->machine != NULL;
	return choose_threads(s, o);
}

/* Measures what memory costs where that is due, which may take seconds, and checks what depends on
 * the model as it is then. */
static int calibrate(struct setup *s, const struct frontend_options *o, bool here)
{
	struct run_config *c = &s->config;
	struct mon_sample sample;
	struct err err;

	if (may_calibrate(o, here) && first_calibration(&c->machine, o->quiet) &&
	    choose_machine(s, o))
		return -1;
	if (mon_sample_of(&c->machine.flat, o->sample, &sample, &err)) {
		err_prefix(&err, "--sample %u: machine %s", (unsigned)o->sample, c->machine.name);
		return say(&err);
	}
	if (c->machine.note[0])
		setup_note(s, "%s", c->machine.note);
	return 0;
}

/* Arguments of asl_load(); all strings owned. */
struct selection {
	char **paths;
	size_t npaths;
	struct asl_setting *settings;
	size_t nsettings;
};

static void selection_free(struct selection *c)
{
	for (size_t i = 0; i < c->npaths; i++)
		free(c->paths[i]);
	for (size_t i = 0; i < c->nsettings; i++)
		free((char *)(uintptr_t)c->settings[i].name);
	free(c->paths);
	free(c->settings);
}

static int add_property_file(struct selection *c, const char *name)
{
	struct err err = { "" };
	char path[4400];

	if (paths_property(name, path, sizeof path, &err))
		return say(&err);
	c->paths[c->npaths] = strdup(path);
	if (!c->paths[c->npaths])
		return say((err_nomem(&err), &err));
	c->npaths++;
	return 0;
}

static int ask(struct setup *s, struct selection *c, const char *name, bool is_usual)
{
	struct err err;

	if (add_property_file(c, name))
		return -1;
	return run_config_ask(&s->config, name, is_usual) ? say((err_nomem(&err), &err)) : 0;
}

static bool named(const struct frontend_options *o, const char *name)
{
	for (int i = 0; i < o->nproperties; i++)
		if (strcmp(o->properties[i], name) == 0)
			return true;
	return false;
}

/* The patterns of use go with the file that tells how much is remote. */
static int ask_named(struct setup *s, struct selection *c, const struct frontend_options *o,
	const char *name)
{
	if (ask(s, c, name, false))
		return -1;
	return strcmp(name, "numa") == 0 && !named(o, "objects") ? ask(s, c, "objects", false) : 0;
}

/* May threads of the program run on several memory nodes of the model?  Where the nodes are real,
 * one thread may use what lies on another one. */
static bool uses_nodes(const struct machine_flat *m, const struct frontend_options *o)
{
	const char *set = getenv("OMP_NUM_THREADS");
	uint32_t threads = o->ompnumthreads ? o->ompnumthreads : set ? (uint32_t)atoi(set) : 0;
	cpu_set_t cpus;

	if (m->nodes.real)
		return true;
	if (!threads && !sched_getaffinity(0, sizeof cpus, &cpus))
		threads = (uint32_t)CPU_COUNT(&cpus);
	for (uint32_t t = 1; m->nodes.count > 1 && t < threads && t < m->ncpus; t++)
		if (machine_node(m, t) != machine_node(m, 0))
			return true;
	return false;
}

static int add_setting(struct selection *c, const char *text)
{
	const char *eq = strchr(text, '=');
	char *name = strndup(text, (size_t)(eq - text));
	struct err err;

	if (!name)
		return say((err_nomem(&err), &err));
	c->settings[c->nsettings++] = (struct asl_setting){ name, eq + 1, "--set" };
	return 0;
}

/* Selects the property model and the property files that the user chose (default: memory,
 * sharing, faults, of several processes also mpi, and where threads may run on several
 * memory nodes also objects). */
static int select_properties(struct setup *s, struct selection *c, const struct frontend_options *o)
{
	static const char *const usual[] = { "memory", "sharing", "faults" };
	int rc;

	c->paths = calloc(2 * (size_t)o->nproperties + 4 + sizeof usual / sizeof *usual,
		sizeof *c->paths);
	c->settings = calloc((size_t)o->nsettings + 1, sizeof *c->settings);
	if (!c->paths || !c->settings)
		return -1;
	rc = add_property_file(c, "model");
	for (size_t i = 0; !rc && !o->nproperties && i < sizeof usual / sizeof *usual; i++)
		rc = ask(s, c, usual[i], true);
	if (!rc && !o->nproperties && o->mpinumprocs > 1)
		rc = ask(s, c, "mpi", true);
	if (!rc && !o->nproperties && uses_nodes(&s->config.machine.flat, o))
		rc = ask(s, c, "objects", true);
	for (int i = 0; !rc && i < o->nproperties; i++)
		rc = ask_named(s, c, o, o->properties[i]);
	for (int i = 0; !rc && i < o->nsettings; i++)
		rc = add_setting(c, o->settings[i]);
	return rc;
}

/* Prefixes what the compiled properties lack with the names of their files. */
static int say_asked(const struct setup *s, const char *what)
{
	struct buf names = BUF_INIT;

	run_config_asked(&s->config, &names);
	log_msg(0, "%s: %s", buf_str(&names), what);
	buf_free(&names);
	return -1;
}

/* Compiles the properties for the agents; reads the result back, as the agents do, to find errors
 * here. */
static int compile_properties(struct setup *s, const struct selection *c)
{
	const char *dirs[] = { NULL, NULL };
	struct asl_program *p;
	struct err err;
	int rc = 0;

	/* The model's directory: included files are there, too. */
	s->config.library = strndup(c->paths[0], (size_t)(strrchr(c->paths[0], '/') - c->paths[0]));
	if (!s->config.library)
		return say((err_nomem(&err), &err));
	dirs[0] = s->config.library;
	p = asl_load((const char *const *)c->paths, c->npaths, dirs, c->settings, c->nsettings,
		asl_diag_print, stderr);
	if (!p)
		return -1;
	if (!asl_nproperties(p))
		rc = say_asked(s, "no property is declared there");
	asl_image_write(p, &s->config.program);
	asl_free(p);
	if (rc)
		return -1;
	if (s->config.program.failed)
		return say((err_nomem(&err), &err));
	p = asl_image_read(s->config.program.data, s->config.program.len, &err);
	if (!p) {
		err_prefix(&err, "the compiled properties cannot be used");
		return say_asked(s, err.text);
	}
	asl_free(p);
	return 0;
}

/* Without the file nothing is missing but events. */
static int read_recipes(struct setup *s)
{
	struct err err;

	s->config.recipes = metrics_recipes(&err);
	if (!s->config.recipes)
		log_msg(1, "%s: no events are counted", err.text);
	return 0;
}

static int choose_collectors(struct setup *s, const struct frontend_options *o)
{
	const struct collector *order[COLLECTORS_MOST];
	struct err err;

	if (collect_order(collectors, o->collectors, order, &err)) {
		err_prefix(&err, "--collector");
		return say(&err);
	}
	s->config.collectors = o->collectors ? strdup(o->collectors) : NULL;
	return o->collectors && !s->config.collectors ? say((err_nomem(&err), &err)) : 0;
}

static int choose_properties(struct setup *s, const struct frontend_options *o)
{
	struct selection c = { NULL, 0, NULL, 0 };
	int rc = select_properties(s, &c, o);

	if (!rc)
		rc = compile_properties(s, &c);
	if (!rc)
		rc = read_recipes(s);
	selection_free(&c);
	return rc;
}

/* --- output, machine state ------------------------------------------------------------------- */

/* Removes what open() made: the target of a symbolic link, never the link. */
static void remove_file(const char *path)
{
	char *target = realpath(path, NULL);

	unlink(target ? target : path);
	free(target);
}

/* Can the file be written?  Checked before the run: an error after hours of computing would be too
 * late. */
static int writable(const char *path)
{
	struct err err;
	struct stat st;
	bool existed = stat(path, &st) == 0;
	int fd;

	/* Do not open a pipe: its reader would see end of file when we close it. */
	if (existed && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		if (access(path, W_OK) == 0)
			return 0;
		err_sys(&err, "cannot write %s", path);
		return say(&err);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		err_sys(&err, "cannot write %s", path);
		return say(&err);
	}
	close(fd);
	if (!existed)
		remove_file(path);
	return 0;
}

static int say_foreign(const char *name, const char *stem)
{
	log_msg(0, "%s exists, and no trace %s.prv stands beside it: --paraver takes another name",
		name, stem);
	return -1;
}

static int trace_writable(const char *stem)
{
	static const char *const ends[] = { ".prv", ".pcf", ".row", ".cfg" };
	char name[4096];
	bool trace = false;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct stat st;

		snprintf(name, sizeof name, "%.4000s%s", stem, ends[i]);
		trace |= i == 0 && stat(name, &st) == 0;
		if (!trace && stat(name, &st) == 0)
			return say_foreign(name, stem);
		if (writable(name))
			return -1;
	}
	return 0;
}

/* A file that an agent writes.  out: its path from the root, which the caller frees; unchanged
 * where path is NULL.  0 / -1. */
static int file_of_agents(const char *path, const char *option, char **out)
{
	char cwd[4096] = "";
	struct buf b = BUF_INIT;
	struct stat st;

	if (!path)
		return 0;
	if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)) {
		log_msg(0, "%s %s: an agent writes it, and needs a file, not a pipe", option, path);
		return -1;
	}
	if (path[0] != '/' && !getcwd(cwd, sizeof cwd))
		return -1;
	buf_printf(&b, "%s%s%s", cwd, cwd[0] ? "/" : "", path);
	*out = buf_take(&b);
	return *out ? 0 : -1;
}

static int choose_outputs(struct setup *s, const struct frontend_options *o)
{
	const char *outputs[] = { o->output, o->html, o->json, o->csv, o->csv_ledger, o->counts,
		o->timeline_csv, o->perfetto, o->phase_log, o->pages };
	const char *slash = strrchr(s->config.executable, '/');

	if (o->psc)
		snprintf(s->psc, sizeof s->psc, "%s", o->psc);
	else if (!o->no_psc)
		snprintf(s->psc, sizeof s->psc, "%.4000s.psc",
			slash ? slash + 1 : s->config.executable);
	for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
		if (outputs[i] && writable(outputs[i]))
			return -1;
	if ((s->psc[0] && writable(s->psc)) || (o->paraver && trace_writable(o->paraver)))
		return -1;
	return file_of_agents(o->counts, "--export-counts", &s->config.export_counts) ||
		file_of_agents(o->phase_log, "--phase-log", &s->config.phase_log) ? -1 : 0;
}

/* Reads the report to compare with before anything runs: the run may replace its file. */
static int read_before(struct setup *s, const struct frontend_options *o)
{
	struct err err;

	if (!o->compare)
		return 0;
	s->before = report_psc_read(o->compare, &err);
	return s->before ? 0 : say((err_prefix(&err, "--compare"), &err));
}

static int read_placement(struct setup *s, const struct frontend_options *o)
{
	struct err err;

	if (!o->placement)
		return 0;
	s->config.placement = calloc(1, sizeof *s->config.placement);
	if (!s->config.placement)
		return say((err_nomem(&err), &err));
	return placement_read(o->placement, s->config.placement, &err) ?
		say((err_prefix(&err, "--placement"), &err)) : 0;
}

static void warn_oversubscription(struct setup *s, uint32_t ranks)
{
	const char *threads = getenv("OMP_NUM_THREADS");
	cpu_set_t set;
	int cpus, wanted = threads ? atoi(threads) : 0;
	long all = (wanted > 0 ? wanted : 1) * (long)ranks;

	if (sched_getaffinity(0, sizeof set, &set))
		return;
	cpus = CPU_COUNT(&set);
	if (ranks > 1 && all > cpus)
		setup_note(s,
			"%u processes of %ld threads share %d CPUs: times are those of an oversubscribed program, "
			"and waits are longer than with a processor for each", ranks,
			all / (long)ranks, cpus);
	else if (wanted > cpus)
		setup_note(s, "OMP_NUM_THREADS is %d but this process may use %d CPUs: times are "
			"those of an oversubscribed program", wanted, cpus);
}

static void copy_numbers(struct run_config *c, const struct frontend_options *o)
{
	c->strategy = strcmp(o->strategy, "paper") == 0 ? STRATEGY_PAPER : STRATEGY_SHARE;
	c->counters = o->counters;
	c->delay = o->delay;
	c->timed_ns = o->timed_ns;
	c->warm = o->warm;
	c->clean = o->clean;
	c->counted = o->counted;
	c->sample = o->sample;
	c->maps = o->timeline || (o->html && !o->no_timeline);
	c->slow_percent = o->slow_percent;
	c->slow_budget = o->slow_budget;
	c->slow_ns = o->slow_ns;
	c->what_if = o->nwhat_if ? malloc((size_t)o->nwhat_if * sizeof *c->what_if) : NULL;
	if (c->what_if) {
		memcpy(c->what_if, o->what_if, (size_t)o->nwhat_if * sizeof *c->what_if);
		c->nwhat_if = (uint32_t)o->nwhat_if;
	}
	c->proposals = !o->no_what_if && c->strategy == STRATEGY_SHARE;
	for (uint32_t i = 0; i < c->nwhat_if; i++)
		c->proposals &= c->what_if[i].fixes == FIX_VERIFY;
	memcpy(c->tries, o->tries, sizeof c->tries);
	c->ntries = o->ntries;
	c->keep_tried = o->keep_tried;
	c->lockstep = o->lockstep;
	c->why_not = o->why_not;
	c->check = o->check;
	c->limit_seconds = o->max_time;
	c->limit_executions = o->max_executions;
	c->max_runs = o->max_runs ? o->max_runs : 1;
	c->attached = o->nattach > 0;
	c->threshold = o->threshold;
	c->confidence = o->confidence;
}

int setup_run(struct setup *s, const struct frontend_options *o, bool here)
{
	struct sir *sir = NULL;
	struct err err;
	char cwd[4096];
	int rc = -1;

	memset(s, 0, sizeof *s);
	run_config_init(&s->config);
	copy_numbers(&s->config, o);
	if (paths_command(o->command[0], s->program, sizeof s->program, &err))
		return say(&err);
	if (join_command(s, o) || !getcwd(cwd, sizeof cwd) ||
	    !(s->config.directory = strdup(o->directory ? o->directory : cwd)))
		return say((err_sys(&err, "set-up"), &err));
	if (find_executable(s, o, &sir) == 0 && read_asked(s, o, sir) == 0 &&
	    choose_phase(s, o, sir) == 0 &&
	    choose_collectors(s, o) == 0 && choose_machine(s, o) == 0 &&
	    choose_properties(s, o) == 0 && read_before(s, o) == 0 && read_placement(s, o) == 0 &&
	    choose_outputs(s, o) == 0 &&
	    calibrate(s, o, here) == 0)         /* last: it may take seconds */
		rc = 0;
	sir_free(sir);
	if (rc)
		return -1;
	if (s->config.executable[0] != '/') {   /* agents may run in another directory */
		char *full = realpath(s->config.executable, NULL);

		if (!full)
			return say((err_sys(&err, "%s", s->config.executable), &err));
		free(s->config.executable);
		s->config.executable = full;
	}
	if (!o->nattach)
		warn_oversubscription(s, o->mpinumprocs);
	return 0;
}

void setup_free(struct setup *s)
{
	run_config_free(&s->config);
	report_free(s->before);
	free(s->asked_names);
	s->before = NULL;
	s->asked_names = NULL;
}
