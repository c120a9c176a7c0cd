/* SPDX-License-Identifier: BSD-3-Clause */
/* Program structure (SIR), read from executables, shared libraries and .sir files; see
 * README.md. */
#ifndef PSC_SIR_SIR_H
#define PSC_SIR_SIR_H

#include <stdbool.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/err.h"
#include "base/region.h"

#define SIR_NONE UINT32_MAX

enum sir_access {
	SIR_READ = 1, SIR_WRITE = 2,
	SIR_ACCESS_UNSAID = 4,  /* the file does not say (Periscope's own files) */
	SIR_INDEXED = 8         /* at an index that is an element of an array: a[idx[i]] */
};
enum sir_class { SIR_CLASS_UNKNOWN, SIR_CLASS_COMMON, SIR_CLASS_MODULE, SIR_CLASS_STATIC,
	SIR_CLASS_DUMMY, SIR_CLASS_LOCAL, SIR_CLASS_HEAP };

struct sir_array {              /* strings owned by the struct sir */
	const char *name;
	const char *type;       /* DOUBLE, INTEGER, … as in the file */
	const char *scope;      /* COMMON block or module; NULL none */
	enum sir_class cls;
	uint64_t nelts;         /* 0: assumed size */
	int line;               /* of the declaration; 0 unknown */
	unsigned access;        /* enum sir_access bits */
	int xml_line;           /* of its element in a .sir file */
};

struct sir_member {             /* of a record type; one of a nested struct is called "pos.x" */
	const char *name;
	uint32_t offset, size;  /* bytes */
};

struct sir_record {             /* the members that a region's own statements use of the elements of
				 * an array of structs (of a derived type); strings as above */
	const char *type;
	const char *array;      /* name of a struct sir_array; NULL: not known */
	uint32_t size;          /* bytes of a record */
	uint32_t members;       /* of the type; those of a nested struct count instead of it */
	bool all;               /* it uses all of them */
	const struct sir_member *used;  /* by offset; they may overlap (unions, bit-fields) */
	uint32_t nused;
};

enum sir_copy_of { SIR_COPY_ARGUMENT, SIR_COPY_SECTION, SIR_COPY_OBJECT, SIR_COPY_BLOCK };
struct sir_copy {               /* that a region's own statements make */
	enum sir_copy_of of;    /* an argument by value; the section of an array; an object of C++;
				 * another block */
	const char *callee;     /* that an argument or a section is copied for; NULL unknown */
	int line;               /* 0 unknown */
};

struct sir_hook {               /* the identity of a region in the markers of the code */
	uint64_t hash;
	uint32_t index;
};

enum sir_hook_kind { SIR_HOOK_MARKER = 1, SIR_HOOK_PHASE = 2 };

/* A unit (type REGION_SUB) or a codeRegion. */
struct sir_region {
	uint32_t id;            /* index in sir->regions */
	enum region_type type;
	const char *name;       /* unit: source name; call: callee; "" otherwise */
	const char *symbol;     /* unit: assembler name; NULL: equal to name */
	const char *unit_type;  /* "program", "subroutine", "function"; NULL for codeRegions */
	const char *kind;       /* codeRegion: its type as in the file (type is REGION_UNKNOWN where
	                         * we do not know it); NULL for units */
	const char *ident;      /* the id attribute; NULL none.  Not unique, so never a key */
	const char *clause;     /* datascopeclause of Periscope's files; NULL none */
	const char *file;       /* source file, as given to the compiler */
	int line, end_line;
	int xml_line;           /* of its element in a .sir file */
	unsigned hooks;         /* enum sir_hook_kind bits */
	const char *refuse;     /* why it has no phase hook; NULL */
	const char *math;       /* functions of the mathematical library that it calls itself, in words;
	                         * NULL: none */
	bool unrecorded;        /* a phase loop whose own accesses are not recorded in an activation
	                         * that began before the recording */
	uint32_t source;        /* index into sir->sources */
	uint32_t parent, child, next; /* SIR_NONE ends; units have no parent (nested units do) */
	const struct sir_hook *at;    /* every (hash, index) of this region */
	uint32_t nat;                 /* 0: a .sir file without them */
	const struct sir_array *arrays;
	uint32_t narrays;
	const struct sir_record *records;       /* not those of the regions inside */
	uint32_t nrecords;
	const struct sir_copy *copies;          /* not those of the regions inside */
	uint32_t ncopies;
};

struct sir_source {
	const char *name, *dir, *language, *compiler;
	uint64_t hash;
	bool unoptimised;       /* compiled at -O0 */
	bool vectors;           /* compiled so that loops get vector instructions wherever they can
				 * (-O3) */
};

struct sir {
	const struct sir_region *regions;       /* in pre-order: units, each followed by the
	                                         * regions inside it */
	uint32_t nregions;
	const struct sir_source *sources;
	uint32_t nsources;
	void *priv;
};

