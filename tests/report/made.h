/* SPDX-License-Identifier: BSD-3-Clause */
/* A report with findings of one's own, and its short form. */
#ifndef PSC_TESTS_REPORT_MADE_H
#define PSC_TESTS_REPORT_MADE_H

#include "tests/report/sample.h"

enum { MADE_MOST = 40 };
struct made {
	struct report *r;
	struct report_node path[MADE_MOST][4];
};

/* A phase in heat.f90:10 of 100 ms, 60 of which (30 to 80) are lost to memory; no finding yet. */
struct made made_begin(void);
struct report_node made_node(enum region_type type, const char *name, int line);
/* A finding of a property in the loop at `line` inside the phase (0: the phase itself), about a structure
 * (NULL: the region), that costs `est` of the phase's time. */
struct report_finding *made_add(struct made *m, const char *property, int line, const char *structure,
	const char *kind, double est);
/* Gives the finding why it is, and what to do. */
void made_advise(struct report_finding *f, const char *why, const char *advice);
/* A finding of MPI in a call in line 50, which is reached by loop `line` (0: by none). */
struct report_finding *made_call(struct made *m, const char *property, int line, double severity);
/* Only so much of the finding's cost is its own; another finding has the rest. */
struct report_finding *made_own(struct report_finding *f, double own);
struct report_problems made_problems(struct made *m);
void made_end(struct made *m, struct report_problems *p);

extern const struct report_style made_screen;
void has(const char *text, const char *words);
void has_not(const char *text, const char *words);

#endif
