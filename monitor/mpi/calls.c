/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures a call of MPI: which messages and collectives it completes, when, and how many bytes. */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/mpi/pass.h"
#include "monitor/mpi/communicators.h"

enum { FEW = 64 };              /* requests of a call for which the stack has room */

struct call {
	const struct pscmpi_function *f;
	intptr_t *word;
	uint64_t begin, end;            /* 0: not measured */
	struct psc_mpi_bytes bytes;
	/* Wait*, Test*: keys of the requests, which MPI overwrites; statuses of ours where the
	 * program wants none. */
	int n;
	uint64_t *key, few_keys[FEW];
	MPI_Status *status, few_statuses[FEW];
	bool own_status;
	void *more;                     /* memory of a call with many requests */
	size_t more_bytes;
};

/* The stack address at which the thread entered a pass-through; a call from deeper is one that MPI
 * makes itself.  0, or an address that is deeper than the caller (an error handler jumped): it is
 * in none. */
static __thread uintptr_t inside;

/* --- arguments -------------------------------------------------------------------------------- */

static bool has(const struct call *c, enum pscmpi_argument a)
{
	return c->f->at[a] != 0;
}

static intptr_t word(const struct call *c, enum pscmpi_argument a)
{
	return c->word[c->f->at[a] - 1];
}

static MPI_Fint *place(const struct call *c, enum pscmpi_argument a)
{
	return (MPI_Fint *)word(c, a);
}

static int64_t number(const struct call *c, enum pscmpi_argument a)
{
	if (a == PSCMPI_COUNT && c->f->large)
		return c->f->fortran ? *(const int64_t *)word(c, a) : word(c, a);
	return c->f->fortran ? *place(c, a) : (int)word(c, a);
}

/* A handle is a pointer or an int, whose upper half is not defined in a register. */
#define HANDLE(type) \
static type type##_of(const struct call *c, enum pscmpi_argument a) \
{ \
	type handle; \
	intptr_t w = word(c, a); \
	memcpy(&handle, &w, sizeof handle); \
	return handle; \
}
HANDLE(MPI_Comm)
HANDLE(MPI_Datatype)

static MPI_Comm communicator(const struct call *c, enum pscmpi_argument a)
{
	return c->f->fortran ? PMPI_Comm_f2c(*place(c, a)) : MPI_Comm_of(c, a);
}

/* The communicator that an output argument names. */
static MPI_Comm made(const struct call *c)
{
	return c->f->fortran ? PMPI_Comm_f2c(*place(c, PSCMPI_NEW)) :
		*(MPI_Comm *)word(c, PSCMPI_NEW);
}

static MPI_Request request(const struct call *c, int i)
{
	return c->f->fortran ? PMPI_Request_f2c(place(c, PSCMPI_REQUEST)[i]) :
		((MPI_Request *)word(c, PSCMPI_REQUEST))[i];
}

static uint64_t size_of(const struct call *c)
{
	MPI_Datatype type = c->f->fortran ? PMPI_Type_f2c(*place(c, PSCMPI_TYPE)) :
		MPI_Datatype_of(c, PSCMPI_TYPE);
	int64_t count = number(c, PSCMPI_COUNT);
	MPI_Count bytes = 0;

	if (count <= 0 || type == MPI_DATATYPE_NULL ||
	    PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0)
		return 0;
	return (uint64_t)count * (uint64_t)bytes;
}

/* --- events ----------------------------------------------------------------------------------- */

/* What is known of a message at one of its ends. */
struct message {
	uint64_t communicator, number, posted;
	uint32_t peer, tag;
};

static void report(const struct call *c, enum psc_mpi_event_kind kind, const struct message *m,
	uint32_t size)
{
	struct psc_mpi_event e = { kind, m->peer, m->tag, size, m->communicator, m->number,
		m->posted ? m->posted : c->begin };

	if (c->begin)
		__psc_mpi_event(&e, c->begin, c->end);
}

/* The world rank of a member; false: none, such as MPI_PROC_NULL. */
static bool world_rank(const int *world, int size, int64_t rank, uint32_t *out)
{
	if (rank < 0 || rank >= size)
		return false;
	*out = world ? (uint32_t)world[rank] : (uint32_t)rank;
	return true;
}

static uint64_t next_number(uint64_t comm, bool received, uint32_t peer, uint32_t tag)
{
	return comm == PSC_MPI_UNKNOWN ? PSC_MPI_UNKNOWN : __psc_mpi_number(comm, received, peer,
		tag);
}

