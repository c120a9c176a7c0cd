/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells by its first bytes what a file is that should have been XML, for messages. */
#ifndef PSC_BASE_FILE_KIND_H
#define PSC_BASE_FILE_KIND_H

#include <stddef.h>

/* "JSON", "a program (ELF)", "an HTML page", ...; NULL: it may be XML.  n: bytes of the head; 512
 * are enough. */
const char *file_kind(const char *head, size_t n);
/* As file_kind, of the file with this name; NULL also where it cannot be read. */
const char *file_kind_of(const char *path);

#endif
