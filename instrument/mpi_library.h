/* SPDX-License-Identifier: BSD-3-Clause */
/* Which implementation of MPI a compiler links with. */
#ifndef PSC_INSTRUMENT_MPI_LIBRARY_H
#define PSC_INSTRUMENT_MPI_LIBRARY_H

#include "instrument/gcc_arguments.h"

/* "openmpi", "mpich"; NULL: none, or one that there are no pass-throughs for.  The compiler is
 * asked if it is a wrapper of MPI; else the argument that names a library tells. */
const char *mpi_library_name(const char *compiler, const struct compiler_job *job,
	char *const *argv);

#endif
