/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between the code that the compiler plugin emits (instrument/) and the run-time
 * library that it calls (monitor/).  Plain C that C++ can include.  Every change needs a new
 * PSC_ABI_VERSION, because objects outlive the tool that built them.
 *
 * All symbols that instrumented code refers to begin with __psc_, a prefix that C reserves, so that
 * they cannot clash with names of the program.  libpscmon defines them.
 */
#ifndef PSC_BASE_ABI_H
#define PSC_BASE_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Objects of another version are refused.  Kept from release 0.1.0 on. */
#define PSC_ABI_VERSION 1

/* The kind of a registered variable, and what its address points to. */
enum psc_var_kind {
	PSC_VAR_STATIC = 0,     /* C/C++ static or global, Fortran SAVE: the data itself */
	PSC_VAR_MODULE = 1,     /* Fortran module variable: the data itself */
	PSC_VAR_COMMON = 2,     /* member of a COMMON block; scope names the block ("" = blank) */
	PSC_VAR_DESCRIPTOR = 3  /* gfortran array descriptor (allocatable, pointer): data behind
				 * it */
};

/* An array, aggregate or COMMON member with a link-time address. */
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

/* A dummy argument (array or pointer) whose address __psc_bind() or __psc_bind_all() passes. */
struct psc_dummy {
	const char *name;
	uint32_t region;     /* unit-local index of the subroutine's SUB_REGION */
	uint32_t line;       /* the subroutine's line */
	uint64_t size;       /* bytes, 0 unknown; or PSC_SIZE_TOLD: __psc_bind() passes it */
};
#define PSC_SIZE_TOLD UINT64_MAX

struct psc_mark;
struct psc_tables;

/* Regions whose numbers differ by a multiple of 8 * PSC_PHASE_BYTES share bits. */
#define PSC_PHASE_BYTES 128
#define PSC_PHASE_BYTE(region) ((region) / 8 % PSC_PHASE_BYTES)
#define PSC_PHASE_BIT(region) (1u << (region) % 8)

/* A compile unit.  For each unit the plugin emits
 *   one struct psc_unit, all zero, and directly behind it a struct psc_mark for each region;
 *   a constructor that passes it and its tables to __psc_unit_start();
 *   if it may become part of a library, a destructor that passes it to __psc_unit_unregister(). */
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
	uint32_t registered; /* written by the monitor: not 0 while the process is analysed */
	struct psc_unit *next; /* owned by the monitor */
	const struct psc_tables *tables;
	void *phases;             /* of the monitor's: which region */
	/* Written by the monitor.  The bit of region r (PSC_PHASE_BYTE, PSC_PHASE_BIT) is set while
	 * r may be the phase that the monitor counts, and while its markers are to be called
	 * (`marks`).  Else all bits of a unit that does not contain the phase are 0. */
	uint8_t phase[PSC_PHASE_BYTES];
	uint8_t iterates[PSC_PHASE_BYTES];      /* as `phase`, but only while region r may be the
						 * phase */
	/* While __psc_live is 1: all bits; in clean executions without those of regions whose
	 * markers would cost more than they measure.  Else 0. */
	uint8_t marks[PSC_PHASE_BYTES];
};

/* The argument of hooks by mark.  Written by the monitor. */
struct psc_mark {
	struct psc_unit *unit;
	uint32_t index;      /* of the region in the unit */
	uint32_t dummy;      /* of a subroutine: index of its first dummy */
	/* Of a subroutine: not 0 while calls go to its version with markers.  0 while the process
	 * is not analysed, and, for regions whose markers would cost more than they measure, inside
	 * the phase in clean executions; and while nothing is measured, unless the phase or a loop
	 * that is timed may lie in the subroutine's native version. */
	uint32_t marked;
	uint32_t native;     /* the monitor's: nothing is to be seen in its native version */
};

static inline struct psc_mark *psc_unit_marks(struct psc_unit *unit)
{
	return (struct psc_mark *)(void *)(unit + 1);
}

