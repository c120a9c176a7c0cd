/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs of data structures by region: their keys, order and sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"

#define BELOW " > "

/* Where the last function of a key begins. */
static size_t last_function(const struct buf *key)
{
	const char *text = buf_str(key), *at = text, *next;

	while ((next = strstr(at, BELOW)))
		at = next + strlen(BELOW);
	return (size_t)(at - text);
}

void report_key_extend(struct buf *key, const char *name_path)
{
	size_t from = last_function(key), n = key->len - from;

	if (!name_path || !*name_path)
		name_path = "?";
	if (n && strncmp(buf_str(key) + from, name_path, n) == 0 && name_path[n] == '/')
		name_path += n;
	else if (key->len)
		buf_puts(key, BELOW);
	buf_puts(key, name_path);
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int report_cost_compare(const struct report_cost *a, const struct report_cost *b)
{
	int c = compare_text(a->region, b->region);

	if (!c)
		c = compare_text(a->structure, b->structure);
	if (!c)
		c = compare_text(a->scope, b->scope);
	return c ? c : compare_text(a->declared, b->declared);
}

static int compare(const void *a, const void *b)
{
	return report_cost_compare(a, b);
}

/* A figure that only one of both has is kept. */
static void add(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

/* Sampling errors of one program are not independent: add them. */
static void add_cost(struct report_cost *to, const struct report_cost *c)
{
	add(&to->time, c->time);
	add(&to->accesses, c->accesses);
	add(&to->coherence, c->coherence);
	add(&to->est_stall, c->est_stall);
	add(&to->est_stall_low, c->est_stall_low);
	add(&to->est_stall_high, c->est_stall_high);
	for (int i = 0; i < REPORT_LEVELS; i++) {
		add(&to->misses[i], c->misses[i]);
		add(&to->errors[i], c->errors[i]);
	}
}

int report_costs_join(struct report_cost *costs, int n)
{
	int kept = 0;

	if (n > 1)
		qsort(costs, (size_t)n, sizeof *costs, compare);
	for (int i = 0; i < n; i++) {
		if (kept && report_cost_compare(&costs[kept - 1], &costs[i]) == 0)
			add_cost(&costs[kept - 1], &costs[i]);
		else
			costs[kept++] = costs[i];
	}
	return kept;
}

void report_finding_key(const struct report_finding *f, struct buf *key)
{
	for (int i = 0; i < f->npath; i++)
		if (f->path[i].type != REGION_DATA_STRUCTURE)
			report_key_extend(key, f->path[i].name_path);
}

const struct report_cost *report_cost_of(const struct report *r, const struct report_finding *f, bool *failed)
{
	const struct report_node *n = report_place(f);
	struct report_cost wanted = { .scope = n->scope, .declared = f->declared };
	struct buf key = BUF_INIT;
	const struct report_cost *found = NULL;

	if (n->type == REGION_DATA_STRUCTURE)
		wanted.structure = n->alias_of ? n->alias_of : n->name;
	report_finding_key(f, &key);
	wanted.region = buf_str(&key);
	*failed |= key.failed;
	if (!key.failed && r->ncosts)
		found = bsearch(&wanted, r->costs, (size_t)r->ncosts, sizeof *r->costs, compare);
	buf_free(&key);
	return found;
}
