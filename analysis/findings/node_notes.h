/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes about memory nodes, where nothing can be remote. */
#ifndef PSC_FINDINGS_NODE_NOTES_H
#define PSC_FINDINGS_NODE_NOTES_H

#include "analysis/measure/measurements.h"
#include "report/model/report.h"

/* Adds notes to the report where all threads run on one node.  0 / -1 (memory). */
int findings_node_notes(const struct measurements *p, struct report *r);

#endif
