/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a compiled program as bytes and reads it back: front end compiles, agents evaluate.
 * The reader trusts no byte: it checks every count against the bytes that are left and every index
 * against its table, and verifies all code.
 *
 *     "ASLB", version, length of the rest; files; enumerations; classes; numbers; texts; attribute
 *     references; constants; properties.  A table is a count and that many entries; a text is a
 *     length and that many bytes; integers have 32 bits, little-endian, -1 for none; an instruction
 *     is 4 x 16 bits. */
#include "asl/code.h"
#include "base/buf.h"

#include <limits.h>
#include <string.h>

#define MAGIC "ASLB"
#define VERSION 1
#define HEADER 12
#define MAX_BASES 255           /* of a class: bounds the cost of asl_class_is() in the verifier */

/* --- writing --- */
static void put_int(struct buf *out, int v)
{
	buf_u32(out, (uint32_t)v);
}

static void put_texts(struct buf *out, const char *const *s, int n)
{
	put_int(out, n);
	for (int i = 0; i < n; i++)
		buf_string(out, s[i]);
}

static void put_ints(struct buf *out, const int *v, int n)
{
	put_int(out, n);
	for (int i = 0; i < n; i++)
		put_int(out, v[i]);
}

static void put_reads(struct buf *out, const struct asl_read *r, int n)
{
	put_int(out, n);
	for (int i = 0; i < n; i++) {
		put_int(out, r[i].cls);
		put_int(out, r[i].attr);
	}
}

static void put_class(struct buf *out, const struct class_info *c)
{
	buf_string(out, c->name);
	put_int(out, c->base);
	put_int(out, c->nattrs);
	for (int i = 0; i < c->nattrs; i++) {
		const struct class_attr *a = &c->attrs[i];

		buf_string(out, a->name);
		buf_u8(out, (uint8_t)a->kind);
		put_int(out, a->ref);
		buf_u8(out, a->array);
	}
}

static int file_number(const struct asl_program *p, const char *file)
{
	int i = 0;

	while (i < p->nfiles && p->files[i] != file)
		i++;
	return i;
}

static void put_code(struct buf *out, const struct asl_program *p, const struct code *code)
{
	const struct asl_property *pub = &code->pub;

	buf_string(out, pub->name);
	put_int(out, file_number(p, pub->file));
	put_int(out, pub->line);
	put_int(out, pub->basis);
	buf_u8(out, pub->severity_is_time);
	buf_u32(out, pub->fixes);
	put_ints(out, pub->param_class, pub->nparams);
	put_ints(out, pub->parents, pub->nparents);
	put_ints(out, pub->metrics, pub->nmetrics);
	put_reads(out, pub->reads, pub->nreads);
	put_reads(out, pub->severity_reads, pub->nseverity_reads);
	put_int(out, code->nnum);
	put_int(out, code->nset);
	put_int(out, code->ntext);
	put_ints(out, code->obj_class, code->nobj);
	put_int(out, code->ninsn);
	for (int i = 0; i < code->ninsn; i++) {
		const struct insn *n = &code->insn[i];

		buf_u64(out, n->op | (uint64_t)n->a << 16 | (uint64_t)n->b << 32 |
			(uint64_t)n->c << 48);
		put_int(out, code->where[i].file);
		put_int(out, code->where[i].line);
		put_int(out, code->where[i].col);
	}
	put_int(out, code->nparts);
	for (int i = 0; i < code->nparts; i++) {
		put_int(out, code->parts[i].attr);
		put_code(out, p, &code->parts[i].code);
	}
}

static void put_program(struct buf *out, const struct asl_program *p)
{
	put_texts(out, p->files, p->nfiles);
	put_int(out, p->nenums);
	for (int i = 0; i < p->nenums; i++) {
		buf_string(out, p->enums[i].name);
		put_texts(out, p->enums[i].items, p->enums[i].nitems);
	}
	put_int(out, p->nclasses);
	for (int i = 0; i < p->nclasses; i++)
		put_class(out, &p->classes[i]);
	put_int(out, p->nnumbers);
	for (int i = 0; i < p->nnumbers; i++)
		buf_f64(out, p->numbers[i]);
	put_texts(out, p->texts, p->ntexts);
	put_reads(out, p->reads, p->nreads);
	put_int(out, p->nconstants);
	for (int i = 0; i < p->nconstants; i++) {
		buf_string(out, p->constants[i].name);
		buf_string(out, p->constants[i].value);
		buf_string(out, p->constants[i].origin);
	}
	put_int(out, p->nprops);
	for (int i = 0; i < p->nprops; i++)
		put_code(out, p, &p->props[i]);
}

