/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a network namespace with a loopback interface. */
#include <config.h>

#include "frontend/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_file(const char *path, const char *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? write(fd, text, strlen(text)) : -1;

	if (n < 0)
		err_sys(err, "%s", path);
	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

/* Without root a network namespace needs a user namespace; maps user and group to themselves. */
static int enter_as_user(struct err *err)
{
	unsigned uid = geteuid(), gid = getegid();
	char text[64];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return err_sys(err, "no user namespace");
	snprintf(text, sizeof text, "%u %u 1\n", uid, uid);
	if (write_file("/proc/self/uid_map", text, err))
		return -1;
	if (write_file("/proc/self/setgroups", "deny\n", err))
		return -1;
	snprintf(text, sizeof text, "%u %u 1\n", gid, gid);
	return write_file("/proc/self/gid_map", text, err);
}

static int bring_up_loopback(struct err *err)
{
	struct ifreq request = { .ifr_name = "lo" };
	int rc, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return err_sys(err, "socket");
	rc = ioctl(fd, SIOCGIFFLAGS, &request);
	request.ifr_flags |= IFF_UP;
	if (rc || ioctl(fd, SIOCSIFFLAGS, &request))
		rc = err_sys(err, "loopback interface");
	close(fd);
	return rc;
}

int netns_enter(struct err *err)
{
	if (unshare(CLONE_NEWNET) && enter_as_user(err))
		return -1;
	return bring_up_loopback(err);
}

int netns_possible(struct err *err)
{
	struct err why = { "it could not be tried" };
	int result[2], status = -1;
	pid_t pid;

	if (pipe2(result, O_CLOEXEC))
		return err_sys(err, "pipe");
	pid = fork();
	if (pid == 0) {
		int rc = netns_enter(&why);

		if (rc && write(result[1], why.text, strlen(why.text) + 1) < 0)
			_exit(2);
		_exit(rc ? 1 : 0);
	}
	close(result[1]);
	if (pid > 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	if (status != 0 && read(result[0], why.text, sizeof why.text - 1) < 0)
		err_set(&why, "it could not be tried");
	close(result[0]);
	return status == 0 ? 0 : err_set(err, "%s", why.text);
}
