/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds instructions, registers and constants to the property being emitted, within the limits of
 * code.h. */
#include "asl/emit.h"

#include <math.h>
#include <string.h>

/* --- code and registers --- */
void asl_emit_too_large(struct emit *e, const char *what)
{
	asl_error(e->c, e->prop->pos, "property '%s' needs too many %s; split it or use fewer "
		"function calls", e->prop->name, what);
	longjmp(e->fail, 1);
}

int asl_work(struct compile *c, const struct decl *prop)
{
	if (++c->work <= MAX_ALL_CODE)
		return 0;
	asl_error(c, prop->pos, "properties up to '%s' need more than %d instructions together",
		prop->name, MAX_ALL_CODE);
	return -1;
}

static void count_work(struct emit *e)
{
	if (asl_work(e->c, e->prop))
		longjmp(e->fail, 1);
}

void asl_emit_expansion(struct emit *e)
{
	if (++e->expanded > MAX_CODE)
		asl_emit_too_large(e, "instructions");
	count_work(e);
}

int asl_emit_insn(struct emit *e, enum opcode op, int a, int b, int c)
{
	if (e->n == MAX_CODE)
		asl_emit_too_large(e, "instructions");
	count_work(e);
	if (e->n == e->cap) {
		int cap = e->cap ? e->cap * 2 : 64;
		struct insn *insn = asl_new(e->c, (size_t)cap * sizeof *insn);
		struct where *where = asl_new(e->c, (size_t)cap * sizeof *where);

		if (e->n) {
			memcpy(insn, e->insn, (size_t)e->n * sizeof *insn);
			memcpy(where, e->where, (size_t)e->n * sizeof *where);
		}
		e->insn = insn;
		e->where = where;
		e->cap = cap;
	}
	e->insn[e->n] = (struct insn){ (uint16_t)op, (uint16_t)a, (uint16_t)b, (uint16_t)c };
	e->where[e->n] = (struct where){ e->pos.file, e->pos.line, e->pos.col };
	return e->n++;
}

int asl_emit_temp(struct emit *e)
{
	int r = e->ntemp++;

	if (e->ntemp > e->max_temp)
		e->max_temp = e->ntemp;
	if (e->max_temp + e->nperm > MAX_NUM)
		asl_emit_too_large(e, "intermediate numbers");
	return r;
}

int asl_emit_permanent(struct emit *e)
{
	if (e->max_temp + e->nperm >= MAX_NUM)
		asl_emit_too_large(e, "numbers");
	return PERMANENT + e->nperm++;
}

int asl_emit_object_register(struct emit *e, int cls)
{
	if (e->nobj == MAX_OBJ)
		asl_emit_too_large(e, "objects");
	e->obj_class[e->nobj] = cls;
	return e->nobj++;
}

int asl_emit_set_register(struct emit *e)
{
	if (e->nset == MAX_SET)
		asl_emit_too_large(e, "sets");
	return e->nset++;
}

int asl_emit_text_register(struct emit *e)
{
	if (e->ntext == MAX_TEXT)
		asl_emit_too_large(e, "texts");
	return e->ntext++;
}

/* --- pools --- */
static void *pool_grow(struct compile *c, const void *old, int n, size_t size)
{
	void *p;

	if (n & (n - 1) || n > UINT16_MAX)      /* full at powers of two only */
		return (void *)(uintptr_t)old;
	p = asl_keep(c, n ? (size_t)n * 2 : 1, size);
	if (n)
		memcpy(p, old, (size_t)n * size);
	return p;
}

/* Hash table of a pool: the first constant of a hash is first[hash] - 1, its successors next[k] -
 * 1. */
struct pool_index {
	uint16_t first[4096], next[UINT16_MAX];
};