/* The compiler's tables of a unit, read-only.  A packed text follows the addresses:
 *   the number of regions, the unit's source, the number of variables, the number of dummies
 *   for each variable: flags (one byte), [scope], [region + 1, 0 for none], name, [bytes from the
 *       address], [size], [bytes of an element], line
 *   for each dummy: name, region, line, size + 1 (0: PSC_SIZE_TOLD)
 *   the number of functions whose native version has lost hooks, as its markers are in a version
 *       of its own, and for each function:
 *     (its region + 1, 0 for none) << 1 | 1 if code of other units may be inlined into it
 *     the number of loops and constructs whose hooks it has lost, and each less the function's
 * region
 *     the number of functions of the list that may be inlined into it, and each less its own place
 * in it
 *   The differences are encoded like those of lines.
 * A field in brackets is present if its flag (PSC_TABLES_*) is set.  An absent field has the value
 * of the previous variable, with one exception: without PSC_TABLES_OFFSET a variable begins at its
 * address if PSC_TABLES_ADDRESS is set, else behind the previous variable.  A scope "" means NULL,
 * except for a COMMON block.  Strings end with NUL; numbers are LEB128; a line is the difference n
 * to the previous line, encoded as 2n or, if it is negative, -2n - 1. */
struct psc_tables {
	uint32_t abi;        /* PSC_ABI_VERSION */
	uint32_t naddresses;
	uint64_t hash;       /* the fragment's */
	const struct psc_scalars *scalars;      /* NULL: none are known */
#ifdef __cplusplus
	const void *address[1];
#else
	const void *address[];   /* of the variables, in their order; the text follows */
#endif
};
#define PSC_TABLES_KIND 3u       /* enum psc_var_kind */
#define PSC_TABLES_ADDRESS 4u    /* the next of address[]; else the previous variable's */
#define PSC_TABLES_SCOPE 8u
#define PSC_TABLES_OFFSET 16u
#define PSC_TABLES_REGION 32u
#define PSC_TABLES_ELEM 64u
#define PSC_TABLES_SIZE 128u

/* The unit's static variables that are no array or aggregate, as far as GCC gave them memory, in a
 * table of their own: it is made when all code is, so that it changes none (a variable whose
 * address is known may change everywhere).  The text behind the
 * addresses: their number, and for each what struct psc_tables has of a variable. */
struct psc_scalars {
	uint64_t naddresses;
#ifdef __cplusplus
	const void *address[1];
#else
	const void *address[];
#endif
};

void __psc_unit_start(struct psc_unit *unit, const struct psc_tables *tables);
/* Registers a unit that is written by hand: the caller has filled in all fields but those that the
 * monitor writes; there are no tables and no marks behind it. */
void __psc_unit_register(struct psc_unit *unit);
void __psc_unit_unregister(struct psc_unit *unit);

/* --- Region markers ---------------------------------------------------------------------
 * region is the unit-local index of the region's SIR element.  The functions are thread-safe and
 * never throw.  Native code tests the region's bit of unit->marks, or __psc_live, before it calls a
 * marker or __psc_bind(); without a
 * call of __psc_fork() the token is 0.  The test only saves time: each function returns at once
 * while nothing is measured. */
extern int __psc_live;    /* 1 while anything is measured, else 0 */
void __psc_enter(struct psc_unit *unit, uint32_t region);
void __psc_exit(struct psc_unit *unit, uint32_t region);

/* A parallel construct.  The encountering thread calls __psc_fork() before the construct and passes
 * the token to every thread of the team; each calls __psc_team_enter() first and __psc_exit() last
 * in the construct's body.  So the team's work counts to the context that forked it. */
uint64_t __psc_fork(struct psc_unit *unit, uint32_t region);
void __psc_team_enter(struct psc_unit *unit, uint32_t region, uint64_t token);

/* Called before the thread waits at a barrier of the team, or for tasks: the monitor may use the
 * idle time. */
void __psc_wait(struct psc_unit *unit, uint32_t region);
/* Called behind a barrier of the team, inside the region: all work before the barrier is done. */
void __psc_barrier(struct psc_unit *unit, uint32_t region);
/* Called behind a wait for tasks, inside the region: nothing is known of
 * the other threads' work. */
void __psc_waited(struct psc_unit *unit, uint32_t region);

/* Places where control can land from any callee: a catch, or behind setjmp() when it returns again.
 * __psc_landing(), called before setjmp(), returns a token for the thread's current regions.
 * __psc_landed() closes the regions that were left without their exits, down to the token's, or
 * with a token of 0 down to the given region. */
