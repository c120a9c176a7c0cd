/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that the text report and the HTML report share. */
#ifndef PSC_REPORT_WORDS_H
#define PSC_REPORT_WORDS_H

#include "report/words/page.h"

/* Writes a line of the head: key "Machine", value its description. */
typedef void words_put(void *arg, const char *key, const struct buf *value);
/* Writes all lines of the head that have a value. */
void words_head(const struct report *r, bool unicode, words_put *put, void *arg);
/* True: other programs used a tenth of the machine or more while less than a tenth was idle, so the
 * program waited for CPUs. */
bool words_loaded(const struct report *r);
/* True: what memory may cost is too little to be named. */
bool words_memory_is_little(const struct report *r);
/* True: the range of what memory costs is so wide that its middle says little. */
bool words_unsure(const struct report *r);

/* True: a share between low and high can be nearly all or nearly
 * nothing: nothing is known of it. */
bool words_nothing_known(double low, double high);

/* True: the same, or the share is between next to nothing and half of the time. */
bool words_uncertain(double low, double high);
/* "at most 7.0%", "less than 0.1%". */
/* Which code was compiled without optimisation; nothing where all was optimised. */
/* What to ask for where several threads have locks or critical sections, and
 * why; NULL: they have none. */
const char *words_locks(const struct report *r);
/* "in each execution", "in the run": of what the figures are that the report prints. */
const char *words_of_execution(const struct report *r);
/* "lu.f:52"; "libz.so.1" where no line is known. */
void words_line(struct buf *b, const char *file, int line);
void words_unoptimised(struct buf *b, const struct report *r);
/* That processes which the program has started did a good part of the
 * work, and are not recorded. */
void words_children(struct buf *b, const struct report *r);
void words_at_most(struct buf *b, double share);

/* What the costs of misses were taken from: "measured on vm, 2026-11-27 09:33, while other programs
 * ran"; shorter, for the last lines of the screen.  Nothing where that is not known. */
void words_costs(struct buf *b, const struct report *r);
void words_costs_brief(struct buf *b, const struct report *r);

/* A word of a command as a shell reads it: in quotes where it must be. */
void words_shell(struct buf *out, const char *word);

/* "The estimate for a was wrong: measured 63.0% to 77.0%, estimated 53.0% to 54.0%.", where the
 * quartiles that were measured are outside of the estimate's range; else nothing. */
void words_outside(struct buf *b, const struct report_verified *v);

/* How to read what two collectors counted, and in how many structures they differ. */
void words_counted(struct buf *b, const struct report *r);
/* The points from one estimate to the other's; "-": one is not known. */
const char *words_stall_points(char text[PAGE_FIGURE], const struct report_counted *c);

/* What the processor sampled: how to read it, and where pages and unit differ. */
void words_sampled(struct buf *b, const struct report *r);
/* The classes of latency up to the slowest load; whether memory nodes are told; whether both ways
 * to tell them differ. */
int words_sampled_classes(const struct report *r);
bool words_sampled_places(const struct report *r);
bool words_sampled_differ(const struct report_samples *s);
/* "lu.f:52", "the whole phase" */
void words_sampled_region(struct buf *b, const struct report *r, const struct report_samples *s);

/* "jacld jacld.f:52 (in 39-80)  c": the place of a finding of the user's own
 * property, and the data structure. */
void words_own_place(struct buf *b, const struct report_finding *f);
/* A share of the phase's time in %, or an index. */
const char *words_severity(const struct report_finding *f, char figure[PAGE_FIGURE]);

/* Appends a sentence about a finding to b, or nothing. */
typedef void words_writer(struct buf *b, const struct report *r, const struct report_finding *f);
/* The writer of why and what to do: "the accesses go in large steps: exchange the loops". */
words_writer words_advice;
/* Why alone: "in rank 3, calls of MPI take 14.6 ms", and which bytes of lines the
 * threads use, in parentheses. */
void words_why(struct buf *b, const struct report_finding *f);
/* The writer of what the table has no column for, but the reader needs to judge the figures. */
words_writer words_remark;

/* "bytes: thread 0 writes 64-71+80-87, thread 1 reads 72-79 (a member); ..": the rows
 * f->uses; nothing without rows. */
void words_line_uses(struct buf *b, const struct report_finding *f);

#endif
