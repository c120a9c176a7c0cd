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
static bool placed;             /* several nodes: pscm_page_node() will be called */
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
	placed = m->nodes.count > 1;
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
	for (uint32_t i = 0; placed && i < q->together; i++)
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

/* By the rules of a placement file, else by first touch. */
static uint32_t node_of(uint64_t address)
{
	struct pscm_span s;
	uint32_t node;

	if (likely(!memory_policy_matched))
		return placement_node(address);
	pscm_address_map_find(address, &s);
	node = s.object < MON_OBJECTS ? memory_policy_node(s.object, address) : UINT32_MAX;
	return node == UINT32_MAX ? placement_node(address) : node;
}

uint32_t pscm_page_node(void *space, uint64_t address)
{
	struct pscm_page_numbers *pages = space;
	uint64_t number = address >> 12;
	_Atomic uint64_t *b;

	if (is_virtual)
		return node_of(address < PSCM_MOVED ? address : address - PSCM_MOVED);
	if (number / MARK_BLOCK >= MARK_BLOCKS)
		return PLACEMENT_UNKNOWN;
	b = atomic_load_explicit(&pages->real[number / MARK_BLOCK], memory_order_acquire);
	if (!b)
		return PLACEMENT_UNKNOWN;
	number = atomic_load_explicit(&b[number % MARK_BLOCK], memory_order_relaxed);
	if (number > HOME)
		return (uint32_t)(number - HOME) - 1;
	address = number << 12 | (address & 4095);
	return node_of(address >> 48 ? pscm_address_map_unshift(address) : address);
}
