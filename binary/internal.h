/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this part share about an open binary. */
#ifndef PSC_BINARY_INTERNAL_H
#define PSC_BINARY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include "base/arena.h"
#include "binary/binary.h"

struct span {                   /* addresses, from low to below high */
	uint64_t low, high;
};

struct segment {                /* what is loaded from the file */
	uint64_t address, size, offset;
	bool executable;
};

struct symbol {
	uint64_t address, size;
	const char *name;
	bool function, global;
	uint64_t end;                   /* of the section */
};

struct import {                 /* a function of another file */
	uint64_t word;                  /* the address of the word that has its address */
	const char *name;
};

/* A piece of a function's code with one place, up to the next piece. */
struct spot {
	uint64_t address;
	const struct binary_function *function;
	uint32_t region;
	const char *file;
	int line;
};

struct code_function {          /* a function */
	const struct span *spans;       /* by address; the entry is in one of them */
	uint32_t nspans;
	uint64_t entry;
	struct dwarf_unit *unit;        /* NULL: no DWARF */
	Dwarf_Die die;                  /* of the subprogram; only with a unit */
	const char *symbol;             /* NULL: none */
	bool analysed;
	struct binary_function **entries;       /* [0] is the function, then inlined ones */
	uint32_t nentries;
	struct spot *spots;
	uint32_t nspots;
};

struct code_span {              /* index of functions by address */
	struct span span;
	struct code_function *code;
};

struct code_index {
	struct code_span *at;           /* by address */
	uint32_t n;
	struct code_function *all;
	uint32_t nall;
};

struct file_name {              /* of a source file: as DWARF has it, and without the unit's
				 * directory */
	const char *path, *name;
	struct file_name *next;
};

struct dwarf_unit {             /* a compile unit */
	Dwarf_Die die;                  /* of a split unit: the one in the .dwo */
	Dwarf_Die skeleton;             /* the one that has the ranges and lines */
	const char *name;               /* NULL: unit_head() was not called */
	const char *dir, *language, *compiler;
	bool unoptimised;
	struct file_name *files;
	bool read;
	struct code_index functions;
};

struct unit_span {
	struct span span;
	struct dwarf_unit *unit;
};

struct binary {
	struct arena *arena;
	const char *path, *name;        /* name: without directories */
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;                       /* borrowed from dwfl */
	const unsigned char *image;
	size_t image_size;
	struct segment *segments;
	uint32_t nsegments;
	uint64_t id;                    /* of the file's contents */
	uint64_t entry;

	bool symbols_read;
	struct symbol *symbols;         /* by address, then size */
	uint32_t nsymbols;
	struct code_index bare;         /* functions by symbol or unwind table */
	bool bare_read;

	bool imports_read;
	struct import *imports;         /* by address */
	uint32_t nimports;

	bool units_read;
	Dwarf *dwarf;                   /* NULL: none */
	struct dwarf_unit *units;
	uint32_t nunits;
	struct unit_span *unit_spans;   /* by address */
	uint32_t nunit_spans;

	bool lost_read;
	struct binary_lost lost;

	bool variables_read;
	struct binary_variable *variables;
	uint32_t nvariables;
};

/* file.c */
/* The bytes of an address, as many as the file has of that segment; NULL: none. */
const unsigned char *binary_bytes(const struct binary *b, uint64_t address, size_t *size);
bool binary_executable(const struct binary *b, uint64_t address);
/* Continues a hash (FNV-1a); begins with BINARY_HASH. */
#define BINARY_HASH 0xcbf29ce484222325u
uint64_t binary_hash(uint64_t h, const void *data, size_t size);

/* elf_symbols.c */
void binary_read_symbols(struct binary *b);
/* The symbol that has the address; NULL. */
const struct symbol *binary_symbol_at(struct binary *b, uint64_t address, bool function);
/* The function that a symbol or the unwind table knows; NULL. */
struct code_function *binary_bare_code(struct binary *b, uint64_t address);
void binary_read_bare(struct binary *b);
/* The name without what the compiler appends for a part or a clone
 * (".part.0").  NULL: out of memory. */
const char *symbol_base(struct arena *a, const char *symbol);

/* imports.c: the function of another file that a linkage stub jumps to;
 * NULL: the code is no stub. */
