/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums what was seen of pages, and writes it as a timeline's rows: positions are
 * microseconds, and counts are faults. */
#include "config.h"
#include "foreign/page_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/by_field.h"
#include "base/timeline_log.h"

enum { COLUMNS = 512, FIRST_ROOM = 1 << 12, MOST_ROOM = 1 << 21, FIRST_WIDTH = 1000, PAGE = 4096 };

void page_history_free(struct page_history *h)
{
	free(h->seen);
	*h = (struct page_history){ 0 };
}

/* --- the table -------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct page_seen *x = a, *y = b;

	BY(task);
	BY(column);
	BY(context);
	BY(object);
	BY(block);
	BY(bytes);
	BY(row);
	return 0;
}

static uint32_t hash_of(const struct page_seen *s)
{
	uint64_t h = s->block + s->row;

	h = (h ^ s->context) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ ((uint64_t)s->task << 32 | s->column)) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

static struct page_seen *entry_of(const struct page_history *h, const struct page_seen *s)
{
	uint32_t at = hash_of(s) & (h->room - 1);

	while (h->seen[at].block && by_place(&h->seen[at], s))
		at = (at + 1) & (h->room - 1);
	return &h->seen[at];
}

static void put(struct page_history *h, const struct page_seen *s)
{
	struct page_seen *e = entry_of(h, s);

	if (!e->block) {
		*e = *s;
		h->n++;
		return;
	}
	e->reads += s->reads;
	e->writes += s->writes;
}

/* Moves all entries to a table of their own; halve: two columns become one. */
static int rebuild(struct page_history *h, uint32_t room, bool halve)
{
	struct page_history to = { .seen = calloc(room, sizeof *to.seen), .room = room };

	if (!to.seen)
		return -1;
	for (uint32_t i = 0; i < h->room; i++) {
		if (!h->seen[i].block)
			continue;
		h->seen[i].column /= halve ? 2 : 1;
		put(&to, &h->seen[i]);
	}
	free(h->seen);
	h->seen = to.seen;
	h->n = to.n;
	h->room = room;
	return 0;
}

/* A table that cannot grow gets wider columns, as often as that helps. */
static int make_room(struct page_history *h)
{
	if (h->n < h->room / 4 * 3)
		return 0;
	if (h->room < MOST_ROOM)
		return rebuild(h, h->room ? 2 * h->room : FIRST_ROOM, false);
	if (h->width > UINT64_MAX / 4 || rebuild(h, h->room, true))
		return -1;
	h->width *= 2;
	return h->n < h->room / 4 * 3 ? 0 : -1;
}

/* The rows of the map that a page covers; in a large block, the one in which it begins. */
static void place(struct page_seen *s, uint64_t offset)
{
	const uint64_t end = offset + PAGE < s->bytes ? offset + PAGE : s->bytes;

	s->row = s->bytes ? (uint32_t)(offset * MON_MAP_ROWS / s->bytes) : 0;
	s->rows = s->bytes ? (uint32_t)((end * MON_MAP_ROWS - 1) / s->bytes) + 1 - s->row : 1;
	if (s->bytes > (uint64_t)MON_MAP_ROWS * PAGE)
		s->rows = 1;
}

void page_history_add(struct page_history *h, const struct page_seen *what, uint64_t offset,
	uint64_t at)
{
	struct page_seen s = *what;

	h->width = h->width ? h->width : FIRST_WIDTH;
	h->length = at + 1 > h->length ? at + 1 : h->length;
	while (at / h->width >= COLUMNS) {
		if (h->room && rebuild(h, h->room, true))
			break;
		h->width *= 2;
	}
	if (at / h->width >= COLUMNS || make_room(h)) {
		h->lost++;
		return;
	}
	s.column = (uint32_t)(at / h->width);
	place(&s, offset);
	put(h, &s);
}

/* --- the log of a thread ---------------------------------------------------------------------- */

/* Cells are numbered in the order in which they appear, from 1 on. */
struct cell {
	uint32_t context, object;
};

struct log {
	struct mon_request *request;
	const struct machine_flat *machine;
	struct mon_columns *rows;       /* of the slot */
	uint32_t thread, row;           /* row: that is written; MON_COLUMN_ROWS: there are no
					 * more */
	uint64_t width;
	struct cell *cell;              /* owned */
	uint32_t ncells;
};

static bool next_row(struct log *l)
{
	if (l->request->rows.columns == MON_COLUMN_ROWS)
		return false;
	l->row = l->request->rows.columns++;
	l->rows[l->row] = (struct mon_columns){ .thread = l->thread, .number = (int32_t)l->thread,
		.node = machine_node(l->machine, l->thread), .width = l->width };
	return true;
}

static void put_byte(struct log *l, uint8_t byte)
{
	if (l->row == MON_COLUMN_ROWS || (l->rows[l->row].bytes == MON_COLUMN_BYTES &&
	    !next_row(l))) {
		l->row = MON_COLUMN_ROWS;
		return;
	}
	l->rows[l->row].log[l->rows[l->row].bytes++] = byte;
}

static void put_number(struct log *l, uint64_t n)
{
	for (; n > 127; n >>= 7)
		put_byte(l, (uint8_t)(n | 128));
	put_byte(l, (uint8_t)n);
}

/* The cell's number; 0: there are too many.  *new: it has not been in the log yet. */
static uint32_t cell_of(struct log *l, const struct page_seen *s, bool *new)
{
	uint32_t i = 0;

	while (i < l->ncells && (l->cell[i].context != s->context ||
	       l->cell[i].object != s->object))
		i++;
	*new = i == l->ncells;
	if (i == TIMELINE_LOG_CELLS - 1)
		return 0;
	if (*new)
		l->cell[l->ncells++] = (struct cell){ s->context, s->object };
	return i + 1;
}

