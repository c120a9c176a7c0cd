# SPDX-License-Identifier: BSD-3-Clause
MPI_TESTS = %D%/pass.sh %D%/waits.sh %D%/unequal.sh
TESTS += $(MPI_TESTS)
dist_check_SCRIPTS += $(MPI_TESTS)
EXTRA_DIST += %D%/lib.sh %D%/hosts_lib.sh %D%/calls.c %D%/calls.f90 %D%/late.c %D%/unequal.c
