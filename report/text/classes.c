/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of processes by what holds in them: found, and said in the report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/text/text.h"

enum { LEAST = 4 };             /* processes; fewer are named with each finding */

static int by_size(const void *pa, const void *pb)
{
	const struct report_class *a = pa, *b = pb;
	long na = ranks_count(a->ranks.run, a->ranks.n), nb = ranks_count(b->ranks.run, b->ranks.n);

	if (na != nb)
		return na > nb ? -1 : 1;
	return ranks_compare(a->ranks.run, a->ranks.n, b->ranks.run, b->ranks.n);
}

void report_classes_free(struct report_classes *c)
{
	for (int i = 0; i < REPORT_CLASSES; i++) {
		ranks_free(&c->class[i].ranks);
		free(c->class[i].finding);
	}
	*c = (struct report_classes){ .n = 0 };
}

/* All ranks of the program, if they are known: each process has another one. */
static int all_ranks(const struct report *r, struct rank_set *all)
{
	for (int i = 0; i < r->nfindings; i++) {
		const struct report_finding *f = &r->findings[i];

		if (ranks_count(f->processes, f->nruns) != f->nprocesses)
			return 0;
		if (ranks_add(all, f->processes, f->nruns))
			return -1;
	}
	/* Processes without findings. */
	if (all->n && all->run[all->n - 1].last < r->nprocs)
		return ranks_add(all, &(struct rank_run){ 0, r->nprocs - 1 }, 1);
	return 0;
}

/* Does the finding hold in some of the processes only? */
static bool divides(const struct report_finding *f, const struct rank_set *all)
{
	return !f->over_processes && f->nruns &&
		ranks_count(f->processes, f->nruns) < ranks_count(all->run, all->n);
}

static int note_finding(struct report_class *c, int finding)
{
	int *more = realloc(c->finding, ((size_t)c->nfindings + 1) * sizeof *more);

	if (!more)
		return -1;
	more[c->nfindings++] = finding;
	c->finding = more;
	return 0;
}

/* The new class gets the old one's findings; `with`, those that have this one, gets it, too. */
static int add_class(struct report_classes *c, int old, struct rank_set *ranks)
{
	struct report_class *to = &c->class[c->n], *from = &c->class[old];

	c->n++;
	to->ranks = *ranks;
	*ranks = (struct rank_set){ NULL, 0, 0 };
	for (int i = 0; i < from->nfindings; i++)
		if (note_finding(to, from->finding[i]))
			return -1;
	return 0;
}

/* Divides the classes by one finding.  1: too many; -1: memory. */
static int divide(struct report_classes *c, const struct report_finding *f, int finding)
{
	struct rank_set in[REPORT_CLASSES] = { { NULL, 0, 0 } },
		out[REPORT_CLASSES] = { { NULL, 0, 0 } };
	int n = c->n, parts = 0, rc = 0;

	for (int i = 0; i < n && !rc; i++) {
		rc = ranks_split(&c->class[i].ranks, f->processes, f->nruns, &in[i], &out[i]);
		parts += (in[i].n > 0) + (out[i].n > 0);
	}
	if (!rc && parts > REPORT_CLASSES)
		rc = 1;
	for (int i = 0; i < n && !rc; i++) {
		if (!in[i].n)
			continue;
		if (out[i].n) {
			ranks_free(&c->class[i].ranks);
			c->class[i].ranks = in[i];
			in[i] = (struct rank_set){ NULL, 0, 0 };
			rc = add_class(c, i, &out[i]);
		}
		if (!rc)
			rc = note_finding(&c->class[i], finding);
	}
	for (int i = 0; i < n; i++) {
		ranks_free(&in[i]);
		ranks_free(&out[i]);
	}
	return rc;
}

struct dividing { int finding; double severity; };

/* What the finding costs in all processes, highest first; ties as the report has them. */
static int by_severity(const void *pa, const void *pb)
{
	const struct dividing *a = pa, *b = pb;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	return a->finding - b->finding;
}

static int divide_all(const struct report *r, const struct rank_set *all, struct report_classes *c)
{
	struct dividing *d = calloc((size_t)r->nfindings + 1, sizeof *d);
	int n = 0, rc = d ? 0 : -1;

	for (int i = 0; i < r->nfindings && d; i++) {
		double severity = r->findings[i].severity_share;

		if (divides(&r->findings[i], all))
			d[n++] = (struct dividing){ i, isnan(severity) ? 0 : severity };
	}
	if (n > 1)
		qsort(d, (size_t)n, sizeof *d, by_severity);
	for (int i = 0; i < n && rc >= 0; i++) {
		rc = divide(c, &r->findings[d[i].finding], d[i].finding);
		c->ignored += rc > 0;
	}
	free(d);
	return rc < 0 ? -1 : 0;
}

