/* SPDX-License-Identifier: BSD-3-Clause */
/* On which memory node of this host a thread's bursts were. */
#ifndef PSC_FOREIGN_BURST_NODES_H
#define PSC_FOREIGN_BURST_NODES_H

#include "foreign/play_bursts.h"

/* A burst of the thread is simulated: its node is asked for, where the nodes of the machine are
 * those of this host. */
void burst_nodes_see(struct burst_thread_play *t, const struct machine_flat *m);
/* The node of most of its bursts; where none is known, that of machine_node(). */
uint32_t burst_nodes_of(const struct burst_thread_play *t, const struct machine_flat *m);

#endif
