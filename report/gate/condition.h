/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions over the figures of a report, for limits that a program must keep.
 *
 *   CONDITION := [SCOPE ":"] EXPR
 *   SCOPE     := "problem" | "finding" | "phase" | "structure" NAME | "structure" "*"
 *   EXPR      := EXPR "||" EXPR | EXPR "&&" EXPR | "!" EXPR | "(" EXPR ")" | VALUE COMPARES VALUE
 *   COMPARES  := "<" | "<=" | ">" | ">=" | "==" | "!="
 *   VALUE     := figure | number | "text"
 *
 * "&&" binds stronger than "||".  A number may have one of the suffixes % (hundredths), k, M, G,
 * ns, us, ms, s.  Texts compare with == and != only.  Without a scope the condition is one of
 * findings.
 *
 * Figures: of problems problem_fields; of findings those of the place, the finding and its cost
 * (node_fields, finding_fields, cost_fields in fields.c; in a name that two of them have, the first
 * counts), and `structure`; of the phase report_fields, phase_fields and cost_fields of all memory;
 * of a structure cost_fields, for the whole phase. */
#ifndef PSC_REPORT_CONDITION_H
#define PSC_REPORT_CONDITION_H

#include "base/buf.h"
#include "report/model/fields.h"

enum condition_scope { SCOPE_FINDING, SCOPE_PROBLEM, SCOPE_PHASE, SCOPE_STRUCTURE };
enum condition_truth { CONDITION_FALSE, CONDITION_TRUE, CONDITION_UNKNOWN };

struct condition {                      /* strings in the arena, borrowed */
	const char *text;               /* as the user wrote it */
	enum condition_scope scope;
	const char *structure;          /* of SCOPE_STRUCTURE; NULL: all */
	const struct condition_node *root;
};

/* What a condition is evaluated on: figures are looked up in the tables in this order. */
enum { CONDITION_TABLES = 3 };
struct condition_subject {
	const void *object[CONDITION_TABLES];   /* of condition_tables(); NULL: unknown */
	const char *structure;                  /* its name; "" none */
};

/* Reads a condition; NULL: err says what is wrong, with the text and a caret under the place. */
struct condition *condition_parse(const char *text, struct arena *arena, struct err *err);
/* The tables of a scope; an unused one is NULL. */
const struct field *const *condition_tables(enum condition_scope scope);
/* Unknown: the result depends on figures that were not measured. */
enum condition_truth condition_test(const struct condition *c, const struct condition_subject *s);
/* Appends the figures in the condition: "l2_misses 311218, kind \"gather\"". */
void condition_figures(const struct condition *c, const struct condition_subject *s,
	struct buf *out);

#endif
