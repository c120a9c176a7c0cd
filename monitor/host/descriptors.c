/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps file descriptors open.
 *
 * Files that a program later forbids itself to open (Landlock, seccomp, chroot, another user) must
 * be open before.  A program may close descriptors that it does not know, and their numbers may
 * then name other files: each use checks that the descriptor is still ours. */
#include "monitor/host/descriptors.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FD_MIN = 200 };

int pscm_fd_high(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FD_MIN);

	if (high < 0)
		return fd;
	syscall(SYS_close, fd);
	return high;
}

void pscm_fd_keep(struct pscm_fd *f, int fd)
{
	struct stat s;

	f->fd = -1;
	if (fd < 0 || fstat(fd, &s))
		return;
	f->device = (uint64_t)s.st_dev;
	f->inode = (uint64_t)s.st_ino;
	f->fd = fd;
}

int pscm_fd_get(struct pscm_fd *f)
{
	struct stat s;

	if (f->fd < 0)
		return -1;
	if (fstat(f->fd, &s) || (uint64_t)s.st_dev != f->device || (uint64_t)s.st_ino != f->inode)
		f->fd = -1;     /* no longer ours: do not close it */
	return f->fd;
}

void pscm_fd_close(struct pscm_fd *f)
{
	if (pscm_fd_get(f) >= 0)
		syscall(SYS_close, f->fd);
	f->fd = -1;
}
