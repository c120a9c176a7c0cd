/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions interleave, bind=N and local: the pages of a structure on other memory nodes.
 *
 * Pages are moved by move_pages(), there and back: each one's node is noted when it is moved first.
 * The small pages of a large one move together.  A memory policy does not move pages that lie on a
 * node which it allows, and policies that the program has set are left alone.  Where the kernel
 * moves pages itself (NUMA balancing), those that it took elsewhere in state B are counted. */
#include "config.h"
#include "monitor/trial/action.h"
#include "monitor/address/object_pages.h"
#include "monitor/host/mem.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/trial/pagemap.h"
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
enum { NOWHERE = -1, UNSEEN = -2 };     /* nodes of pages that are not moved; not asked for yet */
enum { BACK_ATTEMPTS = 3 };

static struct {
	struct object_pages pages;
	uint64_t page;          /* bytes */
	int16_t *home, *goal;   /* the node of each page before, and in state B */
	uint64_t n;
	int pagemap;            /* descriptor; -1: large pages are not told apart */
	uint64_t block;         /* the large page that was asked for last, */
	bool is_large;          /* and the answer */
	uint64_t at;            /* of the switch under way: the next page */
	enum mon_action how;
	struct memory_nodes allowed;    /* that the process may use, */
	int node[MEMORY_NODES]; /* as a list */
	int nnodes, target;
	bool b;
	int failed;             /* errno of the last call that moved nothing */
	uint64_t wanted, moved, missed, strayed;
} all = { .pagemap = -1 };

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

/* Does a large page map the address?  Where the kernel does not tell, one may. */
static bool in_large(uint64_t address)
{
	const uint64_t block = address / PAGEMAP_LARGE * PAGEMAP_LARGE;

	if (block != all.block) {
		all.block = block;
		all.is_large = pagemap_large(all.pagemap, block, block + PAGEMAP_LARGE) != 0;
	}
	return all.is_large;
}

static int16_t goal_of(uint64_t i, const void *page)
{
	const uint64_t address = (uint64_t)(uintptr_t)page;

	if (all.how != MON_ACTION_INTERLEAVE)
		return (int16_t)all.target;
	if (in_large(address))
		i = address / PAGEMAP_LARGE;
	return (int16_t)all.node[i % (uint64_t)all.nnodes];
}

/* Is it a page that state B has elsewhere? */
static bool is_elsewhere(uint64_t i)
{
	return all.home[i] >= 0 && all.home[i] != all.goal[i];
}

/* Calls a function for all pages with their present nodes, chunk after chunk, or
 * for a part of the chunks. */
static bool each_node(void (*what)(uint64_t i, const void *page, int node), bool some)
{
	const uint64_t step = some && all.n > LOOKED_AT ? CHUNK * (all.n / LOOKED_AT) : CHUNK;
	void *page[CHUNK];
	int status[CHUNK];

	for (uint64_t at = 0; at < all.n; at += step) {
		const uint32_t n = addresses(at, CHUNK, page);

		if (!n || !move_pages_(n, page, NULL, status))
			return false;
		for (uint32_t i = 0; i < n; i++)
			what(at + i, page[i], status[i]);
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

static void note_wanted(uint64_t i, const void *page, int node)
{
	all.wanted += node >= 0 && node != goal_of(i, page);
}

static void forget(void)
{
	object_pages_free(&all.pages);
	pscm_unmap(all.home, 2 * all.n * sizeof *all.home);
	all.home = all.goal = NULL;
	all.n = 0;
}

/* To ask for all pages takes 100 ms a GiB: some tell whether there is anything to move, and about
 * how much. */
static enum mon_trial_refusal pages_find(const struct mon_request *r, struct mon_trial *out)
{
	if (!object_pages_find(r->object, all.page, &all.pages) || !all.pages.pages ||
	    all.pages.pages > PAGES_MOST)
		return MON_TRIAL_NO_PAGES;
	all.home = pscm_map(2 * all.pages.pages * sizeof *all.home);
	if (!all.home)
		return MON_TRIAL_NO_PAGES;
	all.n = all.pages.pages;
	all.goal = all.home + all.n;
	for (uint64_t i = 0; i < all.n; i++)
		all.home[i] = UNSEEN;
	all.pagemap = pagemap_open();
	all.wanted = 0;
	all.block = UINT64_MAX;
	if (!each_node(note_wanted, true))
		return MON_TRIAL_FORBIDDEN;
	out->pages = all.n > LOOKED_AT ? all.wanted * (all.n / LOOKED_AT) : all.wanted;
	all.wanted = 0;
	return out->pages ? MON_TRIAL_DONE : MON_TRIAL_PLACED;
}

static enum mon_trial_refusal find_and_close(const struct mon_request *r, struct mon_trial *out)
{
	const enum mon_trial_refusal why = pages_find(r, out);

	pagemap_close(all.pagemap);
	all.pagemap = -1;
	if (why)
		forget();
	return why;
}

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	unsigned cpu, node = 0;

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
	return find_and_close(r, out);
}

/* --- switches --------------------------------------------------------------------------------- */

/* The kernel stops at a page that it cannot move, and says nothing of those behind it. */
#define UNTOLD INT_MIN

/* Notes the nodes of pages, the first time.  false: the kernel does not tell. */
static bool note_homes(uint64_t at, uint32_t n, void **page)
{
	int status[CHUNK];

	if (!move_pages_(n, page, NULL, status))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (all.home[at + i] != UNSEEN)
			continue;
		all.home[at + i] = (int16_t)(status[i] >= 0 && status[i] < MEMORY_NODES ?
			status[i] : NOWHERE);
		all.goal[at + i] = goal_of(at + i, page[i]);
		all.wanted += is_elsewhere(at + i);
	}
	return true;
}

