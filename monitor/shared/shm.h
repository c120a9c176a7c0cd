/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the monitor in the application shares with its node agent: one memfd, created by
 * the monitor and mapped by both.
 *
 * Both run on one host and come from one build, so these are native structs.  Comments say which
 * side writes a field.  The agent trusts nothing it reads here: it checks indices and counts
 * (client/), because the application may have overwritten them.
 *
 * States of a request slot:
 *     EMPTY -> READY      by the agent
 *     READY -> ARMED      by the monitor, at the boundary of execution `first`
 *     READY -> MISSED     that boundary has passed, or another request was armed there, or the
 * phase
 *                         has changed or has too little of the time
 *     ARMED -> MISSED     the phase has changed
 *     ARMED -> DONE       after the last counted execution
 *     ARMED -> DROPPED    it could not be completed (enum mon_drop)
 *     DONE, MISSED, DROPPED -> EMPTY   by the agent, after reading
 * The state is stored with release and loaded with acquire; all other fields are plain.  At most
 * one request is armed at a time.  Each slot has a bit in `doorbell`: the agent sets it after READY
 * and clears it before EMPTY, so that one load tells the monitor that no request exists.
 *
 * The number of a void execution (abi.h) is used again by the next execution; a request armed at
 * the void one stays armed for it. */
#ifndef PSC_MONITOR_SHM_H
#define PSC_MONITOR_SHM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/reuse_classes.h"
#include "machine/flat.h"

#define MON_MAGIC UINT64_C(0x314e4f4d43535050) /* "PPSCMON1" */
#define MON_VERSION 1
/* Path of the node agent's socket; if it ends in a slash, the directory of that socket
 * (socket_path.h).  Unset once read. */
#define MON_ENV "PSC_MONITOR"
/* soft stack limit, bytes, before it was raised; unset once read */
#define MON_ENV_STACK "PSC_STACK"

enum {
	MON_SLOTS = 4,
	MON_HOOKS = 16,
	MON_CANDIDATES = 1024,
	MON_BRIEF = 1024,
	MON_CODE = 64,
	MON_UNITS = 4096,
	MON_CONTEXTS = 65536,
	MON_OBJECTS = 65536,
	MON_ALIASES = 16384,
	MON_STRINGS = 4 << 20,          /* bytes */
	MON_TIME_ROWS = 1 << 18,        /* per slot */
	MON_COUNT_ROWS = 1 << 18,       /* per slot */
	MON_LINES = 4096,               /* per slot */
	MON_LINES_EACH = 4,             /* per object */
	MON_LINE_THREADS = 4,           /* threads listed per line */
	MON_SITES = 1 << 18,            /* per slot */
	MON_SITES_EACH = 8,             /* source lines per context and object */
	MON_BURST_WORDS = 1 << 17,      /* per slot */
	MON_WALKS = 1 << 14,            /* per slot */
	MON_WALK_STEPS = 4,
	MON_MAPS = 1 << 18,             /* per slot */
	MON_MAP_ROWS = 256,
	MON_MAP_ACCESSES = 256,         /* of about so many accesses one record is drawn */
	MON_TOUCHES = 1 << 15,          /* per slot */
	MON_LOCALITIES = 1 << 13,       /* per slot */
	MON_USERS = 63,                 /* threads that are told apart as users of memory */
	MON_USES = 1 << 16,             /* per slot */
	MON_COLUMN_ROWS = 1 << 13,      /* per slot */
	MON_COLUMN_BYTES = 4064,        /* of a log in a row */
	MON_EVENTS_MOST = 8,            /* kernel events per request */
	MON_EVENT_ROWS = 1 << 18,       /* per slot */
	MON_MPI_ROWS = 1 << 14,         /* per slot */
	MON_MESSAGES = 1 << 16,         /* per slot */
	MON_FILTERS = 64,
	MON_THREADS = 1024,             /* measured threads; more are counted as lost */
	MON_EXECUTIONS = 64,            /* most counted executions of a request */
	MON_KERNEL_EXECUTIONS = 16384,  /* the same with kernel_only */
	MON_KERNEL_EACH = 1, MON_KERNEL_WHOLE = 2,      /* kernel_only */
	MON_GROUPS = 8,                 /* most groups of a sample's classes */
	MON_VARIANTS = 8,               /* per request */
	MON_PAIRS = 9,                  /* pairs of copies that MON_VERIFY times at most */
	MON_TRIAL_SLOTS = 64,           /* of a trial's schedule */
	MON_TRIAL_CPUS = 1024,
	MON_TRIAL_ROWS = 1 << 12,       /* per slot */
	MON_TRIAL_EXECUTIONS = 1 << 20, /* most of a trial's request, discarded ones included */
	MON_PLACES = 64,                /* rules of a placement file */
	MON_VIOLATIONS = 32             /* stored; a count one higher: there were more */
};
#define MON_ANY UINT32_MAX
#define MON_BELL_DETACHED (1u << 31)

