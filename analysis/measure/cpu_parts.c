/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the phase's processor time into what is modelled or measured and what is not, and
 * names places. */
#include "analysis/measure/cpu_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/fault_costs.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/thread_times.h"

#define NAMED 0.1               /* share of a part: names with less are left out */
enum { MOST_NAMES = 3, MATH_MOST = 32 };

static double part(double value, double *rest)
{
	double taken = fmin(fmax(value, 0), *rest);

	*rest -= taken;
	return taken;
}

void measured_cpu_parts(const struct measurements *p, struct cpu_parts *out)
{
	const struct kernel_use use = kernel_use_phase(p);
	struct tally all;
	double rest;

	*out = (struct cpu_parts){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	if (!p->estimated || p->modelled || !measured_tally(p, 0, MON_ANY, &all))
		return;
	rest = all.estimate.time;
	out->memory = part(all.estimate.stall, &rest);
	/* Only the phase's part is known where threads did not read their own. */
	if (!isnan(use.time)) {
		out->kernel = part(all.estimate.kernel + all.estimate.waits > 0 ?
			all.estimate.kernel : use.time, &rest);
		out->faults = fmin(use.fault_time, out->kernel);
	}
	out->library = part(all.estimate.library, &rest);
	out->computing = part(all.estimate.computing, &rest);
	out->branches = part(all.estimate.branches, &rest);
	out->computing_low = fmin(all.estimate.computing_low, out->computing);
	out->computing_high = fmax(out->computing, all.estimate.computing_high);
	out->unexplained = rest;
}

/* --- names ----------------------------------------------------------------------------------- */

struct named {
	const char *name;       /* `length` bytes of a text of the program's structure */
	size_t length;
	double amount;
};
struct names { struct named *all; size_t n, most; };

static int by_amount(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strncmp(x->name, y->name, x->length < y->length ? x->length : y->length);

	if (x->amount != y->amount)
		return x->amount < y->amount ? 1 : -1;
	return c ? c : (x->length > y->length) - (x->length < y->length);
}

/* Adds the amount to the entry with that name; a name for which there is no room is left out. */
static void add_named(struct names *to, const char *name, size_t length, double amount)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->all[i].length == length && memcmp(to->all[i].name, name, length) == 0) {
			to->all[i].amount += amount;
			return;
		}
	if (to->n < to->most)
		to->all[to->n++] = (struct named){ name, length, amount };
}

/* s: the processor time of all threads in the context, without the contexts inside it that have
 * markers. */
static double own_cpu(const struct measurements *p, uint32_t context)
{
	double own = measured_cpu(p, context);

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next)
		own -= p->contexts[c].brief && !p->contexts[context].brief ? 0 : measured_cpu(p, c);
	return fmax(0, own);
}

/* Appends the names with most of the sum, by amount. */
static void put_named(struct names *names, double sum, struct buf *out)
{
	const struct named *it = names->all;

	qsort(names->all, names->n, sizeof *names->all, by_amount);
	for (size_t i = 0; i < names->n && i < MOST_NAMES && it[i].amount > NAMED * sum; i++)
		buf_printf(out, "%s%.*s", i ? ", " : "", (int)it[i].length, it[i].name);
}

/* The end of the regions inside a unit: the structure has them behind it. */
static uint32_t unit_end(const struct sir *s, uint32_t unit)
{
	uint32_t end = unit + 1;

	while (end < s->nregions && s->regions[end].type != REGION_SUB)
		end++;
	return end;
}

/* The function whose code a call executes and nothing records: the callee, or the first one that a
 * recorded callee without markers calls.  NULL: the callee is recorded, and all that it calls. */
static const char *called_code(const struct sir *s, const char *name)
{
	uint32_t unit = sir_find_unit(s, name);
	uint32_t end = unit != SIR_NONE ? unit_end(s, unit) : 0;

	for (uint32_t r = unit; r < end; r++)
		if (s->regions[r].type == REGION_CALL &&
		    sir_find_unit(s, s->regions[r].name) == SIR_NONE)
			return s->regions[r].name;
	return unit == SIR_NONE ? name : NULL;
}

void measured_library_calls(const struct measurements *p, struct buf *out)
{
	struct names names = { malloc((p->ncontexts + (size_t)1) * sizeof *names.all), 0,
		p->ncontexts };
	double sum = 0;

	if (!names.all) {
		out->failed = true;
		return;
	}
	for (uint32_t c = 0; c < p->ncontexts; c++) {
		uint32_t region = p->contexts[c].region;
		const char *name = region == SIR_NONE ||
			p->sir->regions[region].type != REGION_CALL ? NULL :
			called_code(p->sir, p->sir->regions[region].name);
		double own = name ? own_cpu(p, c) : 0;

		sum += own;
		if (name)
			add_named(&names, name, strlen(name), own);
	}
	put_named(&names, sum, out);
	free(names.all);
}

/* s: what computing takes in the context, without the contexts inside it. */
static double own_computing(const struct measurements *p, uint32_t context)
{
	struct tally t;
	double own = measured_tally(p, context, MON_ANY, &t) ? t.estimate.computing : 0;

	for (uint32_t c = p->contexts[context].child; c != NO_CONTEXT; c = p->contexts[c].next)
		own -= measured_tally(p, c, MON_ANY, &t) ? t.estimate.computing : 0;
	return fmax(0, own);
}

