/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences about memory over time: of each view and structure a claim, and how to read the
 * picture.  Nothing is appended where there is nothing to say. */
#ifndef PSC_REPORT_TIMELINE_WORDS_H
#define PSC_REPORT_TIMELINE_WORDS_H

#include "base/buf.h"
#include "report/model/timeline_facts.h"
#include "report/model/timeline_prediction.h"

extern const char *const timeline_view_names[TIMELINE_VIEWS];

/* "a, b, c and d walked forwards; half of each shows no access". */
void timeline_claim(struct buf *b, const struct time_facts *f, enum timeline_view view);
void timeline_reading(struct buf *b, const struct time_facts *f, enum timeline_view view);

/* "u: read forwards part by part, then backwards", and the figures of it. */
void timeline_structure_claim(struct buf *b, const struct time_facts *f, int structure);
void timeline_structure_reading(struct buf *b, const struct time_facts *f, int structure);
/* The same walk without the structure's name; brief: its larger steps, without regions and
 * numbers. */
void timeline_walk(struct buf *b, const struct time_facts *f, int structure, bool brief);
/* The claim of the timeline: the walks of structures, those that are walked through alike
 * together. */
void timeline_walks_claim(struct buf *b, const struct time_facts *f);
/* True: both have the same larger steps in the same regions, so that one picture stands for
 * both. */
bool timeline_same_walk(const struct time_facts *f, int a, int b);
/* The claim of the cartography, and how it is read. */
void timeline_cartography_claim(struct buf *b, const struct time_facts *f);
void timeline_cartography_reading(struct buf *b, const struct time_facts *f);
/* "73% handed over to others; first touched by thread 0". */
void timeline_sharing(struct buf *b, const struct time_facts *f, int structure);
/* "both threads", "3 threads" */
void timeline_threads(struct buf *b, const struct time_facts *f, int n);
/* "Allocated at a.c:11 by thread 0, once an execution, and released there."; nothing where the
 * place is not known. */
void timeline_allocation(struct buf *b, const struct time_facts *f, int structure);
/* "table: filled by thread 0, then read by all 4 threads at once", and what to do about it. */
void timeline_pattern(struct buf *b, const struct time_facts *f, int structure);
void timeline_advice(struct buf *b, const struct time_facts *f, int structure);
/* "51% of 10.3 MiB". */
void timeline_used(struct buf *b, const struct time_structure *s);

void timeline_thread_claim(struct buf *b, const struct time_facts *f, int thread);
void timeline_thread_reading(struct buf *b, const struct time_facts *f, int thread);

/* "jacld, blts": the sections of a run; "jacld", "step:12": the one of a region. */
void timeline_run(struct buf *b, const struct time_facts *f, int run);
/* "jacld and blts" */
void timeline_run_said(struct buf *b, const struct time_facts *f, int run);
void timeline_section(struct buf *b, const struct time_facts *f, int region);
/* Are they written alike: calls of one routine, say? */
bool timeline_sections_alike(const struct time_facts *f, int a, int b);
/* Lines from memory that a node served. */
int64_t timeline_node(const struct time_facts *f, int node);
/* Of the modules' view: "node 0 serves 91% of all lines", "16 of 64 channels serve 74% of all
 * lines ...; zero makes ...". */
void timeline_modules_claim(struct buf *b, const struct time_facts *f);
void timeline_modules_reading(struct buf *b, const struct time_facts *f);
/* "at 16 threads node 0 serves 88% of 1.2 M lines from memory, 7.0 times an even share; table is
 * 95% of it", and what that takes for granted. */
void timeline_prediction_claim(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p);
void timeline_prediction_reading(struct buf *b, const struct time_facts *f,
	const struct time_prediction *p);
/* "1.2 M (0.9-1.4)". */
void timeline_range(struct buf *b, const struct more_range *r);
/* "channel 3", "node 1, channel 3", "node 1". */
void timeline_module(struct buf *b, const struct report_timeline *t, int module);
/* "blts reads a that jacld wrote", for each pair of sections one sentence. */
void timeline_edges(struct buf *b, const struct time_facts *f);

/* What the source line of the walk `first` does: "reads a and b forwards, writes c forwards;
 * vectors of 64 bytes"; the first walk of another line. */
void line_walk_words(struct buf *b, const struct time_facts *f, int first);
int line_walks_end(const struct report_timeline *t, int first);

/* Of the portal of ranks, from the facts of each: "rank 1 makes 67% of the accesses of 2 ranks,
 * .."; of one alone nothing. */
void timeline_ranks_claim(struct buf *b, struct time_facts *const *f, int n);
/* What is missing from the pictures: columns, structures without rows, cache sets.  Nothing: all is
 * there. */
void timeline_missing(struct buf *b, const struct time_facts *f);
/* How much of the time an axis of time lacks, as no accesses show it. */
void timeline_untimed(struct buf *b, const struct time_facts *f);
/* Which processes have no picture in a page: a list of those that did not fit into it, "" if all
 * did, and the number of further ones that the report does not have. */
void timeline_processes_without(struct buf *b, const char *no_room, int left_out);

/* Some structures, by index: "a, b, c and d". */
enum { TIMELINE_NAMES = 6 };
struct timeline_names { int at[TIMELINE_NAMES], n; };
/* Beyond the most they are left out. */
void timeline_names_add(struct timeline_names *names, int structure);
void timeline_names_put(struct buf *b, const struct time_facts *f,
	const struct timeline_names *names);
void timeline_names_sort(struct timeline_names *names, const struct time_facts *f);

/* "1.94 M", "524": without spaces behind it; bytes: "10.3 MiB"; a share: "<1%", "94%". */
void timeline_count(struct buf *b, double n);
void timeline_bytes(struct buf *b, double n);
void timeline_share(struct buf *b, double share);
/* The name of a structure; "small ones" of those that are joined; of memory without a name, what it
 * is: "thread stacks".  The short one is for columns: "stacks". */
const char *timeline_structure_name(const struct report_time_structure *s);
const char *timeline_short_name(const struct report_time_structure *s);
const char *timeline_name(const struct time_structure *s);

#endif
