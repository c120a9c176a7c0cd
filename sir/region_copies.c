/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what a region's statements copy. */
#include "sir/model.h"

#include <string.h>

static const char *const words[] = {
	[SIR_COPY_ARGUMENT] = "argument", [SIR_COPY_SECTION] = "section",
	[SIR_COPY_OBJECT] = "object",
	[SIR_COPY_BLOCK] = "block",
};

bool copy_of_word(const char *word, enum sir_copy_of *of)
{
	for (size_t i = 0; word && i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i], word) == 0) {
			*of = (enum sir_copy_of)i;
			return true;
		}
	return false;
}

const char *copy_word(enum sir_copy_of of)
{
	return words[of];
}

static bool same_copy(const struct sir_copy *a, const struct sir_copy *b)
{
	return a->of == b->of && a->line == b->line && !a->callee == !b->callee &&
		(!a->callee || strcmp(a->callee, b->callee) == 0);
}

int model_copy(struct sir_model *m, struct sir_node *n, const struct sir_copy *c)
{
	struct sir_copy *p;

	for (uint32_t i = 0; i < n->ncopies; i++)
		if (same_copy(&n->copies[i], c))
			return 0;
	p = arena_grow(m->arena, n->copies, n->ncopies * sizeof *p, (n->ncopies + (size_t)1) *
		sizeof *p);
	if (!p)
		return -1;
	n->copies = p;
	p[n->ncopies++] = *c;
	return 0;
}
