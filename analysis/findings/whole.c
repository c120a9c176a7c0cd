/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what each process gives to the properties of the whole application, by calling path. */
#include "analysis/findings/whole.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/sampling_error.h"

#define WHOLE_MAGIC 0x57435350u         /* "PSCW" */
#define WHOLE_VERSION 2u

/* --- life ----------------------------------------------------------------------------------------- */

static bool is_whole(const struct whole *w, uint32_t property)
{
	const struct asl_property *p = asl_property(w->program, property);

	return binding_context_kind(w->binding, p->context) == CONTEXT_APPLICATION;
}

static bool listed(const struct whole *w, uint32_t property)
{
	for (uint32_t i = 0; i < w->nproperties; i++)
		if (w->properties[i] == property)
			return true;
	return false;
}

/* Parents before children; the compiler has refused cycles. */
static void list_properties(struct whole *w)
{
	uint32_t n = (uint32_t)asl_nproperties(w->program), before;

	do {
		before = w->nproperties;
		for (uint32_t i = 0; i < n; i++) {
			const struct asl_property *p = asl_property(w->program, i);
			bool ready = is_whole(w, i) && !listed(w, i);

			for (int k = 0; ready && k < p->nparents; k++)
				ready = !is_whole(w, (uint32_t)p->parents[k])
					|| listed(w, (uint32_t)p->parents[k]);
			if (!ready)
				continue;
			w->properties[w->nproperties++] = i;
			w->counts |= binding_needs_counts(w->binding, p);
		}
	} while (w->nproperties > before);
}

struct whole *whole_new(const struct asl_program *program, const struct binding *binding)
{
	struct arena *a = arena_new();
	struct whole *w = a ? arena_alloc(a, sizeof *w) : NULL;

	if (w) {
		w->arena = a;
		w->program = program;
		w->binding = binding;
		w->phases = WHOLE_NONE;
		w->properties = arena_array(a, asl_nproperties(program) + 1, sizeof *w->properties);
	}
	if (!w || !w->properties) {
		arena_free(a);
		return NULL;
	}
	list_properties(w);
	return w;
}

void whole_free(struct whole *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; i < w->nplaces; i++)
		free(w->places[i].ranks);
	free(w->places);
	arena_free(w->arena);
}

/* --- places ---------------------------------------------------------------------------------------- */

static bool same_place(const struct whole_place *a, const struct whole_place *b)
{
	return a->node.type == b->node.type && a->node.line == b->node.line && a->twin == b->twin &&
		strcmp(a->node.name, b->node.name) == 0 && strcmp(a->node.file, b->node.file) == 0 &&
		a->clean == b->clean && a->nclean == b->nclean && a->counted == b->counted &&
		a->ncounted == b->ncounted;
}

static uint32_t *children(struct whole *w, uint32_t parent)
{
	return parent == WHOLE_NONE ? &w->phases : &w->places[parent].child;
}

static uint32_t find_place(struct whole *w, uint32_t parent, const struct whole_place *like)
{
	uint32_t at = *children(w, parent);

	while (at != WHOLE_NONE && !same_place(&w->places[at], like))
		at = w->places[at].next;
	return at;
}

/* A new place that looks like that one, without processes.  Strings are copied. NULL: memory. */
static struct whole_place *add_place(struct whole *w, uint32_t parent, const struct whole_place *like)
{
	struct whole_place *p;
	uint32_t *first;

	if (w->nplaces == w->cap) {
		uint32_t cap = w->cap ? w->cap * 2 : 64;

		p = realloc(w->places, cap * sizeof *p);
		if (!p)
			return NULL;
		w->places = p;
		w->cap = cap;
	}
	p = &w->places[w->nplaces];
	*p = *like;
	p->parent = parent;
	p->child = WHOLE_NONE;
	p->ns = p->stall_ns = p->stall_error_ns = 0;
	p->stalled = p->nranks = 0;
	p->unwarmed = false;
	p->coverage = 1;
	p->ranks = NULL;
	p->node.name = arena_strdup(w->arena, like->node.name);
	p->node.file = arena_strdup(w->arena, like->node.file);
	p->members = arena_array(w->arena, w->nproperties, sizeof *p->members);
	if (!p->node.name || !p->node.file || !p->members)
		return NULL;
	for (uint32_t i = 0; i < w->nproperties; i++) {
		int n = asl_parts(w->program, w->properties[i]);

		p->members[i].parts = arena_array(w->arena, (size_t)n, sizeof *p->members[i].parts);
		if (!p->members[i].parts)
			return NULL;
		for (int k = 0; k < n; k++)
			asl_part_init(&p->members[i].parts[k]);
	}
	first = children(w, parent);
	p->next = *first;
	*first = w->nplaces++;
	return p;
}

