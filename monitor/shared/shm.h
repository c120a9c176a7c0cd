/* SPDX-License-Identifier: BSD-3-Clause */
/* What the monitor inside the application and its node agent share: one memfd, created by the
 * monitor, mapped by both.  Same host, same build: native structs.  Every field says who writes
 * it.  The agent trusts nothing it reads here: indices and counts are checked on its side
 * (mon.h), because the application may have scribbled over them.
 *
 * Life of a request slot:   EMPTY --agent--> READY --monitor at the boundary of execution
 * `first`--> ARMED --after the last counted execution--> DONE --agent has read--> EMPTY
 *                            READY --the boundary has passed already, or another request was
 *                                    armed at it--> MISSED
 *                            ARMED --could not be kept (results full, …)--> DROPPED
 * The state is stored with release and loaded with acquire; all else is plain.  One request is
 * armed at a time.  A slot that is not EMPTY has its bit in `doorbell`, set by the agent after
 * READY and cleared by it before EMPTY: one load tells the monitor that there is nothing to do.
 *
 * A void execution (abi.h) gives its number back: the next real execution bears it, and a
 * request armed on the void one waits for that. */
#ifndef PSC_MONITOR_SHM_H
#define PSC_MONITOR_SHM_H

#include <stdatomic.h>
#include <stdint.h>
#include "machine/flat.h"

#define MON_MAGIC UINT64_C(0x314e4f4d43535050) /* "PPSCMON1" */
#define MON_VERSION 4
#define MON_ENV "PSC_MONITOR"   /* path of the node agent's socket; unset once read */
#define MON_ENV_STACK "PSC_STACK" /* the soft stack limit before it was raised, in bytes; unset once read */

enum {
	MON_SLOTS = 4,
	MON_HOOKS = 16,
	MON_RIVALS = 32,
	MON_RIVAL_MOST = 1000,          /* no more executions of one are counted, ... */
	MON_RIVAL_CALLS = 1 << 20,      /* ... and no more after so many calls of hooks for that */
	MON_UNITS = 4096,
	MON_CONTEXTS = 65536,
	MON_OBJECTS = 65536,
	MON_ALIASES = 16384,
	MON_STRINGS = 4 << 20,          /* bytes */
	MON_TIME_ROWS = 1 << 18,        /* per slot */
	MON_COUNT_ROWS = 1 << 18,       /* per slot */
	MON_LINES = 4096,               /* per slot */
	MON_LINES_EACH = 4,             /* of one object */
	MON_LINE_THREADS = 4,           /* told of one line */
	MON_FILTERS = 64,
	MON_THREADS = 1024,             /* that measure; further ones are counted lost */
	MON_EXECUTIONS = 64,            /* counted executions of one request at most */
	MON_GROUPS = 8,                 /* of a sample's classes, at most */
	MON_VARIANTS = 8,               /* of one request */
	MON_VIOLATIONS = 32             /* kept; one more says that there were more */
};
#define MON_ANY UINT32_MAX
#define MON_BELL_DETACHED (1u << 31)

/* Messages on the SEQPACKET socket, one packet each, first word the kind. */
enum mon_message {
	MON_HELLO = 1,          /* monitor: struct mon_hello, with the memfd */
	MON_WELCOME = 2,        /* agent: configuration lies in shared memory, go on */
	MON_REFUSE = 3,         /* agent: not interested, be inert */
	MON_EVENT = 4,          /* monitor: a slot changed state; never waits, may be lost */
	MON_WAITING = 5,        /* monitor, lock-step: at a boundary, waits for MON_GO */
	MON_GO = 6              /* agent, lock-step */
};
struct mon_hello {
	uint32_t kind, version;
	uint32_t pid;
	int32_t rank;           /* from the launcher's environment; -1 unknown */
	uint64_t bytes;         /* of the memfd */
	char executable[256];
};

