# SPDX-License-Identifier: BSD-3-Clause
# For tests with MPI.  Sourced; needs builddir.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# have_mpi openmpi|mpich: is it installed, and was its library of pass-throughs built?  $why: why not
have_mpi() {
	why=
	command -v "mpicc.$1" >/dev/null && command -v "mpirun.$1" >/dev/null || why="no mpicc.$1"
	[ -n "$why" ] || [ -f "$builddir/monitor/mpi/libpscmpi-$1.a" ] || why="configured without $1"
	[ -z "$why" ]
}
# launcher MPI PROCESSES: the command that starts them, on however few processors
launcher() {
	case $1 in
	openmpi) echo "mpirun.openmpi --oversubscribe -np $2" ;;
	*) echo "mpirun.mpich -np $2" ;;
	esac
}
# launch MPI PROCESSES COMMAND...
launch() {
	start=$(launcher "$1" "$2")
	shift 2
	timeout 600 $start "$@"
}
# Turns tests/mpi/calls.f90 into a program of module mpi_f08.
fortran_2008() {
	sed -e 's/use mpi$/use mpi_f08/' \
		-e 's/n, status(MPI_STATUS_SIZE), requests(2), total, row$/n, total\
  type(MPI_Status) :: status\
  type(MPI_Request) :: requests(2)\
  type(MPI_Comm) :: row/' \
		-e 's/status(MPI_SOURCE)/status%MPI_SOURCE/; s/status(MPI_TAG)/status%MPI_TAG/'
}
