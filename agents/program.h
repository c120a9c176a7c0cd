/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSC_AGENTS_PROGRAM_H
#define PSC_AGENTS_PROGRAM_H

#include "agents/config.h"
#include "asl/asl.h"

/* Compiles the property files of a configuration with its settings: in the front end for the
 * diagnostics, in the agents the same text again.  NULL: errors (reported), or no memory. */
struct asl_program *program_compile(const struct run_config *c, asl_diag_fn report, void *arg);

#endif
