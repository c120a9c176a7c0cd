/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the processor samples accesses on this host. */
#include <config.h>

#include "frontend/samples_check.h"

#include "frontend/ask_foreign.h"

int samples_possible(struct err *err)
{
	char said[sizeof err->text];

	return ask_foreign("--samples-here", said, sizeof said, err);
}
