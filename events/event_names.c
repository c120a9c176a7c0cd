/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates expressions of recipes to what perf_event_open() takes. */
#include <config.h>

#include "events/metrics.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define CACHE(cache, op, result) \
	PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} generic[] = {
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, ACCESS) },
	{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS) },
	{ "L1-dcache-store-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, WRITE, MISS) },
	{ "LLC-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS) },
	{ "LLC-store-misses", PERF_TYPE_HW_CACHE, CACHE(LL, WRITE, MISS) },
	{ "dTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS) },
	{ "dTLB-store-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, WRITE, MISS) },
	{ "node-load-misses", PERF_TYPE_HW_CACHE, CACHE(NODE, READ, MISS) },
};

static int translate_raw(const char *text, struct mon_event *out, struct err *err)
{
	char *end;

	errno = 0;
	out->type = PERF_TYPE_RAW;
	out->config = strtoull(text, &end, 16);
	return errno || end == text || *end ? err_set(err, "'r%s' is no raw code in hexadecimal",
		text) : 0;
}

static bool is_raw(const char *s)
{
	return *s == 'r' && s[1] && strspn(s + 1, "0123456789abcdefABCDEFx") == strlen(s + 1);
}

static int translate(const char *s, struct mon_event *out, struct err *err)
{
	if (strncmp(s, "pfm:", 4) == 0)
		return event_pfm(s + 4, out, err);
	if (strchr(s, '/'))
		return event_sysfs(s, out, err);
	for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
		if (strcmp(generic[i].name, s) == 0) {
			out->type = generic[i].type;
			out->config = generic[i].config;
			return 0;
		}
	return is_raw(s) ? translate_raw(s + 1, out, err) : err_set(err, "no event has this name");
}

int event_translate(const char *expression, struct mon_event *out, bool *hardware, struct err *err)
{
	struct mon_event e = { 0 };
	size_t n = strlen(expression);
	char text[EVENT_TEXT];

	if (n >= sizeof text)
		return err_set(err, "'%.40s...' is too long for an event", expression);
	strcpy(text, expression);
	if (n > 2 && strcmp(text + n - 2, ":u") == 0) {
		e.flags |= MON_EVENT_USER;
		text[n - 2] = '\0';
	}
	if (translate(text, &e, err))
		return -1;
	*out = e;
	*hardware = e.type != PERF_TYPE_SOFTWARE;
	return 0;
}

#ifdef HAVE_PFM
#include <perfmon/pfmlib_perf_event.h>

bool events_have_pfm(void)
{
	return true;
}

int event_pfm(const char *name, struct mon_event *out, struct err *err)
{
	struct perf_event_attr attr = { .size = sizeof attr };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof arg };
	static int state = -1;
	int rc;

	if (state < 0)
		state = pfm_initialize();
	rc = state ? state : pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (rc)
		return err_set(err, "libpfm4: %s", pfm_strerror(rc));
	out->type = attr.type;
	out->config = attr.config;
	out->config1 = attr.config1;
	out->config2 = attr.config2;
	return 0;
}
#else
bool events_have_pfm(void)
{
	return false;
}

int event_pfm(const char *name, struct mon_event *out, struct err *err)
{
	(void)name;
	(void)out;
	return err_set(err, "built without libpfm4");
}
#endif
