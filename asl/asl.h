/* SPDX-License-Identifier: BSD-3-Clause */
/* The property language: text and environment in, verdicts out.
 *
 * A program is compiled once from one or more sources (the data model first, then property
 * files) to verified bytecode.  Evaluating a property asks the caller, through struct asl_env,
 * for the attributes of the objects that the property reaches from its context.  This part
 * knows no clocks, MPI or XML, and no metric by name: classes and attributes are what the
 * sources declare.
 */
#ifndef PSC_ASL_ASL_H
#define PSC_ASL_ASL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* --- compiling ---------------------------------------------------------------------------- */

struct asl_source {
	const char *name;       /* borrowed; shown in diagnostics */
	const char *text;       /* borrowed; need not end in NUL */
	size_t length;
};

/* `--set name=value`: name is a constant, or Property.name for an open parameter. */
struct asl_setting {
	const char *name;       /* borrowed */
	const char *value;      /* borrowed; a number, true or false */
	const char *origin;     /* borrowed; "--set" or "file.conf:3", for diagnostics */
};

enum asl_severity { ASL_ERROR, ASL_WARNING, ASL_NOTE };

struct asl_diag {               /* all borrowed for the time of the call */
	enum asl_severity severity;
	const char *file;       /* source name */
	int line, column;       /* from 1, in bytes; 0 when the whole file is meant */
	int end_column;         /* one past the word, number or string that is meant */
	const char *text;       /* without position, without full stop */
	const char *suggestion; /* what could stand there instead; NULL when there is none */
	const char *line_text;  /* the source line, NULL when there is none */
};
typedef void (*asl_diag_fn)(void *arg, const struct asl_diag *diag);
/* Prints "file:line:col: error: text", the line and a caret to the FILE * in arg. */
void asl_diag_print(void *arg, const struct asl_diag *diag);

/* What `include "name";` brings. */
struct asl_included {           /* all borrowed until the compile ends */
	struct asl_source source;
	const char *id;         /* equal for the same text under another name: it is read once */
	const struct asl_setting *settings;     /* go behind those of what includes it */
	size_t nsettings;
};
struct asl_includer {
	/* The text of `name` in the source called `from`.  0; -1 and why it cannot be had. */
	int (*find)(void *arg, const char *name, const char *from, struct asl_included *out,
		struct err *err);
	void *arg;
	const char *const *ids; /* of the sources given to asl_compile(); NULL: their names */
};

struct asl_program;
/* Caller frees with asl_free().  NULL when there was an error; every one was reported, up to 200.
 * includer may be NULL: an include is an error then. */
struct asl_program *asl_compile(const struct asl_includer *includer,
	const struct asl_source *sources, size_t nsources, const struct asl_setting *settings,
	size_t nsettings, asl_diag_fn report, void *arg);
/* The same from files, "-" being standard input, called <stdin>.  Beside `dir/x.asl`,
 * `dir/x.conf` may hold settings, one `name = value` a line, `#` begins a comment; those in
 * `settings` go before them.  What a file includes is looked for beside it, then in `dirs` (ends in
 * NULL; may be NULL). */
struct asl_program *asl_load(const char *const *paths, size_t npaths, const char *const *dirs,
	const struct asl_setting *settings, size_t nsettings, asl_diag_fn report, void *arg);
void asl_free(struct asl_program *p);           /* NULL is fine */
struct buf;
/* The program as bytes, appended: compiled in one place, run in others.  Does not depend on the host. */
void asl_image_write(const struct asl_program *p, struct buf *out);
/* Reads and verifies them.  Any bytes may be given; memory is bounded by a small multiple of n.  The
 * program is the same in all respects, its dump as well; it does not need `bytes` any more.  NULL:
 * not an image of this version, or one that is broken; err says where. */
struct asl_program *asl_image_read(const void *bytes, size_t n, struct err *err);

