/* SPDX-License-Identifier: BSD-3-Clause */
/* For harnesses of readers: the input as a file. */
#ifndef PSC_TESTS_FUZZ_FILE_H
#define PSC_TESTS_FUZZ_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Its path, until file_end(). */
static inline const char *file_begin(const uint8_t *data, size_t size, int *fd)
{
	static char path[64];

	*fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", *fd);
	return path;
}

static inline void file_end(int fd)
{
	close(fd);
}

#endif
