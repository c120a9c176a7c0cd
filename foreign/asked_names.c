/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the names of the data structures that the user asks for. */
#include "config.h"
#include "foreign/asked_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Fortran's names have no case, and a name too many does no harm: the agent compares exactly. */
static int by_name(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

int asked_names_begin(struct asked_names *a, const char *list)
{
	size_t lines = 0;

	*a = (struct asked_names){ NULL, NULL, 0 };
	if (!list)
		return 0;
	for (const char *c = list; *c; c++)
		lines += *c == '\n';
	a->text = strdup(list);
	a->name = calloc(lines + 1, sizeof *a->name);
	if (!a->text || !a->name) {
		asked_names_end(a);
		return -1;
	}
	for (char *word = strtok(a->text, "\n"); word; word = strtok(NULL, "\n"))
		a->name[a->n++] = word;
	qsort(a->name, a->n, sizeof *a->name, by_name);
	return 0;
}

void asked_names_end(struct asked_names *a)
{
	free(a->text);
	free(a->name);
	*a = (struct asked_names){ NULL, NULL, 0 };
}

bool asked_names_has(const struct asked_names *a, const char *name)
{
	return !a->text || bsearch(&name, a->name, a->n, sizeof *a->name, by_name);
}
