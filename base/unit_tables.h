/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the text of a struct psc_tables and packed descriptors (base/abi.h).  Their writers are
 * instrument/unit_data.cc and access_groups.cc. */
#ifndef PSC_BASE_UNIT_UNIT_TABLES_H
#define PSC_BASE_UNIT_UNIT_TABLES_H

#include <string.h>

#include "base/abi.h"

static inline const char *tables_string(const unsigned char **at)
{
	const char *s = (const char *)*at;

	*at += strlen(s) + 1;
	return s;
}

static inline uint64_t tables_number(const unsigned char **at)
{
	uint64_t n = 0;
	unsigned shift = 0;

	do
		n |= (uint64_t)(**at & 0x7f) << shift;
	while (shift += 7, *(*at)++ & 0x80);
	return n;
}

/* Reads a line, encoded as its difference to the previous one: 0, -1, 1, -2, ... */
static inline uint32_t tables_line(const unsigned char **at, uint32_t before)
{
	uint64_t n = tables_number(at);

	return before + (uint32_t)(n & 1 ? ~(n >> 1) : n >> 1);
}

static inline const unsigned char *tables_text(const struct psc_tables *t)
{
	return (const unsigned char *)&t->address[t->naddresses];
}

static inline const unsigned char *tables_scalars(const struct psc_scalars *t)
{
	return (const unsigned char *)&t->address[t->naddresses];
}

/* Bytes of memory that tables_read() needs for the variables and dummies of the unit. */
static inline size_t tables_size(const struct psc_tables *t)
{
	const unsigned char *at = tables_text(t), *scalars = t->scalars ?
		tables_scalars(t->scalars) : NULL;
	uint64_t vars, dummies;

	tables_number(&at);
	tables_string(&at);
	vars = tables_number(&at);
	dummies = tables_number(&at);
	vars += scalars ? tables_number(&scalars) : 0;
	return vars * sizeof(struct psc_var) + dummies * sizeof(struct psc_dummy);
}

/* Reads the next variable; on entry `v` is the previous one. */
static inline void tables_variable(struct psc_var *v, const unsigned char **at,
	const void *const **address, const char **scope)
{
	unsigned flags = *(*at)++;

	v->kind = flags & PSC_TABLES_KIND;
	v->address = flags & PSC_TABLES_ADDRESS ? *(*address)++ :
		(const void *)((const char *)v->address + v->size);
	if (flags & PSC_TABLES_SCOPE)
		*scope = tables_string(at);
	v->scope = **scope || v->kind == PSC_VAR_COMMON ? *scope : NULL;
	if (flags & PSC_TABLES_REGION)
		v->region = (uint32_t)tables_number(at) - 1;
	v->name = tables_string(at);
	if (flags & PSC_TABLES_OFFSET)
		v->address = (const char *)(*address)[-1] + tables_number(at);
	if (flags & PSC_TABLES_SIZE)
		v->size = tables_number(at);
	if (flags & PSC_TABLES_ELEM)
		v->elem = (uint32_t)tables_number(at);
	v->line = tables_line(at, v->line);
}

/* Reads n variables. */
static inline void tables_variables(struct psc_var *var, uint32_t n, const unsigned char **at,
	const void *const *address, uint32_t *line)
{
	struct psc_var now = { NULL, NULL, NULL, 0, 0, 0, PSC_NO_REGION, 0 };
	const char *scope = "";

	for (uint32_t i = 0; i < n; i++) {
		tables_variable(&now, at, &address, &scope);
		var[i] = now;
	}
	*line = now.line;
}

/* Fills in a unit from its tables; `memory` has tables_size() bytes, aligned as a pointer.  Returns
 * the text behind the dummies. */
