/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of run-time systems, by the names of their files. */
#include "binary/binary.h"

#include <stddef.h>
#include <string.h>

bool binary_is_run_time(const char *path)
{
	static const char *const names[] = {
		"libc.so", "libc-2", "libm.so", "libmvec.so", "libpthread", "libdl.so", "librt.so",
			"ld-linux", "libutil.so",
		"libresolv", "libgcc_s", "libstdc++", "libc++", "libunwind", "libgomp", "libomp",
		"libiomp", "libgfortran",
		"libquadmath", "libflang", "libifcore", "libimf", "libsvml", "libmpi", "libopen-",
		"libpmi", "libucp", "libucs",
		"libuct", "libfabric", "libhwloc", "libnuma", "libpsc", NULL
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (int i = 0; names[i]; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}
