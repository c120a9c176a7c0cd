/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts an application of MPI: --mpinumprocs, --ompnumthreads, --apprun. */
#ifndef PSC_FRONTEND_MPI_LAUNCH_H
#define PSC_FRONTEND_MPI_LAUNCH_H

#include "base/err.h"
#include "frontend/hosts.h"
#include "frontend/options.h"

enum mpi_kind { MPI_OTHER, MPI_OPENMPI, MPI_MPICH };
/* The implementation whose library this executable, or its text, names.  MPI_OTHER: none, or a file
 * that cannot be read. */
enum mpi_kind mpi_kind_of_text(const char *text, size_t size);
enum mpi_kind mpi_kind_of(const char *executable);

/* The words of a launcher for `ranks` processes of `threads` threads on `cpus` processors of each
 * host; more processes and threads than processors are not bound.  hosts: "a:2,b:2", or NULL, the
 * host or allocation that mpirun is started on. Appends at most MPI_WORDS to `words`, strings that
 * live in `text`; returns their number. */
enum { MPI_WORDS = 14 };
struct mpi_job {
	enum mpi_kind kind;
	uint32_t ranks, threads;
	uint32_t ranks_each;    /* most processes on one host */
	int cpus;               /* 0: not known */
	bool several;           /* hosts: these, or those of the allocation */
	const char *mpirun, *hosts;
};
int mpi_words(const struct mpi_job *job, char text[64], char *words[MPI_WORDS]);
/* The hosts of such a list, each with its slots, where these are not given evenly distributed;
 * *each: the most. The caller frees; NULL: no memory. */
char *mpi_hosts(const struct hosts *h, uint32_t ranks, uint32_t *each);

/* Puts the launcher before the command, and sets what the application's environment must have.  On
 * several hosts Open MPI's launcher is told to pass MON_ENV on.  0 / -1. */
int mpi_launch(struct frontend_options *o, const struct hosts *hosts, struct err *err);

#endif
