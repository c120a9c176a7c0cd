/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which region is the phase: by --phase FILE:LINE, or by a guess without it. */
#include "sir/model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMED 4             /* candidates listed in a message */
#define MAX_CALLERS 64          /* units without markers whose callers are searched */

static bool capable(const struct sir_region *r)
{
	return r->hooks & SIR_HOOK_PHASE;
}

/* A function without markers. */
static bool light(const struct sir_region *r)
{
	return r->refuse && strcmp(r->refuse, "light") == 0;
}

/* --- descriptions ---------------------------------------------------------------------------- */

static const char *word(const struct sir_region *r)
{
	static const struct { enum region_type type; const char *word; } words[] = {
		{ REGION_USER, "user region" }, { REGION_PARALLEL, "parallel region" },
		{ REGION_WORKSHARE_DO, "worksharing loop" },
		{ REGION_WORKSHARE_SECTIONS, "sections construct" },
		{ REGION_SECTIONS, "sections construct" }, { REGION_SECTION, "section" },
		{ REGION_WORKSHARE, "workshare construct" }, { REGION_SINGLE, "single construct" },
		{ REGION_MASTER, "master construct" }, { REGION_CRITICAL, "critical section" },
		{ REGION_ATOMIC, "atomic construct" }, { REGION_ORDERED, "ordered section" },
		{ REGION_TASK, "task" }, { REGION_BARRIER, "barrier" },
		{ REGION_TASKWAIT, "wait for tasks" },
	};

	if (r->unit_type)
		return r->unit_type;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].type == r->type)
			return words[i].word;
	return r->kind;
}

/* "loop ssor.f:109-240 in ssor" */
static void describe(const struct sir *s, const struct sir_region *r, struct buf *out)
{
	buf_puts(out, word(r));
	if (*r->name)
		buf_printf(out, " %s", r->name);
	buf_printf(out, " %s:%d", r->file, r->line);
	if (r->end_line > r->line)
		buf_printf(out, "-%d", r->end_line);
	if (!r->unit_type)
		buf_printf(out, " in %s", s->regions[sir_unit_of(s, r->id)].name);
}

static const char *reason(const struct sir_region *r)
{
	if (!r->refuse)
		return r->nat ? "no phase boundaries are compiled in" :
			"the file does not say that phase boundaries are compiled in";
	if (strcmp(r->refuse, "parallel") == 0)
		return "every thread of a parallel region executes it";
	if (strcmp(r->refuse, "abnormal") == 0)
		return "it has abnormal edges (setjmp or computed goto)";
	if (strcmp(r->refuse, "innermost") == 0)
		return "it contains no call, OpenMP construct or inner loop; "
			"psc_instrument --phase=FILE:LINE compiles phase boundaries in";
	if (strcmp(r->refuse, "light") == 0)
		return "a function without loops has no markers, unless it calls several others in turn; "
			"its accesses count to its callers";
	return r->refuse;
}

/* Sets err to the composed text, which it frees; returns -1. */
static int refuse(struct err *err, struct buf *text)
{
	int ret = text->failed ? err_nomem(err) : err_set(err, "%s", buf_str(text));

	buf_free(text);
	return ret;
}

/* --- --phase FILE:LINE ------------------------------------------------------------------------ */

struct spec {
	const char *file;
	size_t len;
	int line, last;         /* last: given as FILE:LINE-LAST, as regions are printed; else 0 */
};

static int parse(const char *text, struct spec *spec, struct err *err)
{
	const char *colon = strrchr(text, ':');
	long line, last = 0;
	char *end;

	if (!colon || colon == text || colon[1] < '0' || colon[1] > '9')
		return err_set(err, "--phase %s: not FILE:LINE", text);
	line = strtol(colon + 1, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
		last = strtol(end + 1, &end, 10);
		if (last < line || last > INT_MAX)
			return err_set(err, "--phase %s: %s are not the lines of a region", text,
				colon + 1);
	}
	if (*end || line < 1 || line > INT_MAX)
		return err_set(err, "--phase %s: %s is not a line number", text, colon + 1);
	while (text[0] == '.' && text[1] == '/')
		for (text += 2; *text == '/'; text++)
			;
	*spec = (struct spec){ text, (size_t)(colon - text), (int)line, (int)last };
	return 0;
}

