/* SPDX-License-Identifier: BSD-3-Clause */
/* A node agent whose application writes what it likes over the memory they share.
 *
 * Both are in this process: node.c with all that it uses, and an application that answers requests as a
 * monitor would.  The input says which words are overwritten, before or after which turn, with what. */
#include "config.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agents/node.h"
#include "analysis/trials/actions.h"
#include "asl/asl.h"
#include "base/log.h"
#include "monitor/shared/socket_path.h"
#include "monitor/client/mon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TURNS = 12, HASH = 7, NCONTEXTS = 6, NOBJECTS = MON_OBJ_FIRST + 3 };

#define AT(first, last) "<position startLine=\"" #first "\" endLine=\"" #last "\"><file name=\"a.f\"/></position>"
static const char structure[] =
	"<sir language=\"Fortran\" xmlns=\"http://www.lrr.in.tum.de/Periscope\"><source name=\"a.f\" hash=\"7\"/>"
	"<unit type=\"subroutine\" name=\"solve\" hash=\"7\" index=\"0\" hook=\"marker\">" AT(1, 50)
	"<codeRegion type=\"loop\" name=\"\" id=\"1-4\" index=\"1\" hook=\"marker phase\">" AT(4, 40)
	"<codeRegion type=\"parallelRegion\" name=\"\" id=\"1-6\" index=\"2\" hook=\"marker\">" AT(6, 39)
	"<codeRegion type=\"call\" name=\"sweep\" id=\"1-8\" index=\"3\" hook=\"marker\">" AT(8, 8) "</codeRegion>"
	"<codeRegion type=\"workshareLoop\" name=\"\" id=\"1-9\" index=\"4\" hook=\"marker\">" AT(9, 20) "</codeRegion>"
	"</codeRegion></codeRegion></unit>"
	"<unit type=\"subroutine\" name=\"sweep\" hash=\"7\" index=\"5\" hook=\"marker\">" AT(60, 90) "</unit></sir>";

/* --- what is the same in every run --------------------------------------------------------------- */

static char dir[32];
static struct run_config config;
static struct machine plain, many;      /* one that can be sampled, one with memory nodes */

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz_shm: %s\n", what);
	abort();
}

static void compile_properties(void)
{
	static const char *const names[] = { "model", "memory", "balance", "numa", "events" };
	enum { N = sizeof names / sizeof *names };
	const char *srcdir = getenv("srcdir"), *paths[N], *dirs[] = { NULL, NULL };
	char text[N][4300], library[4200];
	struct asl_program *p;

	snprintf(library, sizeof library, "%s/properties", srcdir ? srcdir : ".");
	for (int i = 0; i < N; i++) {
		snprintf(text[i], sizeof text[i], "%s/%s.asl", library, names[i]);
		paths[i] = text[i];
	}
	dirs[0] = library;
	p = asl_load(paths, N, dirs, NULL, 0, asl_diag_print, stderr);
	must(p, "the properties do not compile");
	asl_image_write(p, &config.program);
	asl_free(p);
}

static void clean_up(void)
{
	char path[64];

	snprintf(path, sizeof path, "%s/a.sir", dir);
	unlink(path);
	rmdir(dir);
}

static void read_machine(struct machine *m, const char *name)
{
	const char *srcdir = getenv("srcdir");
	struct err err = { "" };
	char path[4200];

	snprintf(path, sizeof path, "%s/machine/%s.xml", srcdir ? srcdir : ".", name);
	must(machine_read(m, path, &err) == 0, err.text);
}

static void prepare(void)
{
	char path[64];
	FILE *f;

	if (config.executable)
		return;
	log_setup("fuzz_shm", -1);
	run_config_init(&config);
	strcpy(dir, "/tmp/fuzz_shm_XXXXXX");
	must(mkdtemp(dir), "no directory");
	atexit(clean_up);
	snprintf(path, sizeof path, "%s/a.sir", dir);
	f = fopen(path, "w");
	must(f && fputs(structure, f) >= 0 && fclose(f) == 0, "no structure");
	config.command = strdup("a");
	config.directory = strdup("/");
	config.executable = strdup(path);
	config.socket_dir = strdup(dir);
	(void)!run_config_ask(&config, "all", false);
	config.recipes = strdup("page_faults = page-faults:u\nmajor_faults = major-faults:u\ncontext_switches = page-faults:u\n"
		"cycles = page-faults:u\ninstructions = minor-faults:u\n");
	config.nphase = 1;
	config.phase[0].hash = HASH;
	config.phase[0].index = 1;
	config.phase_region = 1;
	config.phase_by_time = true;
	config.what_if = calloc(1, sizeof *config.what_if);
	read_machine(&plain, "x86-server");
	read_machine(&many, "xeon-2s");
	compile_properties();
}

