/* SPDX-License-Identifier: BSD-3-Clause */
/* How events are opened and their rings mapped: by the kernel, or by tests that bring a unit of
 * their own. */
#ifndef PSC_SAMPLES_EVENT_EVENT_SOURCE_H
#define PSC_SAMPLES_EVENT_EVENT_SOURCE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "samples/choose_event.h"

/* Bytes of a ring, and of the buffer of packets beside it; less where the user may not lock so much
 * memory. */
enum { SAMPLE_RING_BYTES = 512 << 10, SAMPLE_PACKET_BYTES = 512 << 10 };

/* An access of the program, for sources that sample those of recorded bursts (tests). */
struct source_access {
	uint64_t ip, address, time;
	uint32_t pid, tid, cpu, size;
	bool store;
};

struct sample_source {
	/* The events to be tried; NULL: those that sysfs describes (choose_event.h). */
	uint32_t (*events)(struct sample_event list[SAMPLE_EVENTS]);
	/* As perf_event_open(): a descriptor, or -1 with errno. */
	int (*open)(const struct perf_event_attr *attr, pid_t program, int cpu, int leader);
	int (*period)(int fd, uint64_t period); /* 0 / -1: errno */
	/* The memory nodes of n pages of the program, all at once; -1: not known. */
	void (*page_nodes)(pid_t program, uint32_t n, void **page, int *node);
	int (*cpu_node)(uint32_t cpu); /* the memory node of a CPU; -1: not known */
	/* (tests) The machine whose caches the unit pretends to have; each recorded access, in
	 * their order. */
	void (*machine)(const void *machine_flat);
	void (*access)(const struct source_access *a);
};

/* The source that is linked. */
extern const struct sample_source sample_source;

#endif
