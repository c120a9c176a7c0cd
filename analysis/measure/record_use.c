/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which members of an array of structs a context's code uses, and whether it was loaded
 * where, from the program's structure. */
#include "analysis/measure/record_use.h"
#include "analysis/measure/context_code.h"
#include "analysis/measure/sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum {
	RECORDS_LEAST = 16,     /* elements: a single struct is no array */
	NAMES = 6               /* of members in a text */
};

/* --- the code of a context -------------------------------------------------------------------- */

struct walk {
	struct context_code code;
	/* which records are those of the structure */
	uint32_t object;
	const char *own;        /* the structure's name in the context */
	const struct sir_record *mine, *loose;  /* one of the structure's; one of no structure's */
	bool several;           /* `loose` ones of several types */
	bool other;             /* the structure is an array of something else there */
	bool indexed;           /* the structure is accessed at an index that was loaded */
	struct record_use *out;
};

static struct walk *walk_of(struct context_code *code)
{
	return (struct walk *)(void *)code;     /* its first member */
}

/* A structure may have another name in each context. */
static void enter(struct context_code *code, uint32_t context)
{
	struct walk *w = walk_of(code);

	w->own = measured_object_name(code->p, context, w->object, 0);
}

/* --- names ------------------------------------------------------------------------------------ */

/* The next character of a name of the monitor's or the plugin's: `g->edges`, `g%edges`, `g.edges`
 * are the same; 0 at the end, and where only the blocks of an array of pointers are meant. */
static char spelled(const char **at)
{
	const char *s = *at;

	if (!*s || strcmp(s, "[]") == 0 || strncmp(s, " (", 2) == 0)
		return 0;
	*at += s[0] == '-' && s[1] == '>' ? 2 : 1;
	return *s == '%' || (s[0] == '-' && s[1] == '>') ? '.' : *s;
}

static bool same_name(const char *a, const char *b)
{
	char x, y;

	a += strncmp(a, "?.", 2) == 0 ? 2 : 0;  /* a member of an object that the plugin cannot
						 * name */
	do {
		x = spelled(&a);
		y = spelled(&b);
	} while (x == y && x);
	return x == y;
}

static bool is_mine(const struct walk *w, const char *array)
{
	const char *name = w->code.p->objects[w->object].name;

	return same_name(array, w->own) || (name && same_name(array, name));
}

static bool is_others(const struct walk *w, const char *array)
{
	for (uint32_t o = MON_OBJ_FIRST; o < w->code.p->nobjects; o++)
		if (o != w->object && w->code.p->objects[o].name &&
		    same_name(array, w->code.p->objects[o].name))
			return true;
	return false;
}

/* --- which type ------------------------------------------------------------------------------- */

static bool same_type(const struct sir_record *a, const struct sir_record *b)
{
	return a->size == b->size && strcmp(a->type, b->type) == 0;
}

/* Can the structure be an array of such records?  Where its elements are known to be of their size,
 * there may be something before them: new[] stores the number of those with a destructor there. */
static bool fits(const struct measured_object *o, const struct sir_record *r)
{
	return r->size <= RECORD_LARGEST && o->size / r->size >= RECORDS_LEAST &&
		(o->size % r->size == 0 || o->elem == r->size);
}

static void note_types(struct context_code *code, const struct sir_region *r)
{
	struct walk *w = walk_of(code);
	const struct measured_object *o = &w->code.p->objects[w->object];

	for (uint32_t i = 0; i < r->nrecords; i++) {
		const struct sir_record *k = &r->records[i];

		if (k->array && is_mine(w, k->array)) {
			w->mine = k;
		} else if (fits(o, k) && (o->elem <= 1 || o->elem == k->size) &&
			   (!k->array || !is_others(w, k->array))) {
			w->several |= w->loose && !same_type(w->loose, k);
			w->loose = k;
		}
	}
	for (uint32_t i = 0; i < r->narrays; i++)
		w->other |= is_mine(w, r->arrays[i].name);
}

static const struct sir_record *type_of(struct walk *w, uint32_t context, bool inside)
{
	const struct sir_record *type;

	w->code.visit = note_types;
	context_code_walk(&w->code, context, inside);
	type = w->mine ? w->mine : w->several || w->other ? NULL : w->loose;
	return type && fits(&w->code.p->objects[w->object], type) ? type : NULL;
}