void asl_image_write(const struct asl_program *p, struct buf *out)
{
	struct buf body = BUF_INIT;

	put_program(&body, p);
	if (body.failed)
		out->failed = true;
	buf_add(out, MAGIC, 4);
	buf_u32(out, VERSION);
	buf_u32(out, (uint32_t)body.len);
	buf_add(out, body.data, body.len);
	buf_free(&body);
}

/* --- reading: stops at the first fault, which it describes --- */
struct reader {
	struct cursor in;
	struct arena *arena;
	struct asl_program *prog;
	struct err *err;
	bool described;
};

static void refuse(struct reader *r, const char *what)
{
	if (!r->described)
		err_set(r->err, "byte %zu: %s", HEADER + r->in.pos, r->in.failed ?
			"ends too early" : what);
	r->described = true;
	r->in.failed = true;
}

static void *room(struct reader *r, int n, size_t size)
{
	void *p = r->in.failed ? NULL : arena_array(r->arena, (size_t)n, size);

	if (!p && !r->in.failed) {
		r->described = true;
		r->in.failed = true;
		err_nomem(r->err);
	}
	return p;
}

/* A count of entries of at least `bytes` bytes each; 0 with an error when too few bytes are
 * left. */
static int count(struct reader *r, size_t bytes)
{
	uint32_t n = cur_u32(&r->in);

	if (!r->in.failed && n > (r->in.len - r->in.pos) / bytes)
		refuse(r, "more entries than bytes");
	return r->in.failed || n > INT_MAX ? 0 : (int)n;
}

static int integer(struct reader *r)
{
	uint32_t v = cur_u32(&r->in);

	return v <= INT_MAX ? (int)v : -1;
}

/* An index from `least` (-1: "none" is valid) to limit - 1. */
static int index_of(struct reader *r, int least, int limit, const char *what)
{
	int v = (int)cur_u32(&r->in);

	if (!r->in.failed && (v < least || v >= limit))
		refuse(r, what);
	return r->in.failed ? 0 : v;
}

static bool truth(struct reader *r)
{
	unsigned v = cur_u8(&r->in);

	if (v > 1)
		refuse(r, "neither true nor false");
	return v == 1;
}

static const char *text(struct reader *r)
{
	int n = count(r, 1);
	const char *s = (const char *)r->in.data + r->in.pos;
	char *copy;

	if (r->in.failed)
		return "";
	if (memchr(s, '\0', (size_t)n))
		refuse(r, "NUL in a text");
	copy = room(r, n + 1, 1);
	if (copy)
		memcpy(copy, s, (size_t)n);
	r->in.pos += (size_t)n;
	return copy ? copy : "";
}

static const char **texts(struct reader *r, int *n)
{
	const char **s;

	*n = count(r, 4);
	s = room(r, *n, sizeof *s);
	for (int i = 0; i < *n && !r->in.failed; i++)
		s[i] = text(r);
	return s;
}

static int *indexes(struct reader *r, int *n, int limit, const char *what)
{
	int *v;

	*n = count(r, 4);
	v = room(r, *n, sizeof *v);
	for (int i = 0; i < *n && !r->in.failed; i++)
		v[i] = index_of(r, 0, limit, what);
	return v;
}

static struct asl_read *reads(struct reader *r, int *n)
{
	const struct asl_program *p = r->prog;
	struct asl_read *v;

	*n = count(r, 8);
	v = room(r, *n, sizeof *v);
	for (int i = 0; i < *n && !r->in.failed; i++) {
		v[i].cls = index_of(r, 0, p->nclasses, "no such class");
		if (!r->in.failed)
			v[i].attr = index_of(r, 0, p->classes[v[i].cls].nattrs,
				"no such attribute");
	}
	return v;
}

/* --- the data model --- */
static void get_enums(struct reader *r)
{
	struct asl_program *p = r->prog;

	p->nenums = count(r, 8);
	p->enums = room(r, p->nenums, sizeof *p->enums);
	for (int i = 0; i < p->nenums && !r->in.failed; i++) {
		p->enums[i].name = text(r);
		p->enums[i].items = texts(r, &p->enums[i].nitems);
	}
}

