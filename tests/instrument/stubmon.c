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
 *         groups KIND[SIZE]:DEPENDENCE ...       (a group of several: MANY[NUMBER])
 *         lines LINE ...                         (of each group)
 * With STUB_IDLE=1 nothing is measured and no region is the phase: no hook is to be called.
 * STUB_PHASE=REGION:FIRST:COUNT records from the FIRST execution (from 0) of that region of the
 * first unit on, COUNT executions, as the monitor would.
 * STUB_NATIVE=1 together with it: these executions are not recorded, and subroutines run natively in
 * them.
 * STUB_TOGGLE=1 turns recording on or off, by no rule, at every boundary of any region. */
#include <inttypes.h>
#include <stdarg.h>
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
#include "base/tables.h"

#define MAXREGIONS 65536
#define WORDS 4096
#define DESCRIPTOR (1u << 17)

struct counts {
	long enter, exit, begin, next, end, end_header;
};
static struct counts counts[MAXREGIONS];
static struct psc_unit *units;
static uint32_t nregions;
static bool toggle;
static unsigned seed = 1;
static long loads, stores, bytes_read, bytes_written, flushes, forks, segments, loops, words;
static long waits, barriers;
static _Thread_local struct psc_unit *waiting_in;
static long bind_count[1024];
static uint64_t bind_size[1024];
static const void *bind_address[1024];

int __psc_recording, __psc_live;
__thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));
static __thread uint64_t *buffer;
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
	add(kind & 1 ? &stores : &loads, 1);
	add(kind & 1 ? &bytes_written : &bytes_read, size);
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
		copy = !whole && *g & PSC_GROUP_COPY;
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
		fprintf(stderr, " %s[%u]:%s", many ? "many" : kinds[PSC_ACCESS_KIND(*g)],
			many ? PSC_MANY_N(*g) : PSC_ACCESS_SIZE(*g),
			dependences[PSC_GROUP_DEPENDENCE(*g)]);
		g += many ? 3 + PSC_MANY_N(*g) : 1;
	}
	fputs(" lines", stderr);
	for (unsigned k = 0; k < seg->ngroups; k++)
		fprintf(stderr, " %u", g[k]);
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
	uint64_t count = loop ? *w++ : 1;

	if (!(tag & PSC_REC_PACKED) || !(tag & PSC_REC_LINES))
		complain("unknown tag");
	if (!tables_segment(packed, packed + (1 << 18), tag, unpacked, DESCRIPTOR))
		complain("a packed descriptor is wrong");
	if (getenv("STUB_DESCRIBE") && !described(packed))
		describe(seg, loop);
	add(loop ? &loops : &segments, 1);
	add(&words, seg->nwords + (loop ? 2 : 1));
	for (uint64_t i = 0; i < count; i++)
		replay_iteration(seg, w, i, i + 1 == count, loop, trace);
	return w + seg->nwords;
}

static void drain(void)
{
	bool trace = getenv("STUB_TRACE") != NULL;

	if (buffer && psc_cur > buffer + WORDS + PSC_SLACK_WORDS)
		complain("no room was asked for");
	for (const uint64_t *w = buffer; buffer && w < psc_cur;)
		w = replay(w, trace);
}

/* A handler that came while records are replayed would find the buffer full still, and replay them again: with a
 * timer without end. */
void __psc_flush(void)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (!buffer)
		buffer = pages((WORDS + PSC_SLACK_WORDS) * sizeof *buffer);
	else
		drain();
	add(&flushes, 1);
	psc_cur = buffer;
	psc_end = buffer + WORDS;
	sigprocmask(SIG_SETMASK, &before, NULL);
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
	units = unit;
	__psc_live = getenv("STUB_IDLE") == NULL;
	memset(unit->phase, __psc_live ? 255 : 0, sizeof unit->phase);
	memset(unit->iterates, __psc_live ? 255 : 0, sizeof unit->iterates);
	memset(unit->marks, __psc_live ? 255 : 0, sizeof unit->marks);
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

/* The answer changes by no rule where recording does. */
uint32_t __psc_deep(void)
{
	static _Thread_local unsigned asked;

	return toggle && ++asked % 3 == 0;
}

uint64_t __psc_landing(void)
{
	return (uint64_t)depth + 1;
}

void __psc_landed(struct psc_unit *unit, uint32_t region, uint64_t token)
{
	int d = depth;

	of(unit, region);
	while (d > 0 && d <= 1000 && stack[d - 1] != unit->base + region)
		d--;
	depth = token ? (int)token - 1 : d ? d : depth;
}

uint64_t __psc_signal_begin(const void *from)
{
	return from ? 1 : 0;
}

void __psc_signal_end(uint64_t token)
{
	if (token != 1)
		complain("a signal's token is another's");
}

