/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the GCC that the plugin was built for with the one that loads it. */
#include "config.h"
#include "instrument/gcc_version.h"

#include <stdio.h>
#include <string.h>

const char psc_plugin_version[] = PACKAGE_VERSION;

static const char *const names[VERSION_FIELDS] = {
	"version", "date", "phase", "revision", "configuration"
};

int version_differences(const char *const built[VERSION_FIELDS],
	const char *const running[VERSION_FIELDS], char *text, size_t size)
{
	size_t used = 0;
	int n = 0;

	if (size)
		text[0] = '\0';
	for (int i = 0; i < VERSION_FIELDS; i++) {
		const char *a = built[i] ? built[i] : "", *b = running[i] ? running[i] : "";
		int length;

		if (strcmp(a, b) == 0)
			continue;
		n++;
		length = snprintf(text + used, size - used,
			"\n  %s: the plugin's is '%s'\n  %*s this compiler's is '%s'", names[i], a,
			(int)strlen(names[i]) + 1, "", b);
		used += length < 0 ? 0 : (size_t)length < size - used ? (size_t)length :
			size - used - (size > used);
	}
	return n;
}
