/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads, merges and prints which members of a record type a region uses. */
#include "sir/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return !a == !b && (!a || strcmp(a, b) == 0);
}

static bool same_record(const struct sir_record *a, const struct sir_record *b)
{
	return a->size == b->size && same_text(a->type, b->type) && same_text(a->array, b->array);
}

static bool has_member(const struct sir_record *r, const struct sir_member *m)
{
	for (uint32_t i = 0; i < r->nused; i++)
		if (r->used[i].offset == m->offset && strcmp(r->used[i].name, m->name) == 0)
			return true;
	return false;
}

static int by_offset(const void *a, const void *b)
{
	const struct sir_member *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Adds the members of `from` to those of `to`. */
static int join(struct sir_model *m, struct sir_record *to, const struct sir_record *from)
{
	struct sir_member *used = arena_array(m->arena, (size_t)to->nused + from->nused,
		sizeof *used);
	uint32_t n = to->nused;

	if (!used)
		return -1;
	if (n)
		memcpy(used, to->used, n * sizeof *used);
	for (uint32_t i = 0; i < from->nused; i++)
		if (!has_member(to, &from->used[i]))
			used[n++] = from->used[i];
	if (n)
		qsort(used, n, sizeof *used, by_offset);
	to->used = used;
	to->nused = n;
	to->all = n >= to->members;
	return 0;
}

int model_record(struct sir_model *m, struct sir_node *n, const struct sir_record *r)
{
	struct sir_record *p;

	for (uint32_t i = 0; i < n->nrecords; i++)
		if (same_record(&n->records[i], r))
			return join(m, &n->records[i], r);
	p = arena_grow(m->arena, n->records, n->nrecords * sizeof *p, (n->nrecords + (size_t)1) *
		sizeof *p);
	if (!p)
		return -1;
	n->records = p;
	p[n->nrecords++] = *r;
	return 0;
}

/* Reads "OFFSET:SIZE:NAME"; *end: behind it.  False: it is no such text,
 * or not inside the record. */
static bool parse_member(struct sir_model *m, const char *text, uint32_t size,
	struct sir_member *out, const char **end)
{
	char *at;
	unsigned long offset, bytes;
	size_t len;

	if (*text < '0' || *text > '9')
		return false;
	offset = strtoul(text, &at, 10);
	if (*at != ':' || at[1] < '0' || at[1] > '9')
		return false;
	bytes = strtoul(at + 1, &at, 10);
	if (*at != ':' || offset > size || !bytes || bytes > size - offset)
		return false;
	len = strcspn(++at, " ");
	*out = (struct sir_member){ arena_strndup(m->arena, at, len), (uint32_t)offset,
		(uint32_t)bytes };
	*end = at + len;
	return len > 0;
}

int model_record_used(struct sir_model *m, const char *text, struct sir_record *r)
{
	struct sir_member *used;
	size_t most = 1;

	r->nused = 0;
	for (const char *p = text; *p; p++)
		most += *p == ' ';
	used = arena_array(m->arena, most, sizeof *used);
	if (!used)
		return -1;
	r->used = used;
	while (*text) {
		if (!parse_member(m, text, r->size, &used[r->nused], &text))
			return 0;
		if (!used[r->nused++].name)
			return -1;
		text += *text == ' ';
	}
	r->all = r->nused >= r->members;
	return r->nused > 0;
}

void record_used_print(const struct sir_record *r, struct buf *out)
{
	for (uint32_t i = 0; i < r->nused; i++)
		buf_printf(out, "%s%" PRIu32 ":%" PRIu32 ":%s", i ? " " : "", r->used[i].offset,
			r->used[i].size, r->used[i].name);
}
