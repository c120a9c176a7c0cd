/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins what an agent's children in the tree send, and tells whether all of them have answered.  It
 * does not matter which of them is first: messages that are passed on are joined from all. */
#ifndef PSC_AGENTS_JOIN_MESSAGES_H
#define PSC_AGENTS_JOIN_MESSAGES_H

#include "agents/link.h"
#include "agents/progress.h"
#include "agents/tree.h"
#include "analysis/findings/app_parts.h"
#include "analysis/findings/report_sum.h"

/* The answer of an agent's subtree, after the application's end or before. */
enum gather_answer { GATHER_PENDING, GATHER_AGAIN, GATHER_REPORTED };

struct gather_child {
	int rank;
	bool ready;
	bool lost;              /* ended, or silent for too long: nothing more is expected of it */
	bool missing;           /* lost before it had reported */
	enum gather_answer answer;
};
struct gather {
	struct gather_child *child;     /* owned */
	int n;
	bool configured, ready;         /* this agent itself */
	enum gather_answer answer;
	bool ready_told;
	struct next_run next;           /* of all that want another run; number 0: none does */
	struct progress progress;       /* of the job so far; experiment 0: nothing yet */
	struct report_sum *reports;     /* owned */
	uint64_t messages, bytes;       /* of reports and parts, from children */
	uint64_t work_ns;               /* processor time for adding them */
};

uint64_t gather_clock(void);    /* processor time of this process in ns */

/* 0 / -1 (memory). */
int gather_begin(struct gather *g, const struct tree *t, int rank);
void gather_end(struct gather *g);
/* Sends a message to all children. */
void gather_down(const struct gather *g, enum msg_type type, const struct buf *body);

/* false: the child was lost before, and what it says is ignored. */
bool gather_hears(const struct gather *g, int from);
/* Returns a child that has not answered and was silent for too long, which the caller gives up; -1:
 * none.  silence: the seconds since a child's last message. */
int gather_silent(const struct gather *g, double (*silence)(int child));
/* Expects nothing more of a child, and of all below it.  false: it had answered before, or was lost
 * before: nothing is missing.  Else the body of MSG_LOST is appended. */
bool gather_lose(struct gather *g, const struct tree *t, int child, struct buf *lost);
bool gather_all_missing(const struct gather *g);

/* Take a child's message.  0 / -1: err says why the analysis cannot go on. */
void gather_take_ready(struct gather *g, int from);
int gather_take_again(struct gather *g, int from, const struct buf *body, struct err *err);
int gather_take_parts(struct gather *g, struct app_parts *parts, const struct buf *body,
	struct err *err);
int gather_take_report(struct gather *g, int from, const struct buf *body, struct err *err);
/* Joins a line of progress.  true: it is news for the job, and g->progress is what to pass on. */
bool gather_take_progress(struct gather *g, const struct progress *p);
/* This agent's own wish for another run. */
void gather_own_again(struct gather *g, const struct next_run *next);

/* True, once: this agent and all below it are ready. */
bool gather_all_ready(struct gather *g);
/* Returns the answer of this agent and all below it; GATHER_AGAIN: *next is what to pass on, and
 * all that said so are asked again. GATHER_PENDING: not all have answered. */
enum gather_answer gather_answer(struct gather *g, struct next_run *next);

#endif
