/* SPDX-License-Identifier: BSD-3-Clause */
/* The agent's side of the monitor: a node agent listens, monitors connect, requests go into shared
 * memory, and results come out of it, checked.  No function here blocks. */
#ifndef PSC_MONITOR_MON_H
#define PSC_MONITOR_MON_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "monitor/client/column_log.h"
#include "monitor/shared/shm.h"

/* Creates and listens on a SEQPACKET socket (mode 0600), close-on-exec, non-blocking.
 * Returns the descriptor, or -1. */
int mon_listen(const char *path, struct err *err);

struct mon_peer;        /* one application process */

/* Accepts one monitor.  Checks its credentials (same user), its version, and size and seals of its
 * memory.  NULL with err->text "": no connection waits, or its hello has not arrived yet; call
 * again. */
struct mon_peer *mon_peer_accept(int listener, struct err *err);
/* Unmaps the memory of a process that is detached: only its news, descriptor, pid and
 * rank may be asked for then. */
void mon_peer_forget(struct mon_peer *p);
void mon_peer_free(struct mon_peer *p);         /* detaches and closes; NULL is fine */
int mon_peer_fd(const struct mon_peer *p);      /* to poll for input */
uint32_t mon_peer_pid(const struct mon_peer *p);
int mon_peer_rank(const struct mon_peer *p);
const char *mon_peer_executable(const struct mon_peer *p);     /* borrowed */

struct mon_hook {               /* name of a region in the code */
	uint64_t hash;
	uint32_t index;
};
/* As in struct mon_place; the strings are borrowed. */
struct mon_place_rule {
	enum mon_action action;
	uint32_t node, line;
	const char *name, *file;
};
struct mon_setup {
	struct mon_hook phase[MON_HOOKS];
	uint32_t nphase;
	const struct mon_hook *candidates;      /* borrowed during the call */
	uint32_t ncandidates;                   /* more than MON_CANDIDATES: the first are timed */
	uint32_t nteam;                         /* the last ones: all threads of a team are in them
						 * at once */
	const struct mon_hook *brief;           /* brief regions; borrowed during the call */
	uint32_t nbrief;                        /* 0: a survey finds them; at most MON_BRIEF are
						 * taken */
	bool lockstep;
	uint64_t timed_ns;      /* executions are spans of so much time; 0: of the phase */
	bool no_faults;         /* tests: do as if there were no page-fault events */
	bool touches;           /* the monitor finds out who touches pages first */
	uint32_t batch, turn;   /* tests: see mon_shm; 0: the defaults */
	bool check;             /* the monitor checks its invariants */
	bool mpi;               /* it looks at calls of MPI, in clean executions */
	const struct mon_place_rule *places;    /* borrowed during the call */
	uint32_t nplaces;                       /* at most MON_PLACES are taken */
	struct machine_flat machine;
};
int mon_peer_welcome(struct mon_peer *p, const struct mon_setup *s, struct err *err);
void mon_peer_refuse(struct mon_peer *p);

enum mon_news { MON_NEWS_NONE, MON_NEWS_EVENT, MON_NEWS_WAITING, MON_NEWS_GONE };
/* Drains the socket and returns the most important event (GONE > WAITING > EVENT). */
enum mon_news mon_peer_news(struct mon_peer *p);
void mon_peer_go(struct mon_peer *p);           /* lock-step: lets the program continue */

uint64_t mon_peer_begun(const struct mon_peer *p);
uint64_t mon_peer_finished(const struct mon_peer *p);
bool mon_peer_exiting(const struct mon_peer *p);
uint32_t mon_peer_threads(const struct mon_peer *p);
/* What a candidate for the phase has taken so far.  ns: wall time, that of the entry which is open
 * included, without times in which the program was recorded; of a candidate that is no longer
 * timed, since its executions are brief: as if it went on as it did before. */
struct mon_timed {
	uint64_t ns, runs, entries;
	uint64_t since_first;   /* ns since the first entry; 0: there was none */
	uint32_t flags;         /* MON_CANDIDATE_* */
	bool open;
};
/* false: there is no such candidate. */
bool mon_peer_timed(const struct mon_peer *p, uint32_t candidate, struct mon_timed *out);
/* The same for the process: ns since its measurement began; runs: executions of the phase that are
 * not in any of these times, because they were recorded.  In these times are executions of the
 * present phase that surveys made slower. */
