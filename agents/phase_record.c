/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends to the log of the phase, so that what was decided is there even if the job is killed. */
#include "agents/phase_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/measurements.h"
#include "base/log.h"

/* Replaces what an earlier analysis has left there. */
static void append(struct phase_record *r, const struct run_config *c, const struct buf *text)
{
	FILE *f;

	if (text->failed || !text->len || r->failed)
		return;
	f = fopen(c->phase_log, r->begun ? "ae" : "we");
	r->begun = true;
	if (!f || fwrite(text->data, 1, text->len, f) != text->len) {
		log_msg(0, "--phase-log %s: %s", c->phase_log, strerror(errno));
		r->failed = true;
	}
	if (f)
		fclose(f);
}

static void begin(struct phase_record *r, const struct run_config *c, struct buf *out)
{
	if (!r->begun)
		phase_log_begin(out, c->command);
}

/* A region is named where it has times for the first time. */
static void name_regions(struct phase_record *r, const struct sir *sir,
	const struct phase_look *look, struct buf *out)
{
	struct buf name = BUF_INIT;

	if (!r->named)
		r->named = calloc(sir->nregions ? sir->nregions : 1, 1);
	for (uint32_t i = 0; i < look->n && r->named; i++) {
		const uint32_t region = look->t[i].region;

		if (region >= sir->nregions || r->named[region] || !look->t[i].entries)
			continue;
		buf_clear(&name);
		sir_describe(sir, region, &name);
		phase_log_region(out, region, buf_str(&name));
		r->named[region] = 1;
	}
	buf_free(&name);
}

void phase_record_look(struct phase_record *r, const struct run_config *c, const struct sir *sir,
	const struct phase_look *look, const struct phase_decision *d)
{
	struct buf head = BUF_INIT, text = BUF_INIT;

	if (!c->phase_log)
		return;
	if (phase_log_look(&r->writer, &text, look, d)) {
		begin(r, c, &head);
		name_regions(r, sir, look, &head);
		buf_add_buf(&head, &text);
		append(r, c, &head);
	}
	buf_free(&head);
	buf_free(&text);
}

void phase_record_held(struct phase_record *r, const struct run_config *c,
	const struct phase_held *facts, const struct phase_decision *d)
{
	struct buf text = BUF_INIT;

	if (!c->phase_log || (r->held.verdict == d->verdict && r->held.reason == d->reason))
		return;
	begin(r, c, &text);
	phase_log_held(&text, facts, d);
	append(r, c, &text);
	buf_free(&text);
	r->held = *d;
}

void phase_record_end(struct phase_record *r)
{
	phase_log_end(&r->writer);
	free(r->named);
	*r = (struct phase_record){ 0 };
}
