/* SPDX-License-Identifier: BSD-3-Clause */
/* The agent's side of the monitor: a node agent listens, monitors connect, requests go into
 * shared memory and results come out of it, checked.  Nothing here blocks. */
#ifndef PSC_MONITOR_MON_H
#define PSC_MONITOR_MON_H

#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "monitor/shared/shm.h"

/* Creates and listens on a SEQPACKET socket (mode 0600), close-on-exec, non-blocking.
 * Returns the descriptor, or -1. */
int mon_listen(const char *path, struct err *err);

struct mon_peer;        /* one application process */

/* Accepts one monitor: checks credentials (same user), version and the memory's size and seals.
 * NULL with err->text "" when nobody waits (or the hello has not arrived yet: ask again). */
struct mon_peer *mon_peer_accept(int listener, struct err *err);
void mon_peer_free(struct mon_peer *p);         /* closes; NULL is fine */
int mon_peer_fd(const struct mon_peer *p);      /* to poll for input */
uint32_t mon_peer_pid(const struct mon_peer *p);
int mon_peer_rank(const struct mon_peer *p);
const char *mon_peer_executable(const struct mon_peer *p);     /* borrowed */

struct mon_setup {
	struct { uint64_t hash; uint32_t index; } phase[MON_HOOKS];
	uint32_t nphase;
	struct { uint64_t hash; uint32_t index; } rival[MON_RIVALS];
	uint32_t nrivals;
	bool lockstep;
	bool no_faults;         /* tests: as if page-fault events could not be had */
	uint32_t batch, turn;   /* for tests; 0: as usual */
	bool check;             /* the monitor checks its invariants */
	struct machine_flat machine;
};
int mon_peer_welcome(struct mon_peer *p, const struct mon_setup *s, struct err *err);
void mon_peer_refuse(struct mon_peer *p);

enum mon_news { MON_NEWS_NONE, MON_NEWS_EVENT, MON_NEWS_WAITING, MON_NEWS_GONE };
/* Drains the socket: the most important of what arrived (GONE > WAITING > EVENT). */
enum mon_news mon_peer_news(struct mon_peer *p);
void mon_peer_go(struct mon_peer *p);           /* lock-step: let it go on */

uint64_t mon_peer_begun(const struct mon_peer *p);
uint64_t mon_peer_finished(const struct mon_peer *p);
bool mon_peer_exiting(const struct mon_peer *p);
uint32_t mon_peer_threads(const struct mon_peer *p);
/* Executions of a rival of the setup: at least so many; *all: not more. */
uint32_t mon_peer_rival_runs(const struct mon_peer *p, uint32_t rival, bool *all);
/* Boundaries that a thread met while another one was in the phase: they are no executions. */
uint64_t mon_peer_foreign(const struct mon_peer *p);

enum mon_placement mon_peer_placement(const struct mon_peer *p);
uint64_t mon_peer_unseen_faults(const struct mon_peer *p);

/* Which part of a machine's sets a sample has: classes of lines, by the address bits that the index
 * of every level has.  classes 0: all sets, counts are exact. */
struct mon_sample {
	uint32_t classes, chosen, groups;
};
/* What one set in n is of this machine.  -1: it has too few classes in common, or more than independent
 * LRU levels; err says which, in words that follow the machine's name. */
int mon_sample_of(const struct machine_flat *m, uint32_t n, struct mon_sample *out, struct err *err);
/* The error of a scaled count, of its sum by groups: independent parts (one for each group, the last for
 * what is never stated), whose squares sum to the variance, with groups - 1 degrees of freedom.  A
 * linear figure's parts are those of its counts, taken together. */
enum { MON_ERRORS = MON_GROUPS + 1 };
void mon_sample_parts(const struct mon_sample *s, const float group[MON_GROUPS],
	double parts[MON_ERRORS]);

struct mon_want {
	enum mon_kind kind;
	uint64_t first;
	uint32_t warm, count;
	const struct mon_filter *filters;       /* borrowed during the call */
	uint32_t nfilters;                      /* 0: everything */
	const struct mon_variant *variants;     /* borrowed during the call; of MON_SIM */
	uint32_t nvariants;
	uint32_t sample;                        /* one set in so many; 0, 1: all */
};
/* Takes a free slot and raises its flag.  Returns the slot, -1 when none is free or the
 * request is malformed. */
int mon_peer_request(struct mon_peer *p, const struct mon_want *want, struct err *err);
enum mon_state mon_peer_state(const struct mon_peer *p, int slot);

/* What a DONE slot holds: copied and checked (indices within the tables). Caller frees with
 * mon_result_free(); the slot becomes EMPTY.  Also for MISSED and DROPPED, with no rows. */
struct mon_result {
	enum mon_state state;
	enum mon_kind kind;
	uint32_t executions, reason;
	struct mon_sample sample;       /* classes 0: exact */
	uint64_t ran_first, records, words, lost, unhandled;
	uint64_t phase_ns[MON_EXECUTIONS];
	struct mon_time_row *times;
	uint32_t ntimes;
	struct mon_count_row *counts;   /* as the program is */
	uint32_t ncounts;
	struct mon_line *lines; /* object by object, the worst first */
	uint32_t nlines;
	uint64_t unshared;      /* not 0: sharing between threads is not known */
	struct mon_count_row *varied;   /* of variants, numbered from 1 */
	uint32_t nvaried, nvariants;
	uint32_t rejected;      /* rows with impossible indices, left out */
};
int mon_peer_take(struct mon_peer *p, int slot, struct mon_result *out, struct err *err);
void mon_result_free(struct mon_result *r);

/* Tables; false when out of range or the row makes no sense.  Strings are borrowed until the
 * next call that gives any.  Objects below MON_OBJ_FIRST have no row. */
uint32_t mon_peer_ncontexts(const struct mon_peer *p);
bool mon_peer_context(const struct mon_peer *p, uint32_t n, struct mon_context *out,
	uint64_t *unit_hash);
uint32_t mon_peer_nobjects(const struct mon_peer *p);
bool mon_peer_object(const struct mon_peer *p, uint32_t n, struct mon_object *out,
	const char **name, const char **scope, uint64_t *unit_hash, const char **source);
uint32_t mon_peer_naliases(const struct mon_peer *p);
bool mon_peer_alias(const struct mon_peer *p, uint32_t n, uint64_t *unit_hash, uint32_t *region,
	uint32_t *object, uint32_t *context,
	const char **name);
/* Sums of what did not fit: contexts, objects, aliases, units. */
uint64_t mon_peer_overflow(const struct mon_peer *p);

/* What checking found so far (mon_setup.check). */
struct mon_checked {
	uint64_t records, accesses;
	uint64_t gone;          /* accesses to what was not mapped any more when they were looked at */
	uint32_t n;
	bool more;              /* violations than are kept */
	struct {
		uint32_t kind;  /* enum mon_violation_kind */
		bool known;     /* the region */
		uint64_t unit_hash;
		uint32_t region, line;
		uint64_t found, wanted;
	} v[MON_VIOLATIONS];
};
void mon_peer_checked(const struct mon_peer *p, struct mon_checked *out);

/* The analysis is over: the process stays idle from now on. */
void mon_peer_detach(struct mon_peer *p);

#endif
