/* SPDX-License-Identifier: BSD-3-Clause */
/* Giving the report out, in all forms that were asked for. */
#ifndef PSC_FRONTEND_PRESENT_H
#define PSC_FRONTEND_PRESENT_H

#include <stdint.h>
#include "frontend/options.h"
#include "frontend/setup.h"
#include "report/report.h"

/* Adds what the front end has to say (when: the run began, seconds since 1970).  -1: it is partial, or some
 * form could not be written, which has been said. */
int present_report(const struct options *o, const struct setup *s, int64_t when, struct report *r);

#endif