/* --- one process -------------------------------------------------------------------------------------- */

static bool executed(const struct perf *perf, uint32_t context)
{
	return context == 0 || perf_wall(perf, context) > 0 || perf_calls(perf, context) > 0;
}

static uint64_t nanoseconds(double seconds)
{
	return seconds > 0 && seconds < 1e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

static void take_parts(const struct whole *w, const struct search *s, const struct subject *subject,
	struct whole_place *p)
{
	struct asl_env env = binding_env(w->binding);

	for (uint32_t i = 0; i < w->nproperties; i++) {
		const struct asl_property *q = asl_property(w->program, w->properties[i]);
		struct whole_member *m = &p->members[i];

		for (int k = 0; k < q->nparents; k++) {
			uint32_t parent = (uint32_t)q->parents[k];
			const struct test *t = is_whole(w, parent) ? NULL :
				search_region_test(s, subject->context, parent);

			m->proven |= t && t->outcome == OUT_HELD;
			m->undecided |= t && (t->outcome == OUT_UNDECIDED
				|| t->outcome == OUT_PARENT_UNDECIDED);
		}
		for (int k = 0; k < asl_parts(w->program, w->properties[i]); k++) {
			struct asl_part_source from = asl_part_source(w->program, w->properties[i], k);

			enum context_kind kind = binding_context_kind(w->binding, from.cls);

			if (kind == CONTEXT_REGION || kind == CONTEXT_THREADS)
				asl_part_take(w->program, w->properties[i], k, &env, subject,
					&m->parts[k]);
			else
				asl_part_miss(&m->parts[k],
					asl_attr_name(w->program, q->context, from.attr));
		}
	}
}

static int measure(struct whole *w, const struct search *s, uint32_t context, struct whole_place *p)
{
	const struct perf *perf = s->perf;
	struct subject subject = { .perf = perf, .context = context, .object = MON_ANY };

	subject.counted = perf_tally(perf, context, MON_ANY, &subject.tally);
	subject.around = subject.tally;
	p->ranks = malloc(sizeof *p->ranks);
	if (!p->ranks)
		return -1;
	p->ranks[0] = perf->rank < 0 ? 0 : perf->rank;
	p->nranks = 1;
	p->ns = nanoseconds(perf_wall(perf, context));
	if (subject.counted && !isnan(tally_stall_time(perf, &subject.tally))) {
		p->stall_ns = nanoseconds(tally_stall_time(perf, &subject.tally));
		p->stall_error_ns = nanoseconds(sampling_error_stall(perf, &subject.tally));
		p->stalled = 1;
		p->unwarmed = findings_unwarmed(perf, &subject.tally);
	}
	p->coverage = perf_coverage(perf);
	take_parts(w, s, &subject, p);
	return 0;
}

static int take_context(struct whole *w, const struct search *s, uint32_t context, uint32_t *map)
{
	const struct perf *perf = s->perf;
	uint32_t up = perf->contexts[context].parent;
	struct whole_place like = { 0 }, *p;

	map[context] = WHOLE_NONE;
	if ((up != PERF_NONE && map[up] == WHOLE_NONE) || !executed(perf, context))
		return 0;
	if (findings_place(perf, context, w->arena, &like.node))
		return -1;
	if (up == PERF_NONE) {
		like.clean = perf->clean_first;
		like.nclean = perf->nclean;
		like.counted = w->counts && perf->complete ? perf->counted_first : 0;
		like.ncounted = w->counts && perf->complete ? (uint32_t)perf->counted : 0;
	}
	up = up == PERF_NONE ? WHOLE_NONE : map[up];
	while (find_place(w, up, &like) != WHOLE_NONE)
		like.twin++;
	p = add_place(w, up, &like);
	if (!p)
		return -1;
	map[context] = w->nplaces - 1;
	return measure(w, s, context, p);
}

int whole_take(struct whole *w, const struct search *s)
{
	struct whole *one;
	uint32_t *map;
	int rc = -1;

	if (!w->nproperties || !s->perf->ncontexts || !s->perf->nclean)
		return 0;
	one = whole_new(w->program, w->binding);
	map = calloc(s->perf->ncontexts, sizeof *map);
	if (one && map) {
		rc = 0;
		for (uint32_t c = 0; c < s->perf->ncontexts && !rc; c++)
			rc = take_context(one, s, c, map);
		if (!rc)
			rc = whole_merge(w, one);
	}
	free(map);
	whole_free(one);
	return rc;
}

/* --- several processes --------------------------------------------------------------------------------- */

/* Processes without MPI are all of rank 0: each of them counts. */
static int merge_ranks(struct whole_place *into, const struct whole_place *from)
{
	int *ranks = calloc((size_t)into->nranks + from->nranks + 1, sizeof *ranks);
	uint32_t a = 0, b = 0, n = 0;

	if (!ranks)
		return -1;
	while (a < into->nranks || b < from->nranks) {
		bool first = b == from->nranks || (a < into->nranks && into->ranks[a] <= from->ranks[b]);

		ranks[n++] = first ? into->ranks[a++] : from->ranks[b++];
	}
	free(into->ranks);
	into->ranks = ranks;
	into->nranks = n;
	return 0;
}

static int merge_place(struct whole *w, struct whole_place *into, const struct whole_place *from)
{
	into->ns += from->ns;
	into->stall_ns += from->stall_ns;
	into->stall_error_ns += from->stall_error_ns;
	into->stalled += from->stalled;
	into->unwarmed |= from->unwarmed;
	if (from->coverage < into->coverage)
		into->coverage = from->coverage;
	for (uint32_t i = 0; i < w->nproperties; i++) {
		into->members[i].proven += from->members[i].proven;
		into->members[i].undecided += from->members[i].undecided;
		for (int k = 0; k < asl_parts(w->program, w->properties[i]); k++)
			asl_part_merge(&into->members[i].parts[k], &from->members[i].parts[k]);
	}
	return merge_ranks(into, from);
}

int whole_merge(struct whole *into, const struct whole *from)
{
	uint32_t *map = calloc((size_t)from->nplaces + 1, sizeof *map);
	int rc = map ? 0 : -1;

	for (uint32_t i = 0; i < from->nplaces && !rc; i++) {
		const struct whole_place *p = &from->places[i];
		uint32_t parent = p->parent == WHOLE_NONE ? WHOLE_NONE : map[p->parent];

		map[i] = find_place(into, parent, p);
		if (map[i] == WHOLE_NONE) {
			if (!add_place(into, parent, p))
				rc = -1;
			map[i] = into->nplaces - 1;
		}
		if (!rc)
			rc = merge_place(into, &into->places[map[i]], p);
	}
	free(map);
	return rc;
}

/* --- on the wire ---------------------------------------------------------------------------------------- */

static void put_place(const struct whole *w, const struct whole_place *p, struct buf *out)
{
	buf_u32(out, p->parent);
	buf_u32(out, (uint32_t)p->node.type);
	buf_string(out, p->node.name);
	buf_string(out, p->node.file);
	buf_u32(out, (uint32_t)p->node.line);
	buf_u8(out, p->node.phase);
	buf_u32(out, p->twin);
	buf_u64(out, p->clean);
	buf_u32(out, p->nclean);
	buf_u64(out, p->counted);
	buf_u32(out, p->ncounted);
	buf_u64(out, p->ns);
	buf_u64(out, p->stall_ns);
	buf_u64(out, p->stall_error_ns);
	buf_u32(out, p->stalled);
	buf_u8(out, p->unwarmed);
	buf_f64(out, p->coverage);
	buf_u32(out, p->nranks);
	for (uint32_t i = 0; i < p->nranks; i++)
		buf_u32(out, (uint32_t)p->ranks[i]);
	for (uint32_t i = 0; i < w->nproperties; i++) {
		buf_u32(out, p->members[i].proven);
		buf_u32(out, p->members[i].undecided);
		for (int k = 0; k < asl_parts(w->program, w->properties[i]); k++)
			asl_part_encode(&p->members[i].parts[k], out);
	}
}

void whole_encode(const struct whole *w, struct buf *out)
{
	buf_u32(out, WHOLE_MAGIC);
	buf_u32(out, WHOLE_VERSION);
	buf_u32(out, w->nproperties);
	buf_u32(out, w->nplaces);
	for (uint32_t i = 0; i < w->nplaces; i++)
		put_place(w, &w->places[i], out);
}

/* A string in the arena; sets failed where there is none. */
static const char *get_string(struct whole *w, struct cursor *in)
{
	char *s = cur_string(in);
	const char *copy = s ? arena_strdup(w->arena, s) : NULL;

	free(s);
	if (!copy)
		in->failed = true;
	return copy;
}

static bool get_ranks(struct cursor *in, struct whole_place *p)
{
	uint32_t n = cur_u32(in);

	if (in->failed || !n || n > (in->len - in->pos) / 4)
		return false;
	p->ranks = calloc(n, sizeof *p->ranks);
	if (!p->ranks)
		return false;
	p->nranks = n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank = cur_u32(in);

		if (rank > INT_MAX || (i && (int)rank < p->ranks[i - 1]))
			return false;
		p->ranks[i] = (int)rank;
	}
	return true;
}