/* Notes the nodes of a chunk's pages, the first time, and of those up to the end of the last large
 * page: they move with it.  false: the kernel does not tell. */
static bool see(uint64_t at, uint32_t n, void **page)
{
	const uintptr_t last = (uintptr_t)page[n - 1],
		end = (last / PAGEMAP_LARGE + 1) * PAGEMAP_LARGE;
	void *next[CHUNK];

	if (all.home[at] != UNSEEN && all.home[at + n - 1] != UNSEEN)
		return true;
	while (n) {
		uint32_t k = 0;

		if (!note_homes(at, n, page))
			return false;
		at += n;
		n = at < all.n ? addresses(at, CHUNK, next) : 0;
		while (k < n && (uintptr_t)next[k] > last && (uintptr_t)next[k] < end)
			k++;
		n = k;
		page = next;
	}
	return true;
}

/* Moves k pages.  Returns how many of them are there now; -1: the kernel moved none.  Of a large
 * page that is under way the kernel says of a small one that it is busy. */
static int64_t move_some(uint32_t k, void **some, const int *to)
{
	int status[CHUNK];
	int64_t moved = 0;

	for (uint32_t i = 0; i < k; i++)
		status[i] = UNTOLD;
	if (k && !move_pages_(k, some, to, status)) {
		all.failed = errno;
		return -1;
	}
	for (uint32_t i = 0; i < k; i++) {
		if (status[i] == UNTOLD || status[i] == -EBUSY)
			move_pages_(1, &some[i], &to[i], &status[i]);
		moved += status[i] == to[i];
	}
	return moved;
}

/* Moves the pages of a chunk that are to be elsewhere.  false: the kernel moved none. */
static bool move_chunk(uint64_t at, uint32_t n, void **page, bool back)
{
	void *some[CHUNK];
	int to[CHUNK];
	uint32_t k = 0;
	int64_t moved;

	if (!back && !see(at, n, page))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!is_elsewhere(at + i))
			continue;
		some[k] = page[i];
		to[k++] = back ? all.home[at + i] : all.goal[at + i];
	}
	moved = move_some(k, some, to);
	all.missed += moved < 0 ? k : k - (uint64_t)moved;
	if (!back && moved > 0)
		all.moved += (uint64_t)moved;
	return moved >= 0;
}

/* Moves pages until the time is over.  A node without memory ends the
 * switch: what was moved counts. */
static bool each_chunk(bool back, uint64_t until)
{
	void *page[CHUNK];
	uint32_t size = CHUNK_FIRST;

	while (all.at < all.n) {
		const uint32_t n = addresses(all.at, size, page);

		if (!n || (!move_chunk(all.at, n, page, back) && !back))
			break;
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
	bool over;

	if (!all.b)
		all.moved = all.at = 0;
	all.b = true;
	all.pagemap = all.how == MON_ACTION_INTERLEAVE ? pagemap_open() : -1;
	over = each_chunk(false, until);
	pagemap_close(all.pagemap);
	all.pagemap = -1;
	return over;
}

static void note_strayed(uint64_t i, const void *page, int node)
{
	(void)page;
	all.strayed += is_elsewhere(i) && node == all.home[i];
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

/* A page that is in use elsewhere for a moment cannot be moved: a later attempt may. */
static void put_back(void)
{
	const bool some = all.b || all.at;

	for (int i = 0; some && i < BACK_ATTEMPTS && (!i || all.missed); i++) {
		all.missed = 0;
		to_a(UINT64_MAX);
	}
	all.at = 0;
}

/* Its pages are those of the parent, until one of them writes. */
static void forked(void)
{
	all.n = 0;
	all.b = false;
}

static uint64_t away;           /* counted by note_away() */

static void note_away(uint64_t i, const void *page, int node)
{
	(void)page;
	away += is_elsewhere(i) && node != all.home[i];
}

static bool verify(struct mon_trial *out)
{
	away = 0;
	if (!each_node(note_away, false))
		away = all.moved;
	out->left = away;
	if (all.moved)
		out->pages = all.wanted;
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
