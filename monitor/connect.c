/* SPDX-License-Identifier: BSD-3-Clause */
/* Connects the process to the node agent: shares memory with it, reports events, and waits for it
 * in lockstep. */
#include "config.h"
#include "monitor/connect.h"
#include "monitor/address/block_counts.h"
#include "monitor/host/descriptors.h"
#include "monitor/shared/hello.h"
#include "monitor/state.h"
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

static int32_t rank = -2;               /* -2: not yet known */

void pscm_connect_prepare(void)
{
	rank = mon_env_rank();
}

/* Is it an agent of this user? */
static bool agent_ours(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	return !syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
		cred.uid == (uid_t)syscall(SYS_geteuid);
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
	if (connect(fd, (struct sockaddr *)&a, sizeof a) || !agent_ours(fd)) {
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

/* What was counted and placed for the analysis before. */
static void object_forget(struct mon_object *o)
{
	if (o->kind == MON_KIND_HEAP || o->kind == MON_KIND_LOCAL)
		o->address = o->size = o->blocks = 0;
	o->allocated = o->largest = 0;
	o->allocations = o->grown = o->mapped = o->executions = o->made = 0;
}

/* What a further analysis keeps of the one before: the numbers of units, strings and objects. */
static void memory_keep(struct mon_shm *to, const struct mon_shm *from)
{
	uint32_t nunits = atomic_load(&from->nunits), nobjects = atomic_load(&from->nobjects);
	uint32_t nstrings = atomic_load(&from->nstrings);

	memcpy(to->units, from->units, nunits * sizeof to->units[0]);
	memcpy(to->objects, from->objects, nobjects * sizeof to->objects[0]);
	memcpy(to->strings, from->strings, nstrings);
	for (uint32_t i = MON_OBJ_FIRST; i < nobjects; i++)
		object_forget(&to->objects[i]);
	pscm_blocks_forget();
	atomic_store(&to->nunits, nunits);
	atomic_store(&to->nobjects, nobjects);
	atomic_store(&to->nstrings, nstrings);
	atomic_store(&to->threads, atomic_load(&from->threads));
}

static int memory_make(void)
{
	struct mon_shm *old = pscm_shm, *made;
	int fd = memfd_create("periscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (memory_size(fd) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		goto fail;
	made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (made == MAP_FAILED)
		goto fail;
	made->magic = MON_MAGIC;
	made->version = MON_VERSION;
	made->pid = (uint32_t)getpid();
	if (old) {      /* threads may read there at any time */
		memory_keep(made, old);
		munmap(made, sizeof *made);
		made = mmap(old, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			0);
		if (made == MAP_FAILED)
			goto fail;
	}
	pscm_shm = made;
	madvise(pscm_shm, sizeof *pscm_shm, MADV_DONTDUMP);
	return fd;
fail:
	close(fd);
	return -1;
}

static bool hello_send(int fd, int memory)
{
	struct mon_hello h = { .pid = (uint32_t)getpid(), .rank = rank == -2 ? mon_env_rank() :
		rank };

	if (readlink("/proc/self/exe", h.executable, sizeof h.executable - 1) < 0)
		h.executable[0] = '\0';
	return mon_hello_send(fd, memory, &h);
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
	bool again = pscm_shm != NULL;

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
	if (!again)
		memory_unmap();
	return false;
}

void pscm_hang_up(void)
{
	pscm_fd_close(&connection.socket);
}

void pscm_disconnect(void)
{
	memory_unmap();
	pscm_hang_up();
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

bool pscm_agent_gone(void)
{
	int fd = pscm_fd_get(&connection.socket);
	char byte;

	return fd < 0 || syscall(SYS_recvfrom, fd, &byte, sizeof byte, MSG_DONTWAIT | MSG_PEEK,
		NULL, NULL) == 0;
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
