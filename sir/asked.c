/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a .sir file asks for in a program: regions by file, name, type and line, data
 * structures by name, scope, type and subroutine. */
#include "sir/model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct listed_array {
	const struct sir_array *array;  /* of the file */
	uint32_t region, unit;          /* of the file */
	const char *type;               /* it has another type in the program: that; else NULL */
	bool known;                     /* the program has it */
};

struct sir_asked {
	char *path;                     /* owned */
	struct sir *file;               /* owned */
	const struct sir *program;      /* borrowed */
	uint32_t *by;                   /* of each region of the program: the file's region + 1 that
					 * asks for it; owned */
	bool *found;                    /* of each region of the file; owned */
	struct listed_array *array;     /* by name without case, then by unit; owned */
	uint32_t narrays;
};

/* --- the file --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct listed_array *x = a, *y = b;
	const int c = strcasecmp(x->array->name, y->array->name);

	return c ? c : (x->unit > y->unit) - (x->unit < y->unit);
}

static int list_arrays(struct sir_asked *a)
{
	const struct sir *f = a->file;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nregions; i++)
		n += f->regions[i].narrays;
	a->array = calloc((size_t)n + 1, sizeof *a->array);
	if (!a->array)
		return -1;
	for (uint32_t i = 0; i < f->nregions; i++)
		for (uint32_t k = 0; k < f->regions[i].narrays; k++)
			a->array[a->narrays++] = (struct listed_array){ &f->regions[i].arrays[k], i,
				sir_unit_of(f, i), NULL, false };
	qsort(a->array, a->narrays, sizeof *a->array, by_name);
	return 0;
}

static struct sir *read_document(const char *path, const char *text, size_t len, struct err *err)
{
	struct sir_model m;

	if (model_init(&m)) {
		err_nomem(err);
		return NULL;
	}
	if (xml_read(&m, path, text, len, NULL, err)) {
		model_drop(&m);
		return NULL;
	}
	return model_finish(&m, err);
}

struct sir_asked *sir_asked_new(const char *path, const char *text, size_t len, struct err *err)
{
	struct sir_asked *a = calloc(1, sizeof *a);

	if (!a) {
		err_nomem(err);
		return NULL;
	}
	a->file = read_document(path, text, len, err);
	if (a->file) {
		a->path = strdup(path);
		a->found = calloc((size_t)a->file->nregions + 1, sizeof *a->found);
		if (a->path && a->found && !list_arrays(a))
			return a;
		err_nomem(err);
	}
	sir_asked_free(a);
	return NULL;
}

void sir_asked_free(struct sir_asked *a)
{
	if (!a)
		return;
	sir_free(a->file);
	free(a->path);
	free(a->by);
	free(a->found);
	free(a->array);
	free(a);
}

struct sir_asked_count sir_asked_count(const struct sir_asked *a)
{
	struct sir_asked_count n = { .regions = a->file->nregions, .arrays = a->narrays };

	for (uint32_t i = 0; i < n.regions; i++)
		n.found += a->found[i];
	return n;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* How many components at the ends of two paths are the same.  The files of another build may be in
 * another directory. */
static uint32_t same_end(const char *a, const char *b)
{
	size_t i = strlen(a), k = strlen(b);
	uint32_t n = 0;

	while (i && k && a[i - 1] == b[k - 1]) {
		n += a[i - 1] == '/';
		i--;
		k--;
	}
	return n + ((!i || a[i - 1] == '/') && (!k || b[k - 1] == '/'));
}

static bool same_name(const struct sir *s, const struct sir_region *r, const char *a, const char *b)
{
	return (sir_is_fortran(s, r) ? strcasecmp(a, b) : strcmp(a, b)) == 0;
}

static bool same_kind(const struct sir_region *a, const struct sir_region *b)
{
	if (!a->unit_type != !b->unit_type || a->type != b->type)
		return false;
	return a->unit_type || !a->kind || !b->kind || strcmp(a->kind, b->kind) == 0;
}

/* How well a unit of the program fits one of the file: 0 not at all.  A symbol tells functions of
 * one name apart, the file's path functions of one name in several directories. */
