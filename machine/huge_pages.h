/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory in huge pages, as a program gets it that asks for them (madvise). */
#ifndef PSC_MACHINE_HUGE_PAGES_H
#define PSC_MACHINE_HUGE_PAGES_H

#include <stddef.h>

/* Memory of `size` bytes, touched; *mapped and *mapping are what huge_pages_free() takes.  NULL:
 * the system gives no huge pages, or not for nine tenths of it. */
char *huge_pages(size_t size, char **mapping, size_t *mapped);
void huge_pages_free(char *mapping, size_t mapped);

#endif
