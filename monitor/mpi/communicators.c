/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps communicators, numbers of messages and open requests of the process.  Memory comes from
 * mmap, as everywhere in the monitor. */
#include "monitor/mpi/communicators.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { COMMS = 1024, REQUESTS = 1 << 16, NUMBERS_FIRST = 1 << 12, NUMBERS_MOST = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void __psc_mpi_lock(void)
{
	pthread_mutex_lock(&lock);
}

void __psc_mpi_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static void *map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Spreads the bits of a 64-bit number over all of it. */
static uint64_t mixed(uint64_t x)
{
	x ^= x >> 30;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	x *= UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* --- communicators --------------------------------------------------------------------------- */

static struct pscmpi_comm *comms;
static int ncomms;

/* World ranks of the members of an intracommunicator. */
static const int *world_of(MPI_Comm handle, int size)
{
	int *world = map(2 * (size_t)size * sizeof *world), *own = world + size, ok;
	MPI_Group group, all;

	if (!world)
		return NULL;
	for (int i = 0; i < size; i++)
		own[i] = i;
	if (PMPI_Comm_group(handle, &group) != MPI_SUCCESS)
		return NULL;
	PMPI_Comm_group(MPI_COMM_WORLD, &all);
	ok = PMPI_Group_translate_ranks(group, size, own, all, world) == MPI_SUCCESS;
	PMPI_Group_free(&group);
	PMPI_Group_free(&all);
	for (int i = 0; ok && i < size; i++)
		ok = world[i] >= 0;     /* MPI_UNDEFINED: of another MPI_COMM_WORLD */
	return ok ? world : NULL;
}

static struct pscmpi_comm *comm_add(MPI_Comm handle, uint64_t id)
{
	struct pscmpi_comm *c;
	int inter = 1;

	if (!comms)
		comms = map(COMMS * sizeof *comms);
	if (!comms || ncomms == COMMS || PMPI_Comm_test_inter(handle, &inter) != MPI_SUCCESS)
		return NULL;
	c = &comms[ncomms];
	*c = (struct pscmpi_comm){ .handle = handle, .id = id };
	PMPI_Comm_size(handle, &c->size);
	PMPI_Comm_rank(handle, &c->rank);
	c->world = inter ? NULL : world_of(handle, c->size);
	if (!c->world)
		c->id = PSC_MPI_UNKNOWN;
	ncomms++;
	return c;
}

static struct pscmpi_comm *comm_find(MPI_Comm handle)
{
	for (int i = 0; i < ncomms; i++)
		if (comms[i].handle == handle)
			return &comms[i];
	return NULL;
}

struct pscmpi_comm *__psc_mpi_comm(MPI_Comm handle)
{
	struct pscmpi_comm *c = comm_find(handle);

	if (c || handle == MPI_COMM_NULL)
		return c;
	return comm_add(handle, handle == MPI_COMM_WORLD ? 0 : PSC_MPI_UNKNOWN);
}

void __psc_mpi_comm_made(struct pscmpi_comm *parent, MPI_Comm made)
{
	uint64_t n = ++parent->created, id = parent->id;
	struct pscmpi_comm *c;

	if (made == MPI_COMM_NULL || id == PSC_MPI_UNKNOWN)
		return;
	c = comm_add(made, 1);
	if (!c || !c->world)
		return;
	id = mixed(mixed(id + 1) + mixed(n) * 3 + (uint64_t)c->world[0]);
	c->id = id == PSC_MPI_UNKNOWN ? 1 : id;
}

void __psc_mpi_comm_gone(MPI_Comm handle)
{
	struct pscmpi_comm *c = comm_find(handle);

	if (!c || handle == MPI_COMM_WORLD)
		return;
	/* Requests may still refer to c->world: it stays mapped. */
	*c = comms[--ncomms];
}

/* --- numbers of messages --------------------------------------------------------------------- */

struct number {
	uint64_t communicator, next;
	uint32_t peer, tag;
	uint32_t used;          /* 0: free; 1: sent; 2: received */
	uint32_t pad;
};
static struct number *numbers;
static uint32_t nnumbers, capacity;

static struct number *number_slot(struct number *table, uint32_t size, const struct number *like)
{
	uint64_t at = mixed(like->communicator + mixed((uint64_t)like->peer << 32 | like->tag) +
		like->used);

	for (;; at++) {
		struct number *n = &table[at & (size - 1)];

		if (!n->used || (n->communicator == like->communicator && n->peer == like->peer &&
		    n->tag == like->tag && n->used == like->used))
			return n;
	}
}

static bool numbers_grow(void)
{
	uint32_t more = capacity ? 2 * capacity : NUMBERS_FIRST;
	struct number *table = more <= NUMBERS_MOST ? map(more * sizeof *table) : NULL;

	if (!table)
		return false;
	for (uint32_t i = 0; i < capacity; i++)
		if (numbers[i].used)
			*number_slot(table, more, &numbers[i]) = numbers[i];
	if (numbers)
		munmap(numbers, capacity * sizeof *numbers);
	numbers = table;
	capacity = more;
	return true;
}

uint64_t __psc_mpi_number(uint64_t communicator, bool received, uint32_t peer, uint32_t tag)
{
	struct number like = { communicator, 0, peer, tag, received ? 2 : 1, 0 }, *n;

	if (nnumbers >= capacity / 2 && !numbers_grow() && nnumbers >= capacity - capacity / 8)
		return PSC_MPI_UNKNOWN;
	n = number_slot(numbers, capacity, &like);
	if (!n->used) {
		*n = like;
		nnumbers++;
	}
	return n->next++;
}

/* --- requests -------------------------------------------------------------------------------- */

static struct pscmpi_request *requests;
static uint32_t nrequests;

uint64_t __psc_mpi_request_key(MPI_Request handle)
{
	return handle == MPI_REQUEST_NULL ? 0 : (uint64_t)(uintptr_t)handle | UINT64_C(1) << 63;
}

static uint32_t request_home(uint64_t key)
{
	return (uint32_t)mixed(key) & (REQUESTS - 1);
}

struct pscmpi_request *__psc_mpi_request_find(uint64_t key)
{
	uint32_t at = request_home(key);

	if (!requests || !key)
		return NULL;
	for (; requests[at].key; at = (at + 1) & (REQUESTS - 1))
		if (requests[at].key == key)
			return &requests[at];
	return NULL;
}

struct pscmpi_request *__psc_mpi_request_add(MPI_Request handle)
{
	uint64_t key = __psc_mpi_request_key(handle);
	struct pscmpi_request *r = __psc_mpi_request_find(key);
	uint32_t at = request_home(key);

	if (!requests)
		requests = map(REQUESTS * sizeof *requests);
	if (!requests || !key || (!r && nrequests > REQUESTS / 2))
		return NULL;
	if (!r) {
		while (requests[at].key)
			at = (at + 1) & (REQUESTS - 1);
		r = &requests[at];
		nrequests++;
	}
	*r = (struct pscmpi_request){ .key = key };
	return r;
}

/* Moves later entries of the same run into the gap. */
void __psc_mpi_request_forget(struct pscmpi_request *r)
{
	uint32_t gap = (uint32_t)(r - requests), at = gap;

	nrequests--;
	for (;;) {
		uint32_t home;

		at = (at + 1) & (REQUESTS - 1);
		if (!requests[at].key)
			break;
		home = request_home(requests[at].key);
		if (((at - home) & (REQUESTS - 1)) < ((at - gap) & (REQUESTS - 1)))
			continue;
		requests[gap] = requests[at];
		gap = at;
	}
	requests[gap].key = 0;
}