static uint32_t unit_fits(const struct sir *file, const struct sir_region *f,
	const struct sir_region *p)
{
	const uint32_t ends = same_end(f->file, p->file);

	if (!p->unit_type || !same_name(file, f, f->name, p->name) || !ends)
		return 0;
	return ends + (f->symbol && p->symbol && strcmp(f->symbol, p->symbol) == 0 ? 1u << 16 : 0);
}

static uint32_t lines_apart(const struct sir_region *a, const struct sir_region *b)
{
	return (uint32_t)abs(a->line - b->line);
}

/* The unit of the program; of several that fit equally well, the one whose line is nearest.
 * SIR_NONE: there is none. */
static uint32_t find_unit(const struct sir *file, const struct sir_region *f,
	const struct sir *program)
{
	uint32_t best = 0, at = SIR_NONE;

	for (uint32_t i = 0; i < program->nregions; i++) {
		const struct sir_region *p = &program->regions[i];
		const uint32_t fits = unit_fits(file, f, p);

		if (fits > best || (fits && fits == best &&
		    lines_apart(f, p) < lines_apart(f, &program->regions[at]))) {
			best = fits;
			at = i;
		}
	}
	return at;
}

/* Lines are counted from the unit's first one where both files tell it: another build may have
 * other lines before the unit. */
static bool same_line(const struct sir_region *f, const struct sir_region *f_unit,
	const struct sir_region *p, const struct sir_region *p_unit)
{
	if (!f->line)
		return true;
	return f_unit->line && p_unit->line ? f->line - f_unit->line == p->line - p_unit->line :
		f->line == p->line;
}

/* Marks the regions of a unit of the program that a region of the file's unit asks for. */
static void match_region(struct sir_asked *a, uint32_t id, uint32_t unit, uint32_t in)
{
	const struct sir *p = a->program;
	const struct sir_region *f = &a->file->regions[id];

	/* Units inside it may stand between its regions. */
	for (uint32_t i = in + 1; i < p->nregions && p->regions[i].parent != SIR_NONE; i++)
		if (sir_unit_of(p, i) == in && same_kind(f, &p->regions[i]) &&
		    same_end(f->file, p->regions[i].file) &&
		    same_name(a->file, f, f->name, p->regions[i].name) &&
		    same_line(f, &a->file->regions[unit], &p->regions[i], &p->regions[in])) {
			a->by[i] = id + 1;
			a->found[id] = true;
		}
}

/* --- arrays ----------------------------------------------------------------------------------- */

static bool same_scope(const char *a, const char *b)
{
	return !a || !b || strcasecmp(a, b) == 0;
}

/* Is the array in this region of the program?  It is then known, or its type differs. */
static bool find_array(struct sir_asked *a, struct listed_array *l, const struct sir_region *p)
{
	const struct sir_region *f = &a->file->regions[l->region];
	const char *type = l->array->type;

	for (uint32_t i = 0; i < p->narrays; i++) {
		const struct sir_array *have = &p->arrays[i];

		if (!same_name(a->file, f, l->array->name, have->name) ||
		    !same_scope(l->array->scope, have->scope))
			continue;
		l->known = !type || !have->type || strcasecmp(type, have->type) == 0;
		l->type = l->known ? NULL : have->type;
		return true;
	}
	return false;
}

/* Looks an array up in the regions of the program that its region asks for, or its unit. */
static void match_array(struct sir_asked *a, struct listed_array *l)
{
	for (int in_unit = 0; in_unit < 2; in_unit++) {
		const uint32_t id = 1 + (in_unit ? l->unit : l->region);

		for (uint32_t i = 0; i < a->program->nregions; i++)
			if (a->by[i] == id && find_array(a, l, &a->program->regions[i]))
				return;
	}
}

int sir_asked_match(struct sir_asked *a, const struct sir *program, struct err *err)
{
	const struct sir *f = a->file;
	uint32_t *by = calloc((size_t)program->nregions + 1, sizeof *by);
	uint32_t *in = calloc((size_t)f->nregions + 1, sizeof *in);

	if (!by || !in) {
		free(by);
		free(in);
		return err_nomem(err);
	}
	free(a->by);
	a->by = by;
	a->program = program;
	for (uint32_t i = 0; i < f->nregions; i++) {    /* a unit stands before its regions */
		const uint32_t unit = sir_unit_of(f, i);

		if (unit != i) {
			if (in[unit] != SIR_NONE)
				match_region(a, i, unit, in[unit]);
			continue;
		}
		in[i] = find_unit(f, &f->regions[i], program);
		if (in[i] != SIR_NONE) {
			by[in[i]] = i + 1;
			a->found[i] = true;
		}
	}
	free(in);
	for (uint32_t i = 0; i < a->narrays; i++)
		match_array(a, &a->array[i]);
	return 0;
}