struct mon_elapsed {
	uint64_t ns, runs;
	uint64_t surveyed_ns, surveyed_runs;
};
void mon_peer_elapsed(const struct mon_peer *p, struct mon_elapsed *out);
/* Chooses another phase.  Pending requests end as MON_MISSED; later ones count executions of the
 * new phase from 1, as soon as mon_peer_chosen() says that the monitor uses it. */
void mon_peer_choose(struct mon_peer *p, const struct mon_hook *phase, uint32_t nphase);
bool mon_peer_chosen(struct mon_peer *p);
/* The choice is final as far as can be seen: candidates that cost time are no longer timed. */
void mon_peer_settle(struct mon_peer *p);
/* Boundaries that a thread reached while another thread was in the phase; not counted as
 * executions. */
uint64_t mon_peer_foreign(const struct mon_peer *p);

/* What the nth rule of mon_setup.places has done so far. */
struct mon_placed {
	uint32_t objects;
	enum mon_trial_refusal refusal;
	uint64_t blocks, bytes, left;
};
void mon_peer_placed(const struct mon_peer *p, uint32_t n, struct mon_placed *out);

enum mon_placement mon_peer_placement(const struct mon_peer *p);
uint64_t mon_peer_unseen_faults(const struct mon_peer *p);

/* What was simulated.  slices 0: the part of a machine's sets that a sample simulates; classes of
 * lines differ in the address bits that the indices of all levels share.  Else the part of the
 * executions that was counted, in so many slices; classes are pieces of an execution
 * (monitor/collect/slices.h). classes 0: everything; counts are exact. */
struct mon_sample {
	uint32_t classes, chosen, groups, slices;
};
/* Describes a sample of one set in n of this machine.  -1: the machine has too few classes, or more
 * than independent LRU levels; err's text continues a sentence that begins with the machine's
 * name. */
int mon_sample_of(const struct machine_flat *m, uint32_t n, struct mon_sample *out,
	struct err *err);
/* The error of a scaled count, given its sums by group.  Writes independent parts whose squares add
 * up to the variance, with groups - 1 degrees of freedom: one part per group, the last for the
 * least error that is ever stated.  The parts of a linear combination of counts are that
 * combination of the counts' parts. */
enum { MON_ERRORS = MON_GROUPS + 1 };
void mon_sample_parts(const struct mon_sample *s, const float group[MON_GROUPS],
	double parts[MON_ERRORS]);

struct mon_want {
	enum mon_kind kind;
	uint64_t first;
	uint32_t least_percent;                 /* as in struct mon_request */
	uint32_t warm, count;
	const struct mon_filter *filters;       /* borrowed during the call */
	uint32_t nfilters;                      /* 0: everything */
	const struct mon_variant *variants;     /* borrowed during the call; MON_SIM only */
	uint32_t nvariants;
	uint32_t sample;                        /* simulate one set in this many; 0, 1: all */
	/* MON_VERIFY: the object; what a clean execution takes, ns (limits the copies' time).
	 * MON_TRIAL: the object of an action that has one. */
	uint32_t object;
	uint64_t clean_ns;
	bool one_cpu;                           /* MON_TIME only: all threads on one CPU */
	uint32_t kernel_only;                   /* MON_TIME only: what the kernel does, without
						 * rows; MON_KERNEL_ */
	bool maps, overwrites;                  /* as in struct mon_request; MON_SIM only */
	uint32_t slow_percent;                  /* as in struct mon_request */
	bool slow_budget;
	uint64_t slow_ns, slow_spent;
	const struct mon_event *events;         /* borrowed during the call; MON_EVENTS only */
	uint32_t nevents;
	/* MON_TRIAL only: as in struct mon_request; the schedule is borrowed during the call, and
	 * count is the sum of its executions. */
	enum mon_action action;
	bool keep, at_once;
	uint32_t node;
	const uint16_t *cpu;                    /* borrowed during the call */
	uint32_t ncpus;
	const struct mon_trial_slot *schedule;
	uint32_t nschedule;
};
/* Fills a free slot and marks it ready.  Returns the slot; -1: none is free, or the request is
 * malformed. */
int mon_peer_request(struct mon_peer *p, const struct mon_want *want, struct err *err);
enum mon_state mon_peer_state(const struct mon_peer *p, int slot);

/* Results of a slot that is DONE, MISSED or DROPPED (the latter two without rows), copied and
 * checked.  The slot becomes EMPTY.  The caller frees them with mon_result_free(). */
