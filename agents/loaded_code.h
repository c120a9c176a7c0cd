/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that a program has loaded while it ran: their functions join the
 * structure of the program. */
#ifndef PSC_AGENTS_LOADED_CODE_H
#define PSC_AGENTS_LOADED_CODE_H

#include "agents/process.h"

/* Adds the functions of the libraries that a proxy has told of to the structure of the program,
 * before contexts that refer to them are taken.  Regions keep their numbers; where that cannot be,
 * the structure stays as it is, and those contexts have no region. */
void loaded_code_take(struct host_analysis *h, const struct mon_peer *peer);
void loaded_code_free(struct host_analysis *h);

#endif
