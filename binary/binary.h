/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and places of an ELF file for x86-64 that our compiler plugin did not make: functions,
 * loops, source lines, variables, heap blocks, and the structure of the program; see README.md.
 *
 * An address is one of the file (p_vaddr), not of the running process: binary_code_address() makes
 * it from the offset in the file, which /proc/PID/maps has.  Everything is read when it is first
 * asked for. All that is returned belongs to the struct binary and lives until binary_close().  One
 * thread at a time may use a struct binary. */
#ifndef PSC_BINARY_BINARY_H
#define PSC_BINARY_BINARY_H

#include <stdbool.h>
#include <stdint.h>
#include "base/abi.h"
#include "base/err.h"
#include "base/region.h"
#include "sir/sir.h"

struct binary;

/* NULL: err says why (no such file, no ELF file for x86-64, Periscope built
 * without libdw or Zydis). */
struct binary *binary_open(const char *path, struct err *err);
void binary_close(struct binary *b);            /* NULL is fine */
const char *binary_path(const struct binary *b);

/* Is that a library of a run-time system (of C, C++, Fortran, OpenMP, MPI), or the dynamic loader,
 * by the name of the file?  The time of its code is that of whoever calls it. */
bool binary_is_run_time(const char *path);

/* The address of the code that a mapping of the file from this offset on begins with.  Mappings
 * begin with a page, which may hold the end of another segment, too.  false: no executable
 * segment is mapped there. */
bool binary_code_address(const struct binary *b, uint64_t offset, uint64_t *address);
/* The other way round. */
bool binary_offset(const struct binary *b, uint64_t address, uint64_t *offset);

/* What the file does not tell. */
struct binary_lost {
	bool lines;             /* no DWARF: no lines, types, local variables or inlined calls */
	bool symbols;           /* no symbol table but the dynamic one: functions have made-up
				 * names */
	uint32_t units;         /* compile units */
	uint32_t split;         /* of them, those whose split DWARF was not found */
	const char *missing;    /* the first file that was looked for in vain; NULL: none */
	const char *separate;   /* the file that has the DWARF instead of this one; NULL: none */
};
const struct binary_lost *binary_lost(struct binary *b);

/* --- places of code --------------------------------------------------------------------------- */

#define BINARY_NONE UINT32_MAX

struct binary_region {
	enum region_type type;  /* REGION_SUB, REGION_PARALLEL, REGION_LOOP */
	uint32_t parent;        /* index in the function's regions; BINARY_NONE: of region 0 */
	const char *file;       /* where the source is unknown, the unit's, or the name of the
				 * binary */
	int line, end_line;     /* 0 unknown */
	uint64_t head;          /* a loop: its first instruction; else the entry */
};

/* A function, or a copy of one that the compiler put into another function and that has a loop: an
 * inlined function without a loop is part of the region that calls it. */
struct binary_function {
	uint64_t hash;          /* of struct mon_unit and struct sir_hook; the index is that of the region.
	                         * The same in every process that reads the same file */
	const char *name;       /* C++ and Rust: qualified, without parameters; without symbols
				 * "liblzma+0x11a0" */
	const char *symbol;     /* assembler name; NULL: equal to name, or there is none */
	const struct binary_region *regions;    /* [0] is the function; parents first */
	uint32_t nregions;
	const struct binary_function *into;     /* the function that it is a part of; NULL: none */
	uint32_t into_region;                   /* of `into`, around it */
	const char *source, *dir, *language, *compiler; /* of the compile unit; source: the name of
	                         * the binary where that is unknown; NULL: unknown */
	bool unoptimised;
	bool program;           /* the main program of Fortran or Rust, whatever its name */
	uint64_t low, high;     /* of the code; a cold part apart from it is not in it */
};

