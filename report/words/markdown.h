/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in Markdown tables. */
#ifndef PSC_REPORT_MARKDOWN_H
#define PSC_REPORT_MARKDOWN_H

#include "base/buf.h"

/* Appends text that is shown as it is, in a table, too: marks are escaped, control characters and
 * line ends become blanks, bytes that are not UTF-8 become "?". */
void markdown_text(struct buf *out, const char *s);

#endif
