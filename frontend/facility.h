/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a host the analysis can use, found by effect: each facility is used once and its effect
 * is checked, because an event that opens may never count. */
#ifndef PSC_FRONTEND_FACILITY_H
#define PSC_FRONTEND_FACILITY_H

#include <stddef.h>

enum facility_state { FACILITY_FAILS, FACILITY_PARTLY, FACILITY_WORKS };

struct facility {
	const char *name;
	enum facility_state state;
	char tested[120];  /* what was done, and what came of it */
	const char *knows; /* what can be known with it, or without it */
	char why[400];     /* why not, or not all, and what would change that; "": all works */
};

/* Each fills in all fields. */
void facility_time_samples(struct facility *f);
void facility_recorder(struct facility *f);
void facility_page_faults(struct facility *f);
void facility_nodes(struct facility *f);
void facility_breakpoints(struct facility *f);
void facility_counters(struct facility *f);
void facility_address_samples(struct facility *f);

/* Why an event of perf_event_open() was refused, by errno, and what would change that. */
void facility_refused(int error, char *why, size_t size);
/* Is this a virtual machine, as far as the processor tells? */
int facility_is_virtual(void);

/* Prints a card of all facilities. */
void fidelity_card(void);

#endif