const char *binary_import(struct binary *b, uint64_t stub);

/* code_index.c */
/* Sorts the spans of all[] into the index.  0; -1: out of memory. */
int code_index_make(struct arena *a, struct code_index *index);
struct code_function *code_index_at(const struct code_index *index, uint64_t address);

/* unwind.c: functions by the unwind table.  NULL: none, or out of memory. */
struct span *unwind_functions(struct binary *b, uint32_t *n);

/* main_entry.c: the address of main by the code at the file's entry; 0: not found. */
uint64_t binary_main(struct binary *b);

/* dwarf_units.c */
void binary_read_units(struct binary *b);
struct dwarf_unit *binary_unit_at(struct binary *b, uint64_t address);
/* Reads the name, directory, language and compiler of a unit. */
void unit_head(struct binary *b, struct dwarf_unit *u);
/* The functions of a unit. */
const struct code_index *unit_functions(struct binary *b, struct dwarf_unit *u);
/* The name of a subprogram.  NULL: it has none, or out of memory. */
const char *die_name(struct arena *a, Dwarf_Die *die);
/* The linkage name; NULL: none. */
const char *die_symbol(Dwarf_Die *die);
/* The file that an attribute names (DW_AT_decl_file, DW_AT_call_file); NULL: none. */
const char *die_file(Dwarf_Die *die, unsigned attribute);
/* The file of a declaration ("": unknown) and its line (0: unknown). */
const char *die_place(struct arena *a, struct dwarf_unit *u, Dwarf_Die *die, int *line);

/* outlined.c: the function that has the directive of OpenMP of which the function is made. */
struct outlined {
	const char *name, *file;
	int line;
};
/* Whether the name is that of code outlined for OpenMP. */
bool outlined_name(const char *name);
/* directive: its line.  false: not found. */
bool outlined_from(struct arena *a, struct dwarf_unit *u, const char *name, const char *file,
	int directive, struct outlined *from);

/* demangle.c */
/* The name of a function or variable of C++ or Rust without parameters, result and hash.  symbol
 * itself where it is not mangled or cannot be read.  NULL: out of memory. */
const char *demangle_name(struct arena *a, const char *symbol);
/* A demangled text without parameters, result, hash and default
 * arguments of templates, in place. */
void demangle_tidy(char *text);

/* A name of C++ without default arguments of templates.  NULL: out of memory. */
const char *demangle_short(struct arena *a, const char *name);

/* dwarf_types.c */
/* A type without typedefs, const and volatile.  false: void, or broken. */
bool type_plain(Dwarf_Die *type, Dwarf_Die *plain);
/* The type that a DIE names by DW_AT_type, plain. */
bool type_of(Dwarf_Die *die, Dwarf_Die *plain);
/* The element of an array, or the type itself, plain. */
bool type_element(Dwarf_Die *type, Dwarf_Die *element);
uint64_t type_size(Dwarf_Die *type);            /* 0 unknown */
/* "double", "struct cell", "double *".  NULL: unknown, or out of memory. */
const char *type_name(struct arena *a, Dwarf_Die *type);
/* The member that has the offset, also in members that are structures: "pos.x".  The path ends
 * before a structure of the system's headers: a vector is a member, not its pointers.  *member: its
 * type, plain.
 * NULL: none. */
const char *type_member(struct arena *a, Dwarf_Die *type, uint64_t offset, Dwarf_Die *member);

/* The type of what has the offset, no structure.  false: nothing has it. */
bool type_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *inner);
/* The type that a container of the standard library has been made for, its first one: double of
 * std::vector<double>.  false: it is no such container. */
bool type_of_container(Dwarf_Die *type, Dwarf_Die *element);

/* functions.c */
/* The function with the address, analysed; NULL. */
struct code_function *binary_code_at(struct binary *b, uint64_t address);
/* Finds entries and places.  0; -1: out of memory. */
int code_analyse(struct binary *b, struct code_function *c);

/* source_files.c */
/* Whether a file is one of the system or of a compiler's library. */
bool source_is_system(const char *file);
/* A file without the unit's directory.  The same file has the same address in a unit, unless there
 * is no memory for its entry. */
const char *source_name(struct arena *a, struct dwarf_unit *u, const char *path);

#endif
