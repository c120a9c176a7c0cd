/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and sums up the locality of data structures. */
#include "analysis/measure/locality.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/monitor_tables.h"
#include "base/by_field.h"

static int by_object(const void *a, const void *b)
{
	const struct measured_locality *x = a, *y = b;

	BY(object);
	BY(toucher);
	BY(users);
	BY(user);
	BY(node);
	BY(code);
	return 0;
}

static uint32_t number_of(const struct columns *c, uint32_t thread)
{
	return thread == MON_ANY ? UINT32_MAX : columns_thread(c, thread);
}

static void set_users(const struct columns *c, uint64_t users, struct measured_locality *out)
{
	const bool known = users != UINT64_MAX;

	out->users = known ? (uint32_t)__builtin_popcountll(users) : UINT32_MAX;
	out->user = out->users == 1 && !(users >> (MON_USERS - 1)) ?
		number_of(c, (uint32_t)__builtin_ctzll(users)) : UINT32_MAX;
}

int locality_add(const struct measurements *p, struct columns *c, const struct mon_result *r)
{
	c->locality = calloc(r->nlocalities + (size_t)1, sizeof *c->locality);
	if (!c->locality)
		return -1;
	for (uint32_t i = 0; i < r->nlocalities; i++) {
		const struct mon_locality *row = &r->localities[i];
		struct measured_locality l = { .object = tables_object(p, row->object),
			.toucher = number_of(c, row->toucher), .node = row->node,
			.bytes = (double)row->bytes, .code = row->code };

		set_users(c, row->users, &l);
		if (l.object >= MON_OBJ_FIRST && row->bytes)
			c->locality[c->nlocality++] = l;
	}
	if (c->nlocality)
		qsort(c->locality, c->nlocality, sizeof *c->locality, by_object);
	return 0;
}

void locality_free(struct columns *c)
{
	free(c->locality);
	c->locality = NULL;
	c->nlocality = 0;
}

uint32_t locality_node(const struct measurements *p, uint32_t thread)
{
	const struct columns *c = p->columns;

	for (uint32_t i = 0; c && i < c->nteam; i++)
		if (c->team[i].number == thread)
			return c->team[i].node < p->machine->flat.nodes.count ? c->team[i].node :
				UINT32_MAX;
	return UINT32_MAX;
}

/* Sums over the rows of one object that have a toucher: rows from..to - 1 are its. */
static void find_toucher(const struct columns *c, size_t from, size_t to, struct locality *out)
{
	double most = 0, most_of_code = 0;

	for (size_t i = from, end; i < to; i = end) {
		double sum = 0;

		for (end = i; end < to && c->locality[end].toucher == c->locality[i].toucher; end++)
			sum += c->locality[end].bytes;
		if (c->locality[i].toucher == UINT32_MAX || sum <= most)
			continue;
		most = sum;
		most_of_code = 0;
		out->toucher = c->locality[i].toucher;
		for (size_t k = i; k < end; k++)
			if (c->locality[k].bytes > most_of_code) {
				most_of_code = c->locality[k].bytes;
				out->code = c->locality[k].code;
			}
	}
	out->touched = most / out->bytes;
}

static void find_users(const struct measurements *p, size_t from, size_t to, struct locality *out)
{
	double alone = 0, elsewhere = 0, unknown = 0, group = 0;

	for (size_t i = from; i < to; i++) {
		const struct measured_locality *l = &p->columns->locality[i];
		const uint32_t here = locality_node(p, l->user);

		group += l->users > 1 && l->users < p->columns->threads ? l->bytes : 0;
		if (l->users != 1)
			continue;
		alone += l->bytes;
		if (here == UINT32_MAX || l->node == UINT32_MAX)
			unknown += l->bytes;
		else if (here != l->node)
			elsewhere += l->bytes;
	}
	out->one_user = alone / out->bytes;
	out->group = group / out->bytes;
	out->elsewhere = unknown > 0.5 * alone ? NAN : elsewhere / out->bytes;
}

void locality_of(const struct measurements *p, uint32_t object, struct locality *out)
{
	const struct columns *c = p->columns;
	size_t from = 0, to;

	*out = (struct locality){ .one_user = NAN, .group = NAN, .elsewhere = NAN,
		.toucher = UINT32_MAX, .touched = NAN };
	while (c && from < c->nlocality && c->locality[from].object != object)
		from++;
	for (to = from; c && to < c->nlocality && c->locality[to].object == object; to++)
		out->bytes += c->locality[to].bytes;
	if (!(out->bytes > 0))
		return;
	find_toucher(c, from, to, out);
	find_users(p, from, to, out);
}