/* Messages on the SEQPACKET socket, one per packet; the first word is the kind. */
enum mon_message {
	MON_HELLO = 1,          /* monitor: struct mon_hello, with the memfd */
	MON_WELCOME = 2,        /* agent: the configuration is in shared memory; continue */
	MON_REFUSE = 3,         /* agent: do not analyse this process */
	MON_EVENT = 4,          /* monitor: a slot changed state; never waits, may be lost */
	MON_WAITING = 5,        /* monitor, lock-step: waits for MON_GO at a boundary */
	MON_GO = 6              /* agent, lock-step: continue */
};
struct mon_hello {
	uint32_t kind, version;
	uint32_t pid;
	int32_t rank;           /* from the launcher's environment; -1: unknown */
	uint64_t bytes;         /* of the memfd */
	char executable[256];
};

enum mon_state { MON_EMPTY, MON_READY, MON_ARMED, MON_DONE, MON_MISSED, MON_DROPPED };
enum mon_kind {
	MON_TIME = 1,           /* markers on, no recording: clean times */
	MON_SIM = 2,            /* recording and simulation: counts */
	MON_RECORD = 3,         /* recording, decoding, no simulation: cost of recording alone */
	MON_VERIFY = 4,         /* copies of the process run the execution
				 * (monitor/collect/process_copies.h) */
	MON_EVENTS = 5,         /* markers on, no recording: the kernel's events
				 * (monitor/collect/kernel_events.h) */
	MON_TRIAL = 6,          /* the program's own executions, with and without an action
				 * (monitor/collect/trial_state.c) */
	MON_KINDS
};

#define MON_OF_KIND(kind) (1u << (kind))
#define MON_ANY_KIND UINT32_MAX

/* An event of the kernel, as perf_event_open() takes it. */
enum {
	MON_EVENT_USER = 1,     /* count in user mode alone */
	MON_EVENT_FLAGS = 1     /* all of them */
};
struct mon_event {
	uint32_t type, flags;
	uint64_t config, config1, config2;
};

/* A row is wanted if any filter matches it, or if there is no filter. */
struct mon_filter {
	uint32_t context;       /* this context and all below it; MON_ANY */
	uint32_t object;        /* MON_ANY: all, also accesses that belong to no object */
};

/* A fix to try: the same records are also simulated, with caches of their own, as if the object had
 * been changed.  Nothing else differs. */
enum mon_fix {
	MON_FIX_SHIFT = 1,      /* the object begins `parameter` bytes later: other sets */
	MON_FIX_ROWS,           /* a free line after every `parameter` bytes: longer rows */
	MON_FIX_SPREAD,         /* each element of `parameter` bytes has its own lines */
	MON_FIX_ABSENT,         /* its accesses bypass the caches */
	MON_FIX_FIRST_TOUCH,    /* a page is on the node of its first thread in the phase */
	MON_FIX_INTERLEAVE,     /* pages are distributed over all nodes in turn */
	MON_FIXES
};
/* ns of the longest clean execution that copies may repeat */
#define MON_VERIFY_LONGEST UINT64_C(2000000000)
#define MON_FIX_MAX (UINT64_C(1) << 30)  /* largest parameter */
struct mon_variant {
	uint32_t object, fix;   /* enum mon_fix */
	uint64_t parameter;     /* bytes; 0 for fixes without one */
};

