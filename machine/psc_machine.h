/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the files of the program psc_machine share. */
#ifndef PSC_MACHINE_PSC_MACHINE_H
#define PSC_MACHINE_PSC_MACHINE_H

#include "machine/line_costs.h"

/* Prints what a line costs, and where the figures come from; here: m is the model of this host. */
void print_costs(const struct machine *m, bool here);

#endif
