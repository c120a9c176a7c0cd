/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates PMU/NAME/ and PMU/term=value,.../ with what the kernel says of its counters, below
 * /sys/bus/event_source/devices/PMU: type, format/TERM ("config:0-7,32-35"),
 * events/NAME ("event=0x3c"). */
#include "events/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *devices(void)
{
	const char *other = getenv("PSC_EVENT_SOURCES");        /* tests */

	return other ? other : "/sys/bus/event_source/devices";
}

/* Reads the first line of a file of the PMU.  0 / -1: there is no such file. */
static PSC_CHECKED int read_line(const char *pmu, const char *dir, const char *name, char *out,
	size_t size)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s/%s%s%s", devices(), pmu, dir, *dir ? "/" : "", name);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (!fgets(out, (int)size, f))
		*out = '\0';
	fclose(f);
	out[strcspn(out, "\n")] = '\0';
	return 0;
}

/* Puts the low bits of the value where the format says: "config1:0-7,32". */
static int put_bits(const char *format, uint64_t value, struct mon_event *out)
{
	uint64_t *to = strncmp(format, "config1:", 8) == 0 ? &out->config1 :
		strncmp(format, "config2:", 8) == 0 ? &out->config2 :
		strncmp(format, "config:", 7) == 0 ? &out->config : NULL;
	const char *s = strchr(format, ':');

	while (to && s && *s) {
		char *end;
		unsigned long from = strtoul(s + 1, &end, 10), last = from;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (end == s + 1 || from > last || last > 63 || (*end && *end != ','))
			return -1;
		for (unsigned long bit = from; bit <= last; bit++, value >>= 1)
			*to |= (value & 1) << bit;
		s = end;
	}
	return to && s ? 0 : -1;
}

/* One "term=value" or "term". */
static int put_term(const char *pmu, char *term, struct mon_event *out, struct err *err)
{
	char format[128], *eq = strchr(term, '='), *end = NULL;
	uint64_t value = 1;

	if (eq) {
		*eq = '\0';
		errno = 0;
		value = strtoull(eq + 1, &end, 0);
		if (errno || end == eq + 1 || *end)
			return err_set(err, "'%s=%s' has no number", term, eq + 1);
	}
	if (strncmp(term, "config", 6) == 0 && strchr("12", term[6]) && strlen(term) <= 7) {
		*(term[6] == '1' ? &out->config1 : term[6] == '2' ? &out->config2 :
			&out->config) |= value;
		return 0;
	}
	if (strchr(term, '.') || read_line(pmu, "format", term, format, sizeof format) ||
	    put_bits(format, value, out))
		return err_set(err, "'%s' is no field of %s", term, pmu);
	return 0;
}

int event_sysfs(const char *expression, struct mon_event *out, struct err *err)
{
	char pmu[EVENT_TEXT], terms[256], type[32], *end;
	const char *slash = strchr(expression, '/');
	size_t n = (size_t)(slash - expression), all = strlen(slash);

	if (!n || n >= sizeof pmu || strchr(expression, '.') == expression || all < 3 ||
	    slash[all - 1] != '/')
		return err_set(err, "'%s' is not PMU/EVENT/", expression);
	snprintf(pmu, sizeof pmu, "%.*s", (int)n, expression);
	if (read_line(pmu, "", "type", type, sizeof type))
		return err_set(err, "this machine has no %s", pmu);
	out->type = (uint32_t)strtoul(type, &end, 10);
	snprintf(terms, sizeof terms, "%.*s", (int)(all - 2), slash + 1);
	if (!strchr(terms, '=')) {
		char name[256];

		strcpy(name, terms);
		if (strchr(name, '/') || read_line(pmu, "events", name, terms, sizeof terms))
			return err_set(err, "%s has no event %s here", pmu, name);
	}
	for (char *term = terms, *next; term; term = next) {
		next = strchr(term, ',');
		if (next)
			*next++ = '\0';
		if (put_term(pmu, term, out, err))
			return -1;
	}
	return 0;
}