/* Does path end in `file`, by whole components? */
static bool path_ends(const char *path, const char *file, size_t len)
{
	size_t n = strlen(path);

	if (n < len || memcmp(path + n - len, file, len) != 0)
		return false;
	return n == len || path[n - len - 1] == '/';
}

/* Compares the file as given to the compiler, and its absolute path. */
static bool in_file(const struct sir *s, const struct sir_region *r, const struct spec *spec)
{
	const struct sir_priv *p = s->priv;

	return path_ends(r->file, spec->file, spec->len)
		|| path_ends(p->paths[r->id], spec->file, spec->len);
}

/* Order of regions on one line: user region, then loop, then others. */
static int rank(const struct sir_region *r)
{
	return r->type == REGION_USER ? 0 : r->type == REGION_LOOP ? 1 : 2;
}

/* The region that starts on the line and, for FILE:LINE-LAST, ends on LAST.  Of several: the best
 * rank, then a capable one, then the outermost.  A call without phase boundaries is not considered:
 * the line then belongs to the region around it. */
static const struct sir_region *starting(const struct sir *s, const struct spec *spec)
{
	const struct sir_region *best = NULL;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if (r->line != spec->line || (spec->last && r->end_line != spec->last) ||
		    !in_file(s, r, spec) || (r->type == REGION_CALL && !capable(r)))
			continue;
		if (!best || rank(r) < rank(best)
		    || (rank(r) == rank(best) && capable(r) && !capable(best)))
			best = r;
	}
	return best;
}

/* The innermost capable region around the line: the one with fewest lines, of equals the
 * deepest. */
static const struct sir_region *containing(const struct sir *s, const struct spec *spec)
{
	const struct sir_region *best = NULL;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if (r->line == 0 || r->line > spec->line || r->end_line < spec->line || !capable(r)
		    || !in_file(s, r, spec))
			continue;
		if (!best || r->end_line - r->line <= best->end_line - best->line)
			best = r;
	}
	return best;
}

/* The unit without markers that contains the line. */
static const struct sir_region *light_around(const struct sir *s, const struct spec *spec)
{
	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if (light(r) && r->line <= spec->line && spec->line <= r->end_line &&
		    in_file(s, r, spec))
			return r;
	}
	return NULL;
}

static int distance(const struct sir_region *r, int line)
{
	return line < r->line ? r->line - line : line > r->end_line ? line - r->end_line : 0;
}

/* Lists the capable regions of the file nearest to the line; spec NULL: the first of the
 * program. */
static void name_candidates(const struct sir *s, const struct spec *spec, struct buf *out)
{
	const struct sir_region *near[MAX_NAMED];
	unsigned n = 0;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];
		unsigned k = n;

		if (!capable(r) || (spec && !in_file(s, r, spec)))
			continue;
		while (spec && k > 0 && distance(r, spec->line) < distance(near[k - 1], spec->line))
			k--;
		if (k == MAX_NAMED)
			continue;
		if (n < MAX_NAMED)
			n++;
		memmove(&near[k + 1], &near[k], (n - 1 - k) * sizeof near[0]);
		near[k] = r;
	}
	for (unsigned k = 0; k < n; k++) {
		buf_puts(out, k ? ", " : spec ? "; nearest: " : "; candidates: ");
		describe(s, near[k], out);
	}
	if (n == 0 && !spec)
		buf_puts(out, "; no region of the program has phase boundaries");
}

/* --- the callers of a region without markers ------------------------------------------------- */

struct callers {
	uint32_t light[MAX_CALLERS], found[MAX_NAMED];
	unsigned nlight, nfound;
};

static void note(uint32_t *list, unsigned *n, unsigned max, uint32_t region)
{
	for (unsigned i = 0; i < *n; i++)
		if (list[i] == region)
			return;
	if (*n < max)
		list[(*n)++] = region;
}

/* Collects the nearest capable regions around the calls of a unit, and the units without markers
 * that call it. */
static void find_callers(const struct sir *s, uint32_t unit, struct callers *c)
{
	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];
		uint32_t p = i;

		if (r->type != REGION_CALL || !*r->name ||
		    sir_callee(s, r->name, r->source) != unit)
			continue;
		while (!capable(&s->regions[p]) && s->regions[p].parent != SIR_NONE)
			p = s->regions[p].parent;
		if (capable(&s->regions[p]))
			note(c->found, &c->nfound, MAX_NAMED, p);
		else if (light(&s->regions[p]))
			note(c->light, &c->nlight, MAX_CALLERS, p);
	}
}

