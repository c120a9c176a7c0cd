/* SPDX-License-Identifier: BSD-3-Clause */
/* A node agent for tests: runs one program, places requests, prints what comes back.
 *
 *   simrun [options] -- command…
 *     --levels S/A/L,…   levels, nearest first: size (K, M), ways, bytes a line; after the last,
 *                        "/all" shares the level between all CPUs (default 32K/8/64,256K/8/64)
 *     --machine FILE     a machine file instead
 *     --pages virtual    addresses as they are (default: pages by first touch)
 *     --cpus N           of the model (default 1)
 *     --batch N          words that a thread records before they are played, with several threads
 *     --turn N           accesses of a thread that take as long as a line between caches
 *     --phase H:I[,…]    the phase as unit hash (16 hex digits) : region;
 *             first      the first phase-capable region in the executable's SIR;
 *             line:N     the one that starts in this line
 *     --kind sim|time|record  what to request (default sim)
 *     --first N --warm N --count N   (default 1 1 1)
 *     --sample N         simulate one set in N: misses are scaled, eL= is the standard error
 *     --budget MS        recording may add so much, else slices are counted: total .. slices=N
 *     --context N        only this context and what is below
 *     --object N         only this object
 *     --variant NAME:FIX[=N]   play with a change, too: shift, rows, spread, absent, touch, interleave
 *     --lockstep         the program waits for us at every boundary
 *     --kill-agent N     we die as by SIGKILL once execution N has begun (the program goes on)
 *     --seconds N        give up after (default 300: a busy machine is no hang)
 *     --nodes N          memory nodes, of as many CPUs each (default 1)
 *     --no-faults        as if the kernel gave no page-fault events
 *     --no-request       only watch
 *     --timeline         print timelines, too: a line each thread, and how many counts are not the sum of their columns
 *     --maps, --overwrites  also accesses by address; stores that are overwritten unread
 *     --output FILE      instead of standard output, which the program has too
 * With PSC_CHECK in the environment the monitor checks its invariants; exit code 5: one does not hold.
 *
 * The `total` ends with what the machine has: lines written back from a level (w1=…), prefetched into
 * it / used (p1=…), TLB misses of loads / stores (t1=…).
 * Prints one line each: `process`, `phase`, `request`, `count`, `time`, `site`, `alias`, `total`, as
 * key=value words.  Ends as the program does; 125 when our own part fails. */
#include "config.h"
#include "tests/monitor/simrun.h"
#include "machine/machine.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include "base/abi.h"
#include "base/dictionary.h"

struct options {
	struct mon_setup setup;
	struct mon_want want;
	struct mon_filter filter;
	struct mon_variant variant[MON_VARIANTS];
	const char *changes[MON_VARIANTS];      /* as given */
	const char *phase;
	uint64_t kill_at;
	int seconds;
	bool no_request;
	char **command;
};

static char directory[64], path[96];
static bool timelines;          /* are printed */

static void tidy(void)
{
	unlink(path);
	rmdir(directory);
}

void simrun_die(const char *what)
{
	fprintf(stderr, "simrun: %s\n", what);
	tidy();
	exit(125);
}

/* --- options -------------------------------------------------------------------------------------- */

static uint64_t size_of(const char *s, char **end)
{
	uint64_t n = strtoull(s, end, 10);

	if (**end == 'K')
		n <<= 10, ++*end;
	else if (**end == 'M')
		n <<= 20, ++*end;
	return n;
}

static void parse_levels(struct machine_flat *m, const char *s)
{
	char *end = (char *)(uintptr_t)s;

	m->nlevels = 0;
	do {
		struct machine_level *l = &m->level[m->nlevels];

		if (m->nlevels == MACHINE_LEVELS)
			simrun_die("too many levels");
		l->level = ++m->nlevels;
		l->size = size_of(end, &end);
		if (*end++ != '/')
			simrun_die("--levels size/ways/line,…");
		l->assoc = (uint32_t)strtoul(end, &end, 10);
		if (*end++ != '/')
			simrun_die("--levels size/ways/line,…");
		l->line = (uint32_t)strtoul(end, &end, 10);
		if (!l->assoc || !l->line)
			simrun_die("--levels: zero");
		l->sets = (uint32_t)(l->size / l->assoc / l->line);
		l->cpus = 1;
		if (!strncmp(end, "/all", 4)) {
			l->shared = MACHINE_SHARED_ALL;
			end += 4;
		}
	} while (*end++ == ',');
}

