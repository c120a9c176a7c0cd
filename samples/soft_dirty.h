/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's older way to tell which pages were written: a bit of each page, which one call
 * clears for all memory of a process.  The next write of each page is a minor fault then. */
#ifndef PSC_SAMPLES_SOFT_DIRTY_H
#define PSC_SAMPLES_SOFT_DIRTY_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* 0 / -1 with errno.  Kernels without the bits do nothing, and say nothing. */
static inline int soft_dirty_clear(long pid)
{
	char name[64];
	int fd, done;

	snprintf(name, sizeof name, "/proc/%ld/clear_refs", pid);
	fd = open(name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	done = write(fd, "4", 1) == 1 ? 0 : -1;
	close(fd);
	return done;
}

#endif