static bool name_callers(const struct sir *s, uint32_t region, struct buf *out)
{
	struct callers c = { .light = { sir_unit_of(s, region) }, .nlight = 1 };

	for (unsigned i = 0; i < c.nlight && c.nfound == 0; i++)
		find_callers(s, c.light[i], &c);
	for (unsigned i = 0; i < c.nfound; i++) {
		buf_puts(out, i ? ", " : "; called from: ");
		describe(s, &s->regions[c.found[i]], out);
	}
	return c.nfound > 0;
}

static int refuse_region(const struct sir *s, const char *text, const struct sir_region *r,
	struct err *err)
{
	struct buf b = BUF_INIT;
	uint32_t p = r->parent;

	buf_printf(&b, "--phase %s: ", text);
	describe(s, r, &b);
	buf_printf(&b, " cannot be the phase: %s", reason(r));
	while (p != SIR_NONE && !capable(&s->regions[p]))
		p = s->regions[p].parent;
	if (p != SIR_NONE) {
		buf_puts(&b, "; nearest enclosing candidate: ");
		describe(s, &s->regions[p], &b);
	} else if (!light(&s->regions[sir_unit_of(s, r->id)]) || !name_callers(s, r->id, &b)) {
		buf_puts(&b, "; nothing around it can be, either");
	}
	return refuse(err, &b);
}

static int refuse_line(const struct sir *s, const char *text, const struct spec *spec,
	struct err *err)
{
	struct buf b = BUF_INIT;
	const char *last = NULL;
	unsigned n = 0;

	for (uint32_t i = 0; i < s->nregions; i++)
		if (in_file(s, &s->regions[i], spec)) {
			buf_printf(&b,
				"--phase %s: no region that can be the phase contains this line",
				text);
			name_candidates(s, spec, &b);
			return refuse(err, &b);
		}
	buf_printf(&b, "--phase %s: no source file of that name is instrumented", text);
	for (uint32_t i = 0; i < s->nregions && n < MAX_NAMED; i++) {
		const char *file = s->regions[i].file;

		if (last && strcmp(last, file) == 0)
			continue;
		buf_printf(&b, "%s%s", n++ ? ", " : "; there are: ", file);
		last = file;
	}
	buf_puts(&b, n == MAX_NAMED ? ", …" : n ? "" : "; the program has no instrumented code");
	return refuse(err, &b);
}

/* --- --phase NAME, --phase FILE --------------------------------------------------------------- */

static bool is_main(const struct sir_region *r);

/* A user region of that name, else a subroutine; "main" is the main program of Fortran, too. */
static uint32_t named(const struct sir *s, const char *name)
{
	bool main_program = strcmp(name, "main") == 0;

	for (uint32_t i = 0; i < s->nregions; i++)
		if ((s->regions[i].type == REGION_USER && strcmp(s->regions[i].name, name) == 0) ||
		    (main_program && is_main(&s->regions[i])))
			return i;
	return sir_find_unit(s, name);
}

static bool outside(const struct sir *s, const struct sir_region *r, const struct spec *spec)
{
	for (uint32_t p = r->parent; p != SIR_NONE; p = s->regions[p].parent)
		if (capable(&s->regions[p]) && !s->regions[p].unit_type &&
		    in_file(s, &s->regions[p], spec))
			return false;
	return true;
}

/* The only capable loop or user region of a file that is in no other one of it; refused if there
 * are several or none. */
static int find_in_file(const struct sir *s, const char *text, uint32_t *region, struct err *err)
{
	struct spec spec = { text, strlen(text), 0, 0 };
	struct buf b = BUF_INIT;
	unsigned n = 0;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if ((r->type != REGION_LOOP && r->type != REGION_USER) || !capable(r) ||
		    !in_file(s, r, &spec) || !outside(s, r, &spec))
			continue;
		*region = i;
		if (n++ < MAX_NAMED) {
			buf_printf(&b, "%s", n > 1 ? ", " : "");
			describe(s, r, &b);
		}
	}
	if (n == 1) {
		buf_free(&b);
		return 0;
	}
	if (n > 1) {
		struct buf all = BUF_INIT;

		buf_printf(&all,
			"--phase %s: several loops there can be the phase, choose one with FILE:LINE: %s%s", text, buf_str(&b), n > MAX_NAMED ? ", …" : "");
		buf_free(&b);
		return refuse(err, &all);
	}
	buf_printf(&b,
		"--phase %s: not FILE:LINE, and no subroutine, user region or file with a loop that can be the "
		"phase has that name", text);
	name_candidates(s, NULL, &b);
	return refuse(err, &b);
}