/* Why the copies of MON_VERIFY gave no times; `detail` is a number that the reason explains. */
enum mon_refusal {
	MON_VERIFY_DONE,
	MON_VERIFY_NO_PAGES,    /* the object fills no whole pages, or hardly any */
	MON_VERIFY_NO_MEMORY,   /* the copies need more memory than is free */
	MON_VERIFY_NO_COPY,     /* the kernel refused to make the copy; detail: errno */
	MON_VERIFY_NO_FILTER,   /* the kernel refused to confine it; detail: errno */
	MON_VERIFY_DEVICE,      /* the process writes to the memory of a device */
	MON_VERIFY_MAPPINGS,    /* its pages, or the maps' text: too many; detail: errno */
	MON_VERIFY_MACHINE,     /* not on this processor, or with pages of this size; detail:
				 * bytes */
	MON_VERIFY_CALL,        /* the phase makes a system call; detail: its number */
	MON_VERIFY_SIGNAL,      /* a signal ended the copy; detail: its number */
	MON_VERIFY_LATE,        /* the copy did not end in time; detail: ms */
	MON_VERIFY_OTHER_PATH,  /* with aliased pages it made other accesses */
	MON_VERIFY_NOT_RECORDED,/* no access was recorded: nothing tells whether the path is the
				 * same */
	MON_VERIFY_INTERRUPTED, /* a signal came for the program */
	MON_VERIFY_VOID,        /* the execution is void: nothing was run */
	MON_VERIFY_ALIASES,     /* many mappings of a page frame are slow here; detail: ns to read a
				 * page */
	MON_VERIFY_REFUSALS
};
struct mon_verified {
	uint32_t refusal;       /* enum mon_refusal */
	uint32_t detail;
	uint32_t aliased;       /* 1: it was a copy with aliased pages */
	uint32_t pairs;         /* of times below */
	uint32_t cold;          /* 1: of the first execution of each copy; 0: of the second */
	uint32_t pad;
	uint64_t pages;         /* of the object that were aliased; bytes of a page */
	uint64_t page;
	uint64_t clean_ns[MON_PAIRS], aliased_ns[MON_PAIRS];    /* processor time */
};

/* MON_TRIAL: what is changed between two executions, and changed back.  State A is the program as
 * it is, B with the action (monitor/trial/action.h). */
enum mon_action {
	MON_ACTION_MALLOC = 1,  /* malloc keeps its memory */
	MON_ACTION_LARGE_PAGES = 2,     /* the object is in pages of 2 MiB */
	MON_ACTION_INTERLEAVE = 3,      /* its pages are on all memory nodes in turn */
	MON_ACTION_BIND = 4,            /* they are on one node */
	MON_ACTION_LOCAL = 5,           /* they are on the node of the phase's thread */
	MON_ACTION_SPREAD = 6,          /* each thread on one CPU, in the order of the request: far
					 * apart, */
	MON_ACTION_COMPACT = 7,         /* or close to each other */
	MON_ACTION_PIN = 8,             /* each thread on the CPU where it runs */
	MON_ACTIONS
};
/* Consecutive executions in one state: `discard` of them, then `keep`. */
struct mon_trial_slot {
	uint32_t b;             /* 1: state B */
	uint32_t discard, keep;
};
enum mon_trial_refusal {
	MON_TRIAL_DONE,
	MON_TRIAL_STATIC,       /* no shared library defines malloc */
	MON_TRIAL_OTHER_MALLOC, /* `library` defines it */
	MON_TRIAL_OTHER_LIBRARY,/* the C library `library` is not glibc */
	MON_TRIAL_HIDDEN,       /* its settings were not found */
	MON_TRIAL_NO_PAGES,     /* no page of the object can be changed */
	MON_TRIAL_LARGE_ALREADY,/* all of them are as the action would make them */
	MON_TRIAL_NOT_MOVED,    /* the kernel changed none */
	MON_TRIAL_FORKED,       /* the program forks */
	MON_TRIAL_FORBIDDEN,    /* the process may not see its own pages, or is in a sandbox */
	MON_TRIAL_ONE_NODE,     /* the process may have memory on one node only */
	MON_TRIAL_NO_NODE,      /* not on the node that was asked for */
	MON_TRIAL_PLACED,       /* all pages are there as it is */
	MON_TRIAL_NO_CPUS,      /* threads cannot be listed, or a thread may use none of the CPUs */
	MON_TRIAL_PINNED,       /* all threads are there as it is */
	MON_TRIAL_REFUSALS
};
/* What a trial's request did besides its rows. */
struct mon_trial {
	uint32_t refusal;       /* enum mon_trial_refusal */
	uint32_t changed;       /* 1: when all was put back, it was not as before: the program has
				 * changed it */
	uint32_t kept;          /* 1: state B was left in force, as asked */
	uint32_t detail;        /* MON_TRIAL_NOT_MOVED: errno */
	/* Switches to A and to B: their number, and the wall and processor time that they took. */
	uint32_t switches[2];
	uint64_t switch_ns[2], switch_cpu_ns[2];
	/* Of 4 KiB: those that the action can change; those that the last switch to B did; those
	 * that could not be put back. */
	uint64_t pages, moved, left;
	uint64_t strayed;       /* that the kernel itself moved back in state B */
	char library[64];
};

/* Why the recorder of bursts (burst/) does not record a program that our wrappers have not
 * compiled; in the order of its own reasons. */