uint64_t __psc_landing(void);
void __psc_landed(struct psc_unit *unit, uint32_t region, uint64_t token);

/* Called before a tail call while anything is measured.  Not 0: so much of the thread's stack is
 * used that the call must be a jump, with the exits before it. */
uint32_t __psc_deep(void);

/* --- Phase boundaries --------------------------------------------------------------------
 * Only for regions that can be the phase, only in serial context.
 *   Subroutine: begin at entry, end at exit.
 *   Loop: begin on entry edges, next on every back edge, end on exit edges, with from_header = 1
 *     where the edge leaves from the loop's header (it ends the empty last execution of a loop that
 *     is tested at its top).
 *   Construct: begin before it, end behind it.
 * Native code tests the region's bit of unit->phase before it calls one. */
void __psc_phase_begin(struct psc_unit *unit, uint32_t region);
/* The begin in a subroutine's native version, before the test of __psc_recording.  If the native
 * version then calls the clone, the clone's __psc_phase_begin() is taken for the same begin. */
void __psc_phase_call(struct psc_unit *unit, uint32_t region);
void __psc_phase_next(struct psc_unit *unit, uint32_t region);
void __psc_phase_end(struct psc_unit *unit, uint32_t region, uint32_t from_header);

/* --- Hooks by mark ------------------------------------------------------------------------
 * The forms that compiled code calls: its units have a struct psc_mark for each region.  Begin and
 * end of a subroutine and of a loop are boundary and marker in one.  Each but __psc_mark_call()
 * returns with space for PSC_SLACK_WORDS words in the record buffer, whether or not anything is
 * measured: recording code need not check it again. */
void __psc_mark_enter(struct psc_mark *mark);
void __psc_mark_exit(struct psc_mark *mark);
void __psc_mark_step(struct psc_mark *mark);      /* exit of this region, enter of the next one */
uint64_t __psc_mark_fork(struct psc_mark *mark);
uint64_t __psc_fork_begin(struct psc_mark *mark); /* __psc_phase_begin(), __psc_fork() */
void __psc_mark_team(struct psc_mark *mark, uint64_t token);   /* __psc_team_enter() */
void __psc_mark_wait(struct psc_mark *mark);
void __psc_mark_barrier(struct psc_mark *mark);
void __psc_mark_waited(struct psc_mark *mark);
void __psc_mark_begin(struct psc_mark *mark);     /* __psc_phase_begin() */
void __psc_mark_call(struct psc_mark *mark);
void __psc_mark_next(struct psc_mark *mark);
void __psc_mark_end(struct psc_mark *mark);       /* __psc_phase_end(), not from the header */
void __psc_mark_void(struct psc_mark *mark);      /* from the header */
void __psc_sub_begin(struct psc_mark *mark);      /* __psc_phase_begin(), __psc_enter() */
void __psc_sub_end(struct psc_mark *mark);        /* __psc_exit(), __psc_phase_end() */
void __psc_loop_begin(struct psc_mark *mark);     /* __psc_enter(), __psc_phase_begin() */
void __psc_loop_end(struct psc_mark *mark);       /* __psc_phase_end(), __psc_exit() */
void __psc_loop_void(struct psc_mark *mark);
/* These also exit the open regions inside, whose exits directly before are omitted. */
void __psc_mark_close(struct psc_mark *mark);     /* __psc_exit() */
void __psc_sub_close(struct psc_mark *mark);      /* __psc_exit(), __psc_phase_end() */

/* --- Dummy arguments ---------------------------------------------------------------------
 * Called at a subroutine's entry.  size in bytes (0 = unknown: assumed size or C pointer). */
void __psc_bind(struct psc_unit *unit, uint32_t dummy, const void *address, uint64_t size);
/* For an assumed-shape, allocatable or pointer dummy: passes the address of its descriptor. */
void __psc_bind_descriptor(struct psc_unit *unit, uint32_t dummy, const void *descriptor);
/* Passes the addresses, in order, of all dummies of the subroutine but those with PSC_SIZE_TOLD. */
void __psc_bind_all(struct psc_unit *unit, uint32_t region, ...);
void __psc_mark_bind(struct psc_mark *mark, ...);         /* does not ensure buffer space */
void __psc_enter_bind(struct psc_mark *mark, ...);        /* __psc_enter() before it */
void __psc_sub_bind(struct psc_mark *mark, ...);          /* __psc_phase_begin(), __psc_enter()
							   * before it */

