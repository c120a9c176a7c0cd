/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the process in a sandbox?  One that kills for a system call would kill for ours: where the
 * kernel shows a filter, the monitor makes no call that programs seldom make. */
#ifndef PSC_MONITOR_SYSCALL_FILTER_H
#define PSC_MONITOR_SYSCALL_FILTER_H

#include <stdbool.h>

/* Before the program may enter a sandbox: opens what tells of it. */
void sandbox_start(void);
void sandbox_stop(void);
/* True also where it is not known. */
bool sandbox_around(void);

#endif
