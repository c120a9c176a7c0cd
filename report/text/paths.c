/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the search paths as Periscope's paper does: one block for each path of regions, one line
 * for each step, the structures found under it below, and one column for each property of a family
 * of refinements. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/text/text.h"

#define FIGURE_COLUMNS 10       /* of one property: a rate, its parentheses */
#define RANK_COLUMNS 7
#define PATH_LEAST 36           /* columns kept for the path; limits the columns of properties */
#define FAMILY_DEPTH 16         /* refinements followed upwards; also ends a cycle */
#define MAX_COLUMNS 8
#define SCAN_LIMIT 256          /* most entries searched for the figure of a shared step */
#define HEAD_LINES 3

struct entry {
	const struct report_finding *f;
	int rank;               /* from 1 */
	const char *root;       /* the family: its most general property */
	int depth;              /* number of refinements between root and the property */
	int nregions;           /* steps that are regions; structures follow */
	int block;              /* number of its block in by_region; -1 none */
};

struct paths {
	struct text_report *t;
	struct entry *all;              /* by rank */
	const struct entry **by_path;   /* family, processes, path, rank */
	struct entry **by_region;       /* family, processes, regions of the path, rank */
	int n;
	/* columns of the block being printed: names of properties */
	const char *column[MAX_COLUMNS];
	int ncolumns;
	struct buf header;              /* as last printed */
};

static const char *nonnull(const char *s)
{
	return s ? s : "";
}

/* --- order --------------------------------------------------------------------------------- */

static int compare_family(const struct entry *a, const struct entry *b)
{
	int c = strcmp(a->root, b->root);

	return c ? c : report_processes_compare(a->f, b->f);
}

static int compare_regions(const struct entry *a, const struct entry *b)
{
	int c = compare_family(a, b);

	return c ? c : report_path_compare(a->f->path, a->nregions, b->f->path, b->nregions);
}

static int order_by_region(const void *pa, const void *pb)
{
	const struct entry *a = *(struct entry *const *)pa, *b = *(struct entry *const *)pb;
	int c = compare_regions(a, b);

	return c ? c : a->rank - b->rank;
}

static int order_by_path(const void *pa, const void *pb)
{
	const struct entry *a = *(const struct entry *const *)pa;
	const struct entry *b = *(const struct entry *const *)pb;
	int c = compare_family(a, b);

	if (!c)
		c = report_path_compare(a->f->path, a->f->npath, b->f->path, b->f->npath);
	return c ? c : a->rank - b->rank;
}

/* Index in by_path of the first entry of e's family whose path begins with the first k steps of
 * e's. */