/* --- Memory ------------------------------------------------------------------------------------
 * Which call allocates, and for which variable.  The compiled code reports it, so that the
 * allocator need not be intercepted.  A *site* is a call that allocates, or one whose callee may
 * allocate (a scope).  Native code tests __psc_heap first.  The functions read and write no memory
 * of the program.  A block belongs to its site; if the site's function only hands the block on
 * (PSC_SITE_HANDED_ON), to the innermost scope that is open in the thread. */
struct psc_site {
	const char *name;     /* the variable, as the source has it: "g->edges"; NULL unknown */
	const char *scope;    /* function, module or class of the variable; NULL none */
	const char *file;     /* NULL: the unit's source */
	struct psc_unit *unit;
	const void *variable; /* registered array descriptor that the block is for, or NULL */
	uint32_t region;      /* unit-local region of the subroutine, or PSC_NO_REGION */
	uint32_t line;
	uint32_t elem;        /* bytes of one element; 0 unknown */
	uint32_t flags;       /* PSC_SITE_* */
	uint32_t number;      /* written by the monitor */
	uint32_t reserved;
};
#define PSC_SITE_HANDED_ON 1u
#define PSC_SITE_LOCAL 2u       /* no allocation: a variable on the stack, until __psc_released() */
/* No allocation: a thread-local variable.  The unit's constructor passes its address in the thread
 * that loads the unit. */
#define PSC_SITE_THREAD 4u
#define PSC_SITE_KIND(flags) ((flags) >> 8 & 3u)        /* enum psc_var_kind, of PSC_SITE_THREAD */
/* What the blocks of a site are nodes of, by the type of the variable that they are for. */
enum psc_nodes { PSC_NODES_NONE, PSC_NODES_HASH, PSC_NODES_TREE, PSC_NODES_LIST };
#define PSC_SITE_NODES_SHIFT 10
#define PSC_SITE_NODES(flags) ((flags) >> PSC_SITE_NODES_SHIFT & 3u)
/* How the block comes about. */
#define PSC_SITE_REALLOC 8u     /* the call makes a block larger or smaller */
#define PSC_SITE_AUTOMATIC 16u  /* an automatic array of Fortran: the compiler allocates it at each
				 * entry */
#define PSC_SITE_TEMPORARY 32u  /* a temporary array of Fortran, which has no name in the source */
/* Smaller blocks are known by a shadow of memory, larger ones by their ranges. */
#define PSC_SMALL_BLOCK 256

extern int __psc_heap;    /* non-zero: allocations are to be reported */
/* Called behind the allocation: count elements of size bytes at block.
 * Ignores NULL and 0 bytes. */
void __psc_allocated(struct psc_site *site, const void *block, uint64_t count, uint64_t size);
/* Called before the release.  Ignores unknown blocks. */
void __psc_released(const void *block);
/* Called around a call; begin's result is end's argument. */
uint64_t __psc_scope_begin(struct psc_site *site);
void __psc_scope_end(uint64_t outer);

/* For programs that manage memory themselves; they include monitor/psc_object.h. */
void psc_object_begin(const void *address, size_t size, const char *name);
void psc_object_end(const void *address);
/* The number of the next execution of the phase (monitor/psc_phase.h). */
void psc_phase_number(unsigned long long number);

