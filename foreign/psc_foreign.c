/* SPDX-License-Identifier: BSD-3-Clause */
/* psc_foreign: starts a program that was not compiled by our wrappers, with the burst recorder in
 * it and a proxy beside it.  psc_frontend puts it before the program's command. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/data_dir.h"
#include "base/log.h"
#include "foreign/clock_samples.h"
#include "foreign/images.h"
#include "foreign/preload.h"
#include "foreign/proxy.h"
#include "monitor/shared/hello.h"
#include "monitor/shared/shm.h"
#include "samples/unit.h"

#define PERIOD_NS 2000000       /* of processor time between two samples of a thread */
enum { BURST_WORDS = 50000, HEAP_BYTES = 4096, ANSWER_MS = 10000, NOT_FOUND = 127,
	NOT_STARTED = 126 };

static const struct cli_option options[] = {
	{ "pages", 'p', "PERCENT",
		"sample the pages that threads access, within this part of the program's processor time", 0 },
	{ "pages-csv", 'o', "FILE", "with --pages: write what was seen there", 0 },
	{ "writes", 'W', NULL, "with --pages: pages of any private memory that are written", 0 },
	{ "code", 'c', "FILES",
		"libraries whose code has regions of its own: absolute paths, one a line", 0 },
	{ "structures", 'a', "NAMES",
		"tell only these data structures apart: names, one a line; all others are one", 0 },
	{ "samples", 's', NULL, "where loads find their data is sampled by the processor", 0 },
	{ "samples-here", 'S', NULL,
		"prints the event that would sample accesses on this host, or why there is none (exit code 2)", 0 },
	{ "watch", 'w', "PID",
		"PROGRAM runs already, in that process: sample its time until it ends, or a signal "
		"comes", 0 },
	{ "times-here", 'K', NULL,
		"prints whether the kernel samples processor time here, or why not (exit code 2)",
		0 },
	{ "try-recorder", 'T', NULL, "records a burst of a program of its own, and says what came",
		0 },
	{ "spin", 'P', NULL, "what that program does: uses a processor for a while", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_foreign", .usage = "[--] PROGRAM [ARGUMENT...]\n",
	.purpose =
	"Runs a program and records its accesses in bursts for the node agent that PSC_MONITOR names. psc_frontend does this "
		"by itself for programs that psc_gcc has not compiled.",
	.options = options, .noptions = sizeof options / sizeof *options, .stops = true
};

/* --- files ------------------------------------------------------------------------------------ */

static bool is_executable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Finds the program as execvp() does. */
static int find_program(const char *name, char out[PATH_MAX], struct err *err)
{
	const char *path = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";

	if (strchr(name, '/')) {
		snprintf(out, PATH_MAX, "%s", name);
		return 0;
	}
	for (bool more = *name; more; path++) {         /* an empty entry is the working
							 * directory */
		const size_t n = strcspn(path, ":");

		snprintf(out, PATH_MAX, "%.*s%s%s", (int)n, path, n ? "/" : "", name);
		if (is_executable(out))
			return 0;
		path += n;
		more = *path;
	}
	return err_set(err, "%s: not found", name);
}

static int find_library(char out[PATH_MAX], struct err *err)
{
	static const char *const places[] = { "/burst/.libs/libpscburst.so",
		"/../../lib/" PACKAGE "/libpscburst.so", "/../lib/" PACKAGE "/libpscburst.so",
		"/libpscburst.so", NULL };
	const char *given = getenv("PSC_BURST_LIBRARY");
	char path[PATH_MAX];

	for (int i = 0; !given && places[i]; i++) {
		snprintf(path, sizeof path, "%s%s", place_program_dir(), places[i]);
		if (access(path, R_OK) == 0 && realpath(path, out))
			return 0;
	}
	if (given && realpath(given, out))
		return 0;
	return err_set(err,
		"the recorder's library libpscburst.so is not installed beside psc_foreign");
}

/* --- the proxy -------------------------------------------------------------------------------- */

/* Closes descriptors from one to before another, whatever their numbers are. */
static void close_between(int from, int to)
{
	const long most = sysconf(_SC_OPEN_MAX);

	if (from >= to || syscall(SYS_close_range, from, to - 1, 0) == 0)
		return;
	/* kernels before 5.9 */
	for (int fd = from; fd < to && fd < (most > 0 ? most : 1024); fd++)
		close(fd);
}

/* Closes descriptors from 3 on but n of them; -1 among these is none. */
static void close_all_but(const int *kept, int n)
{
	int from = 3;

	for (int i = 0; i < n; i++) {           /* the next one that is kept */
		int next = INT_MAX;

		for (int k = 0; k < n; k++)
			if (kept[k] >= from && kept[k] < next)
				next = kept[k];
		close_between(from, next);
		from = next == INT_MAX ? INT_MAX : next + 1;
	}
	close_between(from, INT_MAX);
}

/* The proxy holds nothing that the program's user waits for: no pipe stays open because of it. */
static void leave_the_terminal(const struct proxy_job *job)
{
	const int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3 && null >= 0; fd++)
		if (fd != 2 || !getenv("PSC_FOREIGN_LOG"))
			dup2(null, fd);
	close_all_but((const int[]){ job->recorder->fd, job->told, job->page_socket,
		job->pages.file }, 4);
}

