/* SPDX-License-Identifier: BSD-3-Clause */
/* Places the threads of a program on the CPUs of a model. */
#include "machine/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads a number below `end`; *text is behind it.  -1: there is none. */
static long number(const char **text, uint32_t end)
{
	char *behind;
	long v;

	if (**text < '0' || **text > '9')
		return -1;
	errno = 0;
	v = strtol(*text, &behind, 10);
	*text = behind;
	return errno || v >= (long)end ? -1 : v;
}

/* Reads one CPU or range of a list.  0 / -1 (it is wrong, or there are too many). */
static int read_range(struct machine_flat *m, const char **text)
{
	long first = number(text, m->ncpus), last = first, step = 1;

	if (first >= 0 && **text == '-') {
		++*text;
		last = number(text, m->ncpus);
		if (last >= 0 && **text == ':') {
			++*text;
			step = number(text, m->ncpus);
		}
	}
	if (first < 0 || last < first || step < 1)
		return -1;
	for (long cpu = first; cpu <= last; cpu += step) {
		if (m->nplaces == MACHINE_PLACES)
			return -1;
		m->place[m->nplaces++] = (uint16_t)cpu;
	}
	return 0;
}

static int read_list(struct machine_flat *m, const char *text, struct err *err)
{
	const char *at = text;

	for (;;) {
		if (read_range(m, &at))
			break;
		if (!*at)
			return 0;
		if (*at++ != ',')
			break;
	}
	return err_set(err, "--threads-on takes compact, spread or a list of at most %d of the "
		"model's CPUs, 0 to %u, as in 0,4,8-11, not '%s'", MACHINE_PLACES, m->ncpus - 1,
		text);
}

int machine_threads_on(struct machine_flat *m, const char *text, struct err *err)
{
	struct machine_flat changed = *m;

	changed.nplaces = 0;
	changed.spread = 0;
	changed.nodes.real = 0;
	if (strcmp(text, "spread") == 0) {
		if (m->nodes.count < 2 && m->sockets < 2)
			return err_set(err, "--threads-on spread: the machine model has one memory "
				"node and one socket; --machine epyc-2s has several");
		changed.spread = 1;
	} else if (strcmp(text, "compact") != 0 && read_list(&changed, text, err)) {
		return -1;
	}
	*m = changed;
	return 0;
}

int machine_threads_bound(struct machine_flat *m, const char *bind)
{
	static const char spread[] = "spread";
	const size_t n = sizeof spread - 1;

	if (!bind || (m->nodes.count < 2 && m->sockets < 2))
		return 0;
	bind += strspn(bind, " \t");
	if (strncasecmp(bind, spread, n) != 0 || (bind[n] && !strchr(" \t,", bind[n])))
		return 0;
	m->nplaces = 0;
	m->spread = 1;
	return 1;
}
