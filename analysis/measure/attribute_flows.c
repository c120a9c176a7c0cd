/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the attributes of flows: ObjectFlow and ThreadFlow. */
#include "analysis/measure/attributes_private.h"
#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/flow_scaling.h"
#include "analysis/measure/use_intervals.h"

#include <stdio.h>
#include <stdlib.h>

/* Properties read many figures of a flow, and one after the other ask for the same structures. */
enum { FLOWS = 256 };

struct kept_flow {
	struct flow *flow;              /* owned; NULL: there is none */
	uint32_t context, object;
	bool made;
};

struct attribute_flows {
	struct kept_flow kept[FLOWS];   /* by context and object */
	/* `kept` and `scaling` are of these measurements and columns. */
	const struct measurements *measured;
	uint32_t number;
	/* read last; owned; NULL: none, or it is not known */
	struct flow_scaling *scaling;
};

struct attribute_flows *attribute_flows_new(void)
{
	return calloc(1, sizeof(struct attribute_flows));
}

static void forget(struct attribute_flows *a)
{
	for (int i = 0; i < FLOWS; i++)
		flow_free(a->kept[i].flow);
	flow_scaling_free(a->scaling);
	*a = (struct attribute_flows){ .scaling = NULL };
}

void attribute_flows_free(struct attribute_flows *a)
{
	if (a)
		forget(a);
	free(a);
}

/* The flow of a subject. NULL: there is none. */
static const struct flow *flow_of(const struct attributes *b, const struct subject *s)
{
	const struct measurements *p = s->measured;
	struct attribute_flows *a = b->flows;
	struct kept_flow *k = &a->kept[(s->context * 31 + s->object) % FLOWS];

	if (a->measured != p || a->number != p->columns_number) {
		forget(a);
		a->measured = p;
		a->number = p->columns_number;
	}
	if (!k->made || k->context != s->context || k->object != s->object) {
		flow_free(k->flow);
		*k = (struct kept_flow){ flow_new(p, s->context, s->object), s->context,
			s->object, true };
	}
	return k->flow;
}

/* A figure at so many threads; flow_of() was asked before. */
static double scaled(const struct attributes *b, const struct subject *s, const struct attribute *a,
	int64_t threads)
{
	struct attribute_flows *last = b->flows;

	if (!last->scaling || flow_scaling_threads(last->scaling) != threads) {
		flow_scaling_free(last->scaling);
		last->scaling = flow_scaling_new(s->measured, threads);
	}
	return last->scaling ? flow_scaling_value(last->scaling, s->object,
		(enum flow_scaling_figure)a->offset) : NAN;
}

static const char *use_name(enum flow_use use)
{
	return use == FLOW_EXCLUSIVE ? "EXCLUSIVE_USE" : use == FLOW_ALTERNATING ?
		"ALTERNATING_USE" :
		use == FLOW_CONCURRENT ? "CONCURRENT_USE" : "";
}

/* The part of a structure's memory time that its lines cost because they come from other nodes than
 * the thread's, without queues. */
static double remote_time(const struct subject *s, const struct flow *f)
{
	const double remote = flow_cycles(f, FLOW_AS_IT_IS) - flow_cycles(f, FLOW_AT_USERS);
	const double all = tally_stall_cycles(s->measured, &s->tally);

	return s->measured->estimated && all > 0 ? fmin(1, remote / all) * s->tally.estimate.stall :
		NAN;
}

static void set_flow_text(const struct attributes *b, struct asl_value *out, enum texts which,
	const struct flow *f, void (*write)(const struct flow *, struct buf *))
{
	char *kept = b->text + (size_t)which * TEXT_MAX;
	struct buf text = BUF_INIT;

	write(f, &text);
	snprintf(kept, TEXT_MAX, "%s", text.len ? buf_str(&text) : "");
	set_string(out, kept);
	buf_free(&text);
}

static bool is_of_flow(enum attribute_source source)
{
	return source == NTHREADS || source >= FLOW_FIGURE;
}

bool attribute_of_flow(const struct attributes *b, const struct subject *s,
	const struct attribute *a, int64_t index, struct asl_value *out)
{
	const bool number = a->source == FLOW_NUMBER || a->source == NTHREADS;
	const struct flow *f;
	double v;

	if (!is_of_flow(a->source))
		return false;
	if (a->source == FLOW_OBJECTS) {
		attribute_structures(b, s, out);
		return true;
	}
	f = s->counted && !measured_lossy(s->measured) ? flow_of(b, s) : NULL;
	if (!f)
		return true;
	if (a->source == FLOW_USE) {
		set_enum(b, out, "Use", use_name(f->use));
	} else if (a->source == FLOW_NAME) {
		set_string(out, flow_structure(f, 0));
	} else if (a->source == FLOW_USERS_TEXT) {
		set_flow_text(b, out, USERS_TEXT, f, flow_user_names);
	} else if (a->source == FLOW_ALLOCATED_TEXT) {
		set_flow_text(b, out, ALLOCATED_TEXT, f, flow_allocated_at);
	} else if (a->source == FLOW_TOUCHED_TEXT) {
		set_flow_text(b, out, TOUCHED_TEXT, f, flow_touched_at);
	} else if (a->source == FLOW_TOUCHER_TEXT) {
		set_flow_text(b, out, TOUCHER_TEXT, f, flow_toucher_name);
	} else if (a->source == FLOW_CPUS) {
		set_int(out, s->measured->machine->flat.ncpus);
	} else if (a->source == FLOW_SCALED) {
		v = scaled(b, s, a, index);
		if (a->offset == SCALED_NODE && !isnan(v))
			set_int(out, (int64_t)v);
		else
			set_float(out, v);
		set_quality(s, a, out);
	} else if (a->source == FLOW_REMOTE_TIME) {
		set_float(out, remote_time(s, f));
		set_quality(s, a, out);
	} else {
		v = flow_figure(f, a->source == NTHREADS ? FLOW_THREADS :
			(enum flow_figure)a->offset, index, measured_exec(s->measured, s->context));
		if (number && !isnan(v))
			set_int(out, (int64_t)v);
		else
			set_float(out, v);
		set_quality(s, a, out);
	}
	return true;
}