static int find_by_name(const struct sir *s, const char *text, uint32_t *region, struct buf *choice,
	struct err *err)
{
	uint32_t found = named(s, text);

	if (found == SIR_NONE && find_in_file(s, text, &found, err))
		return -1;
	if (!capable(&s->regions[found]))
		return refuse_region(s, text, &s->regions[found], err);
	describe(s, &s->regions[found], choice);
	*region = found;
	return 0;
}

int sir_find_phase(const struct sir *s, const char *text, uint32_t *region, struct buf *choice,
	struct err *err)
{
	const struct sir_region *r;
	struct spec spec;
	bool starts;

	if (*text && (!strrchr(text, ':') || strrchr(text, ':')[1] == ':' ||
			(strrchr(text, ':') > text && strrchr(text, ':')[-1] == ':')))
		return find_by_name(s, text, region, choice, err);
	if (parse(text, &spec, err) < 0)
		return -1;
	r = starting(s, &spec);
	starts = r != NULL;
	if (!r && !(r = containing(s, &spec)))
		r = light_around(s, &spec);
	if (r && !capable(r))
		return refuse_region(s, text, r, err);
	if (!r)
		return refuse_line(s, text, &spec, err);
	describe(s, r, choice);
	if (!starts)
		buf_printf(choice, " (the innermost candidate that contains line %d)", spec.line);
	*region = r->id;
	return 0;
}

/* --- without --phase ------------------------------------------------------------------------- */

struct guess {
	const struct sir *s;
	bool *visited;          /* units already explored */
	uint32_t *stamp;        /* by unit: the last round that counted it */
	uint32_t round;         /* number of the current candidate */
	bool works;             /* the current candidate contains a call or a construct */
	bool nested;            /* loops inside candidates are wanted too */
	/* Capable loops in the order in which the main program reaches them. */
	struct candidate {
		uint64_t size;          /* regions below it, called units included */
		uint32_t region;
		uint32_t depth;         /* calls between the main program and it */
		bool works;
	} *candidates;
	uint32_t ncandidates;
};

static uint32_t callee(const struct guess *g, const struct sir_region *r)
{
	return r->type == REGION_CALL && *r->name ? sir_callee(g->s, r->name, r->source) : SIR_NONE;
}

/* The number of regions below r; each unit that is called counts once. */
static uint64_t weigh(struct guess *g, const struct sir_region *r)
{
	uint32_t unit = callee(g, r);
	uint64_t size = 1;

	if (!r->unit_type && r->type != REGION_LOOP)
		g->works = true;
	for (uint32_t c = r->child; c != SIR_NONE; c = g->s->regions[c].next)
		if (!g->s->regions[c].unit_type)
			size += weigh(g, &g->s->regions[c]);
	if (unit != SIR_NONE && g->stamp[unit] != g->round) {
		g->stamp[unit] = g->round;
		size += weigh(g, &g->s->regions[unit]);
	}
	return size;
}

static void consider(struct guess *g, const struct sir_region *r, uint32_t depth)
{
	struct candidate *c = &g->candidates[g->ncandidates++];

	g->round++;
	g->works = false;
	*c = (struct candidate){ .size = weigh(g, r), .region = r->id, .depth = depth };
	c->works = g->works;
}

/* Descends through regions and calls as far as the first capable loop; with g->nested, further. */
static void explore(struct guess *g, const struct sir_region *r, uint32_t depth)
{
	uint32_t unit = callee(g, r);

	if (r->type == REGION_LOOP && capable(r)) {
		consider(g, r, depth);
		if (!g->nested)
			return;
	}
	for (uint32_t c = r->child; c != SIR_NONE; c = g->s->regions[c].next)
		if (!g->s->regions[c].unit_type)
			explore(g, &g->s->regions[c], depth);
	if (unit != SIR_NONE && !g->visited[unit]) {
		g->visited[unit] = true;
		explore(g, &g->s->regions[unit], depth + 1);
	}
}

