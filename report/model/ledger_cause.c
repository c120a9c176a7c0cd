/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of what accesses are to. */
#include "report/model/ledger_cause.h"

const char *const ledger_names[LEDGER_CAUSES + 1] = {
	[LEDGER_UNKNOWN] = "",
	[LEDGER_NAMED] = "named data structures",
	[LEDGER_STACKS] = "thread stacks",
	[LEDGER_SMALL] = "small heap blocks",
	[LEDGER_HEAP] = "heap without a name",
	[LEDGER_IMAGE] = "static storage without a name",
	[LEDGER_OTHER] = "other memory",
	[LEDGER_LOST] = "lost",
	[LEDGER_ALL] = "all",
	[LEDGER_MEASURED] = "all that was measured",
};
