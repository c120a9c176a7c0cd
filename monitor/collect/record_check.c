/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks recorded words with a decoder independent of the simulator's.
 *
 * Records decode, addresses can belong to the program, contexts exist, regions nest and close, and
 * each context's cells hold what the records say.  Loops are checked by closed formulas, so
 * checking takes less time than simulating. */
#include "monitor/collect/record_check.h"
#include "monitor/address/address_map.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/regions/contexts.h"
#include "monitor/state.h"
#include "base/unit_tables.h"
#include <errno.h>
#include <sys/mman.h>

enum {
	SEGMENTS = 1024,        /* descriptors cached, unpacked */
	POOL = 1 << 18,         /* 32-bit words of these descriptors */
	PAGES = 4096,           /* cache of mapped pages, for one batch */
	NOWHERE = 4096          /* lower addresses: the access did not happen */
};
#define COUNT_MOST (UINT64_C(1) << 36)
#define LENGTH_MOST (UINT64_C(1) << 40)

struct expected {
	uint64_t refs[2], bytes, folded;
};
struct pscm_checked {
	struct expected context[MON_CONTEXTS];
	uint64_t page[PAGES];
	struct { uint64_t word; uint32_t at; } segment[SEGMENTS];
	uint32_t generation, used;
	bool broken;            /* a record was not understood: counts are not compared */
	_Alignas(8) uint32_t pool[POOL];
};

/* State while one batch is checked. */
struct check_batch {
	struct pscm_checked *c;
	const struct pscm_thread *t;
	uint32_t context, line;
	uint32_t plain_most;          /* a larger access counts as several of 8 bytes */
	bool counting, broken;
	uint64_t records, accesses, gone;
	uint64_t from, copied;  /* bytes of the load half of a copy; 0: no copy */
};

/* --- violations ----------------------------------------------------------------------------- */

static void violation(enum mon_violation_kind kind, uint32_t context, uint32_t line, uint64_t found,
	uint64_t wanted)
{
	uint32_t n = atomic_fetch_add(&pscm_shm->nviolations, 1);
	bool known = context < atomic_load(&pscm_shm->ncontexts);
	struct mon_violation *v;

	if (n >= MON_VIOLATIONS) {
		atomic_store(&pscm_shm->nviolations, MON_VIOLATIONS + 1);
		return;
	}
	v = &pscm_shm->violation[n];
	v->unit = known ? pscm_shm->contexts[context].unit : MON_ANY;
	v->region = known ? pscm_shm->contexts[context].region : MON_ANY;
	v->line = line;
	v->found = found;
	v->wanted = wanted;
	atomic_store_explicit(&v->kind, (uint32_t)kind, memory_order_release);
}

static void broken(struct check_batch *b, enum mon_violation_kind kind, uint64_t found,
	uint64_t wanted)
{
	if (!b->broken)         /* later violations are consequences of the first */
		violation(kind, b->context, b->line, found, wanted);
	b->broken = b->c->broken = true;
}

/* --- record descriptors -------------------------------------------------------------------- */

/* Length of the group at d in words; 0: not a valid group. */
static uint32_t group_words(const uint32_t *d, const uint32_t *end, bool loop)
{
	uint32_t bits = *d, n = PSC_MANY_N(bits), sum[2] = { 0, 0 };

	if (bits & PSC_GROUP_TAIL && !loop)
		return 0;
	if (!(bits & PSC_GROUP_MANY))
		return bits & 2 || PSC_ACCESS_SIZE(bits) ? 1 : 0;
	if (n < 2 || n > PSC_GROUP_MAX || PSC_MANY_SPAN(bits) > PSC_GROUP_SPAN ||
	    end - d < 3 + (long)n)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t m = d[3 + i];

		if (m & 2 || PSC_MEMBER_OFFSET(m) + PSC_MEMBER_SIZE(m) > PSC_MANY_SPAN(bits))
			return 0;
		sum[m & 1] += (1u << 16) + PSC_MEMBER_SIZE(m);
	}
	return sum[0] == d[1] && sum[1] == d[2] ? 3 + n : 0;
}

/* Do the groups add up to the header's counts? */
static bool segment_sound(const struct psc_segment *s, bool loop)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	uint32_t words = 0, groups = 0, accesses = 0, half = 0;

	while (d < end) {
		uint32_t got, bits;

		if (loop) {
			words += (int32_t)*d == PSC_STEP_WORD;
			if (++d == end)
				return false;
		}
		bits = *d;
		got = group_words(d, end, loop);
		if (!got || (half && (bits & PSC_GROUP_MANY || (bits & 3) != PSC_STORE_RANGE)))
			return false;
		half = !(bits & PSC_GROUP_MANY) && bits & 2 ? bits & PSC_GROUP_COPY : 0;
		if (half && (bits & 3) != PSC_LOAD_RANGE)
			return false;
		if (bits & PSC_GROUP_COPY && !half && !loop)
			return false;
		accesses += bits & PSC_GROUP_MANY ? PSC_MANY_N(bits) : 1;
		words += 1 + (!(bits & PSC_GROUP_MANY) && bits & 2 && !PSC_ACCESS_SIZE(bits));
		groups++;
		d += got;
	}
	return !half && words == s->nwords && groups == s->ngroups && accesses == s->naccess;
}