/* Describes a sent message, and numbers it.  false: it goes nowhere. */
static bool sent(const struct call *c, const struct pscmpi_comm *comm, struct message *m)
{
	*m = (struct message){ .communicator = comm ? comm->id : PSC_MPI_UNKNOWN };
	if (!comm || !world_rank(comm->world, comm->size, number(c, PSCMPI_PEER), &m->peer))
		return false;
	m->tag = (uint32_t)number(c, PSCMPI_TAG);
	m->number = next_number(m->communicator, false, m->peer, m->tag);
	return true;
}

static uint64_t received_bytes(const MPI_Status *s)
{
	MPI_Count bytes = 0;

	return PMPI_Get_elements_x(s, MPI_BYTE, &bytes) == MPI_SUCCESS &&
		bytes > 0 ? (uint64_t)bytes : 0;
}

/* Of a blocking receive that has ended with this status. */
static bool received(const struct pscmpi_comm *comm, const MPI_Status *s, struct message *m)
{
	*m = (struct message){ .communicator = comm ? comm->id : PSC_MPI_UNKNOWN };
	if (!comm || !world_rank(comm->world, comm->size, s->MPI_SOURCE, &m->peer))
		return false;
	m->tag = (uint32_t)s->MPI_TAG;
	m->number = next_number(m->communicator, true, m->peer, m->tag);
	return true;
}

static void after_send(struct call *c, const struct pscmpi_comm *comm)
{
	struct message m;

	if (!sent(c, comm, &m))
		return;
	report(c, PSC_MPI_SEND, &m, 0);
	c->bytes.sent += size_of(c);
	c->bytes.messages++;
}

static void after_recv(struct call *c, const struct pscmpi_comm *comm)
{
	struct message m;

	if (!c->status || !received(comm, c->status, &m))
		return;
	report(c, PSC_MPI_RECV, &m, 0);
	c->bytes.received += received_bytes(c->status);
	c->bytes.messages++;
}

/* --- requests --------------------------------------------------------------------------------- */

/* Numbers the message of a request that starts now. */
static void request_start(struct pscmpi_request *r, uint64_t posted)
{
	r->posted = posted;
	r->active = true;
	r->number = r->any ? PSC_MPI_UNKNOWN : next_number(r->communicator, r->receives, r->peer,
		r->tag);
}

static void request_posted(const struct call *c, const struct pscmpi_request *r)
{
	struct message m = { r->communicator, r->number, c->begin, r->peer, r->tag };

	if (!r->receives)
		report(c, PSC_MPI_POST, &m, 0);
}

/* Isend, Irecv, and the inactive ones of Send_init, Recv_init. */
static void after_post(struct call *c, const struct pscmpi_comm *comm, bool receives, bool starts)
{
	int64_t peer = number(c, receives ? PSCMPI_SOURCE : PSCMPI_PEER);
	int64_t tag = number(c, receives ? PSCMPI_RTAG : PSCMPI_TAG);
	struct pscmpi_request *r, lost;
	uint32_t world = 0;
	bool any = receives && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);

	if (!comm || (!any && !world_rank(comm->world, comm->size, peer, &world)))
		return;
	r = __psc_mpi_request_add(request(c, 0));
	if (!r) {       /* its number must be used all the same */
		lost = (struct pscmpi_request){ 0 };
		r = &lost;
	}
	r->communicator = comm->id;
	r->peer = world;
	r->tag = (uint32_t)tag;
	r->receives = receives;
	r->persistent = !starts;
	r->any = any;
	r->world = comm->world;
	r->size = comm->size;
	r->bytes = receives ? 0 : size_of(c);
	if (!starts)
		return;
	request_start(r, c->begin);
	request_posted(c, r);
	if (!receives) {
		c->bytes.sent += r->bytes;
		c->bytes.messages++;
	}
}

static void after_start(struct call *c)
{
	for (int i = 0; i < c->n; i++) {
		struct pscmpi_request *r = __psc_mpi_request_find(c->key[i]);

		if (!r)
			continue;
		request_start(r, c->begin);
		request_posted(c, r);
		if (!r->receives) {
			c->bytes.sent += r->bytes;
			c->bytes.messages++;
		}
	}
}

static void completed(struct call *c, int i, const MPI_Status *s)
{
	struct pscmpi_request *r = __psc_mpi_request_find(c->key[i]);
	struct message m;
	bool known = true;

	if (!r || !r->active)
		return;
	m = (struct message){ r->communicator, r->number, r->posted, r->peer, r->tag };
	if (r->any) {
		known = s && world_rank(r->world, r->size, s->MPI_SOURCE, &m.peer);
		if (known) {
			m.tag = (uint32_t)s->MPI_TAG;
			m.number = next_number(m.communicator, true, m.peer, m.tag);
		}
	}
	if (known)
		report(c, r->receives ? PSC_MPI_RECV : PSC_MPI_SEND, &m, 0);
	if (r->receives) {
		c->bytes.messages++;
		if (s)
			c->bytes.received += received_bytes(s);
		else
			c->bytes.unsized = 1;
	}
	r->active = false;
	if (!r->persistent)
		__psc_mpi_request_forget(r);
}