enum mon_state { MON_EMPTY, MON_READY, MON_ARMED, MON_DONE, MON_MISSED, MON_DROPPED };
enum mon_kind {
	MON_TIME = 1,           /* markers on, nothing recorded: clean times */
	MON_SIM = 2,            /* recording, simulated by the machine model: counts */
	MON_RECORD = 3          /* recording, decoded and dropped: what recording alone costs */
};

/* A row is wanted when any filter matches it, or when there is no filter. */
struct mon_filter {
	uint32_t context;       /* with everything below it; MON_ANY */
	uint32_t object;        /* MON_ANY: all, unattributed ones included */
};

/* A fix to try: the same records are played once more, on caches of their own, as if the object had
 * been changed.  Nothing else differs. */
enum mon_fix {
	MON_FIX_SHIFT = 1,      /* it begins `parameter` bytes later: other cache sets */
	MON_FIX_ROWS,           /* after every `parameter` bytes one line is left free: a longer row */
	MON_FIX_SPREAD,         /* each element, of `parameter` bytes, has lines of its own */
	MON_FIX_ABSENT,         /* its accesses do not touch the caches */
	MON_FIX_FIRST_TOUCH,    /* each page lies at the node whose thread comes first in the phase */
	MON_FIX_INTERLEAVE,     /* its pages lie on all nodes in turn */
	MON_FIXES
};
#define MON_FIX_MAX (UINT64_C(1) << 30)  /* of a parameter */
struct mon_variant {
	uint32_t object, fix;   /* enum mon_fix */
	uint64_t parameter;     /* bytes; 0 where none is meant */
};

struct mon_request {
	/* agent */
	_Atomic uint32_t state;
	uint32_t kind;          /* enum mon_kind */
	uint64_t first;         /* number of the first phase execution concerned (from 1) */
	uint32_t warm;          /* executions recorded, not counted, before the counted ones */
	uint32_t count;         /* executions counted, 1..MON_EXECUTIONS */
	uint32_t sample;        /* simulate one set in so many; 0, 1: all, the counts are exact */
	uint32_t nfilters;
	struct mon_filter filter[MON_FILTERS];
	uint32_t nvariants;     /* MON_SIM only */
	struct mon_variant variant[MON_VARIANTS];
	/* monitor */
	uint32_t ntime, ncount; /* rows in this slot's arrays */
	uint32_t executions;    /* counted in fact (fewer when the phase ended for good) */
	uint32_t reason;        /* of DROPPED: enum mon_drop */
	uint64_t ran_first;     /* number of the first counted execution */
	uint64_t phase_ns[MON_EXECUTIONS];
	uint64_t records;       /* accesses recorded in the counted executions */
	uint64_t words;         /* of records that were played, warm-up included */
	uint64_t lost;          /* words that could not be kept */
	uint32_t classes, sampled; /* parts of the machine, and of them those simulated; 0: exact */
	uint32_t groups;        /* of those simulated, as the rows have them */
	uint32_t nlines;        /* rows in this slot's array of lines */
	uint32_t pad;
	uint64_t unshared;      /* lines and invalidations without room: coherence is not known */
	uint64_t unhandled;     /* exits without enter and other repairs of the region stacks */
};
enum mon_drop {
	MON_DROP_NONE,
	MON_DROP_ROWS,          /* more rows than the slot holds */
	MON_DROP_MEMORY,        /* the monitor could not map what it needs */
	MON_DROP_EXIT,          /* the process ended before one counted execution was complete */
	MON_DROP_MACHINE,       /* no machine model, or one that cannot be simulated */
	MON_DROP_REQUEST,       /* malformed, or the analysis was ended meanwhile */
	MON_DROP_SAMPLE         /* the machine's levels do not allow so small a sample */
};

/* All times of one context in one counted execution by one thread. */
struct mon_time_row {
	uint32_t context, thread, execution, pad;
	uint64_t wall_ns;       /* inclusive */
	uint64_t calls;
};

/* Counts of one context (exclusive: what happened with it innermost), one object, one thread,
 * summed over the counted executions.  Variants are counted for the whole phase, as context 0. */
