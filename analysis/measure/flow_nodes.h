/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory nodes of a flow: where its threads run, which nodes serve them, and what other places
 * would cost. */
#ifndef PSC_MEASURE_FLOW_NODES_H
#define PSC_MEASURE_FLOW_NODES_H

#include "analysis/measure/use_intervals.h"
#include "base/buf.h"

/* Where memory and threads could be. AT_USERS: each line comes from the node of the thread that
 * fetches it, as with a copy on each node, or where each thread allocates what it alone uses.
 * INTERLEAVED: pages lie on all nodes in turn. TOGETHER: all threads run on the node that serves
 * most. */
enum flow_placement { FLOW_AS_IT_IS, FLOW_AT_USERS, FLOW_INTERLEAVED, FLOW_TOGETHER };

/* Cycles that main memory takes, without queues, to serve the misses of the last level whose node
 * is known, in an execution. NAN: the model has one node, or nothing is known. */
double flow_cycles(const struct flow *f, enum flow_placement where);
/* The node that serves most of its misses; UINT32_MAX: not known. */
uint32_t flow_home(const struct flow *f);
double flow_home_share(const struct flow *f);    /* of its misses, what that node serves; NAN */
/* What that node serves of all misses of the phase, over an even share of the nodes on which
 * threads run; NAN. */
double flow_load(const struct flow *f);
/* Threads with a thousandth of its accesses or more. */
uint32_t flow_users(const struct flow *f);
uint32_t flow_user_nodes(const struct flow *f); /* nodes on which these run */
/* The node on which all of them run; UINT32_MAX: there are several. */
uint32_t flow_user_node(const struct flow *f);
/* Nodes on which threads of the phase run. */
uint32_t flow_thread_nodes(const struct flow *f);
/* Appends "thread 0", "threads 1 and 3", "threads 0 to 3". */
void flow_user_names(const struct flow *f, struct buf *out);
/* The same of the thread that touched most of it first; nothing where that is not known. */
void flow_toucher_name(const struct flow *f, struct buf *out);
/* Appends where its memory is allocated, "f.c:9", or was touched first; nothing where that is not
 * known. */
void flow_allocated_at(const struct flow *f, struct buf *out);
void flow_touched_at(const struct flow *f, struct buf *out);

#endif