static void parse_nodes(struct machine_flat *m, uint32_t n)
{
	if (!n || n > MACHINE_NODES)
		simrun_die("--nodes");
	m->nodes.count = n;
	m->nodes.cpus = m->ncpus > n ? m->ncpus / n : 1;
}

static void parse_machine(struct machine_flat *flat, const char *file)
{
#ifdef SIMRUN_MACHINE
	struct machine m;
	struct err err;

	if (machine_read(&m, file, &err))
		simrun_die(err.text);
	*flat = m.flat;
#else
	(void)flat;
	(void)file;
	simrun_die("--machine: not built in");
#endif
}

static void parse_options(struct options *o, int argc, char **argv)
{
	struct machine_flat *m = &o->setup.machine;
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const char *a = argv[i], *v = argv[i + 1] ? argv[i + 1] : "";

		if (!strcmp(a, "--lockstep")) {
			o->setup.lockstep = true;
			continue;
		}
		if (!strcmp(a, "--no-faults")) {
			o->setup.no_faults = true;
			continue;
		}
		if (!strcmp(a, "--no-request")) {
			o->no_request = true;
			continue;
		}
		if (!strcmp(a, "--maps")) {
			o->want.maps = true;
			continue;
		}
		if (!strcmp(a, "--overwrites")) {
			o->want.overwrites = true;
			continue;
		}
		if (!strcmp(a, "--timeline")) {
			timelines = true;
			continue;
		}
		i++;
		if (!strcmp(a, "--levels"))
			parse_levels(m, v);
		else if (!strcmp(a, "--machine"))
			parse_machine(m, v);
		else if (!strcmp(a, "--pages"))
			m->pages = strcmp(v, "virtual") ? MACHINE_PAGES_FIRST_TOUCH :
				MACHINE_PAGES_VIRTUAL;
		else if (!strcmp(a, "--cpus"))
			m->ncpus = (uint32_t)atoi(v);
		else if (!strcmp(a, "--nodes"))
			parse_nodes(m, (uint32_t)atoi(v));
		else if (!strcmp(a, "--batch"))
			o->setup.batch = (uint32_t)atoi(v);
		else if (!strcmp(a, "--turn"))
			o->setup.turn = (uint32_t)atoi(v);
		else if (!strcmp(a, "--phase"))
			o->phase = v;
		else if (!strcmp(a, "--kind"))
			o->want.kind = !strcmp(v, "time") ? MON_TIME :
				!strcmp(v, "record") ? MON_RECORD : MON_SIM;
		else if (!strcmp(a, "--first"))
			o->want.first = strtoull(v, NULL, 10);
		else if (!strcmp(a, "--warm"))
			o->want.warm = (uint32_t)atoi(v);
		else if (!strcmp(a, "--count"))
			o->want.count = (uint32_t)atoi(v);
		else if (!strcmp(a, "--budget"))
			o->want.slow_budget = true, o->want.slow_ns = 1000000 * strtoull(v, NULL, 10);
		else if (!strcmp(a, "--sample"))
			o->want.sample = (uint32_t)atoi(v);
		else if (!strcmp(a, "--context"))
			o->filter.context = (uint32_t)atoi(v), o->want.nfilters = 1;
		else if (!strcmp(a, "--object"))
			o->filter.object = (uint32_t)atoi(v), o->want.nfilters = 1;
		else if (!strcmp(a, "--variant") && o->want.nvariants < MON_VARIANTS)
			o->changes[o->want.nvariants++] = v;
		else if (!strcmp(a, "--kill-agent"))
			o->kill_at = strtoull(v, NULL, 10);
		else if (!strcmp(a, "--output") && freopen(v, "w", stdout))
			;
		else if (!strcmp(a, "--seconds"))
			o->seconds = atoi(v);
		else
			simrun_die(a);
	}
	if (i + 1 >= argc)
		simrun_die("no command");
	o->command = argv + i + 1;
}