struct mon_result {
	enum mon_state state;
	enum mon_kind kind;
	uint32_t executions, reason;
	struct mon_sample sample;       /* classes 0: exact */
	uint32_t slice_flags;           /* MON_SLICE_* */
	uint64_t added_ns;              /* what recording has added, as in struct mon_request; also
					 * of a request that is not DONE */
	uint64_t ran_first, records, words, lost, unhandled;
	uint64_t phase_ns[MON_EXECUTIONS];
	struct mon_kernel kernel[MON_EXECUTIONS];       /* MON_TIME only */
	uint32_t kernel_executions;     /* with kernel_only: kernel[0] is the sum of so many */
	/* Rows, as monitor/shared/result_rows.def lists them: an array, and their number.  counts:
	 * of the program as it is;
	 * events: `event` is an index into the request's. */
#define ROWS(name, row, ...) struct row *name; uint32_t n##name;
#include "monitor/shared/result_rows.def"
	/* Of clean executions.  mpi: calls of MPI were looked for. */
	bool mpi;
	uint64_t lost_mpi, lost_messages;       /* rows that did not fit */
	uint64_t unshared;      /* not 0: coherence is undefined */
	uint64_t left_out;      /* references of threads that have no timeline */
	/* Words of counted executions, those of threads on another node than their rows have, at
	 * most, and these threads. */
	uint64_t counted_words, strayed;
	uint32_t strays;
	uint64_t undrawn;       /* records, misses and shared lines that the maps had no room for */
	struct mon_count_row *varied;   /* of variants, numbered from 1 */
	uint32_t nvaried, nvariants;
	struct mon_verified verified;   /* MON_VERIFY only */
	struct mon_bursts bursts;       /* by a proxy, also of a request that is not DONE */
	struct mon_pages pages;         /* likewise */
	struct mon_hardware hardware;   /* the same */
	struct mon_trial trial;         /* MON_TRIAL only, also of a request that is not DONE */
	/* Dropped with MON_DROP_EVENTS: which event of the request, and
	 * why: errno, or 0, a sandbox. */
	uint32_t failed_event;
	int failed_errno;
	uint32_t rejected;      /* rows with impossible values, omitted */
};
int mon_peer_take(struct mon_peer *p, int slot, struct mon_result *out, struct err *err);
void mon_result_free(struct mon_result *r);

/* Table rows.  false: out of range, or the row is implausible.  Strings are borrowed until the next
 * call that returns any.  Objects below MON_OBJ_FIRST have no row. */
uint32_t mon_peer_ncontexts(const struct mon_peer *p);
bool mon_peer_context(const struct mon_peer *p, uint32_t n, struct mon_context *out,
	uint64_t *unit_hash);
/* The nth library that the program has loaded while it ran and that has units (of a proxy); NULL:
 * there are not so many.  Borrowed until the next call of a function that returns a string. */
const char *mon_peer_code(const struct mon_peer *p, uint32_t n);
uint32_t mon_peer_nobjects(const struct mon_peer *p);
bool mon_peer_object(const struct mon_peer *p, uint32_t n, struct mon_object *out,
	const char **name, const char **scope, uint64_t *unit_hash, const char **source);
/* The file in which the blocks of an object that was returned are allocated; NULL: not
 * one, or it is not known. */
const char *mon_peer_allocated_in(const struct mon_peer *p, const struct mon_object *o);
uint32_t mon_peer_naliases(const struct mon_peer *p);
bool mon_peer_alias(const struct mon_peer *p, uint32_t n, uint64_t *unit_hash, uint32_t *region,
	uint32_t *object, uint32_t *context,
	const char **name);
/* Contexts, objects, aliases and units that did not fit, in sum. */
uint64_t mon_peer_overflow(const struct mon_peer *p);

/* Results of the invariant checks so far (mon_setup.check). */
struct mon_checked {
	uint64_t records, accesses;
	uint64_t gone;          /* accesses to memory that was no longer mapped when checked */
	uint32_t n;
	bool more;              /* there were further violations */
	struct {
		uint32_t kind;  /* enum mon_violation_kind */
		bool known;     /* the region is known */
		uint64_t unit_hash;
		uint32_t region, line;
		uint64_t found, wanted;
	} v[MON_VIOLATIONS];
};
void mon_peer_checked(const struct mon_peer *p, struct mon_checked *out);

/* Of a proxy (foreign/): asks for its results before its program has ended. */
void mon_peer_conclude(struct mon_peer *p);

/* The analysis is over: the process stays idle from now on. */
void mon_peer_detach(struct mon_peer *p);

#endif
