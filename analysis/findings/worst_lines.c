/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the bytes of the worst cache lines of a structure, and which threads use them, as rows of a
 * finding. */
#include "analysis/findings/worst_lines.h"
#include "analysis/measure/record_use.h"

#include <string.h>

#include "base/text_same.h"

enum {
	LINES = 2, THREADS = 2, NAMES = 4,
	UNITS = 64              /* parts of a line, for each of which a bit says whether it is
				 * used */
};

static int64_t unit_of(const struct mon_line *l)
{
	return l->bytes > UNITS ? l->bytes / UNITS : 1;
}

/* The end of the run of bits that begins at `from`; `from` itself: the bit is not set. */
static int run_end(uint64_t mask, int from)
{
	while (from < UNITS && mask >> from & 1)
		from++;
	return from;
}

static bool is_among(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The members of records that thread k of the line uses; "": none is known. */
static void members(struct buf *b, const struct measurements *p, const struct mon_line *l,
	uint32_t k, uint64_t mask)
{
	const char *written[NAMES];
	bool more = false;
	int n = 0;

	for (int i = 0; i < UNITS && l->block[k]; i++) {
		const char *name;

		if (!(mask >> i & 1))
			continue;
		name = record_member_at(p, l->object, l->in_block[k] + i * unit_of(l));
		if (name && is_among(written, n, name))
			continue;
		if (!name || n == NAMES) {
			more = true;
			continue;
		}
		buf_printf(b, "%s%s", n ? ", " : "", name);
		written[n++] = name;
	}
	if (n && more)
		buf_puts(b, ", ..");
}

/* Bytes of the block of several threads are those of the first one in the line. */
static uint32_t first_block(const struct mon_line *l)
{
	return l->nthreads > 1 && l->block[1] && (!l->block[0] || l->block[1] < l->block[0]);
}

/* The name of what thread k uses there, if that is another structure; else NULL. */
static const char *other_name(const struct measurements *p, const struct mon_line *l, uint32_t k)
{
	const uint32_t used = l->used[k];
	const char *name = used >= MON_OBJ_FIRST && used != l->object && used < p->nobjects ?
		p->objects[used].name : NULL;

	return text_some(name) ? name : NULL;
}

struct rows { struct report_line_use *use; int n, most; };

/* Adds the rows of thread k.  0 / -1 (memory). */
static int add_thread(const struct measurements *p, const struct mon_line *l, uint32_t k,
	struct arena *arena, struct report_line_use like, struct rows *out)
{
	const uint64_t mask = l->written[k] ? l->written[k] : l->read[k];
	const uint32_t first = first_block(l);
	const int64_t from = l->block[k] ? l->in_block[first] : 0;
	struct buf names = BUF_INIT;
	bool failed;

	members(&names, p, l, k, mask);
	like.thread = (int)l->thread[k];
	like.writes = l->written[k] != 0;
	like.of_line = !l->block[k];
	like.other_block = l->block[k] && l->block[k] != l->block[first];
	like.lock = mask & l->locks;
	like.other = other_name(p, l, k);
	like.members = names.len ? arena_strdup(arena, buf_str(&names)) : NULL;
	failed = names.failed || (names.len && !like.members);
	buf_free(&names);
	for (int i = 0, end; i < UNITS && out->n < out->most; i = end + (end == i)) {
		end = run_end(mask, i);
		like.first = from + i * unit_of(l);
		like.last = from + end * unit_of(l) - 1;
		if (end > i)
			out->use[out->n++] = like;
	}
	return failed ? -1 : 0;
}

int line_uses(const struct measurements *p, uint32_t object, struct arena *arena,
	struct report_finding *f)
{
	struct rows rows = { .most = LINES * THREADS * UNITS / 2 };
	struct report_line_use like = { 0 };

	rows.use = arena_array(arena, (size_t)rows.most, sizeof *rows.use);
	if (!rows.use)
		return -1;
	for (uint32_t i = 0; i < p->nlines && like.line < LINES; i++) {
		const struct mon_line *l = &p->lines[i];

		if (l->object != object)
			continue;
		like.line++;
		like.threads = (int)l->nthreads;
		for (uint32_t k = 0; k < THREADS && k < l->nthreads; k++)
			if (add_thread(p, l, k, arena, like, &rows))
				return -1;
	}
	f->uses = rows.use;
	f->nuses = rows.n;
	return 0;
}