static void get_attr(struct reader *r, struct class_attr *a)
{
	const struct asl_program *p = r->prog;
	int limit = INT_MAX;

	a->name = text(r);
	a->kind = (enum kind)cur_u8(&r->in);
	switch (a->kind) {
	case K_BOOL: case K_INT: case K_FLOAT: case K_STRING:
		break;
	case K_ENUM:
		limit = p->nenums;
		break;
	case K_OBJECT: case K_SET:
		limit = p->nclasses;
		break;
	default:
		refuse(r, "no such kind of attribute");
	}
	a->ref = index_of(r, limit == INT_MAX ? INT_MIN : 0, limit, "no such class or enumeration");
	a->array = truth(r);
}

static void get_classes(struct reader *r)
{
	struct asl_program *p = r->prog;

	p->nclasses = count(r, 12);
	p->classes = room(r, p->nclasses, sizeof *p->classes);
	for (int i = 0; i < p->nclasses && !r->in.failed; i++) {
		struct class_info *c = &p->classes[i];

		c->name = text(r);
		c->base = index_of(r, -1, p->nclasses, "no such base class");
		c->nattrs = count(r, 10);
		c->attrs = room(r, c->nattrs, sizeof *c->attrs);
		for (int k = 0; k < c->nattrs && !r->in.failed; k++)
			get_attr(r, &c->attrs[k]);
	}
}

/* Whether inherited attributes have the numbers and types of the base class. */
static bool inherits(const struct class_info *c, const struct class_info *base)
{
	if (c->nattrs < base->nattrs)
		return false;
	for (int i = 0; i < base->nattrs; i++)
		if (c->attrs[i].kind != base->attrs[i].kind || c->attrs[i].ref != base->attrs[i].ref
				|| c->attrs[i].array != base->attrs[i].array)
			return false;
	return true;
}

static void check_classes(struct reader *r)
{
	const struct asl_program *p = r->prog;

	for (int i = 0; i < p->nclasses && !r->in.failed; i++) {
		int depth = 0;

		for (int c = p->classes[i].base; c >= 0 && depth <= MAX_BASES;
		     c = p->classes[c].base)
			depth++;
		if (depth > MAX_BASES)
			refuse(r, "a class extends itself, or too many others");
		else if (p->classes[i].base >= 0
				&& !inherits(&p->classes[i], &p->classes[p->classes[i].base]))
			refuse(r, "a class has not what it inherits");
	}
}

/* --- pools --- */
static void get_pools(struct reader *r)
{
	struct asl_program *p = r->prog;

	p->nnumbers = count(r, 8);
	p->numbers = room(r, p->nnumbers, sizeof *p->numbers);
	for (int i = 0; i < p->nnumbers && !r->in.failed; i++)
		p->numbers[i] = cur_f64(&r->in);
	p->texts = texts(r, &p->ntexts);
	p->reads = reads(r, &p->nreads);
	p->nconstants = count(r, 12);
	p->constants = room(r, p->nconstants, sizeof *p->constants);
	for (int i = 0; i < p->nconstants && !r->in.failed; i++) {
		p->constants[i].name = text(r);
		p->constants[i].value = text(r);
		p->constants[i].origin = text(r);
	}
}

/* --- properties --- */
static void get_public(struct reader *r, struct asl_property *pub)
{
	const struct asl_program *p = r->prog;
	int file;

	pub->name = text(r);
	file = index_of(r, 0, p->nfiles, "no such file");
	pub->line = integer(r);
	pub->basis = index_of(r, -1, MAX_OBJ, "no such parameter");
	pub->severity_is_time = truth(r);
	pub->fixes = cur_u32(&r->in);
	pub->param_class = indexes(r, &pub->nparams, p->nclasses, "no such class");
	pub->parents = indexes(r, &pub->nparents, p->nprops, "no such property");
	if (!r->in.failed && (pub->nparams < 1 || pub->nparams > MAX_OBJ ||
	    pub->basis >= pub->nparams))
		refuse(r, "no such parameter");
	if (r->in.failed)
		return;
	pub->file = p->files[file];
	pub->context = pub->param_class[0];
	pub->metrics = indexes(r, &pub->nmetrics, p->classes[pub->context].nattrs,
		"no such attribute");
	pub->reads = reads(r, &pub->nreads);
	pub->severity_reads = reads(r, &pub->nseverity_reads);
}

