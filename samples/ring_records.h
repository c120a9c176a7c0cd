/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes records of the kernel's ring (struct perf_event_header and what follows). */
#ifndef PSC_SAMPLES_RING_RECORDS_H
#define PSC_SAMPLES_RING_RECORDS_H

#include <stddef.h>
#include "samples/sample.h"

/* What of an event's attributes decides the form of its records. */
struct record_form {
	uint64_t sample_type, read_format, branch_sample_type, regs_user, regs_intr;
	bool sample_id_all;
};

enum record_kind {
	RECORD_INVALID,
	RECORD_OTHER,
	RECORD_SAMPLE,
	RECORD_LOST,
	RECORD_LOST_SAMPLES,
	RECORD_THROTTLE,
	RECORD_AUX
};
struct record {
	enum record_kind kind;
	struct memory_sample
		sample; /* of the others: time, pid, tid and cpu, where their form has them */
	uint64_t lost;
	struct {
		uint64_t offset, size, flags;
	} aux; /* flags: PERF_AUX_FLAG_... */
};

/* Decodes a record of `size` bytes that is in one piece and aligned to 8 bytes.  form: of the
 * ring's only event. */
void record_decode(
	const struct record_form *form, const void *bytes, size_t size, struct record *out);

#endif
