/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes messages of Protocol Buffers: fields with their numbers, appended to a buffer. */
#ifndef PSC_REPORT_PROTOBUF_H
#define PSC_REPORT_PROTOBUF_H

#include <stdint.h>
#include "base/buf.h"

/* uint32, uint64, bool, enum */
void proto_number(struct buf *message, uint32_t field, uint64_t v);
void proto_double(struct buf *message, uint32_t field, double v);
void proto_string(struct buf *message, uint32_t field, const char *s);
/* A message as a field of another one. */
void proto_message(struct buf *message, uint32_t field, const struct buf *inner);

#endif