struct mon_count_row {
	uint32_t context, object, thread;
	uint32_t variant;       /* 0: as the program is; n: with the request's variant n - 1 */
#define COUNTER_ONE(name, ...) uint64_t name;
#define COUNTER_ROW(name, ...) uint64_t name;
#define COUNTER_PAIR(name, ...) uint64_t name[2];
#define COUNTER_LEVEL(name, ...) uint64_t name[MACHINE_LEVELS];
#define COUNTER_TLB(name, ...) uint64_t name##_miss[MACHINE_TLBS][2];
#define COUNTER_NODE(name, ...) uint64_t name[MACHINE_NODES][2];
#include "base/counters.def"
	/* With a sample: counts of misses are scaled, and this is how much of each lies in which group
	 * of classes ([1]: stores; mon_sample_parts() has the error).  What is not sampled (misses
	 * because of other threads) is in no group. */
	float group[MACHINE_LEVELS][2][MON_GROUPS];
};

/* A line on which threads collide, among the worst of its object. */
struct mon_line {
	uint32_t object, bytes; /* of the line */
	int64_t offset;         /* of its first byte in the object */
	uint64_t false_sharing, true_sharing;
	uint32_t nthreads, pad; /* all that touched it; MON_LINE_THREADS are told */
	uint32_t thread[MON_LINE_THREADS];
	uint64_t read[MON_LINE_THREADS], written[MON_LINE_THREADS];     /* a bit for each 64th */
};

/* What is known of where pages lie. */
enum mon_placement {
	MON_PLACE_ONE_NODE,     /* the machine has one node: nothing to know */
	MON_PLACE_FAULTS,       /* by page-fault events */
	MON_PLACE_UNKNOWN       /* there are none to be had */
};

struct mon_unit {               /* monitor, when a compile unit registers */
	uint64_t hash;
	uint32_t nregions;
	uint32_t source;        /* string */
};

/* Context 0 is the phase. */
struct mon_context {
	uint32_t parent;        /* MON_ANY for context 0 */
	uint32_t unit;          /* index into units */
	uint32_t region;        /* unit-local */
	uint32_t depth;
};

/* Objects below MON_OBJ_FIRST stand for what belongs to no data structure, by cause. */
enum {
	MON_OBJ_STACK = 0,      /* a thread's stack */
	MON_OBJ_HEAP = 1,       /* heap or anonymous memory without a name */
	MON_OBJ_IMAGE = 2,      /* static storage that nobody registered */
	MON_OBJ_OTHER = 3,
	MON_OBJ_SMALL = 4,      /* pages where the program has small heap blocks */
	MON_OBJ_FIRST = 8
};
struct mon_object {
	uint64_t address, size;
	uint32_t name, scope;   /* strings; scope 0 = none */
	uint32_t unit, region;  /* of the declaration; region may be MON_ANY */
	uint32_t line, kind;    /* enum psc_var_kind or mon_object_kind */
	uint32_t elem, dead;    /* dead: its library was closed */
	uint32_t file, pad;     /* string: declared there; 0 = in the unit's source */
};
enum mon_object_kind {
	MON_KIND_DUMMY = 16,    /* memory known by the argument that it was bound to */
	MON_KIND_HEAP = 17,     /* the blocks of one variable or place; size: most bytes at a time */
	MON_KIND_FILE = 18,     /* a mapped file */
	MON_KIND_USER = 19,     /* told by psc_object_begin() */
	MON_KIND_LOCAL = 20     /* a local array on a stack */
};
#define MON_NO_UNIT UINT32_MAX  /* objects that no compile unit declares */

/* The dummy argument `name` of the subroutine (unit, region) was bound to the object, in a call whose
 * context this is (the subroutine's or its caller's); MON_ANY: wherever it runs. */
struct mon_alias {
	uint32_t unit, region, object, name, context;
};