/* --- the phase ------------------------------------------------------------------------------------- */

static void phase_add(struct mon_setup *s, uint64_t hash, uint32_t index)
{
	if (s->nphase == MON_HOOKS)
		return;
	s->phase[s->nphase].hash = hash;
	s->phase[s->nphase++].index = index;
}

static long attribute(const char *element, const char *end, const char *name)
{
	const char *p = memmem(element, (size_t)(end - element), name, strlen(name));

	return p ? strtol(p + strlen(name), NULL, 10) : -1;
}

/* id="1-17": line 17 of the unit's first file. */
static long line_of(const char *element, const char *end)
{
	const char *id = memmem(element, (size_t)(end - element), " id=\"", 5);
	const char *dash = id ? memchr(id, '-', (size_t)(end - id)) : NULL;

	return dash ? strtol(dash + 1, NULL, 10) : -1;
}

/* Phase-capable regions in one fragment's text: an attribute hook with the word phase. */
static void phase_scan(struct mon_setup *s, const char *text, size_t len, uint64_t hash, long line)
{
	const char *end = text + len, *p = text;

	while ((p = memchr(p, '<', (size_t)(end - p)))) {
		const char *stop = memchr(p, '>', (size_t)(end - p));
		const char *hook;

		if (!stop)
			return;
		hook = memmem(p, (size_t)(stop - p), " hook=\"", 7);
		if (hook && memmem(hook, (size_t)(stop - hook), "phase", 5) &&
		    (line < 0 || line_of(p, stop) == line)) {
			phase_add(s, hash, (uint32_t)attribute(p, stop, " index=\""));
			if (line < 0)
				return;
		}
		p = stop;
	}
}

static void phase_from_fragment(struct mon_setup *s, const char *p, size_t left, long line)
{
	struct psc_sir_header h;
	struct psc_sir_packed packed;
	static const unsigned char words[] = PSC_SIR_DICTIONARY;
	z_stream z = { 0 };
	char *text;

	if (left < sizeof h + sizeof packed)
		return;
	memcpy(&h, p, sizeof h);
	memcpy(&packed, p + sizeof h, sizeof packed);
	if (h.version != PSC_ABI_VERSION || h.length > left - sizeof h ||
	    h.length < sizeof packed || packed.text > PSC_SIR_TEXT_MAX)
		return;
	text = malloc(packed.text + 1);
	if (!text || inflateInit2(&z, -MAX_WBITS) != Z_OK)
		simrun_die("memory");
	z.next_in = (Bytef *)(uintptr_t)(p + sizeof h + sizeof packed);
	z.avail_in = h.length - (uInt)sizeof packed;
	z.next_out = (Bytef *)text;
	z.avail_out = packed.text;
	if (inflateSetDictionary(&z, words, sizeof words - 1) == Z_OK &&
	    inflate(&z, Z_FINISH) == Z_STREAM_END)
		phase_scan(s, text, z.total_out, h.hash, line);
	inflateEnd(&z);
	free(text);
}

static void phase_from_image(struct mon_setup *s, const char *file, long line)
{
	struct stat st;
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	const char *base, *p, *end;

	if (fd < 0 || fstat(fd, &st) || !st.st_size)
		simrun_die(file);
	base = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (base == MAP_FAILED)
		simrun_die(file);
	end = base + st.st_size;
	for (p = base; (p = memmem(p, (size_t)(end - p), PSC_SIR_PACKED, 8)); p += 8)
		if (line >= 0 || !s->nphase)
			phase_from_fragment(s, p, (size_t)(end - p), line);
	munmap((void *)(uintptr_t)base, (size_t)st.st_size);
	if (!s->nphase)
		simrun_die("no such phase in the executable");
}

