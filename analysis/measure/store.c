/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows by place: an array, and a hash table with open addressing that holds their numbers; the
 * other metrics are arrays of their own beside the rows. */
#include "analysis/measure/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024, CONTEXTS_MOST = 1 << 24 };

struct store *store_new(void)
{
	struct store *s = calloc(1, sizeof *s);

	if (s)
		s->slot = calloc(FIRST_SIZE, sizeof *s->slot);
	if (!s || !s->slot) {
		free(s);
		return NULL;
	}
	s->size = FIRST_SIZE;
	return s;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nmetrics; i++) {
		free(s->metric[i].name);
		free(s->metric[i].value);
	}
	free(s->metric);
	free(s->row);
	free(s->slot);
	free(s->last);
	free(s);
}

/* --- rows ------------------------------------------------------------------------------------ */

static uint32_t key_hash(struct store_key k)
{
	uint64_t h = ((uint64_t)k.context << 32 | k.object) * UINT64_C(0x9e3779b97f4a7c15);

	h += ((uint64_t)k.bin << 32 | k.thread) * UINT64_C(0xc2b2ae3d27d4eb4f);
	return (uint32_t)(h >> 32);
}

static bool same_place(struct store_key a, struct store_key b)
{
	return a.context == b.context && a.object == b.object && a.thread == b.thread &&
		a.bin == b.bin;
}

/* The slot that holds the row's number, or the free slot for it. */
static uint32_t *slot_of(const struct store *s, struct store_key key)
{
	for (uint32_t i = key_hash(key);; i++) {
		uint32_t *slot = &s->slot[i & (s->size - 1)];

		if (!*slot || same_place(s->row[*slot - 1].key, key))
			return slot;
	}
}

struct store_row *store_find(const struct store *s, struct store_key key)
{
	uint32_t n = *slot_of(s, key);

	return n ? &s->row[n - 1] : NULL;
}

static int table_grow(struct store *s)
{
	uint32_t *slot = calloc((size_t)s->size * 2, sizeof *slot);

	if (!slot)
		return -1;
	free(s->slot);
	s->slot = slot;
	s->size *= 2;
	for (uint32_t i = 0; i < s->used; i++)
		*slot_of(s, s->row[i].key) = i + 1;
	return 0;
}

bool store_full(const struct store *s)
{
	return s->used == STORE_MOST;
}

static int rows_grow(struct store *s)
{
	uint32_t cap = s->cap ? s->cap * 2 : FIRST_SIZE / 4;
	struct store_row *row;

	if (store_full(s))
		return -1;
	row = realloc(s->row, cap * sizeof *row);
	if (!row)
		return -1;
	s->row = row;
	s->cap = cap;
	return 0;
}

static const struct store_row *numbered(const struct store *s, uint32_t n)
{
	return n ? &s->row[n - 1] : NULL;
}

const struct store_row *store_last(const struct store *s, uint32_t context)
{
	return context < s->contexts ? numbered(s, s->last[context]) : NULL;
}

const struct store_row *store_before(const struct store *s, const struct store_row *it)
{
	return numbered(s, it->before);
}

/* Makes room for the context in `last`.  0 / -1. */
static int know_context(struct store *s, uint32_t context)
{
	uint32_t n = context + 1 > 2 * s->contexts ? context + 1 : 2 * s->contexts, *last;

	if (context < s->contexts)
		return 0;
	if (context >= CONTEXTS_MOST)
		return -1;
	last = realloc(s->last, n * sizeof *last);
	if (!last)
		return -1;
	memset(last + s->contexts, 0, (n - s->contexts) * sizeof *last);
	s->last = last;
	s->contexts = n;
	return 0;
}

struct store_row *store_insert(struct store *s, struct store_key key)
{
	struct store_row *it = store_find(s, key);

	if (it)
		return it;
	if ((s->used == s->cap && rows_grow(s)) || (s->used * 2 >= s->size && table_grow(s)) ||
	    know_context(s, key.context))
		return NULL;
	it = &s->row[s->used++];
	*it = (struct store_row){ .key = key };
	*slot_of(s, key) = s->used;
	if (key.thread == ALL_THREADS && key.bin == WHOLE_EXECUTION) {
		it->before = s->last[key.context];
		s->last[key.context] = s->used;
	}
	return it;
}

void store_clear_counts(struct store *s)
{
	for (uint32_t i = 0; i < s->used; i++) {
		s->row[i].counts = STORE_UNKNOWN;
		memset(&s->row[i].tally, 0, sizeof s->row[i].tally);
	}
}

/* --- other metrics --------------------------------------------------------------------------- */

static struct store_metric *metric_named(const struct store *s, const char *name)
{
	for (uint32_t i = 0; i < s->nmetrics; i++)
		if (strcmp(s->metric[i].name, name) == 0)
			return &s->metric[i];
	return NULL;
}

const struct store_metric *store_metric_find(const struct store *s, const char *name)
{
	return metric_named(s, name);
}

static struct store_metric *metric_add(struct store *s, const char *name)
{
	struct store_metric *all = realloc(s->metric, (s->nmetrics + 1) * sizeof *all);

	if (!all)
		return NULL;
	s->metric = all;
	all[s->nmetrics] = (struct store_metric){ .name = strdup(name) };
	return all[s->nmetrics].name ? &all[s->nmetrics++] : NULL;
}

struct store_metric *store_metric_begin(struct store *s, const char *name, const char *collector,
	uint32_t executions)
{
	struct store_metric *m = metric_named(s, name);

	if (!m)
		m = metric_add(s, name);
	if (!m)
		return NULL;
	free(m->value);
	*m = (struct store_metric){ .name = m->name, .collector = collector,
		.executions = executions };
	return m;
}

/* Makes room for the values of all rows. */
static int values_grow(const struct store *s, struct store_metric *m)
{
	size_t had = (size_t)m->rows * m->executions, n = (size_t)s->cap * m->executions;
	double *value = realloc(m->value, n * sizeof *value);

	if (!value)
		return -1;
	while (had < n)
		value[had++] = NAN;
	m->value = value;
	m->rows = s->cap;
	return 0;
}

int store_add(struct store *s, struct store_metric *m, struct store_key key, uint32_t execution,
	double value)
{
	const struct store_row *row = execution < m->executions ? store_insert(s, key) : NULL;
	double *v;

	if (!row || ((uint32_t)(row - s->row) >= m->rows && values_grow(s, m)))
		return -1;
	v = &m->value[(size_t)(row - s->row) * m->executions + execution];
	*v = (isnan(*v) ? 0 : *v) + value;
	return 0;
}

double store_value(const struct store *s, const struct store_metric *m, struct store_key key,
	uint32_t execution)
{
	const struct store_row *row = store_find(s, key);

	if (!row || (uint32_t)(row - s->row) >= m->rows || execution >= m->executions)
		return NAN;
	return m->value[(size_t)(row - s->row) * m->executions + execution];
}