/* --- the application --------------------------------------------------------------------------------- */

struct application {
	int fd;
	struct mon_shm *shm;
	uint64_t executions;
	const uint8_t *at, *end;        /* of the input */
	bool alive;
};

static void fill_tables(struct mon_shm *m)
{
	static const char text[] = "\0a.f\0u\0rsd\0field\0v";
	static const struct mon_context contexts[NCONTEXTS] = { { MON_ANY, 0, 1, 0 }, { 0, 0, 2, 1 },
		{ 1, 0, 3, 2 }, { 2, 0, 5, 3 }, { 1, 0, 4, 2 }, { 0, 0, 5, 1 } };

	m->magic = MON_MAGIC;
	m->version = MON_VERSION;
	memcpy(m->strings, text, sizeof text);
	m->units[0] = (struct mon_unit){ HASH, 6, 1 };
	memcpy(m->contexts, contexts, sizeof contexts);
	for (uint32_t i = MON_OBJ_FIRST; i < NOBJECTS; i++)
		m->objects[i] = (struct mon_object){ 0x10000 * i, 60000, i % 2 ? 5 : 7, i % 2 ? 11 : 0, 0, MON_ANY,
			i, i % 2 ? MON_KIND_HEAP : 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i % 5,
			i % 2 ? 5 : 7, i % 3 ? i : MON_ANY, i % 4 ? i % 4 : MON_ANY, 0 };
	m->aliases[0] = (struct mon_alias){ 0, 5, MON_OBJ_FIRST, 17, 3 };
	atomic_store(&m->nstrings, sizeof text);
	atomic_store(&m->nunits, 1);
	atomic_store(&m->ncontexts, NCONTEXTS);
	atomic_store(&m->nobjects, NOBJECTS);
	atomic_store(&m->naliases, 1);
	atomic_store(&m->threads, 2);
	atomic_store(&m->placement, MON_PLACE_FAULTS);
}

static void connect_to(struct application *a, const char *path)
{
	struct mon_hello h = { .kind = MON_HELLO, .version = MON_VERSION, .pid = 42,
		.rank = config.ntries ? -1 : 0,         /* ranks try nothing */
		.bytes = sizeof *a->shm, .executable = "a" };
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct iovec v = { &h, sizeof h };
	union { struct cmsghdr align; char space[CMSG_SPACE(sizeof(int))]; } control;
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space,
		.msg_controllen = sizeof control.space };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int memory = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	must(memory >= 0 && ftruncate(memory, sizeof *a->shm) == 0 &&
		fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0, "no memory to share");
	a->shm = mmap(NULL, sizeof *a->shm, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	must(a->shm != MAP_FAILED, "no mapping");
	fill_tables(a->shm);
	strncpy(to.sun_path, path, sizeof to.sun_path - 1);
	a->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	must(connect(a->fd, (struct sockaddr *)&to, sizeof to) == 0, "no agent");
	memset(&control, 0, sizeof control);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory, sizeof memory);
	must(sendmsg(a->fd, &m, 0) == (ssize_t)sizeof h, "no hello");
	close(memory);
	a->alive = true;
}

static void leave(struct application *a)
{
	close(a->fd);
	munmap(a->shm, sizeof *a->shm);
}

static void answer_times(struct mon_shm *m, int slot, struct mon_request *r)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < r->executions; e++)
		for (uint32_t c = 0; c < NCONTEXTS; c++)
			for (uint32_t t = 0; t < 2; t++)
				m->times[slot][n++] = (struct mon_time_row){ .context = c,
					.thread = t, .execution = e, .wall_ns = 1000000000 >> c,
					.cpu_ns = 900000000 >> c, .wait_ns = 100000000 >> c,
					.calls = c + 1 };
	r->rows.times = n;
}