/* An invariant of what is recorded does not hold (record_check.c): where, and two numbers that say more. */
enum mon_violation_kind {
	MON_CHECK_NONE,
	MON_CHECK_WORD,         /* a word begins no record: found */
	MON_CHECK_DESCRIPTOR,   /* nor does it lead to a descriptor: found */
	MON_CHECK_CUT,          /* a record has fewer words than it should: found, wanted */
	MON_CHECK_CONTEXT,      /* no such context: found; wanted: their number */
	MON_CHECK_ADDRESS,      /* no program has memory there: found */
	MON_CHECK_LENGTH,       /* bytes or iterations: found, wanted at most */
	MON_CHECK_NESTING,      /* a region does not lie in the one around it: contexts */
	MON_CHECK_OPEN,         /* regions that an execution left open: found */
	MON_CHECK_COUNTS,       /* accesses recorded less those counted: found */
	MON_CHECK_BYTES         /* the same of bytes */
};
struct mon_violation {
	_Atomic uint32_t kind;  /* enum mon_violation_kind; written last */
	uint32_t unit, region;  /* MON_ANY: not known */
	uint32_t line;          /* of the source; 0: not known */
	uint64_t found, wanted;
};

struct mon_shm {
	uint64_t magic;         /* monitor, at creation */
	uint32_t version, pid;

	/* agent, before MON_WELCOME */
	struct { uint64_t hash; uint32_t index, pad; } phase[MON_HOOKS];
	uint32_t nphase;        /* the ways the code may name the phase region */
	/* Loops that could be the phase as well: their executions are counted, nothing else. */
	struct { uint64_t hash; uint32_t index, pad; } rival[MON_RIVALS];
	uint32_t nrivals;
	uint32_t lockstep;
	uint32_t no_faults;     /* tests: as if page-fault events could not be had */
	uint32_t batch, turn;   /* tests: record words, accesses (share.h); 0: as usual */
	uint32_t check;         /* invariants are checked */
	uint32_t pad;
	struct machine_flat machine;

	/* agent, any time */
	_Atomic uint32_t detached; /* the analysis is over: be idle for good */
	_Atomic uint32_t doorbell; /* bit n: slot n is in use; MON_BELL_DETACHED */

	/* monitor */
	_Atomic uint64_t phase_begun;    /* executions begun so far; the number of the current one */
	_Atomic uint64_t phase_finished; /* executions completed (void ones excluded) */
	_Atomic uint32_t exiting;        /* the process runs its destructors */
	_Atomic uint32_t threads;        /* threads that measured so far */
	_Atomic uint32_t nunits, ncontexts, nobjects, naliases, nstrings;
	_Atomic uint64_t lost_contexts, lost_objects, lost_aliases, lost_units;
	_Atomic uint32_t placement;      /* enum mon_placement */
	_Atomic uint64_t unseen_faults;  /* page faults that were lost: where the pages lie is not known */
	_Atomic uint32_t rival_runs[MON_RIVALS]; /* executions, up to MON_RIVAL_MOST */
	_Atomic uint32_t rival_calls;    /* of hooks that were not the phase's */
	_Atomic uint64_t foreign;  /* boundaries met by a thread while another one was in the phase */

	_Atomic uint64_t checked_records, checked_accesses;
	_Atomic uint64_t checked_gone;   /* groups of accesses to what was not mapped when they were checked */
	_Atomic uint32_t nviolations;    /* at most one more than are kept */
	struct mon_violation violation[MON_VIOLATIONS];

	struct mon_request request[MON_SLOTS];

	struct mon_unit units[MON_UNITS];
	struct mon_context contexts[MON_CONTEXTS];
	struct mon_object objects[MON_OBJECTS];
	struct mon_alias aliases[MON_ALIASES];
	char strings[MON_STRINGS];      /* NUL-terminated; offset 0 is "" */
	struct mon_time_row time_rows[MON_SLOTS][MON_TIME_ROWS];
	struct mon_count_row count_rows[MON_SLOTS][MON_COUNT_ROWS];
	struct mon_line lines[MON_SLOTS][MON_LINES];
};

#endif
