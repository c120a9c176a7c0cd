/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers that an interrupted thread would have if it had run the program's own code. */
#ifndef PSC_BURST_NATIVE_H
#define PSC_BURST_NATIVE_H

#include <ucontext.h>
#include "burst/slot.h"

enum where {
	WHERE_OWN,              /* in the program's own code, or in a library's */
	WHERE_TRANSLATED,
	WHERE_RECORDER          /* in the recorder's code, which translated code has called */
};

/* Where the thread is.  Changes the registers to the program's; `words`, if not NULL: how many of
 * the last block's words do not count.  Reads and may change s->plan. */
enum where burst_native_state(struct slot *s, greg_t *registers, uint32_t *words);

/* The same for a signal of the program's: vector registers, too; the burst, if there is one, ends.
 * The thread goes on in its own code. */
void burst_leave_for_signal(struct slot *s, ucontext_t *context);

/* Their numbers in a context, by their numbers in instructions. */
extern const uint8_t burst_register_numbers[REGISTERS];

#endif
