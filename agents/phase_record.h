/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the log of the phase (phase/phase_log.h) where --phase-log asks for it. */
#ifndef PSC_AGENTS_PHASE_RECORD_H
#define PSC_AGENTS_PHASE_RECORD_H

#include "phase/phase_log.h"
#include "analysis/search/run_config.h"

struct sir;

struct phase_record {           /* zeroed before the first call; freed by phase_record_end() */
	struct phase_log_writer writer;
	uint8_t *named;                 /* owned: of each region, has its name been written? */
	struct phase_decision held;     /* about a finished analysis, as written last; at first
					 * PHASE_KEEP, which none is */
	bool begun, failed;
};

void phase_record_look(struct phase_record *r, const struct run_config *c, const struct sir *sir,
	const struct phase_look *look, const struct phase_decision *d);
void phase_record_held(struct phase_record *r, const struct run_config *c,
	const struct phase_held *facts, const struct phase_decision *d);
void phase_record_end(struct phase_record *r);

#endif