enum mon_burst_refusal {
	MON_BURSTS_DONE,
	MON_BURSTS_VERSION,     /* recorder and reader are not of one build */
	MON_BURSTS_MAP,         /* its memory could not be mapped; detail: errno */
	MON_BURSTS_EXECUTION,   /* nor executed; detail: errno */
	MON_BURSTS_SHADOW,      /* the kernel checks return addresses (CET) */
	MON_BURSTS_GS,          /* the program uses %gs */
	MON_BURSTS_TIMER,       /* no timer of processor time; detail: errno */
	MON_BURSTS_RUNTIME,     /* a run-time system with threads and signals of its own: Go */
	MON_BURSTS_XSAVE,       /* the processor cannot save all its registers */
	MON_BURSTS_SANDBOX,     /* while it ran, the program has forbidden itself system calls */
	MON_BURSTS_NOT_LOADED,  /* the recorder was not loaded */
	MON_BURSTS_EXEC,        /* while it ran, the program has become another one by exec, which
				 * is not recorded */
	MON_BURSTS_STATIC,      /* linked statically: only its time is sampled, by the kernel */
	MON_BURSTS_ATTACHED,    /* it ran already: likewise */
	MON_BURSTS_REFUSALS
};
struct mon_bursts {
	uint32_t refusal;       /* enum mon_burst_refusal */
	uint32_t detail;
	uint64_t bursts;        /* of threads, begun */
	uint64_t words;         /* counted of a burst that nothing ends early */
	uint64_t samples, samples_lost, heap_lost, threads_lost;
	uint64_t no_code;       /* bursts that were due, or ended, in code that no file has */
	uint64_t not_translated;        /* bursts that an instruction ended */
	uint64_t unknown;       /* instructions whose addresses are not recorded */
	uint64_t children_ns;   /* processor time of processes that the program has started, which
				 * are not recorded */
	uint64_t cpu_ns;        /* what the process beside the program used, while that ran */
};

/* How a proxy sampled the program's pages.  The rows `columns` and `maps` of its counts are of page
 * faults then, and their positions are microseconds. */
struct mon_pages {
	uint32_t sampled;       /* 1: some memory was tracked; 0: pages were not asked for, or
				 * nothing could be tracked */
	uint32_t asked;         /* 1: they were asked for */
	uint32_t groups;        /* 1: a fault that reads may bring its neighbours, which are not
				 * seen then */
	uint32_t no_blocks;     /* 1: malloc() is not the C library's: mappings and static variables
				 * alone are tracked */
	uint32_t file_error;    /* errno, if the file of rows could not be written */
	uint32_t writes;        /* 1: writes to private memory were sampled, and none was tracked */
	uint64_t faults;        /* at tracked pages, the first ones included */
	uint64_t first;         /* first touches of pages */
	uint64_t intervals;     /* with faults */
	uint64_t lost;          /* faults that the kernel, or this process, had no room for */
	uint64_t undecoded;     /* of instructions that were not understood: they count as reads */
	uint64_t fault_ns;      /* of a fault here, measured */
	uint64_t spent_ns;      /* of the program's time: faults at armed pages, and arming */
	uint64_t not_armed;     /* groups of pages that could not be armed: locked memory, or other
				 * memory in their place */
	uint64_t known;         /* bytes of tracked memory that were touched */
	uint64_t untracked;     /* bytes of other private memory, at most at one time */
	uint64_t other_maps, other_bytes;       /* large mappings of the program that are not
						 * tracked: code, reserved addresses, stacks */
};

/* The processor's own samples of accesses (samples/), where a proxy was asked for them. */
struct mon_hardware {
	uint32_t asked;         /* 1: they were */
	uint32_t opened;        /* 1: an event that samples them was opened; 0: `why` */
	char unit[64];          /* its name, as the kernel has it */
	char why[240];
	uint64_t samples;       /* taken */
	uint64_t lost;          /* of them by a full ring, or by the unit */
	uint64_t throttled;     /* times that the kernel stopped the event */
	uint64_t truncated;     /* parts of Arm's buffer that were cut, or in which samples
				 * collided */
	uint64_t invalid;       /* records that could not be decoded */
	uint64_t no_access;     /* of no access, or of the kernel's */
	uint64_t without_thread;        /* of threads that are not known */
	uint64_t named;         /* of accesses to data structures with a name */
	uint64_t left_out;      /* of accesses to structures that --sir leaves out */
	uint64_t period;        /* of the event, at the end */
	/* Accesses of rows whose misses are those of samples, and of all rows. */
	uint64_t accesses_told, accesses;
};

/* What the kernel did for the process in one clean execution.  The times are told by ticks of the
 * clock, 4 ms apart on most kernels; the rest is exact.  All 0 where the
 * program is in a sandbox. */
struct mon_kernel {
	uint64_t user_ns, sys_ns;
	uint64_t minor, major;          /* page faults */
	uint64_t voluntary, involuntary;        /* switches to other threads */
};

