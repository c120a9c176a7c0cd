/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the comparison that decided a condition which does not hold.  During a run of the code,
 * each register with a truth value also records the comparison that decided it; a logical operation
 * passes on the record of its deciding operand.  So functions, LET definitions and loops need no
 * special case. */
#include "asl/vm.h"

#include <stdio.h>

static struct decider nearer(struct decider a, struct decider b)
{
	return !a.at || (b.at && b.distance < a.distance) ? b : a;
}

static struct decider compared(double left, double right, unsigned at)
{
	double size = fabs(left) + fabs(right);

	return (struct decider){ at, left, right, size > 0 ? fabs(left - right) / size : 0 };
}

static struct decider placed(unsigned at)
{
	return (struct decider){ at, NAN, NAN, INFINITY };
}

/* The decider of an operation on b and c, whose result one operand of value `decides`
 * determines. */
static struct decider of_two(const struct trace *t, const struct frame *f, const struct insn *i,
	double decides)
{
	return f->num[i->b] == decides ? t->of[i->b] : f->num[i->c] == decides ? t->of[i->c]
		: nearer(t->of[i->b], t->of[i->c]);
}

static struct decider decider(const struct trace *t, const struct frame *f, const struct insn *i,
	unsigned at)
{
	switch ((enum opcode)i->op) {
	case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
		return compared(f->num[i->b], f->num[i->c], at);
	case OP_EQE: case OP_NEE: case OP_EQO: case OP_NEO: case OP_EQT: case OP_NET:
	case OP_ATTR: case OP_ATTRI:
		return placed(at);
	case OP_MOV: case OP_NOT:
		return t->of[i->b];
	case OP_AND:
		return of_two(t, f, i, 0);
	case OP_OR:
		return of_two(t, f, i, 1);
	case OP_SEL:
		return t->of[f->num[i->a] != 0 ? i->b : i->c];
	default:
		return (struct decider){ .at = 0 };
	}
}

void asl_trace(struct trace *t, const struct frame *f, const struct insn *i, unsigned at)
{
	if (i->op == OP_ALT) {
		if (f->num[i->a] == 0)
			t->all = nearer(t->all, t->of[i->a].at ? t->of[i->a] : placed(at));
	} else if (asl_ops[i->op].operands[0] == 'N' && i->op != OP_FILTER) {
		t->of[i->a] = decider(t, f, i, at);
	}
}

/* --- in words --- */
static const char *sign(int op)
{
	switch (op) {
	case OP_LT: return "<";
	case OP_LE: return "<=";
	case OP_GT: return ">";
	case OP_GE: return ">=";
	case OP_EQ: return "==";
	default: return "!=";
	}
}

static bool is_true(int op, double left, double right)
{
	switch (op) {
	case OP_LT: return left < right;
	case OP_LE: return left <= right;
	case OP_GT: return left > right;
	case OP_GE: return left >= right;
	case OP_EQ: return left == right;
	default: return left != right;
	}
}

/* Writes the sides with enough digits to tell them apart. */
static int put_numbers(char *text, size_t size, const struct decider *d, int op)
{
	char left[32], right[32];
	int digits = 4;

	do {
		snprintf(left, sizeof left, "%.*g", digits, d->left);
		snprintf(right, sizeof right, "%.*g", digits, d->right);
		digits += 3;
	} while (digits < 18 && d->left != d->right && !strcmp(left, right));
	return snprintf(text, size, "%s %s %s %s", left, sign(op), right,
		is_true(op, d->left, d->right) ? "holds where it must not" : "does not hold");
}

/* Number of comparisons in the condition, with those of its sets and LET definitions. */
static int comparisons(const struct code *code)
{
	int n = 0;

	for (int i = 0; i < code->ninsn && code->insn[i].op != OP_HOLDS; i++)
		n += code->insn[i].op >= OP_LT && code->insn[i].op <= OP_NET;
	return n;
}

void asl_say_why(const struct trace *t, const struct asl_program *p, const struct code *code,
	char *text, size_t size)
{
	const struct decider *d = &t->all;
	const struct insn *i = d->at ? &code->insn[d->at - 1] : NULL;   /* NULL: no alternatives */
	const struct where *w = d->at ? &code->where[d->at - 1] : NULL;
	bool numbers = i && !isnan(d->left);
	int n = numbers ? put_numbers(text, size, d, i->op) : snprintf(text, size, "does not hold");
	const char *file, *slash;

	if (!w || n < 0 || (size_t)n >= size || (numbers && comparisons(code) == 1))
		return;
	file = p->files[w->file];
	slash = strrchr(file, '/');
	snprintf(text + n, size - (size_t)n, " (%s:%d:%d)", slash ? slash + 1 : file, w->line,
		w->col);
}