/* Reads an executable (with the instrumented shared libraries that it needs), a shared library,
 * object or archive (ELF), or a .sir file (XML).  An ELF file without fragments is no error:
 * nregions is 0.  Caller frees. */
struct sir *sir_read(const char *path, struct err *err);
/* Reads several files and merges them into one structure. */
struct sir *sir_read_all(const char *const *paths, uint32_t npaths, struct err *err);
void sir_free(struct sir *s);   /* NULL is fine */
/* Prints the XML document that README.md describes. */
void sir_print(const struct sir *s, struct buf *out);

/* The region with (hash, index) in its markers; SIR_NONE. */
uint32_t sir_find_hook(const struct sir *s, uint64_t hash, uint32_t index);
/* A unit by source name or symbol, for Fortran regardless of case; SIR_NONE. */
uint32_t sir_find_unit(const struct sir *s, const char *name);
/* Do two regions begin in one line?  Then --phase cannot tell them apart. */
bool sir_one_line(const struct sir *s, uint32_t x, uint32_t y);
/* The unit that contains region id (itself for a unit). */
uint32_t sir_unit_of(const struct sir *s, uint32_t id);

/* Finds the region of --phase FILE:LINE, NAME (of a user region or subroutine) or FILE (with one
 * loop that can be the phase, loops inside it aside); choice: a description of it and why it was
 * chosen.  -1: none, err has the reason and the nearest candidates. */
int sir_find_phase(const struct sir *s, const char *spec, uint32_t *region, struct buf *choice,
	struct err *err);
/* Chooses the phase without --phase: the only capable user region; without user regions the
 * outermost capable loop on a way from the main program that has most of the program below it
 * (README.md, "Which region is the phase").  -1: there is no clear choice, err has the
 * candidates. */
int sir_guess_phase(const struct sir *s, uint32_t *region, struct buf *choice, struct err *err);

/* The region that is the whole program: the main program, or, if that has no markers, the largest
 * of the units that it calls.  -1: there is none. */
int sir_whole_program(const struct sir *s, uint32_t *region, struct buf *choice, struct err *err);

/* Other loops on the ways from the main program that can be the phase, also loops inside loops, the
 * one with most regions below it first, at most `max`.  Returns their number; 0 also when out of
 * memory. */
uint32_t sir_rival_phases(const struct sir *s, uint32_t phase, uint32_t *out, uint32_t max);
/* Subroutines that can be the phase and are called in parallel regions, where loops cannot be it,
 * or share the work of a team without a parallel region of their own; at most
 * `max`.  Returns their number. */
uint32_t sir_team_units(const struct sir *s, uint32_t *out, uint32_t max);
/* Checks a .sir file against sir.rng.  text: the document, `len` bytes; NULL: that of the file.
 * 0: valid; -1: invalid, the errors were printed to standard error as "file:line: what"; -2: the
 * schema could not be read (err). */
int sir_schema_check(const char *path, const char *text, size_t len, struct err *err);

/* What a .sir file asks for: regions of a program, and data structures by name (README.md, "What a
 * file asks for"). */
struct sir_asked;
/* path: the file's name in messages.  NULL: err, with the line in the file. */
struct sir_asked *sir_asked_new(const char *path, const char *text, size_t len, struct err *err);
void sir_asked_free(struct sir_asked *a);       /* NULL is fine */
/* Finds its regions in the program, and again in one whose structure has grown.  0 / -1
 * (memory). */
int sir_asked_match(struct sir_asked *a, const struct sir *program, struct err *err);
/* How many regions the file has, and how many of them were found; how many arrays. */
struct sir_asked_count { uint32_t regions, found, arrays; };
struct sir_asked_count sir_asked_count(const struct sir_asked *a);
/* Is this region of the program asked for? */
bool sir_asked_region(const struct sir_asked *a, uint32_t region);
/* Is a data structure asked for?  scope: COMMON block or module, NULL: none, or not known.  unit:
 * the program's subroutine that declares it, or has this name for it; SIR_NONE: not known.  All
 * are, if the file has no arrays. */
bool sir_asked_structure(struct sir_asked *a, const char *name, const char *scope, uint32_t unit);
/* Appends the names of all arrays, one a line. */
void sir_asked_names(const struct sir_asked *a, struct buf *out);
/* Calls `tell` for each region and array that the program does not have: "lu.sir:12: ...".
 * 0 / -1 (memory, or what tell returned). */
int sir_asked_missing(const struct sir_asked *a, int (*tell)(void *to, const char *what), void *to);
/* Appends "loop ssor.f:109-240 in ssor". */
void sir_describe(const struct sir *s, uint32_t region, struct buf *out);

/* Appends "blts( SUB_REGION, blts.f, 4 )", as Periscope's paper prints it; "( LOOP_REGION, ssor.f,
 * 149 )" where there is no name. */
void sir_region_label(const struct sir_region *r, struct buf *out);

#endif
