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
 *     --output FILE      instead of standard output, which the program has too
 * With PSC_CHECK in the environment the monitor checks its invariants; exit code 5: one does not hold.
 *
 * The `total` ends with what the machine has: lines written back from a level (w1=…), prefetched into
 * it / used (p1=…), TLB misses of loads / stores (t1=…).
 * Prints one line each: `process`, `phase`, `request`, `count`, `time`, `site`, `alias`, `total`, as
 * key=value words.  Ends as the program does; 125 when our own part fails. */
#include "config.h"
#include "monitor/client/mon.h"
#include "simulate/cache/sim.h"
#include "machine/machine.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
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

static void die(const char *what)
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
			die("too many levels");
		l->level = ++m->nlevels;
		l->size = size_of(end, &end);
		if (*end++ != '/')
			die("--levels size/ways/line,…");
		l->assoc = (uint32_t)strtoul(end, &end, 10);
		if (*end++ != '/')
			die("--levels size/ways/line,…");
		l->line = (uint32_t)strtoul(end, &end, 10);
		if (!l->assoc || !l->line)
			die("--levels: zero");
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
		die("--nodes");
	m->nodes.count = n;
	m->nodes.cpus = m->ncpus > n ? m->ncpus / n : 1;
}

static void parse_machine(struct machine_flat *flat, const char *file)
{
#ifdef SIMRUN_MACHINE
	struct machine m;
	struct err err;

	if (machine_read(&m, file, &err))
		die(err.text);
	*flat = m.flat;
#else
	(void)flat;
	(void)file;
	die("--machine: not built in");
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
			die(a);
	}
	if (i + 1 >= argc)
		die("no command");
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
		die("memory");
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
		die(file);
	base = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (base == MAP_FAILED)
		die(file);
	end = base + st.st_size;
	for (p = base; (p = memmem(p, (size_t)(end - p), PSC_SIR_PACKED, 8)); p += 8)
		if (line >= 0 || !s->nphase)
			phase_from_fragment(s, p, (size_t)(end - p), line);
	munmap((void *)(uintptr_t)base, (size_t)st.st_size);
	if (!s->nphase)
		die("no such phase in the executable");
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
				die("--phase hash:region | first | line:N");
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
	die("--variant: no such object");
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
			die("--variant NAME:FIX[=N]");
		v->object = object_named(p, o->changes[i], (size_t)(colon - o->changes[i]));
		v->parameter = fix[n] ? strtoull(fix + n + 1, NULL, 10) : 0;
	}
	o->want.variants = o->variant;
}

/* --- output ------------------------------------------------------------------------------------------ */

static void print_path(const struct mon_peer *p, uint32_t context)
{
	struct mon_context c;
	uint64_t hash;

	if (!mon_peer_context(p, context, &c, &hash)) {
		printf("?");
		return;
	}
	if (c.parent != MON_ANY) {
		print_path(p, c.parent);
		putchar('/');
	}
	printf("%u.%u", c.unit, c.region);
}

static void print_object(const struct mon_peer *p, uint32_t n)
{
	static const char *const causes[] = { "(stack)", "(heap)", "(image)", "(other)",
		"(small)" };
	const char *name = "", *scope, *source;
	struct mon_object o;
	uint64_t hash;

	if (n < sizeof causes / sizeof *causes)
		printf("%s", causes[n]);
	else if (!mon_peer_object(p, n, &o, &name, &scope, &hash, &source))
		name = "?";
	else
		printf("%s%s", scope, *scope ? ":" : "");
	for (; n >= sizeof causes / sizeof *causes && *name; name++)
		putchar(*name == ' ' ? '_' : *name);    /* "struct node": one word of the line */
}

static void print_sharing(const struct mon_count_row *c)
{
	printf(" false=%" PRIu64 "/%" PRIu64 " true=%" PRIu64 "/%" PRIu64 " shared=%" PRIu64
		" served=%" PRIu64 ",%" PRIu64 " unplaced=%" PRIu64 "\n", c->false_sharing[0], c->false_sharing[1], c->true_sharing[0],
		c->true_sharing[1], c->shared_lines, c->served[0][0] + c->served[0][1],
		c->served[1][0] + c->served[1][1], c->unplaced);
}

static void sum_sharing(struct mon_count_row *sum, const struct mon_count_row *c)
{
	for (int i = 0; i < 2; i++) {
		sum->false_sharing[i] += c->false_sharing[i];
		sum->true_sharing[i] += c->true_sharing[i];
		for (int n = 0; n < MACHINE_NODES; n++)
			sum->served[n][i] += c->served[n][i];
	}
	sum->shared_lines += c->shared_lines;
	sum->unplaced += c->unplaced;
}