static inline const unsigned char *tables_read(struct psc_unit *unit, const struct psc_tables *t,
	void *memory)
{
	const unsigned char *at = tables_text(t), *more = t->scalars ? tables_scalars(t->scalars) :
		NULL;
	const uint32_t nscalars = more ? (uint32_t)tables_number(&more) : 0;
	struct psc_var *var = (struct psc_var *)memory;
	struct psc_dummy *dummy;
	uint32_t line, nvars;

	unit->nregions = (uint32_t)tables_number(&at);
	unit->source = tables_string(&at);
	nvars = (uint32_t)tables_number(&at);
	unit->nvars = nvars + nscalars;
	unit->ndummies = (uint32_t)tables_number(&at);
	dummy = (struct psc_dummy *)(void *)(var + unit->nvars);
	unit->vars = var;
	unit->dummies = dummy;
	if (nscalars)
		tables_variables(var + nvars, nscalars, &more, t->scalars->address, &line);
	tables_variables(var, nvars, &at, t->address, &line);
	for (uint32_t i = 0; i < unit->ndummies; i++) {
		dummy[i].name = tables_string(&at);
		dummy[i].region = (uint32_t)tables_number(&at);
		dummy[i].line = line = tables_line(&at, line);
		dummy[i].size = tables_number(&at) - 1;
	}
	return at;
}

/* Fills in the unit's struct psc_mark array, after tables_read(). */
static inline void tables_marks(struct psc_unit *unit)
{
	struct psc_mark *mark = psc_unit_marks(unit);

	for (uint32_t i = 0; i < unit->nregions; i++) {
		mark[i].unit = unit;
		mark[i].index = i;
		mark[i].marked = 1;
	}
	for (uint32_t i = unit->ndummies; i-- > 0;)
		mark[unit->dummies[i].region].dummy = i;
}

/* --- descriptors ----------------------------------------------------------------------------- */

struct tables_reader {
	const unsigned char *at, *end;
	int bad;                        /* a read went past the end */
};

static inline uint64_t tables_bounded(struct tables_reader *r)
{
	uint64_t n = 0;

	for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
		unsigned char byte = *r->at++;

		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	r->bad = 1;
	return 0;
}

static inline int64_t tables_difference(struct tables_reader *r)
{
	uint64_t n = tables_bounded(r);

	return (int64_t)(n & 1 ? ~(n >> 1) : n >> 1);
}

/* Reads the n members of a group, one word each.  Returns n, or 0: invalid. */
static inline uint32_t tables_members(struct tables_reader *r, uint32_t *out, uint32_t n)
{
	uint64_t size = 8, offset = 0;
	uint32_t done = 0;

	while (done < n && !r->bad) {
		uint32_t run = (uint32_t)tables_bounded(r), count = (run >> 2) + 1;
		uint64_t stride;

		if (run & PSC_RUN_SIZE)
			size = tables_bounded(r);
		offset += (uint64_t)tables_difference(r);
		stride = size + (count > 1 ? (uint64_t)tables_difference(r) : 0);
		if (count > n - done || size > PSC_GROUP_SPAN)
			return 0;
		for (; count; count--, offset += stride) {
			if (offset > PSC_GROUP_SPAN)
				return 0;
			out[done++] = (uint32_t)(offset << 16 | size << 2 | (run & 1));
		}
		offset += size - stride;
	}
	return r->bad ? 0 : n;
}

/* Reads a group of several accesses.  Returns the number of its words, or 0: invalid. */
static inline uint32_t tables_many(struct tables_reader *r, uint32_t flags, uint32_t *out,
	uint32_t max)
{
	uint64_t n = tables_bounded(r);
	uint32_t span = 0;

	if (n > PSC_GROUP_MAX || n + 3 > max || !tables_members(r, out + 3, (uint32_t)n))
		return 0;
	out[1] = out[2] = 0;
	for (uint32_t i = 3; i < 3 + n; i++) {
		uint32_t end = PSC_MEMBER_OFFSET(out[i]) + PSC_MEMBER_SIZE(out[i]);

		out[1 + (out[i] & 1)] += 1u << 16 | PSC_MEMBER_SIZE(out[i]);
		span = end > span ? end : span;
	}
	out[0] = PSC_GROUP_MANY | flags | span << 8 | (uint32_t)n;
	return 3 + (uint32_t)n;
}