static void run_natively(bool native)
{
	for (struct psc_unit *u = units; u; u = u->next)
		for (uint32_t i = 0; i < u->nregions; i++)
			PSC_UNIT_MARKS(u)[i].marked = !native;
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

static const struct psc_mark *known(const struct psc_mark *m)
{
	if (!m->unit || m != &PSC_UNIT_MARKS(m->unit)[m->index])
		complain("a mark is wrong");
	return m;
}

/* What a hook leaves behind. */
static void room(void)
{
	if (psc_cur >= psc_end)
		__psc_flush();
}

void __psc_mark_enter(struct psc_mark *m)
{
	__psc_enter(known(m)->unit, m->index);
	room();
}

void __psc_mark_exit(struct psc_mark *m)
{
	__psc_exit(known(m)->unit, m->index);
	room();
}

void __psc_mark_step(struct psc_mark *m)
{
	__psc_mark_exit(m);
	__psc_mark_enter(m + 1);
}

uint64_t __psc_mark_fork(struct psc_mark *m)
{
	uint64_t token = __psc_fork(known(m)->unit, m->index);

	room();
	return token;
}

void __psc_mark_team(struct psc_mark *m, uint64_t token)
{
	__psc_team_enter(known(m)->unit, m->index, token);
	room();
}

void __psc_mark_begin(struct psc_mark *m)
{
	__psc_phase_begin(known(m)->unit, m->index);
	room();
}

uint64_t __psc_fork_begin(struct psc_mark *m)
{
	__psc_mark_begin(m);
	return __psc_mark_fork(m);
}

void __psc_mark_call(struct psc_mark *m)
{
	__psc_phase_call(known(m)->unit, m->index);
	room();
}

void __psc_mark_next(struct psc_mark *m)
{
	__psc_phase_next(known(m)->unit, m->index);
	room();
}

void __psc_mark_end(struct psc_mark *m)
{
	__psc_phase_end(known(m)->unit, m->index, 0);
	room();
}

void __psc_mark_void(struct psc_mark *m)
{
	__psc_phase_end(known(m)->unit, m->index, 1);
	room();
}

void __psc_sub_begin(struct psc_mark *m)
{
	__psc_mark_begin(m);
	__psc_mark_enter(m);
}

void __psc_sub_end(struct psc_mark *m)
{
	__psc_mark_exit(m);
	__psc_mark_end(m);
}

void __psc_loop_begin(struct psc_mark *m)
{
	__psc_mark_enter(m);
	__psc_mark_begin(m);
}

void __psc_loop_end(struct psc_mark *m)
{
	__psc_mark_end(m);
	__psc_mark_exit(m);
}

void __psc_loop_void(struct psc_mark *m)
{
	__psc_mark_void(m);
	__psc_mark_exit(m);
}

void __psc_mark_wait(struct psc_mark *m)
{
	__psc_wait(known(m)->unit, m->index);
	room();
}

void __psc_mark_barrier(struct psc_mark *m)
{
	__psc_barrier(known(m)->unit, m->index);
	room();
}

/* The regions inside were not left by themselves. */
void __psc_mark_close(struct psc_mark *m)
{
	uint32_t region = known(m)->unit->base + m->index;
	int inside = 0;

	while (depth > 0 && depth <= 1000 && stack[depth - 1] != region) {
		add(&counts[stack[--depth]].exit, 1);
		inside++;
	}
	if (depth <= 1000 && (!inside || depth == 0))
		complain("nothing inside is to be closed");
	__psc_mark_exit(m);
}

void __psc_sub_close(struct psc_mark *m)
{
	__psc_mark_close(m);
	__psc_mark_end(m);
}

static void bind_all(const struct psc_mark *m, va_list addresses)
{
	const struct psc_dummy *d = known(m)->unit->dummies;

	for (uint32_t i = m->dummy; i < m->unit->ndummies && d[i].region == m->index; i++)
		if (d[i].size != PSC_SIZE_TOLD)
			__psc_bind(m->unit, i, va_arg(addresses, const void *), d[i].size);
}

void __psc_bind_all(struct psc_unit *unit, uint32_t region, ...)
{
	va_list addresses;

	va_start(addresses, region);
	bind_all(&PSC_UNIT_MARKS(unit)[region], addresses);
	va_end(addresses);
}

void __psc_mark_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}

void __psc_enter_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	__psc_mark_enter(m);
	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}

void __psc_sub_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	__psc_sub_begin(m);
	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}

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

	if (!out)
		return;
	drain();
	for (const struct psc_unit *u = units; u; u = u->next)
		report_unit(out, u);
	fprintf(out, "waits %ld barriers %ld\n", waits, barriers);
	fprintf(out, "loads %ld stores %ld bytes-read %ld bytes-written %ld flushes %ld\n", loads,
		stores, bytes_read, bytes_written, flushes);
	fprintf(out, "words %ld segments %ld loops %ld\n", words, segments, loops);
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
