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
	uint32_t nevents;       /* of the request */
};

/* The limits by the executions, phase_ns and nvariants of the result, and the sizes of the tables. */
struct row_limits row_limits_of(const struct mon_result *r, uint32_t ncontexts, uint32_t nobjects);

/* true: the counts and times are plausible, and every index is in its table. */
bool result_head_ok(const struct mon_request *r);
bool row_time_ok(const struct row_limits *limits, const struct mon_time_row *r);
bool row_count_ok(const struct row_limits *limits, const struct mon_count_row *r);
bool row_line_ok(const struct row_limits *limits, const struct mon_line *l);
bool row_event_ok(const struct row_limits *limits, const struct mon_event_row *r);
bool row_mpi_ok(const struct row_limits *limits, const struct mon_mpi_row *r);
bool row_message_ok(const struct row_limits *limits, const struct mon_message_row *r);
bool row_site_ok(const struct row_limits *limits, const struct mon_site *s);

#endif
