/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the users of parts of memory, and joins parts alike to rows.
 *
 * Each slot of the table keeps one of the parts whose hash leads there: the one that comes first
 * in an order by another hash. So where there are more parts than slots the table is a random
 * sample of them, in which each part has all its users: a part that is in the table at the end has
 * been there since its first use. */
#include "monitor/collect/part_users.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#include "monitor/address/first_touch.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/placement.h"
#include "monitor/host/locks.h"
#include "monitor/state.h"

enum { SLOTS = 1 << 15, INDEX = 2 * MON_LOCALITIES, SETS_MOST = MON_LOCALITIES / 2 };

struct part {
	_Atomic uint64_t lo;
	_Atomic uint64_t users; /* struct mon_locality */
	_Atomic uint32_t object;
	uint32_t bytes;
};

static struct part *_Atomic table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void locality_begin(void)
{
	const bool wanted = pscm_shm->machine.nodes.count > 1 || pscm_shm->first_touches;

	atomic_store(&table, wanted ? pscm_experiment_memory(SLOTS * sizeof(struct part)) : NULL);
}

static uint64_t hash(uint64_t lo)
{
	lo ^= lo >> 33;
	lo *= UINT64_C(0xff51afd7ed558ccd);
	lo ^= lo >> 33;
	lo *= UINT64_C(0xc4ceb9fe1a85ec53);
	return lo ^ lo >> 33;
}

static uint64_t user_bit(uint32_t thread)
{
	return UINT64_C(1) << (thread < MON_USERS ? thread : MON_USERS - 1);
}

/* Requires the lock. */
static void note(struct part *p, uint64_t lo, uint64_t hi, uint32_t object, uint64_t user)
{
	const uint64_t here = atomic_load_explicit(&p->lo, memory_order_relaxed);

	if (here && here != lo && hash(here) >> 32 <= hash(lo) >> 32)
		return;
	/* Another block may be there. */
	if (here != lo || atomic_load_explicit(&p->object, memory_order_relaxed) != object)
		atomic_store_explicit(&p->users, 0, memory_order_relaxed);
	atomic_store_explicit(&p->object, object, memory_order_relaxed);
	p->bytes = (uint32_t)(hi - lo);
	atomic_store_explicit(&p->lo, lo, memory_order_relaxed);
	atomic_store_explicit(&p->users, atomic_load_explicit(&p->users, memory_order_relaxed) |
		user, memory_order_relaxed);
}

void locality_use(uint64_t lo, uint64_t hi, uint32_t object, uint32_t thread)
{
	struct part *t = atomic_load_explicit(&table, memory_order_relaxed), *p;
	const uint64_t user = user_bit(thread);

	if (!t || object < MON_OBJ_FIRST || hi <= lo || lo >> 48)
		return;
	p = &t[hash(lo) % SLOTS];
	if (atomic_load_explicit(&p->lo, memory_order_relaxed) == lo &&
	    atomic_load_explicit(&p->object, memory_order_relaxed) == object &&
	    atomic_load_explicit(&p->users, memory_order_relaxed) & user)
		return;
	pscm_lock(&lock);
	note(p, lo, hi, object, user);
	pscm_unlock(&lock);
}

/* --- rows
 * ---------------------------------------------------------------------------------------- */

/* An address of the running executable as one of its file; 0: the code is a library's or the
 * kernel's. */
static uint64_t code_in_file(uint64_t code)
{
	const Elf64_Phdr *h = (const Elf64_Phdr *)getauxval(AT_PHDR);
	const uint64_t n = getauxval(AT_PHNUM);
	uint64_t base = 0;

	for (uint64_t i = 0; h && i < n; i++)
		if (h[i].p_type == PT_PHDR)
			base = (uint64_t)(uintptr_t)h - h[i].p_vaddr;
	for (uint64_t i = 0; h && i < n; i++)
		if (h[i].p_type == PT_LOAD && h[i].p_flags & PF_X &&
		    code - base - h[i].p_vaddr < h[i].p_memsz)
			return code - base;
	return 0;
}

static uint32_t toucher_of(uint64_t address, uint32_t object)
{
	if (pscm_shm->machine.nodes.count > 1) {
		const uint32_t thread = placement_toucher(address);

		return thread == PLACEMENT_UNKNOWN ? MON_ANY : thread;
	}
	return first_touch_known(address, object) ? first_touch_of(address) : MON_ANY;
}

static uint16_t row_at[INDEX];                  /* 1 + number of the row */
static uint32_t votes[MON_LOCALITIES];          /* for its code (Boyer and Moore) */

/* The row of a part; NULL: there is no room. Where there are very many sets of users, no more are
 * told apart. */
static struct mon_locality *row_of(struct pscm_armed *a, struct mon_locality *key)
{
	uint32_t at;

	if (a->rows.localities > SETS_MOST && key->users & (key->users - 1))
		key->users = UINT64_MAX;
	at = (uint32_t)(hash(((uint64_t)key->object << 32 | key->toucher) ^
		hash(key->users) ^ hash(key->node)));

	for (uint32_t i = 0; i < INDEX; i++, at++) {
		uint16_t *here = &row_at[at % INDEX];
		struct mon_locality *r = *here ? &pscm_shm->localities[a->slot][*here - 1] :
			pscm_row_localities(a);

		if (!*here) {
			if (r) {
				*here = (uint16_t)a->rows.localities;
				*r = *key;
				votes[*here - 1] = 0;
			}
			return r;
		}
		if (r->object == key->object && r->toucher == key->toucher &&
		    r->node == key->node && r->users == key->users)
			return r;
	}
	return NULL;
}

static void vote(struct mon_locality *r, uint32_t *n, uint64_t code)
{
	if (!*n)
		r->code = code;
	*n = r->code == code ? *n + 1 : *n - 1;
}

/* Parts whose nodes are looked up at once. */
struct some_parts { const struct part *part[PSCM_PAGES_ASKED]; uint32_t n; };

/* Adds them to rows, and forgets them. */
static void write_some(struct pscm_armed *a, struct some_parts *s)
{
	uint64_t lo[PSCM_PAGES_ASKED];
	uint32_t node[PSCM_PAGES_ASKED] = { 0 };

	for (uint32_t i = 0; i < s->n; i++)
		lo[i] = atomic_load(&s->part[i]->lo);
	if (s->n && pscm_shm->machine.nodes.count > 1)
		pscm_nodes_of_addresses(s->n, lo, node);
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t object = atomic_load(&s->part[i]->object);
		struct mon_locality key = { .object = object, .node = node[i],
			.toucher = toucher_of(lo[i], object),
			.users = atomic_load(&s->part[i]->users) };
		struct mon_locality *r = row_of(a, &key);

		if (!r)
			continue;
		r->bytes += s->part[i]->bytes;
		vote(r, &votes[r - pscm_shm->localities[a->slot]], placement_code(lo[i]));
	}
	s->n = 0;
}

void locality_write(struct pscm_armed *a)
{
	const struct part *t = atomic_load(&table);
	struct some_parts some = { .n = 0 };

	memset(row_at, 0, sizeof row_at);
	for (uint32_t i = 0; t && i < SLOTS; i++) {
		if (atomic_load(&t[i].lo))
			some.part[some.n++] = &t[i];
		if (some.n == PSCM_PAGES_ASKED)
			write_some(a, &some);
	}
	write_some(a, &some);
	for (uint32_t i = 0; i < a->rows.localities; i++) {
		struct mon_locality *r = &pscm_shm->localities[a->slot][i];

		r->code = r->code ? code_in_file(r->code) : 0;
	}
}
