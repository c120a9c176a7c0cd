/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects and merges the parts of properties over all processes, by calling path. */
#include "analysis/findings/app_parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/sampling_error.h"

#define APP_PARTS_MAGIC 0x57435350u         /* "PSCW" */
#define APP_PARTS_VERSION 1u

/* --- life ------------------------------------------------------------------------------------ */

static bool is_over_processes(const struct app_parts *app, uint32_t property)
{
	const struct asl_property *p = asl_property(app->program, property);

	return attributes_context_kind(app->attributes, p->context) == CONTEXT_APPLICATION;
}

static bool listed(const struct app_parts *app, uint32_t property)
{
	for (uint32_t i = 0; i < app->nproperties; i++)
		if (app->properties[i] == property)
			return true;
	return false;
}

/* Lists parents before children; the compiler has refused cycles. */
static void list_properties(struct app_parts *app)
{
	uint32_t n = (uint32_t)asl_nproperties(app->program), before;

	do {
		before = app->nproperties;
		for (uint32_t i = 0; i < n; i++) {
			const struct asl_property *p = asl_property(app->program, i);
			bool ready = is_over_processes(app, i) && !listed(app, i);

			for (int k = 0; ready && k < p->nparents; k++)
				ready = !is_over_processes(app, (uint32_t)p->parents[k])
					|| listed(app, (uint32_t)p->parents[k]);
			if (!ready)
				continue;
			app->properties[app->nproperties++] = i;
			app->counts |= attributes_needs_counts(app->attributes, p);
		}
	} while (app->nproperties > before);
}

struct app_parts *app_parts_new(const struct asl_program *program,
	const struct attributes *attributes)
{
	struct arena *a = arena_new();
	struct app_parts *app = a ? arena_alloc(a, sizeof *app) : NULL;

	if (app) {
		app->arena = a;
		app->program = program;
		app->attributes = attributes;
		app->phases = NO_PLACE;
		app->properties = arena_array(a, asl_nproperties(program) + 1,
			sizeof *app->properties);
	}
	if (!app || !app->properties) {
		arena_free(a);
		return NULL;
	}
	list_properties(app);
	return app;
}

void app_parts_free(struct app_parts *app)
{
	if (!app)
		return;
	for (uint32_t i = 0; i < app->nplaces; i++)
		ranks_free(&app->places[i].ranks);
	free(app->places);
	arena_free(app->arena);
}

/* --- places ---------------------------------------------------------------------------------- */

static bool same_place(const struct app_place *a, const struct app_place *b)
{
	return a->node.type == b->node.type && a->node.line == b->node.line && a->twin == b->twin &&
		strcmp(a->node.name, b->node.name) == 0 &&
		strcmp(a->node.file, b->node.file) == 0 && a->clean == b->clean &&
		a->nclean == b->nclean && a->counted == b->counted && a->ncounted == b->ncounted;
}

static uint32_t *children(struct app_parts *app, uint32_t parent)
{
	return parent == NO_PLACE ? &app->phases : &app->places[parent].child;
}

static uint32_t find_place(struct app_parts *app, uint32_t parent,
	const struct app_place *like)
{
	uint32_t at = *children(app, parent);

	while (at != NO_PLACE && !same_place(&app->places[at], like))
		at = app->places[at].next;
	return at;
}

/* Adds a place equal to `like`, with copies of its strings, but without processes.  NULL:
 * memory. */
