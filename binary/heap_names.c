/* SPDX-License-Identifier: BSD-3-Clause */
/* Names a heap block by the frames that allocate it: where the pointer is stored, or, where only
 * the line of the call is known, by that. */
#include "binary/holder_names.h"

#include <dwarf.h>
#include <string.h>

/* What the code of a frame tells of the block. */
struct in_frame {
	struct binary_place place;
	bool system;            /* the function is one of the system */
	bool method;            /* it is called for an object */
	bool returned;          /* it returns the block */
	bool nameless;          /* no symbol names the function */
	struct holder_name name;
};

/* Functions without lines are of the system if their file is a run-time system's: most programs and
 * libraries of a distribution have no lines, and their functions are what the user looks for. */
static bool of_system(const struct binary_frame *f, const struct code_function *c)
{
	return c->unit ? source_is_system(c->entries[0]->regions[0].file) :
		binary_is_run_time(f->binary->path);
}

/* The functions of the C library, of the dynamic loader and of the recorder have no name for a
 * block, be they compiled with debugging information or not. */
static bool of_allocator(const struct binary_frame *f)
{
	static const char *const names[] = { "libc.so", "libc-2", "ld-linux", "libpscburst" };
	const char *slash = strrchr(f->binary->path, '/'), *name = slash ? slash + 1 :
		f->binary->path;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool frame_code(const struct binary_frame *f, struct code_function **code,
	struct in_frame *to)
{
	/* The instruction of the call is before the return address. */
	if (!f->binary || of_allocator(f) || !binary_place_at(f->binary, f->address - 1,
	    &to->place))
		return false;
	*code = binary_code_at(f->binary, f->address - 1);
	if (!*code)
		return false;
	to->system = of_system(f, *code);
	to->nameless = !(*code)->unit && !(*code)->symbol;
	to->method = (*code)->unit && dwarf_hasattr_integrate(&(*code)->die, DW_AT_object_pointer);
	return true;
}

/* Whether the call before the return address can be that of the function of the inner frame: frames
 * are words found on the stack, of which some are left from earlier calls. */
static bool calls(const struct binary_frame *f, const struct binary_frame *inner)
{
	uint64_t target = trace_target(f->binary, f->address);
	const struct code_function *from, *to;

	if (!target || !inner->binary || inner->binary != f->binary)
		return true;
	from = binary_code_at(f->binary, target);
	to = binary_code_at(inner->binary, inner->address - 1);
	/* A stub of the procedure linkage table is no function. */
	return !from || !to || from == to;
}

static bool better(const struct holder_name *x, const struct holder_name *y)
{
	return x->by != y->by ? x->by < y->by : x->by == BINARY_HEAP_LOCAL &&
		x->inlined < y->inlined;
}

struct search {
	struct pointer_trace trace;
	struct holder_name best;
};

/* A static variable is the best name, a member the next; a local variable will do. */
static bool take(void *context, const struct holder *h)
{
	struct search *s = context;
	struct holder_name name;

	if (holder_name(&s->trace, h, &name) && better(&name, &s->best))
		s->best = name;
	return s->best.by != BINARY_HEAP_STATIC && s->best.by != BINARY_HEAP_MEMBER;
}

/* Whether the call is that of a function that stores the block's address where
 * its first argument says. */
static bool stores_block(const struct binary_frame *f)
{
	uint64_t target = trace_target(f->binary, f->address);
	const char *name = target ? binary_import(f->binary, target) : NULL;
	const struct symbol *s = target && !name ? binary_symbol_at(f->binary, target, true) : NULL;

	name = s ? s->name : name;
	return name && strcmp(name, "posix_memalign") == 0;
}

static void follow(const struct binary_frame *f, struct code_function *code, struct in_frame *to)
{
	struct search s = { .trace = { .b = f->binary, .code = code, .holder = take,
		.context = &s }, .best = { .by = BINARY_HEAP_SITE } };
	struct value_origin place;

	if (!stores_block(f))
		to->returned = trace_pointer(&s.trace, f->address);
	else if (trace_argument(&s.trace, f->address, &place) && place.kind == ORIGIN_ADDRESS)
		to->returned = trace_stored(&s.trace, f->address, &place);
	to->name = s.best;
}

/* The object that a function of the system was called for has the block. */
static void follow_object(const struct binary_frame *f, struct code_function *code,
	struct in_frame *to)
{
	struct pointer_trace t = { .b = f->binary, .code = code };
	struct value_origin object;

	to->name = (struct holder_name){ .by = BINARY_HEAP_SITE };
	to->returned = false;
	if (trace_argument(&t, f->address, &object))
		holder_object_name(&t, &object, &to->name);
}

static void set(struct binary_heap *heap, const struct in_frame *in, uint32_t frame)
{
	if (in->system && in->returned) {       /* such as operator new, whose caller is not
						 * known */
		*heap = (struct binary_heap){ .by = BINARY_HEAP_SITE };
		return;
	}
	*heap = (struct binary_heap){ .by = in->name.by, .name = in->name.name,
		.scope = in->name.scope, .type = in->name.type, .elem = in->name.elem,
		.place = in->place, .frame = frame };
}

/* What a frame tells, by what is known of the one inside: it has returned the block, or is a
 * function of the system that keeps it for an object. */
static void look(const struct binary_frame *f, struct code_function *code,
	const struct in_frame *inner,
	struct in_frame *in)
{
	in->name = (struct holder_name){ .by = BINARY_HEAP_SITE };
	in->returned = false;
	if (!inner || inner->returned)
		follow(f, code, in);
	else if (inner->method)
		follow_object(f, code, in);
}

/* Whether the callers have nothing better. */
static bool is_last(const struct in_frame *in)
{
	return !in->system && !in->nameless &&
		(!in->returned || in->name.by == BINARY_HEAP_STATIC ||
		in->name.by == BINARY_HEAP_MEMBER);
}

/* Whether a frame names the block better than the one inside.  A caller of the system, such as what
 * calls main, has no name for the user's block.  A function without a symbol is replaced by its
 * caller in the same file, if that has one. */
static bool names_better(const struct binary_frame *f, const struct in_frame *in,
	const struct binary_frame *inner, const struct in_frame *before)
{
	if (before->system)
		return true;
	if (in->system || !before->nameless || before->returned)
		return !in->system;
	return !in->nameless && f->binary == inner->binary;
}

void binary_heap_name(const struct binary_frame *frames, uint32_t n, struct binary_heap *heap)
{
	const struct binary_frame *inner = NULL;
	struct in_frame in, before = { .system = false };
	struct code_function *code;

	*heap = (struct binary_heap){ .by = BINARY_HEAP_SITE };
	for (uint32_t i = 0; i < n; i++) {
		if (!frame_code(&frames[i], &code, &in) || (inner && !calls(&frames[i], inner)))
			continue;
		look(&frames[i], code, inner ? &before : NULL, &in);
		if (!inner || names_better(&frames[i], &in, inner, &before))
			set(heap, &in, i);
		if (is_last(&in))
			return;
		before = in;
		inner = &frames[i];
	}
}
