/* SPDX-License-Identifier: BSD-3-Clause */
/* Program structure under construction: a tree that readers add to, merged and laid flat into a
 * struct sir at the end.  Everything lives in one arena. */
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
	struct sir_hook *at;
	uint32_t nat, at_cap;
	bool merged;            /* merge.c: another node has it now */
};

struct sir_model {
	struct arena *arena;    /* owned until model_finish() */
	struct sir_node *first, *last;
	struct sir_source *sources;
	uint32_t nsources, sources_cap;
};

/* All of these: 0 / -1, or NULL, only when memory is out. */
int model_init(struct sir_model *m);
void model_drop(struct sir_model *m);
/* A new region behind parent's others; parent NULL: a unit. */
struct sir_node *model_region(struct sir_model *m, struct sir_node *parent);
int model_array(struct sir_model *m, struct sir_node *n, const struct sir_array *a);
/* A pair that is there already is not added. */
int model_hook(struct sir_model *m, struct sir_node *n, uint64_t hash, uint32_t index);
/* A source with the same non-zero hash is the same source. */
int model_source(struct sir_model *m, const struct sir_source *s, uint32_t *index);
/* Merges (merge.c) and lays flat.  The result owns the arena; on failure it is gone as well. */
struct sir *model_finish(struct sir_model *m, struct err *err);

/* merge.c: a unit's regions get the arrays of those inside them, by name and line. */
int model_gather(struct sir_model *m, struct sir_node *unit);
/* merge.c: units that mean the same source become one, with all their hooks. */
int model_merge(struct sir_model *m);
/* dir/file of the region without "." and "..", as text (the files need not exist here); the file
 * as given where the directory is not known.  NULL: memory is out. */
const char *model_path(const struct sir_model *m, const struct sir_region *r);

/* xml_read.c: adds what a document or a fragment says.  where names the text in errors;
 * fragment: the hash of its header, NULL for a .sir file.  0 / -1. */
int xml_read(struct sir_model *m, const char *where, const char *text, size_t len,
	const uint64_t *fragment, struct err *err);

/* fragment.c: adds the fragments of a section psc_sir.  0 / -1. */
struct sir_section {
	const char *where;      /* file, or "archive(member)" */
	const unsigned char *data;
	size_t size;
	bool swap;              /* the file's byte order is not ours */
};
int fragment_read(struct sir_model *m, const struct sir_section *sec, struct err *err);

/* elf.c: adds the fragments of the file open at fd and of the shared libraries it needs. */
int elf_read(struct sir_model *m, const char *path, int fd, struct err *err);

/* What a struct sir keeps behind priv: sorted indexes for the look-ups. */
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

/* sir.c: the unit that a call in the source `from` means: one of the same source first. */
uint32_t sir_callee(const struct sir *s, const char *name, uint32_t from);

#endif
