/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserves address space at the start, for programs that later forbid themselves to map memory.
 *
 * Pieces are returned whole, and are reused for requests of the same size or down to half of it.  A
 * caller that finds the lock taken (in a signal handler, or after a thread vanished) gets
 * nothing. */
#include "monitor/host/mem.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RESERVE = 256 << 20, PIECES = 512, ALIGN = 4096 };

static struct {
	pthread_mutex_t lock;
	char *memory;
	size_t used;
	struct { size_t at, bytes; bool free; } piece[PIECES];
	uint32_t npieces;
} reserve = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool pscm_memory_counted(void)
{
	struct rlimit r;
	char mode = '2';
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/sys/vm/overcommit_memory",
		O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (syscall(SYS_read, fd, &mode, 1) != 1)
			mode = '2';
		syscall(SYS_close, fd);
	}
	return mode == '2' || getrlimit(RLIMIT_AS, &r) || r.rlim_cur != RLIM_INFINITY;
}

void pscm_reserve_start(void)
{
	void *p = pscm_memory_counted() ? MAP_FAILED : mmap(NULL, RESERVE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return;
	madvise(p, RESERVE, MADV_DONTDUMP);
	reserve.memory = p;
}

void pscm_reserve_stop(void)
{
	if (reserve.memory)
		munmap(reserve.memory, RESERVE);
	reserve.memory = NULL;
}

/* Reuses a returned piece or makes a new one.  Requires reserve.lock. */
static void *piece_get(size_t bytes)
{
	for (uint32_t i = 0; i < reserve.npieces; i++) {
		if (!reserve.piece[i].free || reserve.piece[i].bytes < bytes ||
		    reserve.piece[i].bytes / 2 > bytes)
			continue;
		reserve.piece[i].free = false;
		return memset(reserve.memory + reserve.piece[i].at, 0, bytes);
	}
	if (reserve.npieces == PIECES || bytes > RESERVE - reserve.used)
		return NULL;
	reserve.piece[reserve.npieces].at = reserve.used;
	reserve.piece[reserve.npieces++].bytes = bytes;
	reserve.used += bytes;
	return reserve.memory + reserve.used - bytes;
}

void *pscm_reserve_get(size_t bytes)
{
	void *p;

	if (!reserve.memory || bytes > RESERVE || pthread_mutex_trylock(&reserve.lock))
		return NULL;
	p = piece_get((bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1));
	pthread_mutex_unlock(&reserve.lock);
	return p;
}

bool pscm_reserve_put(const void *p)
{
	size_t at = (size_t)((const char *)p - reserve.memory);

	if (!reserve.memory || (const char *)p < reserve.memory || at >= RESERVE)
		return false;
	if (pthread_mutex_trylock(&reserve.lock))
		return true;    /* the piece is not reused */
	for (uint32_t i = 0; i < reserve.npieces; i++)
		if (reserve.piece[i].at == at)
			reserve.piece[i].free = true;
	pthread_mutex_unlock(&reserve.lock);
	return true;
}
