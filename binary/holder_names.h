/* SPDX-License-Identifier: BSD-3-Clause */
/* The variable or member in which a pointer is stored. */
#ifndef PSC_BINARY_HOLDER_NAMES_H
#define PSC_BINARY_HOLDER_NAMES_H

#include "binary/trace.h"

struct holder_name {
	enum binary_heap_by by;
	const char *name, *scope, *type;        /* type: of the elements that the pointer points
						 * to */
	uint32_t elem;
	uint32_t inlined;       /* in how many inlined functions the local variable is */
};

/* false: nothing in the source is there. */
bool holder_name(const struct pointer_trace *t, const struct holder *h, struct holder_name *name);
/* The same of an object that a pointer points to. */
bool holder_object_name(const struct pointer_trace *t, const struct value_origin *object,
	struct holder_name *name);

#endif
