/* SPDX-License-Identifier: BSD-3-Clause */
/* Where structures should lie (report/model/place_choices.h), in forms that others apply. */
#ifndef PSC_REPORT_PLACEMENT_FORMS_H
#define PSC_REPORT_PLACEMENT_FORMS_H

#include "report/model/place_choices.h"

enum placement_form {
	PLACEMENT_RULES,        /* the file of psc_frontend --placement */
	PLACEMENT_CODE,         /* calls to write, as a diff to read */
	PLACEMENT_ENVIRONMENT,  /* what numactl and environment variables can do of it */
	PLACEMENT_SITES,        /* allocations by call stack, each with where its blocks belong */
	PLACEMENT_FORMS
};
extern const char *const placement_form_names[PLACEMENT_FORMS + 1];

void placement_form(const struct report *r, enum placement_form form, struct buf *out);
/* placement_code.c */
void placement_calls(const struct report *r, const struct place_choices *all, struct buf *out);
/* Appends why: "OverloadedNode; estimated to save 12%; tried: saves 9%". */
void placement_why(const struct place_choice *c, struct buf *out);
/* What the program itself has to do; NULL: a placement at allocation does it. */
const char *placement_by_hand(const struct place_choice *c);

#endif