static bool is_main(const struct sir_region *r)
{
	return r->unit_type && (strcmp(r->unit_type, "program") == 0
		|| (strcmp(r->name, "main") == 0 && r->parent == SIR_NONE));
}

/* Explores from the main program, or from every unit where there is none (a library). */
static void explore_all(struct guess *g)
{
	bool found = false;

	for (int mains = 1; mains >= 0 && !found; mains--)
		for (uint32_t i = 0; i < g->s->nregions; i++) {
			const struct sir_region *r = &g->s->regions[i];

			if (!r->unit_type || (mains && !is_main(r)) || g->visited[i])
				continue;
			found = true;
			g->visited[i] = true;
			explore(g, r, 0);
		}
}

/* Finds the capable user region.  1: there is one; 0: none; -1: several, err lists them. */
static int only_user_region(const struct sir *s, uint32_t *region, struct err *err)
{
	struct buf b = BUF_INIT;
	unsigned n = 0;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];

		if (r->type != REGION_USER || !capable(r))
			continue;
		if (n++ == 0)
			*region = i;
		if (n <= MAX_NAMED) {
			buf_puts(&b, n > 1 ? ", " : "several user regions, choose with --phase: ");
			describe(s, r, &b);
		}
	}
	if (n > 1)
		return refuse(err, &b);
	buf_free(&b);
	return (int)n;
}

static int guess_alloc(struct guess *g)
{
	const struct sir *s = g->s;

	g->visited = calloc((size_t)s->nregions + 1, sizeof *g->visited);
	g->stamp = calloc((size_t)s->nregions + 1, sizeof *g->stamp);
	g->candidates = calloc((size_t)s->nregions + 1, sizeof *g->candidates);
	return g->visited && g->stamp && g->candidates ? 0 : -1;
}

static int guess_make(struct guess *g, const struct sir *s, bool nested)
{
	*g = (struct guess){ .s = s, .nested = nested };
	if (guess_alloc(g))
		return -1;
	explore_all(g);
	return 0;
}

static void guess_free(struct guess *g)
{
	free(g->visited);
	free(g->stamp);
	free(g->candidates);
}

/* Orders candidates that have most of the program below them: the one nearest to the main program
 * comes first, then the largest, of equals the last, since programs prepare and check themselves
 * before they work.  "Most" leaves a margin (choose()), because a test of the solver may have a
 * little more below it. */
static bool goes_before(const struct candidate *a, const struct candidate *b)
{
	if (a->depth != b->depth)
		return a->depth < b->depth;
	return a->size >= b->size;
}

static const struct candidate *choose(const struct guess *g)
{
	const struct candidate *best = NULL;
	uint64_t most = 0;

	for (uint32_t i = 0; i < g->ncandidates; i++)
		if (g->candidates[i].works && g->candidates[i].size > most)
			most = g->candidates[i].size;
	for (uint32_t i = 0; i < g->ncandidates; i++) {
		const struct candidate *c = &g->candidates[i];

		if (c->works && c->size * 5 >= most * 4 && (!best || goes_before(c, best)))
			best = c;
	}
	return best;
}

static void name_equals(const struct guess *g, const struct candidate *best, struct buf *out)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < g->ncandidates && n < MAX_NAMED; i++) {
		const struct candidate *c = &g->candidates[i];

		if (c == best || !c->works || c->depth != best->depth || c->size != best->size)
			continue;
		buf_puts(out, n++ ? ", " : "; equal to ");
		describe(g->s, &g->s->regions[c->region], out);
	}
}

static int refuse_guess(const struct sir *s, struct err *err)
{
	struct buf b = BUF_INIT;

	buf_puts(&b,
		"no loop on the way from the main program can be the phase, choose with --phase");
	name_candidates(s, NULL, &b);
	return refuse(err, &b);
}

static int guess_loop(const struct sir *s, uint32_t *region, struct buf *choice, struct err *err)
{
	const struct candidate *best;
	struct guess g;
	int ret = 0;

	if (guess_make(&g, s, false)) {
		ret = err_nomem(err);
	} else if (!(best = choose(&g))) {
		ret = refuse_guess(s, err);
	} else {
		*region = best->region;
		describe(s, &s->regions[best->region], choice);
		buf_puts(choice, " (the outermost loop with most of the program below it");
		name_equals(&g, best, choice);
		buf_puts(choice, ")");
	}
	guess_free(&g);
	return ret;
}

