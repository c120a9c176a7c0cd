/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs of data structures by region: their keys, order and sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"

#define BELOW " > "

const char *report_key_function(const char *key)
{
	const char *next;

	while ((next = strstr(key, BELOW)))
		key = next + strlen(BELOW);
	return key;
}

void report_key_extend(struct buf *key, const char *name_path)
{
	const char *last = report_key_function(buf_str(key));
	size_t n = strlen(last);

	if (!name_path || !*name_path)
		name_path = "?";
	if (n && strncmp(last, name_path, n) == 0 && name_path[n] == '/')
		name_path += n;
	else if (key->len)
		buf_puts(key, BELOW);
	buf_puts(key, name_path);
}

void report_key_name(struct buf *key, const char *name)
{
	for (const char *s = name ? name : ""; *s; s++) {
		buf_add(key, s, 1);
		if (*s == ':')
			s += strspn(s + 1, "0123456789");
	}
}

int report_cost_compare(const struct report_cost *a, const struct report_cost *b)
{
	int c = text_compare(a->region, b->region);

	if (!c)
		c = text_compare(a->structure, b->structure);
	if (!c)
		c = text_compare(a->scope, b->scope);
	return c ? c : text_compare(a->declared, b->declared);
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
void report_cost_add(struct report_cost *to, const struct report_cost *c)
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

/* 0 / -1 (memory). */
static int add_cost(struct arena *arena, struct report_cost *to, const struct report_cost *c)
{
	report_cost_add(to, c);
	return c->nsites ? report_sites_merge(arena, to->sites, to->nsites, c->sites, c->nsites,
		&to->sites, &to->nsites) : 0;
}

int report_costs_join(struct arena *arena, struct report_cost *costs, int n)
{
	int kept = 0;

	if (n > 1)
		qsort(costs, (size_t)n, sizeof *costs, compare);
	for (int i = 0; i < n; i++) {
		if (!kept || report_cost_compare(&costs[kept - 1], &costs[i]) != 0)
			costs[kept++] = costs[i];
		else if (add_cost(arena, &costs[kept - 1], &costs[i]))
			return -1;
	}
	return kept;
}

/* The row of all memory in the region whose key is the first n bytes of key: rows are sorted, and
 * it is the first of its region; -1: none. */
static int row_of_region(const struct report *r, const char *key, size_t n)
{
	int low = 0, high = r->ncosts;

	while (low < high) {
		int mid = (low + high) / 2, c = strncmp(r->costs[mid].region, key, n);

		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < r->ncosts && !r->costs[low].structure &&
		strncmp(r->costs[low].region, key, n) == 0 && !r->costs[low].region[n] ? low : -1;
}

int report_cost_around(const struct report *r, int at)
{
	const char *key = r->costs[at].region;
	size_t n = strlen(key);
	int row = r->costs[at].structure ? row_of_region(r, key, n) : -1;

	while (row < 0 && !r->costs[at].structure && n-- > 1)
		if (key[n] == '/' || strncmp(key + n, BELOW, strlen(BELOW)) == 0)
			row = row_of_region(r, key, n);
	return row;
}

void report_finding_key(const struct report_finding *f, struct buf *key)
{
	for (int i = 0; i < f->npath; i++)
		if (f->path[i].type != REGION_DATA_STRUCTURE)
			report_key_extend(key, f->path[i].name_path);
}

const struct report_cost *report_cost_of(const struct report *r, const struct report_finding *f,
	bool *failed)
{
	const struct report_node *n = report_place(f);
	struct report_cost wanted = { .scope = n->scope, .declared = f->declared };
	struct buf key = BUF_INIT;
	const struct report_cost *found = NULL;

	if (n->type == REGION_DATA_STRUCTURE)
		wanted.structure = report_own_name(n);
	report_finding_key(f, &key);
	wanted.region = buf_str(&key);
	*failed |= key.failed;
	if (!key.failed && r->ncosts)
		found = bsearch(&wanted, r->costs, (size_t)r->ncosts, sizeof *r->costs, compare);
	buf_free(&key);
	return found;
}
