#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two ranks of a program that clang, or GCC without the plugin, has compiled: behind the user's own mpirun, and started by
# psc_frontend.  Nothing depends on how fast the machine is.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
grep -q '^#define HAVE_FOREIGN 1' "$builddir/config.h" || skip_all "configured without Zydis or libdw, or not for x86-64"
have_mpi openmpi || skip_all "$why"
cat >ranks.c <<'END'
#include <mpi.h>
#include <stdio.h>
static double mat[1024][1024];
static double __attribute__((noinline)) columns(int n)
{
	double s = 0;

	for (int r = 0; r < n; r++)
		for (int j = 0; j < 1024; j++)
			for (int i = 0; i < 1024; i++)
				s += mat[i][j]++;
	return s;
}
int main(int argc, char **argv)
{
	int rank, size;
	double s, all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	s = columns(40);
	MPI_Reduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks done\n", size);
	MPI_Finalize();
	return 0;
}
END
compiler=gcc
command -v clang >/dev/null && compiler=clang
OMPI_CC=$compiler mpicc.openmpi -O2 -g -o ranks ranks.c || { echo "Bail out! ranks.c does not compile"; exit 1; }
OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_rmaps_base_oversubscribe

# both ARGUMENTS...: two processes are analysed; the function and its matrix have their names
both() {
	rm -f counts*
	run 0 --no-psc --export-counts counts "$@" && grep -q "2 ranks done" out && grep -q "2 processes" out &&
		cat counts* | grep -q ",mat,"
}
plan 2
check "behind mpirun the program is found, and both ranks are recorded" both -- mpirun.openmpi -np 2 ./ranks
check "so are they when psc_frontend starts them" both --mpinumprocs 2 -- ./ranks
