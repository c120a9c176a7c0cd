/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions interleave, bind=N and local: the pages of a structure on other memory nodes.
 *
 * Pages are moved by move_pages(), there and back: the node of each is noted before.  A memory
 * policy does not move pages that lie on a node which it allows, and policies that the program has
 * set are left alone.  Where the kernel moves pages itself (NUMA balancing), those that it took
 * elsewhere in state B are counted. */
#include "config.h"
#include "monitor/trial/action.h"
#include "monitor/address/object_pages.h"
#include "monitor/host/mem.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/syscall_filter.h"
#include "base/clock.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES_MOST = 1 << 22 };
enum { CHUNK_FIRST = 32, CHUNK = 256 };         /* pages of one call: the first one tells what a
						 * page takes */
enum { LOOKED_AT = 1 << 13 };            /* pages that are asked for at a switch: about 3 ms */
enum { MOVE = 2 };                              /* of linux/mempolicy.h */
#define NOWHERE (-1)

static struct {
	struct object_pages pages;
	uint64_t page;          /* bytes */
	int16_t *home;          /* the node of each page before; NOWHERE: it is not moved */
	uint64_t n;
	uint64_t at;            /* of the switch under way: the next page */
	enum mon_action how;
	struct memory_nodes allowed;    /* that the process may use, */
	int node[MEMORY_NODES]; /* as a list */
	int nnodes, target;
	bool b;
	int failed;             /* errno of the last call that moved nothing */
	uint64_t moved, strayed;
} all;

/* --- pages ------------------------------------------------------------------------------------ */

/* The addresses of pages from `at` on, at most CHUNK; returns their number. */
static uint32_t addresses(uint64_t at, uint32_t most, void *out[CHUNK])
{
	uint32_t n = 0;

	for (size_t i = 0; i < all.pages.n && n < most; i++) {
		const struct pscm_span *s = &all.pages.range[i];
		const uint64_t has = (s->hi - s->lo) / all.page;

		for (; at < has && n < most; at++)
			out[n++] = (void *)(uintptr_t)(s->lo + at * all.page);
		at -= n ? at : has;
	}
	return n;
}

/* The nodes of n pages, or with `to` moves them there. */
static bool move_pages_(uint32_t n, void **page, const int *to, int *status)
{
	return syscall(SYS_move_pages, 0, (unsigned long)n, page, to, status, to ? MOVE : 0) >= 0;
}

static int16_t goal(uint64_t i)
{
	return (int16_t)(all.how == MON_ACTION_INTERLEAVE ? all.node[i % (uint64_t)all.nnodes] :
		all.target);
}

/* Calls a function for all pages with their present nodes, chunk after chunk, or
 * for a part of the chunks. */
static bool each_node(void (*what)(uint64_t i, int node), bool some)
{
	const uint64_t step = some && all.n > LOOKED_AT ? CHUNK * (all.n / LOOKED_AT) : CHUNK;
	void *page[CHUNK];
	int status[CHUNK];

	for (uint64_t at = 0; at < all.n; at += step) {
		const uint32_t n = addresses(at, CHUNK, page);

		if (!n || !move_pages_(n, page, NULL, status))
			return false;
		for (uint32_t i = 0; i < n; i++)
			what(at + i, status[i]);
	}
	return true;
}

/* --- can it be done --------------------------------------------------------------------------- */

static void nodes_find(void)
{
	memory_nodes_allowed(&all.allowed);
	all.nnodes = 0;
	for (uint32_t i = 0; i < MEMORY_NODES; i++)
		if (memory_nodes_has(&all.allowed, i))
			all.node[all.nnodes++] = (int)i;
}

static void note_home(uint64_t i, int node)
{
	all.home[i] = (int16_t)(node >= 0 && node < MEMORY_NODES ? node : NOWHERE);
}

static uint64_t to_be_moved(void)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < all.n; i++)
		n += all.home[i] != NOWHERE && all.home[i] != goal(i);
	return n;
}

static void forget(void)
{
	object_pages_free(&all.pages);
	pscm_unmap(all.home, all.n * sizeof *all.home);
	all.home = NULL;
	all.n = 0;
}