/* Rows in a slot's arrays. */
struct mon_row_numbers {
#define ROWS(name, ...) uint32_t name;
#include "monitor/shared/result_rows.def"
};

struct mon_request {
	/* written by the agent */
	_Atomic uint32_t state;
	uint32_t kind;          /* enum mon_kind */
	uint32_t generation;    /* of the phase that `first` counts (mon_shm) */
	/* Not 0: missed unless the phase has this share of the time since its first execution. */
	uint32_t least_percent;
	uint64_t first;         /* number of the first execution, from 1; warm-up included */
	uint32_t warm;          /* executions recorded but not counted, before the counted ones */
	uint32_t count;         /* executions counted, 1..MON_EXECUTIONS (kernel_only:
				 * MON_KERNEL_EXECUTIONS) */
	uint32_t sample;        /* simulate one set in this many; 0, 1: all, exact counts */
	/* If recording an execution in full would take longer, it is counted in slices.
	 * slow_percent: what it may take in all, in percent of a clean one; goes before slow_ns,
	 * what it may take more than that.  Both 0: no limit.
	 * slow_budget 1: slow_ns is for all recorded executions together
	 * (monitor/collect/slice_budget.h), of which those of earlier runs of the program
	 * have spent slow_spent ns. */
	uint32_t slow_percent;
	uint32_t slow_budget;
	uint64_t slow_ns, slow_spent;
	uint32_t maps;          /* MON_SIM: accesses are drawn by address, too (struct mon_map) */
	uint32_t overwrites;    /* MON_SIM: stores that are overwritten unread are counted, too */
	uint32_t nfilters;
	struct mon_filter filter[MON_FILTERS];
	uint32_t nvariants;     /* MON_SIM only */
	struct mon_variant variant[MON_VARIANTS];
	/* MON_VERIFY: the object; what a clean execution takes.  MON_TRIAL: the object
	 * of an action that has one. */
	uint32_t object;
	uint64_t clean_ns;
	uint32_t nevents;       /* MON_EVENTS only */
	uint32_t one_cpu;       /* MON_TIME only; 1: all threads on one CPU
				 * (monitor/collect/one_cpu.h) */
	/* MON_TIME only; not 0: nothing but kernel[0] and phase_ns[0] is wanted, sums over the
	 * counted executions.
	 * MON_KERNEL_WHOLE: kernel[0] is read at the begin of the first and the end of the last,
	 * and has what lies in between, too: of very short executions, where reading each would
	 * be most of what is read. */
	uint32_t kernel_only;
	struct mon_event event[MON_EVENTS_MOST];
	/* MON_TRIAL only; `count` is the sum of the schedule's executions.  keep 1: the
	 * state of the last slot stays. */
	uint32_t action, keep, nschedule;
	uint32_t at_once;       /* 1: a switch is made at one boundary, however long it takes */
	uint32_t node;          /* MON_ACTION_BIND */
	uint32_t ncpus;         /* MON_ACTION_SPREAD, _COMPACT and _PIN: the CPUs that threads get,
				 * in this order */
	uint16_t cpu[MON_TRIAL_CPUS];
	struct mon_trial_slot schedule[MON_TRIAL_SLOTS];
	/* written by the monitor */
	struct mon_row_numbers rows;    /* in this slot's arrays */
	uint32_t executions;    /* counted; fewer than `count` when the phase ended for good;
				 * kernel_only: 1 */
	uint32_t kernel_executions;     /* of kernel[0] with kernel_only */
	uint32_t reason;        /* of a DROPPED slot: enum mon_drop */
	uint64_t ran_first;     /* number of the first counted execution */
	uint64_t phase_ns[MON_EXECUTIONS];
	struct mon_kernel kernel[MON_EXECUTIONS];       /* MON_TIME only */
	uint64_t records;       /* accesses recorded in the counted executions */
	uint64_t words;         /* words simulated, warm-up included */
	uint64_t lost;          /* words lost */
	uint64_t added_ns;      /* what recording has added to the executions, warm-up included; not
				 * of variants */
	/* Of a set sample: classes of lines, and of these the simulated ones.  Of slices: pieces of
	 * the executions (monitor/collect/slices.h), and of these the counted ones; both halved
	 * until they fit.  0: all. */
	uint32_t classes, sampled;
	uint32_t groups;        /* groups of the simulated classes, or of the slices */
	uint32_t slices;        /* counted; 0: the executions were not counted in slices */
	uint32_t slice_flags;   /* MON_SLICE_* */
	/* MON_DROP_EVENTS: the event that could not be counted, and why. */
	uint32_t failed_event;
	int32_t failed_errno;   /* 0: the program is in a sandbox that may kill it for the
				 * attempt */
	/* Of clean executions: 1 if calls of MPI are looked at: the agent asked, and the program
	 * has pass-throughs; and the rows that did not fit. */
	uint32_t mpi;
	uint64_t lost_mpi, lost_messages;
	/* lines and invalidations that did not fit: coherence is undefined */
	uint64_t unshared;
	uint64_t left_out;      /* references of threads without a timeline */
	/* Words of counted executions; of them those, at most, that threads recorded on another
	 * node than their rows have; and these threads.  Where the kernel is asked. */
	uint64_t counted_words, strayed;
	uint32_t strays, pad_strays;
	uint64_t undrawn;       /* records, misses and shared lines that the maps had no room for */
	uint64_t unhandled;     /* repairs of region stacks, such as exits without enter */
	struct mon_verified verified;
	struct mon_trial trial;
	struct mon_bursts bursts;       /* by a proxy (foreign/), also of a request that is not
					 * DONE */
	struct mon_pages pages;         /* likewise */
	struct mon_hardware hardware;   /* the same */
};
enum {
	MON_SLICE_LONG = 1,     /* a slice could not end in time: no marker and no loop that can be
				 * the phase */
	MON_SLICE_CUT = 2,      /* slices took longer than planned: some were left out */
	MON_SLICE_NONE = 4,     /* recorded in full: too few places where recording can begin, or
				 * accesses */
	MON_SLICE_LINGER = 16,  /* of clean spans of time: recording code of an earlier one was
				 * still running */
	MON_SLICE_STRAY = 8     /* more than one access in 100 is of contexts without a counted
				 * piece */
};
enum mon_drop {
	MON_DROP_NONE,
	MON_DROP_ROWS,          /* more rows than the slot holds */
	MON_DROP_MEMORY,        /* no memory for the monitor */
	MON_DROP_EXIT,          /* the process ended before the first counted execution did */
	MON_DROP_MACHINE,       /* no machine model, or not one that can be simulated */
	MON_DROP_REQUEST,       /* malformed, or the analysis ended meanwhile */
	MON_DROP_SAMPLE,        /* the machine's levels do not allow such a small sample */
	MON_DROP_PLACES,        /* a span of time has too few places where recording can begin */
	MON_DROP_CPU,           /* the kernel, or a sandbox, does not let the threads be kept on one
				 * CPU */
	MON_DROP_EVENTS,        /* a thread could not open an event (failed_event, failed_errno) */
	MON_DROP_BURSTS,        /* nothing was recorded (bursts.refusal) */
	MON_DROP_SAMPLES,       /* the processor's samples cannot be had (hardware.why), or there
				 * were none */
	MON_DROP_TRIAL          /* the action cannot be tried in this process (trial.refusal) */
};

