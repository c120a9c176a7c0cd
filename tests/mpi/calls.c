/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls MPI in many ways and checks what comes back: with pass-throughs and without, all must be as MPI says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, bad;

#define EXPECT(what) expect(what, #what, __LINE__)
static void expect(int holds, const char *what, int line)
{
	if (!holds) {
		printf("rank %d, line %d: not %s\n", rank, line, what);
		bad = 1;
	}
}

static void messages(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size, a[4] = { rank, 1, 2, 3 }, b[4] = { 0 }, n = 0;
	MPI_Status status, both[2];
	MPI_Request r[2];

	EXPECT(MPI_Sendrecv(a, 4, MPI_INT, right, 7, b, 4, MPI_INT, left, 7, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
	EXPECT(b[0] == left && status.MPI_SOURCE == left && status.MPI_TAG == 7);
	MPI_Get_count(&status, MPI_INT, &n);
	EXPECT(n == 4);
	MPI_Isend(a, 2, MPI_INT, right, 8, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(b, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, both);
	EXPECT(both[1].MPI_SOURCE == left && both[1].MPI_TAG == 8);
	MPI_Get_count(&both[1], MPI_INT, &n);
	EXPECT(n == 2 && r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
	MPI_Isend(a, 4, MPI_INT, right, 9, MPI_COMM_WORLD, &r[0]);
	EXPECT(MPI_Recv(b, 4, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
	EXPECT(MPI_Waitall(1, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS && b[3] == 3);
	MPI_Send(a, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	MPI_Recv(b, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
	EXPECT(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* More requests than a call keeps on its stack, in any order. */
static void many(void)
{
	enum { N = 200 };
	static int out[N], in[N];
	int right = (rank + 1) % size, left = (rank + size - 1) % size, done = 0, index[N], n;
	MPI_Request r[2 * N];

	for (int i = 0; i < N; i++) {
		out[i] = rank * N + i;
		MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &r[i]);
	}
	for (int i = 0; i < N; i++)
		MPI_Isend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &r[N + i]);
	MPI_Waitany(N, r, &n, MPI_STATUS_IGNORE);
	EXPECT(n >= 0 && n < N);
	while (done < N - 1) {
		MPI_Waitsome(N, r, &n, index, MPI_STATUSES_IGNORE);
		done += n;
	}
	MPI_Waitall(2 * N, r, MPI_STATUSES_IGNORE);
	for (int i = 0; i < N; i++)
		EXPECT(in[i] == left * N + i);
}

static void persistent(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size, a = rank, b = -1;
	MPI_Request r[2];

	MPI_Send_init(&a, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(&b, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 3; i++) {
		a = rank + 100 * i;
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		EXPECT(b == left + 100 * i);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void collectives(void)
{
	int one = 1, sum = 0, all[64], value = rank == 0 ? 42 : 0;
	MPI_Comm half, copy;

	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	EXPECT(sum == size);
	sum = 1;
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	EXPECT(sum == size);
	all[rank] = rank;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
	EXPECT(all[size - 1] == size - 1);
	MPI_Gather(rank == 0 ? MPI_IN_PLACE : &rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	EXPECT(value == 42);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	MPI_Comm_dup(half, &copy);
	MPI_Barrier(copy);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
	EXPECT(sum == (size + 1 - rank % 2) / 2);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&half);
	EXPECT(copy == MPI_COMM_NULL);
}

/* The bottom of memory as a buffer, and an error that is returned. */
static void bottom_and_error(void)
{
	int a = rank, b = -1, lengths[1] = { 1 };
	MPI_Aint at;
	MPI_Datatype from, to;

	MPI_Get_address(&a, &at);
	MPI_Type_create_hindexed(1, lengths, &at, MPI_INT, &from);
	MPI_Get_address(&b, &at);
	MPI_Type_create_hindexed(1, lengths, &at, MPI_INT, &to);
	MPI_Type_commit(&from);
	MPI_Type_commit(&to);
	MPI_Sendrecv(MPI_BOTTOM, 1, from, rank, 2, MPI_BOTTOM, 1, to, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	EXPECT(b == rank);
	MPI_Type_free(&from);
	MPI_Type_free(&to);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	EXPECT(MPI_Send(&a, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
	EXPECT(MPI_Send(&a, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
	int all = 0;

	EXPECT(MPI_Init(&argc, &argv) == MPI_SUCCESS);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 12; i++) {
		messages();
		many();
		persistent();
		collectives();
	}
	bottom_and_error();
	EXPECT(MPI_Wtime() >= 0);
	MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (!rank)
		puts(all ? "wrong" : "right");
	MPI_Finalize();
	return all;
}
