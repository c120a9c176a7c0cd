/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the program's memory. */
#include "config.h"
#include "foreign/memory_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/small_sites.h"

enum { SITES = 4096, SITE_FRAMES = 4 };

struct object_variable {
	const struct binary_variable *variable;         /* borrowed from the file */
	const struct image_file *file;                  /* borrowed */
	uint32_t object;        /* MON_ANY: not accessed yet */
};
/* An allocation's place, as far as its frames tell it apart. */
struct object_site {
	uint64_t frame[SITE_FRAMES];
	uint32_t object;
	uint64_t live;          /* bytes */
};

void memory_objects_begin(struct memory_objects *o, struct images *images,
	struct shm_tables *tables)
{
	*o = (struct memory_objects){ .images = images, .tables = tables };
}

void memory_objects_only(struct memory_objects *o, const struct asked_names *names)
{
	o->only = names;
}

bool memory_objects_left_out(const struct memory_objects *o, uint32_t object)
{
	return o->left_out && object == o->left_out;
}

void memory_objects_end(struct memory_objects *o)
{
	ranges_free(&o->statics);
	ranges_free(&o->blocks);
	free(o->variable);
	free(o->site);
	free(o->small_object);
	*o = (struct memory_objects){ 0 };
}

uint32_t memory_objects_generation(const struct memory_objects *o)
{
	return (o->changes + o->images->generation) & INT32_MAX;
}

/* --- the filter of addresses ------------------------------------------------------------------ */

static bool is_asked(const struct memory_objects *o, const char *name)
{
	return !o->only || asked_names_has(o->only, name);
}

/* What nobody asks for is one structure, so that regions keep all of their accesses. */
static uint32_t left_out(struct memory_objects *o)
{
	if (!o->left_out)
		o->left_out = shm_object(o->tables, &(struct mon_object){
			.name = shm_string(o->tables, "structures that --sir leaves out"),
			.unit = MON_NO_UNIT, .region = MON_ANY, .kind = MON_KIND_LEFT_OUT });
	return o->left_out == MON_ANY ? (uint32_t)MON_OBJ_OTHER : o->left_out;
}

/* --- static variables ------------------------------------------------------------------------- */

static void add_variables(struct memory_objects *o, struct image_file *f)
{
	uint32_t n;
	const struct binary_variable *v = binary_variables(f->binary, &n);
	struct object_variable *more = realloc(o->variable, (o->nvariables + n + 1) * sizeof *more);

	f->variables_known = true;
	f->variables_base = f->base;
	if (!more)
		return;
	o->variable = more;
	for (uint32_t i = 0; i < n; i++) {
		const struct range r = { v[i].address + f->base, v[i].address + f->base + v[i].size,
			o->nvariables };

		if (v[i].alias || ranges_add(&o->statics, &r))
			continue;
		o->variable[o->nvariables++] = (struct object_variable){ &v[i], f, MON_ANY };
	}
}

static uint32_t object_of_variable(struct memory_objects *o, const struct range *r)
{
	struct object_variable *v = &o->variable[r->value];
	const struct binary_variable *from = v->variable;

	if (v->object == MON_ANY && !is_asked(o, from->name))
		v->object = left_out(o);
	if (v->object == MON_ANY)
		v->object = shm_object(o->tables, &(struct mon_object){ .address = r->lo,
			.size = from->size, .name = shm_string(o->tables, from->name),
			.scope = shm_string(o->tables, from->scope), .unit = MON_NO_UNIT,
			.region = MON_ANY, .line = from->line > 0 ? (uint32_t)from->line : 0,
			.kind = from->kind, .elem = from->elem, .file = shm_string(o->tables,
			from->file) });
	return v->object == MON_ANY ? (uint32_t)MON_OBJ_IMAGE : v->object;
}

/* Narrows a span to a gap between ranges. */
static void narrow(struct memory_span *span, uint64_t lo, uint64_t hi)
{
	span->lo = lo > span->lo ? lo : span->lo;
	span->hi = hi < span->hi ? hi : span->hi;
}

static void find_static(struct memory_objects *o, struct image_file *f, uint64_t address,
	struct memory_span *out)
{
	const struct range *r;
	uint64_t lo, hi;

	/* A library may be loaded again, at another address. */
	if (!f->variables_known || f->variables_base != f->base)
		add_variables(o, f);
	r = ranges_find(&o->statics, address, &lo, &hi);
	if (r && o->variable[r->value].file != f)       /* of one that was unloaded */
		narrow(out, r->lo, r->hi);
	else if (r)
		*out = (struct memory_span){ r->lo, r->hi, object_of_variable(o, r) };
	else
		narrow(out, lo, hi);
}

/* --- heap ------------------------------------------------------------------------------------- */

