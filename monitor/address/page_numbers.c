/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalises addresses: numbers pages in the order of their first touch, so that counts do not
 * depend on where the kernel maps memory.
 *
 * The numbers are in a radix tree, read without a lock and grown under one. */
#include "monitor/address/page_numbers.h"
#include "monitor/address/address_map.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/placement.h"
#include "monitor/host/mem.h"
#include "monitor/host/memory_nodes.h"

enum {
	/* A stack gets numbers for this many bytes at once.  Stack addresses count from the stack's
	 * top, so their pages are not aligned with real pages; the bytes of one real page must stay
	 * together. */
	STACK_UNIT = 1 << 20,
	BITS = 12, FAN = 1 << BITS,
	ROOT = 1 << 13,         /* 49-bit addresses: stacks follow all real ones */
	MARK_BLOCK = 1 << 16, MARK_BLOCKS = 1 << 14
};
#define HOME (UINT64_C(1) << 60)        /* larger than any page number */
/* If the kernel is asked, the word of a number has 1 + the node of its page, or 0, and the round
 * in which the kernel said so. */
enum { ASKED_NODE = 40, ASKED_ROUND = 45, ROUNDS = 1 << 15 };
#define ASKED_PAGE ((UINT64_C(1) << ASKED_NODE) - 1)
/* set: of each page in translation caches, | SET_KNOWN; written before the number, but that of an
 * area's first page before its number is known. */
enum { SET_KNOWN = 1 << 16, SET_MASK = SET_KNOWN - 1 };
struct number_leaf {
	_Atomic uint32_t number[FAN];
	uint32_t set[FAN];
};
struct number_node { struct number_leaf *_Atomic leaf[FAN]; };

struct pscm_page_numbers {
	pthread_mutex_t lock;
	uint32_t next;          /* the next number; 0 is never used */
	struct number_node *_Atomic root[ROOT];
	_Atomic uint64_t *_Atomic marks[MARK_BLOCKS];
	_Atomic uint64_t *_Atomic real[MARK_BLOCKS];    /* the page of each number */
};
static uint32_t page_shift;     /* log2 of the model's page size, 12 at most */
static bool is_virtual;
static struct machine_nodes nodes;      /* several: pscm_page_node() will be called */
static _Atomic uint32_t round_now = 1;  /* 1..ROUNDS - 1 */
static struct pscm_pool pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

void *pscm_experiment_memory(size_t bytes)
{
	return pscm_pool_get(&pool, bytes);
}

void pscm_experiment_memory_fill(void)
{
	pscm_pool_fill(&pool);
}

void pscm_page_numbers_arm(const struct machine_flat *m)
{
	/* Larger pages are numbered in pieces of 4 KiB.  Address randomisation moves images and
	 * mappings by 4 KiB, so larger pages would begin elsewhere in each run. */
	page_shift = (uint32_t)__builtin_ctz(m->page_size);
	if (page_shift > 12)
		page_shift = 12;
	nodes = m->nodes;
	is_virtual = m->pages == MACHINE_PAGES_VIRTUAL;
	pscm_pool_empty(&pool);
}

struct pscm_page_numbers *pscm_page_numbers_new(void)
{
	struct pscm_page_numbers *p = pscm_experiment_memory(sizeof *p);

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	p->next = 1;
	return p;
}

/* Requires pages->lock. */
static void real_page_set(struct pscm_page_numbers *pages, uint32_t number, uint64_t page)
{
	_Atomic uint64_t *_Atomic *bp = &pages->real[number / MARK_BLOCK % MARK_BLOCKS];
	_Atomic uint64_t *b = atomic_load_explicit(bp, memory_order_relaxed);

	if (!b) {
		b = pscm_experiment_memory(MARK_BLOCK * sizeof *b);
		atomic_store_explicit(bp, b, memory_order_release);
	}
	if (b)
		atomic_store_explicit(&b[number % MARK_BLOCK], page, memory_order_relaxed);
}

static struct number_leaf *leaf_find(struct pscm_page_numbers *pages, uint64_t page)
{
	struct number_node *n = atomic_load_explicit(&pages->root[page >> (2 * BITS) & (ROOT - 1)],
		memory_order_acquire);

	return n ? atomic_load_explicit(&n->leaf[page >> BITS & (FAN - 1)], memory_order_acquire) :
		NULL;
}

/* Requires pages->lock.  NULL without memory. */
static struct number_leaf *leaf_make(struct pscm_page_numbers *pages, uint64_t page)
{
	struct number_node *_Atomic *np = &pages->root[page >> (2 * BITS) & (ROOT - 1)];
	struct number_node *n = atomic_load_explicit(np, memory_order_relaxed);
	struct number_leaf *_Atomic *lp;
	struct number_leaf *l;

	if (!n) {
		n = pscm_experiment_memory(sizeof *n);
		if (!n)
			return NULL;
		atomic_store_explicit(np, n, memory_order_release);
	}
	lp = &n->leaf[page >> BITS & (FAN - 1)];
	l = atomic_load_explicit(lp, memory_order_relaxed);
	if (!l) {
		l = pscm_experiment_memory(sizeof *l);
		if (!l)
			return NULL;
		atomic_store_explicit(lp, l, memory_order_release);
	}
	return l;
}

