/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks a phase for Periscope/C, where the program's structure does not show it: a part of one
 * function that is executed again and again, in serial context.
 *
 *     for (...) {
 *             psc_phase_begin("step");
 *             ...
 *             psc_phase_end("step");
 *     }
 *
 * Each pass from begin to end is an execution.  The name is a string literal; begin and end stand
 * in the same function, and one region may have several of each.  What is inside appears in reports
 * below the user region of that name (--phase step).  Of the function's own code between the two,
 * loops are counted, single statements are not; called functions are counted in full.
 *
 * The compiler plugin replaces the calls; in programs that are built without it they do nothing.
 *
 * In an MPI program whose processes do not execute the phase equally often, psc_phase_number(step),
 * before each execution, tells of which common step it is, from 1.  All executions of one number
 * are one, of the process's share of that step; so the same is measured in all processes at the
 * same time, and compared.  A number that is not higher than the one before is the same step.
 * Without libpscmon the call does nothing (the symbol is weak). */
#ifndef PSC_PHASE_H
#define PSC_PHASE_H

#ifdef __cplusplus
extern "C" {
#endif
static inline void psc_phase_begin(const char *name)
{
	(void)name;
}

static inline void psc_phase_end(const char *name)
{
	(void)name;
}
__attribute__((weak)) void psc_phase_number(unsigned long long step);
#ifdef __cplusplus
}
#endif

#define psc_phase_number(step) (psc_phase_number ? psc_phase_number(step) : (void)0)

#endif
