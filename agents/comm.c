/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements comm.h over MPI. */
#include "agents/comm.h"

#include <mpi.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct sending {
	struct sending *next;
	MPI_Request request;
	struct buf body;
};

static struct sending *queue;

int comm_start(int *argc, char ***argv)
{
	if (MPI_Init(argc, argv) != MPI_SUCCESS)
		return -1;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	return 0;
}

int comm_rank(void)
{
	int rank = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

int comm_size(void)
{
	int size = 1;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	return size;
}

/* Lets MPI progress pending sends, and frees completed ones. */
static void progress(void)
{
	struct sending **at = &queue;

	while (*at) {
		struct sending *s = *at;
		int done = 0;

		if (MPI_Test(&s->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			done = 1;
		if (!done) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		buf_free(&s->body);
		free(s);
	}
}

int comm_send(int to, enum msg_type type, const struct buf *body)
{
	struct sending *s = calloc(1, sizeof *s), **end = &queue;

	if (!s)
		return -1;
	if (body && body->len)
		buf_add(&s->body, body->data, body->len);
	if (s->body.failed || s->body.len > LINK_MAX ||
	    MPI_Isend(s->body.data, (int)s->body.len, MPI_BYTE, to, (int)type, MPI_COMM_WORLD,
		    &s->request) != MPI_SUCCESS) {
		buf_free(&s->body);
		free(s);
		return -1;
	}
	while (*end)
		end = &(*end)->next;
	*end = s;
	return 0;
}

bool comm_receive(int *from, enum msg_type *type, struct buf *body)
{
	MPI_Status status;
	int there = 0, bytes = 0;

	progress();
	if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) !=
	    MPI_SUCCESS || !there)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &bytes);
	*from = status.MPI_SOURCE;
	*type = (enum msg_type)status.MPI_TAG;
	*body = (struct buf){ .data = malloc((size_t)bytes + 1), .len = (size_t)bytes, .cap = (size_t)bytes + 1 };
	if (!body->data)
		return false;           /* the message stays with MPI: the next call tries again */
	if (MPI_Recv(body->data, bytes, MPI_BYTE, *from, status.MPI_TAG, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE) != MPI_SUCCESS) {
		log_msg(0, "MPI lost a message of type %d from rank %d", (int)*type, *from);
		buf_free(body);
		return false;
	}
	body->data[bytes] = '\0';
	return true;
}

int comm_wake(void)
{
	return -1;
}

void comm_end(unsigned milliseconds)
{
	for (unsigned i = 0; queue && i < milliseconds; i++) {
		progress();
		poll(NULL, 0, 1);
	}
	MPI_Finalize();
}
