/* SPDX-License-Identifier: BSD-3-Clause */
/* A calibration: the costs that were measured on a host, and the file that keeps them, one for each
 * host, in $XDG_CACHE_HOME/periscope or ~/.cache/periscope. */
#ifndef PSC_MACHINE_CALIBRATION_H
#define PSC_MACHINE_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "machine/line_costs.h"

struct calibration {
	struct machine_costs costs;
	char processor[160];                    /* as struct machine, title; "": not known */
	uint64_t size[MACHINE_LEVELS];          /* bytes of the cache levels, nearest first */
	uint32_t level[MACHINE_LEVELS];         /* their numbers */
	uint64_t usable;                        /* bytes of the last level that can be had; 0: not
						 * known */
	uint32_t line;                          /* bytes of a line of the nearest level */
	uint64_t set[MACHINE_LEVELS + 1];       /* bytes of the working sets; the last one:
						 * memory */
};

/* How long to measure, s.  A machine that gives the processor time at once and whose
 * costs do not vary needs less. */
struct calibration_budget {
	double cpu;                             /* processor time, all in all */
	double wall;                            /* all in all */
	double slices;                          /* of wall: for what lines cost */
	double few;                             /* the same while there are too few slices to say
						 * anything */
};
extern const struct calibration_budget calibration_long;       /* 5 s, 60 s: what --calibrate
							        * takes */
/* 5 s, 6 s, on a very busy machine 15 s: before an analysis. */
extern const struct calibration_budget calibration_brief;

/* Measures this host, whose model is m.  tell (may be NULL) is called between steps of seconds at
 * most, with what is measured next and the seconds since the start.  A cost that varies has a wide
 * range, one that could not be measured is assumed, and the result is marked
 * (machine_costs_marked()).  -1: there is not enough memory, err says why. */
int calibration_measure(const struct machine *m, const struct calibration_budget *budget,
	void (*tell)(const char *what, unsigned seconds), struct calibration *out, struct err *err);

/* Reads the calibration of this host.  -1: there is none, or it is not of this host or not of a
 * machine with m's levels; why says which. */
int calibration_of_host(const struct machine *m, struct calibration *out, struct err *why);
/* Reads the calibration of this host, whatever machine's model is used.  -1: as before. */
int calibration_own(struct calibration *out, struct err *why);
/* Reads a file; every error has its line.  0 / -1. */
int calibration_read(const char *path, struct calibration *out, struct err *err);
/* True: the file's root is <calibration>.  False also if it cannot be read. */
bool calibration_is(const char *path);
/* Replaces the file of this host, or writes to standard output (path "-"). 0 / -1. */
int calibration_write(const struct calibration *c, const char *path, struct err *err);
/* The file of this host in the user's cache directory, which is made if `make`.  -1: the
 * environment names no directory, or it cannot be made. */
int calibration_path(bool make, char *path, size_t size, struct err *err) PSC_CHECKED;

#endif
