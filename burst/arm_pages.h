/* SPDX-License-Identifier: BSD-3-Clause */
/* Arms pages of tracked memory: their page-table entries are dropped, and the next access is a
 * minor fault, which the kernel reports to the reader.  The contents stay where they are. */
#ifndef PSC_BURST_ARM_PAGES_H
#define PSC_BURST_ARM_PAGES_H

#include "burst/shared/burst.h"

/* Called by the handler of a timer: arms the pages that the reader asks for. */
void burst_arm(struct burst_header *h);
/* Memory of the program's own is about to lie in the place of tracked memory, where a page that
 * is armed would lose its contents: nothing is armed any more.  NULL: there is no reader. */
void burst_arm_no_more(struct burst_header *h);

#endif