static void forget_segments(struct pscm_checked *c)
{
	memset(c->segment, 0, sizeof c->segment);
	c->used = 0;
}

/* Finds and validates the descriptor of a record; NULL: invalid. */
static const struct psc_segment *descriptor(struct pscm_checked *c, uint64_t word, bool loop)
{
	uint32_t slot = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SEGMENTS, words;
	uint64_t at = word & ~(uint64_t)7, lo, len, left;
	const struct psc_segment *s;

	if (c->segment[slot].word == word)
		return (const struct psc_segment *)(const void *)&c->pool[c->segment[slot].at];
	if (!pscm_address_map_image(at, &lo, &len))
		return NULL;
	left = lo + len - at;
	if (POOL - c->used < 2 * UINT16_MAX + 16)
		forget_segments(c);
	s = (const struct psc_segment *)(const void *)&c->pool[c->used];
	if (word & PSC_REC_PACKED) {
		const unsigned char *text = (const unsigned char *)(uintptr_t)at;

		words = tables_segment(text, text + left, PSC_REC_TAG(word), &c->pool[c->used],
			POOL - c->used);
	} else {
		const struct psc_segment *here = (const struct psc_segment *)(uintptr_t)at;

		if (left < sizeof *here || (left - sizeof *here) / 4 < here->length)
			return NULL;
		words = (uint32_t)(sizeof *here / 4) + here->length;
		memcpy(&c->pool[c->used], here, words * 4);
	}
	if (!words || !segment_sound(s, loop))
		return NULL;
	c->segment[slot].word = word;
	c->segment[slot].at = c->used;
	c->used += (words + 1) & ~1u;
	return s;
}

/* --- addresses ------------------------------------------------------------------------------ */

/* User address space: the lower half, as wide as the kernel's page tables allow. */
#if defined __x86_64__
enum { ADDRESS_BITS = 47 };
#else
enum { ADDRESS_BITS = 56 };
#endif

static bool mapped(struct pscm_checked *c, uint64_t address)
{
	uint64_t page = address >> 12;
	unsigned char in_memory;

	if (c->page[page % PAGES] == page)
		return true;
	if (mincore((void *)(uintptr_t)(page << 12), 1, &in_memory) && errno == ENOMEM)
		return false;
	c->page[page % PAGES] = page;
	return true;
}

/* Checks the bytes that a group touches in one record: `length` bytes from an address. */
static void extent(struct check_batch *b, uint64_t address, uint64_t length)
{
	if (length > LENGTH_MOST) {
		broken(b, MON_CHECK_LENGTH, length, LENGTH_MOST);
	} else if ((address + length) >> ADDRESS_BITS) {
		broken(b, MON_CHECK_ADDRESS, address, 0);
	} else if (length && (!mapped(b->c, address) || !mapped(b->c, address + length - 1))) {
		/* Not a violation: the program may have unmapped it since. */
		b->gone++;
	}
}

/* --- expected counts ----------------------------------------------------------------------- */

static uint64_t eights(uint64_t bytes)
{
	return (bytes + 7) / 8;
}

/* Adds n plain accesses of this size. */
static void expect_plain(struct check_batch *b, struct expected *sum, uint32_t store, uint32_t size,
	uint64_t n)
{
	sum->refs[store] += n * (size > b->plain_most ? eights(size) : 1);
	sum->bytes += n * size;
}

/* Adds n ranges.  The halves of a copy alternate over their common length; the longer one's rest
 * follows. */
static void expect_range(struct check_batch *b, struct expected *sum, uint32_t bits,
	uint64_t length, uint64_t n)
{
	uint64_t both = b->copied < length ? b->copied : length;

	if (bits & PSC_GROUP_COPY) {
		b->copied = length;
		return;
	}
	if (b->copied) {
		sum->refs[0] += n * (eights(both) + eights(b->copied - both));
		sum->bytes += n * b->copied;
		sum->refs[1] += n * eights(both);
		sum->bytes += n * both;
		length -= both;
		b->copied = 0;
	}
	sum->refs[bits & 1] += n * eights(length);
	sum->bytes += n * length;
}