/* --- questions -------------------------------------------------------------------------------- */

bool sir_asked_region(const struct sir_asked *a, uint32_t region)
{
	return region < a->program->nregions && a->by[region];
}

/* Dummy arguments and local variables are those of one subroutine. */
static bool of_unit(const struct sir_asked *a, const struct listed_array *l, uint32_t unit)
{
	if (l->array->cls != SIR_CLASS_DUMMY && l->array->cls != SIR_CLASS_LOCAL)
		return true;
	return unit < a->program->nregions && a->by[unit] == l->unit + 1;
}

bool sir_asked_structure(struct sir_asked *a, const char *name, const char *scope, uint32_t unit)
{
	uint32_t lo = 0, hi = a->narrays;
	bool asked = !a->narrays;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (strcasecmp(a->array[mid].array->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < a->narrays && strcasecmp(a->array[lo].array->name, name) == 0; lo++) {
		struct listed_array *l = &a->array[lo];

		if (!l->type && same_scope(l->array->scope, scope) && of_unit(a, l, unit) &&
		    same_name(a->file, &a->file->regions[l->region], l->array->name, name))
			asked = l->known = true;
	}
	return asked;
}

void sir_asked_names(const struct sir_asked *a, struct buf *out)
{
	for (uint32_t i = 0; i < a->narrays; i++)
		if (!i || strcmp(a->array[i].array->name, a->array[i - 1].array->name) != 0)
			buf_printf(out, "%s\n", a->array[i].array->name);
}

/* --- what is missing -------------------------------------------------------------------------- */

static void describe_array(const struct sir_asked *a, const struct listed_array *l, struct buf *out)
{
	const char *unit = a->file->regions[l->unit].name;

	buf_printf(out, "%s:%d: array %s of %s ", a->path, l->array->xml_line, l->array->name,
		unit);
	if (l->type)
		buf_printf(out, "is of type %s in the program, not %s", l->type, l->array->type);
	else
		buf_puts(out, "was not found in the program");
}

/* The arrays of one name and unit are one: is it missing?  *end: the first of the next ones. */
static bool array_missing(const struct sir_asked *a, uint32_t first, uint32_t *end)
{
	bool known = false;

	for (*end = first; *end < a->narrays && !by_name(&a->array[first], &a->array[*end]); ++*end)
		known |= a->array[*end].known;
	return !known;
}

static int tell_region(const struct sir_asked *a, uint32_t id,
	int (*tell)(void *to, const char *what), void *to)
{
	struct buf b = BUF_INIT;
	int rc;

	buf_printf(&b, "%s:%d: ", a->path, a->file->regions[id].xml_line);
	sir_describe(a->file, id, &b);
	buf_puts(&b, " was not found in the program");
	rc = b.failed ? -1 : tell(to, buf_str(&b));
	buf_free(&b);
	return rc;
}

int sir_asked_missing(const struct sir_asked *a, int (*tell)(void *to, const char *what), void *to)
{
	const struct sir *f = a->file;
	struct buf b = BUF_INIT;
	uint32_t end;
	int rc = 0;

	/* A unit that is missing stands for all that is in it. */
	for (uint32_t i = 0; i < f->nregions && !rc; i++)
		if (!a->found[i] && (f->regions[i].parent == SIR_NONE ||
		    a->found[f->regions[i].parent]))
			rc = tell_region(a, i, tell, to);
	for (uint32_t i = 0; i < a->narrays && !rc; i = end) {
		if (!array_missing(a, i, &end) || !a->found[a->array[i].unit])
			continue;
		buf_clear(&b);
		describe_array(a, &a->array[i], &b);
		rc = b.failed ? -1 : tell(to, buf_str(&b));
	}
	buf_free(&b);
	return rc;
}
