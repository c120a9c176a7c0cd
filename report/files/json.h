/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form as text, for forms that contain it. */
#ifndef PSC_REPORT_JSON_H
#define PSC_REPORT_JSON_H

#include "report/model/report.h"

/* Appends what report_json_write() writes; r is ranked. */
void report_json(struct buf *out, const struct report *r);
/* The same without the rows `timelines`, of which series are the most; and one of these rows. */
void report_json_brief(struct buf *out, const struct report *r);
void report_json_timeline(struct buf *out, const struct report *r, const struct report_timeline *t);

struct report_timeline;
/* Appends the members of a timeline that are no fields: sentences and the strip of
 * regions (export.c, json_schema.c). */
void json_timeline_extra(struct buf *out, const struct report_timeline *t);

#endif