struct sum {
	uint32_t cell;
	bool new;
	const struct page_seen *of;
	uint64_t reads, writes;
};

static int by_cell(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	BY(cell);
	return 0;
}

static void put_sum(struct log *l, const struct sum *s, uint32_t before)
{
	put_number(l, s->cell - before);
	put_number(l, (s->new ? (uint64_t)TIMELINE_NEW : 0) | (s->reads ?
		UINT64_C(1) << (TIMELINE_FIRST_FIELD + TIMELINE_READS) : 0) | (s->writes ?
		UINT64_C(1) << (TIMELINE_FIRST_FIELD + TIMELINE_WRITES) : 0));
	if (s->new) {
		put_number(l, s->of->context);
		put_number(l, s->of->object);
	}
	if (s->reads)
		put_number(l, s->reads);
	if (s->writes)
		put_number(l, s->writes);
}

/* Writes a column of a thread, whose entries are sorted by context and
 * object; sum: has room for all. */
static void put_column(struct log *l, const struct page_seen *s, uint32_t n, uint32_t skipped,
	struct sum *sum)
{
	uint32_t sums = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!i || s[i].context != s[i - 1].context || s[i].object != s[i - 1].object) {
			sum[sums] = (struct sum){ .of = &s[i] };
			sum[sums].cell = cell_of(l, &s[i], &sum[sums].new);
			sums++;
		}
		sum[sums - 1].reads += s[i].reads;
		sum[sums - 1].writes += s[i].writes;
	}
	qsort(sum, sums, sizeof *sum, by_cell);
	put_number(l, TIMELINE_COLUMN + (uint64_t)skipped);
	for (uint32_t i = 0; i < sums; i++)
		if (sum[i].cell)
			put_sum(l, &sum[i], i ? sum[i - 1].cell : 0);
	put_number(l, 0);
}

static uint32_t run_of_column(const struct page_seen *s, uint32_t n)
{
	uint32_t k = 1;

	while (k < n && s[k].column == s->column)
		k++;
	return k;
}

/* Writes the log of a thread, whose entries are sorted.  0 / -1 (memory). */
static int put_thread(struct log *l, const struct page_seen *s, uint32_t n, uint64_t length)
{
	struct sum *sum = malloc((n + (size_t)1) * sizeof *sum);
	uint32_t next = 0;
	int rc;

	l->cell = malloc(TIMELINE_LOG_CELLS * sizeof *l->cell);
	l->thread = s->task;
	l->ncells = 0;
	if (!next_row(l))
		l->row = MON_COLUMN_ROWS;
	for (uint32_t i = 0, k; sum && l->cell && i < n; i += k) {
		k = run_of_column(&s[i], n - i);
		put_column(l, &s[i], k, s[i].column - next, sum);
		next = s[i].column + 1;
	}
	put_number(l, TIMELINE_END);
	put_number(l, 1);
	put_number(l, length);
	rc = sum && l->cell ? 0 : -1;
	free(sum);
	free(l->cell);
	return rc;
}

/* --- maps ------------------------------------------------------------------------------------- */

static bool is_drawn(const struct page_seen *s)
{
	return s->bytes >= MON_MAP_ROWS && s->object >= MON_OBJ_FIRST;
}

static void put_map(struct mon_request *r, struct mon_map *rows, const struct page_seen *s,
	uint64_t width)
{
	for (uint32_t k = 0; k < s->rows && s->row + k < MON_MAP_ROWS; k++) {
		if (r->rows.maps == MON_MAPS) {
			r->undrawn += s->reads + s->writes;
			return;
		}
		rows[r->rows.maps++] = (struct mon_map){ .object = s->object, .thread = s->task,
			.from = s->column * width, .width = width, .lo = s->block,
			.bytes = s->bytes, .row = s->row + k, .reads = s->reads,
			.writes = s->writes };
	}
}

/* Columns become wider until the map has room for all rows. */
static void fit(struct page_history *h)
{
	for (int k = 0; k < 10; k++) {
		uint64_t rows = 0;

		for (uint32_t i = 0; i < h->room; i++)
			if (h->seen[i].block && is_drawn(&h->seen[i]))
				rows += h->seen[i].rows;
		if (rows <= MON_MAPS || rebuild(h, h->room, true))
			return;
		h->width *= 2;
	}
}

/* --- all -------------------------------------------------------------------------------------- */

static void sort(struct page_history *h)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->room; i++)
		if (h->seen[i].block)
			h->seen[n++] = h->seen[i];
	if (n)
		qsort(h->seen, n, sizeof *h->seen, by_place);
	h->room = 0;
}

uint32_t page_history_write(struct page_history *h, struct mon_shm *shm, uint32_t slot)
{
	struct log l = { .request = &shm->request[slot], .machine = &shm->machine,
		.rows = shm->columns[slot] };

	fit(h);
	sort(h);
	l.width = h->width;
	for (uint32_t i = 0, k; i < h->n; i += k) {
		for (k = 1; i + k < h->n && h->seen[i + k].task == h->seen[i].task; k++)
			;
		if (put_thread(&l, &h->seen[i], k, h->length))
			return MON_DROP_MEMORY;
	}
	for (uint32_t i = 0; i < h->n; i++)
		if (is_drawn(&h->seen[i]))
			put_map(l.request, shm->maps[slot], &h->seen[i], h->width);
	return MON_DROP_NONE;
}
