/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line of GCC asks for. */
#ifndef PSC_INSTRUMENT_GCC_ARGUMENTS_H
#define PSC_INSTRUMENT_GCC_ARGUMENTS_H

#include <stdbool.h>

struct compiler_job {
	bool compiles;    /* has a source file */
	bool links;
	bool is_static;   /* -static, -static-pie */
	bool bare;        /* -nostdlib and the like: without the C library */
	bool idle;        /* no input file, as in gcc -v */
	int mpi;          /* number, from 1, of the argument that names a library of MPI; 0: none
			   * does */
};

/* Reads the arguments behind the compiler's name, and files named by @FILE as GCC does. */
struct compiler_job arguments_read(int argc, char **argv);

#endif
