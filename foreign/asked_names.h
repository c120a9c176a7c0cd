/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the data structures that the user asks for (psc_frontend --sir). */
#ifndef PSC_FOREIGN_ASKED_NAMES_H
#define PSC_FOREIGN_ASKED_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct asked_names {
	char *text;             /* owned; NULL: all are asked for */
	char **name;            /* in alphabetical order; owned array of words of `text` */
	size_t n;
};

/* list: names, one a line; NULL: all.  0 / -1 (memory). */
int asked_names_begin(struct asked_names *a, const char *list);
void asked_names_end(struct asked_names *a);
bool asked_names_has(const struct asked_names *a, const char *name);

#endif
