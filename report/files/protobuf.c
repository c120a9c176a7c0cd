/* SPDX-License-Identifier: BSD-3-Clause */
/* The wire format of Protocol Buffers: a key (field number and wire type), then the value; numbers
 * in groups of seven bits, the lowest first. */
#include "report/files/protobuf.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2 };

static void varint(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_u8(out, (uint8_t)(v | 0x80));
	buf_u8(out, (uint8_t)v);
}

static void key(struct buf *out, uint32_t field, unsigned wire)
{
	varint(out, (uint64_t)field << 3 | wire);
}

void proto_number(struct buf *message, uint32_t field, uint64_t v)
{
	key(message, field, WIRE_VARINT);
	varint(message, v);
}

void proto_double(struct buf *message, uint32_t field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	key(message, field, WIRE_64);
	for (int i = 0; i < 8; i++)
		buf_u8(message, (uint8_t)(bits >> 8 * i));
}

static void bytes(struct buf *message, uint32_t field, const void *data, size_t n)
{
	key(message, field, WIRE_BYTES);
	varint(message, n);
	buf_add(message, data, n);
}

void proto_string(struct buf *message, uint32_t field, const char *s)
{
	bytes(message, field, s, strlen(s));
}

void proto_message(struct buf *message, uint32_t field, const struct buf *inner)
{
	bytes(message, field, buf_str(inner), inner->len);
	message->failed |= inner->failed;
}
