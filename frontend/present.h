/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report in every form that the options ask for. */
#ifndef PSC_FRONTEND_PRESENT_H
#define PSC_FRONTEND_PRESENT_H

#include <stdint.h>
#include "frontend/options.h"
#include "frontend/setup.h"
#include "report/model/report.h"

/* Adds the notes of the set-up and the start of the run (when: seconds since 1970), then writes the
 * report.  0; -1: the report is partial, a checked invariant is violated, or a form could not be
 * written (with a message). */
int present_report(const struct frontend_options *o, const struct setup *s, int64_t when,
	struct report *r);

#endif