/* Mathematical functions called in the code of a region, that of callees without markers included.
 * left: regions that may still be looked at. */
static const char *math_of(const struct sir *s, uint32_t region, int *left)
{
	const char *math = s->regions[region].math;

	for (uint32_t c = s->regions[region].child; !math && c != SIR_NONE && --*left > 0;
	     c = s->regions[c].next) {
		uint32_t unit = s->regions[c].type == REGION_CALL &&
			!(s->regions[c].hooks & SIR_HOOK_MARKER) ? sir_find_unit(s,
			s->regions[c].name) : SIR_NONE;

		math = unit != SIR_NONE ? math_of(s, unit, left) : NULL;
	}
	return math;
}

void measured_math_calls(const struct measurements *p, struct buf *out)
{
	enum { REGIONS_MOST = 100 };
	struct named all[MATH_MOST];
	struct names names = { all, 0, MATH_MOST };
	double sum = 0;

	for (uint32_t c = 0; c < p->ncontexts; c++) {
		int left = REGIONS_MOST;
		uint32_t region = p->contexts[c].region;
		const char *math = region == SIR_NONE ? NULL : math_of(p->sir, region, &left);
		double own = own_computing(p, c);

		sum += own;
		while (math && *math) {
			size_t length = strcspn(math, " ");

			add_named(&names, math, length, own);
			math += length + strspn(math + length, " ");
		}
	}
	put_named(&names, sum, out);
}

/* The structure with most bytes behind `last` (NULL: of all), in the order of their bytes
 * and numbers; NULL: none. */
static const struct measured_object *next_most(const struct measurements *p,
	const struct measured_object *last)
{
	const struct measured_object *found = NULL;
	double most = last ? fault_bytes_again(p, last) : INFINITY;

	for (const struct measured_object *o = p->objects + MON_OBJ_FIRST;
	     o < p->objects + p->nobjects; o++) {
		bool behind = fault_bytes_again(p, o) < most || (fault_bytes_again(p, o) == most &&
			o > last);

		if (fault_bytes_again(p, o) > 0 && behind &&
		    (!found || fault_bytes_again(p, o) > fault_bytes_again(p, found)))
			found = o;
	}
	return found;
}

static void put_block(struct buf *out, const struct measured_object *o)
{
	const char *file = o->source && *o->source ? o->source : "?";

	buf_printf(out, "%s%s:%u", out->len ? ", " : "", strrchr(file, '/') ? strrchr(file, '/') +
		1 : file, o->line);
	if (o->name && *o->name)
		buf_printf(out, " (%s)", o->name);
}

void measured_fault_blocks(const struct measurements *p, struct buf *out)
{
	const struct kernel_use use = kernel_use_phase(p);
	const struct measured_object *o = NULL;
	double all = 0;

	for (uint32_t i = MON_OBJ_FIRST; i < p->nobjects; i++)
		all += fault_bytes_again(p, &p->objects[i]);
	if (!(all * 2 > use.faults * FAULT_PAGE))
		return;         /* more faults than such blocks have pages */
	for (int n = 0; n < MOST_NAMES && (o = next_most(p, o)) &&
	     fault_bytes_again(p, o) > NAMED * all; n++)
		put_block(out, o);
}

static double faults_in(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	return measured_tally(p, context, object, &t) ? t.estimate.faults : 0;
}

/* Of n structures the one with most faults in the context, but fewer than `before`; at least
 * `least`.  MON_ANY: none. */
static uint32_t next_in(const struct measurements *p, uint32_t context, const uint32_t *objects,
	uint32_t n, double least, double before)
{
	uint32_t found = MON_ANY;

	for (uint32_t i = 0; i < n; i++) {
		const double faults = objects[i] < MON_OBJ_FIRST ? 0 :
			faults_in(p, context, objects[i]);

		if (faults > least && faults < before) {
			least = faults;
			found = objects[i];
		}
	}
	return found;
}

void measured_region_fault_blocks(const struct measurements *p, uint32_t context, struct buf *out)
{
	uint32_t *objects, n = measured_objects_of(p, context, &objects), object;
	double all = 0, before = INFINITY;

	for (uint32_t i = 0; i < n; i++)
		all += objects[i] < MON_OBJ_FIRST ? 0 : faults_in(p, context, objects[i]);
	for (int k = 0; k < MOST_NAMES && 2 * all > faults_in(p, context, MON_ANY); k++) {
		object = next_in(p, context, objects, n, NAMED * all, before);
		if (object == MON_ANY)
			break;
		put_block(out, &p->objects[object]);
		before = faults_in(p, context, object);
	}
	free(objects);
}

uint32_t measured_fault_context(const struct measurements *p)
{
	uint32_t found = NO_CONTEXT;
	double most = 0;

	for (uint32_t c = 0; c < p->ncontexts; c++) {
		double faults = kernel_use_faults(p, c);

		if (faults > most) {
			most = faults;
			found = c;
		}
	}
	return found;
}
