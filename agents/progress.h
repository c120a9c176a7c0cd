/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of progress, and the wish to run the application again, sent from a node agent through
 * the master to the front end; and the end of the application, sent down. */
#ifndef PSC_AGENTS_PROGRESS_H
#define PSC_AGENTS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/buf.h"

struct progress {
	uint32_t experiment;    /* number, from 1 */
	uint32_t collector;     /* whose experiment it was: number in `collectors`
				 * (collect/collector.h) */
	uint64_t first, last;   /* phase executions it used */
	uint64_t executions;    /* phase executions so far */
	uint32_t found;         /* properties that hold so far */
	int32_t process;        /* rank */
	uint64_t phase_ns;      /* wall time of a clean phase execution; 0: not measured yet */
};

/* Lines not sent yet, oldest first; dropped when the queue is full. */
struct progress_queue {
	struct progress list[64];
	int n;
};

static inline void progress_encode(const struct progress *p, struct buf *out)
{
	buf_u32(out, p->experiment);
	buf_u32(out, p->collector);
	buf_u64(out, p->first);
	buf_u64(out, p->last);
	buf_u64(out, p->executions);
	buf_u32(out, p->found);
	buf_u32(out, (uint32_t)p->process);
	buf_u64(out, p->phase_ns);
}

static inline int progress_decode(struct progress *p, const struct buf *in)
{
	struct cursor c = { (const uint8_t *)in->data, in->len, 0, false };

	p->experiment = cur_u32(&c);
	p->collector = cur_u32(&c);
	p->first = cur_u64(&c);
	p->last = cur_u64(&c);
	p->executions = cur_u64(&c);
	p->found = cur_u32(&c);
	p->process = (int32_t)cur_u32(&c);
	p->phase_ns = cur_u64(&c);
	return c.failed || c.pos != c.len ? -1 : 0;
}

/* The application has ended. */
struct app_end {
	bool again;             /* it may be run again */
	char why[128];          /* why not, in words that continue "it is not run again by itself:
				 * "; "": nothing is said */
};

static inline void app_end_encode(const struct app_end *e, struct buf *out)
{
	buf_u8(out, e->again);
	buf_string(out, e->why);
}

static inline int app_end_decode(struct app_end *e, const struct buf *in)
{
	struct cursor c = { (const uint8_t *)in->data, in->len, 0, false };
	char *why;

	e->again = cur_u8(&c) != 0;
	why = cur_string(&c);
	snprintf(e->why, sizeof e->why, "%s", why ? why : "");
	free(why);
	return c.failed || c.pos != c.len ? -1 : 0;
}

struct next_run {
	uint32_t number;        /* of the run, from 2 */
	uint32_t clean, counted;        /* executions it is to time, and to count */
};

static inline void next_run_encode(const struct next_run *n, struct buf *out)
{
	buf_u32(out, n->number);
	buf_u32(out, n->clean);
	buf_u32(out, n->counted);
}

static inline int next_run_decode(struct next_run *n, const struct buf *in)
{
	struct cursor c = { (const uint8_t *)in->data, in->len, 0, false };

	n->number = cur_u32(&c);
	n->clean = cur_u32(&c);
	n->counted = cur_u32(&c);
	return c.failed || c.pos != c.len ? -1 : 0;
}

/* The phase that one of several hosts has chosen for all. */
struct phase_choice {
	uint32_t region;        /* its number in the program's structure */
	bool settled;           /* it will not change any more */
};

static inline void phase_choice_encode(const struct phase_choice *p, struct buf *out)
{
	buf_u32(out, p->region);
	buf_u8(out, p->settled);
}

static inline int phase_choice_decode(struct phase_choice *p, const struct buf *in)
{
	struct cursor c = { (const uint8_t *)in->data, in->len, 0, false };

	p->region = cur_u32(&c);
	p->settled = cur_u8(&c);
	return c.failed || c.pos != c.len ? -1 : 0;
}

#endif
