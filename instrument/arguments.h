/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line of GCC's asks for. */
#ifndef PSC_INSTRUMENT_ARGUMENTS_H
#define PSC_INSTRUMENT_ARGUMENTS_H

#include <stdbool.h>

struct job {
	bool compiles;    /* has a source file */
	bool links;
	bool is_static;   /* -static, -static-pie */
	bool bare;        /* without the C library */
	bool idle;        /* no input file: the compiler only informs */
};

/* The arguments behind the compiler's name; files named by @FILE are read as GCC reads them. */
struct job arguments_read(int argc, char **argv);

#endif
