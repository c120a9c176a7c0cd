/* SPDX-License-Identifier: BSD-3-Clause */
/* What a minor page fault costs, by threads that touch fresh memory. */
#ifndef PSC_MACHINE_FAULTS_H
#define PSC_MACHINE_FAULTS_H

#include "machine/series.h"

enum { FAULT_THREADS = 8 };     /* most threads that are measured at once */

/* Adds FAULT_CHUNKS samples of each of n threads, at most FAULT_THREADS, on the CPUs cpu[]: ns of
 * its processor time for a page, the mean of FAULT_PAGES.  1536 pages are touched by a thread.
 * 0, or -1: no memory, or no threads. */
enum { FAULT_CHUNKS = 24, FAULT_PAGES = 64 };
int faults_touch(const unsigned *cpu, unsigned n, struct series *s);
/* The median of the samples, with their lowest and highest decile: unlike a line from a cache, a
 * fault takes a way through the system that varies, and programs pay for all of
 * it.  Of an empty series 0. */
struct cost faults_cost(const struct series *s);

#endif
