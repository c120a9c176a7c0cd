/* SPDX-License-Identifier: BSD-3-Clause */
/* What memory accesses are to, where they are not of one data structure. */
#ifndef PSC_REPORT_LEDGER_CAUSE_H
#define PSC_REPORT_LEDGER_CAUSE_H

/* The last two are of totals: all, and all whose misses are known. */
enum ledger_cause {
	LEDGER_UNKNOWN, LEDGER_NAMED, LEDGER_STACKS, LEDGER_SMALL, LEDGER_HEAP, LEDGER_IMAGE,
	LEDGER_OTHER, LEDGER_LOST, LEDGER_ALL, LEDGER_MEASURED, LEDGER_CAUSES
};
extern const char *const ledger_names[LEDGER_CAUSES + 1];

#endif