/* The set of a new page: as far from that of its area's first page as the pages are apart.  An area
 * of which no set is known begins so that this page's set is its number.  Requires pages->lock. */
static uint32_t set_choose(struct pscm_page_numbers *pages, uint64_t page, uint64_t area,
	uint32_t number)
{
	const uint32_t apart = (uint32_t)(page - area);
	struct number_leaf *l = page == area ? NULL : leaf_make(pages, area);

	if (!l)
		return number;
	if (!l->set[area & (FAN - 1)])
		l->set[area & (FAN - 1)] = SET_KNOWN | (SET_MASK & (number - apart));
	return l->set[area & (FAN - 1)] + apart;
}

/* A page that is asked for, with what it needs to get a number. */
struct page_asked {
	uint64_t page, area;    /* area: the page where its area begins */
	uint32_t together;      /* pages that get numbers at once, this one and those that follow */
	uint64_t real;          /* the page by which placement_node() is asked, or HOME + node +
				 * 1 */
};

/* Requires pages->lock. */
static void number_give(struct pscm_page_numbers *pages, struct number_leaf *l,
	const struct page_asked *q)
{
	const uint32_t number = pages->next;
	uint32_t *set = &l->set[q->page & (FAN - 1)];

	pages->next += q->together;
	for (uint32_t i = 0; nodes.count > 1 && i < q->together; i++)
		real_page_set(pages, number + i, q->real + i);
	if (!*set)
		*set = SET_KNOWN | (SET_MASK & set_choose(pages, q->page, q->area, number));
	atomic_store_explicit(&l->number[q->page & (FAN - 1)], number, memory_order_release);
}

/* The number of a page; 0 without memory.  A new page gets one.  *skew: its set less its
 * number. */
static uint32_t page_number(struct pscm_page_numbers *pages, const struct page_asked *q,
	uint16_t *skew)
{
	const uint32_t at = q->page & (FAN - 1);
	struct number_leaf *l = leaf_find(pages, q->page);
	uint32_t number = l ? atomic_load_explicit(&l->number[at], memory_order_acquire) : 0;

	if (!number) {
		pthread_mutex_lock(&pages->lock);
		l = leaf_make(pages, q->page);
		if (l && !atomic_load_explicit(&l->number[at], memory_order_relaxed))
			number_give(pages, l, q);
		number = l ? atomic_load_explicit(&l->number[at], memory_order_relaxed) : 0;
		pthread_mutex_unlock(&pages->lock);
	}
	*skew = number ? (uint16_t)(l->set[at] - number) : 0;
	return number;
}

uint64_t pscm_page_unit(uint64_t shifted)
{
	uint64_t page = UINT64_C(1) << page_shift;

	return shifted >= PSCM_STACKS && shifted < PSCM_MOVED && page < STACK_UNIT ? STACK_UNIT :
		page;
}

uint64_t pscm_page_delta(struct pscm_page_numbers *pages, uint64_t address,
	const struct pscm_span *s, uint32_t home, uint16_t *skew)
{
	const uint64_t n = address + s->shift, unit = pscm_page_unit(n);
	struct page_asked q = { .page = (n & ~(unit - 1)) >> page_shift };
	uint64_t number;

	*skew = 0;
	if (is_virtual)
		return n >= PSCM_MOVED ? s->shift : 0;
	q.together = (uint32_t)(unit >> page_shift);
	q.area = q.together > 1 ? q.page : (s->area + s->shift) >> page_shift;
	q.real = home ? HOME + home : n >= PSCM_MOVED ? address >> page_shift : q.page;
	number = page_number(pages, &q, skew);
	return (number << page_shift) + (n & (unit - 1)) - address;
}

uint64_t pscm_page_chunk(void *space, uint64_t address)
{
	const uint64_t page = address >> page_shift;
	const struct page_asked q = { .page = page, .area = page, .together = 1, .real = page };
	uint16_t skew;

	if (!is_virtual)
		return address >> 12;
	return ((uint64_t)page_number(space, &q, &skew) << page_shift |
		(address & ((UINT64_C(1) << page_shift) - 1))) >> 12;
}

_Atomic uint64_t *pscm_page_marks(void *space, uint64_t address, bool make)
{
	struct pscm_page_numbers *pages = space;
	const uint64_t chunk = pscm_page_chunk(space, address);
	_Atomic uint64_t *_Atomic *bp;
	_Atomic uint64_t *b;

	if (chunk / MARK_BLOCK >= MARK_BLOCKS)
		return NULL;
	bp = &pages->marks[chunk / MARK_BLOCK];
	b = atomic_load_explicit(bp, memory_order_acquire);
	if (!b && make) {
		pthread_mutex_lock(&pages->lock);
		b = atomic_load_explicit(bp, memory_order_relaxed);
		if (!b) {
			b = pscm_experiment_memory(MARK_BLOCK * sizeof *b);
			atomic_store_explicit(bp, b, memory_order_release);
		}
		pthread_mutex_unlock(&pages->lock);
	}
	return b ? &b[chunk % MARK_BLOCK] : NULL;
}