static bool flagged(const struct call *c)
{
	return !has(c, PSCMPI_FLAG) || *(const int *)word(c, PSCMPI_FLAG);
}

static const MPI_Status *status_at(const struct call *c, int i)
{
	return c->status ? &c->status[i] : NULL;
}

static void after_wait(struct call *c)
{
	for (int i = 0; flagged(c) && i < c->n; i++)
		completed(c, i, status_at(c, i));
}

static void after_waitany(struct call *c)
{
	int i = *(const int *)word(c, PSCMPI_INDEX) - c->f->fortran;

	if (flagged(c) && i >= 0 && i < c->n)
		completed(c, i, status_at(c, 0));
}

static void after_waitsome(struct call *c)
{
	int n = *(const int *)word(c, PSCMPI_OUT);
	const int *at = (const int *)word(c, PSCMPI_INDEX);

	for (int k = 0; k < n && k < c->n; k++) {
		int i = at[k] - c->f->fortran;

		if (i >= 0 && i < c->n)
			completed(c, i, status_at(c, k));
	}
}

/* --- collectives ------------------------------------------------------------------------------ */

static enum psc_mpi_event_kind meets_as(const struct call *c)
{
	switch (c->f->kind) {
	case PSCMPI_BARRIER: return PSC_MPI_BARRIER;
	case PSCMPI_DOWN: return PSC_MPI_DOWN;
	case PSCMPI_UP: return PSC_MPI_UP;
	default: return PSC_MPI_MEET;
	}
}

static void collective_bytes(struct call *c, const struct pscmpi_comm *comm, bool root)
{
	uint64_t own, others = (uint64_t)comm->size - 1;

	if (c->f->kind == PSCMPI_BARRIER)
		return;
	if (c->f->kind == PSCMPI_MEET || (root && c->f->at[PSCMPI_COUNT] != 2 &&
	    c->f->kind == PSCMPI_DOWN) || (root && c->f->at[PSCMPI_COUNT] == 2 &&
	    c->f->kind == PSCMPI_UP)) {
		c->bytes.unsized = 1;   /* the root's arguments are others, or an array */
		return;
	}
	own = size_of(c);
	if (c->f->kind == PSCMPI_ALL)
		own *= others;
	if (c->f->kind == PSCMPI_DOWN)
		*(root ? &c->bytes.sent : &c->bytes.received) += own;
	else if (c->f->kind == PSCMPI_UP)
		*(root ? &c->bytes.received : &c->bytes.sent) += own;
	else {
		c->bytes.sent += own;
		c->bytes.received += own;
	}
}

static void after_collective(struct call *c, struct pscmpi_comm *comm)
{
	struct message m = { .communicator = comm ? comm->id : PSC_MPI_UNKNOWN };
	bool root = false;

	if (!comm || !comm->world) {
		c->bytes.unsized = 1;
		return;
	}
	m.number = comm->collectives++;
	if (has(c, PSCMPI_ROOT)) {
		root = number(c, PSCMPI_ROOT) == comm->rank;
		if (!world_rank(comm->world, comm->size, number(c, PSCMPI_ROOT), &m.peer))
			return;
	}
	report(c, meets_as(c), &m, (uint32_t)comm->size);
	collective_bytes(c, comm, root);
}

/* --- before and after ------------------------------------------------------------------------- */

static bool wants_no_status(const struct call *c, intptr_t w)
{
	if (!c->f->fortran)
		return (MPI_Status *)w == MPI_STATUS_IGNORE ||
			(MPI_Status *)w == MPI_STATUSES_IGNORE;
	return w == (intptr_t)MPI_F_STATUS_IGNORE || w == (intptr_t)MPI_F_STATUSES_IGNORE
#ifdef MPICH
		|| w == (intptr_t)MPI_F08_STATUS_IGNORE || w == (intptr_t)MPI_F08_STATUSES_IGNORE
#endif
		;
}

/* Statuses have one layout in C and in Fortran, in the implementations that this is built for. */
#ifdef MPI_F_STATUS_SIZE
_Static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint),
	"statuses of C and Fortran");
#endif