/* --- Access recording --------------------------------------------------------------------
 * Every function has a native version and a clone that records.  The native version begins with
 *     if (__psc_recording) return clone(args);
 * The clone writes *records* to the thread's buffer.  Before it writes it checks the space,
 *     if (psc_cur >= psc_end) __psc_flush();
 * and may then write up to PSC_SLACK_WORDS words without another check.  Both pointers are NULL in
 * a thread that has not recorded yet; __psc_flush() gives it a buffer.
 *
 * A record consists of 64-bit words.  The low three bits of its first word are the tag.
 *
 * A *segment* (tag 0) describes the accesses of a piece of straight code: word 0 is the address of
 * a static struct psc_segment, then follow the words of each of its groups.  A *group* is one or
 * more accesses at constant distances from one address, which is the group's word; the word is 0 if
 * none of the accesses was made (a vector access with an empty mask, an inactive lane of a gather).
 * Groups are in the order of their first accesses.  A range access of variable length is a group of
 * its own and has a second word, the length in bytes.  A segment never spans a call that may
 * record, a marker or the end of a block.
 *
 * A *loop* (tag 2) is one execution of an innermost loop in which every access moves by a fixed
 * step.  Word 0 is the address of its struct psc_segment plus the tag; word 1 is how often the
 * loop's body began; then follow for each group the address in the first iteration and, unless the
 * step is a constant of the descriptor, the step.  A group with PSC_GROUP_TAIL is behind the loop's
 * exit: it was executed once less.  The record means: iteration by iteration, group by group, each
 * address one step further than in the iteration before.  It has no ranges of variable length and
 * no words of 0.  A count of 0 means that the loop was not left through its exits: the record then
 * means no accesses.
 *
 * A *copy* of a block is a load range with PSC_GROUP_COPY followed by a store range.  It means that
 * reads and writes alternate, a line or less at a time; backwards from the end if the destination
 * begins inside the source.  The rest of the longer range comes last.  The store range of an
 * argument that is passed by value is at address 0: it is on the stack, where is not known.
 * In a loop, PSC_GROUP_COPY on plain accesses means that the loop does nothing but copy, what it
 * loads to where it stores: the section of an array into a temporary of the compiler, or back. */
#define PSC_REC_SEGMENT 0 /* address of struct psc_segment */
#define PSC_REC_CONTEXT 1 /* written by the monitor: context number << 3 | tag */
/* Written by compiled code before a call: its line, for accesses of functions without a
 * context; 0: they have their own; PSC_CALL_SAME: nothing is said of them.
 * PSC_CALL_READS: the callee is a library's, and may read what was stored before. */
#define PSC_CALL_READS (1u << 28)
#define PSC_CALL_SAME (PSC_CALL_READS - 1)
#define PSC_REC_CALL(line) ((uint64_t)1 << 63 | (uint64_t)(line) << 3 | PSC_REC_CONTEXT)
#define PSC_REC_IS_CALL(word) ((word) >> 32 == 0x80000000u) /* of a word with the tag
							     * PSC_REC_CONTEXT */
#define PSC_REC_CALL_LINE(word) ((uint32_t)(word) >> 3 & PSC_CALL_SAME)
#define PSC_REC_CALL_READS(word) ((uint32_t)(word) >> 3 & PSC_CALL_READS)
#define PSC_REC_LOOP 2    /* address of struct psc_segment | tag */
#define PSC_REC_LINES 1   /* with PACKED or LOOP: the descriptor has a line for each group */
#define PSC_REC_PACKED 4  /* with SEGMENT or LOOP: the descriptor is packed */
#define PSC_REC_TAG(word) ((unsigned)((word) & 7))

#define PSC_SLACK_WORDS 8192 /* words after psc_end that a block may still write */

enum psc_access_kind {
	PSC_LOAD = 0,
	PSC_STORE = 1,
	PSC_LOAD_RANGE = 2,  /* memcpy, memmove source, aggregate copy */
	PSC_STORE_RANGE = 3  /* memset, memcpy destination, aggregate copy */
};

/* What a processor does for one execution of a segment, or one iteration of a loop, with all data
 * in the first cache level: the compiler's estimate for a common out-of-order core.  A segment's
 * includes code nearby that accesses no memory, weighted by its expected executions. */
struct psc_work {
	uint16_t statements;   /* executed statements of GIMPLE that become instructions */
	uint16_t throughput;   /* cycles / 8 if nothing waits: issue width, ports, dividers */
	uint16_t carried;      /* cycles / 8 from an iteration to the next along the longest
			        * recurrence */
	uint16_t chain;        /* cycles / 8 of the longest dependent path inside */
	uint16_t mispredicts;  /* expected mispredicted branches / 16 */
	uint16_t flags;        /* PSC_WORK_* */
};
#define PSC_WORK_IN_CHAIN 1u    /* inside a loop with chained accesses (PSC_DEP_CHAINED) */
#define PSC_WORK_CALLS 2u       /* with a call whose cost is not known */
#define PSC_WORK_UNIT 8         /* of cycles */
#define PSC_WORK_MISPREDICT_UNIT 16