int report_classes_find(const struct report *r, struct report_classes *out)
{
	struct rank_set all = { NULL, 0, 0 };
	struct report_classes c = { .n = 0 };
	int rc = all_ranks(r, &all);

	if (!rc && ranks_count(all.run, all.n) > 1) {
		c.n = 1;
		rc = ranks_add(&c.class[0].ranks, all.run, all.n);
		if (!rc)
			rc = divide_all(r, &all, &c);
		for (int i = 0; i < c.n; i++)
			c.class[i].representative = c.class[i].ranks.n ?
				c.class[i].ranks.run[0].first : 0;
		if (c.n > 1)
			qsort(c.class, (size_t)c.n, sizeof c.class[0], by_size);
	}
	ranks_free(&all);
	if (rc)
		report_classes_free(&c);
	else
		*out = c;
	return rc;
}

/* --- in the report ---------------------------------------------------------------------------- */

static void class_words(struct buf *b, const struct report *r, const struct report_class *c)
{
	const struct report_finding *f;

	buf_printf(b, "%ld of %d processes (", ranks_count(c->ranks.run, c->ranks.n), r->nprocs);
	ranks_text(b, c->ranks.run, c->ranks.n, 4, ", ");
	buf_printf(b, "), as process %d: ", c->representative);
	if (!c->nfindings)
		buf_puts(b, "only what all have in common");
	for (int i = 0; i < c->nfindings && i < 3; i++) {
		const struct report_node *n;

		f = &r->findings[c->finding[i]];
		n = report_place(f);
		buf_printf(b, "%s%s", i ? "; " : "also ", f->property);
		if (n->type == REGION_DATA_STRUCTURE)
			buf_printf(b, " of %s", n->name);
		if (f->npath > 1)
			buf_printf(b, " in %s:%d", f->path[f->npath - 2].file,
				f->path[f->npath - 2].line);
	}
	if (c->nfindings > 3)
		buf_printf(b, "; and %d more", c->nfindings - 3);
}

void text_classes(struct text_report *t)
{
	struct report_classes c;
	struct buf b = BUF_INIT;

	if (t->r->nprocs < LEAST)
		return;
	if (report_classes_find(t->r, &c)) {
		t->page.out.failed = true;
		return;
	}
	/* As many classes as processes, nearly, tell no more than the findings' own ranks do. */
	if (2 * c.n > t->r->nprocs)
		c.n = 0;
	if (c.n > 1) {
		buf_printf(&t->page.out, "\nProcesses in %d classes", c.n);
		if (c.ignored)
			buf_printf(&t->page.out, " (%d finding%s of some processes not told apart)",
				c.ignored, c.ignored == 1 ? "" : "s");
		buf_puts(&t->page.out, ":\n");
	}
	for (int i = 0; i < c.n && c.n > 1; i++) {
		buf_clear(&b);
		class_words(&b, t->r, &c.class[i]);
		page_spaces(&t->page, 2);
		page_wrap_buf(&t->page, 2, 4, &b);
	}
	t->page.out.failed |= b.failed;
	buf_free(&b);
	report_classes_free(&c);
}

void classes_json(struct buf *out, const struct report *r)
{
	struct report_classes c;

	if (report_classes_find(r, &c)) {
		out->failed = true;
		return;
	}
	buf_puts(out, ",\n  \"classes\": [");
	for (int i = 0; i < c.n; i++) {
		const struct report_class *k = &c.class[i];

		buf_printf(out, "%s\n    {\"processes\": \"", i ? "," : "");
		ranks_text(out, k->ranks.run, k->ranks.n, 0, ", ");
		buf_printf(out, "\", \"nprocesses\": %ld, \"representative\": %d, \"findings\": [",
			ranks_count(k->ranks.run, k->ranks.n), k->representative);
		for (int f = 0; f < k->nfindings; f++)
			buf_printf(out, "%s%d", f ? ", " : "", k->finding[f] + 1);
		buf_puts(out, "]}");
	}
	buf_puts(out, "]");
	report_classes_free(&c);
}