static uint16_t *pool_chain(struct emit *e, enum pool which, const void *bytes, size_t n)
{
	struct pool_index **index = &e->c->pools[which];
	const unsigned char *s = bytes;
	uint32_t h = 2166136261u;

	if (!*index)
		*index = asl_new(e->c, sizeof **index);
	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 16777619u;
	return &(*index)->first[(h ^ h >> 15) % 4096];
}

static int pool_next(const struct emit *e, enum pool which, int k)
{
	return e->c->pools[which]->next[k] - 1;
}

static void pool_link(struct emit *e, enum pool which, uint16_t *chain, int k)
{
	e->c->pools[which]->next[k] = *chain;
	*chain = (uint16_t)(k + 1);
}

static int number_constant(struct emit *e, double f)
{
	struct asl_program *p = e->c->prog;
	uint16_t *chain = pool_chain(e, POOL_NUMBERS, &f, sizeof f);

	for (int i = *chain - 1; i >= 0; i = pool_next(e, POOL_NUMBERS, i))
		if (!memcmp(&p->numbers[i], &f, sizeof f))
			return i;
	if (p->nnumbers == UINT16_MAX)
		asl_emit_too_large(e, "constants");
	p->numbers = pool_grow(e->c, p->numbers, p->nnumbers, sizeof *p->numbers);
	p->numbers[p->nnumbers] = f;
	pool_link(e, POOL_NUMBERS, chain, p->nnumbers);
	return p->nnumbers++;
}

int asl_emit_text_constant(struct emit *e, const char *s)
{
	struct asl_program *p = e->c->prog;
	uint16_t *chain = pool_chain(e, POOL_TEXTS, s, strlen(s));

	for (int i = *chain - 1; i >= 0; i = pool_next(e, POOL_TEXTS, i))
		if (!strcmp(p->texts[i], s))
			return i;
	if (p->ntexts == UINT16_MAX)
		asl_emit_too_large(e, "texts");
	p->texts = pool_grow(e->c, p->texts, p->ntexts, sizeof *p->texts);
	p->texts[p->ntexts] = asl_keep_text(e->c, s);
	pool_link(e, POOL_TEXTS, chain, p->ntexts);
	return p->ntexts++;
}

int asl_emit_read(struct emit *e, int cls, int attr)
{
	struct asl_program *p = e->c->prog;
	uint16_t *chain = pool_chain(e, POOL_READS, (const int[]){ cls, attr }, 2 * sizeof(int));

	for (int i = *chain - 1; i >= 0; i = pool_next(e, POOL_READS, i))
		if (p->reads[i].cls == cls && p->reads[i].attr == attr)
			return i;
	if (p->nreads == UINT16_MAX)
		asl_emit_too_large(e, "attributes");
	p->reads = pool_grow(e->c, p->reads, p->nreads, sizeof *p->reads);
	p->reads[p->nreads] = (struct asl_read){ cls, attr };
	pool_link(e, POOL_READS, chain, p->nreads);
	return p->nreads++;
}

int asl_emit_load(struct emit *e, double f)
{
	int r = asl_emit_temp(e);

	asl_emit_insn(e, OP_LOADK, r, number_constant(e, f), 0);
	return r;
}

/* Moves register `from` to `to`; if possible, by changing the target of the last instruction. */
void asl_emit_move(struct emit *e, int to, int from, int mark)
{
	struct insn *last = e->n ? &e->insn[e->n - 1] : NULL;

	if (to == from)
		return;
	if (last && last->a == from && from >= mark && from < PERMANENT
			&& (last->op == OP_LOADK || last->op == OP_MOV || last->op == OP_ATTR
			|| (last->op >= OP_ADD && last->op <= OP_NOT)))
		last->a = (uint16_t)to;
	else
		asl_emit_insn(e, OP_MOV, to, from, 0);
}

int asl_emit_settle(struct emit *e, int mark, int r)
{
	e->ntemp = mark;
	if (r < mark || r >= PERMANENT)
		return r;
	asl_emit_temp(e);
	asl_emit_move(e, mark, r, mark);
	return mark;
}