/* What the address of an access hangs on, inside its loop.  It tells how far misses overlap. */
enum psc_dependence {
	PSC_DEP_NONE = 0,       /* nothing that was loaded, or loads that are independent
				 * themselves */
	PSC_DEP_BRANCH = 1,     /* as NONE, but the loaded value decides a branch of the loop */
	PSC_DEP_CONTROL = 2,    /* a branch on an earlier value of this access chooses the
				 * address */
	PSC_DEP_CHAINED = 3     /* computed from the value that this access, or one like it, loaded
				 * before */
};

/* The descriptor of a record.  Static, 8-byte aligned, read-only; `length` 32-bit words follow,
 * which describe the groups, and with PSC_REC_LINES a word for each group, its line. */
struct psc_segment {
	uint16_t nwords;     /* of a record, without word 0 (and a loop's count) */
	uint16_t ngroups;
	uint16_t naccess;    /* sum over the groups */
	uint16_t length;
	uint32_t line;       /* of the first group, as a group has it; 0 unknown */
	struct psc_work work;
};
/* A group is encoded in 32-bit words:
 *   in a loop first the step in bytes, as int32_t; PSC_STEP_WORD: in the record's next word
 *   one access:   PSC_GROUP_* flags | size << 2 | enum psc_access_kind
 *                 (a range: size is its constant length, or 0: in the record's next word)
 *   several:      PSC_GROUP_MANY | flags | span << 8 | n       2 <= n <= PSC_GROUP_MAX
 *                 loads << 16 | bytes loaded
 *                 stores << 16 | bytes stored
 *                 n members, in the order of the code: offset << 16 | size << 2 | kind
 *   Members are plain loads and stores of at most PSC_GROUP_SPAN bytes.  Offsets are from the
 *   group's word, which is the lowest address; span is from there to the
 * largest end of a member. */
#define PSC_GROUP_MANY (1u << 31)
#define PSC_GROUP_TAIL (1u << 30)       /* loops: behind the exit */
#define PSC_GROUP_SPIN (1u << 29)       /* one volatile or atomic load, step 0: a spin loop */
#define PSC_GROUP_COPY (1u << 28)       /* a load range: the next group is the store range that it
                                         * is copied to, with the same other flags; plain
                                         * accesses of a loop: see above */
#define PSC_COPY_LEAST 64               /* bytes: smaller blocks are moved in registers, their cost
					 * is in struct psc_work */
#define PSC_GROUP_DEPENDENCE(bits) ((bits) >> 26 & 3u)   /* enum psc_dependence of its accesses */
#define PSC_GROUP_DEPENDENCE_SHIFT 26
#define PSC_GROUP_LOCK (1u << 25)       /* segments: what a library does to the lock that a call
					 * names */
#define PSC_GROUP_FLAGS (127u << 25)
#define PSC_GROUP_MAX 64
#define PSC_GROUP_SPAN 1024
#define PSC_STEP_WORD INT32_MIN
#define PSC_SIZE_END (1u << 23)         /* sizes of single accesses, and lengths in descriptors, are
					 * smaller */
#define PSC_ACCESS_KIND(bits) ((bits) & 3u)
#define PSC_ACCESS_SIZE(bits) (((bits) & ~PSC_GROUP_FLAGS) >> 2)
#define PSC_MANY_N(bits) ((bits) & 0xffu)
#define PSC_MANY_SPAN(bits) ((bits) >> 8 & 0xffffu)
#define PSC_MANY_COUNT(word) ((word) >> 16)
#define PSC_MANY_BYTES(word) ((word) & 0xffffu)
#define PSC_MEMBER_OFFSET(word) ((word) >> 16)
#define PSC_MEMBER_SIZE(word) ((word) >> 2 & 0x3fffu)
#define PSC_SEGMENT_GROUPS(seg) ((const uint32_t *)((seg) + 1))

