/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches objects with the rules of a placement file, and tells the kernel. */
#include "config.h"
#include "monitor/address/memory_policy.h"
#include "monitor/host/mem.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/syscall_filter.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/mempolicy.h.  MPOL_BIND would end the program where the node is full. */
enum { PREFERRED = 1, INTERLEAVE = 3, LOCAL = 4, MOVE = 2 };
enum { LARGE_PAGE = 2 << 20 };
/* A policy may make mappings of its own, whose number the kernel limits (65 530): of the smaller
 * blocks only the first ones get it. */
enum { LARGE_BLOCK = 1 << 20, SMALLER_BLOCKS = 4096 };
/* A rule on nodes and one on large pages may be for one object. */
enum { ON_NODES, ON_SIZE, SORTS };

/* By object: 1 + the rule. */
static uint8_t (*rule_of)[SORTS];
static _Atomic uint32_t smaller_blocks;
bool memory_policy_matched;

int memory_policy_start(void)
{
	rule_of = pscm_map(MON_OBJECTS * sizeof *rule_of);
	return rule_of ? 0 : -1;
}

/* --- which rule ------------------------------------------------------------------------------- */

/* Where the object is declared or allocated; "": nowhere. */
static const char *file_of(const struct mon_object *o)
{
	const uint32_t string = o->file ? o->file :
		o->unit < MON_UNITS ? pscm_shm->units[o->unit].source : 0;

	return pscm_shm->strings + string;
}

/* Is it the path, or the end of it, from a slash on? */
static bool ends_path(const char *path, const char *end)
{
	const size_t n = strlen(path), m = strlen(end);

	return n >= m && strcmp(path + n - m, end) == 0 && (n == m || path[n - m - 1] == '/');
}

static bool is_for(const struct mon_place *p, const struct mon_object *o)
{
	return strcmp(pscm_shm->strings + o->name, p->name) == 0 &&
		(!p->file[0] || ends_path(file_of(o), p->file)) && (!p->line || p->line == o->line);
}

void memory_policy_object(uint32_t object)
{
	const struct mon_object *o = &pscm_shm->objects[object];

	for (uint32_t i = 0; i < pscm_shm->nplaces && i < MON_PLACES; i++) {
		struct mon_place *p = &pscm_shm->place[i];
		uint8_t *rule = &rule_of[object][p->action == MON_ACTION_LARGE_PAGES ? ON_SIZE :
			ON_NODES];

		if (!is_for(p, o))
			continue;
		atomic_fetch_add(&p->objects, 1);
		memory_policy_matched = true;
		if (!*rule)
			*rule = (uint8_t)(i + 1);
	}
}

/* --- memory ----------------------------------------------------------------------------------- */

static long policy(uint64_t lo, uint64_t bytes, int mode, const struct memory_nodes *nodes)
{
	return syscall(SYS_mbind, lo, bytes, mode, nodes ? nodes->mask : NULL,
		nodes ? (unsigned long)MEMORY_NODES : 0ul, MOVE);
}

static long prefer(uint64_t lo, uint64_t bytes, uint32_t node)
{
	struct memory_nodes one;

	memset(&one, 0, sizeof one);
	one.mask[node / MEMORY_NODE_WORD] = 1ul << node % MEMORY_NODE_WORD;
	return policy(lo, bytes, PREFERRED, &one);
}

/* Why the kernel is not asked. */
static enum mon_trial_refusal refusal(const struct mon_place *p, struct memory_nodes *nodes)
{
	const int n = memory_nodes_allowed(nodes);

	if (sandbox_around())
		return MON_TRIAL_FORBIDDEN;
	if (p->action == MON_ACTION_INTERLEAVE && n == 1)
		return MON_TRIAL_ONE_NODE;
	if (p->action == MON_ACTION_BIND && !memory_nodes_has(nodes, p->node))
		return MON_TRIAL_NO_NODE;
	return MON_TRIAL_DONE;
}

static long tell_kernel(const struct mon_place *p, const struct memory_nodes *nodes, uint64_t lo,
	uint64_t bytes)
{
	switch (p->action) {
	case MON_ACTION_INTERLEAVE: return policy(lo, bytes, INTERLEAVE, nodes);
	case MON_ACTION_BIND: return prefer(lo, bytes, p->node);
	case MON_ACTION_LOCAL: return policy(lo, bytes, LOCAL, NULL);
	default: return syscall(SYS_madvise, lo, bytes, MADV_HUGEPAGE);
	}
}

/* Is the block too small, or one too many? */
static bool left_alone(const struct mon_place *p, uint64_t lo, uint64_t hi)
{
	const uint64_t page = p->action == MON_ACTION_LARGE_PAGES ? LARGE_PAGE : 1;

	if (lo >= hi || (lo + page - 1) / page >= hi / page)
		return true;
	return hi - lo < LARGE_BLOCK && atomic_fetch_add(&smaller_blocks, 1) >= SMALLER_BLOCKS;
}

static void apply(struct mon_place *p, uint64_t lo, uint64_t hi)
{
	struct memory_nodes nodes;
	enum mon_trial_refusal why;

	if (left_alone(p, lo, hi)) {
		atomic_fetch_add(&p->left, 1);
		return;
	}
	why = refusal(p, &nodes);
	if (!why && tell_kernel(p, &nodes, lo, hi - lo) == 0) {
		atomic_fetch_add(&p->blocks, 1);
		atomic_fetch_add(&p->bytes, hi - lo);
		return;
	}
	atomic_fetch_add(&p->left, 1);
	atomic_store(&p->refusal, why ? (uint32_t)why : (uint32_t)MON_TRIAL_NOT_MOVED);
}

void memory_policy_memory(uint32_t object, uint64_t lo, uint64_t bytes)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	for (int i = 0; i < SORTS; i++) {
		const uint32_t rule = rule_of[object][i];

		if (rule)
			apply(&pscm_shm->place[rule - 1], (lo + page - 1) / page * page,
				(lo + bytes) / page * page);
	}
}

uint32_t memory_policy_node(uint32_t object, uint64_t address)
{
	const uint32_t nodes = pscm_shm->machine.nodes.count, rule = rule_of[object][ON_NODES];
	const struct mon_place *p = rule ? &pscm_shm->place[rule - 1] : NULL;

	if (p && p->action == MON_ACTION_INTERLEAVE && nodes)
		return (uint32_t)((address >> 12) % nodes);
	return p && p->action == MON_ACTION_BIND && p->node < nodes ? p->node : UINT32_MAX;
}
