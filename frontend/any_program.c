/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up the analysis of a program that our compiler wrappers have not compiled. */
#include <config.h>

#include "frontend/any_program.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "binary/binary.h"
#include "foreign/preload.h"
#include "frontend/asked_file.h"
#include "frontend/ask_foreign.h"
#include "frontend/code_files.h"
#include "frontend/install_paths.h"
#include "frontend/samples_check.h"
#include "samples/page_host.h"

static const char *after_slash(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Do the words begin with a launcher of MPI programs that the user wrote? */
static bool is_launcher(const char *word)
{
	static const char *const names[] = { "mpirun", "mpiexec", "orterun", "srun", "prterun",
		NULL };
	const char *name = after_slash(word);

	for (int i = 0; names[i]; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Commands that become another program, which their arguments name. */
static bool becomes_another(const char *word)
{
	static const char *const names[] = { "env", "taskset", "numactl", "nice", "ionice", "chrt",
		"time", "timeout", "nohup", "stdbuf",
		"setarch", "x86_64", "linux64", "setsid", "prlimit", NULL };
	const char *name = after_slash(word);

	for (int i = 0; names[i]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Is the word an ELF file that can be started, and neither an option nor a setting? */
static bool is_program(const char *word)
{
	struct err ignored;
	char path[4096], magic[SELFMAG];
	FILE *f;
	bool elf;

	if (*word == '-' || strchr(word, '=') || paths_command(word, path, sizeof path, &ignored) ||
	    access(path, X_OK))
		return false;
	f = fopen(path, "re");
	elf = f && fread(magic, 1, SELFMAG, f) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
	if (f)
		fclose(f);
	return elf;
}

/* The first word that is a program, of a launcher of MPI programs the first with a
 * path; -1: there is none. */
static int word_behind(const struct frontend_options *o, bool mpi)
{
	for (int i = 1; i < o->ncommand; i++)
		if (!becomes_another(o->command[i]) && (!mpi || strchr(o->command[i], '/')) &&
		    is_program(o->command[i]))
			return i;
	return -1;
}

/* The word of the command that is the program; -1: unknown. */
static int word_of_program(const struct frontend_options *o)
{
	int word;

	if (o->nlauncher)
		return o->nlauncher;
	if (!o->executable && is_launcher(o->command[0]))
		return word_behind(o, true);
	if (!o->executable) {
		word = becomes_another(o->command[0]) ? word_behind(o, false) : 0;
		return word > 0 ? word : 0;     /* env alone prints the environment */
	}
	for (int i = 0; i < o->ncommand; i++)
		if (strcmp(o->command[i], o->executable) == 0)
			return i;
	return -1;
}

/* What is asked for and cannot be had of such a program. */
static int refuse_options(const struct frontend_options *o, struct err *err)
{
	const char *what = o->nattach ? "--attach" : o->phase ? "--phase" : o->timed_ns ?
		"--experiment-time" :
		o->nwhat_if ? "--what-if STRUCTURE and --verify" : o->ntries ? "--try" :
		o->placement ? "--placement" :
		o->sample > 1 ? "--sample" : o->timeline ? "--timeline" : o->verdict ?
			"--doctor --app" : NULL;

	if (what && (o->counts_by > COUNTS_SIM || o->page_budget > 0))
		return err_set(err, "%s: not with --collector burst, page or perf, "
			"which take every program as it is", what);
	return what ?
		err_set(err,
		"%s: only for programs that psc_gcc, psc_g++ or psc_gfortran has compiled", what) :
		0;
}

/* How its accesses are measured. */
static void note_how(struct setup *s, const struct frontend_options *o, const char *program)
{
	if (s->config.samples)
		setup_note(s,
			"%s runs as it is: the processor samples its accesses, and some are recorded in bursts "
			"(docs/any-program.md)", program);
	else if (o->page_budget > 0)
		setup_note(s,
			"pages of %s are sampled, and its accesses are recorded in bursts (docs/pages.md, docs/any-program.md)", program);
	else if (o->counts_by == COUNTS_BURST)
		setup_note(s,
			"accesses are recorded in bursts, as --collector says (docs/any-program.md)");
	else
		setup_note(s,
			"%s has not been compiled with psc_gcc, psc_g++ or psc_gfortran: its accesses are recorded in bursts (docs/any-program.md)", program);
	if (!o->quiet && s->config.samples)
		fprintf(stderr, "psc: %s runs as it is: the processor samples its accesses\n",
			program);
	else if (!o->quiet && o->page_budget > 0)
		fprintf(stderr,
			"psc: pages of %s are sampled, and its accesses are recorded in bursts\n",
			program);
	else if (!o->quiet && o->counts_by != COUNTS_BURST)
		fprintf(stderr,
			"psc: %s has not been compiled with psc_gcc: its accesses are recorded in bursts\n", program);
}

static void note_times(struct setup *s, const struct frontend_options *o, const char *program)
{
	const char *why = o->watched ? "runs already" : "is linked statically";

	setup_note(s, "%s %s: the kernel samples its time, its accesses are not known; they are if "
		"psc_frontend starts it %s, or if it is compiled with psc_gcc (docs/any-program.md)",
		program, why, o->watched ? "" : "linked dynamically");
	if (!o->quiet)
		fprintf(stderr, "psc: %s %s: its time is sampled, its accesses cannot be had%s\n",
			program, why, !o->watched ? "" :
			o->max_time > 0 ? "" : "; Ctrl-C or its end ends that (or --max-time)");
}

/* Of a program into which nothing can be loaded, for the reason in err, the time can be had, where
 * the kernel samples it. */
static int times_alone(const struct frontend_options *o, struct err *err)
{
	const struct err before = *err;
	const char *what = o->watched ?
		"accesses of a process that runs already are not recorded" : before.text;
	char said[sizeof err->text];
	struct err why = { "" };

	if (o->page_budget > 0 || o->counts_by > COUNTS_SIM)
		return err_set(err, "%s", what);
	if (ask_foreign("--times-here", said, sizeof said, &why))
		return err_set(err, "%.700s; its time alone cannot be had either: %.200s", what,
			why.text);
	return 0;
}

int any_program_read(struct setup *s, const struct frontend_options *o, struct sir **sir,
	struct err *err)
{
	const int word = word_of_program(o);
	char path[sizeof s->program];
	bool foreign;
	int loads;

	if (word < 0)
		return err_set(err,
			"%s starts another program: name that with --exe FILE, as the command has it", o->command[0]);
	if (paths_command(o->command[word], path, sizeof path, err) ||
	    (loads = preload_possible(path, err)) < 0 ||
	    ((loads == PRELOAD_STATIC || o->watched) && times_alone(o, err)) ||
	    refuse_options(o, err))
		return -1;
	if (o->counts_by == COUNTS_SIM)
		return err_set(err, "--collector sim: %s has not been compiled with psc_gcc, "
			"psc_g++ or psc_gfortran", o->command[word]);
	if (o->page_budget > 0 && (page_host_check(err) || (o->page_writes &&
	    page_host_check_writes(err))))
		return err_prefix(err, "pages cannot be sampled");
	if (o->counts_by == COUNTS_PERF && samples_possible(err)) {
		err_prefix(err, "--collector perf");
		return -1;
	}
	s->config.code_files = code_files(path);
	*sir = binary_read_program(path, s->config.code_files, &foreign, err);
	if (!*sir)
		return -1;
	if (!(*sir)->nregions) {
		sir_free(*sir);
		*sir = NULL;
		return err_set(err, "%s: no function was found in its code", path);
	}
	s->config.bursts = true;
	s->config.samples = o->counts_by == COUNTS_PERF;
	s->config.executable = strdup(path);
	if (loads == PRELOAD_STATIC || o->watched)
		note_times(s, o, o->command[word]);
	else
		note_how(s, o, o->command[word]);
	return s->config.executable ? 0 : err_nomem(err);
}

int any_program_command(struct setup *s, struct frontend_options *o, struct err *err)
{
	static char name[sizeof s->program];
	static char budget[24];
	static char samples[] = "--samples";
	static char watch[] = "--watch", process[24];
	static char code[] = "--code", pages[] = "--pages", file[] = "--pages-csv",
		structures[] = "--structures", writes[] = "--writes", end[] = "--";
	char *words[15] = { name, code, s->config.code_files };
	const int at = word_of_program(o);
	int n = 3;

	if (!s->config.bursts)
		return 0;
	if (paths_agent("psc_foreign", "PSC_FOREIGN", name, sizeof name, err))
		return -1;
	if (!at)
		snprintf(s->program, sizeof s->program, "%s", name);
	if (s->config.samples)
		words[n++] = samples;
	if (o->watched) {
		snprintf(process, sizeof process, "%ld", o->watched);
		words[n++] = watch;
		words[n++] = process;
	}
	if (o->page_budget > 0) {
		snprintf(budget, sizeof budget, "%g", o->page_budget);
		words[n++] = pages;
		words[n++] = budget;
	}
	if (o->page_writes)
		words[n++] = writes;
	if (o->pages) {
		words[n++] = file;
		words[n++] = (char *)(uintptr_t)o->pages;
	}
	if (s->asked_names) {
		words[n++] = structures;
		words[n++] = s->asked_names;
	}
	words[n++] = end;
	return options_put_words(o, at, words, n, err);
}
