/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements comm.h over MPI.
 *
 * A thread of its own, the *postman*, makes all calls of MPI between comm_start() and comm_end():
 * it keeps the priority that the process began with, so it answers for the agent while that works
 * at the lowest.  It takes the locks of the two lists only if they are free: their holder may be
 * the main thread, without a processor. */
#include "agents/comm.h"

#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agents/heartbeat.h"
#include "agents/priority.h"
#include "base/clock.h"
#include "base/log.h"

enum { STEP_MS = 4 };           /* between two looks for messages */

struct message {
	struct message *next;
	int peer;
	enum msg_type type;
	struct buf body;
	MPI_Request request;
};
/* First in, first out.  end: where the next one goes; NULL: first is NULL. */
struct list {
	struct message *first, **end;
};
/* A list that both threads use.  wakes: a descriptor that is readable when something was added. */
struct box {
	pthread_mutex_t lock;
	struct list list;
	int wakes;
};
/* The parent or a child. */
struct neighbour {
	int rank;
	/* ns since its last message, in time that the postman ran; it alone changes it */
	_Atomic uint64_t silent;
	_Atomic bool lost;
};

static struct box outgoing = { .lock = PTHREAD_MUTEX_INITIALIZER, .wakes = -1 };
static struct box arrived = { .lock = PTHREAD_MUTEX_INITIALIZER, .wakes = -1 };
static struct tree tree = { 1, TREE_FANOUT };
static int rank;
static pthread_t postman;
static _Atomic uint64_t looked;         /* clock_ns() of the main thread's last look for messages */
static _Atomic uint64_t ending;         /* clock_ns() at which messages that are not sent are given
					 * up; 0: not yet */

static struct {
	_Atomic bool on;
	void (*also)(void *);
	void *arg;
	struct heartbeat clock;
	struct neighbour *neighbour;
	int n;
} beats;

/* --- lists ------------------------------------------------------------------------------------ */

static void list_add(struct list *l, struct message *m)
{
	m->next = NULL;
	if (!l->end)
		l->end = &l->first;
	*l->end = m;
	l->end = &m->next;
}

static struct message *list_take(struct list *l)
{
	struct message *m = l->first;

	if (m && !(l->first = m->next))
		l->end = NULL;
	return m;
}

static void message_free(struct message *m)
{
	buf_free(&m->body);
	free(m);
}

static void list_free(struct list *l)
{
	struct message *m;

	while ((m = list_take(l)))
		message_free(m);
}

/* Moves all of a list to the end of another. */
static void list_move(struct list *from, struct list *to)
{
	struct message *m;

	while ((m = list_take(from)))
		list_add(to, m);
}

static void wake(int fd)
{
	const uint64_t one = 1;

	if (write(fd, &one, sizeof one) < 0)
		log_msg(2, "no room in an event counter");
}

static void awake(int fd)
{
	uint64_t times;
	ssize_t n = read(fd, &times, sizeof times);

	(void)n;                /* nothing was there */
}

/* --- the postman ------------------------------------------------------------------------------ */

static void silence_ends(int peer)
{
	for (int i = 0; atomic_load(&beats.on) && i < beats.n; i++)
		if (beats.neighbour[i].rank == peer)
			beats.neighbour[i].silent = 0;
}

/* Tells the neighbours that this process runs, and counts how long they have been silent. */
static void beat(struct list *sending)
{
	const uint64_t now = clock_ns();
	double seconds;

	if (!atomic_load(&beats.on))
		return;
	seconds = heartbeat_step(&beats.clock, now);
	for (int i = 0; i < beats.n; i++)
		beats.neighbour[i].silent += (uint64_t)(seconds * 1e9);
	if (now - atomic_load(&looked) > HEARTBEAT_WORK_NS || !heartbeat_due(&beats.clock, now))
		return;
	for (int i = 0; i < beats.n; i++) {
		struct message *m = beats.neighbour[i].lost ? NULL : calloc(1, sizeof *m);

		if (!m)
			continue;
		m->peer = beats.neighbour[i].rank;
		m->type = MSG_ALIVE;
		list_add(sending, m);
	}
	if (beats.also)
		beats.also(beats.arg);
}

static void begin_sending(struct list *from, struct list *sending)
{
	struct message *m;

	while ((m = list_take(from))) {
		if (MPI_Isend(m->body.data, (int)m->body.len, MPI_BYTE, m->peer, (int)m->type,
				MPI_COMM_WORLD, &m->request) == MPI_SUCCESS) {
			list_add(sending, m);
			continue;
		}
		log_msg(1, "MPI could not send a message of type %d to rank %d", (int)m->type,
			m->peer);
		message_free(m);
	}
}

/* Lets MPI progress, and frees what has been sent. */
static void progress(struct list *sending)
{
	struct list rest = { NULL, NULL };
	struct message *m;

	while ((m = list_take(sending))) {
		int done = 0;

		if (MPI_Test(&m->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done)
			message_free(m);
		else
			list_add(&rest, m);
	}
	*sending = rest;
}

/* Receives one message.  false: there is none. */
static bool receive(struct list *to)
{
	MPI_Status status;
	int there = 0, bytes = 0;
	struct message *m;

	if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) !=
	    MPI_SUCCESS || !there)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &bytes);
	m = calloc(1, sizeof *m);
	if (m)
		m->body = (struct buf){ .data = malloc((size_t)bytes + 1), .len = (size_t)bytes,
			.cap = (size_t)bytes + 1 };
	if (!m || !m->body.data) {
		free(m);
		return false;           /* the message stays with MPI: the next call tries again */
	}
	m->peer = status.MPI_SOURCE;
	m->type = (enum msg_type)status.MPI_TAG;
	if (MPI_Recv(m->body.data, bytes, MPI_BYTE, m->peer, status.MPI_TAG, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE) != MPI_SUCCESS) {
		log_msg(0, "MPI lost a message of type %d from rank %d", (int)m->type, m->peer);
		message_free(m);
		return true;
	}
	m->body.data[bytes] = '\0';
	silence_ends(m->peer);
	if (m->type == MSG_ALIVE)
		message_free(m);
	else
		list_add(to, m);
	return true;
}