static void room_for(struct call *c)
{
	c->key = c->few_keys;
	c->status = c->few_statuses;
	if (c->n <= FEW)
		return;
	c->more_bytes = (size_t)c->n * (sizeof *c->key + sizeof *c->status);
	c->more = mmap(NULL, c->more_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		0);
	if (c->more == MAP_FAILED) {
		c->more = NULL;
		c->n = 0;
		return;
	}
	c->key = c->more;
	c->status = (MPI_Status *)(c->key + c->n);
}

static void before(struct call *c)
{
	intptr_t *status = has(c, PSCMPI_STATUS) ? &c->word[c->f->at[PSCMPI_STATUS] - 1] : NULL;

	if (c->f->kind == PSCMPI_OTHER)
		return;
	c->n = has(c, PSCMPI_N) ? (int)number(c, PSCMPI_N) : 1;
	if (c->n < 0)
		c->n = 0;
	room_for(c);
	if (has(c, PSCMPI_REQUEST) && c->f->kind >= PSCMPI_START)
		for (int i = 0; i < c->n; i++)
			c->key[i] = __psc_mpi_request_key(request(c, i));
	if (!status || !c->n)
		return;
	if (wants_no_status(c, *status))
		*status = (intptr_t)c->status;
	else
		c->status = (MPI_Status *)*status;
}

static bool succeeded(const struct call *c, intptr_t result)
{
	const MPI_Fint *error;

	if (!c->f->fortran)
		return (int)result == MPI_SUCCESS;
	error = (const MPI_Fint *)c->word[c->f->args];
	return !error || *error == MPI_SUCCESS;
}

static void after(struct call *c)
{
	struct pscmpi_comm *comm = NULL;

	if (has(c, PSCMPI_COMM) && c->f->kind != PSCMPI_FREE)
		comm = __psc_mpi_comm(communicator(c, PSCMPI_COMM));
	switch (c->f->kind) {
	case PSCMPI_SEND: after_send(c, comm); break;
	case PSCMPI_RECV: after_recv(c, comm); break;
	case PSCMPI_SENDRECV:
		after_send(c, comm);
		after_recv(c, comm);
		break;
	case PSCMPI_ISEND: after_post(c, comm, false, true); break;
	case PSCMPI_IRECV: after_post(c, comm, true, true); break;
	case PSCMPI_PSEND: after_post(c, comm, false, false); break;
	case PSCMPI_PRECV: after_post(c, comm, true, false); break;
	case PSCMPI_START: after_start(c); break;
	case PSCMPI_FORGET: {
		struct pscmpi_request *r = __psc_mpi_request_find(c->key[0]);

		if (r)
			__psc_mpi_request_forget(r);
		break;
	}
	case PSCMPI_MPROBE:     /* its message is received by its handle: numbers no longer hold */
		if (comm)
			comm->id = PSC_MPI_UNKNOWN;
		break;
	case PSCMPI_WAIT: after_wait(c); break;
	case PSCMPI_WAITANY: after_waitany(c); break;
	case PSCMPI_WAITSOME: after_waitsome(c); break;
	case PSCMPI_CREATE:
		if (comm)
			__psc_mpi_comm_made(comm, made(c));
		break;
	default:
		after_collective(c, comm);
	}
}

/* A communicator's handle is gone after the call. */
static void before_free(const struct call *c)
{
	MPI_Comm handle = c->f->fortran ? PMPI_Comm_f2c(*place(c, PSCMPI_COMM)) :
		*(MPI_Comm *)word(c, PSCMPI_COMM);

	__psc_mpi_lock();
	__psc_mpi_comm_gone(handle);
	__psc_mpi_unlock();
}

intptr_t __psc_mpi_pass(const struct pscmpi_function *f, pscmpi_next *next, intptr_t *w)
{
	struct call c = { .f = f, .word = w };
	uintptr_t here = (uintptr_t)&c;
	intptr_t result;
	bool outermost = !inside || here >= inside;

	if (outermost) {
		inside = here;
		before(&c);
		if (f->kind == PSCMPI_FREE)
			before_free(&c);
		c.begin = __psc_mpi_begin();
	}
	result = next(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11],
		w[12], w[13], w[14], w[15]);
	if (!outermost)
		return result;
	c.end = c.begin ? __psc_mpi_now() : 0;
	if (f->kind != PSCMPI_OTHER && f->kind != PSCMPI_FREE && succeeded(&c, result)) {
		__psc_mpi_lock();
		after(&c);
		__psc_mpi_unlock();
	}
	if (c.more)
		munmap(c.more, c.more_bytes);
	if (c.begin)
		__psc_mpi_end(c.begin, c.end, &c.bytes);
	inside = 0;
	return result;
}
