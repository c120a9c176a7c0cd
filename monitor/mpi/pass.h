/* SPDX-License-Identifier: BSD-3-Clause */
/* What the generated pass-throughs and calls.c share. */
#ifndef PSC_MONITOR_MPI_PASS_H
#define PSC_MONITOR_MPI_PASS_H

#include <stdint.h>
#include "base/mpi_calls.h"

enum pscmpi_kind {
	PSCMPI_OTHER,
	PSCMPI_SEND, PSCMPI_ISEND, PSCMPI_RECV, PSCMPI_IRECV, PSCMPI_SENDRECV,
	PSCMPI_PSEND, PSCMPI_PRECV, PSCMPI_START, PSCMPI_FORGET, PSCMPI_MPROBE,
	PSCMPI_WAIT, PSCMPI_WAITANY, PSCMPI_WAITSOME,
	/* collectives; DOWN and UP have a root, BOTH sends and receives `count`, ALL from and to
	 * each process, of MEET the bytes are not known */
	PSCMPI_BARRIER, PSCMPI_DOWN, PSCMPI_UP, PSCMPI_BOTH, PSCMPI_ALL, PSCMPI_MEET,
	PSCMPI_CREATE, PSCMPI_FREE
};

/* Arguments that are looked at. */
enum pscmpi_argument {
	PSCMPI_COUNT, PSCMPI_TYPE, PSCMPI_PEER, PSCMPI_TAG, PSCMPI_COMM, PSCMPI_SOURCE, PSCMPI_RTAG,
	PSCMPI_REQUEST, PSCMPI_N, PSCMPI_STATUS, PSCMPI_FLAG, PSCMPI_INDEX, PSCMPI_OUT, PSCMPI_ROOT,
	PSCMPI_NEW, PSCMPI_ARGUMENTS
};

struct pscmpi_function {
	uint8_t kind, args;             /* args: in C; Fortran has the error code behind them */
	uint8_t fortran, large;         /* large: counts have 64 bits */
	uint8_t at[PSCMPI_ARGUMENTS];   /* positions from 1; 0: it has no such argument */
};

#define PSCMPI_WORDS 16
#define PSCMPI_PARAMETERS intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g, \
	intptr_t h, intptr_t i, intptr_t j, intptr_t k, intptr_t l, intptr_t m, intptr_t n, intptr_t o, intptr_t p
typedef intptr_t pscmpi_next(PSCMPI_PARAMETERS);

/* Calls next() with the words, and measures it. */
intptr_t __psc_mpi_pass(const struct pscmpi_function *f, pscmpi_next *next, intptr_t *words);

#define PSCMPI_PASS(name, pname, function) \
	intptr_t name(PSCMPI_PARAMETERS); \
	intptr_t pname(PSCMPI_PARAMETERS); \
	intptr_t name(PSCMPI_PARAMETERS) \
	{ \
		if (__builtin_expect(!__psc_mpi, 1)) \
			return pname(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); \
		return __psc_mpi_pass(&function, pname, \
			(intptr_t[]){ a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p }); \
	}

#endif