#include "monitor/shared/row_types.h"

/* How the memory node of a page is known. */
enum mon_placement {
	MON_PLACE_ONE_NODE,     /* the machine has one node */
	MON_PLACE_FAULTS,       /* from page-fault events, or as the processor's samples tell */
	MON_PLACE_KERNEL,       /* the kernel is asked, page by page */
	MON_PLACE_UNKNOWN       /* not: the kernel gives no events */
};

struct mon_unit {               /* written by the monitor when a compile unit registers */
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

/* Objects below MON_OBJ_FIRST stand for memory that belongs to no data structure, by kind. */
enum {
	MON_OBJ_STACK = 0,      /* a thread's stack */
	MON_OBJ_HEAP = 1,       /* heap or anonymous memory, unnamed */
	MON_OBJ_IMAGE = 2,      /* static storage that no unit registered */
	MON_OBJ_OTHER = 3,
	MON_OBJ_SMALL = 4,      /* small heap blocks without a name */
	MON_OBJ_WORK = 5,       /* no memory: the work of the processor in a context */
	MON_OBJ_FIRST = 8
};
struct mon_object {
	uint64_t address, size;
	uint32_t name, scope;   /* strings; scope 0: none */
	uint32_t unit, region;  /* of the declaration; region may be MON_ANY */
	uint32_t line, kind;    /* enum psc_var_kind or mon_object_kind */
	uint32_t elem, dead;    /* dead: its library was unloaded */
	uint32_t file;          /* string: the declaring file; 0: the unit's source */
	uint32_t blocks;        /* small heap blocks when an experiment began last; 0: none */
	/* Of its heap blocks, small ones left out, that were allocated
	 * while accesses were recorded: */
	uint64_t allocated;     /* bytes */
	uint64_t largest;       /* bytes of the largest */
	uint32_t allocations;   /* their number */
	uint32_t grown;         /* those that were larger than the block before */
	uint32_t mapped;        /* those for which malloc mapped memory of its own (glibc) */
	uint32_t executions;    /* in which there was one */
	uint32_t made;          /* PSC_SITE_REALLOC, PSC_SITE_AUTOMATIC, PSC_SITE_TEMPORARY: of the
				 * sites */
	uint32_t nodes;         /* enum psc_nodes */
	/* Where its heap blocks, small ones left out, have been allocated since the program began:
	 * file (a string) and line; the line is 0 if there was none, MON_ANY if
	 * there were several places. */
	uint32_t allocated_file, allocated_line;
	uint32_t allocated_by;  /* 1 + the thread; 0 none, MON_ANY: several threads, or unknown */
	uint32_t releases;      /* of blocks, small ones left out, while accesses were recorded */
};
enum mon_object_kind {
	MON_KIND_DUMMY = 16,    /* memory known by the argument bound to it */
	MON_KIND_HEAP = 17,     /* blocks of one variable or site; size: most bytes at once */
	MON_KIND_FILE = 18,     /* a mapped file */
	MON_KIND_USER = 19,     /* declared by psc_object_begin() */
	MON_KIND_LOCAL = 20,    /* a local array on a stack */
	MON_KIND_UNNAMED = 21,  /* all heap memory without a name, which a proxy (foreign/) makes
				 * one structure of; so it does of */
	MON_KIND_LEFT_OUT = 22  /* all structures with a name that the user does not ask for */
};
#define MON_NO_UNIT UINT32_MAX  /* an object that no compile unit declares */

/* The dummy argument `name` of the subroutine (unit, region) was bound to the object, in this
 * calling context (the subroutine's or its caller's); MON_ANY: in every context. */
struct mon_alias {
	uint32_t unit, region, object, name, context;
};

/* A rule of a placement file (monitor/address/memory_policy.h): objects of this name, declared or
 * allocated at this place, get these pages. */
struct mon_place {
	uint32_t action;        /* enum mon_action, of pages */
	uint32_t node;          /* of MON_ACTION_BIND */
	char name[256];
	char file[256];         /* the end of its path; "": any */
	uint32_t line;          /* 0: any */
	/* By the monitor: */
	_Atomic uint32_t objects;       /* that match */
	_Atomic uint32_t refusal;       /* enum mon_trial_refusal: why blocks were left alone */
	uint32_t pad;
	_Atomic uint64_t blocks, bytes; /* that were placed: of whole pages */
	_Atomic uint64_t left;  /* blocks that were left alone, for want of a whole page as well */
};

/* A violated invariant (record_check.c): its place, and two values. */
enum mon_violation_kind {
	MON_CHECK_NONE,
	MON_CHECK_WORD,         /* a word begins no record; found: the word */
	MON_CHECK_DESCRIPTOR,   /* a word leads to no valid descriptor; found: the word */
	MON_CHECK_CUT,          /* a record is too short; words found, wanted */
	MON_CHECK_CONTEXT,      /* no such context; found, wanted: number of contexts */
	MON_CHECK_ADDRESS,      /* a program cannot have memory there; found: address */
	MON_CHECK_LENGTH,       /* too many bytes or iterations; found, wanted: limit */
	MON_CHECK_NESTING,      /* a region is not inside the one around it; contexts */
	MON_CHECK_OPEN,         /* open regions at the end of an execution; found */
	MON_CHECK_COUNTS,       /* accesses recorded minus accesses counted; found */
	MON_CHECK_BYTES,        /* the same for bytes */
	MON_CHECK_SITES         /* more misses by line than misses; found, wanted: misses */
};
struct mon_violation {
	_Atomic uint32_t kind;  /* enum mon_violation_kind; written last */
	uint32_t unit, region;  /* MON_ANY: unknown */
	uint32_t line;          /* of the source; 0: unknown */
	uint64_t found, wanted;
};

/* A region that could be the phase.  Times in ns without those when the program was recorded; only
 * what one thread at a time does in it. */
enum {
	MON_CANDIDATE_UNHOOKED = 1,     /* entries are no longer seen; if it is open it remains
					 * so */
	MON_CANDIDATE_MORE = 2,         /* there may be more executions than were counted */
	MON_CANDIDATE_BRIEF = 8,        /* executions or entries are shorter than 10 us */
	MON_CANDIDATE_SHARED = 4,       /* several threads were in it at once */
	MON_CANDIDATE_TEAM = 16         /* by the agent: they are in any case; the first one to
					 * enter it is timed */
};
struct mon_candidate {
	uint64_t hash;          /* these two by the agent */
	uint32_t index;
	_Atomic uint32_t flags;
	_Atomic uint64_t ns;            /* in entries that have ended */
	_Atomic uint64_t since, first;  /* begin of the entry that is open, of the first one; 0:
					 * none */
	_Atomic uint64_t entries, runs; /* runs: executions that have ended, as a phase has them */
	/* When its time was known well enough, although it is entered again: its executions are
	 * brief, so it cannot be the phase.  0: it is timed. */
	_Atomic uint64_t given_up;
};

struct mon_shm {
	uint64_t magic;         /* monitor, when created */
	uint32_t version, pid;

