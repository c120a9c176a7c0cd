/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the events that could sample accesses here, by what the kernel says of its units in sysfs.
 * No table of processors is used: an event that sysfs does not name is not tried, and one that it
 * names may still not open. */
#include "config.h"
#include "samples/choose_event.h"

#include <stdio.h>
#include <string.h>

#include "events/metrics.h"

#define WEIGHT_STRUCT (UINT64_C(1) << 24)

enum {
	PERIOD = 20003, /* to begin with; it is steered (unit.h) */
	PERIOD_LEAST = 1009,
	IBS_PERIOD = 64 * 1024,
	IBS_PERIOD_LEAST = 4096, /* in operations; the lowest 4 bits are 0 */
	SPE_PERIOD = 16384,
	SPE_PERIOD_LEAST = 4096,
	PEBS_PRECISE = 2, /* the sample's address of code is the instruction's own */
	LATENCY_LEAST = 3 /* cycles, the least that Intel's unit takes: all loads */
};

/* The unit writes many records before it interrupts, if all fields of a sample are among those that
 * it writes itself: so there is no call chain and no page size here. */
static void common(struct sample_event *e, const struct mon_event *code, uint64_t period)
{
	e->attr = (struct perf_event_attr){ .type = code->type,
		.size = sizeof e->attr,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			PERF_SAMPLE_DATA_SRC | WEIGHT_STRUCT,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.watermark = 1 };
}

/* Does sysfs describe it?  Then the event has this name. */
static bool described(
	struct sample_event *e, const char *unit, const char *terms, struct mon_event *code)
{
	struct err err;
	bool hardware;

	*e = (struct sample_event){ .loads = true, .stores = true };
	*code = (struct mon_event){ 0 };
	snprintf(e->name, sizeof e->name, "%s/%s/", unit, terms);
	return event_translate(e->name, code, &hardware, &err) == 0;
}

/* --- vendors ---------------------------------------------------------------------------------- */

static bool pebs_loads(struct sample_event *e, const char *unit)
{
	struct mon_event code, aux;
	struct sample_event leader;

	if (!described(e, unit, "mem-loads", &code))
		return false;
	code.config1 = (code.config1 & ~UINT64_C(0xffff)) | LATENCY_LEAST;
	common(e, &code, PERIOD);
	e->attr.precise_ip = PEBS_PRECISE;
	e->stores = false;
	e->vendor = SAMPLE_PEBS;
	e->least_period = PERIOD_LEAST;
	if (described(&leader, unit, "mem-loads-aux", &aux)) {
		e->has_leader = true;
		common(&leader, &aux, 0);
		e->leader = leader.attr;
		e->leader.sample_type = 0;
		e->leader.watermark = e->leader.sample_id_all = 0;
	}
	return true;
}

static bool pebs_stores(struct sample_event *e, const char *unit)
{
	struct mon_event code;

	if (!described(e, unit, "mem-stores", &code))
		return false;
	common(e, &code, PERIOD);
	e->attr.precise_ip = PEBS_PRECISE;
	e->loads = false;
	e->vendor = SAMPLE_PEBS;
	e->least_period = PERIOD_LEAST;
	return true;
}

/* Without `swfilt` the kernel refuses every exclusion, so the kernel's own accesses are sampled,
 * too, which only some users may do. */
static bool ibs(struct sample_event *e, const char *unit)
{
	struct mon_event code;
	bool filtered = true;

	if (!described(e, unit, "cnt_ctl=1,swfilt=1", &code)) {
		filtered = false;
		if (!described(e, unit, "cnt_ctl=1", &code))
			return false;
	}
	common(e, &code, IBS_PERIOD);
	e->attr.exclude_kernel = filtered;
	e->attr.exclude_hv = 0;
	e->vendor = SAMPLE_IBS;
	e->least_period = IBS_PERIOD_LEAST;
	return true;
}

static bool spe(struct sample_event *e, const char *unit)
{
	struct mon_event code;

	if (!described(e, unit, "ts_enable=1,load_filter=1,store_filter=1,jitter=1", &code))
		return false;
	common(e, &code, SPE_PERIOD);
	e->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	e->packets = true;
	e->vendor = SAMPLE_SPE;
	e->least_period = SPE_PERIOD_LEAST;
	return true;
}

static const struct {
	const char *unit;
	bool (*event)(struct sample_event *e, const char *unit);
} known[] = {
	{ "cpu", pebs_loads },
	{ "cpu", pebs_stores },
	{ "cpu_core", pebs_loads },
	{ "cpu_core", pebs_stores },
	{ "cpu_atom", pebs_loads },
	{ "cpu_atom", pebs_stores },
	{ "ibs_op", ibs },
	{ "arm_spe_0", spe },
	{ "arm_spe_1", spe },
};

uint32_t sample_events_here(struct sample_event list[SAMPLE_EVENTS])
{
	uint32_t n = 0;

	for (size_t i = 0; i < sizeof known / sizeof *known && n < SAMPLE_EVENTS; i++)
		n += known[i].event(&list[n], known[i].unit);
	return n;
}