/* --- memory nodes ---------------------------------------------------------------------------- */

void pscm_page_nodes_forget(void)
{
	const uint32_t now = atomic_load_explicit(&round_now, memory_order_relaxed);

	atomic_store_explicit(&round_now, now % (ROUNDS - 1) + 1, memory_order_relaxed);
}

/* By the rules of a placement file, else by first touch. */
static uint32_t node_by_touch(uint64_t address)
{
	struct pscm_span s;
	uint32_t node;

	if (likely(!memory_policy_matched))
		return placement_node(address);
	pscm_address_map_find(address, &s);
	node = s.object < MON_OBJECTS ? memory_policy_node(s.object, address) : UINT32_MAX;
	return node == UINT32_MAX ? placement_node(address) : node;
}

void pscm_nodes_of_addresses(uint32_t n, const uint64_t *address, uint32_t *node)
{
	void *page[PSCM_PAGES_ASKED];
	int number[PSCM_PAGES_ASKED];

	if (!nodes.real) {
		for (uint32_t i = 0; i < n; i++)
			node[i] = node_by_touch(address[i]);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		page[i] = (void *)(uintptr_t)address[i]; // NOLINT(performance-no-int-to-ptr)
	memory_nodes_of_pages(n, page, number);
	for (uint32_t i = 0; i < n; i++)
		node[i] = number[i] < 0 ? PLACEMENT_UNKNOWN :
			machine_real_node(&nodes, (uint32_t)number[i]);
}

static uint64_t real_address(uint64_t page)
{
	const uint64_t address = page << 12;

	return address >> 48 ? pscm_address_map_unshift(address) : address;
}

/* The word of a number; NULL: it has none. */
static _Atomic uint64_t *word_of(struct pscm_page_numbers *pages, uint64_t number)
{
	_Atomic uint64_t *b = number / MARK_BLOCK >= MARK_BLOCKS ? NULL :
		atomic_load_explicit(&pages->real[number / MARK_BLOCK], memory_order_acquire);

	return b ? &b[number % MARK_BLOCK] : NULL;
}

static uint64_t word_with(uint64_t page, uint32_t node, uint32_t round)
{
	return page | (uint64_t)(node < MACHINE_NODES ? node + 1 : 0) << ASKED_NODE |
		(uint64_t)round << ASKED_ROUND;
}

/* Asks the kernel for a page and, since a question costs more than an answer, for those with the
 * next numbers that were not asked for in this round. */
static uint32_t node_ask(struct pscm_page_numbers *pages, uint64_t number, uint32_t round)
{
	_Atomic uint64_t *word[PSCM_PAGES_ASKED];
	uint64_t page[PSCM_PAGES_ASKED], address[PSCM_PAGES_ASKED] = { 0 };
	uint32_t node[PSCM_PAGES_ASKED], n = 0;

	for (uint64_t k = number; k < number + PSCM_PAGES_ASKED; k++) {
		_Atomic uint64_t *w = word_of(pages, k);
		const uint64_t here = w ? atomic_load_explicit(w, memory_order_relaxed) : 0;

		if (k > number && (!here || here > HOME || here >> ASKED_ROUND == round))
			continue;
		word[n] = w;
		page[n] = here & ASKED_PAGE;
		address[n] = real_address(page[n]);
		n++;
	}
	pscm_nodes_of_addresses(n, address, node);
	/* A page that is nowhere may be touched later: only the first one was. */
	for (uint32_t i = 0; i < n; i++)
		if (!i || node[i] != PLACEMENT_UNKNOWN)
			atomic_store_explicit(word[i], word_with(page[i], node[i], round),
				memory_order_relaxed);
	return node[0];
}

/* As in this execution the kernel has said already, or says now. */
static uint32_t node_asked(struct pscm_page_numbers *pages, uint64_t number, uint64_t word)
{
	const uint32_t round = atomic_load_explicit(&round_now, memory_order_relaxed);
	const uint32_t known = word >> ASKED_NODE & ((1 << (ASKED_ROUND - ASKED_NODE)) - 1);

	if (likely(word >> ASKED_ROUND == round))
		return known ? known - 1 : PLACEMENT_UNKNOWN;
	return node_ask(pages, number, round);
}

uint32_t pscm_page_node(void *space, uint64_t address)
{
	struct pscm_page_numbers *pages = space;
	const uint64_t number = address >> 12;
	_Atomic uint64_t *w;
	uint64_t word;

	if (is_virtual)
		return node_by_touch(address < PSCM_MOVED ? address : address - PSCM_MOVED);
	w = word_of(pages, number);
	if (!w)
		return PLACEMENT_UNKNOWN;
	word = atomic_load_explicit(w, memory_order_relaxed);
	if (word > HOME)
		return (uint32_t)(word - HOME) - 1;
	if (nodes.real)
		return node_asked(pages, number, word);
	return node_by_touch(real_address(word) | (address & 4095));
}