	/* written by the agent before MON_WELCOME */
	struct { uint64_t hash; uint32_t index, pad; } phase[MON_HOOKS];
	uint32_t nphase;        /* names of the phase region in the code */
	uint32_t ncandidates;
	struct mon_candidate candidate[MON_CANDIDATES];
	/* Not 0: the regions that are brief, which no survey has to find
	 * (monitor/regions/brief_regions.h). */
	uint32_t nbrief, pad_brief;
	struct { uint64_t hash; uint32_t index, pad; } brief[MON_BRIEF];
	uint32_t lockstep;
	uint64_t timed_ns;      /* executions are spans of at least so much time
				 * (monitor/phase/timed_spans.h); 0: of the phase */
	uint32_t no_faults;     /* tests: do as if there were no page-fault events */
	uint32_t first_touches; /* find out who touches pages first
				 * (monitor/address/first_touch.h) */
	uint32_t batch, turn;   /* tests: words per batch, accesses per turn; 0: default */
	uint32_t check;         /* check invariants */
	uint32_t mpi;           /* look at calls of MPI */
	uint32_t nplaces, pad_places;
	struct mon_place place[MON_PLACES];
	struct machine_flat machine;

	/* written by the agent at any time */
	_Atomic uint32_t detached; /* the analysis is over: stay idle */
	_Atomic uint32_t conclude; /* a proxy (foreign/): answer now, with what there is */
	_Atomic uint32_t doorbell; /* bit n: slot n is in use; MON_BELL_DETACHED */
	_Atomic uint32_t settled;  /* not 0: the phase is found, candidates may cost nothing any
				    * more */
	/* Raised after phase[] has changed.  The monitor changes phase between two executions of
	 * the old one: contexts, aliases and the numbers of executions begin anew. */
	_Atomic uint32_t generation;

