/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that our compiler wrappers have not compiled: they are started by psc_foreign. */
#ifndef PSC_FRONTEND_ANY_PROGRAM_H
#define PSC_FRONTEND_ANY_PROGRAM_H

#include "frontend/setup.h"
#include "sir/sir.h"

/* Is this an executable whose accesses can be recorded in bursts?  Reads its structure. 0 / -1
 * (err: why not, and what can be had instead). */
int any_program_read(struct setup *s, const struct frontend_options *o, struct sir **sir,
	struct err *err);
/* Puts psc_foreign before the program in the command. 0 / -1 (err). */
int any_program_command(struct setup *s, struct frontend_options *o, struct err *err);

#endif