/* --- which members ---------------------------------------------------------------------------- */

static void add_member(struct record_use *use, const struct sir_member *m)
{
	uint32_t at = use->nused;

	for (uint32_t i = 0; i < use->nused; i++)
		if (use->used[i].offset == m->offset && strcmp(use->used[i].name, m->name) == 0)
			return;
	if (at == RECORD_MEMBERS) {
		use->bytes = use->size;         /* not all can be kept: as if all were used */
		return;
	}
	for (; at > 0 && use->used[at - 1].offset > m->offset; at--)
		use->used[at] = use->used[at - 1];
	use->used[at] = *m;
	use->nused++;
}

/* Members of `mine` or of records that no other structure is named for. */
static void note_members(struct context_code *code, const struct sir_region *r)
{
	struct walk *w = walk_of(code);

	for (uint32_t i = 0; i < r->nrecords; i++) {
		const struct sir_record *k = &r->records[i];

		if (!same_type(k, w->mine) || (k->array && !is_mine(w, k->array) &&
		    is_others(w, k->array)))
			continue;
		if (k->all)
			w->out->bytes = k->size;
		for (uint32_t m = 0; m < k->nused; m++)
			add_member(w->out, &k->used[m]);
	}
}

static uint32_t bytes_used(const struct record_use *use)
{
	uint32_t bytes = 0, end = 0;

	for (uint32_t i = 0; i < use->nused; i++) {
		uint32_t begin = use->used[i].offset, stop = begin + use->used[i].size;

		begin = begin > end ? begin : end;
		bytes += stop > begin ? stop - begin : 0;
		end = stop > end ? stop : end;
	}
	return bytes;
}

/* The members of a record that the code uses. */
enum extent { UNKNOWN, SOME, ALL };

static enum extent find_use(const struct measurements *p, uint32_t context, uint32_t object,
	bool inside, struct record_use *out)
{
	struct walk w = { .code = { .p = p, .enter = enter }, .object = object, .out = out };

	if (object < MON_OBJ_FIRST || object >= p->nobjects || context >= p->ncontexts || !p->sir)
		return UNKNOWN;
	w.mine = type_of(&w, context, inside);
	if (!w.mine)
		return UNKNOWN;
	*out = (struct record_use){ .type = w.mine->type, .size = w.mine->size,
		.members = w.mine->members };
	w.code.visit = note_members;
	context_code_walk(&w.code, context, inside);
	if (out->bytes != out->size)
		out->bytes = bytes_used(out);
	return w.code.cut || !out->bytes ? UNKNOWN : out->bytes < out->size ? SOME : ALL;
}

bool record_use_find(const struct measurements *p, uint32_t context, uint32_t object, bool inside,
	struct record_use *out)
{
	return find_use(p, context, object, inside, out) == SOME;
}

static bool same_members(const struct record_use *a, const struct record_use *b)
{
	if (a->nused != b->nused)
		return false;
	for (uint32_t i = 0; i < a->nused; i++)
		if (a->used[i].offset != b->used[i].offset ||
		    strcmp(a->used[i].name, b->used[i].name) != 0)
			return false;
	return true;
}

/* --- indices ---------------------------------------------------------------------------------- */

static void note_indexed(struct context_code *code, const struct sir_region *r)
{
	struct walk *w = walk_of(code);

	for (uint32_t i = 0; i < r->narrays; i++)
		w->indexed |= r->arrays[i].access & SIR_INDEXED && is_mine(w, r->arrays[i].name);
}

bool record_use_indexed(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct walk w = { .code = { .p = p, .enter = enter, .visit = note_indexed },
		.object = object };

	if (object < MON_OBJ_FIRST || object >= p->nobjects || context >= p->ncontexts || !p->sir)
		return false;
	context_code_walk(&w.code, context, true);
	return w.indexed;
}

/* --- lines ------------------------------------------------------------------------------------ */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Counts over all positions of a record in a line; the first one begins with a line. */
struct record_lines record_lines_of(const struct record_use *use, uint32_t line)
{
	uint32_t records = line / common_divisor(line, use->size), touched = 0, each = 0;
	uint32_t last[RECORD_LARGEST + 2] = { 0 };      /* by line: the last record that touched it,
							 * + 1 */

