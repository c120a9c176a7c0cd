/* SPDX-License-Identifier: BSD-3-Clause */
/* Connects the process to the node agent: shares memory with it, reports events, and waits for it
 * in lockstep. */
#include "config.h"
#include "monitor/pscmon.h"
#include "base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { WELCOME_MS = 5000, GO_MS = 30000 };

static struct {
	struct pscm_fd socket;
	bool lockstep;
} connection = { .socket.fd = -1 };

/* --- start ---------------------------------------------------------------------------------- */

static int32_t env_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
		"MV2_COMM_WORLD_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *s = secure_getenv(names[i]);

		if (s && *s >= '0' && *s <= '9')
			return (int32_t)strtol(s, NULL, 10);
	}
	return -1;
}

static int agent_connect(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof a.sun_path)
		return -1;
	strcpy(a.sun_path, path);
	fd = pscm_fd_high(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&a, sizeof a)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A file that grows beyond the soft RLIMIT_FSIZE raises SIGXFSZ, which kills: raise the limit to
 * the hard one for this call. */
static int memory_size(int fd)
{
	struct rlimit r, more;
	int bad;

	if (getrlimit(RLIMIT_FSIZE, &r) || r.rlim_cur >= sizeof *pscm_shm)
		return ftruncate(fd, sizeof *pscm_shm);
	more = r;
	more.rlim_cur = r.rlim_max;
	if (r.rlim_max < sizeof *pscm_shm || setrlimit(RLIMIT_FSIZE, &more))
		return -1;
	bad = ftruncate(fd, sizeof *pscm_shm);
	setrlimit(RLIMIT_FSIZE, &r);
	return bad;
}

static int memory_make(void)
{
	int fd = memfd_create("periscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (memory_size(fd) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		goto fail;
	pscm_shm = mmap(NULL, sizeof *pscm_shm, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pscm_shm == MAP_FAILED) {
		pscm_shm = NULL;
		goto fail;
	}
	madvise(pscm_shm, sizeof *pscm_shm, MADV_DONTDUMP);
	pscm_shm->magic = MON_MAGIC;
	pscm_shm->version = MON_VERSION;
	pscm_shm->pid = (uint32_t)getpid();
	return fd;
fail:
	close(fd);
	return -1;
}

static bool hello_send(int fd, int memory)
{
	struct mon_hello h = { .kind = MON_HELLO, .version = MON_VERSION,
		.pid = (uint32_t)getpid(), .rank = env_rank(), .bytes = sizeof *pscm_shm };
	struct iovec v = { &h, sizeof h };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .space = { 0 } };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space,
		.msg_controllen = sizeof control.space };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	if (readlink("/proc/self/exe", h.executable, sizeof h.executable - 1) < 0)
		h.executable[0] = '\0';
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory, sizeof memory);
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof h;
}

/* Waits for one packet and returns its kind; 0: the peer closed, or the time is up.  Uses system
 * calls, as agent_send() does: the C library's functions are cancellation points. */
static uint32_t agent_await(int fd, int ms)
{
	uint64_t until = clock_ns() + (uint64_t)ms * 1000000u;
	uint32_t kind;

	for (;;) {
		struct pollfd p = { fd, POLLIN, 0 };
		uint64_t now = clock_ns();
		struct timespec left = { (time_t)((until - now) / 1000000000u),
			(long)((until - now) % 1000000000u) };
		long n;

		if (now >= until)
			return 0;
		n = syscall(SYS_ppoll, &p, 1, &left, NULL, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return 0;
		n = syscall(SYS_recvfrom, fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_TRUNC, NULL,
			NULL);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		return n < (long)sizeof kind ? 0 : kind;
	}
}

static void memory_unmap(void)
{
	if (pscm_shm)
		munmap(pscm_shm, sizeof *pscm_shm);
	pscm_shm = NULL;
}

bool pscm_connect(const char *path, bool (*prepare)(void))
{
	int memory, fd = agent_connect(path);

	if (fd < 0)
		return false;
	memory = memory_make();
	if (memory < 0)
		goto fail;
	if (!prepare() || !hello_send(fd, memory)) {
		close(memory);
		goto fail;
	}
	close(memory);
	if (agent_await(fd, WELCOME_MS) != MON_WELCOME)
		goto fail;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	pscm_fd_keep(&connection.socket, fd);
	connection.lockstep = pscm_shm->lockstep;
	return true;
fail:
	close(fd);
	memory_unmap();
	return false;
}

void pscm_disconnect(void)
{
	memory_unmap();
	pscm_fd_close(&connection.socket);
}

/* --- while the program runs ---------------------------------------------------------------- */

static void agent_send(uint32_t kind)
{
	int fd = pscm_fd_get(&connection.socket);

	if (fd >= 0 &&
	    syscall(SYS_sendto, fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0) < 0 &&
	    (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN))
		pscm_fd_close(&connection.socket);
}

void pscm_event(void)
{
	agent_send(MON_EVENT);
}

void pscm_lockstep(void)
{
	if (likely(!connection.lockstep))
		return;
	agent_send(MON_WAITING);
	if (atomic_load(&pscm_shm->detached) || pscm_fd_get(&connection.socket) < 0 ||
	    agent_await(connection.socket.fd, GO_MS) != MON_GO)
		connection.lockstep = false;
}
