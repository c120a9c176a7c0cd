/* SPDX-License-Identifier: BSD-3-Clause */
/* The analysis of one function: its control flow, the inlined functions and source lines of its
 * instructions, and the regions that are made of them. */
#ifndef PSC_BINARY_ANALYSIS_H
#define PSC_BINARY_ANALYSIS_H

#include "binary/basic_blocks.h"
#include "binary/internal.h"

struct scope {                  /* [0] is the function, the others are inlined functions */
	uint32_t parent, last;          /* scopes inside have the numbers up to last */
	Dwarf_Die die;
	const char *call_file;          /* of the call, in the parent */
	int call_line;
	bool system;                    /* declared in a file of the system */
	uint32_t entry;                 /* in code->entries; BINARY_NONE */
};

struct source_line {
	const char *file;               /* "" unknown */
	int line;
};

struct loop_place {
	uint32_t scope;                 /* whose loop it is */
	struct source_line at;
	int end_line;
	uint32_t region;                /* of the entry of the scope */
};

struct analysis {
	struct binary *b;
	struct code_function *code;
	struct code_flow flow;
	struct scope *scopes;
	uint32_t nscopes, scopes_cap;
	uint32_t *scope_of;             /* innermost scope of an instruction */
	struct source_line *lines;      /* of an instruction */
	struct loop_place *loops;
};

/* inlined.c: reads the scopes and gives them to the instructions.  0; -1: out of memory. */
int analysis_scopes(struct analysis *a);
/* instruction_lines.c: the lines of the instructions. */
void analysis_lines(struct analysis *a);
/* The line of an instruction in the text of a scope: where its code is from an inlined function,
 * that of the call.  line 0: unknown, or the scope is not around it. */
struct source_line analysis_level_line(const struct analysis *a, uint32_t insn, uint32_t scope);

/* loop_places.c: whose loops they are, and where they are in the source. */
void analysis_loops(struct analysis *a);

/* function_regions.c: makes the function's entries and their regions.  0; -1: out of memory. */
int analysis_regions(struct analysis *a);

#endif