static void answer_counts(struct mon_shm *m, int slot, struct mon_request *r)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v <= r->nvariants && v <= MON_VARIANTS; v++)
		for (uint32_t c = 0; c < NCONTEXTS; c++)
			for (uint32_t o = 0; o < NOBJECTS; o++) {
				struct mon_count_row *row = &m->counts[slot][n++];

				*row = (struct mon_count_row){ .context = v ? 0 : c, .object = o,
					.thread = o % 2, .variant = v, .loads = 1000, .stores = 500,
					.bytes = 12000, .load_miss = { 900, 800, 700 - v },
					.store_miss = { 90, 80, 70 }, .fetched = { 990, 880, 770 } };
				row->false_sharing[1] = row->true_sharing[0] = o;
				row->served[0][0] = row->served[1][0] = 300;
				for (uint32_t g = 0; g < r->groups && g < MON_GROUPS; g++)
					for (int l = 0; l < MACHINE_LEVELS; l++)
						row->group[l][0][g] = row->group[l][1][g] = (float)(700 / r->groups);
			}
	r->rows.counts = n;
	n = 0;
	for (uint32_t o = MON_OBJ_FIRST; o < NOBJECTS; o++)
		m->lines[slot][n++] = (struct mon_line){ .object = o, .bytes = 64, .offset = 64 * o,
			.false_sharing = 10, .true_sharing = 20, .locks = 3, .nlocks = 1, .nthreads = 2, .thread = { 0, 1 },
			.read = { 1, 2 }, .written = { 2, 1 }, .in_block = { 64 * o, 64 * o }, .block = { 4096, 4096 },
			.used = { o, o } };
	r->rows.lines = n;
	n = 0;
	for (uint32_t c = 0; c < NCONTEXTS; c++)
		for (uint32_t o = 0; o < NOBJECTS; o++)
			for (uint32_t l = 0; l < 2; l++)
				m->sites[slot][n++] = (struct mon_site){ c, o, 10 * c * l, 0, 495, 385 };
	r->rows.sites = n;
}

/* One request in three cannot be done. */
static enum mon_state answer_events(struct mon_shm *m, int slot, struct mon_request *r)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < r->executions; e++)
		for (uint32_t c = 0; c < NCONTEXTS; c++)
			for (uint32_t k = 0; k < r->nevents && k < MON_EVENTS_MOST; k++)
				m->events[slot][n++] = (struct mon_event_row){ c, e % 2, k, e, 1000000, 100, 100 - c };
	r->rows.events = n;
	if (r->first % 3)
		return MON_DONE;
	r->reason = MON_DROP_EVENTS;
	r->failed_event = r->nevents / 2;
	r->failed_errno = r->first % 2 ? 22 : 13;
	return MON_DROPPED;
}

/* State B takes half of the time. */
static void answer_trial(struct mon_shm *m, int slot, struct mon_request *r)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < r->nschedule && s < MON_TRIAL_SLOTS; s++) {
		const struct mon_trial_slot *t = &r->schedule[s];
		const uint64_t ns = t->b ? 500000000 : 1000000000;

		if (t->discard)
			m->trials[slot][n++] = (struct mon_trial_row){ s, t->discard, t->discard * ns, t->discard * ns, 4096 };
		for (uint32_t i = 0; i < t->keep && n < MON_TRIAL_ROWS - 1; i++)
			m->trials[slot][n++] = (struct mon_trial_row){ s, 0, ns + i, ns, 4096 };
	}
	r->rows.trials = n;
}

/* As a monitor: whatever is asked for is measured at once. */
static void answer(struct application *a)
{
	struct mon_sample sample = { 0 };

	for (int slot = 0; slot < MON_SLOTS; slot++) {
		struct mon_request *r = &a->shm->request[slot];
		enum mon_state state = MON_DONE;
		uint64_t last;

		if (atomic_load(&r->state) != MON_READY)
			continue;
		r->executions = r->count < MON_EXECUTIONS ? r->count : MON_EXECUTIONS;
		r->ran_first = r->first + r->warm;
		last = r->ran_first + r->executions - 1;
		a->executions = last > a->executions ? last : a->executions;
		for (uint32_t e = 0; e < r->executions; e++) {
			r->phase_ns[e] = 1000000000;
			r->kernel[e] = (struct mon_kernel){ 700000000, 300000000, 4000, 1, 10, 20 };
		}
		if (r->kind == MON_SIM && mon_sample_of(&config.machine.flat, r->sample, &sample, NULL) == 0) {
			r->classes = sample.classes;
			r->sampled = sample.chosen;
			r->groups = sample.groups;
		}
		if (r->kind == MON_TIME)
			answer_times(a->shm, slot, r);
		else if (r->kind == MON_EVENTS)
			state = answer_events(a->shm, slot, r);
		else if (r->kind == MON_TRIAL)
			answer_trial(a->shm, slot, r);
		else
			answer_counts(a->shm, slot, r);
		r->records = 100000;
		atomic_store(&r->state, state);
	}
	atomic_store(&a->shm->phase_begun, a->executions);
	atomic_store(&a->shm->phase_finished, a->executions);
}

/* --- what it overwrites ------------------------------------------------------------------------------ */