static struct app_place *add_place(struct app_parts *app, uint32_t parent,
	const struct app_place *like)
{
	struct app_place *p;
	uint32_t *first;

	if (app->nplaces == app->cap) {
		uint32_t cap = app->cap ? app->cap * 2 : 64;

		p = realloc(app->places, cap * sizeof *p);
		if (!p)
			return NULL;
		app->places = p;
		app->cap = cap;
	}
	p = &app->places[app->nplaces];
	*p = *like;
	p->parent = parent;
	p->child = NO_PLACE;
	p->ns = p->stall_ns = p->cpu_ns = p->stall_error_ns = 0;
	p->stalled = p->nranks = 0;
	p->unwarmed = p->asked = false;
	p->coverage = 1;
	p->ranks = (struct rank_set){ NULL, 0, 0 };
	p->node.name = arena_strdup(app->arena, like->node.name);
	p->node.file = arena_strdup(app->arena, like->node.file);
	p->node.name_path = arena_strdup(app->arena, like->node.name_path ? like->node.name_path :
		"");
	p->members = arena_array(app->arena, app->nproperties, sizeof *p->members);
	if (!p->node.name || !p->node.file || !p->node.name_path || !p->members)
		return NULL;
	for (uint32_t i = 0; i < app->nproperties; i++) {
		int n = asl_parts(app->program, app->properties[i]);

		p->members[i].parts = arena_array(app->arena, (size_t)n,
			sizeof *p->members[i].parts);
		if (!p->members[i].parts)
			return NULL;
		for (int k = 0; k < n; k++)
			asl_part_init(&p->members[i].parts[k]);
	}
	first = children(app, parent);
	p->next = *first;
	*first = app->nplaces++;
	return p;
}

/* --- one process ----------------------------------------------------------------------------- */

static bool executed(const struct measurements *measured, uint32_t context)
{
	return context == 0 || measured_exec(measured, context) > 0 ||
		measured_calls(measured, context) > 0;
}