static void phase_resolve(struct options *o, const struct mon_peer *p)
{
	const char *s = o->phase;

	if (!strcmp(s, "first")) {
		phase_from_image(&o->setup, mon_peer_executable(p), -1);
	} else if (!strncmp(s, "line:", 5)) {
		phase_from_image(&o->setup, mon_peer_executable(p), atol(s + 5));
	} else {
		char *end = (char *)(uintptr_t)s;

		do {
			uint64_t hash = strtoull(end, &end, 16);

			if (*end++ != ':')
				simrun_die("--phase hash:region | first | line:N");
			phase_add(&o->setup, hash, (uint32_t)strtoul(end, &end, 10));
		} while (*end++ == ',');
	}
	for (uint32_t i = 0; i < o->setup.nphase; i++)
		printf("phase hash=%016" PRIx64 " region=%u\n", o->setup.phase[i].hash,
			o->setup.phase[i].index);
}

/* --- variants ------------------------------------------------------------------------------------------ */

static uint32_t object_named(const struct mon_peer *p, const char *name, size_t len)
{
	for (uint32_t n = MON_OBJ_FIRST; n < mon_peer_nobjects(p); n++) {
		const char *own, *scope, *source;
		struct mon_object o;
		uint64_t hash;

		if (mon_peer_object(p, n, &o, &own, &scope, &hash, &source) &&
		    strlen(own) == len && !memcmp(own, name, len))
			return n;
	}
	simrun_die("--variant: no such object");
	return 0;
}

static void variants_resolve(struct options *o, const struct mon_peer *p)
{
	static const char *const fixes[MON_FIXES] = { [MON_FIX_SHIFT] = "shift",
		[MON_FIX_ROWS] = "rows", [MON_FIX_SPREAD] = "spread", [MON_FIX_ABSENT] = "absent",
		[MON_FIX_FIRST_TOUCH] = "touch", [MON_FIX_INTERLEAVE] = "interleave" };

	for (uint32_t i = 0; i < o->want.nvariants; i++) {
		const char *colon = strchr(o->changes[i], ':'), *fix = colon ? colon + 1 : "";
		size_t n = strcspn(fix, "=");
		struct mon_variant *v = &o->variant[i];

		for (uint32_t k = 1; k < MON_FIXES; k++)
			if (strlen(fixes[k]) == n && !memcmp(fixes[k], fix, n))
				v->fix = k;
		if (!v->fix)
			simrun_die("--variant NAME:FIX[=N]");
		v->object = object_named(p, o->changes[i], (size_t)(colon - o->changes[i]));
		v->parameter = fix[n] ? strtoull(fix + n + 1, NULL, 10) : 0;
	}
	o->want.variants = o->variant;
}

/* --- the run ------------------------------------------------------------------------------------------- */

static int program_out;

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setenv(MON_ENV, path, 1);
	dup2(program_out, STDOUT_FILENO);
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

static struct mon_peer *await_peer(int listener, pid_t pid, int seconds, int *status)
{
	for (int i = 0; i < seconds * 100; i++) {
		struct pollfd f = { listener, POLLIN, 0 };
		struct mon_peer *p;
		struct err err;

		poll(&f, 1, 10);
		p = mon_peer_accept(listener, &err);
		if (p)
			return p;
		if (*err.text)
			simrun_die(err.text);
		if (waitpid(pid, status, WNOHANG) == pid)
			return NULL;
	}
	simrun_die("the program never registered");
	return NULL;
}

static bool settled(enum mon_state s)
{
	return s == MON_DONE || s == MON_MISSED || s == MON_DROPPED;
}

/* Watches the process until it has gone. */
static void watch(struct options *o, struct mon_peer *p, int slot)
{
	struct timespec ts;
	time_t until;
	bool printed = slot < 0;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	until = ts.tv_sec + o->seconds;
	for (;;) {
		struct pollfd f = { mon_peer_fd(p), POLLIN, 0 };
		enum mon_news news;

		poll(&f, 1, 10);
		news = mon_peer_news(p);
		if (o->kill_at && mon_peer_begun(p) >= o->kill_at) {
			fflush(stdout);
			tidy();
			raise(SIGKILL);
		}
		if (!printed && settled(mon_peer_state(p, slot))) {
			simrun_print(p, slot, &o->setup.machine, timelines);
			printed = true;
			if (o->setup.lockstep)
				mon_peer_detach(p);
		}
		if (news == MON_NEWS_WAITING)
			mon_peer_go(p);
		if (news == MON_NEWS_GONE)
			break;
		clock_gettime(CLOCK_MONOTONIC, &ts);
		if (ts.tv_sec > until)
			simrun_die("out of time");
	}
	if (!printed)
		printf("request state=gone\n");
}