struct binary_place {
	const struct binary_function *function;
	uint32_t region;        /* the innermost one of the function */
	const char *file;       /* of the line; "" unknown */
	int line;               /* in the function's own text: where the code is inlined from a function that
	                         * has no entry of its own, the line of its call; 0 unknown */
};
/* The place of an instruction.  false: no function has it (procedure linkage, data). */
bool binary_place_at(struct binary *b, uint64_t address, struct binary_place *place);

struct binary_line {
	const char *function;   /* "" unknown */
	const char *file;
	int line;
};
/* The line of an instruction and those of the inlined calls around it, from the innermost outwards;
 * at most `max`.  Returns their number; 0: unknown. */
uint32_t binary_lines_at(struct binary *b, uint64_t address, struct binary_line *lines,
	uint32_t max);

/* --- variables with an address ---------------------------------------------------------------- */

struct binary_variable {
	uint64_t address;
	uint64_t size;          /* bytes; never 0 */
	const char *name;
	const char *scope;      /* COMMON block, module, namespace, class or function; NULL: none */
	const char *type;       /* of an element; NULL unknown */
	const char *file;       /* of the declaration; "" unknown */
	int line;               /* 0 unknown */
	uint32_t elem;          /* bytes of an element; 0 unknown */
	enum psc_var_kind kind;
	const void *die;        /* its type; of use in binary/ alone */
	bool alias;             /* another name of memory of a variable before it (COMMON,
				 * EQUIVALENCE) */
};
/* All, by address. */
const struct binary_variable *binary_variables(struct binary *b, uint32_t *n);
/* NULL: none has the address. */
const struct binary_variable *binary_variable_at(struct binary *b, uint64_t address);

/* --- heap blocks ------------------------------------------------------------------------------ */

enum binary_heap_by {           /* what names the block; the best first */
	BINARY_HEAP_STATIC,     /* the static variable that its address is stored in */
	BINARY_HEAP_MEMBER,     /* the member of a structure: name is "member", scope the type */
	BINARY_HEAP_LOCAL,      /* the local variable, or a member of it: "grid.cells" */
	BINARY_HEAP_SITE        /* nothing but the line of the call */
};
struct binary_heap {
	enum binary_heap_by by;
	const char *name;       /* NULL: BINARY_HEAP_SITE */
	const char *scope;      /* NULL: none */
	const char *type;       /* of an element; NULL unknown */
	uint32_t elem;          /* bytes of an element; 0 unknown */
	struct binary_place place;      /* of the call; function NULL: none of the frames has a
					 * name */
	uint32_t frame;         /* the frame that names it */
};
/* A return address on the stack of a thread that calls malloc (or calloc, operator new, …); the
 * first is that in malloc's caller.  Words that only look like one may be among them: where the
 * call before the address is known to be that of another function, it is left out.  binary NULL: a
 * file that cannot be read. */
struct binary_frame {
	struct binary *binary;
	uint64_t address;
};
/* Names a block.  A frame that only passes the block on (operator new, a wrapper such as xmalloc,
 * code of the standard library) is left for the next one. */
void binary_heap_name(const struct binary_frame *frames, uint32_t n, struct binary_heap *heap);

/* --- structure of the program ----------------------------------------------------------------- */

/* The functions of these files with their loops.  Hashes and indexes are those of struct
 * binary_function.  Caller frees with sir_free(). */
struct sir *binary_structure(struct binary *const *files, uint32_t n, struct err *err);
/* The same of some functions, such as those that something was measured of. */
struct sir *binary_structure_of(const struct binary_function *const *functions, uint32_t n,
	struct err *err);
/* sir_read(); where nothing is instrumented and the file is an executable or shared library for
 * x86-64, its structure from the code.  *foreign: whether it is from the code; may be NULL. */
struct sir *binary_read_structure(const char *path, bool *foreign, struct err *err);
/* The same, with the code of some of its libraries: their paths, one a line; NULL: none. */
struct sir *binary_read_program(const char *path, const char *libraries, bool *foreign,
	struct err *err);

#endif