static void get_insns(struct reader *r, struct code *code)
{
	code->ninsn = count(r, 20);
	code->insn = room(r, code->ninsn, sizeof *code->insn);
	code->where = room(r, code->ninsn, sizeof *code->where);
	for (int i = 0; i < code->ninsn && !r->in.failed; i++) {
		uint64_t bits = cur_u64(&r->in);

		code->insn[i] = (struct insn){ (uint16_t)bits, (uint16_t)(bits >> 16),
			(uint16_t)(bits >> 32), (uint16_t)(bits >> 48) };
		code->where[i].file = index_of(r, 0, r->prog->nfiles, "no such file");
		code->where[i].line = integer(r);
		code->where[i].col = integer(r);
	}
}

static void get_code(struct reader *r, struct code *code, bool is_part)
{
	get_public(r, &code->pub);
	code->nnum = integer(r);
	code->nset = integer(r);
	code->ntext = integer(r);
	code->obj_class = indexes(r, &code->nobj, r->prog->nclasses, "no such class");
	get_insns(r, code);
	code->nparts = count(r, 8);
	if (code->nparts > (is_part ? 0 : ASL_MAX_PARTS))
		refuse(r, "too many parts");
	code->parts = room(r, code->nparts, sizeof *code->parts);
	for (int i = 0; i < code->nparts && !r->in.failed; i++) {
		code->parts[i].attr = integer(r);
		get_code(r, &code->parts[i].code, true);
	}
}

/* Rejects cycles of REFINES: visits each property after its last parent. */
static void check_refines(struct reader *r)
{
	const struct asl_program *p = r->prog;
	int n = p->nprops, done = 0, *at = room(r, n, sizeof *at),
		*stack = room(r, n, sizeof *stack);
	enum { FRESH, OPEN, DONE } *state = room(r, n, sizeof *state);

	for (int i = 0; i < n && !r->in.failed; i++) {
		int depth = 0;

		if (state[i] == FRESH)
			stack[depth++] = i;
		while (depth && !r->in.failed) {
			int now = stack[depth - 1];
			const struct asl_property *pub = &p->props[now].pub;

			state[now] = OPEN;
			if (at[now] == pub->nparents) {
				state[now] = DONE;
				done++;
				depth--;
				continue;
			}
			now = pub->parents[at[now]++];
			if (state[now] == OPEN)
				refuse(r, "a property refines itself");
			else if (state[now] == FRESH)
				stack[depth++] = now;
		}
	}
}

static void get_properties(struct reader *r)
{
	struct asl_program *p = r->prog;
	struct err err;

	p->nprops = count(r, 65);
	p->props = room(r, p->nprops, sizeof *p->props);
	for (int i = 0; i < p->nprops && !r->in.failed; i++) {
		get_code(r, &p->props[i], false);
		if (r->in.failed || asl_verify(p, &p->props[i], &err) == 0)
			continue;
		err_set(r->err, "code of '%.100s': %s", p->props[i].pub.name, err.text);
		r->described = true;
		r->in.failed = true;
	}
	check_refines(r);
}

static int get_header(struct reader *r, const void *bytes, size_t n)
{
	r->in = (struct cursor){ bytes, n, 0, false };
	if (n < HEADER || memcmp(bytes, MAGIC, 4) != 0)
		return err_set(r->err, "not compiled properties");
	r->in.pos = 4;
	if (cur_u32(&r->in) != VERSION)
		return err_set(r->err, "compiled by another version of Periscope/C");
	if (cur_u32(&r->in) != n - HEADER)
		return err_set(r->err, "cut off, or more than one image");
	r->in = (struct cursor){ (const uint8_t *)bytes + HEADER, n - HEADER, 0, false };
	return 0;
}

struct asl_program *asl_image_read(const void *bytes, size_t n, struct err *err)
{
	struct reader r = { .err = err };

	if (get_header(&r, bytes, n) < 0)
		return NULL;
	r.arena = arena_new();
	r.prog = r.arena ? arena_alloc(r.arena, sizeof *r.prog) : NULL;
	if (!r.prog) {
		arena_free(r.arena);
		err_nomem(err);
		return NULL;
	}
	r.prog->arena = r.arena;
	r.prog->max_steps = MAX_STEPS;
	r.prog->files = texts(&r, &r.prog->nfiles);
	get_enums(&r);
	get_classes(&r);
	check_classes(&r);
	get_pools(&r);
	get_properties(&r);
	if (!r.in.failed && r.in.pos != r.in.len)
		refuse(&r, "more than the properties");
	if (!r.in.failed)
		return r.prog;
	refuse(&r, NULL);
	arena_free(r.arena);
	return NULL;
}
