/* SPDX-License-Identifier: BSD-3-Clause */
/* A monitor that only counts, to test the code that the plugin emits.  At the end it writes to
 * the file STUB_OUT (nothing when unset), sorted so that two runs can be compared:
 *     region INDEX enter N exit N phases N     (phases: executions, void ones taken off)
 *     var NAME SCOPE KIND SIZE ELEM LINE REGION
 *     bind NAME SIZE COUNT                     (of the last call)
 *     loads N stores N bytes-read N bytes-written N flushes N
 *     waits N barriers N
 *     words N segments N loops N               (of the records)
 *     depth N                                  (of the main thread's region stack at the end)
 * With STUB_RECORD=1 the recording clones run; STUB_TRACE=1 writes each access,
 * a loop's iteration by iteration; STUB_DESCRIBE=1 writes the descriptor of each record once:
 *     describe LINE loop|segment statements N throughput N carried N chain N mispredicts N flags N
 *         groups KIND[SIZE]:DEPENDENCE ...       (a group of several: MANY[NUMBER]; of locks: lock-KIND)
 *         lines LINE ...                         (of each group; -LINE: of a function without a context)
 *     call LINE                                  (each PSC_REC_CALL)
 * With STUB_IDLE=1 nothing is measured and no region is the phase: no hook is to be called.
 * STUB_PHASE=REGION:FIRST:COUNT records from the FIRST execution (from 0) of that region of the
 * first unit on, COUNT executions, as the monitor would.
 * STUB_NATIVE=1 together with it: these executions are not recorded, and subroutines run natively in
 * them.
 * STUB_TOGGLE=1 turns recording on or off, by no rule, at every boundary of any region. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Nothing that the program may have under the same name, and record, is called while records are read. */
static size_t length_of(const char *text)
{
	const char *end = text;

	while (*end)
		end++;
	return (size_t)(end - text);
}
#define strlen(text) length_of(text)

#include "base/abi.h"
#include "base/from_kernel.h"
#include "base/unit_tables.h"

#define MAXREGIONS 65536
#define WORDS 4096
#define DESCRIPTOR (1u << 17)

struct counts {
	long enter, exit, begin, next, end, end_header;
};
static struct counts counts[MAXREGIONS];
static struct psc_unit *units;
static uint32_t nregions;
static bool toggle, tracing, describing;
static unsigned seed = 1;
static long flushes, forks;
static struct recorded {
	long loads, stores, bytes_read, bytes_written, segments, loops, words;
} recorded;
static __thread struct recorded drained;        /* of one buffer, not in `recorded` yet */
static long waits, barriers;
static _Thread_local struct psc_unit *waiting_in;
static long bind_count[1024];
static uint64_t bind_size[1024];
static const void *bind_address[1024];

int __psc_recording, __psc_live;
__thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));
static __thread uint64_t *buffer;
/* A signal handler that interrupts the code in a record must not write behind it: each depth of
 * handlers has a buffer.  `cur` and `end` are those of the interrupted code. */
enum { HANDLERS = 256 };
struct handler {
	uint64_t *words, *cur, *end;
};
static __thread struct handler *handlers;
static __thread unsigned running;       /* handlers that have begun and not ended */
static __thread int depth, called;
static __thread uint32_t stack[1000];