/* Objects have names once the program is at its first boundary. */
static int request_varied(struct options *o, struct mon_peer *p)
{
	struct err err;
	int slot;

	o->setup.lockstep = true;
	if (mon_peer_welcome(p, &o->setup, &err))
		simrun_die(err.text);
	for (int i = 0; mon_peer_news(p) != MON_NEWS_WAITING; i++) {
		struct pollfd f = { mon_peer_fd(p), POLLIN, 0 };

		if (i == o->seconds * 100)
			simrun_die("--variant: the program comes to no boundary");
		poll(&f, 1, 10);
	}
	variants_resolve(o, p);
	slot = mon_peer_request(p, &o->want, &err);
	if (slot < 0)
		simrun_die(err.text);
	mon_peer_go(p);
	return slot;
}

/* Says what the monitor's checks found wrong; how many violations. */
static uint32_t violations(const struct mon_peer *p)
{
	struct mon_checked c;

	mon_peer_checked(p, &c);
	for (uint32_t i = 0; i < c.n; i++)
		fprintf(stderr, "simrun: check: wrong: kind %u, region %d, line %u: %" PRIu64 ", %" PRIu64 "\n",
			c.v[i].kind, c.v[i].known ? (int)c.v[i].region : -1, c.v[i].line, c.v[i].found,
			c.v[i].wanted);
	return c.n;
}

int main(int argc, char **argv)
{
	struct options o = { .phase = "first", .seconds = 300 };
	struct mon_peer *p;
	struct err err;
	int listener, slot = -1, status = 0;
	uint32_t wrong = 0;
	pid_t pid;

	program_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	o.setup.check = getenv("PSC_CHECK") && *getenv("PSC_CHECK");
	o.setup.machine.ncpus = 1;
	o.setup.machine.page_size = 4096;
	parse_levels(&o.setup.machine, "32K/8/64,256K/8/64");
	o.filter = (struct mon_filter){ MON_ANY, MON_ANY };
	o.want = (struct mon_want){ .kind = MON_SIM, .first = 1, .warm = 1, .count = 1,
		.filters = &o.filter };
	parse_options(&o, argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);

	strcpy(directory, "/tmp/simrun.XXXXXX");
	if (!mkdtemp(directory))
		simrun_die("mkdtemp");
	snprintf(path, sizeof path, "%s/socket", directory);
	listener = mon_listen(path, &err);
	if (listener < 0)
		simrun_die(err.text);
	pid = start(o.command);
	p = await_peer(listener, pid, o.seconds, &status);
	if (p) {
		printf("process executable=%s rank=%d\n", mon_peer_executable(p), mon_peer_rank(p));
		phase_resolve(&o, p);
		if (o.want.nvariants)
			slot = request_varied(&o, p);
		else if (!o.no_request && (slot = mon_peer_request(p, &o.want, &err)) < 0)
			simrun_die(err.text);
		if (!o.want.nvariants && mon_peer_welcome(p, &o.setup, &err))
			simrun_die(err.text);
		fflush(stdout);
		watch(&o, p, slot);
		printf("end begun=%" PRIu64 " finished=%" PRIu64 " exiting=%d threads=%u foreign=%"
			PRIu64 " overflow=%" PRIu64 "\n", mon_peer_begun(p), mon_peer_finished(p),
			mon_peer_exiting(p), mon_peer_threads(p), mon_peer_foreign(p),
			mon_peer_overflow(p));
		wrong = violations(p);
		mon_peer_free(p);
		waitpid(pid, &status, 0);
	}
	close(listener);
	tidy();
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return wrong && !WEXITSTATUS(status) ? 5 : WEXITSTATUS(status);
}