/* One part of the memory, and how much of it: most of the rest never is looked at. */
static const struct { size_t from, bytes; } targets[] = {
#define PART(member, n) { offsetof(struct mon_shm, member), n }
	PART(magic, offsetof(struct mon_shm, units)), PART(detached, 512), PART(nunits, 64),
	PART(request, sizeof(struct mon_request)), PART(request[1], sizeof(struct mon_request)),
	PART(units, 64), PART(contexts, 64 * sizeof(struct mon_context)),
	PART(objects, 64 * sizeof(struct mon_object)), PART(aliases, 256), PART(strings, 64),
#define ROWS(name, row, ...) PART(name[0], 32 * sizeof(struct row)), PART(name[1], 32 * sizeof(struct row)),
#include "monitor/shared/result_rows.def"
#undef PART
};
enum { TARGETS = sizeof targets / sizeof *targets };

static uint64_t value(uint8_t which, uint64_t raw)
{
	static const uint64_t values[] = { 0, 1, UINT64_MAX, 0x7fffffff, UINT32_MAX, UINT64_C(1) << 63,
		UINT64_C(0x100000001), 2, 3, 8, 0x7f800000, 0x7fc00000, MON_CONTEXTS, MON_COUNT_ROWS };

	return which < sizeof values / sizeof *values ? values[which] : raw;
}

/* Eight bytes are one write: when; where; how wide; how far; what. */
static void scribble(struct application *a, int turn)
{
	for (const uint8_t *w = a->at; a->end - w >= 8; w += 8) {
		size_t far, width = w[2] & 16 ? 8 : 4;
		uint64_t v = value(w[2] & 15, (uint64_t)w[5] << 16 | (uint64_t)w[6] << 8 | w[7]);

		if (w[0] % TURNS != turn)
			continue;
		far = ((size_t)w[3] << 8 | w[4]) * 4 % targets[w[1] % TARGETS].bytes;
		if (far + width > targets[w[1] % TARGETS].bytes)
			continue;
		memcpy((char *)a->shm + targets[w[1] % TARGETS].from + far, &v, width);
	}
}

/* --- the run ------------------------------------------------------------------------------------------ */

static void write_all(struct report *r)
{
	struct report_style style = { .top = 0, .width = 80, .why_not = true };
	struct buf b = BUF_INIT;
	struct report *again;
	struct err err = { "" };
	FILE *f = fopen("/dev/null", "w");

	must(r, "no report");
	report_encode(r, &b);
	again = report_decode(b.data, b.len, &err);
	must(again, err.text);
	must(f && report_text(again, &style, f, &err) == 0, err.text);
	must(report_psc_write(again, "/dev/null", &err) == 0, err.text);
	fclose(f);
	report_free(again);
	buf_free(&b);
}

static void run(struct application *a, struct node_agent *n, struct report_sum *sum)
{
	struct progress progress;
	struct buf parts = BUF_INIT;
	struct report *r;

	for (int turn = 0; turn < TURNS && !node_finished(n); turn++) {
		node_step(n, 0);
		answer(a);
		scribble(a, turn);
		while (node_progress(n, &progress))
			;
	}
	close(a->fd);           /* it ends */
	a->fd = -1;
	node_step(n, 0);
	node_stop(n, NULL);
	must(node_finished(n), "not finished");
	app_parts_encode(node_parts(n), &parts);
	buf_free(&parts);
	must(node_report(n) == 0, "no report");
	r = report_sum_finish(sum);
	must(r && (!r->partial || !strstr(r->partial, "no instrumented process")), "the agent saw nobody");
	write_all(r);
	report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct application a = { 0 };
	struct err err = { "" };
	struct report_sum *sum;
	struct node_agent *n;
	char path[64];
	bool sampled;

	prepare();
	if (size < 1)
		return 0;
	sum = report_sum_new();
	sampled = data[0] % 128 == 1;    /* it takes thousands of evaluations to say how sure a verdict is */
	config.machine = sampled ? plain : many;
	config.sample = sampled ? 8 : 1;
	config.counters = data[0] & 2 ? 3 : 0;
	config.nwhat_if = data[0] & 4 ? 1 : 0;
	config.ntries = data[0] & 64 ? 1 : 0;
	config.tries[0].action = TRIED_MALLOC;
	config.why_not = (data[0] & 40) == 40;
	config.counted = data[0] & 16 ? 2 : 1;
	must(sum, "no memory");
	n = node_new(&config, 1, sum, &err);
	must(n, err.text);
	must(mon_socket_path(dir, path, sizeof path) == 0, "a path too long");
	a.at = data + 1;
	a.end = data + size;
	connect_to(&a, path);
	run(&a, n, sum);
	leave(&a);
	node_free(n);
	report_sum_free(sum);
	return 0;
}
