/* SPDX-License-Identifier: BSD-3-Clause */
/* The GCC that the plugin was built for against the one that loads it: five texts, as GCC's struct
 * plugin_gcc_version has them. */
#ifndef PSC_INSTRUMENT_VERSION_H
#define PSC_INSTRUMENT_VERSION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { VERSION_FIELDS = 5 };

/* One line a field that differs, with both values; `text` is cut at `size`.  Returns how many differ. */
int version_differences(const char *const built[VERSION_FIELDS], const char *const running[VERSION_FIELDS],
	char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
