/* SPDX-License-Identifier: BSD-3-Clause */
/* What the recorder of bursts says of itself: collectors whose counts come from bursts (burst,
 * perf) keep it, and say in the report what is missing. */
#ifndef PSC_COLLECT_RECORDER_NOTES_H
#define PSC_COLLECT_RECORDER_NOTES_H

#include "collect/collector.h"

struct recorder_said {
	bool answered;
	struct mon_bursts bursts;
};

/* Takes it from a result, counts or refusal; what was seen of pages goes to the measurements. */
void recorder_take(struct recorder_said *s, struct collection *c, const struct mon_result *r);
/* Notes of losses, and a warning if the recorder was refused.  0 / -1 (memory). */
int recorder_report(const struct recorder_said *s, struct report *out);

#endif
