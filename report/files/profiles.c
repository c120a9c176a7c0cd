/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs in forms that other tools read: callgrind's (KCachegrind, speedscope), Hatchet's literal
 * JSON. Regions are functions there, and so are data structures, below the
 * regions whose code uses them. */
#include <math.h>

#include "base/json_text.h"
#include "base/real_text.h"
#include "base/user_file.h"
#include "config.h"
#include "report/model/cost_tree.h"

/* --- callgrind ------------------------------------------------------------------------------- */

/* A name on a line of its own: callgrind ends it at the line's end, and takes "(" at
 * its beginning for a number. */
static void one_line(struct buf *out, const char *s)
{
	if (*s == '(')
		buf_puts(out, "_");
	for (; *s; s++)
		buf_add(out, (unsigned char)*s < ' ' ? "?" : s, 1);
}

/* callgrind's figures are whole numbers: nanoseconds for times. */
static double whole(enum cost_figure f, double v)
{
	return isnan(v) ? 0 : round(f == COST_TIME || f == COST_ESTIMATE ? v * 1e9 : v);
}

/* Of whole numbers. */
static void figures(struct buf *out, const struct report *r, const double v[COST_FIGURES])
{
	for (int f = 0; f < COST_FIGURES; f++)
		if (cost_figure_name(r, (enum cost_figure)f))
			buf_printf(out, " %.0f", v[f]);
	buf_puts(out, "\n");
}

static void rounded(struct buf *out, const struct report *r, const double v[COST_FIGURES])
{
	double all[COST_FIGURES];

	for (int f = 0; f < COST_FIGURES; f++)
		all[f] = whole((enum cost_figure)f, v[f]);
	figures(out, r, all);
}

static void function_name(struct buf *out, const struct cost_node *n)
{
	if (n->cost->structure)
		buf_puts(out, "data: ");
	one_line(out, n->name);
	if (n->cost->structure && n->cost->scope) {
		buf_puts(out, " in ");
		one_line(out, n->cost->scope);
	}
	buf_puts(out, "\n");
}

static void place(struct buf *out, const char *prefix, const struct cost_node *n)
{
	buf_printf(out, "%sfi=", prefix);
	one_line(out, n->cost->file ? n->cost->file : "?");
	buf_printf(out, "\n%sfn=", prefix);
	function_name(out, n);
}

/* The first (last: the last) cache level that the machine has. */
static int level(const struct report *r, bool last)
{
	int found = -1;

	for (int f = COST_MISSES; f < COST_MISSES + REPORT_LEVELS; f++)
		if (cost_figure_name(r, (enum cost_figure)f) && (last || found < 0))
			found = f;
	return found;
}

static double most(double v, double limit)
{
	return v < limit ? v : limit;
}

/* Own costs: misses of the first and the last level by source line, the rest in the
 * first line of the region. */
static void own_lines(struct buf *out, const struct report *r, const struct cost_node *n)
{
	const struct report_cost *c = n->cost;
	int first = level(r, false), last = level(r, true);
	double left[COST_FIGURES];

	for (int f = 0; f < COST_FIGURES; f++)
		left[f] = whole((enum cost_figure)f, n->own[f]);
	for (int i = 0; i < c->nsites && c->sites[i].line && first >= 0; i++) {
		double v[COST_FIGURES] = { 0 };

		v[last] = most(round(c->sites[i].last_misses), left[last]);
		if (first != last)
			v[first] = most(round(c->sites[i].first_misses), left[first]);
		for (int f = 0; f < COST_FIGURES; f++)
			left[f] -= v[f];
		buf_printf(out, "%d", c->sites[i].line);
		figures(out, r, v);
	}
	buf_printf(out, "%d", c->line);
	figures(out, r, left);
}