static void *run(void *unused)
{
	struct list leaving = { NULL, NULL }, sending = { NULL, NULL }, came = { NULL, NULL };
	bool done = false;

	(void)unused;
	priority_keep();
	while (!done) {
		struct pollfd work = { outgoing.wakes, POLLIN, 0 };
		const uint64_t end = atomic_load(&ending);

		awake(outgoing.wakes);
		if (pthread_mutex_trylock(&outgoing.lock) == 0) {
			list_move(&outgoing.list, &leaving);
			pthread_mutex_unlock(&outgoing.lock);
			done = end && !leaving.first && !sending.first;
		}
		while (receive(&came))
			;
		beat(&leaving);
		begin_sending(&leaving, &sending);
		progress(&sending);
		if (came.first && pthread_mutex_trylock(&arrived.lock) == 0) {
			list_move(&came, &arrived.list);
			pthread_mutex_unlock(&arrived.lock);
			wake(arrived.wakes);
		}
		done |= end && clock_ns() >= end;
		if (!done)
			poll(&work, 1, end ? 1 : STEP_MS);
	}
	list_free(&came);
	return NULL;            /* MPI may still read what is being sent */
}

/* --- the main thread -------------------------------------------------------------------------- */

int comm_start(int *argc, char ***argv)
{
	sigset_t all, before;
	int level, rc;

	for (int i = 1; i + 1 < *argc; i++)
		if (strcmp((*argv)[i], "--fanout") == 0)
			tree.fanout = atoi((*argv)[i + 1]);
	if (tree.fanout < 1 || MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level) !=
	    MPI_SUCCESS)
		return -1;
	if (level < MPI_THREAD_SERIALIZED) {
		log_msg(0, "this MPI library allows no calls from another thread");
		return -1;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &tree.size);
	outgoing.wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	arrived.wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	looked = clock_ns();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = outgoing.wakes < 0 || arrived.wakes < 0 ? -1 : pthread_create(&postman, NULL, run,
		NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		log_msg(0, "no thread for messages could be made");
	return rc ? -1 : 0;
}

int comm_rank(void)
{
	return rank;
}

void comm_tree(struct tree *t)
{
	*t = tree;
}

int comm_send(int to, enum msg_type type, const struct buf *body)
{
	struct message *m = calloc(1, sizeof *m);

	if (!m)
		return -1;
	m->peer = to;
	m->type = type;
	if (body && body->len)
		buf_add(&m->body, body->data, body->len);
	if (m->body.failed || m->body.len > LINK_MAX) {
		message_free(m);
		return -1;
	}
	pthread_mutex_lock(&outgoing.lock);
	list_add(&outgoing.list, m);
	pthread_mutex_unlock(&outgoing.lock);
	wake(outgoing.wakes);
	return 0;
}

bool comm_receive(int *from, enum msg_type *type, struct buf *body)
{
	struct message *m;

	atomic_store(&looked, clock_ns());
	awake(arrived.wakes);
	pthread_mutex_lock(&arrived.lock);
	m = list_take(&arrived.list);
	pthread_mutex_unlock(&arrived.lock);
	if (!m)
		return false;
	*from = m->peer;
	*type = m->type;
	*body = m->body;
	free(m);
	return true;
}

int comm_wake(void)
{
	return arrived.wakes;
}

void comm_heartbeats(void (*also)(void *), void *arg)
{
	const int parent = tree_parent(&tree, rank), children = tree_children(&tree, rank);

	if (beats.neighbour)
		return;
	beats.neighbour = calloc((size_t)children + 1, sizeof *beats.neighbour);
	if (!beats.neighbour)
		return;
	for (int i = 0; i < children; i++)
		beats.neighbour[beats.n++].rank = tree_child(&tree, rank, i);
	if (parent >= 0)
		beats.neighbour[beats.n++].rank = parent;
	beats.also = also;
	beats.arg = arg;
	atomic_store(&beats.on, true);
}

void comm_forget(int neighbour)
{
	for (int i = 0; i < beats.n; i++)
		if (beats.neighbour[i].rank == neighbour)
			beats.neighbour[i].lost = true;
}

double comm_silence(int neighbour)
{
	for (int i = 0; i < beats.n; i++)
		if (beats.neighbour[i].rank == neighbour)
			return (double)beats.neighbour[i].silent * 1e-9;
	return 0;
}

void comm_end(unsigned milliseconds)
{
	atomic_store(&ending, clock_ns() + milliseconds * UINT64_C(1000000));
	wake(outgoing.wakes);
	pthread_join(postman, NULL);
	MPI_Finalize();
	free(beats.neighbour);
	list_free(&arrived.list);
	close(outgoing.wakes);
	close(arrived.wakes);
}
