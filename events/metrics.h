/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics that events of the kernel give: recipes name them, and opening them here decides which of
 * a recipe's events is used.  The processor's name decides nothing: a virtual machine or the
 * kernel's settings may forbid what the model has. */
#ifndef PSC_EVENTS_METRICS_H
#define PSC_EVENTS_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "monitor/shared/shm.h"

enum { EVENT_METRICS = 64, EVENT_NAME = 40, EVENT_TEXT = 96 };

struct event_metric {
	char name[EVENT_NAME];
	char recipe[512];               /* its events, as the file has them */
	char event[EVENT_TEXT];         /* the one that opens here; "": none */
	char why[200];                  /* none: the reason, and what to do */
	struct mon_event code;          /* of `event` */
	bool hardware;                  /* it takes one of the processor's counters */
};

struct event_metrics {
	struct event_metric metric[EVENT_METRICS];
	uint32_t n;
	uint32_t at_once;               /* counters that count at the same time; 0: no limit is
					 * known */
};

/* Reads recipes: a line for each, "metric = event | event | ...", in order of preference; '#'
 * begins a comment.  file: for messages.  0 / -1. */
int event_metrics_parse(struct event_metrics *m, const char *file, const char *text,
	struct err *err);
struct event_metric *event_metrics_find(struct event_metrics *m, const char *name);    /* NULL */
/* Chooses an event for each metric by opening it in the calling process. */
void event_metrics_choose(struct event_metrics *m);
/* Finds out how many of the chosen hardware events this processor counts at once. */
void event_metrics_limit(struct event_metrics *m);

/* Translates an expression, opening nothing: a generic name ("cycles", "page-faults"), rHEX,
 * PMU/NAME/ or PMU/config=HEX,.../ as the kernel describes them, pfm:NAME as libpfm4 knows it; with
 * :u at the end, in user mode alone.  0 / -1. */
int event_translate(const char *expression, struct mon_event *out, bool *hardware, struct err *err);
/* Why an event cannot be opened, by errno; 0: because of a sandbox.  In words, with what to do. */
void event_refused(int error, char *text, size_t size);
bool events_have_pfm(void);             /* built with libpfm4 */

/* Private to events/. */
int event_sysfs(const char *expression, struct mon_event *out, struct err *err);
int event_pfm(const char *name, struct mon_event *out, struct err *err);

#endif