/* Checks and adds one group: `count` executions, the address advancing by `step`. */
static void check_group(struct check_batch *b, struct expected *sum, const uint32_t *d,
	uint64_t address, uint64_t step, uint64_t length, uint64_t count)
{
	uint64_t n = count - (*d & PSC_GROUP_TAIL ? 1 : 0);
	uint64_t distance = (int64_t)step < 0 ? -step : step;
	bool many = *d & PSC_GROUP_MANY;
	bool nowhere = address < NOWHERE;

	if (many)
		length = PSC_MANY_SPAN(*d);
	if (n && !nowhere && (unsigned __int128)distance * (n - 1) > LENGTH_MOST) {
		broken(b, MON_CHECK_LENGTH, distance, LENGTH_MOST);
		return;
	}
	distance *= n ? n - 1 : 0;
	if (n && !nowhere)
		extent(b, (int64_t)step < 0 ? address - distance : address, distance + length);
	if (!many && *d & 2) {
		expect_range(b, sum, *d, nowhere ? 0 : length, n);
	} else if (!many && *d & PSC_GROUP_SPIN) {
		expect_plain(b, sum, *d & 1, (uint32_t)length, n > 1 ? 1 : n);
		sum->folded += n > 1 ? n - 1 : 0;
	} else if (!many && !nowhere) {
		expect_plain(b, sum, *d & 1, (uint32_t)length, n);
	} else if (!nowhere) {
		for (const uint32_t *m = d + 3; m < d + 3 + PSC_MANY_N(*d); m++)
			expect_plain(b, sum, *m & 1, PSC_MEMBER_SIZE(*m), n);
	}
	b->accesses += n * (many ? PSC_MANY_N(*d) : 1);
}

static void check_groups(struct check_batch *b, const struct psc_segment *s, const uint64_t *at,
	bool loop, uint64_t count)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	struct expected nowhere, *sum = b->counting ? &b->c->context[b->context] : &nowhere;

	b->copied = 0;
	while (d < end && !b->broken) {
		uint64_t address = *at++, step = 0, length;

		if (loop) {
			step = (int32_t)*d == PSC_STEP_WORD ?
				*at++ : (uint64_t)(int64_t)(int32_t)*d;
			d++;
		}
		length = PSC_ACCESS_SIZE(*d);
		if (!(*d & PSC_GROUP_MANY) && *d & 2 && !length)
			length = *at++;
		check_group(b, sum, d, address, step, length, count);
		d += *d & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*d) : 1;
	}
}

/* Checks one record.  Returns the next record; NULL: invalid. */
static const uint64_t *check_record(struct check_batch *b, const uint64_t *at, const uint64_t *end)
{
	const unsigned tag = PSC_REC_TAG(*at);
	const bool loop = tag & PSC_REC_LOOP;
	const struct psc_segment *s;

	if (tag == PSC_REC_CONTEXT && PSC_REC_IS_CALL(*at))
		return at + 1;
	if (tag == PSC_REC_CONTEXT) {
		if (*at >> 3 >= atomic_load(&pscm_shm->ncontexts))
			return broken(b, MON_CHECK_CONTEXT, *at >> 3,
				atomic_load(&pscm_shm->ncontexts)), NULL;
		b->context = (uint32_t)(*at >> 3);
		return at + 1;
	}
	if (tag & PSC_REC_LINES && !(tag & PSC_REC_PACKED))     /* compiled code writes none */
		return broken(b, MON_CHECK_WORD, *at, 0), NULL;
	s = descriptor(b->c, *at, loop);
	if (!s)
		return broken(b, MON_CHECK_DESCRIPTOR, *at, 0), NULL;
	b->line = s->line & ~PSC_LINE_OF_CALLEE;
	if (end - at <= s->nwords + loop)
		return broken(b, MON_CHECK_CUT, (uint64_t)(end - at), s->nwords + loop + 1u), NULL;
	if (loop && at[1] > COUNT_MOST)
		return broken(b, MON_CHECK_LENGTH, at[1], COUNT_MOST), NULL;
	if (!loop || at[1])
		check_groups(b, s, at + 1 + loop, loop, loop ? at[1] : 1);
	b->records++;
	return b->broken ? NULL : at + 1 + loop + s->nwords;
}

/* --- regions -------------------------------------------------------------------------------- */

/* Each frame's context is a child of the context below, or an ancestor where recursion was
 * collapsed.  A team's frames start anew. */
