/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the user asks for, and says what of it was not found. */
#include "agents/asked_regions.h"

#include <string.h>

#include "analysis/findings/findings.h"

enum { MISSING_SHOWN = 20 };

int asked_begin(struct host_analysis *h, struct err *err)
{
	const struct run_config *c = h->config;

	if (!c->asked_text)
		return 0;
	h->asked = sir_asked_new(c->asked_path, c->asked_text, strlen(c->asked_text), err);
	return h->asked ? sir_asked_match(h->asked, h->sir, err) : -1;
}

int asked_again(struct host_analysis *h, const struct sir *by)
{
	struct err err;

	return h->asked ? sir_asked_match(h->asked, by, &err) : 0;
}

struct missing {
	struct report *r;
	uint32_t n;
};

static int tell(void *to, const char *what)
{
	struct missing *m = to;

	return m->n++ < MISSING_SHOWN ?
		findings_note(m->r, arena_strdup(m->r->arena, what)) : 0;
}

int asked_note(const struct host_analysis *h, struct report *r)
{
	struct missing m = { r, 0 };
	struct sir_asked_count n;
	const char *text;

	if (!h->asked)
		return 0;
	n = sir_asked_count(h->asked);
	text = n.arrays ?
		arena_printf(r->arena,
			"--sir %s: only its regions (%u of %u were found) and data structures are "
			"reported", h->config->asked_path, n.found, n.regions) :
		arena_printf(r->arena,
			"--sir %s: only its regions (%u of %u were found) are reported",
			h->config->asked_path, n.found, n.regions);
	if (findings_note(r, text) || sir_asked_missing(h->asked, tell, &m))
		return -1;
	return m.n <= MISSING_SHOWN ? 0 :
		findings_note(r, arena_printf(r->arena,
			"--sir %s: %u more of its regions and arrays were not found",
			h->config->asked_path, m.n - MISSING_SHOWN));
}
