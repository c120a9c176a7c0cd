/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the events that sample accesses, one ring for each CPU, and steers their period. */
#include "config.h"
#include "samples/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/metrics.h"
#include "samples/event_source.h"

enum {
	CPUS = 1024,
	RING_MOST = SAMPLE_RING_BYTES,
	RING_LEAST = 16 << 10,
	PACKETS_MOST = SAMPLE_PACKET_BYTES,
	PACKETS_LEAST = 16 << 10
};
#define WEIGHT_STRUCT (UINT64_C(1) << 24)
#define STEER_NS UINT64_C(50000000) /* the period is looked at so often */
#define NEAR 1.25                   /* a period so near to the best one stays */
#define ONE_STEP 4                  /* the period changes by so much at once */

/* --- one event on one CPU --------------------------------------------------------------------- */

/* Kernels before 5.12 know only the older form of the latency. */
static int open_any_weight(struct sample_event *e, pid_t program, int cpu, int leader)
{
	int fd = sample_source.open(&e->attr, program, cpu, leader);

	if (fd < 0 && errno == EINVAL && e->attr.sample_type & WEIGHT_STRUCT) {
		e->attr.sample_type ^= WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;
		fd = sample_source.open(&e->attr, program, cpu, leader);
		if (fd < 0)
			e->attr.sample_type ^= WEIGHT_STRUCT | PERF_SAMPLE_WEIGHT;
	}
	return fd;
}

/* Returns the descriptor; *leader: of the event before it in its group, or -1. */
static int open_event(struct sample_event *e, pid_t program, int cpu, int *leader)
{
	int fd = open_any_weight(e, program, cpu, -1), why;

	*leader = -1;
	if (fd >= 0 || errno != ENODATA || !e->has_leader)
		return fd;
	*leader = sample_source.open(&e->leader, program, cpu, -1);
	if (*leader < 0)
		return -1;
	fd = open_any_weight(e, program, cpu, *leader);
	if (fd < 0) {
		why = errno;
		close(*leader);
		*leader = -1;
		errno = why;
	}
	return fd;
}

static void *map_ring(int fd, size_t most, size_t least, size_t *mapped)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = MAP_FAILED;

	for (size_t bytes = most; bytes >= least && at == MAP_FAILED; bytes /= 2) {
		*mapped = bytes + page;
		at = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	return at == MAP_FAILED ? NULL : at;
}

static void *map_packets(int fd, struct perf_event_mmap_page *page, size_t *mapped)
{
	for (size_t bytes = PACKETS_MOST; bytes >= PACKETS_LEAST; bytes /= 2) {
		void *at;

		page->aux_offset = page->data_offset + page->data_size;
		page->aux_size = *mapped = bytes;
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			(off_t)page->aux_offset);
		if (at != MAP_FAILED)
			return at;
	}
	return NULL;
}

static void close_ring(struct sample_unit_ring *r)
{
	if (r->ring.packets)
		munmap((void *)(uintptr_t)r->ring.packets, r->packets_mapped);
	if (r->ring.page)
		munmap(r->ring.page, r->mapped);
	if (r->fd >= 0)
		close(r->fd);
	if (r->leader >= 0)
		close(r->leader);
}

static struct record_form form_of(const struct perf_event_attr *a)
{
	return (struct record_form){ .sample_type = a->sample_type,
		.read_format = a->read_format,
		.branch_sample_type = a->branch_sample_type,
		.regs_user = a->sample_regs_user,
		.regs_intr = a->sample_regs_intr,
		.sample_id_all = a->sample_id_all };
}

/* 0 / -1: errno. */
static int open_ring(
	struct sample_unit_ring *r, struct sample_event *e, uint32_t number, pid_t program, int cpu)
{
	int why;