/* A launcher may have bound the program to some processors: the proxy takes others where it can. */
static void leave_the_processors(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
	setpriority(PRIO_PROCESS, 0, 19);
}

static _Noreturn void be_proxy(const struct proxy_job *job)
{
	struct err err = { "" };
	const char *log = getenv("PSC_FOREIGN_LOG");
	int rc;

	leave_the_terminal(job);
	leave_the_processors();
	signal(SIGPIPE, SIG_IGN);
	rc = proxy_run(job, &err);
	if (rc && log)
		log_msg(0, "%s", err.text);
	_exit(rc ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* Makes the proxy a grandchild: the program has no child that it does not know. */
static int start_proxy(const struct proxy_job *job, struct err *err)
{
	const pid_t child = fork();

	if (child < 0)
		return err_sys(err, "fork");
	if (child == 0) {
		setsid();
		if (fork() == 0)
			be_proxy(job);
		_exit(0);
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* Is the program to be recorded? */
static bool proxy_agrees(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };
	char what = 'n';

	if (poll(&p, 1, ANSWER_MS) > 0 && read(fd, &what, 1) != 1)
		what = 'n';
	return what == 'r';
}

/* --- the program ------------------------------------------------------------------------------ */

/* The dynamic loader divides its list at spaces and colons: a library with one in its path is named
 * by a descriptor.  -1: it needs none. */
static int library_descriptor(const char *library)
{
	return strpbrk(library, " :") ? open(library, O_RDONLY) : -1;
}

static void put_environment(const char *library, int memory)
{
	const char *before = getenv("LD_PRELOAD");
	const int descriptor = library_descriptor(library);
	char number[32], by_descriptor[32];
	char *list = malloc(strlen(library) + sizeof by_descriptor + (before ? strlen(before) : 0) +
		2);

	if (!list)
		return;
	snprintf(by_descriptor, sizeof by_descriptor, BURST_BY_DESCRIPTOR "%d", descriptor);
	library = descriptor < 0 ? library : by_descriptor;
	sprintf(list, "%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	setenv("LD_PRELOAD", list, 1);
	if (descriptor < 0)
		snprintf(number, sizeof number, "%d", memory);
	else
		snprintf(number, sizeof number, "%d:%d", memory, descriptor);
	setenv(BURST_ENV, number, 1);
	fcntl(memory, F_SETFD, 0);
	free(list);
}

static int run_program(const char *path, char **argv)
{
	execv(path, argv);
	log_msg(0, "%s: %s", path, strerror(errno));
	return errno == ENOENT ? NOT_FOUND : NOT_STARTED;
}

/* What the command line says. */
struct foreign_options {
	const char *code, *pages_csv;
	const char *structures; /* names, one a line; NULL: all */
	double pages;           /* part of the program's processor time; 0: pages are not sampled */
	bool writes;            /* as in struct page_setup */
	bool samples;           /* the processor's, as in struct proxy_job */
	long watched;           /* the process, if it runs already; 0: it does not */
};

/* Each rank of an MPI program has a file of its own. */
static int open_rows(const char *name, struct err *err)
{
	char path[PATH_MAX];
	const int32_t rank = mon_env_rank();
	int fd;

	snprintf(path, sizeof path, rank < 0 ? "%s" : "%s.%d", name, (int)rank);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

/* The program gets the other end, whose number the recorder finds in the shared memory. */
static int pages_begin(const struct foreign_options *o, struct proxy_job *job, int *in_program,
	struct err *err)
{
	int pair[2];

	job->pages = (struct page_setup){ .on = o->pages > 0, .budget = o->pages,
		.writes = o->writes, .file = -1 };
	job->page_socket = *in_program = -1;
	if (!job->pages.on)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return err_sys(err, "socketpair");
	job->page_socket = pair[0];
	*in_program = pair[1];
	if (!o->pages_csv)
		return 0;
	job->pages.file = open_rows(o->pages_csv, err);
	return job->pages.file < 0 ? -1 : 0;
}

static void pages_leave_to_proxy(const struct proxy_job *job, int in_program)
{
	if (job->page_socket >= 0)
		close(job->page_socket);
	if (job->pages.file >= 0)
		close(job->pages.file);
	if (in_program >= 0)
		fcntl(in_program, F_SETFD, 0);
}

/* Starts the proxy; what goes wrong leaves the program as it is, and is said. */
static int record(const char *path, const struct foreign_options *o, const char *monitor,
	struct err *err)
{
	const bool whole = getenv("PSC_FOREIGN_WHOLE");         /* benches hold bursts against it */
	struct recorder_setup setup = { PERIOD_NS, whole ? 0 : BURST_WORDS, HEAP_BYTES,
		o->pages > 0 ? PAGE_LEAST_BLOCK : 0, o->writes, -1, whole };
	char library[PATH_MAX], full[PATH_MAX];
	struct recorder recorder;
	struct asked_names only;
	int told[2];
	struct proxy_job job = { .program = getpid(), .executable = full, .code = o->code,
		.monitor = monitor, .recorder = &recorder, .only = &only, .samples = o->samples,
		.period = PERIOD_NS };
	int loads;

	if (asked_names_begin(&only, o->structures))
		return err_nomem(err);
	if (!realpath(path, full) || (loads = preload_possible(full, err)) < 0 ||
	    (loads == PRELOAD_FINE && find_library(library, err)) ||
	    pages_begin(o, &job, &setup.tracked_socket, err) ||
	    recorder_make(&recorder, &setup, err))
		return -1;
	if (pipe2(told, O_CLOEXEC))
		return err_sys(err, "pipe");
	job.told = told[1];
	job.times_only = loads == PRELOAD_STATIC;
	if (start_proxy(&job, err))
		return -1;
	close(told[1]);
	if (!proxy_agrees(told[0]))
		return err_set(err, "%s: its accesses are not recorded: no node agent wants them",
			path);
	close(told[0]);
	pages_leave_to_proxy(&job, setup.tracked_socket);
	if (loads == PRELOAD_FINE)
		put_environment(library, recorder.fd);
	return 0;
}

/* --- a program that runs already -------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

/* This process is the proxy.  Returns the exit code. */
static int watch(const char *path, const struct foreign_options *o, const char *monitor)
{
	const struct recorder_setup setup = { PERIOD_NS, BURST_WORDS, HEAP_BYTES, 0, false, -1,
		false };
	const struct sigaction action = { .sa_handler = on_signal };
	struct recorder recorder;
	struct asked_names only;
	struct err err = { "" };
	struct proxy_job job = { .program = (pid_t)o->watched, .executable = path, .code = o->code,
		.monitor = monitor, .recorder = &recorder, .only = &only,
		.page_socket = -1, .pages.file = -1,
		.period = PERIOD_NS, .times_only = true, .attached = true, .stop = &stopped };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	job.told = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!monitor || asked_names_begin(&only, o->structures) ||
	    recorder_make(&recorder, &setup, &err) || proxy_run(&job, &err)) {
		log_msg(0, "%s", err.text[0] ? err.text : "no node agent is named");
		return EXIT_FAILURE;
	}
	return 0;
}

/* Returns the exit code. */
static int samples_here(void)
{
	char name[SAMPLE_EVENT_NAME];
	struct err err;

	if (sample_unit_try(name, sizeof name, &err)) {
		puts(err.text);
		return 2;
	}
	puts(name);
	return 0;
}

static int times_here(void)
{
	struct err err;
	const int rc = clock_samples_try(&err);

	puts(rc ? err.text : "the kernel samples processor time");
	return rc ? 2 : 0;
}

/* --- a burst of its own ----------------------------------------------------------------------- */

static int spin(void)
{
	static volatile uint64_t memory[1024];
	struct timespec t;

	do {
		for (uint64_t i = 0; i < 1000000; i++)
			memory[i * 7 % 1024] += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (!t.tv_sec);
	return 0;
}

/* Asks for a burst of the child until it has come, or the child ends.  Returns the words of it. */
static uint64_t wait_for_burst(struct recorder *r, pid_t child)
{
	const struct timespec tick = { 0, 1000000 };
	struct images images;
	uint64_t words = 0;

	images_begin(&images, child);
	while (!words && waitpid(child, NULL, WNOHANG) == 0) {
		nanosleep(&tick, NULL);
		if (recorder_state(r) != BURST_READY || images_read(&images))
			continue;
		recorder_code(r, &images);
		if (!r->open)
			recorder_ask(r);
		if (!recorder_burst_done(r, false))
			continue;
		for (uint32_t i = 0; i < recorder_slots(r); i++)
			if (recorder_has_words(r, recorder_slot(r, i)))
				words += (atomic_load(&recorder_slot(r, i)->offset) -
					recorder_slot(r, i)->first) / sizeof words;
		recorder_burst_taken(r);
	}
	images_end(&images);
	return words;
}

/* Records a burst of a child of its own, and says what came.  Returns the exit code. */
static int try_recorder(void)
{
	const struct recorder_setup setup = { PERIOD_NS, BURST_WORDS, HEAP_BYTES, 0, false, -1,
		false };
	char *argv[] = { (char *)(uintptr_t)"psc_foreign", (char *)(uintptr_t)"--spin", NULL };
	struct recorder recorder;
	char library[PATH_MAX];
	struct err err;
	uint64_t words;
	pid_t child;

	if (find_library(library, &err) || recorder_make(&recorder, &setup, &err)) {
		puts(err.text);
		return 2;
	}
	child = fork();
	if (child == 0) {
		put_environment(library, recorder.fd);
		_exit(run_program("/proc/self/exe", argv));
	}
	words = child > 0 ? wait_for_burst(&recorder, child) : 0;
	if (words) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		printf("a burst of %llu words, translated and run\n", (unsigned long long)words);
		return 0;
	}
	printf("no burst came of a program that used a processor for a second (reason %u; docs/bursts.md)\n", recorder.head->refusal);
	return 2;
}

int main(int argc, char **argv)
{
	struct err err = { "" };
	const char *value = getenv(MON_ENV);
	char *monitor = value ? strdup(value) : NULL;
	struct foreign_options o = { .code = "" };
	char path[PATH_MAX];

	log_setup("psc_foreign", 0);
	for (int option; (option = cli_next(&cli, argc, argv, &err)) != CLI_END; ) {
		switch (option) {
		case CLI_HELP: cli_help(&cli); return 0;
		case CLI_VERSION: cli_version(&cli); return 0;
		case 'c': o.code = optarg; break;
		case 'p': o.pages = atof(optarg) / 100; break;
		case 'o': o.pages_csv = optarg; break;
		case 'a': o.structures = optarg; break;
		case 'W': o.writes = true; break;
		case 's': o.samples = true; break;
		case 'w': o.watched = atol(optarg); break;
		case 'S': return samples_here();
		case 'K': return times_here();
		case 'T': return try_recorder();
		case 'P': return spin();
		default: return cli_wrong(&cli, "%s", err.text);
		}
	}
	argv += optind;
	if (!*argv)
		return cli_wrong(&cli, "which program?");
	unsetenv(MON_ENV);
	unsetenv(MON_ENV_STACK);
	if (find_program(*argv, path, &err)) {
		log_msg(0, "%s", err.text);
		return NOT_FOUND;
	}
	if (o.watched)
		return watch(path, &o, monitor);
	if (monitor && record(path, &o, monitor, &err))
		log_msg(0, "%s", err.text);
	return run_program(path, argv);
}
