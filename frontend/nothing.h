/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of an analysis whose agents failed before they had found anything. */
#ifndef PSC_FRONTEND_NOTHING_H
#define PSC_FRONTEND_NOTHING_H

#include "analysis/search/run_config.h"
#include "report/model/report.h"

/* A partial report, for the reason given, without any figure; the caller frees.  NULL: memory. */
struct report *nothing_found(const struct run_config *c, const char *why);

#endif