/* --- what a program holds ------------------------------------------------------------------ */

enum asl_type {
	ASL_UNDEFINED,
	ASL_BOOL,
	ASL_INT,
	ASL_FLOAT,
	ASL_STRING,
	ASL_ENUM,
	ASL_OBJECT,
	ASL_SET                 /* of objects: elements by env->element */
};

/* Names of the sources, included ones behind those given. */
size_t asl_nfiles(const struct asl_program *p);
const char *asl_file(const struct asl_program *p, size_t number);          /* borrowed */
size_t asl_nclasses(const struct asl_program *p);
/* -1 when there is no such class. */
int asl_class_find(const struct asl_program *p, const char *name);
const char *asl_class_name(const struct asl_program *p, int cls);          /* borrowed */
/* True when cls is base or extends it. */
bool asl_class_is(const struct asl_program *p, int cls, int base);
int asl_nattrs(const struct asl_program *p, int cls);   /* own and inherited */
const char *asl_attr_name(const struct asl_program *p, int cls, int attr); /* borrowed */
/* Unit as written, "" when none. */
const char *asl_attr_unit(const struct asl_program *p, int cls, int attr);

struct asl_attr_type {
	enum asl_type type;     /* ASL_SET: of objects of class cls */
	int cls;                /* class or enumeration */
	bool array;             /* read with an index */
};
void asl_attr_type(const struct asl_program *p, int cls, int attr, struct asl_attr_type *out);
/* Number of an enumeration, and of a name in it; -1 when there is none. */
int asl_enum_find(const struct asl_program *p, const char *name);
int asl_enum_value(const struct asl_program *p, int enumeration, const char *item);

struct asl_read {
	int cls, attr;
};

#define ASL_MAX_PARAMS 128      /* of a property */

/* One property, after template instantiation. */
struct asl_property {           /* borrowed from the program */
	const char *name;
	const char *file;       /* source and line of the declaration */
	int line;
	int context;            /* class of the first parameter */
	int basis;              /* index of the parameter `Basis` of class Region, -1 none */
	int nparams;
	const int *param_class;
	const int *parents;     /* REFINES: property numbers */
	int nparents;
	const int *metrics;     /* attributes of the context class that its code may read */
	int nmetrics;
	const struct asl_read *reads;   /* every attribute of any class that it may read */
	int nreads;
	const struct asl_read *severity_reads;  /* those that the severity is worked out from */
	int nseverity_reads;
	bool severity_is_time;  /* severity has unit s; else it is a plain fraction */
};
size_t asl_nproperties(const struct asl_program *p);
const struct asl_property *asl_property(const struct asl_program *p, size_t number);

/* --- evaluating ---------------------------------------------------------------------------- */

struct asl_value {
	enum asl_type type;
	int cls;                /* ASL_OBJECT, ASL_SET: class; ASL_ENUM: enum */
	union {
		bool b;
		int64_t i;      /* ASL_INT, ASL_ENUM */
		double f;
		const char *s;  /* borrowed until the evaluation ends */
		void *object;
		struct { void *handle; size_t n; } set;
	} v;
	/* How a measured value was obtained; 0 = not a sample.  samples(x), coverage(x). */
	double samples, coverage;
};

struct asl_env {
	/* Attribute `attr` of `object`; index >= 0 for array attributes (a.b[i]), else -1.
	 * What was not measured is set to ASL_UNDEFINED.  Never fails otherwise. */
	void (*attr)(void *arg, int cls, const void *object, int attr, int64_t index,
		struct asl_value *out);
	void (*element)(void *arg, const struct asl_value *set, size_t i, struct asl_value *out);
	void *arg;
};

enum asl_truth { ASL_FALSE, ASL_TRUE, ASL_UNDECIDED };

