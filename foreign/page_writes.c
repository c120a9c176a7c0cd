/* SPDX-License-Identifier: BSD-3-Clause */
/* Protects pages of the program's private memory in turns, as many as the budget allows. */
#include "config.h"
#include "foreign/page_writes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "samples/page_scan.h"
#include "samples/soft_dirty.h"

enum { PAGE = 4096, REGIONS = 256, ROOM = 1 << 20, TURNS = PAGE - 1 };
#define TURN_MASK UINT64_C(4095)

struct page_writes_span {
	uint64_t lo, hi;
};

int page_writes_open(struct page_writes *w, long pid, enum page_writes_by by)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%ld/pagemap", pid);
	*w = (struct page_writes){ .pid = pid, .by = by, .turn = 1,
		.pagemap = open(name, O_RDONLY | O_CLOEXEC) };
	w->page = calloc(ROOM, sizeof *w->page);
	return w->pagemap < 0 || !w->page ? -1 : 0;
}

void page_writes_close(struct page_writes *w)
{
	if (w->pagemap >= 0)
		close(w->pagemap);
	free(w->span);
	free(w->page);
	*w = (struct page_writes){ .pagemap = -1 };
}

/* --- the memory ------------------------------------------------------------------------------- */

static bool is_wanted(const struct image *i)
{
	return i->writable && !i->executable && !i->shared && i->kind != IMAGE_VDSO;
}

void page_writes_register(struct page_writes *w, int uffd, const struct images *m)
{
	if (w->generation == m->generation)
		return;
	w->generation = m->generation;
	w->nspans = 0;
	for (uint32_t k = 0; k < m->n; k++) {
		const struct image *i = &m->list[k];

		if (w->nspans == w->room) {
			const uint32_t room = w->room ? 2 * w->room : 256;
			void *more = realloc(w->span, room * sizeof *w->span);

			if (!more)
				return;
			w->span = more;
			w->room = room;
		}
		if (is_wanted(i) && (w->by == PAGE_WRITES_SOFT_DIRTY ||
		    page_scan_register(uffd, i->lo, i->hi) == 0))
			w->span[w->nspans++] = (struct page_writes_span){ i->lo, i->hi };
	}
}

bool page_writes_wants(const struct images *m, uint64_t address)
{
	const struct image *i = images_find(m, address);

	return i && is_wanted(i);
}

/* --- the pages that are protected -------------------------------------------------------------

 * An entry is the page's address and, in its low bits, the turn in which it was written last; 0:
 * not since it was protected.  What has the present turn is not protected. */

static uint32_t place_of(const struct page_writes *w, uint64_t page)
{
	uint32_t at = (uint32_t)(page / PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (ROOM - 1);

	while (w->page[at] && (w->page[at] & ~TURN_MASK) != page)
		at = (at + 1) & (ROOM - 1);
	return at;
}

/* A table that is full begins anew: what was protected counts as a first touch then. */
static void put(struct page_writes *w, uint64_t page, uint32_t turn)
{
	uint32_t at;

	if (w->npages == ROOM / 4 * 3) {
		memset(w->page, 0, ROOM * sizeof *w->page);
		w->npages = 0;
	}
	at = place_of(w, page);
	w->npages += !w->page[at];
	w->page[at] = page | turn;
}

bool page_writes_take(struct page_writes *w, uint64_t page)
{
	const uint64_t entry = w->page[place_of(w, page)];
	const bool was = entry && (entry & TURN_MASK) != w->turn;

	if (was || w->by == PAGE_WRITES_SOFT_DIRTY)
		put(w, page, w->turn);
	return was;
}

/* All that was written is protected from now on. */
static void next_turn(struct page_writes *w)
{
	if (w->turn < TURNS) {
		w->turn++;
		return;
	}
	for (uint32_t at = 0; at < ROOM; at++)
		w->page[at] &= ~TURN_MASK;
	w->turn = 1;
}

/* --- scans ------------------------------------------------------------------------------------ */

/* Protects pages of one piece of memory.  *at: where it stopped. */
static uint64_t protect_piece(struct page_writes *w, uint64_t *at, uint64_t hi, uint64_t most)
{
	struct page_scan_region region[REGIONS];
	uint64_t pages = 0;

	while (*at < hi && pages < most) {
		const struct page_scan_region where = { *at, hi, 0 };
		uint64_t end = hi;
		const int n = page_scan_protect(w->pagemap, &where, region, REGIONS, most - pages,
			&end);

		for (int k = 0; k < n; k++)
			for (uint64_t page = region[k].start; page < region[k].end; page += PAGE) {
				put(w, page, 0);
				pages++;
			}
		*at = n < 0 || end <= *at ? hi : end;
	}
	return pages;
}

static uint64_t all_bytes(const struct page_writes *w)
{
	uint64_t bytes = 0;

	for (uint32_t k = 0; k < w->nspans; k++)
		bytes += w->span[k].hi - w->span[k].lo;
	return bytes;
}

static uint64_t protect_all(struct page_writes *w, uint64_t most)
{
	w->part = 0;
	if (w->npages > most || soft_dirty_clear(w->pid))
		return 0;
	next_turn(w);
	w->part = 1;
	return w->npages;
}

static uint64_t protect_in_turns(struct page_writes *w, uint64_t most)
{
	uint64_t pages = 0, looked = 0;

	for (uint32_t k = 0; k < w->nspans && pages < most; k++) {
		const struct page_writes_span s = w->span[w->next % w->nspans];
		const uint64_t from = w->at >= s.lo && w->at < s.hi ? w->at : s.lo;
		uint64_t at = from;

		pages += protect_piece(w, &at, s.hi, most - pages);
		looked += at - from;
		w->at = at;
		if (at >= s.hi)
			w->next = (w->next % w->nspans + 1) % w->nspans;
	}
	w->part = looked ? (double)looked / (double)all_bytes(w) : 0;
	return pages;
}

uint64_t page_writes_protect(struct page_writes *w, uint64_t most)
{
	return w->by == PAGE_WRITES_SOFT_DIRTY ? protect_all(w, most) : protect_in_turns(w, most);
}
