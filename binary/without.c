/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for this part where libdw or Zydis was missing when Periscope was built. */
#include "binary/binary.h"

#include <stddef.h>

struct binary *binary_open(const char *path, struct err *err)
{
	err_set(err,
		"%s: names of programs that the plugin did not compile need libdw and Zydis, which this Periscope "
		"was built without (configure says what is missing)", path);
	return NULL;
}

/* The other functions need a struct binary, which nobody has. */
void binary_close(struct binary *b)
{
	(void)b;
}

const struct binary_lost *binary_lost(struct binary *b)
{
	(void)b;
	return NULL;
}

struct sir *binary_structure(struct binary *const *files, uint32_t n, struct err *err)
{
	(void)files;
	(void)n;
	err_set(err, "built without libdw and Zydis");
	return NULL;
}

uint32_t binary_lines_at(struct binary *b, uint64_t address, struct binary_line *lines,
	uint32_t max)
{
	(void)b;
	(void)address;
	(void)lines;
	(void)max;
	return 0;
}