	*r = (struct sample_unit_ring){ .fd = -1, .leader = -1 };
	e->attr.wakeup_watermark = RING_MOST / 2;
	r->fd = open_event(e, program, cpu, &r->leader);
	if (r->fd >= 0)
		r->ring.page = map_ring(r->fd, RING_MOST, RING_LEAST, &r->mapped);
	if (r->ring.page && e->packets)
		r->ring.packets = map_packets(r->fd, r->ring.page, &r->packets_mapped);
	if (!r->ring.page || (e->packets && !r->ring.packets)) {
		why = errno;
		close_ring(r);
		errno = why;
		return -1;
	}
	r->ring.form = form_of(&e->attr);
	r->ring.event = number;
	r->ring.period = e->attr.sample_period;
	return 0;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Says why an event did not open, and what would change that. */
static void explain(const struct sample_event *e, int error, struct err *err)
{
	char why[200];

	if ((error == EACCES || error == EPERM || error == EINVAL) && e->vendor == SAMPLE_IBS &&
		!e->attr.exclude_kernel)
		snprintf(why, sizeof why,
			"this kernel cannot leave its own accesses out (swfilt, Linux 6.14), and "
			"sampling them takes "
			"kernel.perf_event_paranoid <= 1");
	else
		event_refused(error, why, sizeof why);
	err_set(err, "%s: %s", e->name, why);
}

/* Opens an event on every CPU that takes it.  0 / -1: none does; *why is errno. */
static int open_everywhere(struct sample_unit *u, uint32_t number, pid_t program, int *why)
{
	const long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	const uint32_t before = u->nrings;

	*why = ENODEV;
	for (int cpu = 0; cpu < ncpus && cpu < CPUS; cpu++) {
		if (open_ring(&u->ring[u->nrings], &u->event[number], number, program, cpu) == 0)
			u->nrings++;
		else if (errno != ENODEV || cpu == 0) /* ENODEV: the CPU is offline */
			*why = errno;
	}
	return u->nrings > before ? 0 : -1;
}

static uint32_t events_of_source(struct sample_event list[SAMPLE_EVENTS])
{
	return sample_source.events ? sample_source.events(list) : sample_events_here(list);
}

static int none_listed(struct err *err)
{
	return err_set(err,
		"this host lists no unit that samples addresses (Intel: cpu/mem-loads/, AMD: "
		"ibs_op, Arm: arm_spe_0 in "
		"/sys/bus/event_source/devices): virtual machines hide it; ask for one that passes "
		"it on, or use a machine of "
		"your own");
}

int sample_unit_open(struct sample_unit *u, pid_t program, struct err *err)
{
	struct sample_event all[SAMPLE_EVENTS];
	const uint32_t n = events_of_source(all);
	int why;

	*u = (struct sample_unit){ .ring = n ? calloc(n, CPUS * sizeof *u->ring) : NULL };
	if (!n)
		return none_listed(err);
	if (!u->ring)
		return err_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		u->event[u->nevents] = all[i];
		if (open_everywhere(u, u->nevents, program, &why) == 0) {
			u->period[u->nevents] = all[i].attr.sample_period;
			u->nevents++;
		} else {
			explain(&all[i], why, err);
		}
	}
	if (u->nevents)
		return 0;
	sample_unit_close(u);
	return -1;
}

void sample_unit_close(struct sample_unit *u)
{
	for (uint32_t i = 0; i < u->nrings; i++)
		close_ring(&u->ring[i]);
	free(u->ring);
	u->ring = NULL;
	u->nrings = 0;
}

void sample_unit_read(struct sample_unit *u, const struct sample_taker *to)
{
	for (uint32_t i = 0; i < u->nrings; i++)
		sample_ring_read(&u->ring[i].ring, &u->ledger, to);
}

int sample_unit_try(char *name, size_t size, struct err *err)
{
	struct sample_event all[SAMPLE_EVENTS];
	const uint32_t n = events_of_source(all);
	int leader;

	if (!n)
		return none_listed(err);
	for (uint32_t i = 0; i < n; i++) {
		const int fd = open_event(&all[i], 0, -1, &leader);

		if (fd < 0) {
			explain(&all[i], errno, err);
			continue;
		}
		close(fd);
		if (leader >= 0)
			close(leader);
		snprintf(name, size, "%s", all[i].name);
		return 0;
	}
	return -1;
}

/* --- the period ------------------------------------------------------------------------------- */

uint64_t sample_period_for(uint64_t period, uint64_t samples, double ns, uint64_t least)
{
	const double allowed = ns * SAMPLE_BUDGET / SAMPLE_COST_NS;
	double factor = allowed > 0 ? (double)samples / allowed : 1;

	if (factor < NEAR && factor > 1 / NEAR)
		return period;
	factor = factor > ONE_STEP ? ONE_STEP : factor < 1. / ONE_STEP ? 1. / ONE_STEP : factor;
	period = (uint64_t)((double)period * factor);
	return period < least ? least : period;
}

/* The lowest 4 bits of AMD's period are 0.  Others are odd, so that they do not keep step with a
 * loop. */
static uint64_t fit(const struct sample_event *e, uint64_t period)
{
	return e->vendor == SAMPLE_IBS ? period & ~UINT64_C(15) : period | 1;
}

/* Gives an event its new period, on all CPUs. */
static void set_period(struct sample_unit *u, uint32_t event, uint64_t period)
{
	for (uint32_t k = 0; k < u->nrings; k++)
		if (u->ring[k].ring.event == event &&
			sample_source.period(u->ring[k].fd, period) == 0)
			u->ring[k].ring.period = period;
	u->period[event] = period;
}

void sample_unit_steer(struct sample_unit *u, uint64_t now, double running)
{
	const uint64_t samples = u->ledger.samples - u->samples_then;
	const bool throttled = u->ledger.throttled > u->throttled_then, first = !u->steered_at;
	const double ns = (double)(now - u->steered_at) * running;

	if (!first && now - u->steered_at < STEER_NS)
		return;
	for (uint32_t i = 0; i < u->nevents && !first && running > 0; i++) {
		const struct sample_event *e = &u->event[i];
		const uint64_t period = fit(e,
			throttled ? 2 * u->period[i] :
				    sample_period_for(u->period[i], samples, ns, e->least_period));

		if (period != u->period[i])
			set_period(u, i, period);
	}
	u->steered_at = now;
	u->samples_then = u->ledger.samples;
	u->throttled_then = u->ledger.throttled;
}
