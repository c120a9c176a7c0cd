/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the source lines that a finding is about, and those that miss. */
#include "analysis/findings/finding_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"

static const double MOST = 0.8;         /* of a structure's memory time */

static double memory_time(const struct measurements *measured, uint32_t context, uint32_t object)
{
	struct tally t;

	return measured_tally(measured, context, object, &t) ? tally_memory_time(&t) : 0;
}

/* The innermost context that has most of what the structure's misses cost in `context`. */
static uint32_t most_of(const struct measurements *measured, uint32_t context, uint32_t object)
{
	double all = memory_time(measured, context, object);
	uint32_t c = measured->contexts[context].child;

	while (c != NO_CONTEXT && all > 0) {
		if (memory_time(measured, c, object) < MOST * all) {
			c = measured->contexts[c].next;
			continue;
		}
		context = c;
		c = measured->contexts[c].child;
	}
	return context;
}

static bool uses(const struct sir_region *r, const char *name)
{
	for (uint32_t i = 0; i < r->narrays; i++)
		if (strcmp(r->arrays[i].name, name) == 0)
			return true;
	return false;
}

/* The innermost loop in a region that is the only region inside to use an array of that name. */
static uint32_t only_loop(const struct sir *sir, uint32_t region, const char *name)
{
	for (;;) {
		uint32_t found = SIR_NONE, n = 0;

		for (uint32_t c = sir->regions[region].child; c != SIR_NONE;
		     c = sir->regions[c].next)
			if (uses(&sir->regions[c], name)) {
				found = c;
				n++;
			}
		if (n != 1 || sir->regions[found].type != REGION_LOOP)
			return region;
		region = found;
	}
}

static const char *directory(const struct sir *sir, const struct sir_region *r)
{
	return r->source < sir->nsources ? sir->sources[r->source].dir : NULL;
}

/* The file's absolute path; "" where the directory of the compiler is not known. */
static const char *absolute(const struct sir *sir, const struct sir_region *r, struct arena *arena)
{
	const char *dir = directory(sir, r);

	if (r->file[0] == '/' || !dir || dir[0] != '/')
		return arena_strdup(arena, r->file[0] == '/' ? r->file : "");
	return arena_printf(arena, "%s/%s", dir, r->file);
}

/* --- lines that miss -------------------------------------------------------------------------- */

struct gathered {
	const struct measurements *measured;
	uint32_t object;
	const struct sir_region *file;  /* whose lines are told; NULL: any */
	struct report_site *sites;      /* owned */
	int n, cap;
};

static bool same_file(const struct sir *sir, const struct sir_region *a, const struct sir_region *b)
{
	return text_same(a->file, b->file) && text_same(directory(sir, a), directory(sir, b));
}

static int add_site(struct gathered *g, const struct site_misses *s, bool told)
{
	if (g->n == g->cap) {
		int cap = g->cap ? 2 * g->cap : 64;
		struct report_site *sites = realloc(g->sites, (size_t)cap * sizeof *sites);

		if (!sites)
			return -1;
		g->sites = sites;
		g->cap = cap;
	}
	g->sites[g->n++] = (struct report_site){ told ? (int)s->line : 0, s->first, s->last };
	return 0;
}

static bool has_line(const struct sir_region *r, uint32_t line)
{
	return r->line <= 0 || r->end_line < r->line || ((uint32_t)r->line <= line &&
		line <= (uint32_t)r->end_line);
}

/* Is f a subroutine in the file of r that has the line? */
static bool subroutine_has(const struct sir *sir, const struct sir_region *f,
	const struct sir_region *r, uint32_t line)
{
	return (f->type == REGION_SUB || f->type == REGION_MAIN) && has_line(f, line) &&
		same_file(sir, f, r);
}

/* A function without regions, which has no context, has its accesses in the context of its caller,
 * and may be of another file: its lines are none of the caller's file if no
 * function there has such a line. */
static bool in_file(const struct sir *sir, const struct sir_region *r, uint32_t line)
{
	if (has_line(r, line))
		return true;
	for (uint32_t i = 0; i < sir->nregions; i++)
		if (subroutine_has(sir, &sir->regions[i], r, line))
			return true;
	return false;
}

static int add_context(struct gathered *g, uint32_t context)
{
	uint32_t region = g->measured->contexts[context].region;
	const struct sir_region *r = region == SIR_NONE ? NULL : &g->measured->sir->regions[region];
	size_t n;
	const struct site_misses *s = measured_sites(g->measured, context, g->object, &n);
	bool told = r && (!g->file || same_file(g->measured->sir, r, g->file));

	for (size_t i = 0; i < n; i++)
		if (add_site(g, &s[i], told && in_file(g->measured->sir, r, s[i].line)))
			return -1;
	return 0;
}

static bool is_less(const struct subject *subject, uint32_t context)
{
	for (uint32_t i = 0; i < subject->nless; i++)
		if (subject->less[i] == context)
			return true;
	return false;
}

/* The next context in the subject's tree, without those whose counts are
 * subtracted; NO_CONTEXT: none. */
static uint32_t next_inside(const struct subject *subject, uint32_t context)
{
	const struct measured_context *c = subject->measured->contexts;
	uint32_t next = is_less(subject, context) ? NO_CONTEXT : c[context].child;

	while (next == NO_CONTEXT && context != subject->context) {
		next = c[context].next;
		context = c[context].parent;
	}
	return next;
}

/* The name of the subroutine in the region's file that has the line, the shortest one; NULL: it is
 * the region's own, or there is none. */
