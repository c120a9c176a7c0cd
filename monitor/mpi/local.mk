# SPDX-License-Identifier: BSD-3-Clause
# The pass-throughs of each implementation of MPI that configure found: static, linked by psc_mpicc and the like.
EXTRA_DIST += %D%/README.md %D%/build.sh %D%/symbols.sh %D%/generate.awk %D%/functions.txt \
	%D%/calls.c %D%/communicators.c \
	%D%/communicators.h %D%/pass.h base/mpi_calls.h
mpi_sources = %D%/build.sh %D%/symbols.sh %D%/generate.awk %D%/functions.txt %D%/calls.c \
	%D%/communicators.c %D%/communicators.h \
	%D%/pass.h base/mpi_calls.h
mpi_build = $(AM_V_GEN)$(MKDIR_P) %D% && CC='$(CC)' CFLAGS='$(CFLAGS) $(PSC_CFLAGS)' AR='$(AR)' NM='$(NM)' \
	$(SHELL) $(srcdir)/%D%/build.sh '$(srcdir)'
mpilibdir = $(libdir)
mpilib_DATA = $(MPI_PASSES)
CLEANFILES += $(MPI_PASSES)
%D%/libpscmpi-openmpi.a: $(mpi_sources)
	$(mpi_build) '$(MPICC_OPENMPI)' '$(MPIFORT_OPENMPI)' $@
%D%/libpscmpi-mpich.a: $(mpi_sources)
	$(mpi_build) '$(MPICC_MPICH)' '$(MPIFORT_MPICH)' $@
