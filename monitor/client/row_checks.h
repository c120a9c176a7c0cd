/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of what an application wrote as the result of an experiment: copies of it, since the
 * application may change the original at any time. */
#ifndef PSC_CLIENT_ROW_CHECKS_H
#define PSC_CLIENT_ROW_CHECKS_H

#include "monitor/client/mon.h"

/* The limits that the rows of a result must keep. */
struct row_limits {
	uint32_t ncontexts, nobjects, executions, nvariants;
	uint64_t longest;       /* ns that a row of times may have */
	bool slices;            /* groups may be negative */
	bool mpi;               /* there may be rows of MPI */
	uint32_t nevents, nschedule;    /* of the request */
};

/* The limits by the executions, phase_ns, nvariants and mpi of the result, and
 * the sizes of the tables. */
struct row_limits row_limits_of(const struct mon_result *r, uint32_t ncontexts, uint32_t nobjects);

/* true: the counts and times are plausible, and every index is in its table. */
bool result_head_ok(const struct mon_request *r);
#define ROWS(name, row, ...) bool row_##name##_ok(const struct row_limits *limits, const struct row *r);
#include "monitor/shared/result_rows.def"

#endif
