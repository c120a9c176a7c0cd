/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement files: in which memory the pages of data structures shall lie.  psc_report --placement
 * writes one, psc_frontend --placement applies it.
 *
 *     periscope placement 1
 *     # a comment
 *     interleave "data" points.c:20
 *     bind=1     "table" faces.c
 *     pages=2M   "rows[]"
 *
 * A rule is an action of --try that is for a structure, the structure's own name, and where it is
 * declared or allocated: a file, by the end of its path, with or without a line; without it any
 * structure of that name. */
#ifndef PSC_BASE_PLACEMENT_FILE_H
#define PSC_BASE_PLACEMENT_FILE_H

#include <stdint.h>
#include "base/buf.h"
#include "base/tried_action.h"

enum { PLACE_RULES = 64, PLACE_FILE = 256, PLACE_NODES = 1024 };

struct place_rule {
	enum tried_action action;       /* for a structure: tried_of_structure() */
	uint32_t node;                  /* TRIED_ONE_NODE */
	char structure[TRIED_NAME];
	char file[PLACE_FILE];          /* "": any */
	uint32_t line;                  /* 0: any */
};
struct placement {
	struct place_rule rule[PLACE_RULES];
	uint32_t n;
};

/* 0 / -1 (err: FILE:LINE:COLUMN and what is wrong). */
int placement_read(const char *path, struct placement *out, struct err *err);
/* The same of a text; the name of the file is for messages. */
int placement_parse(const char *name, const char *text, struct placement *out, struct err *err);
/* Append the first line of a file, and a rule as a line. */
void placement_head(struct buf *out);
void placement_rule(struct buf *out, const struct place_rule *r);

#endif