static int first_below(const struct paths *p, const struct entry *e, int k)
{
	int low = 0, high = p->n;

	while (low < high) {
		int mid = low + (high - low) / 2;
		const struct entry *m = p->by_path[mid];
		int c = compare_family(m, e);

		if (!c)
			c = report_path_compare(m->f->path, m->f->npath, e->f->path, k);
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool continues(const struct entry *m, const struct entry *e, int k)
{
	return compare_family(m, e) == 0 && m->f->npath >= k &&
		report_path_compare(m->f->path, k, e->f->path, k) == 0;
}

/* --- families ------------------------------------------------------------------------------ */

static const struct report_finding *find_property(const struct text_report *t, const char *name)
{
	for (int i = 0; i < t->shown; i++)
		if (strcmp(nonnull(t->r->findings[i].property), name) == 0)
			return &t->r->findings[i];
	return NULL;
}

static void find_root(const struct text_report *t, struct entry *e)
{
	const struct report_finding *f = e->f;

	e->root = nonnull(f->property);
	while (e->depth < FAMILY_DEPTH && f && f->refines) {
		f = find_property(t, f->refines);
		if (!f)
			break;
		e->root = nonnull(f->property);
		e->depth++;
	}
}

/* Chooses the columns: all properties of the family, parents first; if they do not fit, only those
 * of this block. */
static void choose_columns(struct paths *p, const struct entry *e)
{
	int fit = (p->t->page.width - PATH_LEAST - RANK_COLUMNS) / (FIGURE_COLUMNS + 1);
	int total = 0;

	if (fit > MAX_COLUMNS)
		fit = MAX_COLUMNS;
	for (int only_block = 0; only_block < 2; only_block++) {
		total = 0;
		for (int depth = 0; depth <= FAMILY_DEPTH; depth++) {
			for (int i = 0; i < p->n; i++) {
				const struct entry *m = &p->all[i];
				bool known = m->depth != depth || strcmp(m->root, e->root) != 0 ||
					(only_block && compare_regions(m, e) != 0);

				for (int k = 0; k < total && k < fit && !known; k++)
					known = strcmp(p->column[k], nonnull(m->f->property)) == 0;
				if (known)
					continue;
				if (total < fit)
					p->column[total] = nonnull(m->f->property);
				total++;
			}
		}
		if (total <= fit)
			break;
	}
	p->ncolumns = total < fit ? total : fit;
}

/* --- the header ---------------------------------------------------------------------------- */

/* Breaks a name into lines of at most FIGURE_COLUMNS - 1 characters, before capitals: "LC3DRead",
 * "MissRate".  Returns their number. */
static int break_name(const char *name, char line[HEAD_LINES][FIGURE_COLUMNS])
{
	int n = 0;

	while (*name && n < HEAD_LINES) {
		size_t len = strlen(name), cut = len;

		if (len >= FIGURE_COLUMNS) {
			cut = FIGURE_COLUMNS - 1;
			for (size_t i = cut; i > 1; i--) {
				if (isupper((unsigned char)name[i]) &&
				    islower((unsigned char)name[i - 1])) {
					cut = i;
					break;
				}
				if (name[i - 1] == '_' || name[i - 1] == ' ') {
					cut = i;
					break;
				}
			}
			while (cut > 1 && ((unsigned char)name[cut] & 0xc0) == 0x80)
				cut--;
		}
		memcpy(line[n], name, cut);
		line[n][cut] = '\0';
		if (n == HEAD_LINES - 1 && name[cut])
			memcpy(line[n] + (cut > 2 ? cut - 2 : 0), "..", cut > 2 ? 2 : 0);
		name += cut;
		while (*name == ' ')
			name++;
		n++;
	}
	return n;
}

static void header(struct paths *p)
{
	char lines[MAX_COLUMNS][HEAD_LINES][FIGURE_COLUMNS];
	struct text_page head = { .out = BUF_INIT, .width = p->t->page.width };
	int count[MAX_COLUMNS], most = 1;

	for (int c = 0; c < p->ncolumns; c++) {
		count[c] = break_name(p->column[c], lines[c]);
		most = count[c] > most ? count[c] : most;
	}
	for (int i = 0; i < most; i++) {
		page_spaces(&head, head.width - RANK_COLUMNS - p->ncolumns * (FIGURE_COLUMNS + 1));
		for (int c = 0; c < p->ncolumns; c++) {
			int k = i - (most - count[c]);

			page_cell(&head, k >= 0 ? lines[c][k] : "", FIGURE_COLUMNS, PAGE_RIGHT);
			page_spaces(&head, 1);
		}
		page_cell(&head, i == most - 1 ? "#" : "", RANK_COLUMNS - 1, PAGE_RIGHT);
		page_end_line(&head);
	}
	p->t->page.out.failed |= head.out.failed;
	/* Repeat the header only when the columns change. */
	if (strcmp(buf_str(&head.out), buf_str(&p->header)) != 0)
		buf_puts(&p->t->page.out, buf_str(&head.out));
	else
		buf_puts(&p->t->page.out, "\n");
	buf_free(&p->header);
	p->header = head.out;
}

/* --- one line ------------------------------------------------------------------------------ */

static void figure(struct paths *p, const struct entry *e, int k, const char *property)
{
	char text[PAGE_FIGURE], quoted[PAGE_FIGURE + 2];
	const struct report_node *node = NULL;
	bool holds = false;
	int i = first_below(p, e, k);

	for (int end = i + SCAN_LIMIT; i < p->n && i < end && !node; i++) {
		const struct entry *m = p->by_path[i];

		if (!continues(m, e, k))
			break;
		if (strcmp(nonnull(m->f->property), property) != 0)
			continue;
		node = &m->f->path[k - 1];
		holds = node->holds || m->f->npath == k;
	}
	if (!node) {
		page_spaces(&p->t->page, FIGURE_COLUMNS + 1);
		return;
	}
	text_rate(p->t, text, node->measure);
	if (holds || isnan(node->measure)) {
		page_cell(&p->t->page, isnan(node->measure) ? "-" : text, FIGURE_COLUMNS,
			PAGE_RIGHT);
		page_spaces(&p->t->page, 1);
		return;
	}
	p->t->parentheses = true;
	snprintf(quoted, sizeof quoted, "(%s)", text);
	page_cell(&p->t->page, quoted, FIGURE_COLUMNS + 1, PAGE_RIGHT);
}

static void ranks(struct paths *p, const struct entry *e, int k)
{
	struct buf b = BUF_INIT;

	for (int i = first_below(p, e, k); i < p->n; i++) {
		const struct entry *m = p->by_path[i];

		if (m->f->npath != k || !continues(m, e, k))
			break;
		buf_printf(&b, "%s%d", b.len ? "," : "", m->rank);
	}
	page_cell(&p->t->page, buf_str(&b), RANK_COLUMNS - 1, PAGE_RIGHT);
	if (b.failed)
		p->t->page.out.failed = true;
	buf_free(&b);
}

/* Prints step k (from 1) of e's path. */
static void step(struct paths *p, const struct entry *e, int k)
{
	struct text_page *page = &p->t->page;
	int width = page->width - RANK_COLUMNS - p->ncolumns * (FIGURE_COLUMNS + 1);
	int indent = 2 * (k - 1) < width / 2 ? 2 * (k - 1) : width / 2;
	struct buf label = BUF_INIT;

	page_label(&label, &e->f->path[k - 1], width - indent, page->unicode);
	page_spaces(page, indent);
	page_cell(page, buf_str(&label), width - indent, PAGE_LEFT);
	for (int c = 0; c < p->ncolumns; c++)
		figure(p, e, k, p->column[c]);
	ranks(p, e, k);
	page_end_line(page);
	if (label.failed)
		page->out.failed = true;
	buf_free(&label);
}

/* --- blocks -------------------------------------------------------------------------------- */

/* True: every finding of the block ends in a region and is a step of a longer path that is
 * printed. */
static bool shown_elsewhere(const struct paths *p, int first, int end)
{
	for (int i = first; i < end; i++) {
		const struct entry *e = p->by_region[i];
		bool found = false;

		if (e->f->npath != e->nregions)
			return false;
		for (int k = first_below(p, e, e->nregions), stop = k + SCAN_LIMIT;
				k < p->n && k < stop && !found; k++) {
			const struct entry *m = p->by_path[k];

			if (!continues(m, e, e->nregions))
				break;
			found = m->nregions > e->nregions &&
				strcmp(nonnull(m->f->property), nonnull(e->f->property)) == 0;
		}
		if (!found)
			return false;
	}
	return true;
}

static void block(struct paths *p, int first, int end)
{
	const struct entry *e = p->by_region[first], *former = e;
	int done = e->nregions;
	bool worst = e->rank == 1;

	choose_columns(p, e);
	header(p);
	if (worst)
		page_bold(&p->t->page, true);
	for (int k = 1; k <= e->nregions; k++)
		step(p, e, k);
	for (int i = first; i < end; i++) {
		const struct entry *m = p->by_region[i];
		bool seen = m->f->npath == m->nregions;

		for (int k = first; k < i && !seen; k++)
			seen = report_path_compare(p->by_region[k]->f->path,
				p->by_region[k]->f->npath, m->f->path, m->f->npath) == 0;
		if (seen)
			continue;
		/* members of one COMMON block share its line */
		while (done > m->nregions &&
				(done > m->f->npath || report_path_compare(former->f->path, done,
				m->f->path, done) != 0))
			done--;
		if (done == m->f->npath)
			done--;
		for (int k = done + 1; k <= m->f->npath; k++)
			step(p, m, k);
		done = m->f->npath;
		former = m;
	}
	if (worst)
		page_bold(&p->t->page, false);
}

/* Prints the blocks in the order of their worst finding. */
static void blocks(struct paths *p)
{
	int *start = calloc((size_t)p->n + 1, sizeof *start), nblocks = 0;

	if (!start) {
		p->t->page.out.failed = true;
		return;
	}
	for (int i = 0; i < p->n; i++) {
		if (i == 0 || compare_regions(p->by_region[i - 1], p->by_region[i]) != 0)
			start[nblocks++] = i;
		p->by_region[i]->block = nblocks - 1;
	}
	start[nblocks] = p->n;
	for (int i = 0; i < p->n; i++) {
		int b = p->all[i].block;

		if (b < 0 || p->by_region[start[b]] != &p->all[i] || p->all[i].f->npath <= 0)
			continue;
		if (!shown_elsewhere(p, start[b], start[b + 1]))
			block(p, start[b], start[b + 1]);
	}
	free(start);
}

/* --- the legend ---------------------------------------------------------------------------- */

/* A line on names, with a list between two common texts: "u, rsd: in COMMON cvar"; "v is the name
 * of rsd (COMMON cvar) in blts, buts". */
struct name_line {
	char *before, *list, *after;    /* owned */
};

static void describe(const struct report_finding *f, int k, struct buf *before, struct buf *item,
	struct buf *after)
{
	const struct report_node *n = &f->path[k];
	const char *in = report_subroutine(f, k);

	buf_clear(before);
	buf_clear(item);
	buf_clear(after);
	if (*nonnull(n->alias_of)) {
		buf_printf(before, "%s is the name of %s", n->name, n->alias_of);
		if (*nonnull(n->scope))
			buf_printf(before, " (%s)", n->scope);
		buf_puts(before, " in ");
		buf_puts(item, in ? in : n->file);
	} else if (*nonnull(n->scope)) {
		buf_puts(item, n->name);
		buf_printf(after, ": in %s", n->scope);
	}
}

static bool listed(const char *list, const char *item)
{
	size_t len = strlen(item);

	for (const char *p = list; (p = strstr(p, item)) != NULL; p += len ? len : 1)
		if ((p == list || p[-1] == ' ') && (p[len] == '\0' || p[len] == ','))
			return true;
	return false;
}

/* Adds an item to the line with these texts, or adds a line.  False: memory. */
static bool add_name(struct name_line *lines, int *n, const struct buf *before,
	const struct buf *item, const struct buf *after)
{
	struct buf list = BUF_INIT;
	int i = 0;

	while (i < *n && (strcmp(lines[i].before, buf_str(before)) != 0 ||
			strcmp(lines[i].after, buf_str(after)) != 0))
		i++;
	if (i == *n) {
		(*n)++;
		lines[i].before = strdup(buf_str(before));
		lines[i].list = strdup(buf_str(item));
		lines[i].after = strdup(buf_str(after));
		return lines[i].before && lines[i].list && lines[i].after;
	}
	if (listed(lines[i].list, buf_str(item)))
		return true;
	buf_printf(&list, "%s, %s", lines[i].list, buf_str(item));
	free(lines[i].list);
	lines[i].list = buf_take(&list);
	return lines[i].list != NULL;
}

static void put_names(struct text_report *t, struct name_line *lines, int n)
{
	for (int i = 0; i < n; i++) {
		struct buf b = BUF_INIT;

		buf_printf(&b, "%s%s%s", nonnull(lines[i].before), nonnull(lines[i].list),
			nonnull(lines[i].after));
		page_wrap_buf(&t->page, 0, 2, &b);
		buf_free(&b);
		free(lines[i].before);
		free(lines[i].list);
		free(lines[i].after);
	}
}

/* Prints once for each structure its own name and where it is stored. */
static void names(struct text_report *t)
{
	struct buf before = BUF_INIT, item = BUF_INIT, after = BUF_INIT;
	struct name_line *lines;
	int n = 0, most = 0;

	for (int i = 0; i < t->shown; i++)
		most += t->r->findings[i].npath;
	lines = calloc((size_t)most + 1, sizeof *lines);
	for (int i = 0; lines && i < t->shown; i++) {
		const struct report_finding *f = &t->r->findings[i];

		for (int k = 0; k < f->npath && !t->page.out.failed; k++) {
			if (f->path[k].type != REGION_DATA_STRUCTURE)
				continue;
			describe(f, k, &before, &item, &after);
			t->page.out.failed |= before.failed || item.failed || after.failed;
			if (item.len && !add_name(lines, &n, &before, &item, &after))
				t->page.out.failed = true;
		}
	}
	if (lines)
		put_names(t, lines, n);
	if (!lines)
		t->page.out.failed = true;
	free(lines);
	buf_free(&before);
	buf_free(&item);
	buf_free(&after);
}

static void legend(struct text_report *t)
{
	buf_puts(&t->page.out, "\n");
	page_dim(&t->page, true);
	names(t);
	if (t->parentheses)
		page_wrap(&t->page, 0, 2, "(rate): measured, but the property does not hold there; "
			"empty: not found there.");
	if (t->dash)
		page_wrap(&t->page, 0, 2,
			"-: no rate: not measured, or the property compares threads and only "
			"one runs there.");
	page_dim(&t->page, false);
}

static void fill(struct paths *p)
{
	for (int i = 0; i < p->n; i++) {
		const struct report_finding *f = &p->t->r->findings[i];
		struct entry *e = &p->all[i];

		*e = (struct entry){ .f = f, .rank = i + 1, .nregions = f->npath, .block = -1 };
		while (e->nregions > 0 && f->path[e->nregions - 1].type == REGION_DATA_STRUCTURE)
			e->nregions--;
		find_root(p->t, e);
		p->by_path[i] = e;
		p->by_region[i] = e;
	}
	qsort(p->by_path, (size_t)p->n, sizeof(*p->by_path), order_by_path);
	qsort(p->by_region, (size_t)p->n, sizeof(*p->by_region), order_by_region);
}

void text_paths(struct text_report *t)
{
	struct paths p = { .t = t, .n = t->shown, .header = BUF_INIT };
	bool any = false, dash = t->dash;

	for (int i = 0; i < t->shown; i++)
		any |= t->r->findings[i].npath > 1;
	if (!any)
		return;
	t->dash = false;        /* paths have a legend of their own: "-" has a further reason
				 * there */
	p.all = calloc((size_t)p.n, sizeof *p.all);
	p.by_path = calloc((size_t)p.n, sizeof(*p.by_path));
	p.by_region = calloc((size_t)p.n, sizeof(*p.by_region));
	if (!p.all || !p.by_path || !p.by_region) {
		t->page.out.failed = true;
	} else {
		page_heading(&t->page, "Search paths, worst first");
		fill(&p);
		blocks(&p);
		legend(t);
		t->dash |= dash;
	}
	buf_free(&p.header);
	free(p.all);
	free(p.by_path);
	free(p.by_region);
}