static const char *other_routine(const struct sir *sir, const struct sir_region *r, int line)
{
	const struct sir_region *found = NULL;

	if (line <= 0 || has_line(&sir->regions[sir_unit_of(sir, r->id)], (uint32_t)line))
		return NULL;
	for (uint32_t i = 0; i < sir->nregions; i++) {
		const struct sir_region *f = &sir->regions[i];

		if (f->line > 0 && f->end_line >= f->line &&
		    subroutine_has(sir, f, r, (uint32_t)line) &&
		    (!found || f->end_line - f->line < found->end_line - found->line))
			found = f;
	}
	return found ? found->name : NULL;
}

/* Joins what was gathered, keeps the first lines in the arena.  0 / -1 (memory). */
static int keep_sites(struct gathered *g, struct arena *arena, const struct report_site **out,
	int *n)
{
	int kept = report_sites_keep(g->sites, report_sites_join(g->sites, g->n));
	struct report_site *sites = kept ? arena_array(arena, (size_t)kept, sizeof *sites) : NULL;

	if (kept && !sites)
		return -1;
	if (kept)
		memcpy(sites, g->sites, (size_t)kept * sizeof *sites);
	*out = sites;
	*n = kept;
	return 0;
}

int source_sites(const struct measurements *measured, uint32_t context, uint32_t object,
	struct arena *arena, const struct report_site **out, int *n)
{
	struct gathered g = { .measured = measured, .object = object };
	int rc = add_context(&g, context) || keep_sites(&g, arena, out, n) ? -1 : 0;

	free(g.sites);
	return rc;
}

static int find_sites(const struct subject *subject, const struct sir_region *file,
	struct arena *arena, struct report_finding *f)
{
	struct gathered g = { .measured = subject->measured, .object = subject->object,
		.file = file };
	int rc = 0;

	for (uint32_t c = subject->context; c != NO_CONTEXT && !rc; c = next_inside(subject, c))
		if (!is_less(subject, c))
			rc = add_context(&g, c);
	if (!rc)
		rc = keep_sites(&g, arena, &f->sites, &f->nsites);
	free(g.sites);
	f->place_line = report_sites_place(f->sites, f->nsites);
	f->place_routine = other_routine(subject->measured->sir, file, f->place_line);
	return rc;
}

/* --- regions over several files --------------------------------------------------------------- */

/* The misses of the subject's contexts in one file, and the region there with most of them. */
struct file_misses {
	const struct sir_region *file, *most;
	double first, last;             /* of the first and the last cache level */
	double most_first, most_last;
};
enum { FILES = 16 };    /* that are told apart */

/* Compares misses of the last level, where there are none those of the first. */
static bool misses_more(double first, double last, double than_first, double than_last)
{
	return last > than_last || (last >= than_last && first > than_first);
}

static void add_misses(struct file_misses *m, const struct sir_region *r,
	const struct site_misses *s, size_t n)
{
	double first = 0, last = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i].line) {
			first += s[i].first;
			last += s[i].last;
		}
	m->first += first;
	m->last += last;
	if (misses_more(first, last, m->most_first, m->most_last)) {
		m->most = r;
		m->most_first = first;
		m->most_last = last;
	}
}

/* The region with most misses in the file that has most of them, if that is another
 * file than r's; else NULL. */
static const struct sir_region *elsewhere(const struct subject *subject, const struct sir_region *r)
{
	const struct measurements *measured = subject->measured;
	struct file_misses file[FILES] = { { .file = r } }, *best = file;
	int nfiles = 1, i;

	for (uint32_t c = subject->context; c != NO_CONTEXT; c = next_inside(subject, c)) {
		uint32_t region = is_less(subject, c) ? SIR_NONE : measured->contexts[c].region;
		const struct sir_region *of = region == SIR_NONE ? NULL :
			&measured->sir->regions[region];
		size_t n = 0;
		const struct site_misses *s = of ? measured_sites(measured, c, subject->object,
			&n) : NULL;

		for (i = 0; n && i < nfiles && !same_file(measured->sir, of, file[i].file); i++)
			;
		if (!n || i == FILES)
			continue;
		if (i == nfiles)
			file[nfiles++].file = of;
		add_misses(&file[i], of, s, n);
	}
	for (i = 1; i < nfiles; i++)
		if (misses_more(file[i].first, file[i].last, best->first, best->last))
			best = &file[i];
	return best == file ? NULL : best->most;
}

/* --- the finding's lines ---------------------------------------------------------------------- */

int source_lines(const struct subject *subject, struct arena *arena, struct report_finding *f)
{
	const struct measurements *measured = subject->measured;
	uint32_t context = subject->context, object = subject->object;
	uint32_t at = object == MON_ANY ? context : most_of(measured, context, object);
	uint32_t region = measured->contexts[at].region;
	const struct sir_region *r, *other = NULL;
	int rc;

	if (region == SIR_NONE)
		return 0;
	if (object != MON_ANY) {
		region = only_loop(measured->sir, region, measured_object_name(measured, at, object,
			0));
		other = elsewhere(subject, &measured->sir->regions[region]);
	}
	r = other ? other : &measured->sir->regions[region];
	f->source = absolute(measured->sir, r, arena);
	if (!f->source)
		return -1;
	if (!*f->source)
		f->source = NULL;
	f->first_line = r->line;
	f->last_line = r->end_line;
	if (object == MON_ANY)
		return 0;
	rc = find_sites(subject, r, arena, f);
	if (other && !f->place_routine)
		f->place_routine = measured->sir->regions[sir_unit_of(measured->sir, r->id)].name;
	return rc;
}