static const char *after_slash(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The frames of an allocation, as the names of files want them; stops at
 * a file that is not known. */
static uint32_t frames_of(const struct memory_objects *o, const struct burst_heap_event *e,
	struct binary_frame *frame)
{
	uint32_t n = 0;

	for (; n < BURST_CALLERS && e->callers[n]; n++) {
		const struct image *image = images_find(o->images, e->callers[n]);

		if (!image || !image->file || !image->file->binary)
			frame[n] = (struct binary_frame){ NULL, e->callers[n] };
		else
			frame[n] = (struct binary_frame){ image->file->binary,
				e->callers[n] - image->file->base };
	}
	return n;
}

/* The object of blocks with this name and place: sites in one line that fill one
 * variable are one structure. */
static uint32_t object_find(const struct memory_objects *o, const struct mon_object *of)
{
	const uint32_t n = atomic_load(&o->tables->shm->nobjects);

	for (uint32_t i = MON_OBJ_FIRST; i < n; i++) {
		const struct mon_object *have = &o->tables->shm->objects[i];

		if (have->kind == of->kind && have->name == of->name && have->scope == of->scope &&
		    have->file == of->file && have->line == of->line)
			return i;
	}
	return shm_object(o->tables, of);
}

/* The name of blocks that no variable names: the line of the call, else its function. */
static void site_name(const struct binary_heap *heap, char *out, size_t size)
{
	if (*heap->place.file && heap->place.line)
		snprintf(out, size, "%s:%d", after_slash(heap->place.file), heap->place.line);
	else
		snprintf(out, size, "blocks of %s", heap->place.function->name);
}

static uint32_t object_of_event(struct memory_objects *o, const struct burst_heap_event *e)
{
	struct binary_frame frame[BURST_CALLERS];
	struct mon_object object = { .unit = MON_NO_UNIT, .region = MON_ANY,
		.kind = MON_KIND_HEAP };
	struct binary_heap heap = { .by = BINARY_HEAP_SITE };
	const uint32_t n = frames_of(o, e, frame);
	char name[512];

	if (n)
		binary_heap_name(frame, n, &heap);
	if (!heap.place.function)
		return MON_OBJ_HEAP;
	site_name(&heap, name, sizeof name);
	if (!is_asked(o, heap.name ? heap.name : name))
		return left_out(o);
	object.name = shm_string(o->tables, heap.name ? heap.name : name);
	object.scope = shm_string(o->tables, heap.scope);
	object.file = shm_string(o->tables, heap.place.file);
	object.line = heap.place.line > 0 ? (uint32_t)heap.place.line : 0;
	object.elem = heap.elem;
	object.unit = shm_unit(o->tables, heap.place.function->hash, heap.place.function->source,
		heap.place.function->nregions);
	object.region = object.unit == MON_NO_UNIT ? (uint32_t)MON_ANY : 0;
	return object_find(o, &object);
}

/* The site of an allocation; -1: no room. */
static int site_of(struct memory_objects *o, const struct burst_heap_event *e)
{
	struct object_site s = { .object = MON_OBJ_HEAP };

	for (int i = 0; i < SITE_FRAMES && e->callers[i]; i++)
		s.frame[i] = e->callers[i];
	for (uint32_t i = 0; i < o->nsites; i++)
		if (memcmp(o->site[i].frame, s.frame, sizeof s.frame) == 0)
			return (int)i;
	if (!o->site)
		o->site = calloc(SITES, sizeof *o->site);
	if (!o->site || o->nsites == SITES)
		return -1;
	s.object = object_of_event(o, e);
	if (s.object == MON_ANY)
		s.object = MON_OBJ_HEAP;
	o->site[o->nsites] = s;
	return (int)o->nsites++;
}

static void allocated(struct memory_objects *o, const struct burst_heap_event *e)
{
	const int site = site_of(o, e);
	struct range r = { e->address, e->address + e->size, (uint32_t)site };
	struct object_site *s;

	if (site < 0 || !e->size || r.hi < r.lo || ranges_add(&o->blocks, &r))
		return;
	s = &o->site[site];
	s->live += e->size;
	if (s->object >= MON_OBJ_FIRST && !memory_objects_left_out(o, s->object) &&
	    o->tables->shm->objects[s->object].size < s->live)
		o->tables->shm->objects[s->object].size = s->live;
}

static void less_live(void *objects, uint32_t site, uint64_t bytes)
{
	struct object_site *s = &((struct memory_objects *)objects)->site[site];

	s->live -= s->live < bytes ? s->live : bytes;
}

static void released(struct memory_objects *o, uint64_t address)
{
	struct range r;

	if (ranges_remove(&o->blocks, address, &r))
		less_live(o, r.value, r.hi - r.lo);
}

/* A part of a mapping may go, or several at once. */
static void unmapped(struct memory_objects *o, const struct burst_heap_event *e)
{
	const uint64_t end = (e->address + e->size + 4095) & ~UINT64_C(4095);

	if (end > e->address)
		(void)ranges_cut(&o->blocks, e->address, end, less_live, o);
}

void memory_objects_event(struct memory_objects *o, const struct burst_heap_event *e)
{
	o->changes++;
	if (e->kind == BURST_ALLOC || e->kind == BURST_MAP)
		allocated(o, e);
	else if (e->kind == BURST_FREE)
		released(o, e->address);
	else if (e->kind == BURST_UNMAP)
		unmapped(o, e);
}

/* --- small blocks ----------------------------------------------------------------------------- */

void memory_objects_small(struct memory_objects *o, const struct burst_small *small)
{
	o->small_object = calloc(BURST_SITES, sizeof *o->small_object);
	o->small = o->small_object ? small : NULL;
}

void memory_objects_small_changed(struct memory_objects *o)
{
	o->changes += o->small != NULL;
}

/* The object of a site of small blocks; MON_OBJ_HEAP: it has no name. */
static uint32_t small_object(struct memory_objects *o, uint32_t site)
{
	struct burst_heap_event e = { .kind = BURST_ALLOC };
	uint32_t object;

	if (o->small_object[site])
		return o->small_object[site] - 1;
	memcpy(e.callers, o->small->site[site].callers, sizeof o->small->site[site].callers);
	object = object_of_event(o, &e);
	o->small_object[site] = object + 1;
	return object;
}

/* Narrows the span of heap memory that has no events; names it, if a small block is there. */
static void find_small(struct memory_objects *o, uint64_t address, struct memory_span *out)
{
	uint64_t lo, hi;
	const uint32_t site = small_sites_find(o->small, address, &lo, &hi);
	const uint32_t object = site ? small_object(o, site) : (uint32_t)MON_OBJ_HEAP;

	narrow(out, lo, hi);
	if (object != MON_ANY && object != MON_OBJ_HEAP)
		out->object = object;
}

void memory_objects_small_sizes(struct memory_objects *o, int file)
{
	uint64_t *bytes = o->small ? calloc(BURST_SITES, sizeof *bytes) : NULL;

	if (!bytes)
		return;
	small_sites_bytes(o->small, file, bytes);
	for (uint32_t i = 0; i < BURST_SITES; i++) {
		const uint32_t object = o->small_object[i] ? o->small_object[i] - 1 : MON_ANY;

		if (object != MON_ANY && object >= MON_OBJ_FIRST &&
		    !memory_objects_left_out(o, object))
			o->tables->shm->objects[object].size += bytes[i];
	}
	free(bytes);
}

/* --- any address ------------------------------------------------------------------------------ */

void memory_objects_stack(struct memory_objects *o, uint64_t address)
{
	for (uint32_t i = 0; i < o->nstacks; i++)
		if (o->stack[i] == address)
			return;
	o->stack[o->nstacks < MEMORY_STACKS ? o->nstacks++ : address / 64 % MEMORY_STACKS] =
		address;
	o->changes++;
}

static bool is_stack(const struct memory_objects *o, const struct image *image)
{
	for (uint32_t i = 0; i < o->nstacks; i++)
		if (o->stack[i] - image->lo < image->hi - image->lo)
			return true;
	return false;
}

/* What no event names is one structure, so that what it costs is a problem of its own. */
static uint32_t unnamed(struct memory_objects *o, const struct image *image)
{
	struct mon_object *row;

	if (!o->unnamed)
		o->unnamed = shm_object(o->tables,
			&(struct mon_object){ .name = shm_string(o->tables, "heap without a name"),
			.unit = MON_NO_UNIT, .region = MON_ANY, .kind = MON_KIND_UNNAMED });
	if (o->unnamed == MON_ANY)
		return MON_OBJ_HEAP;
	row = &o->tables->shm->objects[o->unnamed];
	if (row->size < image->hi - image->lo)
		row->size = image->hi - image->lo;
	return o->unnamed;
}

static uint32_t kind_of(struct memory_objects *o, const struct image *image)
{
	switch (image->kind) {
	case IMAGE_STACK: return MON_OBJ_STACK;
	case IMAGE_VDSO: return MON_OBJ_OTHER;
	case IMAGE_FILE: return image->file->binary ? MON_OBJ_IMAGE : MON_OBJ_OTHER;
	default: return image->file ? (uint32_t)MON_OBJ_IMAGE : is_stack(o, image) ?
		(uint32_t)MON_OBJ_STACK : unnamed(o, image);
	}
}

void memory_objects_find(struct memory_objects *o, uint64_t address, struct memory_span *out)
{
	uint64_t lo, hi;
	const struct range *r = ranges_find(&o->blocks, address, &lo, &hi);
	const struct image *image;

	if (r) {
		*out = (struct memory_span){ r->lo, r->hi, o->site[r->value].object };
		return;
	}
	*out = (struct memory_span){ lo, hi, MON_OBJ_OTHER };
	image = images_find(o->images, address);
	if (!image) {
		narrow(out, address & ~UINT64_C(4095), (address | 4095) + 1);
		return;
	}
	narrow(out, image->lo, image->hi);
	out->object = kind_of(o, image);
	if (o->small && o->unnamed && out->object == o->unnamed)
		find_small(o, address, out);
	if (image->file && image->file->binary)
		find_static(o, image->file, address, out);
}
