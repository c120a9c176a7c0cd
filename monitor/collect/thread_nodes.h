/* SPDX-License-Identifier: BSD-3-Clause */
/* On which memory node of the machine model each thread runs.
 *
 * Where the model is this host's (machine_flat.nodes.real), a thread asks itself when it joins an
 * experiment, when it flushes its words and when it parks; else machine_cpu() says.  Its rows have
 * the node of most of its counted words. */
#ifndef PSC_MONITOR_THREAD_NODES_H
#define PSC_MONITOR_THREAD_NODES_H

#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

/* An experiment begins: no CPU of the model is taken. */
void thread_nodes_arm(void);
/* The calling thread joins the experiment; no word of it has been counted. */
void thread_nodes_join(struct pscm_thread *t);
/* The words of the calling thread begin here, or have got as far. */
void thread_nodes_begin(struct pscm_thread *t);
void thread_nodes_see(struct pscm_thread *t);
/* Counts so many words, up to where the thread was seen last.  t->lock is held. */
void thread_nodes_count(struct pscm_thread *t, uint64_t words);
/* A CPU of the model on the thread's node: its own by machine_cpu(), if that is there and free. */
uint32_t thread_nodes_cpu(const struct pscm_thread *t);
/* The node of most of its counted words. */
uint32_t thread_nodes_of(const struct pscm_thread *t);
/* Adds to the request: its counted words, and those that may be of other nodes. */
void thread_nodes_tell(const struct pscm_thread *t, struct mon_request *r);

#pragma GCC visibility pop
#endif