/* The plugin writes descriptors in packed form (PSC_REC_PACKED; base/unit_tables.h reads it):
 * bytes, also static, 8-byte aligned and read-only.  Numbers are LEB128, differences d are 2d or,
 * if negative, -2d - 1:
 *   the line, the number of groups, statements << 2 | PSC_WORK_*; unless that is 0: throughput,
 *   carried, chain, mispredicts of struct psc_work; for each group
 *     with PSC_REC_LINES: its line less that of the group before, of the first group less the above
 *     one access:  PSC_PACKED_* flags | kind << 1, [step], size
 *     several:     PSC_PACKED_MANY | flags, [step], their number, then runs of them:
 *       (count - 1) << 2 | PSC_RUN_SIZE | kind, [size, at first 8], offset less that of the member
 *       before and its size (at first 0), [for count > 1: stride less size]
 * In brackets: the step, in a loop without PSC_PACKED_STEP; the size, with PSC_RUN_SIZE; the
 * stride.
 * A group's line is that of its first access, in the file of the function with a context
 * (__psc_enter()) that the code was compiled for; if the access was inlined from another file, that
 * of the call in this file; 0: unknown. In functions without a context it is of the function's own
 * file, with PSC_LINE_OF_CALLEE: the line of the last PSC_REC_CALL in the context comes first. */
#define PSC_LINE_OF_CALLEE 0x80000000u
#define PSC_PACKED_MANY 1u
#define PSC_PACKED_TAIL 8u
#define PSC_PACKED_SPIN 16u
#define PSC_PACKED_STEP 32u     /* the step is a word of the record, not of the descriptor */
#define PSC_PACKED_COPY 64u
#define PSC_PACKED_DEPENDENCE_SHIFT 7   /* two bits: enum psc_dependence */
#define PSC_PACKED_LOCK 512u
#define PSC_RUN_SIZE 2u         /* the size differs from the previous run's */

extern int __psc_recording;           /* non-zero: call the clones; implies __psc_live */
/* Stand for locks of GCC's OpenMP library, whose addresses no call names: of CRITICAL constructs
 * without a name, and of ATOMIC ones that are no instruction.  Records name their first bytes;
 * nothing else accesses them. */
extern char __psc_critical_lock[128], __psc_atomic_lock[128];
#if defined(__GNUC__) && !defined(PSC_ABI_NO_TLS)
/* In one struct, so that code reaches both by one address. */
struct psc_records {
	uint64_t *cur, *end;
};
extern __thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));
#define psc_cur __psc_records.cur
#define psc_end __psc_records.end
#endif
void __psc_flush(void);

/* Called around the clone in the native version of a possible signal handler: void (int), or void
 * (int, pointer, pointer).  from: the native version's return address, which tells whether the
 * kernel called it.  If so, the interrupted code may be writing a record: the handler's records go
 * to another buffer until the end. */
uint64_t __psc_signal_begin(const void *from);
void __psc_signal_end(uint64_t token);

/* --- SIR fragments -----------------------------------------------------------------------
 * Section "psc_sir" (allocated, read-only) of every instrumented object contains the header below,
 * then `length` bytes, then zero padding to 8 bytes.  A reader looks for the magic at 8-byte steps
 * and skips padding.  The text is XML (one <fragment> element, UTF-8, no declaration, see
 * sir/README.md); the magic tells how it is stored:
 *   PSC_SIR_PACKED  a struct psc_sir_packed and a deflated stream (RFC 1951) with the preset
 *                   dictionary PSC_SIR_DICTIONARY (base/dictionary.h): written by the plugin
 *   PSC_SIR_MAGIC   plain text: can be written by hand */
#define PSC_SIR_SECTION "psc_sir"
#define PSC_SIR_MAGIC "PSCSIR1"   /* eight bytes with the NUL */
#define PSC_SIR_PACKED "PSCSIRZ"
struct psc_sir_header {
	char magic[8];
	uint32_t version;  /* PSC_ABI_VERSION */
	uint32_t length;   /* bytes that follow the header */
	uint64_t hash;     /* of the unit */
};
struct psc_sir_packed {
	uint32_t text;     /* bytes of the inflated text; at most PSC_SIR_TEXT_MAX */
};
#define PSC_SIR_TEXT_MAX (64u << 20)

#ifdef __cplusplus
}
#endif
#endif