static void check_stack(const struct pscm_thread *t)
{
	if (atomic_load(&pscm_shm->lost_contexts))
		return;         /* regions without a context count to their callers */
	for (uint32_t i = 0; i < t->depth; i++) {
		const struct pscm_frame *f = &t->frame[i];
		uint32_t below = i ? t->frame[i - 1].context : 0, c = below;

		if (f->context >= atomic_load(&pscm_shm->ncontexts)) {
			violation(MON_CHECK_CONTEXT, MON_ANY, 0, f->context,
				atomic_load(&pscm_shm->ncontexts));
			return;
		}
		if (f->team || pscm_context_parent(f->context) == below)
			continue;
		while (c != MON_ANY && c != f->context)
			c = pscm_context_parent(c);
		if (c == MON_ANY) {
			violation(MON_CHECK_NESTING, f->context, 0, f->context, below);
			return;
		}
	}
}

void pscm_check_closed(const struct pscm_thread *t)
{
	/* After an exception or a longjmp, regions were repaired or may still be open. */
	if (t->depth && !atomic_load(&pscm_unhandled))
		violation(MON_CHECK_OPEN, t->frame[t->depth - 1].context, 0, t->depth, 0);
}

/* --- batches -------------------------------------------------------------------------------- */

static struct pscm_checked *checked(struct pscm_thread *t)
{
	uint32_t generation = atomic_load(&pscm_translation_generation);

	if (!t->checked)
		t->checked = pscm_map(sizeof *t->checked);
	if (!t->checked)
		return NULL;
	if (t->checked->generation != generation)
		forget_segments(t->checked);
	t->checked->generation = generation;
	memset(t->checked->page, 0, sizeof t->checked->page);
	return t->checked;
}

void pscm_check_words(struct pscm_thread *t, const uint64_t *from, const uint64_t *end,
	bool counting)
{
	struct check_batch b = { .c = checked(t), .t = t, .context = t->replay.sim.context,
		.counting = counting, .plain_most = t->replay.sim.core.sim->line_min };
	int saved = errno;

	if (!b.c)
		return;
	check_stack(t);
	if (b.context >= MON_CONTEXTS)
		broken(&b, MON_CHECK_CONTEXT, b.context, atomic_load(&pscm_shm->ncontexts));
	while (from && from < end && !b.broken)
		from = check_record(&b, from, end);
	atomic_fetch_add(&pscm_shm->checked_records, b.records);
	atomic_fetch_add(&pscm_shm->checked_accesses, b.accesses);
	atomic_fetch_add(&pscm_shm->checked_gone, b.gone);
	errno = saved;
}

/* Subtracts the counts of cells from each context; a rest is a violation. */
static void take_cells(struct pscm_checked *c, const struct sim_core *core)
{
	for (uint32_t i = 1; i < core->ncells; i++) {
		const struct sim_cell *cell = &core->cells[i];
		struct expected *sum = &c->context[sim_cell_context(cell) % MON_CONTEXTS];

		sum->refs[0] -= cell->refs[0];
		sum->refs[1] -= cell->refs[1];
		sum->bytes -= cell->bytes;
		sum->folded -= cell->folded;
	}
}

/* The misses of a cell by line: no more than all its misses, which include those by coherence. */
static void check_sites(const struct sim_core *core)
{
	const uint32_t last = core->nlevels ? core->nlevels - 1 : 0;

	for (uint32_t i = 1; core->sites && i < core->ncells; i++) {
		const struct sim_cell *cell = &core->cells[i];
		const struct sim_site *s = &core->sites->rest[i];
		uint64_t first = s->first, far = s->last;

		while (s->next) {
			s = &core->sites->site[s->next - 1];
			first += s->first;
			far += s->last;
		}
		if (first > cell->miss[0][0] + cell->miss[0][1])
			violation(MON_CHECK_SITES, sim_cell_context(cell), 0, first,
				cell->miss[0][0] + cell->miss[0][1]);
		else if (far > cell->miss[last][0] + cell->miss[last][1])
			violation(MON_CHECK_SITES, sim_cell_context(cell), 0, far,
				cell->miss[last][0] + cell->miss[last][1]);
	}
}

void pscm_check_counts(struct pscm_thread *t, bool whole)
{
	struct pscm_checked *c = t->checked;
	uint32_t n = atomic_load(&pscm_shm->ncontexts);

	if (!c)
		return;
	if (whole && !c->broken && !t->replay.sim.core.overflow) {
		take_cells(c, &t->replay.sim.core);
		check_sites(&t->replay.sim.core);
		for (uint32_t i = 0; i < n; i++) {
			const struct expected *sum = &c->context[i];

			if (sum->refs[0] | sum->refs[1] | sum->folded)
				violation(MON_CHECK_COUNTS, i, 0,
					sum->refs[0] + sum->refs[1] + sum->folded, 0);
			else if (sum->bytes)
				violation(MON_CHECK_BYTES, i, 0, sum->bytes, 0);
		}
	}
	memset(c->context, 0, n * sizeof *c->context);
	c->broken = false;
}
