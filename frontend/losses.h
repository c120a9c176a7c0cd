/* SPDX-License-Identifier: BSD-3-Clause */
/* Node agents that have ended or do not answer: the analysis goes on without them. */
#ifndef PSC_FRONTEND_LOSSES_H
#define PSC_FRONTEND_LOSSES_H

#include "base/buf.h"
#include "frontend/hosts.h"
#include "frontend/journal.h"
#include "report/model/report.h"

/* Says which; body: of MSG_LOST. */
void losses_tell(const struct hosts *h, const struct buf *body);
/* The report, completed by what lost agents had found; takes r.  Without
 * losses that is r itself. */
struct report *losses_complete(const struct hosts *h, const struct journal *j, struct report *r);

#endif
