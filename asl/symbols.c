/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the global symbols of a compile, and the names that declarations with a syntax error may
 * declare. */
#include "asl/ast.h"

#include <string.h>

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h % NSYMS;
}

struct sym *asl_global(const struct compile *c, const char *name)
{
	for (struct sym *s = c->globals[hash(name)]; s; s = s->next)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

void asl_add_global(struct compile *c, struct sym *s)
{
	struct sym **at = &c->globals[hash(s->name)];

	s->next = *at;
	*at = s;
}

void asl_add_broken(struct compile *c, const char *name)
{
	struct broken *b, **at = &c->broken[hash(name)];

	if (*at && !strcmp((*at)->name, name))
		return;         /* the same word again and again */
	b = asl_new(c, sizeof *b);
	*b = (struct broken){ name, *at };
	*at = b;
}

bool asl_maybe_broken(const struct compile *c, const char *name)
{
	for (const struct broken *b = c->broken[hash(name)]; b; b = b->next)
		if (!strcmp(b->name, name))
			return true;
	return false;
}
