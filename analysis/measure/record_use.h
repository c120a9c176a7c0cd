/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members of its records the code uses, where a data structure is an array of structs, and
 * how many cache lines that takes.  The compiler plugin knows the members (struct sir_record): the
 * answer is that of the source, for code that may run, and not of the accesses counted. */
#ifndef PSC_MEASURE_RECORD_USE_H
#define PSC_MEASURE_RECORD_USE_H

#include "analysis/measure/measurements.h"

enum { RECORD_LARGEST = 4096, RECORD_MEMBERS = 256 };

struct record_use {
	const char *type;               /* borrowed from the SIR */
	uint32_t size;                  /* bytes of a record */
	uint32_t members;               /* of the type */
	uint32_t bytes;                 /* of the members used; overlapping members count once */
	uint32_t nused;
	struct sir_member used[RECORD_MEMBERS]; /* by offset; names borrowed */
};

/* The members that the code of a context uses of the structure's records; inside: also the code of
 * the contexts inside it.  False: the structure is not known to be an array of records, or all
 * members are used. */
bool record_use_find(const struct measurements *p, uint32_t context, uint32_t object, bool inside,
	struct record_use *out);
/* The members that the phase uses, where each of its contexts that accesses the structure uses the
 * same ones.  False: loops use different members, or record_use_find() finds nothing. */
bool record_use_common(const struct measurements *p, uint32_t object, struct record_use *out);

/* Does the code of a context, or of those inside it, access the structure at an index that
 * is an element of an array? */
bool record_use_indexed(const struct measurements *p, uint32_t context, uint32_t object);

/* Cache lines a record, on average over its positions in a line. */
struct record_lines {
	double walked;          /* all records in order: a line that two records share counts
				 * half */
	double alone;           /* one record, its neighbours not used */
};
struct record_lines record_lines_of(const struct record_use *use, uint32_t line);
/* As record_lines_of, for records of `bytes` bytes that are used completely. */
struct record_lines record_lines_packed(uint32_t bytes, uint32_t line);

/* False: the program has no array of records, so record_use_find() finds nothing. */
bool record_use_any(const struct measurements *p);
/* 1 and 1 where record_use_find() finds nothing. */
struct record_split record_split_of(const struct measurements *p, uint32_t context,
	uint32_t object);

/* KIND_RECORD where records explain the misses: most are stream, strided or gather, and the members
 * used in the context, or in the phase, are less than half of the record and, packed, take at most
 * half of the lines; else tally_memory_kind(). */
unsigned measured_memory_kind(const struct measurements *p, uint32_t context, uint32_t object,
	const struct tally *t);

/* Says what the context and those inside it use: "2 of 9 members are used there (8 of 72 bytes; 3
 * in the phase)", or "all in the phase"; "3 of 9 members are used in the phase (24 of 72 bytes)"
 * where the phase uses the same ones. Borrowed, until the measurements are freed;
 * NULL: no records, or memory. */
const char *record_use_text(const struct measurements *p, uint32_t context, uint32_t object);
/* These members: "x, y, z". */
const char *record_use_names(const struct measurements *p, uint32_t context, uint32_t object);
/* The member of a record at a byte of the structure, or of one of its heap
 * blocks; NULL: not known. */
const char *record_member_at(const struct measurements *p, uint32_t object, int64_t offset);
void record_texts_free(struct measurements *p);

#endif
