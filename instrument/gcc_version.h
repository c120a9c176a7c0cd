/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the GCC build that the plugin was compiled for with the one that loads it: five texts,
 * as in GCC's struct plugin_gcc_version. */
#ifndef PSC_INSTRUMENT_GCC_VERSION_H
#define PSC_INSTRUMENT_GCC_VERSION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const char psc_plugin_version[];       /* GCC's headers have a PACKAGE_VERSION of their
					       * own */

enum { VERSION_FIELDS = 5 };

/* Writes a line for each field that differs, with both values; `text` is cut at `size`.  Returns
 * how many differ. */
int version_differences(const char *const built[VERSION_FIELDS],
	const char *const running[VERSION_FIELDS], char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
