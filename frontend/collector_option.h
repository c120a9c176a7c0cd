/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of --collector. */
#ifndef PSC_FRONTEND_COLLECTOR_OPTION_H
#define PSC_FRONTEND_COLLECTOR_OPTION_H

#include "frontend/options.h"

/* Takes the list, names with commas: which of the collectors count.  0 / -1. */
int collector_option(struct frontend_options *o, const char *list, struct err *err);
/* Is the collector in the list?  list: NULL or names with commas. */
bool collector_listed(const char *list, const char *name);
/* Its name for --collector. */
const char *collector_count_name(enum counts_by by);

#endif
