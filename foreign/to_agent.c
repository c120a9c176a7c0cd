/* SPDX-License-Identifier: BSD-3-Clause */
/* Connects to the node agent in the name of the program beside which this process runs. */
#include "config.h"
#include "foreign/to_agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "monitor/shared/hello.h"
#include "monitor/shared/socket_path.h"

enum { WELCOME_MS = 5000 };

/* --- shared memory --------------------------------------------------------------------------- */

/* A file that grows beyond the soft limit raises SIGXFSZ, so the limit is raised first: this
 * process writes no other files. */
static void raise_file_size(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_FSIZE, &r) == 0 && r.rlim_cur < sizeof(struct mon_shm)) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_FSIZE, &r);
	}
}

/* Returns the descriptor of the shared memory, which is mapped at a->shm. */
static int memory_make(struct to_agent *a, uint32_t pid, struct err *err)
{
	int fd = memfd_create("periscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return err_sys(err, "memfd_create");
	raise_file_size();
	if (ftruncate(fd, sizeof *a->shm) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(fd);
		return err_sys(err, "memory shared with the agent");
	}
	a->shm = mmap(NULL, sizeof *a->shm, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (a->shm == MAP_FAILED) {
		a->shm = NULL;
		close(fd);
		return err_sys(err, "mmap");
	}
	a->shm->magic = MON_MAGIC;
	a->shm->version = MON_VERSION;
	a->shm->pid = pid;
	a->shm->started_ns = clock_ns();
	a->shm->placement = MON_PLACE_UNKNOWN;
	atomic_store(&a->shm->nstrings, 1);
	atomic_store(&a->shm->nobjects, MON_OBJ_FIRST);
	return fd;
}

/* --- the socket ------------------------------------------------------------------------------ */

static int socket_path(const char *env, struct sockaddr_un *a)
{
	const size_t n = strlen(env);

	if (n && env[n - 1] == '/')
		return mon_socket_path(env, a->sun_path, sizeof a->sun_path);
	if (n >= sizeof a->sun_path)
		return -1;
	memcpy(a->sun_path, env, n + 1);
	return 0;
}

/* Does an agent of this user listen there? */
static bool agent_is_ours(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 && cred.uid == geteuid();
}

static int agent_connect(const char *env, struct err *err)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd;

	if (socket_path(env, &a))
		return err_set(err, "%s: too long for the path of a socket", env);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(err, "socket");
	if (connect(fd, (struct sockaddr *)&a, sizeof a) || !agent_is_ours(fd)) {
		err_sys(err, "no agent of this user listens on %s", a.sun_path);
		close(fd);
		return -1;
	}
	return fd;
}

static bool hello_send(int fd, int memory, uint32_t pid, const char *executable)
{
	struct mon_hello h = { .pid = pid, .rank = mon_env_rank() };

	strncpy(h.executable, executable, sizeof h.executable - 1);
	return mon_hello_send(fd, memory, &h);
}

/* The kind of the next packet; 0: the agent has gone, or does not answer in time. */
static uint32_t agent_await(int fd, int ms)
{
	const uint64_t until = clock_ns() + (uint64_t)ms * 1000000u;
	uint64_t now;

	while ((now = clock_ns()) < until) {
		struct pollfd p = { fd, POLLIN, 0 };
		uint32_t kind;
		ssize_t n;

		if (poll(&p, 1, (int)((until - now) / 1000000u) + 1) <= 0)
			continue;
		n = recv(fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_TRUNC);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		return n < (ssize_t)sizeof kind ? 0 : kind;
	}
	return 0;
}

/* --- interface ------------------------------------------------------------------------------- */

int to_agent_open(struct to_agent *a, const char *env, uint32_t pid, struct err *err)
{
	*a = (struct to_agent){ .fd = agent_connect(env, err), .memory = -1 };
	if (a->fd < 0)
		return -1;
	a->memory = memory_make(a, pid, err);
	if (a->memory < 0) {
		to_agent_close(a);
		return -1;
	}
	return 0;
}

bool to_agent_welcomed(struct to_agent *a, uint32_t pid, const char *executable)
{
	return hello_send(a->fd, a->memory, pid, executable) &&
		agent_await(a->fd, WELCOME_MS) == MON_WELCOME;
}

void to_agent_event(const struct to_agent *a)
{
	const uint32_t kind = MON_EVENT;

	(void)!send(a->fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool to_agent_over(const struct to_agent *a)
{
	char byte;

	return atomic_load(&a->shm->detached) || recv(a->fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) ==
		0;
}

void to_agent_close(struct to_agent *a)
{
	if (a->fd >= 0)
		close(a->fd);
	if (a->memory >= 0)
		close(a->memory);
	if (a->shm)
		munmap(a->shm, sizeof *a->shm);
	*a = (struct to_agent){ .fd = -1, .memory = -1 };
}
