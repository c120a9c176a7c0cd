/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements growing byte buffers and bounded readers. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NULL_STRING UINT32_MAX

static bool reserve(struct buf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 128;
	char *p;

	if (b->failed)
		return false;
	if (more >= SIZE_MAX / 2 - b->len) {
		b->failed = true;
		return false;
	}
	while (cap < b->len + more + 1)
		cap *= 2;
	if (cap == b->cap)
		return true;
	p = realloc(b->data, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->data = p;
	b->cap = cap;
	return true;
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf)BUF_INIT;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	if (!reserve(b, len))
		return;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_add_buf(struct buf *b, const struct buf *other)
{
	if (other->failed)
		b->failed = true;
	else
		buf_add(b, buf_str(other), other->len);
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = true;
		return;
	}
	if (!reserve(b, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

const char *buf_str(const struct buf *b)
{
	return b->data && !b->failed ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *p;

	buf_add(b, "", 0);
	if (b->failed) {
		buf_free(b);
		return NULL;
	}
	p = b->data;
	*b = (struct buf)BUF_INIT;
	return p;
}

void buf_u8(struct buf *b, uint8_t v)
{
	buf_add(b, &v, 1);
}

static void put_le(struct buf *b, uint64_t v, unsigned bytes)
{
	uint8_t raw[8];

	for (unsigned i = 0; i < bytes; i++)
		raw[i] = (uint8_t)(v >> (8 * i));
	buf_add(b, raw, bytes);
}

void buf_u32(struct buf *b, uint32_t v)
{
	put_le(b, v, 4);
}

void buf_u64(struct buf *b, uint64_t v)
{
	put_le(b, v, 8);
}

void buf_f64(struct buf *b, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	buf_u64(b, bits);
}

void buf_string(struct buf *b, const char *s)
{
	if (!s) {
		buf_u32(b, NULL_STRING);
		return;
	}
	buf_u32(b, (uint32_t)strlen(s));
	buf_puts(b, s);
}

static uint64_t get_le(struct cursor *c, unsigned bytes)
{
	uint64_t v = 0;

	if (c->failed || c->len - c->pos < bytes) {
		c->failed = true;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)c->data[c->pos + i] << (8 * i);
	c->pos += bytes;
	return v;
}

uint8_t cur_u8(struct cursor *c)
{
	return (uint8_t)get_le(c, 1);
}

uint32_t cur_u32(struct cursor *c)
{
	return (uint32_t)get_le(c, 4);
}

uint64_t cur_u64(struct cursor *c)
{
	return get_le(c, 8);
}

double cur_f64(struct cursor *c)
{
	uint64_t bits = get_le(c, 8);
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

char *cur_string(struct cursor *c)
{
	uint32_t len = cur_u32(c);
	char *s;

	if (c->failed || len == NULL_STRING)
		return NULL;
	if (c->len - c->pos < len) {
		c->failed = true;
		return NULL;
	}
	s = malloc((size_t)len + 1);
	if (!s) {
		c->failed = true;
		return NULL;
	}
	memcpy(s, c->data + c->pos, len);
	s[len] = '\0';
	c->pos += len;
	return s;
}
