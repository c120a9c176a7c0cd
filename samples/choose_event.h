/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of this host could sample accesses with their addresses. */
#ifndef PSC_SAMPLES_CHOOSE_EVENT_H
#define PSC_SAMPLES_CHOOSE_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum sample_vendor { SAMPLE_PEBS, SAMPLE_IBS, SAMPLE_SPE };
enum { SAMPLE_EVENTS = 8, SAMPLE_EVENT_NAME = 64 };

/* An event to be tried. */
struct sample_event {
	char name[SAMPLE_EVENT_NAME]; /* as the kernel has it: PMU/EVENT/ */
	enum sample_vendor vendor;
	struct perf_event_attr attr;
	/* If the kernel refuses the event alone with ENODATA, it wants this one before it in one
	 * group. */
	bool has_leader;
	struct perf_event_attr leader;
	bool packets; /* samples come through the second buffer */
	uint64_t least_period;
	bool stores, loads; /* what it samples */
};

/* All events to be tried; on a processor with two kinds of cores, those of both.  The part of the
 * host's sysfs is read that describes units; nothing is opened.  Returns their number. */
uint32_t sample_events_here(struct sample_event list[SAMPLE_EVENTS]);

#endif
