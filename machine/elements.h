/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the documents of machine/ and the attributes of their elements.  A function that fails
 * describes the error with file and line, and returns -1 (or NULL). */
#ifndef PSC_MACHINE_ELEMENTS_H
#define PSC_MACHINE_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <libxml/tree.h>
#include "base/err.h"

struct reader {
	const char *path;
	struct err *err;
	bool malformed;         /* the XML is malformed; err is set */
};

/* Parses the file at r->path.  NULL: it cannot be read, is not XML or has a document type
 * declaration.  Free with xmlFreeDoc(). */
xmlDocPtr document_read(struct reader *r);

int element_complain(const struct reader *r, xmlNodePtr n, const char *fmt, ...) PSC_PRINTF(3, 4);
bool element_has(xmlNodePtr n, const char *name);
/* Refuses an attribute that is not one of names[], which ends with NULL. */
int element_only(const struct reader *r, xmlNodePtr n, const char *const *names);
/* The text of an attribute; NULL: absent.  Free with xmlFree(). */
char *element_text(xmlNodePtr n, const char *name);
/* Copies the text of an attribute; absent: `missing`. */
void element_copy(xmlNodePtr n, const char *name, const char *missing, char *out, size_t size);

/* Required attributes: a whole number from 1 to max; a size with a suffix ("256KiB"), at least 1;
 * "1.3GHz" or "MHz"; a decimal number from 0 to max with at most six digits after the point. */
int element_number(const struct reader *r, xmlNodePtr n, const char *name, uint32_t max,
	uint32_t *value);
int element_size(const struct reader *r, xmlNodePtr n, const char *name, uint64_t max,
	uint64_t *value);
int element_clock(const struct reader *r, xmlNodePtr n, double *ghz);
int element_real(const struct reader *r, xmlNodePtr n, const char *name, double max, double *value);
/* Reads one of names[] as its number; an absent attribute has the value `missing`. */
int element_choice(const struct reader *r, xmlNodePtr n, const char *name,
	const char *const *names, uint32_t nnames, uint32_t missing, uint32_t *value);

/* Parses decimal digits, at most max; *end: the rest. */
bool text_whole(const char *s, uint64_t max, uint64_t *value, const char **end);

#endif
