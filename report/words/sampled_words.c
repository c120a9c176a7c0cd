/* SPDX-License-Identifier: BSD-3-Clause */
/* Words on what the processor's samples tell. */
#include <math.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/words/words.h"

int words_sampled_classes(const struct report *r)
{
	int most = 0;

	for (int i = 0; i < r->nsamples; i++)
		for (int k = most; k < REPORT_LATENCIES; k++)
			if (r->samples[i].slow[k] > 0)
				most = k + 1;
	return most;
}

bool words_sampled_places(const struct report *r)
{
	for (int i = 0; i < r->nsamples; i++)
		if (r->samples[i].placed > 0)
			return true;
	return false;
}

void words_sampled_region(struct buf *b, const struct report *r, const struct report_samples *s)
{
	if (strcmp(s->region, r->samples[0].region) == 0)
		buf_puts(b, "the whole phase");
	else
		words_line(b, s->file, s->line);
}

bool words_sampled_differ(const struct report_samples *s)
{
	return fabs(s->far_by_page - s->far_by_unit) > REPORT_ALIKE * s->placed;
}

void words_sampled(struct buf *b, const struct report *r)
{
	int n = 0;

	buf_puts(b, "Shares of the loads that take so many cycles or more, by the processor's "
		"samples. A dash: too few samples tell.");
	if (!words_sampled_places(r))
		return;
	buf_puts(b, " Remote: shares of the misses of the last level that another memory node "
		"serves, by the node of the page beside that of the CPU, and in the processor's "
		"own word.");
	for (int i = 0; i < r->nsamples; i++)
		n += words_sampled_differ(&r->samples[i]);
	if (n)
		buf_printf(b, " They differ by more than %.0f points in %d of %d rows (*): figures "
			"and findings are by the pages.", 100 * REPORT_ALIKE, n, r->nsamples);
	else
		buf_puts(b, " Both agree.");
}