static void add(long *counter, long n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/* What an address means, so that traces of two builds can be compared. */
static void trace_access(unsigned kind, unsigned line, long size, uint64_t address)
{
	const char *what = kind & 1 ? "store" : "load";

	for (const struct psc_unit *u = units; u; u = u->next)
		for (uint32_t i = 0; i < u->nvars; i++) {
			uint64_t offset = address - (uint64_t)(uintptr_t)u->vars[i].address;

			if (offset < u->vars[i].size) {
				fprintf(stderr, "%s size %ld line %u %s+%" PRIu64 "\n", what, size, line,
					u->vars[i].name, offset);
				return;
			}
		}
	fprintf(stderr, "%s size %ld line %u other\n", what, size, line);
}

static void one_access(unsigned kind, const struct psc_segment *seg, long size, uint64_t address,
	bool trace)
{
	if (trace)
		trace_access(kind, seg->line, size, address);
	*(kind & 1 ? &drained.stores : &drained.loads) += 1;
	*(kind & 1 ? &drained.bytes_written : &drained.bytes_read) += size;
}

static void complain(const char *what)
{
	fprintf(stderr, "stubmon: %s\n", what);
	abort();
}

/* Not by malloc(), which may be the program's and recorded. */
static void *pages(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		complain("no memory");
	return p;
}

/* One group of a record: `g` at its descriptor, `w` at its words, both moved on. */
static void replay_group(const struct psc_segment *seg, const uint32_t **g, const uint64_t **w,
	uint64_t moved, bool skip, bool trace, unsigned *n)
{
	uint32_t bits = *(*g)++, sum[4] = { 0 }, want[2];
	uint64_t address = *(*w)++ + moved;
	long size;

	if (!(bits & PSC_GROUP_MANY)) {
		size = PSC_ACCESS_SIZE(bits);
		if (size == 0)
			size = (long)*(*w)++;
		if (!skip && address != moved)
			one_access(PSC_ACCESS_KIND(bits), seg, size, address, trace);
		++*n;
		return;
	}
	want[PSC_LOAD] = *(*g)++;
	want[PSC_STORE] = *(*g)++;
	for (unsigned i = 0; i < PSC_MANY_N(bits); i++) {
		uint32_t m = *(*g)++;

		if (PSC_MEMBER_OFFSET(m) + PSC_MEMBER_SIZE(m) > PSC_MANY_SPAN(bits))
			complain("a member lies outside its group");
		sum[PSC_ACCESS_KIND(m)] += 1u << 16 | PSC_MEMBER_SIZE(m);
		if (!skip && address != moved)
			one_access(PSC_ACCESS_KIND(m), seg, PSC_MEMBER_SIZE(m),
				address + PSC_MEMBER_OFFSET(m), trace);
		++*n;
	}
	if (sum[PSC_LOAD] != want[PSC_LOAD] || sum[PSC_STORE] != want[PSC_STORE] ||
	    PSC_MANY_SPAN(bits) > PSC_GROUP_SPAN)
		complain("a group's sums are wrong");
}

static void replay_iteration(const struct psc_segment *seg, const uint64_t *w, uint64_t i, bool last,
	bool loop, bool trace)
{
	const uint32_t *g = PSC_SEGMENT_GROUPS(seg), *gend = g + seg->length;
	const uint64_t *end = w + seg->nwords;
	unsigned n = 0;
	bool copy = false;

	for (unsigned k = 0; k < seg->ngroups; k++) {
		int32_t step = loop ? (int32_t)*g++ : 0;
		uint64_t by = step == PSC_STEP_WORD ? w[1] : (uint64_t)(int64_t)step;
		uint64_t address = w[0];
		const uint64_t *at = &address;
		bool tail = loop && *g & PSC_GROUP_TAIL;
		bool whole = *g & PSC_GROUP_MANY;

		if (copy && (whole || PSC_ACCESS_KIND(*g) != PSC_STORE_RANGE))
			complain("a copy has one half");
		copy = !whole && *g & PSC_GROUP_COPY && PSC_ACCESS_KIND(*g) >= PSC_LOAD_RANGE;
		if (*g & PSC_GROUP_COPY && !copy && !loop)
			complain("plain accesses of a copy outside of a loop");
		if (copy && PSC_ACCESS_KIND(*g) != PSC_LOAD_RANGE)
			complain("a copy that does not begin with a load");
		replay_group(seg, &g, loop ? &at : &w, i * by, tail && last, trace, &n);
		if (loop)
			w += step == PSC_STEP_WORD ? 2 : 1;
	}
	if (w != end || g != gend || n != seg->naccess || copy)
		complain("a descriptor does not add up");
}

/* Remembers as many descriptors as tests have. */
static bool described(const void *packed)
{
	static const void *known[1024];
	unsigned n = 0;

	while (n < 1024 && known[n] && known[n] != packed)
		n++;
	if (n < 1024 && known[n])
		return true;
	if (n < 1024)
		known[n] = packed;
	return false;
}

static void describe(const struct psc_segment *seg, bool loop)
{
	static const char *const dependences[] = { "none", "branch", "control", "chained" };
	static const char *const kinds[] = { "load", "store", "load-range", "store-range" };
	const uint32_t *g = PSC_SEGMENT_GROUPS(seg);
	const struct psc_work *w = &seg->work;

	fprintf(stderr, "describe %u %s statements %u throughput %u carried %u chain %u mispredicts %u "
		"flags %u groups", seg->line, loop ? "loop" : "segment", w->statements, w->throughput,
		w->carried, w->chain, w->mispredicts, w->flags);
	for (unsigned k = 0; k < seg->ngroups; k++) {
		bool many;

		g += loop;
		many = *g & PSC_GROUP_MANY;
		fprintf(stderr, " %s%s[%u]:%s", *g & PSC_GROUP_LOCK ? "lock-" : "", many ? "many" : kinds[PSC_ACCESS_KIND(*g)],
			many ? PSC_MANY_N(*g) : PSC_ACCESS_SIZE(*g),
			dependences[PSC_GROUP_DEPENDENCE(*g)]);
		g += many ? 3 + PSC_MANY_N(*g) : 1;
	}
	fputs(" lines", stderr);
	for (unsigned k = 0; k < seg->ngroups; k++)
		fprintf(stderr, " %s%u", g[k] & PSC_LINE_OF_CALLEE ? "-" : "", g[k] & ~PSC_LINE_OF_CALLEE);
	fputc('\n', stderr);
}

/* A thread's room for one: not thread-local storage, which a small stack has no room for. */
static uint32_t *room_for_descriptors(void)
{
	static _Thread_local uint32_t *room;

	if (!room)
		room = pages(DESCRIPTOR * sizeof *room);
	return room;
}

static const uint64_t *replay(const uint64_t *w, bool trace)
{
	unsigned tag = PSC_REC_TAG(*w);
	uint32_t *unpacked = room_for_descriptors();
	const unsigned char *packed = (const unsigned char *)(*w++ - tag);
	const struct psc_segment *seg = (const struct psc_segment *)(void *)unpacked;
	const bool loop = tag & PSC_REC_LOOP;
	uint64_t count;

	if (tag == PSC_REC_CONTEXT) {   /* of a call: the stub writes no contexts */
		if (describing)
			fprintf(stderr, "call %u\n", PSC_REC_CALL_LINE(w[-1]));
		return w;
	}
	count = loop ? *w++ : 1;
	if (!(tag & PSC_REC_PACKED) || !(tag & PSC_REC_LINES))
		complain("unknown tag");
	if (!tables_segment(packed, packed + (1 << 18), tag, unpacked, DESCRIPTOR))
		complain("a packed descriptor is wrong");
	if (describing && !described(packed))
		describe(seg, loop);
	*(loop ? &drained.loops : &drained.segments) += 1;
	drained.words += seg->nwords + (loop ? 2 : 1);
	for (uint64_t i = 0; i < count; i++)
		replay_iteration(seg, w, i, i + 1 == count, loop, trace);
	return w + seg->nwords;
}

static uint64_t *new_buffer(void)
{
	return pages((WORDS + PSC_SLACK_WORDS) * sizeof *buffer);
}

static void sum_up(void)
{
	add(&recorded.loads, drained.loads);
	add(&recorded.stores, drained.stores);
	add(&recorded.bytes_read, drained.bytes_read);
	add(&recorded.bytes_written, drained.bytes_written);
	add(&recorded.segments, drained.segments);
	add(&recorded.loops, drained.loops);
	add(&recorded.words, drained.words);
	drained = (struct recorded){ 0 };
}

/* Replays what was recorded from `from` on.  Signals are blocked. */
static void drain(const uint64_t *from)
{
	if (from && psc_cur > from + WORDS + PSC_SLACK_WORDS)
		complain("no room was asked for");
	for (const uint64_t *w = from; from && w < psc_cur;)
		w = replay(w, tracing);
	sum_up();
	if (tracing)
		fflush(stderr);
}

/* What the environment asks for.  Traces have a line for each access: one system call for many of them. */
static void prepare_traces(void)
{
	static char lines[1 << 16];

	tracing = getenv("STUB_TRACE") != NULL;
	describing = getenv("STUB_DESCRIBE") != NULL;
	if (tracing)
		setvbuf(stderr, lines, _IOFBF, sizeof lines);
}

static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

/* A handler that came while records are replayed would find the buffer full still, and replay them again: with a
 * timer without end. */
void __psc_flush(void)
{
	uint64_t **own;
	sigset_t before;

	block_signals(&before);
	own = running ? &handlers[running - 1].words : &buffer;
	if (!*own)
		*own = new_buffer();
	else
		drain(*own);
	add(&flushes, 1);
	psc_cur = *own;
	psc_end = *own + WORDS;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The outermost n handlers stay: replays what the others recorded, and goes on where they interrupted. */
static void leave_handlers(unsigned n)
{
	sigset_t before;

	block_signals(&before);
	while (running > n) {
		const struct handler *h = &handlers[running - 1];

		drain(h->words);
		psc_cur = h->cur;
		psc_end = h->end;
		running--;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* STUB_OPEN=REGION: the begin and the end of that region alone are called, as of a loop of brief
 * iterations that may be the phase. */
static void open_alone(struct psc_unit *unit)
{
	const char *text = getenv("STUB_OPEN");
	unsigned region = text ? (unsigned)atoi(text) : 0;

	if (!text)
		return;
	memset(unit->phase, 0, sizeof unit->phase);
	memset(unit->iterates, 0, sizeof unit->iterates);
	memset(unit->marks, 0, sizeof unit->marks);
	unit->phase[PSC_PHASE_BYTE(region)] = (uint8_t)PSC_PHASE_BIT(region);
}

void __psc_unit_start(struct psc_unit *unit, const struct psc_tables *tables)
{
	if (tables->abi != PSC_ABI_VERSION)
		complain("another ABI");
	unit->abi = tables->abi;
	unit->hash = tables->hash;
	unit->tables = tables;
	tables_read(unit, tables, malloc(tables_size(tables) + 1));
	tables_marks(unit);
	unit->base = nregions;
	unit->registered = 1;
	nregions += unit->nregions;
	unit->next = units;
	if (!units)
		prepare_traces();
	units = unit;
	__psc_live = getenv("STUB_IDLE") == NULL;
	memset(unit->phase, __psc_live ? 255 : 0, sizeof unit->phase);
	memset(unit->iterates, __psc_live ? 255 : 0, sizeof unit->iterates);
	memset(unit->marks, __psc_live ? 255 : 0, sizeof unit->marks);
	open_alone(unit);
	__psc_recording = getenv("STUB_RECORD") != NULL;
	toggle = getenv("STUB_TOGGLE") != NULL;
	__psc_heap = getenv("STUB_HEAP") != NULL;
}

static struct counts *of(const struct psc_unit *unit, uint32_t region)
{
	if (region >= unit->nregions || unit->base + region >= MAXREGIONS) {
		fprintf(stderr, "stubmon: region %u of %u\n", region, unit->nregions);
		abort();
	}
	return &counts[unit->base + region];
}

void __psc_enter(struct psc_unit *unit, uint32_t region)
{
	add(&of(unit, region)->enter, 1);
	if (depth < 1000)
		stack[depth] = unit->base + region;
	depth++;
}

/* Heals what an exception left: leaves until the region itself is left. */
void __psc_exit(struct psc_unit *unit, uint32_t region)
{
	int d = depth;

	add(&of(unit, region)->exit, 1);
	while (d > 0 && d <= 1000 && stack[d - 1] != unit->base + region)
		d--;
	if (d == 0)
		fprintf(stderr, "stubmon: exit of region %u, which was not entered\n", region);
	else
		depth = d - 1;
}

uint64_t __psc_fork(struct psc_unit *unit, uint32_t region)
{
	add(&forks, 1);
	return (uint64_t)region << 32 | (uint32_t)(uintptr_t)unit;
}

void __psc_team_enter(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	if (token != ((uint64_t)region << 32 | (uint32_t)(uintptr_t)unit))
		fprintf(stderr, "stubmon: region %u got another's token\n", region);
	waiting_in = NULL;      /* a cancelled construct's barriers are left on another way */
	__psc_enter(unit, region);
}

void __psc_wait(struct psc_unit *unit, uint32_t region)
{
	of(unit, region);
	if (waiting_in)
		complain("a wait without its barrier");
	waiting_in = unit;
	add(&waits, 1);
}

void __psc_barrier(struct psc_unit *unit, uint32_t region)
{
	of(unit, region);
	waiting_in = NULL;
	add(&barriers, 1);
}

void __psc_waited(struct psc_unit *unit, uint32_t region)
{
	of(unit, region);
	waiting_in = NULL;
}

/* The answer changes by no rule where recording does. */
uint32_t __psc_deep(void)
{
	static _Thread_local unsigned asked;

	return toggle && ++asked % 3 == 0;
}

uint64_t __psc_landing(void)
{
	return (uint64_t)running << 32 | ((unsigned)depth + 1);
}

void __psc_landed(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	int d = depth;

	of(unit, region);
	if (token)
		leave_handlers((unsigned)(token >> 32));
	while (d > 0 && d <= 1000 && stack[d - 1] != unit->base + region)
		d--;
	depth = token ? (int)(uint32_t)token - 1 : d ? d : depth;
}

#define SIGNAL_TOKEN (UINT64_C(1) << 32)       /* plus the handler's depth; 0: the program called it */

uint64_t __psc_signal_begin(const void *from)
{
	unsigned mine;
	struct handler *h;

	if (!from || !from_kernel(from))
		return from ? SIGNAL_TOKEN : 0;
	mine = ++running;       /* first: a handler that interrupts this takes the next depth */
	atomic_signal_fence(memory_order_seq_cst);
	if (mine > HANDLERS)
		complain("handlers interrupt each other without end");
	if (!handlers)
		handlers = pages(HANDLERS * sizeof *handlers);
	h = &handlers[mine - 1];
	h->cur = psc_cur;
	h->end = psc_end;
	if (!h->words)
		h->words = new_buffer();
	psc_cur = h->words;
	psc_end = h->words + WORDS;
	return SIGNAL_TOKEN | mine;
}

void __psc_signal_end(uint64_t token)
{
	if (token >> 32 != SIGNAL_TOKEN >> 32)
		complain("a signal's token is another's");
	if ((uint32_t)token)
		leave_handlers((uint32_t)token - 1);
}

static void run_natively(bool native)
{
	for (struct psc_unit *u = units; u; u = u->next)
		for (uint32_t i = 0; i < u->nregions; i++)
			psc_unit_marks(u)[i].marked = !native;
}

/* At the boundaries of the region that STUB_PHASE names. */
static void boundary(const struct psc_unit *unit, uint32_t region, bool begins, bool ends)
{
	static unsigned phase, first, count, executions, depth_in;
	static int parsed;
	bool in_window;

	if (!parsed) {
		const char *text = getenv("STUB_PHASE");

		parsed = text && sscanf(text, "%u:%u:%u", &phase, &first, &count) == 3 ? 1 : -1;
	}
	if (toggle) {
		seed = seed * 1103515245 + 12345;
		__psc_recording = seed >> 16 & 1;
		return;
	}
	if (parsed < 0 || unit->base || region != phase)
		return;
	if (begins != ends)
		depth_in += begins ? 1u : -1u;
	if (depth_in > 1 || (ends && depth_in == 1 && !begins))
		return;         /* recursion: one execution */
	if (begins)
		executions++;
	in_window = begins && executions > first && executions <= first + count;
	if (getenv("STUB_NATIVE"))
		run_natively(in_window);
	else
		__psc_recording = in_window;
}

void __psc_phase_begin(struct psc_unit *unit, uint32_t region)
{
	if (called) {
		called = 0;
		return;
	}
	boundary(unit, region, true, false);
	add(&of(unit, region)->begin, 1);
}

/* What it begins, __psc_phase_begin() of the clone does not begin again. */
void __psc_phase_call(struct psc_unit *unit, uint32_t region)
{
	__psc_phase_begin(unit, region);
	called = __psc_recording;
}

void __psc_phase_next(struct psc_unit *unit, uint32_t region)
{
	add(&of(unit, region)->next, 1);
	boundary(unit, region, true, true);
}

void __psc_phase_end(struct psc_unit *unit, uint32_t region, uint32_t from_header)
{
	add(&of(unit, region)->end, 1);
	boundary(unit, region, false, true);
	add(&of(unit, region)->end_header, from_header);
}

#include "tests/instrument/stub_marks.h"

void __psc_bind(struct psc_unit *unit, uint32_t dummy, const void *address, uint64_t size)
{
	(void)unit;
	if (dummy < 1024) {
		bind_count[dummy]++;
		bind_size[dummy] = size;
		bind_address[dummy] = address;
	}
}

void __psc_bind_descriptor(struct psc_unit *unit, uint32_t dummy, const void *descriptor)
{
	__psc_bind(unit, dummy, descriptor, UINT64_MAX);
}

int __psc_heap;
char __psc_critical_lock[128], __psc_atomic_lock[128];
static long allocated, released, scopes;

void __psc_allocated(struct psc_site *site, const void *block, uint64_t count, uint64_t size)
{
	if (block && count * size)
		add(&allocated, 1);
	if (getenv("STUB_SITES"))
		fprintf(stderr, "site %s scope %s line %u elem %u flags %u bytes %" PRIu64 "\n",
			site->name ? site->name : "-", site->scope ? site->scope : "-", site->line,
			site->elem, site->flags, count * size);
}

void __psc_released(const void *block)
{
	if (block)
		add(&released, 1);
}

uint64_t __psc_scope_begin(struct psc_site *site)
{
	add(&scopes, 1);
	if (getenv("STUB_SITES"))
		fprintf(stderr, "scope %s line %u flags %u\n", site->name ? site->name : "-",
			site->line, site->flags);
	return (uint64_t)scopes;
}

void __psc_scope_end(uint64_t outer)
{
	if (outer != (uint64_t)scopes)
		scopes = (long)outer;
	scopes--;
}

static void report_unit(FILE *out, const struct psc_unit *u)
{
	fprintf(out, "unit %s abi %u regions %u\n", u->source, u->abi, u->nregions);
	for (uint32_t i = 0; i < u->nregions && u->base + i < MAXREGIONS; i++) {
		const struct counts *c = &counts[u->base + i];

		if (c->begin + c->enter + c->exit)
			fprintf(out, "region %u enter %ld exit %ld phases %ld\n", i, c->enter, c->exit,
				c->next + c->end - c->end_header);
	}
	for (uint32_t i = 0; i < u->nvars; i++) {
		const struct psc_var *v = &u->vars[i];

		fprintf(out, "var %s %s kind %u size %" PRIu64 " elem %u line %u region %d\n", v->name,
			v->scope ? v->scope : "-", v->kind, v->size, v->elem, v->line, (int)v->region);
	}
	for (uint32_t i = 0; i < u->ndummies && i < 1024; i++)
		if (bind_count[i])
			fprintf(out, "bind %s size %" PRId64 " count %ld\n", u->dummies[i].name,
				(int64_t)bind_size[i], bind_count[i]);
}

static void report(void)
{
	const char *path = getenv("STUB_OUT");
	FILE *out = path ? fopen(path, "w") : NULL;
	sigset_t before;

	if (!out)
		return;
	leave_handlers(0);      /* one may have called exit() */
	block_signals(&before);
	drain(buffer);
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (const struct psc_unit *u = units; u; u = u->next)
		report_unit(out, u);
	fprintf(out, "waits %ld barriers %ld\n", waits, barriers);
	fprintf(out, "loads %ld stores %ld bytes-read %ld bytes-written %ld flushes %ld\n", recorded.loads,
		recorded.stores, recorded.bytes_read, recorded.bytes_written, flushes);
	fprintf(out, "words %ld segments %ld loops %ld\n", recorded.words, recorded.segments, recorded.loops);
	fprintf(out, "depth %d\n", depth);
	if (__psc_heap)
		fprintf(out, "allocated %ld released %ld scopes open %ld\n", allocated, released, scopes);
	fclose(out);
}

/* When main and all static objects are done. */
__attribute__((destructor(101))) static void finish(void)
{
	static bool done;

	if (!done)
		report();
	done = true;
}

void __psc_unit_unregister(struct psc_unit *unit)
{
	(void)unit;
}
