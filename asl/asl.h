/* SPDX-License-Identifier: BSD-3-Clause */
/* The property language: compiles property files and evaluates their properties.
 *
 * A program is compiled once from one or more sources (the data model first, then property
 * files) to verified bytecode.  To evaluate a property, the VM asks the caller, through struct
 * asl_env, for the attributes of the objects that the property reads.  This part uses no clock,
 * MPI or XML, and no metric by name: the sources declare all classes and attributes.
 */
#ifndef PSC_ASL_ASL_H
#define PSC_ASL_ASL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

/* --- compiling ---------------------------------------------------------------------------- */

struct asl_source {
	const char *name;       /* borrowed; shown in messages */
	const char *text;       /* borrowed; need not end in NUL */
	size_t length;
};

/* `--set name=value`: name is a constant, or Property.name for an open parameter. */
struct asl_setting {
	const char *name;       /* borrowed */
	const char *value;      /* borrowed; a number, true or false */
	const char *origin;     /* borrowed; "--set" or "file.conf:3", for messages */
};

enum asl_severity { ASL_ERROR, ASL_WARNING, ASL_NOTE };

struct asl_diag {               /* a message; all pointers are borrowed during the call */
	enum asl_severity severity;
	const char *file;       /* source name */
	int line, column;       /* from 1, in bytes; 0: the whole file */
	int end_column;         /* one past the word, number or string at fault */
	const char *text;       /* without position, without full stop */
	const char *suggestion; /* a replacement; NULL: none */
	const char *line_text;  /* the source line; NULL: none */
};
typedef void (*asl_diag_fn)(void *arg, const struct asl_diag *diag);
/* Prints "file:line:col: error: text", the source line and a caret to arg, a FILE *. */
void asl_diag_print(void *arg, const struct asl_diag *diag);

/* An included file. */
struct asl_included {           /* all pointers are borrowed until the compile ends */
	struct asl_source source;
	const char *id;         /* sources of one id are one file, which is read once */
	const struct asl_setting *settings;     /* those of the including file override them */
	size_t nsettings;
};
struct asl_includer {
	/* Finds the file of `include "name";` in the source called `from`.  0, or -1 with the
	 * reason. */
	int (*find)(void *arg, const char *name, const char *from, struct asl_included *out,
		struct err *err);
	void *arg;
	const char *const *ids; /* one for each source given to asl_compile(); NULL: their names */
};

struct asl_program;
/* Caller frees with asl_free().  NULL after an error; every error was reported, up to 200.
 * Without an includer (NULL), an include is an error. */
struct asl_program *asl_compile(const struct asl_includer *includer,
	const struct asl_source *sources, size_t nsources, const struct asl_setting *settings,
	size_t nsettings, asl_diag_fn report, void *arg);
/* Compiles files.  "-" is standard input, called <stdin> in messages.  `dir/x.conf` may hold
 * settings for `dir/x.asl`, one `name = value` a line; `#` begins a comment; `settings` override
 * them.  An included file is searched for beside the including file, then in `dirs` (ends with
 * NULL; may be NULL). */
struct asl_program *asl_load(const char *const *paths, size_t npaths, const char *const *dirs,
	const struct asl_setting *settings, size_t nsettings, asl_diag_fn report, void *arg);
void asl_free(struct asl_program *p);           /* NULL is fine */
struct buf;
/* Appends the program as bytes, which are the same on every host: agents run what the front end
 * compiled. */
void asl_image_write(const struct asl_program *p, struct buf *out);
/* Reads and verifies such an image.  Any bytes are safe; memory is bounded by a small multiple of
 * n. The program equals the written one in every respect, its dump too, and does not keep `bytes`.
 * NULL: the image is of another version or broken; err says where. */
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

size_t asl_nclasses(const struct asl_program *p);
/* -1: no such class. */
int asl_class_find(const struct asl_program *p, const char *name);
/* True when cls is base or extends it. */
bool asl_class_is(const struct asl_program *p, int cls, int base);
int asl_nattrs(const struct asl_program *p, int cls);   /* own and inherited */
const char *asl_attr_name(const struct asl_program *p, int cls, int attr); /* borrowed */

struct asl_attr_type {
	enum asl_type type;     /* ASL_SET: of objects of class cls */
	int cls;                /* class or enumeration */
	bool array;             /* read with an index */
};
void asl_attr_type(const struct asl_program *p, int cls, int attr, struct asl_attr_type *out);
/* Number of an enumeration, and of a name in it; -1: none. */
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
	int basis;              /* index of the parameter `Basis` of class Region; -1: none */
	int nparams;
	const int *param_class;
	const int *parents;     /* REFINES: property numbers */
	int nparents;
	const int *metrics;     /* attributes of the context class that the code may read */
	int nmetrics;
	const struct asl_read *reads;   /* attributes of all classes that the code may read */
	int nreads;
	const struct asl_read *severity_reads;  /* those of them on which the severity depends */
	int nseverity_reads;
	bool severity_is_time;  /* the severity is in s; false: a plain fraction */
	uint32_t fixes;         /* FIX: bit i: value i of the enumeration Fix */
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
	/* Of a measured value, for samples(x) and coverage(x): number of samples, share of the
	 * whole that was seen (0..1).  0: not a sample. */
	double samples, coverage;
};

