/* SPDX-License-Identifier: BSD-3-Clause */
/* Program structure under construction: readers add to a tree, which is merged and flattened into a
 * struct sir at the end.  Everything is allocated from one arena. */
#ifndef PSC_SIR_MODEL_H
#define PSC_SIR_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/err.h"
#include "sir/sir.h"

struct sir_node {
	struct sir_region r;    /* id, links, arrays and at are set by model_finish() */
	struct sir_node *parent, *first, *last, *next;
	struct sir_array *arrays;
	uint32_t narrays, arrays_cap;
	struct sir_record *records;
	uint32_t nrecords;
	struct sir_copy *copies;
	uint32_t ncopies;
	struct sir_hook *at;
	uint32_t nat, at_cap;
	bool merged;            /* merge.c: its contents are in another node now */
};

struct sir_model {
	struct arena *arena;    /* owned until model_finish() */
	struct sir_node *first, *last;
	struct sir_source *sources;
	uint32_t nsources, sources_cap;
};

/* These return -1 or NULL only when out of memory. */
int model_init(struct sir_model *m);
void model_drop(struct sir_model *m);
/* Adds a region as the last child of parent; parent NULL: adds a unit. */
struct sir_node *model_region(struct sir_model *m, struct sir_node *parent);
int model_array(struct sir_model *m, struct sir_node *n, const struct sir_array *a);
/* used_members.c: adds a record, or its members to those of the same type and array. */
int model_record(struct sir_model *m, struct sir_node *n, const struct sir_record *r);
/* Reads the attribute "used" into r, whose size and members are set.  1: good; 0:
 * malformed; -1: out of memory. */
int model_record_used(struct sir_model *m, const char *text, struct sir_record *r);
/* Appends the attribute's text. */
void record_used_print(const struct sir_record *r, struct buf *out);
/* region_copies.c: adds a copy unless the region has it already. */
int model_copy(struct sir_model *m, struct sir_node *n, const struct sir_copy *c);
/* The attribute "of".  Returns false for another word. */
bool copy_of_word(const char *word, enum sir_copy_of *of);
const char *copy_word(enum sir_copy_of of);
/* Adds a (hash, index) pair unless the region has it already. */
int model_hook(struct sir_model *m, struct sir_node *n, uint64_t hash, uint32_t index);
/* Adds a source, or finds the one with the same non-zero hash; *index: its number. */
int model_source(struct sir_model *m, const struct sir_source *s, uint32_t *index);
/* Merges copies (merge.c) and flattens the tree.  The result owns the arena; on failure it is
 * freed. */
struct sir *model_finish(struct sir_model *m, struct err *err);

/* merge.c: adds to each region of a unit the arrays of the regions inside it, by name and line. */
int model_gather(struct sir_model *m, struct sir_node *unit);
/* merge.c: merges units of the same source function into one with all their hooks. */
int model_merge(struct sir_model *m);
/* dir/file of the region without "." and "..", by text only (the files need not exist on this
 * host); the file as given where the directory is not known.  NULL: out of memory. */
const char *model_path(const struct sir_model *m, const struct sir_region *r);

/* xml_read.c: adds the contents of a document or a fragment.  where: name of the text in errors;
 * fragment: the hash in its header, NULL for a .sir file.  0 / -1. */
int xml_read(struct sir_model *m, const char *where, const char *text, size_t len,
	const uint64_t *fragment, struct err *err);

/* fragment.c: adds the fragments of a section psc_sir.  0 / -1. */
struct sir_section {
	const char *where;      /* file, or "archive(member)" */
	const unsigned char *data;
	size_t size;
	bool swap;              /* the file has the other byte order */
};
int fragment_read(struct sir_model *m, const struct sir_section *sec, struct err *err);

/* elf.c: adds the fragments of the file open at fd and of the shared libraries it needs. */
int elf_read(struct sir_model *m, const char *path, int fd, struct err *err);

/* struct sir's priv: sorted indexes for look-ups. */
struct sir_hook_entry {
	struct sir_hook hook;
	uint32_t region;
};

struct sir_unit_entry {
	const char *name;       /* source name or symbol; borrowed from the region */
	uint32_t region;
};

struct sir_priv {
	struct arena *arena;
	struct sir_hook_entry *hooks;   /* by (hash, index) */
	uint32_t nhooks;
	struct sir_unit_entry *units;   /* by name without case, then by region */
	uint32_t nunits;
	const char **paths;             /* model_path() of every region */
};

/* sir.c: is its source in Fortran, where names have no case? */
bool sir_is_fortran(const struct sir *s, const struct sir_region *r);
/* sir.c: the unit that a call in the source `from` refers to; units of the same source come
 * first. */
uint32_t sir_callee(const struct sir *s, const char *name, uint32_t from);

#endif