static void print_lines(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nlines; i++) {
		const struct mon_line *l = &r->lines[i];

		printf("line object=");
		print_object(p, l->object);
		printf(" offset=%" PRId64 " bytes=%u false=%" PRIu64 " true=%" PRIu64 " threads=%u",
			l->offset, l->bytes, l->false_sharing, l->true_sharing, l->nthreads);
		for (uint32_t k = 0; k < l->nthreads && k < MON_LINE_THREADS; k++)
			printf(" %u=%" PRIx64 "/%" PRIx64, l->thread[k], l->read[k], l->written[k]);
		putchar('\n');
	}
}

static void print_sites(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nsites; i++) {
		const struct mon_site *s = &r->sites[i];

		printf("site context=");
		print_path(p, s->context);
		printf(" object=");
		print_object(p, s->object);
		printf(" line=%u first=%" PRIu64 " last=%" PRIu64 "\n", s->line, s->first, s->last);
	}
}

static void print_walks(const struct mon_peer *p, const struct mon_result *r)
{
	for (uint32_t i = 0; i < r->nwalks; i++) {
		const struct mon_walk *k = &r->walks[i];

		printf("walk context=");
		print_path(p, k->context);
		printf(" object=");
		print_object(p, k->object);
		printf(" line=%u thread=%u %s size=%u per=%u bytes=%u seen=%" PRIu64 " length=%" PRIu64, k->line, k->thread,
			k->store ? "writes" : "reads", k->size, k->per, k->bytes, k->seen, k->length);
		for (uint32_t s = 0; s < MON_WALK_STEPS; s++)
			if (k->moves[s])
				printf(" %" PRId64 ":%" PRIu64, k->step[s], k->moves[s]);
		putchar('\n');
	}
}

/* The sums over the columns of the timelines; by row of counts. */
struct column_sums {
	uint64_t count[TIMELINE_FIELDS];
};

static uint32_t find_count(const struct mon_result *r, uint32_t context, uint32_t object, uint32_t thread)
{
	uint32_t i = 0;

	while (i < r->ncounts && (r->counts[i].context != context || r->counts[i].object != object ||
	    r->counts[i].thread != thread))
		i++;
	return i;
}

/* Prints a thread's line, and adds its counts to those of the rows; the last element takes what has no row. */
static void read_timeline(const struct mon_result *r, const struct mon_columns *part, uint32_t n,
	struct column_sums *sums)
{
	struct columns_reader *log = columns_open(part, n);
	uint64_t bytes = 0, cells = 0, sites = 0, marks = 0, columns = 0, length = 0, from = 0;
	struct columns_item it;

	while (log && columns_next(log, &it)) {
		columns += it.kind == COLUMNS_CELL && (!columns || from != it.from);
		from = it.from;
		cells += it.kind == COLUMNS_CELL;
		sites += it.kind == COLUMNS_SITE;
		marks += it.kind == COLUMNS_MARK;
		length += it.kind == COLUMNS_END ? it.to : 0;
		for (int f = 0; it.kind == COLUMNS_CELL && f < TIMELINE_FIELDS; f++)
			sums[find_count(r, it.context, it.object, part->thread)].count[f] += it.count[f];
	}
	for (uint32_t i = 0; i < n; i++)
		bytes += part[i].bytes;
	printf("timeline thread=%u number=%d width=%" PRIu64 " length=%" PRIu64 " columns=%" PRIu64 " cells=%" PRIu64 " sites=%"
		PRIu64 " marks=%" PRIu64 " bytes=%" PRIu64 " left_out=%" PRIu64 " whole=%d\n", part->thread, part->number,
		part->width, length, columns, cells, sites, marks, bytes, part->left_out, log && columns_whole(log));
	columns_close(log);
}

static bool same_sums(const struct mon_count_row *c, const struct column_sums *s, uint32_t nlevels)
{
	const uint32_t last = nlevels - 1;
	bool same = s->count[TIMELINE_READS] == c->loads && s->count[TIMELINE_WRITES] == c->stores &&
		s->count[TIMELINE_BYTES] == c->bytes && s->count[TIMELINE_COHERENT] == c->false_sharing[0] +
		c->false_sharing[1] + c->true_sharing[0] + c->true_sharing[1] &&
		s->count[TIMELINE_CLASS + MISS_STREAM] == c->stream_load[last] + c->stream_store[last];

	for (uint32_t l = 0; l < nlevels; l++)
		same = same && s->count[TIMELINE_MISSES + l] == c->load_miss[l] + c->store_miss[l];
	for (uint32_t i = 0; i < MACHINE_NODES; i++)
		same = same && s->count[TIMELINE_SERVED + i] == c->served[i][0] + c->served[i][1];
	return same;
}

