/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the rows of a result whose counts are to be changed. */
#include "analysis/measure/burst_rows.h"

#include <stdlib.h>
#include <string.h>

int burst_rows_copy(const struct mon_result *r, struct mon_result *out)
{
	*out = *r;
	out->counts = malloc((r->ncounts + (size_t)1) * sizeof *out->counts);
	out->sites = malloc((r->nsites + (size_t)1) * sizeof *out->sites);
	if (!out->counts || !out->sites) {
		burst_rows_free(out);
		return -1;
	}
	if (r->ncounts)
		memcpy(out->counts, r->counts, r->ncounts * sizeof *out->counts);
	if (r->nsites)
		memcpy(out->sites, r->sites, r->nsites * sizeof *out->sites);
	return 0;
}

void burst_rows_free(struct mon_result *copy)
{
	free(copy->counts);
	free(copy->sites);
	copy->counts = NULL;
	copy->sites = NULL;
}
