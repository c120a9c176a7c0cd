/* SPDX-License-Identifier: BSD-3-Clause */
/* A virtual unit that samples accesses: writes a ring of the kernel's form, and Arm's packets, into
 * a memfd, from accesses whose truth is known.  The reader maps the descriptor as it maps an
 * event's. */
#ifndef PSC_TESTS_VIRTUAL_PMU_H
#define PSC_TESTS_VIRTUAL_PMU_H

#include <linux/perf_event.h>
#include <stddef.h>
#include "samples/sample.h"

struct virtual_access {
	uint64_t ip, address, time;
	uint32_t pid, tid, cpu, latency;
	enum sample_level level;
	bool store, tlb_miss, modified;
	uint64_t stands_for; /* 0: 1 */
};

struct virtual_pmu {
	struct perf_event_attr attr;
	bool packets;                      /* Arm's form: packets in the second buffer */
	struct perf_event_mmap_page *page; /* owned mapping */
	uint64_t packet_bytes;             /* of an open part of the second buffer */
	uint64_t aux_head;
	uint64_t left, random;           /* accesses until the next sample */
	uint64_t emitted, lost, pending; /* samples; pending: lost ones that no record tells yet */
	int fd;
};

/* attr: as for perf_event_open(); its period and its form of samples count.  ring: bytes, a power
 * of two.  0 / -1. */
int virtual_pmu_open(struct virtual_pmu *v, const struct perf_event_attr *attr, bool packets,
	size_t ring, uint64_t seed);
void virtual_pmu_close(struct virtual_pmu *v);
void virtual_pmu_access(struct virtual_pmu *v, const struct virtual_access *a);
/* Ends the open part of the second buffer with its record; flags: PERF_AUX_FLAG_.... */
void virtual_pmu_part(struct virtual_pmu *v, const struct virtual_access *a, uint64_t flags);
/* Appends a record of any type.  -1: no room. */
int virtual_pmu_record(struct virtual_pmu *v, uint32_t type, const uint64_t *words, size_t n);
/* Copies bytes to the ring as they are, also what no kernel would write. */
void virtual_pmu_raw(struct virtual_pmu *v, const void *bytes, size_t n);
/* The kernel's word of where data came from, as Intel's and AMD's kernels make it. */
uint64_t virtual_pmu_source(const struct virtual_access *a);

#endif