static uint64_t nanoseconds(double seconds)
{
	return seconds > 0 && seconds < 1e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

static void take_parts(const struct app_parts *app, const struct search *s,
	const struct subject *subject, struct app_place *p)
{
	struct asl_env env = attributes_env(app->attributes);

	for (uint32_t i = 0; i < app->nproperties; i++) {
		const struct asl_property *q = asl_property(app->program, app->properties[i]);
		struct app_member *m = &p->members[i];

		for (int k = 0; k < q->nparents; k++) {
			uint32_t parent = (uint32_t)q->parents[k];
			const struct test *t = is_over_processes(app, parent) ? NULL :
				search_region_test(s, subject->context, parent);

			m->proven |= t && t->outcome == OUT_HELD;
			m->undecided |= t && (t->outcome == OUT_UNDECIDED
				|| t->outcome == OUT_PARENT_UNDECIDED);
		}
		for (int k = 0; k < asl_parts(app->program, app->properties[i]); k++) {
			struct asl_part_source from = asl_part_source(app->program,
				app->properties[i], k);

			enum context_kind kind = attributes_context_kind(app->attributes, from.cls);

			if (kind == CONTEXT_REGION || kind == CONTEXT_THREADS)
				asl_part_take(app->program, app->properties[i], k, &env, subject,
					&m->parts[k]);
			else
				asl_part_miss(&m->parts[k],
					asl_attr_name(app->program, q->context, from.attr));
		}
	}
}

/* Fills in the place of a context with the figures of this process. */
static int measure(struct app_parts *app, const struct search *s, uint32_t context,
	struct app_place *p)
{
	const struct measurements *measured = s->measured;
	struct subject subject = { .measured = measured, .context = context, .object = MON_ANY };
	double stall;

	subject.counted = measured_tally(measured, context, MON_ANY, &subject.tally);
	subject.around = subject.tally;
	if (ranks_add_one(&p->ranks, measured->rank < 0 ? 0 : measured->rank))
		return -1;
	p->nranks = 1;
	p->asked = wanted_context(&s->wanted, context);
	p->ns = nanoseconds(measured_exec(measured, context));
	stall = measured->estimated ? subject.tally.estimate.stall : NAN;
	if (subject.counted && !isnan(stall)) {
		p->stall_ns = nanoseconds(stall);
		p->cpu_ns = nanoseconds(subject.tally.estimate.time);
		p->stall_error_ns = nanoseconds(sampling_error_stall(measured, &subject.tally));
		p->stalled = 1;
		p->unwarmed = findings_unwarmed(measured, &subject.tally);
	}
	p->coverage = measured_coverage(measured);
	take_parts(app, s, &subject, p);
	return 0;
}

/* Adds the place of a context, if it was executed; map: place of each context, or NO_PLACE. */
static int take_context(struct app_parts *app, const struct search *s, uint32_t context,
	uint32_t *map)
{
	const struct measurements *measured = s->measured;
	uint32_t up = measured->contexts[context].parent;
	struct app_place like = { 0 }, *p;

	map[context] = NO_PLACE;
	if ((up != NO_CONTEXT && map[up] == NO_PLACE) || !executed(measured, context))
		return 0;
	if (findings_place(measured, context, app->arena, &like.node))
		return -1;
	if (up == NO_CONTEXT) {
		like.clean = measured->clean_first;
		like.nclean = measured->nclean;
		like.counted = app->counts && measured->complete ? measured->counted_first : 0;
		like.ncounted = app->counts && measured->complete ? (uint32_t)measured->counted : 0;
	}
	up = up == NO_CONTEXT ? NO_PLACE : map[up];
	while (find_place(app, up, &like) != NO_PLACE)
		like.twin++;
	p = add_place(app, up, &like);
	if (!p)
		return -1;
	map[context] = app->nplaces - 1;
	return measure(app, s, context, p);
}

int app_parts_take(struct app_parts *app, const struct search *s)
{
	struct app_parts *one;
	uint32_t *map;
	int rc = -1;

	if (!app->nproperties || !s->measured->ncontexts || !s->measured->nclean)
		return 0;
	one = app_parts_new(app->program, app->attributes);
	map = calloc(s->measured->ncontexts, sizeof *map);
	if (one && map) {
		rc = 0;
		for (uint32_t c = 0; c < s->measured->ncontexts && !rc; c++)
			rc = take_context(one, s, c, map);
		if (!rc)
			rc = app_parts_merge(app, one);
	}
	free(map);
	app_parts_free(one);
	return rc;
}

/* --- several processes ----------------------------------------------------------------------- */

static int merge_place(struct app_parts *app, struct app_place *into,
	const struct app_place *from)
{
	into->ns += from->ns;
	into->stall_ns += from->stall_ns;
	into->cpu_ns += from->cpu_ns;
	into->stall_error_ns += from->stall_error_ns;
	into->stalled += from->stalled;
	into->unwarmed |= from->unwarmed;
	into->asked |= from->asked;
	if (from->coverage < into->coverage)
		into->coverage = from->coverage;
	for (uint32_t i = 0; i < app->nproperties; i++) {
		into->members[i].proven += from->members[i].proven;
		into->members[i].undecided += from->members[i].undecided;
		for (int k = 0; k < asl_parts(app->program, app->properties[i]); k++)
			asl_part_merge(&into->members[i].parts[k], &from->members[i].parts[k]);
	}
	into->nranks += from->nranks;
	return ranks_add(&into->ranks, from->ranks.run, from->ranks.n);
}

int app_parts_merge(struct app_parts *into, const struct app_parts *from)
{
	uint32_t *map = calloc((size_t)from->nplaces + 1, sizeof *map);
	int rc = map ? 0 : -1;

	for (uint32_t i = 0; i < from->nplaces && !rc; i++) {
		const struct app_place *p = &from->places[i];
		uint32_t parent = p->parent == NO_PLACE ? NO_PLACE : map[p->parent];

		map[i] = find_place(into, parent, p);
		if (map[i] == NO_PLACE) {
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

/* --- on the wire ----------------------------------------------------------------------------- */

static void put_place(const struct app_parts *app, const struct app_place *p,
	struct buf *out)
{
	buf_u32(out, p->parent);
	buf_u32(out, (uint32_t)p->node.type);
	buf_string(out, p->node.name);
	buf_string(out, p->node.file);
	buf_string(out, p->node.name_path ? p->node.name_path : "");
	buf_u32(out, (uint32_t)p->node.line);
	buf_u8(out, p->node.phase);
	buf_u32(out, p->twin);
	buf_u64(out, p->clean);
	buf_u32(out, p->nclean);
	buf_u64(out, p->counted);
	buf_u32(out, p->ncounted);
	buf_u64(out, p->ns);
	buf_u64(out, p->stall_ns);
	buf_u64(out, p->cpu_ns);
	buf_u64(out, p->stall_error_ns);
	buf_u32(out, p->stalled);
	buf_u8(out, p->unwarmed);
	buf_u8(out, p->asked);
	buf_f64(out, p->coverage);
	buf_u32(out, p->nranks);
	ranks_encode(p->ranks.run, p->ranks.n, out);
	for (uint32_t i = 0; i < app->nproperties; i++) {
		buf_u32(out, p->members[i].proven);
		buf_u32(out, p->members[i].undecided);
		for (int k = 0; k < asl_parts(app->program, app->properties[i]); k++)
			asl_part_encode(&p->members[i].parts[k], out);
	}
}

void app_parts_encode(const struct app_parts *app, struct buf *out)
{
	buf_u32(out, APP_PARTS_MAGIC);
	buf_u32(out, APP_PARTS_VERSION);
	buf_u32(out, app->nproperties);
	buf_u32(out, app->nplaces);
	for (uint32_t i = 0; i < app->nplaces; i++)
		put_place(app, &app->places[i], out);
}

/* Decodes a string into the arena; on failure sets in->failed. */
static const char *get_string(struct app_parts *app, struct cursor *in)
{
	char *s = cur_string(in);
	const char *copy = s ? arena_strdup(app->arena, s) : NULL;

	free(s);
	if (!copy)
		in->failed = true;
	return copy;
}

static bool get_ranks(struct cursor *in, struct app_place *p)
{
	p->nranks = cur_u32(in);
	return p->nranks && !ranks_decode(&p->ranks, in) && p->ranks.n > 0 &&
		ranks_count(p->ranks.run, p->ranks.n) <= (long)p->nranks;
}

static bool get_figures(struct app_parts *app, struct cursor *in, struct app_place *p)
{
	p->ns = cur_u64(in);
	p->stall_ns = cur_u64(in);
	p->cpu_ns = cur_u64(in);
	p->stall_error_ns = cur_u64(in);
	p->stalled = cur_u32(in);
	p->unwarmed = cur_u8(in) != 0;
	p->asked = cur_u8(in) != 0;
	p->coverage = cur_f64(in);
	if (in->failed || !(p->coverage >= 0 && p->coverage <= 1) || !get_ranks(in, p))
		return false;
	for (uint32_t i = 0; i < app->nproperties; i++) {
		p->members[i].proven = cur_u32(in);
		p->members[i].undecided = cur_u32(in);
		for (int k = 0; k < asl_parts(app->program, app->properties[i]); k++)
			if (asl_part_decode(&p->members[i].parts[k], in))
				return false;
	}
	return !in->failed;
}

static bool get_place(struct app_parts *app, struct cursor *in)
{
	struct app_place like = { 0 }, *p;
	uint32_t parent = cur_u32(in), type = cur_u32(in);

	like.node.name = get_string(app, in);
	like.node.file = in->failed ? NULL : get_string(app, in);
	like.node.name_path = in->failed ? NULL : get_string(app, in);
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
	    (parent != NO_PLACE && parent >= app->nplaces) ||
	    find_place(app, parent, &like) != NO_PLACE)
		return false;
	p = add_place(app, parent, &like);
	return p && get_figures(app, in, p);
}

int app_parts_merge_encoded(struct app_parts *into, const void *data, size_t len, struct err *err)
{
	struct cursor in = { data, len, 0, false };
	struct app_parts *app;
	bool good = cur_u32(&in) == APP_PARTS_MAGIC && cur_u32(&in) == APP_PARTS_VERSION &&
		cur_u32(&in) == into->nproperties;
	uint32_t n = cur_u32(&in);
	int rc;

	if (!good || in.failed)
		return err_set(err, "parts message: of other properties or another version");
	app = app_parts_new(into->program, into->attributes);
	if (!app)
		return err_nomem(err);
	for (uint32_t i = 0; i < n && good; i++)
		good = get_place(app, &in);
	good = good && in.pos == in.len;
	rc = good ? app_parts_merge(into, app) : -1;
	app_parts_free(app);
	if (!good)
		return err_set(err, "parts message: damaged at byte %zu of %zu", in.pos, len);
	return rc ? err_nomem(err) : 0;
}
