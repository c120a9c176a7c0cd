/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters of other people's text, and text in JSON. */
#ifndef PSC_BASE_TEXT_H
#define PSC_BASE_TEXT_H

#include "base/buf.h"

/* Decodes one UTF-8 character: its length, or 0 when the bytes are none (overlong and
 * surrogates included).  s is NUL-terminated and not empty. */
int text_utf8(const char *s, uint32_t *code);
/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD.  NULL: null. */
void text_json(struct buf *out, const char *s);

#endif
