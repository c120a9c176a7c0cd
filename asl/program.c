/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up what a compiled program holds: files, classes, attributes, enumerations, properties and
 * their parts. */
#include "asl/code.h"

#include <string.h>

void asl_free(struct asl_program *p)
{
	if (p)
		arena_free(p->arena);
}

size_t asl_nclasses(const struct asl_program *p)
{
	return (size_t)p->nclasses;
}

int asl_class_find(const struct asl_program *p, const char *name)
{
	for (int i = 0; i < p->nclasses; i++)
		if (!strcmp(p->classes[i].name, name))
			return i;
	return -1;
}

bool asl_class_is(const struct asl_program *p, int cls, int base)
{
	while (cls >= 0 && cls < p->nclasses) {
		if (cls == base)
			return true;
		cls = p->classes[cls].base;
	}
	return false;
}

int asl_nattrs(const struct asl_program *p, int cls)
{
	return p->classes[cls].nattrs;
}

const char *asl_attr_name(const struct asl_program *p, int cls, int attr)
{
	return p->classes[cls].attrs[attr].name;
}

void asl_attr_type(const struct asl_program *p, int cls, int attr, struct asl_attr_type *out)
{
	static const enum asl_type types[] = {
		[K_BOOL] = ASL_BOOL, [K_INT] = ASL_INT, [K_FLOAT] = ASL_FLOAT,
		[K_STRING] = ASL_STRING, [K_ENUM] = ASL_ENUM, [K_OBJECT] = ASL_OBJECT,
		[K_SET] = ASL_SET,
	};
	const struct class_attr *a = &p->classes[cls].attrs[attr];

	out->type = types[a->kind];
	out->cls = a->ref;
	out->array = a->array;
}

int asl_enum_find(const struct asl_program *p, const char *name)
{
	for (int i = 0; i < p->nenums; i++)
		if (!strcmp(p->enums[i].name, name))
			return i;
	return -1;
}

int asl_enum_value(const struct asl_program *p, int enumeration, const char *item)
{
	const struct enum_info *e = &p->enums[enumeration];

	for (int i = 0; i < e->nitems; i++)
		if (!strcmp(e->items[i], item))
			return i;
	return -1;
}

size_t asl_nproperties(const struct asl_program *p)
{
	return (size_t)p->nprops;
}

const struct asl_property *asl_property(const struct asl_program *p, size_t number)
{
	return &p->props[number].pub;
}

int asl_parts(const struct asl_program *p, size_t property)
{
	return p->props[property].nparts;
}

struct asl_part_source asl_part_source(const struct asl_program *p, size_t property, int part)
{
	const struct part *q = &p->props[property].parts[part];

	return (struct asl_part_source){ q->attr, q->code.pub.context };
}
