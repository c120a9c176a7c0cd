/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the characters of text that is not trusted. */
#ifndef PSC_BASE_UTF8_H
#define PSC_BASE_UTF8_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes one UTF-8 character; returns its length, or 0: invalid (overlong forms and surrogates
 * included).  s is NUL-terminated and not empty. */
int text_utf8(const char *s, uint32_t *code);

#ifdef __cplusplus
}
#endif

#endif
