/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes records out of a ring that the kernel fills, and packets out of the buffer beside it. */
#ifndef PSC_SAMPLES_RING_H
#define PSC_SAMPLES_RING_H

#include <linux/perf_event.h>
#include "samples/ring_records.h"

enum { RING_RECORD_MOST = 65536 }; /* bytes of a record: its size has 16 bits */

struct sample_ring {
	struct perf_event_mmap_page *page; /* borrowed mapping: this page, then data_size bytes */
	const void *packets; /* the second buffer (AUX), of page->aux_size bytes; NULL: none;
				borrowed */
	struct record_form form;
	uint32_t event;  /* of the unit: number that samples get */
	bool no_addresses; /* the event has none: samples need no address */
	uint64_t period; /* that samples without one of their own stand for */
};

/* Hands out all samples that are in the ring, and counts what was lost.  Samples of Arm's packets
 * get the thread and the processor of the part of the buffer that they lie in. */
void sample_ring_read(
	struct sample_ring *r, struct sample_ledger *l, const struct sample_taker *to);

#endif
