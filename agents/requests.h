/* SPDX-License-Identifier: BSD-3-Clause */
/* The requests of a process that are under way. */
#ifndef PSC_AGENTS_REQUESTS_H
#define PSC_AGENTS_REQUESTS_H

#include "agents/process.h"

/* The state of the process that collectors plan by.  s: the current search; NULL: none. */
struct collect_moment process_moment(const struct process *p, const struct search *s);

enum request_sent { REQUEST_SENT, REQUEST_OVER_LIMIT /* --max-executions */, REQUEST_REFUSED };
/* Sends a request, of a rank where no other one is disturbed.  optional: the analysis is complete
 * without its result.  tries: how often it was sent before. */
enum request_sent request_send(struct process *p, const struct collector *by,
	const struct plan *plan, bool optional, int tries);
/* A result of the collector was taken: it may want more behind what another one has requested. */
void request_after(struct process *p, const struct collector *by);
/* Nothing else is to be measured: requests what the report is complete without.  true: an answer is
 * to come. */
bool request_rest(struct process *p, const struct search *s);
/* Is there a result that is waited for? */
bool requests_awaited(const struct process *p);
/* Is there a request without a result? */
bool requests_pending(const struct process *p);
/* Why the monitor dropped a request, by MON_DROP_. */
const char *request_drop_reason(uint32_t reason);

#endif