	/* written by the monitor */
	_Atomic uint64_t phase_begun;    /* executions begun; the current one's number */
	_Atomic uint64_t phase_finished; /* executions completed, void ones excluded */
	_Atomic uint32_t exiting;        /* the process is running its destructors */
	_Atomic uint32_t threads;        /* threads measured so far */
	_Atomic uint32_t nunits, ncontexts, nobjects, naliases, nstrings;
	/* Of a proxy (foreign/): libraries loaded while the program ran whose functions are
	 * among the units: strings. */
	_Atomic uint32_t ncode;
	uint32_t code[MON_CODE];
	_Atomic uint64_t lost_contexts, lost_objects, lost_aliases, lost_units;
	_Atomic uint32_t placement;      /* enum mon_placement */
	_Atomic uint64_t unseen_faults;  /* lost fault events: pages without a known node */
	_Atomic uint32_t applied;        /* the generation that it uses */
	uint64_t started_ns;             /* monotonic clock: begin of the process's measurement */
	/* Time in which candidates were not timed, since the program was recorded or stood still,
	 * and executions of the phase in it. */
	_Atomic uint64_t paused_ns, paused_runs;
	/* Executions of the phase that surveys made slower, since it was chosen, and their wall
	 * time, which is not paused. */
	_Atomic uint64_t surveyed_ns, surveyed_runs;
	_Atomic uint64_t stands;         /* time on the clock without paused_ns, while it stands;
					  * else 0 */
	_Atomic uint64_t ended_ns;       /* monotonic clock, when `exiting` was set */
	_Atomic uint64_t foreign;  /* boundaries reached while another thread was in the phase */

	_Atomic uint64_t checked_records, checked_accesses;
	_Atomic uint64_t checked_gone;   /* groups of accesses to memory unmapped meanwhile */
	_Atomic uint32_t nviolations;    /* at most MON_VIOLATIONS + 1 */
	struct mon_violation violation[MON_VIOLATIONS];

	struct mon_request request[MON_SLOTS];

	struct mon_unit units[MON_UNITS];
	struct mon_context contexts[MON_CONTEXTS];
	struct mon_object objects[MON_OBJECTS];
	struct mon_alias aliases[MON_ALIASES];
	char strings[MON_STRINGS];      /* NUL-terminated; offset 0 is "" */
#define ROWS(name, row, most, ...) struct row name[MON_SLOTS][most];
#include "monitor/shared/result_rows.def"
};

#endif
