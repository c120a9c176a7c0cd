/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads share the lines of drawn structures: rows of a result (struct mon_use). */
#ifndef PSC_MONITOR_USE_ROWS_H
#define PSC_MONITOR_USE_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

#pragma GCC visibility push(hidden)

/* The functions are called in this order, while no thread is simulated. */
void use_rows_begin(void);
/* The maps of a thread tell where pages lie in the program, and what they are. */
void use_rows_maps(const struct sim_maps *maps);
/* Counts the lines of a page of the coherence directory. */
void use_rows_page(void *unused, const struct share_use *use);
/* Writes the rows, or none if they do not fit. */
void use_rows_write(struct pscm_armed *a);

#pragma GCC visibility pop
#endif
