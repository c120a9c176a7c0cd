/* SPDX-License-Identifier: BSD-3-Clause */
/* The recipes for events of the kernel, and what they give on this host. */
#ifndef PSC_FRONTEND_METRICS_LIST_H
#define PSC_FRONTEND_METRICS_LIST_H

#include "base/err.h"

/* The text of the recipes, beside the properties' data model.  Caller
 * frees.  NULL: err says why. */
char *metrics_recipes(struct err *err);
/* Prints each metric with the event that is used, or why it cannot be measured.  Exit code. */
int metrics_list(void);
/* The same in a line: "5 of 12 metrics (psc_frontend --list-metrics)".  1;
 * 0: none; -1: no recipes. */
int metrics_summary(char *text, unsigned size);

#endif
