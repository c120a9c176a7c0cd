/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes about memory nodes: where nothing can be remote, and what is not known of them. */
#ifndef PSC_FINDINGS_NODE_NOTES_H
#define PSC_FINDINGS_NODE_NOTES_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Adds them to the report.  0 / -1 (memory). */
int findings_node_notes(const struct measurements *p, struct report *r);

#endif