static enum mon_trial_refusal pages_find(const struct mon_request *r, struct mon_trial *out)
{
	if (!object_pages_find(r->object, all.page, &all.pages) || !all.pages.pages ||
	    all.pages.pages > PAGES_MOST)
		return MON_TRIAL_NO_PAGES;
	all.home = pscm_map(all.pages.pages * sizeof *all.home);
	if (!all.home)
		return MON_TRIAL_NO_PAGES;
	all.n = all.pages.pages;
	if (!each_node(note_home, false))
		return MON_TRIAL_FORBIDDEN;
	out->pages = to_be_moved();
	return out->pages ? MON_TRIAL_DONE : MON_TRIAL_PLACED;
}

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	unsigned cpu, node = 0;
	enum mon_trial_refusal why;

	forget();
	all.at = all.moved = all.strayed = 0;
	all.b = false;
	all.how = r->action;
	all.page = (uint64_t)sysconf(_SC_PAGESIZE);
	if (sandbox_around())
		return MON_TRIAL_FORBIDDEN;
	nodes_find();
	if (all.nnodes < 2)
		return all.nnodes ? MON_TRIAL_ONE_NODE : MON_TRIAL_FORBIDDEN;
	if (syscall(SYS_getcpu, &cpu, &node, NULL))
		return MON_TRIAL_FORBIDDEN;
	if (all.how == MON_ACTION_BIND)
		node = r->node;
	all.target = (int)node;
	if (!memory_nodes_has(&all.allowed, node))
		return MON_TRIAL_NO_NODE;
	why = pages_find(r, out);
	if (why)
		forget();
	return why;
}

/* --- switches --------------------------------------------------------------------------------- */

/* The kernel stops at a page that it cannot move, and says nothing of those behind it. */
#define UNTOLD INT_MIN

/* Moves the pages of a chunk that are to be elsewhere.  Returns how many of them are there now; -1:
 * the kernel moved none. */
static int64_t move_chunk(uint64_t at, uint32_t n, void **page, bool back)
{
	void *some[CHUNK];
	int to[CHUNK], status[CHUNK];
	uint32_t k = 0;
	int64_t moved = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (all.home[at + i] == NOWHERE || all.home[at + i] == goal(at + i))
			continue;
		some[k] = page[i];
		to[k++] = back ? all.home[at + i] : goal(at + i);
	}
	if (!k)
		return 0;
	for (uint32_t i = 0; i < k; i++)
		status[i] = UNTOLD;
	if (!move_pages_(k, some, to, status)) {
		all.failed = errno;
		return -1;
	}
	for (uint32_t i = 0; i < k; i++) {
		if (status[i] == UNTOLD)
			move_pages_(1, &some[i], &to[i], &status[i]);
		moved += status[i] == to[i];
	}
	return moved;
}

/* Moves pages until the time is over.  A node without memory ends the
 * switch: what was moved counts. */
static bool each_chunk(bool back, uint64_t until)
{
	void *page[CHUNK];
	uint32_t size = CHUNK_FIRST;

	while (all.at < all.n) {
		const uint32_t n = addresses(all.at, size, page);
		const int64_t moved = n ? move_chunk(all.at, n, page, back) : -1;

		if (moved < 0 && (!back || !n))
			break;
		if (!back)
			all.moved += (uint64_t)moved;
		all.at += n;
		size = CHUNK;
		if (clock_ns() >= until && all.at < all.n)
			return false;
	}
	all.at = 0;
	return true;
}

static bool to_b(uint64_t until)
{
	if (!all.b)
		all.moved = all.at = 0;
	all.b = true;
	return each_chunk(false, until);
}

static void note_strayed(uint64_t i, int node)
{
	all.strayed += all.home[i] != NOWHERE && all.home[i] != goal(i) && node == all.home[i];
}

static bool to_a(uint64_t until)
{
	if (all.b && !all.at) {
		all.strayed = 0;
		each_node(note_strayed, true);
		if (all.n > LOOKED_AT)
			all.strayed *= all.n / LOOKED_AT;
	}
	if (all.b)
		all.at = 0;
	all.b = false;
	return each_chunk(true, until);
}

static void put_back(void)
{
	if (all.b || all.at)
		to_a(UINT64_MAX);
	all.at = 0;
}

/* Its pages are those of the parent, until one of them writes. */
static void forked(void)
{
	all.n = 0;
	all.b = false;
}

static uint64_t away;           /* counted by note_away() */

static void note_away(uint64_t i, int node)
{
	away += all.home[i] != NOWHERE && all.home[i] != goal(i) && node != all.home[i];
}

static bool verify(struct mon_trial *out)
{
	away = 0;
	if (!each_node(note_away, false))
		away = all.moved;
	out->left = away;
	out->strayed = all.strayed;
	return true;
}

static uint64_t memory(void)
{
	return 0;
}

static uint64_t moved(int *failed)
{
	*failed = all.failed;
	return all.moved;
}

#define ACTION(name, how_) \
	const struct trial_action name = { .action = how_, .can = can, .to_b = to_b, .to_a = to_a, \
		.put_back = put_back, .forked = forked, .verify = verify, .memory = memory, .moved = moved }
ACTION(trial_interleave, MON_ACTION_INTERLEAVE);
ACTION(trial_bind, MON_ACTION_BIND);
ACTION(trial_local, MON_ACTION_LOCAL);
