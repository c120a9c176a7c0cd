/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in JSON. */
#ifndef PSC_BASE_JSON_TEXT_H
#define PSC_BASE_JSON_TEXT_H

#include "base/buf.h"
#include "base/utf8.h"

/* Appends `, "name": v` for the next member of an object; null if v is not finite. */
void json_next_real(struct buf *out, const char *name, double v);
/* Appends a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.  NULL: null. */
void text_json(struct buf *out, const char *s);

#endif
