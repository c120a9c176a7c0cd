/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before dlclose(): other code may come where a library was, and what was translated of it
 * must go. */
#define _GNU_SOURCE
#include "burst/callers.h"
#include "burst/next.h"
#include "burst/slot.h"

NEXT(int, dlclose, void *)

EXPORT int dlclose(void *library)
{
	int result = next_dlclose()(library);

	if (burst_header() != NULL) {
		atomic_fetch_add(&burst_live->unloads, 1);
		burst_forget_callers();
	}
	return result;
}
