/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of program region, with the numbers that Periscope's files use. */
#ifndef PSC_BASE_REGION_H
#define PSC_BASE_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

enum region_type {
	REGION_UNKNOWN = 0,
	REGION_MAIN = 1,
	REGION_SUB = 2,
	REGION_LOOP = 3,
	REGION_CALL = 7,
	REGION_IO = 8,
	REGION_BARRIER = 9,
	REGION_PARALLEL = 10,
	REGION_SECTIONS = 13,
	REGION_SECTION = 14,
	REGION_SINGLE = 16,
	REGION_CRITICAL = 18,
	REGION_ATOMIC = 22,
	REGION_ORDERED = 23,
	REGION_MASTER = 25,
	REGION_USER = 27,
	REGION_WORKSHARE = 28,
	REGION_WORKSHARE_SECTIONS = 29,
	REGION_WORKSHARE_DO = 30,
	REGION_TASK = 32,
	REGION_TASKWAIT = 34,          /* our number: it is free in Periscope's list as far as that
				        * is published */
	REGION_DATA_STRUCTURE = 100
};

/* "PARALLEL_REGION", as reports and .psc files print it; "UNKNOWN_REGION" for other numbers. */
const char *region_type_name(int type);
/* "parallelRegion", as SIR's codeRegion type; NULL where SIR has none (SUB: a unit). */
const char *region_type_sir(int type);
/* The inverse functions; REGION_UNKNOWN for an unknown name. */
int region_type_from_name(const char *name);
int region_type_from_sir(const char *name);

#ifdef __cplusplus
}
#endif
#endif