	for (uint32_t k = 0; k < records; k++)
		for (uint32_t i = 0; i < use->nused; i++) {
			uint32_t at = k * use->size + use->used[i].offset;

			for (uint32_t l = at / line; l <= (at + use->used[i].size - 1) / line;
			     l++) {
				touched += !last[l];
				each += last[l] != k + 1;
				last[l] = k + 1;
			}
		}
	return (struct record_lines){ (double)touched / records, (double)each / records };
}

struct record_lines record_lines_packed(uint32_t bytes, uint32_t line)
{
	struct record_use whole = { .size = bytes, .nused = 1, .used = { { "", 0, bytes } } };

	return record_lines_of(&whole, line);
}

static struct record_split split_of(const struct record_use *use, uint32_t line)
{
	struct record_lines now = record_lines_of(use, line), then = record_lines_packed(use->bytes,
		line);

	return (struct record_split){ fmin(1, then.walked / now.walked),
		fmin(1, then.alone / now.alone) };
}

bool record_use_any(const struct measurements *p)
{
	for (uint32_t i = 0; p->sir && i < p->sir->nregions; i++)
		if (p->sir->regions[i].nrecords)
			return true;
	return false;
}

struct record_split record_split_of(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct record_use use;

	if (!record_use_find(p, context, object, false, &use))
		return (struct record_split){ 1, 1 };
	return split_of(&use, p->machine->flat.level[0].line);
}

/* Are the members used less than half of the record, and would packing
 * them save half of the lines? */
static bool few(const struct record_use *use, unsigned class, uint32_t line)
{
	struct record_split split = split_of(use, line);

	return (class == MEMORY_GATHER ? split.alone : split.walked) <= 0.5 &&
		2 * use->bytes < use->size;
}

/* Do the misses go to and fro between neighbouring lines?  Nearly half of them are streams' then,
 * and there are fewer page walks than a step of two lines needs. */
static bool near_steps(const struct tally *t)
{
	const double all = t->load_miss[0] + t->store_miss[0], stream = t->stream_load[0] +
		t->stream_store[0];

	return 32 * t->walks[0] < all && 5 * stream > 2 * all;
}

unsigned measured_memory_kind(const struct measurements *p, uint32_t context, uint32_t object,
	const struct tally *t)
{
	unsigned kind = tally_memory_kind(t), class = tally_memory_class(t);
	uint32_t line = p->machine->flat.nlevels ? p->machine->flat.level[0].line : 0;
	struct record_use use;

	if (class == MEMORY_SHARING)
		return sharing_kind_of(p, object, kind);
	if ((kind != class && kind != KIND_CAPACITY) || !line ||
	    (class != MEMORY_STREAM && class != MEMORY_STRIDED && class != MEMORY_GATHER) ||
	    !record_use_find(p, context, object, true, &use))
		return kind;
	/* A walk over records of less than a line and a half is mostly a stream, or goes to and fro
	 * between neighbouring lines, and one over records of less than a page has few page walks:
	 * else the stride is another one. */
	if (class == MEMORY_STRIDED && ((2 * use.size < 3 * line && !near_steps(t)) ||
	    2 * t->estimate.walks > tally_memory_time(t)))
		return kind;
	/* Steps of a record leave out what is unused, little or not. */
	if (class == MEMORY_STRIDED || few(&use, class, line) ||
	    (record_use_find(p, 0, object, true, &use) && few(&use, class, line)))
		return KIND_RECORD;
	return kind;
}

/* --- one byte --------------------------------------------------------------------------------- */

/* Is the object called by the type, as small heap blocks are: "struct tnode",
 * "Node<int>", "type(cell)"? */
static bool called_by(const char *name, const char *type)
{
	static const char *const before[] = { "struct ", "union ", "class ", "type(" };
	size_t n = strlen(type);

	for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
		if (strncmp(name, before[i], strlen(before[i])) == 0) {
			name += strlen(before[i]);
			break;
		}
	return strncmp(name, type, n) == 0 && (!name[n] || strcmp(name + n, ")") == 0);
}

