/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text that reads back exactly, whatever the locale. */
#ifndef PSC_BASE_REAL_TEXT_H
#define PSC_BASE_REAL_TEXT_H

#include "base/buf.h"

/* As few digits as read back as v; "NaN", "INF", "-INF" (XML Schema's words). */
void text_real(struct buf *out, double v);

#endif
