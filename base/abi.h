/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between the code that our compiler plugin emits (instrument/) and the run-time
 * library that it calls (monitor/).  Plain C that C++ can include; nothing here may change
 * without a new PSC_ABI_VERSION, because objects outlive the tool that built them.
 *
 * All symbols that instrumented code refers to begin with psc_ and live in libpscmon.
 */
#ifndef PSC_BASE_ABI_H
#define PSC_BASE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PSC_ABI_VERSION 1

/* What a registered variable's address means. */
enum psc_var_kind {
	PSC_VAR_STATIC = 0,     /* C/C++ static or global, Fortran SAVE: the data itself */
	PSC_VAR_MODULE = 1,     /* Fortran module variable: the data itself */
	PSC_VAR_COMMON = 2,     /* member of a COMMON block; scope names the block ("" = blank) */
	PSC_VAR_DESCRIPTOR = 3  /* gfortran array descriptor (allocatable, pointer): data behind it */
};

/* One array (or aggregate, or COMMON member) with a link-time address. */
struct psc_var {
	const char *name;    /* as in the source */
	const char *scope;   /* COMMON block, module, class or function; NULL = file scope */
	const void *address; /* of the data, or of the descriptor */
	uint64_t size;       /* bytes; 0 when not known (descriptor) */
	uint32_t kind;       /* enum psc_var_kind */
	uint32_t line;       /* of the declaration; 0 unknown */
	uint32_t region;     /* unit-local region of the declaring subroutine, or PSC_NO_REGION */
	uint32_t elem;       /* bytes of one element; 0 unknown */
};
#define PSC_NO_REGION UINT32_MAX

/* One dummy argument (array or pointer) that psc_bind() can tell the address of. */
struct psc_dummy {
	const char *name;
	uint32_t region;     /* unit-local index of the subroutine's SUB_REGION */
	uint32_t line;       /* the subroutine's line */
};

/* One compile unit.  The plugin emits exactly one per unit, writable, and a constructor that
 * passes it to psc_unit_register(), a destructor that passes it to psc_unit_unregister(). */
struct psc_unit {
	uint32_t abi;        /* PSC_ABI_VERSION */
	uint32_t nregions;   /* as in the unit's SIR fragment */
	uint64_t hash;       /* identifies the unit; equals the hash of its SIR fragment */
	const char *source;  /* file name as given to the compiler */
	const struct psc_var *vars;
	const struct psc_dummy *dummies;
	uint32_t nvars;
	uint32_t ndummies;
	uint32_t base;       /* written by the monitor: run-time number of region 0 */
	uint32_t registered; /* written by the monitor */
	struct psc_unit *next; /* owned by the monitor */
	/* Written by the monitor: bit r % 8 of byte r / 8 % 8 is set while region r may be the
	 * phase that it counts.  All are 0 while the unit does not hold the phase. */
	uint8_t phase[8];
	void *reserved[3];
};

void psc_unit_register(struct psc_unit *unit);
void psc_unit_unregister(struct psc_unit *unit);

/* --- Region markers ---------------------------------------------------------------------
 * region is the unit-local index of the region's SIR element.  Thread-safe, never throw.
 * Native code asks psc_live before it calls a marker or psc_bind(), and takes 0 for a token
 * that it did not ask for; who calls without asking is told nothing new, only later: each
 * returns at once while nothing is measured. */
extern int psc_live;    /* non-zero while anything is measured: markers are worth calling */
void psc_enter(struct psc_unit *unit, uint32_t region);
void psc_exit(struct psc_unit *unit, uint32_t region);

/* A parallel construct: the encountering thread calls psc_fork() before it and hands the token
 * to every thread of the team, which calls psc_team_enter() first and psc_exit() last inside
 * the construct's body.  So the team's work counts to the context that forked it. */
uint64_t psc_fork(struct psc_unit *unit, uint32_t region);
void psc_team_enter(struct psc_unit *unit, uint32_t region, uint64_t token);

/* --- Phase boundaries --------------------------------------------------------------------
 * Only on phase-capable regions, only in serial context.  Subroutine: begin at entry, end at
 * exit.  Loop: begin on entry edges, next on every back edge, end on exit edges with
 * from_header = 1 where the edge leaves from the loop's header (the void execution that a
 * top-tested loop begins last).  Construct: begin before, end after.
 * Native code asks the region's bit of unit->phase before it calls one. */
#define PSC_PHASE_BYTE(region) ((region) / 8 % 8)
#define PSC_PHASE_BIT(region) (1u << (region) % 8)
void psc_phase_begin(struct psc_unit *unit, uint32_t region);
/* The same in a subroutine's native version, before it asks psc_recording whether to call the
 * clone: when it does, the clone's psc_phase_begin() is the begin that this one was. */