static void print_timelines(const struct mon_result *r, uint32_t nlevels)
{
	struct column_sums *sums = calloc(r->ncounts + 1, sizeof *sums);
	uint32_t differ = 0;

	if (!sums)
		die("no memory");
	for (uint32_t i = 0, n; i < r->ncolumns; i += n) {
		n = columns_parts(r->columns + i, r->ncolumns - i);
		read_timeline(r, r->columns + i, n, sums);
	}
	for (uint32_t i = 0; i < r->ncounts; i++)
		differ += r->counts[i].object != MON_OBJ_WORK && !same_sums(&r->counts[i], &sums[i], nlevels);
	printf("timelines rows=%u counts=%u differ=%u without=%d\n", r->ncolumns, r->ncounts, differ,
		sums[r->ncounts].count[TIMELINE_READS] != 0);
	free(sums);
}

/* What only some machines have, summed. */
static void print_extras(const struct mon_result *r, const struct machine_flat *m)
{
	struct mon_count_row sum = { 0 };

	for (uint32_t i = 0; i < r->ncounts; i++) {
		for (uint32_t l = 0; l < m->nlevels; l++) {
			sum.writeback[l] += r->counts[i].writeback[l];
			sum.prefetched[l] += r->counts[i].prefetched[l];
			sum.useful[l] += r->counts[i].useful[l];
		}
		for (uint32_t l = 0; l < m->ntlbs; l++)
			for (int s = 0; s < 2; s++)
				sum.tlb_miss[l][s] += r->counts[i].tlb_miss[l][s];
	}
	for (uint32_t l = 0; m->write && l < m->nlevels; l++)
		printf(" w%u=%" PRIu64, l + 1, sum.writeback[l]);
	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].prefetch)
			printf(" p%u=%" PRIu64 "/%" PRIu64, l + 1, sum.prefetched[l], sum.useful[l]);
	for (uint32_t l = 0; l < m->ntlbs; l++)
		printf(" t%u=%" PRIu64 "/%" PRIu64, l + 1, sum.tlb_miss[l][0], sum.tlb_miss[l][1]);
}

static double standard_error(const struct mon_sample *s, const float *group)
{
	double parts[MON_ERRORS], square = 0;

	mon_sample_parts(s, group, parts);
	for (int i = 0; i < MON_ERRORS; i++)
		square += parts[i] * parts[i];
	return sqrt(square);
}

/* Of a row's loads and stores; adds them to the sum's groups. */
static double miss_error(const struct mon_sample *s, const struct mon_count_row *c, uint32_t l, float *sum)
{
	float group[MON_GROUPS];

	for (int g = 0; g < MON_GROUPS; g++) {
		group[g] = c->group[l][0][g] + c->group[l][1][g];
		sum[g] += group[g];
	}
	return standard_error(s, group);
}

static void print_counts(const struct mon_peer *p, const struct mon_result *r,
	const struct machine_flat *m)
{
	uint32_t nlevels = m->nlevels;
	struct mon_count_row sum = { 0 };
	float error[MACHINE_LEVELS][MON_GROUPS] = { { 0 } };

	for (uint32_t i = 0; i < r->ncounts; i++) {
		const struct mon_count_row *c = &r->counts[i];

		printf("count context=");
		print_path(p, c->context);
		printf(" object=");
		print_object(p, c->object);
		printf(" thread=%u loads=%" PRIu64 " stores=%" PRIu64 " bytes=%" PRIu64, c->thread,
			c->loads, c->stores, c->bytes);
		sum.loads += c->loads;
		sum.stores += c->stores;
		sum.bytes += c->bytes;
		sum.unwarmed += c->unwarmed;
		sum.folded += c->folded;
		for (uint32_t l = 0; l < nlevels; l++) {
			printf(" m%u=%" PRIu64 "/%" PRIu64 " f%u=%" PRIu64, l + 1,
				c->load_miss[l], c->store_miss[l], l + 1, c->fetched[l]);
			sum.load_miss[l] += c->load_miss[l];
			sum.store_miss[l] += c->store_miss[l];
			sum.fetched[l] += c->fetched[l];
		}
		printf(" unwarmed=%" PRIu64 " folded=%" PRIu64, c->unwarmed, c->folded);
		for (uint32_t l = 0; r->sample.classes && l < nlevels; l++) {
			printf(" e%u=%.0f", l + 1, miss_error(&r->sample, c, l, error[l]));
		}
		print_sharing(c);
		sum_sharing(&sum, c);
	}
	printf("total loads=%" PRIu64 " stores=%" PRIu64 " bytes=%" PRIu64, sum.loads, sum.stores,
		sum.bytes);
	for (uint32_t l = 0; l < nlevels; l++)
		printf(" m%u=%" PRIu64 "/%" PRIu64 " f%u=%" PRIu64, l + 1, sum.load_miss[l],
			sum.store_miss[l], l + 1, sum.fetched[l]);
	printf(" unwarmed=%" PRIu64 " folded=%" PRIu64, sum.unwarmed, sum.folded);
	for (uint32_t l = 0; r->sample.classes && l < nlevels; l++)
		printf(" e%u=%.0f", l + 1, standard_error(&r->sample, error[l]));
	print_extras(r, m);
	print_sharing(&sum);
}