static void callgrind_node(struct buf *out, const struct report *r, const struct cost_tree *t,
	int at)
{
	const struct cost_node *n = &t->nodes[at];

	buf_puts(out, "\nfl=");
	one_line(out, n->cost->file ? n->cost->file : "?");
	buf_puts(out, "\nfn=");
	function_name(out, n);
	own_lines(out, r, n);
	for (int i = at + 1; i < t->n; i++) {
		const struct cost_node *below = &t->nodes[i];

		if (below->parent != at || cost_node_is_empty(t, i))
			continue;
		place(out, "c", below);
		buf_printf(out, "calls=1 %d\n%d", below->cost->line, below->cost->line);
		rounded(out, r, below->cost->structure ? below->own : below->all);
	}
}

int report_callgrind_write(const struct report *r, const char *path, struct err *err)
{
	struct cost_tree t;
	struct buf out = BUF_INIT;
	int rc;

	if (cost_tree_make(r, &t, err) < 0)
		return -1;
	buf_puts(&out,
		"# callgrind format\nversion: 1\ncreator: psc_report " PACKAGE_VERSION "\ncmd: ");
	one_line(&out, r->command ? r->command : "?");
	buf_puts(&out,
		"\ndesc: Unit: one execution of the phase; a data structure is a function below the code that uses it\n"
		"positions: line\nevent: time : processor time in ns\nevent: memory_time : estimated loss to memory in ns\nevents:");
	for (int f = 0; f < COST_FIGURES; f++) {
		const char *name = cost_figure_name(r, (enum cost_figure)f);

		if (name)
			buf_printf(&out, " %s", name);
	}
	buf_puts(&out, "\n");
	if (t.n) {
		buf_puts(&out, "summary:");
		rounded(&out, r, t.nodes[0].all);
	}
	for (int i = 0; i < t.n; i++)
		if (!cost_node_is_empty(&t, i))
			callgrind_node(&out, r, &t, i);
	cost_tree_free(&t);
	rc = output_write(path, &out, err);
	buf_free(&out);
	return rc;
}

/* --- Hatchet --------------------------------------------------------------------------------- */

static void metrics(struct buf *out, const struct report *r, const struct cost_node *n)
{
	const char *separator = "";

	for (int f = 0; f < COST_FIGURES; f++) {
		const char *name = cost_figure_name(r, (enum cost_figure)f);

		if (!name)
			continue;
		/* A structure's time is not known, but Hatchet wants each metric in each node. */
		buf_printf(out, "%s\"%s\": ", separator, name);
		text_real(out, isnan(n->own[f]) ? 0 : n->own[f]);
		buf_printf(out, ", \"%s (inc)\": ", name);
		text_real(out, isnan(n->own[f]) ? 0 : n->cost->structure ? n->own[f] : n->all[f]);
		separator = ", ";
	}
}

static void hatchet_node(struct buf *out, const struct report *r, const struct cost_tree *t, int at)
{
	const struct cost_node *n = &t->nodes[at];
	const char *separator = "";

	buf_puts(out, "{\"frame\": {\"name\": ");
	text_json(out, n->name);
	buf_puts(out, n->cost->structure ? ", \"type\": \"structure\", \"scope\": " :
		", \"type\": \"region\", \"file\": ");
	text_json(out, n->cost->structure ? n->cost->scope ? n->cost->scope : "" : n->cost->file ?
		n->cost->file : "");
	if (!n->cost->structure)
		buf_printf(out, ", \"line\": %d", n->cost->line);
	buf_puts(out, "}, \"metrics\": {");
	metrics(out, r, n);
	buf_puts(out, "}, \"children\": [");
	for (int i = at + 1; i < t->n; i++)
		if (t->nodes[i].parent == at && !cost_node_is_empty(t, i)) {
			buf_puts(out, separator);
			hatchet_node(out, r, t, i);
			separator = ",\n ";
		}
	buf_puts(out, "]}");
}

int report_hatchet_write(const struct report *r, const char *path, struct err *err)
{
	struct cost_tree t;
	struct buf out = BUF_INIT;
	int rc;

	if (cost_tree_make(r, &t, err) < 0)
		return -1;
	buf_puts(&out, "[");
	if (t.n)
		hatchet_node(&out, r, &t, 0);
	buf_puts(&out, "]\n");
	cost_tree_free(&t);
	rc = output_write(path, &out, err);
	buf_free(&out);
	return rc;
}
