/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the memory nodes of threads during an experiment. */
#include "monitor/collect/thread_nodes.h"

#include <string.h>

#include "monitor/host/memory_nodes.h"
#include "monitor/state.h"

enum { CPUS = 1 << 16 };                /* more than any model has */

static uint64_t taken[CPUS / 64];       /* guarded by the caller of thread_nodes_cpu() */

static const struct machine_flat *model(void)
{
	return &pscm_shm->machine;
}

/* The node where the calling thread is now; as before, if the kernel does not say. */
static uint32_t node_now(const struct pscm_thread *t, uint32_t before)
{
	const uint32_t node = machine_real_node(&model()->nodes, memory_node_here());

	return node != UINT32_MAX ? node : before != UINT32_MAX ? before :
		machine_node(model(), t->index);
}

void thread_nodes_arm(void)
{
	memset(taken, 0, sizeof taken);
}

void thread_nodes_join(struct pscm_thread *t)
{
	memset(t->on_node, 0, sizeof t->on_node);
	t->crossing = 0;
	t->moved = false;
	t->node = model()->nodes.real ? node_now(t, UINT32_MAX) : machine_node(model(), t->index);
}

void thread_nodes_see(struct pscm_thread *t)
{
	uint32_t now;

	if (likely(!model()->nodes.real))
		return;
	now = node_now(t, t->node);
	t->moved |= now != t->node;
	t->node = now;
}

void thread_nodes_begin(struct pscm_thread *t)
{
	thread_nodes_see(t);
	t->moved = false;
}

void thread_nodes_count(struct pscm_thread *t, uint64_t words)
{
	t->on_node[t->node] += words;
	if (unlikely(t->moved))
		t->crossing += words;
	t->moved = false;
}

static bool take(uint32_t cpu)
{
	uint64_t *word = &taken[cpu / 64 % (CPUS / 64)];
	const uint64_t bit = UINT64_C(1) << cpu % 64;
	const bool free = !(*word & bit);

	*word |= bit;
	return free;
}

uint32_t thread_nodes_cpu(const struct pscm_thread *t)
{
	const struct machine_flat *m = model();
	const uint32_t own = machine_cpu(m, t->index), first = t->node * m->nodes.cpus;

	if (!m->nodes.real || (machine_node(m, t->index) == t->node && take(own)))
		return own;
	for (uint32_t i = 0; i < m->nodes.cpus; i++)
		if (take(first + (own + i) % m->nodes.cpus))
			return first + (own + i) % m->nodes.cpus;
	return first + own % m->nodes.cpus;     /* more threads than CPUs */
}

uint32_t thread_nodes_of(const struct pscm_thread *t)
{
	uint32_t most = t->node;

	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		if (t->on_node[n] > t->on_node[most])
			most = n;
	return most;
}

void thread_nodes_tell(const struct pscm_thread *t, struct mon_request *r)
{
	const uint32_t node = thread_nodes_of(t);
	uint64_t all = 0, strayed;

	for (uint32_t n = 0; n < MACHINE_NODES; n++)
		all += t->on_node[n];
	strayed = all - t->on_node[node] + t->crossing;
	r->counted_words += all;
	r->strayed += strayed < all ? strayed : all;
	r->strays += strayed > 0;
}