void psc_phase_call(struct psc_unit *unit, uint32_t region);
void psc_phase_next(struct psc_unit *unit, uint32_t region);
void psc_phase_end(struct psc_unit *unit, uint32_t region, uint32_t from_header);

/* --- Dummy arguments ---------------------------------------------------------------------
 * At a subroutine's entry.  size in bytes (0 = unknown, assumed size or C pointer). */
void psc_bind(struct psc_unit *unit, uint32_t dummy, const void *address, uint64_t size);
/* The same for an assumed-shape, allocatable or pointer dummy: the address of its descriptor. */
void psc_bind_descriptor(struct psc_unit *unit, uint32_t dummy, const void *descriptor);

/* --- Access recording --------------------------------------------------------------------
 * Every function exists twice: native, and a clone that records.  The native one begins with
 *     if (psc_recording) return clone(args);
 * The clone writes *records* to the thread's buffer.  A block that records begins with
 *     if (psc_cur >= psc_end) psc_flush();
 * and may then write up to PSC_SLACK_WORDS words without asking again.  Both pointers are
 * NULL in a thread that never recorded; psc_flush() gives it a buffer.
 *
 * A record is 64-bit words.  Word 0 of a segment is the address of a static struct
 * psc_segment (8-byte aligned: the low three bits are the tag PSC_REC_SEGMENT), then for each
 * access in order one word, the address; a range access has a second word, its length in
 * bytes.  A segment never spans a call, a marker or a block end. */
#define PSC_REC_SEGMENT 0 /* address of struct psc_segment */
#define PSC_REC_CONTEXT 1 /* written by the monitor: context number << 3 | tag */
#define PSC_REC_TAG(word) ((unsigned)((word) & 7))

#define PSC_SLACK_WORDS 8192 /* words behind psc_end that a block may still write */

enum psc_access_kind {
	PSC_LOAD = 0,
	PSC_STORE = 1,
	PSC_LOAD_RANGE = 2,  /* memcpy, memmove source, aggregate copy: length in the next word */
	PSC_STORE_RANGE = 3  /* memset, memcpy destination, aggregate copy */
};

struct psc_access {
	uint32_t line;  /* of the source; 0 unknown */
	uint32_t bits;  /* size in bytes << 2 | enum psc_access_kind; size is 0 for ranges */
};
#define PSC_ACCESS_KIND(bits) ((bits) & 3u)
#define PSC_ACCESS_SIZE(bits) ((bits) >> 2)

struct psc_segment {
	uint32_t nwords;   /* words that follow the header in the buffer */
	uint32_t naccess;
	/* struct psc_access access[naccess] follows */
};
#define PSC_SEGMENT_ACCESS(seg) ((const struct psc_access *)((seg) + 1))

extern int psc_recording;           /* non-zero: enter the recording clones */
#if defined(__GNUC__) && !defined(PSC_ABI_NO_TLS)
extern __thread uint64_t *psc_cur __attribute__((tls_model("initial-exec")));
extern __thread uint64_t *psc_end __attribute__((tls_model("initial-exec")));
#endif
void psc_flush(void);

/* --- SIR fragments -----------------------------------------------------------------------
 * In section "psc_sir" (allocated, read-only) of every instrumented object: the header below,
 * then `length` bytes, then zero padding to 8 bytes or more.  A reader looks for the magic at
 * 8-byte steps and skips padding.  The text is XML (one <fragment> element, UTF-8, no
 * declaration, see sir/README.md); the magic says how it is stored:
 *   PSC_SIR_PACKED  a struct psc_sir_packed and a zlib stream (RFC 1950): what the plugin writes
 *   PSC_SIR_MAGIC   as it is: what it wrote before, and what can be written by hand */
#define PSC_SIR_SECTION "psc_sir"
#define PSC_SIR_MAGIC "PSCSIR1"   /* eight bytes with the NUL */
#define PSC_SIR_PACKED "PSCSIR2"
struct psc_sir_header {
	char magic[8];
	uint32_t version;  /* PSC_ABI_VERSION */
	uint32_t length;   /* bytes that follow the header */
	uint64_t hash;     /* of the unit */
};
struct psc_sir_packed {
	uint64_t text;     /* bytes of the text; at most PSC_SIR_TEXT_MAX */
};
#define PSC_SIR_TEXT_MAX (64u << 20)

#ifdef __cplusplus
}
#endif
#endif
