/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences of a report about counts from slices of an execution (monitor/collect/slices.h). */
#ifndef PSC_FINDINGS_SLICE_TEXTS_H
#define PSC_FINDINGS_SLICE_TEXTS_H

#include "analysis/measure/measurements.h"
#include "analysis/search/run_config.h"
#include "report/model/report.h"

/* Fills in r->sampled, r->sample_share and r->slowdown_limited.  0 / -1 (memory). */
int slice_texts_head(struct report *r, const struct measurements *p, const struct run_config *c);
/* Notes on what no slice saw, and where --max-slowdown could not be kept.  0 / -1 (memory). */
int slice_texts_notes(struct report *r, const struct measurements *p);

#endif