static const char *member_in(const struct sir_region *r, const char *object, int64_t offset)
{
	for (uint32_t i = 0; i < r->nrecords; i++) {
		const struct sir_record *k = &r->records[i];

		if (!(k->array && same_name(k->array, object)) && !called_by(object, k->type))
			continue;
		for (uint32_t m = 0; m < k->nused; m++)
			if (offset % k->size >= k->used[m].offset &&
			    offset % k->size < (int64_t)k->used[m].offset + k->used[m].size)
				return k->used[m].name;
	}
	return NULL;
}

const char *record_member_at(const struct measurements *p, uint32_t object, int64_t offset)
{
	const char *found = NULL;

	if (object < MON_OBJ_FIRST || object >= p->nobjects || !p->objects[object].name ||
	    offset < 0)
		return NULL;
	for (uint32_t i = 0; p->sir && i < p->sir->nregions && !found; i++)
		found = member_in(&p->sir->regions[i], p->objects[object].name, offset);
	return found;
}

/* --- text ------------------------------------------------------------------------------------- */

struct record_text {
	struct record_text *next;
	uint32_t context, object;
	const char *names;      /* within text */
	char text[];
};

static void write_text(const struct record_use *use, bool everywhere, const char *elsewhere,
	struct buf *out)
{
	buf_printf(out, "%u of %u members %s used %s (%u of %u bytes%s)", use->nused, use->members,
		use->nused == 1 ? "is" : "are", everywhere ? "in the phase" : "there", use->bytes,
		use->size, elsewhere);
}

static void write_names(const struct record_use *use, struct buf *out)
{
	for (uint32_t i = 0; i < use->nused && i < NAMES; i++)
		buf_printf(out, "%s%s", i ? ", " : "", use->used[i].name);
	if (use->nused > NAMES)
		buf_printf(out, " and %u more", use->nused - NAMES);
}

static struct record_text *make_text(const struct record_use *use, bool everywhere,
	const char *elsewhere)
{
	struct buf text = BUF_INIT, names = BUF_INIT;
	struct record_text *t = NULL;

	write_text(use, everywhere, elsewhere, &text);
	write_names(use, &names);
	if (!text.failed && !names.failed)
		t = malloc(sizeof *t + text.len + names.len + 2);
	if (t) {
		memcpy(t->text, buf_str(&text), text.len + 1);
		memcpy(t->text + text.len + 1, buf_str(&names), names.len + 1);
		t->names = t->text + text.len + 1;
	}
	buf_free(&text);
	buf_free(&names);
	return t;
}

/* Names the members that the context's code uses, which are those on its source lines; says
 * where the phase uses more. */
static const struct record_text *text_of(const struct measurements *p, uint32_t context,
	uint32_t object)
{
	struct record_text **list = p->record_texts, *t;
	struct record_use use, all;
	char elsewhere[32] = "";
	enum extent phase;
	bool everywhere;

	for (t = *list; t; t = t->next)
		if (t->context == context && t->object == object)
			return t;
	if (!record_use_find(p, context, object, true, &use))
		return NULL;
	phase = find_use(p, 0, object, true, &all);
	everywhere = phase == SOME && same_members(&use, &all);
	if (phase == ALL)
		snprintf(elsewhere, sizeof elsewhere, "; all in the phase");
	else if (phase == SOME && !everywhere)
		snprintf(elsewhere, sizeof elsewhere, "; %u in the phase", all.nused);
	t = make_text(&use, everywhere, elsewhere);
	if (!t)
		return NULL;
	t->next = *list;
	t->context = context;
	t->object = object;
	*list = t;
	return t;
}

const char *record_use_text(const struct measurements *p, uint32_t context, uint32_t object)
{
	const struct record_text *t = text_of(p, context, object);

	return t ? t->text : NULL;
}

const char *record_use_names(const struct measurements *p, uint32_t context, uint32_t object)
{
	const struct record_text *t = text_of(p, context, object);

	return t ? t->names : NULL;
}

void record_texts_free(struct measurements *p)
{
	while (p->record_texts && *p->record_texts) {
		struct record_text *next = (*p->record_texts)->next;

		free(*p->record_texts);
		*p->record_texts = next;
	}
	free(p->record_texts);
	p->record_texts = NULL;
}