struct asl_env {
	/* Attribute `attr` of `object`; index >= 0 for array attributes (a.b[i]), else -1.
	 * ASL_UNDEFINED: not measured.  There is no other failure. */
	void (*attr)(void *arg, int cls, const void *object, int attr, int64_t index,
		struct asl_value *out);
	void (*element)(void *arg, const struct asl_value *set, size_t i, struct asl_value *out);
	void *arg;
};

enum asl_truth { ASL_FALSE, ASL_TRUE, ASL_UNDECIDED };

struct asl_verdict {
	enum asl_truth holds;
	double confidence;      /* 0..1; NAN: undefined */
	double severity;        /* NAN: undefined */
	double measure;         /* the rate: left side of the first comparison in the alternative
	                         * that held first; if none held, in the first one; NAN: none */
	uint64_t alternatives;  /* bit i: alternative i of CONDITION held */
	bool clamped;           /* the confidence was outside 0..1 and was clamped */
	char why[384];          /* WHY, set when the property holds; "": none */
	char advice[640];       /* the same of DO, or of ADVICE */
	bool figures;           /* WHY or ADVICE has values of the environment */
	char undecided[96];     /* set when holds is ASL_UNDECIDED: the undefined attribute, or
	                         * another cause ("division by zero at paper.asl:12") */
};

/* objects: one per parameter, of the declared class or one that extends it.  An evaluation that
 * exceeds its bound of steps is undecided.  Never fails. */
void asl_evaluate(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, struct asl_verdict *out);

struct asl_part;
/* Explains why a property does not hold, by evaluating it once more: `text` is the deciding
 * comparison with its numbers ("0.003 > 0.01 does not hold"), and its line and column when the
 * condition has several comparisons.  Of AND, the first false operand decides; of OR, whose
 * operands are all false, the comparison with the nearest sides; under NOT, AND and OR change
 * places. parts: as for asl_evaluate_parts(); NULL: none, or to be accumulated here.  Empty when
 * the property holds or is undecided. */
void asl_explain(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, char *text, size_t size);

/* --- aggregates over processes, in parts ----------------------------------------------------- */

/* A property of AppPerf is evaluated from one accumulator for each of its parts.  Every process
 * adds its own element to its accumulators, the agents merge them on the way up, and the property
 * is evaluated once at the top.  Sums are exact (fixed point over the whole range of a double) and
 * rounded once, so the result is the same to the bit for any order and tree of merges. */

#define ASL_SUM_LIMBS 68        /* 2^-1074 .. 2^1024, 2^63 elements, sign */
#define ASL_SQUARES_LIMBS 134   /* 2^-2148 .. 2^2048, the same */

struct asl_part {
	uint64_t n;             /* selected elements with a defined value, infinite ones included */
	uint64_t undefined;     /* selected elements with an undefined value */
	uint64_t unsure;        /* elements whose selection is undefined */
	uint64_t below, above;  /* of n: minus, plus infinity (samples() of an exact value) */
	double min, max;        /* +inf, -inf while n is 0 */
	/* Of the finite values: two's complement, lowest limb first, in units of 2^-1074 and
	 * 2^-2148. */
	uint32_t sum[ASL_SUM_LIMBS];
	uint32_t squares[ASL_SQUARES_LIMBS];
	/* The undefined attribute or other cause, as in asl_verdict.undecided.  Of several the
	 * least by strcmp, so that the order of merges does not show. */
	char why_undefined[96];
	char why_unsure[96];
};

/* The set of a part's elements: attribute `attr` of the property's first parameter; objects of
 * class cls. */
struct asl_part_source {
	int attr, cls;
};

#define ASL_MAX_PARTS 32        /* of one property */

struct cursor;
/* Number of parts; 0: the property has no aggregate over processes. */
int asl_parts(const struct asl_program *p, size_t property);
struct asl_part_source asl_part_source(const struct asl_program *p, size_t property, int part);
void asl_part_init(struct asl_part *acc);
/* Adds an element of the part's set, of its class or one that extends it. */
void asl_part_take(const struct asl_program *p, size_t property, int part,
	const struct asl_env *env, const void *object, struct asl_part *acc);
/* Counts an element that is not known; `why` says what is missing, at most 95 characters. */
void asl_part_miss(struct asl_part *acc, const char *why);
void asl_part_merge(struct asl_part *into, const struct asl_part *from);
void asl_part_encode(const struct asl_part *acc, struct buf *out);
/* 0, or -1: not written by asl_part_encode() of this version. */
int asl_part_decode(struct asl_part *acc, struct cursor *in);
/* As asl_evaluate(), but with given accumulators, one for each part of the property: env is not
 * asked for the sets of processes, from which asl_evaluate() accumulates them itself. */
void asl_evaluate_parts(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, struct asl_verdict *out);

#endif
