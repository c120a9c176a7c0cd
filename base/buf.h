/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing byte buffer with a sticky failure, and a bounded reader: text under construction
 * and messages on the wire.  Integers go little-endian, strings with a 32-bit length. */
#ifndef PSC_BASE_BUF_H
#define PSC_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

struct buf {
	char *data;     /* owned; always NUL-terminated when not NULL */
	size_t len, cap;
	bool failed;    /* an allocation failed: the contents are incomplete */
};
#define BUF_INIT { NULL, 0, 0, false }

void buf_free(struct buf *b);           /* leaves an empty buffer */
void buf_clear(struct buf *b);          /* keeps the memory */
void buf_add(struct buf *b, const void *data, size_t len);
/* The contents of another buffer; if that has failed, so does this one. */
void buf_add_buf(struct buf *b, const struct buf *other);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...) PSC_PRINTF(2, 3);
/* The text, never NULL ("" when empty or failed). Borrowed until the next call on b. */
const char *buf_str(const struct buf *b);
/* The text as the caller's own; NULL when the buffer failed.  b is empty afterwards. */
char *buf_take(struct buf *b);

void buf_u8(struct buf *b, uint8_t v);
void buf_u32(struct buf *b, uint32_t v);
void buf_u64(struct buf *b, uint64_t v);
void buf_f64(struct buf *b, double v);
void buf_string(struct buf *b, const char *s);  /* NULL is sent as NULL */

/* Reads what buf_u8() to buf_string() wrote.  A read past the end sets `failed`; from then on every
 * read returns 0 or NULL. */
struct cursor {
	const uint8_t *data;    /* borrowed */
	size_t len, pos;
	bool failed;
};

uint8_t cur_u8(struct cursor *c);
uint32_t cur_u32(struct cursor *c);
uint64_t cur_u64(struct cursor *c);
double cur_f64(struct cursor *c);
/* A copy the caller frees; NULL for a sent NULL, or with failed set. */
char *cur_string(struct cursor *c);

#endif