static inline uint16_t tables_short(struct tables_reader *r)
{
	uint64_t n = tables_bounded(r);

	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

static inline struct psc_work tables_work(struct tables_reader *r)
{
	uint64_t head = tables_bounded(r), statements = head >> 2;
	struct psc_work w = { 0, 0, 0, 0, 0, 0 };

	if (!head)
		return w;
	w.statements = statements < UINT16_MAX ? (uint16_t)statements : UINT16_MAX;
	w.flags = head & 3;
	w.throughput = tables_short(r);
	w.carried = tables_short(r);
	w.chain = tables_short(r);
	w.mispredicts = tables_short(r);
	return w;
}

/* Unpacks a descriptor to at most `max` words: struct psc_segment, its groups, and a line for each
 * group (0: unknown).  tag: of the record.  Returns the number of words, or 0: invalid or too long.
 * Reads nothing at or after `end`. */
static inline uint32_t tables_segment(const unsigned char *at, const unsigned char *end,
	unsigned tag, uint32_t *out, uint32_t max)
{
	const uint32_t head = sizeof(struct psc_segment) / sizeof *out, loop = tag & PSC_REC_LOOP;
	struct tables_reader r = { at, end, 0 };
	struct psc_segment *s = (struct psc_segment *)(void *)out;
	uint32_t line = (uint32_t)tables_bounded(&r), last = line, naccess = 0, nwords = 0,
		words = head, *lines;
	uint64_t ngroups = tables_bounded(&r);
	struct psc_work work = tables_work(&r);

	if (ngroups > UINT16_MAX || ngroups > max)
		return 0;
	/* Lines are written behind the groups' largest possible end first. */
	max -= (uint32_t)ngroups;
	lines = out + max;
	for (uint64_t i = 0; i < ngroups; i++) {
		uint32_t what, flags = 0, kind, got = 1;
		uint64_t size;

		if (tag & PSC_REC_LINES)
			last += (uint32_t)tables_difference(&r);
		lines[i] = tag & PSC_REC_LINES ? last : 0;
		what = (uint32_t)tables_bounded(&r);
		kind = what >> 1 & 3;
		if (r.bad || words + 2 > max)
			return 0;
		flags |= what & PSC_PACKED_TAIL ? PSC_GROUP_TAIL : 0;
		flags |= what & PSC_PACKED_SPIN ? PSC_GROUP_SPIN : 0;
		flags |= what & PSC_PACKED_COPY ? PSC_GROUP_COPY : 0;
		flags |= what & PSC_PACKED_LOCK ? PSC_GROUP_LOCK : 0;
		flags |= (what >> PSC_PACKED_DEPENDENCE_SHIFT & 3) << PSC_GROUP_DEPENDENCE_SHIFT;
		nwords++;
		if (loop) {
			out[words++] = what & PSC_PACKED_STEP ? (uint32_t)PSC_STEP_WORD :
				(uint32_t)tables_difference(&r);
			nwords += what & PSC_PACKED_STEP ? 1 : 0;
		}
		if (what & PSC_PACKED_MANY) {
			got = tables_many(&r, flags, out + words, max - words);
			naccess += got ? got - 3 : 0;
		} else {
			size = tables_bounded(&r);
			if (size >= PSC_SIZE_END)
				return 0;
			out[words] = flags | (uint32_t)size << 2 | kind;
			nwords += kind >= PSC_LOAD_RANGE && !size ? 1 : 0;
			naccess++;
		}
		words += got;
		if (!got || naccess > UINT16_MAX || nwords > UINT16_MAX ||
		    words - head > UINT16_MAX)
			return 0;
	}
	s->nwords = (uint16_t)nwords;
	s->ngroups = (uint16_t)ngroups;
	s->naccess = (uint16_t)naccess;
	s->length = (uint16_t)(words - head);
	s->line = line;
	s->work = work;
	for (uint64_t i = 0; i < ngroups; i++)          /* memmove() may be the program's own */
		out[words + i] = lines[i];
	return r.bad ? 0 : words + (uint32_t)ngroups;
}

#endif