struct asl_verdict {
	enum asl_truth holds;
	double confidence;      /* 0..1; NAN when undefined */
	double severity;        /* NAN when undefined */
	double measure;         /* left side of the first comparison in the alternative that held,
	                         * else in the first one: the rate; NAN when there is none */
	uint64_t alternatives;  /* bit i: alternative i of CONDITION held */
	bool clamped;           /* the confidence was outside 0..1 and was cut */
	char advice[256];       /* filled in where the property holds; "" none */
	char undecided[96];     /* when holds is ASL_UNDECIDED: the attribute that was undefined, or
	                         * what else was ("division by zero at paper.asl:12") */
};

/* objects: one per parameter, of the class the property declares (or one extending it).
 * Bounded in steps; exceeding the bound is undecided.  Never fails. */
void asl_evaluate(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, struct asl_verdict *out);

struct asl_part;
/* Why a property does not hold there, which takes an evaluation: the comparison that decided, with
 * its numbers, as in "0.003 > 0.01 does not hold", and its place where the condition has others.
 * It is the first operand of AND that is false; of OR, of which all are, the comparison whose
 * sides are nearest to each other; under NOT the other way round.  parts: as
 * asl_evaluate_parts(); NULL for none, or to have them made.  Empty where the property holds or is
 * undecided. */
void asl_explain(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, char *text, size_t size);

/* --- aggregates over processes, in parts ----------------------------------------------------- */

/* What a property of AppPerf needs of its processes is folded where they are: each takes its element
 * into one accumulator per part, accumulators are merged on the way up, and the property is evaluated
 * with them.  Sums are exact (fixed point over the whole range of a double) and rounded once, so that
 * the result is the same to the bit in whatever order and tree they were merged. */

#define ASL_SUM_LIMBS 68        /* 2^-1074 .. 2^1024, 2^63 elements, sign */
#define ASL_SQUARES_LIMBS 134   /* 2^-2148 .. 2^2048, the same */

struct asl_part {
	uint64_t n;             /* elements selected whose value is known, infinite ones included */
	uint64_t undefined;     /* selected, but the value is undefined */
	uint64_t unsure;        /* whether they are selected is undefined */
	uint64_t below, above;  /* of n: minus, plus infinity (samples() of what is no sample) */
	double min, max;        /* +inf, -inf while there is none */
	uint32_t sum[ASL_SUM_LIMBS];            /* of the finite ones: two's complement, lowest limb */
	uint32_t squares[ASL_SQUARES_LIMBS];    /* first, in units of 2^-1074 and 2^-2148 */
	char why_undefined[96]; /* what was undefined, as asl_verdict.undecided; of several the first */
	char why_unsure[96];    /* by strcmp */
};

/* Where a part's elements come from: attribute `attr` of the property's first parameter, a set of
 * objects of class cls. */
struct asl_part_source {
	int attr, cls;
};

#define ASL_MAX_PARTS 32        /* of one property */

struct cursor;
/* Number of parts; 0: the property needs no set of processes. */
int asl_parts(const struct asl_program *p, size_t property);
struct asl_part_source asl_part_source(const struct asl_program *p, size_t property, int part);
void asl_part_init(struct asl_part *acc);
/* Takes an element of the part's source (its class, or one extending it) in.  NULL: there should be
 * one, but it is not known; `why` says what is missing, at most 95 characters. */
void asl_part_take(const struct asl_program *p, size_t property, int part,
	const struct asl_env *env, const void *object, struct asl_part *acc);
void asl_part_miss(struct asl_part *acc, const char *why);
void asl_part_merge(struct asl_part *into, const struct asl_part *from);
void asl_part_encode(const struct asl_part *acc, struct buf *out);
/* 0, or -1: not what encode of this version wrote. */
int asl_part_decode(struct asl_part *acc, struct cursor *in);
/* As asl_evaluate(), which makes the parts itself from the sets that env gives: with these, one for
 * each of the property's; env is asked for none of the sets. */
void asl_evaluate_parts(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, struct asl_verdict *out);

#endif