static bool get_figures(struct whole *w, struct cursor *in, struct whole_place *p)
{
	p->ns = cur_u64(in);
	p->stall_ns = cur_u64(in);
	p->stall_error_ns = cur_u64(in);
	p->stalled = cur_u32(in);
	p->unwarmed = cur_u8(in) != 0;
	p->coverage = cur_f64(in);
	if (in->failed || !(p->coverage >= 0 && p->coverage <= 1) || !get_ranks(in, p))
		return false;
	for (uint32_t i = 0; i < w->nproperties; i++) {
		p->members[i].proven = cur_u32(in);
		p->members[i].undecided = cur_u32(in);
		for (int k = 0; k < asl_parts(w->program, w->properties[i]); k++)
			if (asl_part_decode(&p->members[i].parts[k], in))
				return false;
	}
	return !in->failed;
}

static bool get_place(struct whole *w, struct cursor *in)
{
	struct whole_place like = { 0 }, *p;
	uint32_t parent = cur_u32(in), type = cur_u32(in);

	like.node.name = get_string(w, in);
	like.node.file = in->failed ? NULL : get_string(w, in);
	like.node.line = (int)(cur_u32(in) & INT_MAX);
	like.node.phase = cur_u8(in) != 0;
	like.node.type = (enum region_type)type;
	like.node.measure = like.node.measure_error = like.node.time = NAN;
	like.twin = cur_u32(in);
	like.clean = cur_u64(in);
	like.nclean = cur_u32(in);
	like.counted = cur_u64(in);
	like.ncounted = cur_u32(in);
	if (in->failed || type > REGION_DATA_STRUCTURE ||
	    (parent != WHOLE_NONE && parent >= w->nplaces) ||
	    find_place(w, parent, &like) != WHOLE_NONE)
		return false;
	p = add_place(w, parent, &like);
	return p && get_figures(w, in, p);
}

int whole_merge_encoded(struct whole *into, const void *data, size_t len, struct err *err)
{
	struct cursor in = { data, len, 0, false };
	struct whole *w;
	bool good = cur_u32(&in) == WHOLE_MAGIC && cur_u32(&in) == WHOLE_VERSION &&
		cur_u32(&in) == into->nproperties;
	uint32_t n = cur_u32(&in);
	int rc;

	if (!good || in.failed)
		return err_set(err, "parts message: of other properties or another version");
	w = whole_new(into->program, into->binding);
	if (!w)
		return err_nomem(err);
	for (uint32_t i = 0; i < n && good; i++)
		good = get_place(w, &in);
	good = good && in.pos == in.len;
	rc = good ? whole_merge(into, w) : -1;
	whole_free(w);
	if (!good)
		return err_set(err, "parts message: damaged at byte %zu of %zu", in.pos, len);
	return rc ? err_nomem(err) : 0;
}
