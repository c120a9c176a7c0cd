/* SPDX-License-Identifier: BSD-3-Clause */
/* The thresholds by which the phase is chosen.  Times are of the program, summed over its
 * processes where a rule says so. */
#ifndef PSC_PHASE_RULES_H
#define PSC_PHASE_RULES_H

#include <stdint.h>

/* --- shares of the program's time ------------------------------------------------------------- */

/* A phase that is chosen has half of the time: no other region beside it can have more. */
#define PHASE_SHARE 0.5
/* With less than a tenth, the report warns: what it says of the phase
 * matters little to the program. */
#define PHASE_SHARE_LEAST 0.1
/* Early in a run only a region with four fifths of the time is chosen:
 * initialisations take turns. */
#define PHASE_MOST 0.8
/* Shares that differ by less than a tenth are taken for equal: so much do
 * times of two runs differ. */
#define PHASE_NEARLY 0.9
#define PHASE_OUTWEIGHED 1.1
/* A region with fewer executions than a small analysis needs must have twice
 * the time to be preferred. */
#define PHASE_RARE 2
/* A loop around another one is preferred, although it repeats less often, if a quarter
 * more of the time is in it. */
#define PHASE_WIDER 1.25

/* --- executions ------------------------------------------------------------------------------- */

/* A survey, times, and counts: a wider phase needs an execution for each. */
#define PHASE_FEW 3
/* An execution with fewer accesses says little of caches: the report warns, and the analysis
 * waits for a better phase. */
#define PHASE_ACCESSES_LEAST 1e4
/* ns.  Shorter executions are times of the clock, of the markers, and of
 * what was executed before. */
#define PHASE_BRIEF_NS 10000
/* ns.  The survey of the regions in it does not change the time of a longer execution. */
#define PHASE_LONG_NS 10000000

/* --- how long the program has run (ns, for each process) -------------------------------------- */

/* Before, nothing is chosen: a program reads its input. */
#define PHASE_EARLY_NS UINT64_C(20000000)
/* From then on any region with PHASE_SHARE is chosen; before, one with PHASE_MOST. */
#define PHASE_LATE_NS UINT64_C(300000000)
/* A phase is waited for if the executions that an analysis needs take no
 * longer than this in all. */
#define PHASE_WAIT_NS UINT64_C(10000000000)
/* A finished analysis is reported after this time if its phase still runs … */
#define PHASE_CONFIRM_NS UINT64_C(5000000000)
/* … and in any case after this time; a phase with less than PHASE_SHARE_LEAST of the program's
 * time, after the other one: it says little of the program, which may have only begun. */
#define PHASE_GIVE_UP_NS UINT64_C(60000000000)
#define PHASE_GIVE_UP_SLIGHT_NS UINT64_C(600000000000)

/* --- spans of time instead of a phase --------------------------------------------------------- */

/* ns.  Shorter spans are not measured: their ends would cost more than a few per cent. */
#define PHASE_SPAN_LEAST UINT64_C(10000000)

#endif
