/* SPDX-License-Identifier: BSD-3-Clause */
/* The path of a node agent's socket: DIRECTORY/node.HOST.  Agent and monitors of a host make the
 * same path, also where several hosts share the directory.  Calls nothing that allocates. */
#ifndef PSC_MONITOR_SOCKET_PATH_H
#define PSC_MONITOR_SOCKET_PATH_H

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MON_HOST_MOST = 24 };    /* bytes of the host's name in the path; a longer one loses its
				 * beginning */

/* `dir` may end in a slash.  -1: the path does not fit. */
static inline __attribute__((warn_unused_result)) int mon_socket_path(const char *dir, char *out,
	size_t size)
{
	static const char prefix[] = "/node.";
	size_t ndir = strlen(dir), nhost;
	struct utsname u;
	const char *host;

	while (ndir && dir[ndir - 1] == '/')
		ndir--;
	if (syscall(SYS_uname, &u))     /* the program may have a function of that name */
		return -1;
	host = u.nodename;
	for (nhost = 0; host[nhost] && host[nhost] != '.' && host[nhost] != '/'; nhost++)
		;
	if (nhost > MON_HOST_MOST) {
		host += nhost - MON_HOST_MOST;
		nhost = MON_HOST_MOST;
	}
	if (ndir + sizeof prefix + nhost > size)
		return -1;
	memcpy(out, dir, ndir);
	memcpy(out + ndir, prefix, sizeof prefix - 1);
	memcpy(out + ndir + sizeof prefix - 1, host, nhost);
	out[ndir + sizeof prefix - 1 + nhost] = '\0';
	return 0;
}

#endif
