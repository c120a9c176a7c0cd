/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters of other people's text. */
#ifndef PSC_BASE_UTF8_H
#define PSC_BASE_UTF8_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes one UTF-8 character: its length, or 0 when the bytes are none (overlong and
 * surrogates included).  s is NUL-terminated and not empty. */
int text_utf8(const char *s, uint32_t *code);

#ifdef __cplusplus
}
#endif

#endif