/* By variant and object, all threads together. */
static void print_varied(const struct mon_peer *p, const struct mon_result *r, uint32_t nlevels)
{
	for (uint32_t i = 0; i < r->nvaried; i++) {
		const struct mon_count_row *c = &r->varied[i];

		printf("varied variant=%u object=", c->variant);
		print_object(p, c->object);
		printf(" thread=%u loads=%" PRIu64 " stores=%" PRIu64, c->thread, c->loads, c->stores);
		for (uint32_t l = 0; l < nlevels; l++)
			printf(" m%u=%" PRIu64 "/%" PRIu64, l + 1, c->load_miss[l], c->store_miss[l]);
		putchar('\n');
	}
}

static void print_aliases(const struct mon_peer *p)
{
	for (uint32_t i = 0; i < mon_peer_naliases(p); i++) {
		uint32_t region, object, context;
		uint64_t hash;
		const char *name;

		if (!mon_peer_alias(p, i, &hash, &region, &object, &context, &name))
			continue;
		printf("alias name=%s region=%u object=", name, region);
		print_object(p, object);
		putchar('\n');
	}
}

static void print_result(struct mon_peer *p, int slot, const struct machine_flat *m)
{
	static const char *const states[] = { "empty", "ready", "armed", "done", "missed", "dropped" };
	struct mon_result r;
	struct err err;

	if (mon_peer_take(p, slot, &r, &err))
		die(err.text);
	printf("request state=%s reason=%u executions=%u first=%" PRIu64 " records=%" PRIu64
		" lost=%" PRIu64 " unhandled=%" PRIu64 " rejected=%u unshared=%" PRIu64,
		states[r.state], r.reason, r.executions, r.ran_first, r.records, r.lost,
		r.unhandled, r.rejected, r.unshared);
	if (r.sample.slices)
		printf(" slices=%u", r.sample.slices);
	if (r.sample.classes)
		printf(" sampled=%u/%u freedom=%u", r.sample.chosen, r.sample.classes, r.sample.groups - 1);
	putchar('\n');
	for (uint32_t i = 0; i < r.ntimes; i++) {
		printf("time context=");
		print_path(p, r.times[i].context);
		printf(" thread=%u execution=%u wall=%" PRIu64 " cpu=%" PRIu64 " wait=%" PRIu64
			" calls=%" PRIu64 "\n", r.times[i].thread, r.times[i].execution,
			r.times[i].wall_ns, r.times[i].cpu_ns, r.times[i].wait_ns, r.times[i].calls);
	}
	if (r.state == MON_DONE && r.kind == MON_SIM) {
		print_counts(p, &r, m);
		print_varied(p, &r, m->nlevels);
		print_lines(p, &r);
		print_sites(p, &r);
		print_walks(p, &r);
		print_aliases(p);
		if (timelines)
			print_timelines(&r, m->nlevels);
	}
	for (uint32_t i = 0; i < r.executions; i++)
		printf("execution n=%" PRIu64 " ns=%" PRIu64 "\n", r.ran_first + i, r.phase_ns[i]);
	mon_result_free(&r);
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
			die(err.text);
		if (waitpid(pid, status, WNOHANG) == pid)
			return NULL;
	}
	die("the program never registered");
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
			print_result(p, slot, &o->setup.machine);
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
			die("out of time");
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
		die(err.text);
	for (int i = 0; mon_peer_news(p) != MON_NEWS_WAITING; i++) {
		struct pollfd f = { mon_peer_fd(p), POLLIN, 0 };

		if (i == o->seconds * 100)
			die("--variant: the program comes to no boundary");
		poll(&f, 1, 10);
	}
	variants_resolve(o, p);
	slot = mon_peer_request(p, &o->want, &err);
	if (slot < 0)
		die(err.text);
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
		die("mkdtemp");
	snprintf(path, sizeof path, "%s/socket", directory);
	listener = mon_listen(path, &err);
	if (listener < 0)
		die(err.text);
	pid = start(o.command);
	p = await_peer(listener, pid, o.seconds, &status);
	if (p) {
		printf("process executable=%s rank=%d\n", mon_peer_executable(p), mon_peer_rank(p));
		phase_resolve(&o, p);
		if (o.want.nvariants)
			slot = request_varied(&o, p);
		else if (!o.no_request && (slot = mon_peer_request(p, &o.want, &err)) < 0)
			die(err.text);
		if (!o.want.nvariants && mon_peer_welcome(p, &o.setup, &err))
			die(err.text);
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
