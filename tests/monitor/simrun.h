/* SPDX-License-Identifier: BSD-3-Clause */
/* The node agent for tests, in two parts: simrun.c runs the program, simrun_print.c prints. */
#ifndef PSC_TESTS_MONITOR_SIMRUN_H
#define PSC_TESTS_MONITOR_SIMRUN_H

#include <stdbool.h>
#include "monitor/client/mon.h"

/* Says what failed, removes the socket and exits. */
_Noreturn void simrun_die(const char *what);
/* Takes the result of a request and prints it. */
void simrun_print(struct mon_peer *p, int slot, const struct machine_flat *m, bool timelines);

#endif