/* Considers the nearest capable units that a region calls, directly or by units without markers. */
static void explore_units(struct guess *g, const struct sir_region *r)
{
	uint32_t unit = callee(g, r);

	if (unit != SIR_NONE && !g->visited[unit]) {
		g->visited[unit] = true;
		if (capable(&g->s->regions[unit]))
			consider(g, &g->s->regions[unit], 0);
		else
			explore_units(g, &g->s->regions[unit]);
	}
	for (uint32_t c = r->child; c != SIR_NONE; c = g->s->regions[c].next)
		if (!g->s->regions[c].unit_type)
			explore_units(g, &g->s->regions[c]);
}

static uint32_t largest(const struct guess *g)
{
	const struct candidate *best = NULL;

	for (uint32_t i = 0; i < g->ncandidates; i++)
		if (!best || g->candidates[i].size > best->size)
			best = &g->candidates[i];
	return best ? best->region : SIR_NONE;
}

int sir_whole_program(const struct sir *s, uint32_t *region, struct buf *choice, struct err *err)
{
	struct guess g = { .s = s };
	uint32_t found = SIR_NONE;

	for (uint32_t i = 0; i < s->nregions && found == SIR_NONE; i++)
		if (is_main(&s->regions[i]) && capable(&s->regions[i]))
			found = i;
	if (found == SIR_NONE && guess_alloc(&g) == 0) {
		for (uint32_t i = 0; i < s->nregions; i++)
			if (is_main(&s->regions[i]))
				explore_units(&g, &s->regions[i]);
		found = largest(&g);
	}
	guess_free(&g);
	if (found == SIR_NONE)
		return err_set(err,
			"neither the main program nor what it calls has markers, so no span of the program can "
			"be measured");
	describe(s, &s->regions[found], choice);
	*region = found;
	return 0;
}

int sir_guess_phase(const struct sir *s, uint32_t *region, struct buf *choice, struct err *err)
{
	uint32_t user = SIR_NONE;
	int ret = only_user_region(s, &user, err);

	if (ret < 0)
		return -1;
	if (!ret)
		return guess_loop(s, region, choice, err);
	describe(s, &s->regions[user], choice);
	buf_puts(choice, " (the only user region)");
	*region = user;
	return 0;
}

/* The largest first; of equals the one with the lower number, which is the outer one. */
static int by_size(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return x->region < y->region ? -1 : x->region > y->region;
}

uint32_t sir_rival_phases(const struct sir *s, uint32_t phase, uint32_t *out, uint32_t max)
{
	struct guess g;
	uint32_t n = 0;

	if (guess_make(&g, s, true) == 0)
		qsort(g.candidates, g.ncandidates, sizeof *g.candidates, by_size);
	for (uint32_t i = 0; i < g.ncandidates && n < max; i++)
		if (g.candidates[i].region != phase)
			out[n++] = g.candidates[i].region;
	guess_free(&g);
	return n;
}

static bool in_parallel(const struct sir *s, uint32_t region)
{
	while (region != SIR_NONE && s->regions[region].type != REGION_PARALLEL)
		region = s->regions[region].parent;
	return region != SIR_NONE;
}

uint32_t sir_team_units(const struct sir *s, uint32_t *out, uint32_t max)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];
		uint32_t unit = SIR_NONE;

		if (r->type == REGION_CALL && *r->name && in_parallel(s, i))
			unit = sir_callee(s, r->name, r->source);
		/* called by a pointer, say */
		else if (r->type == REGION_WORKSHARE_DO && !in_parallel(s, i))
			unit = sir_unit_of(s, i);
		if (unit != SIR_NONE && capable(&s->regions[unit]))
			note(out, &n, max, unit);
	}
	return n;
}

bool sir_one_line(const struct sir *s, uint32_t x, uint32_t y)
{
	const struct sir_region *a = &s->regions[x], *b = &s->regions[y];

	return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

void sir_describe(const struct sir *s, uint32_t region, struct buf *out)
{
	describe(s, &s->regions[region], out);
}
