# SPDX-License-Identifier: BSD-3-Clause
nobase_dist_doc_DATA += %D%/lu-mpi/Makefile %D%/lu-mpi/README.md %D%/lu-mpi/ssor.f90
nobase_dist_doc_DATA += \
	%D%/lu/Makefile %D%/lu/README.md %D%/lu/paper.md %D%/lu/lu.inc %D%/lu/solve5.inc %D%/lu/sync.inc \
	%D%/lu/blts.f %D%/lu/buts.f %D%/lu/exact.f %D%/lu/jacld.f %D%/lu/jacu.f %D%/lu/lu.f \
	%D%/lu/norm.f %D%/lu/rhs.f %D%/lu/setiv.f %D%/lu/ssor.f %D%/lu/sync.f %D%/lu/verify.f
nobase_dist_doc_DATA += \
	%D%/patterns/Makefile %D%/patterns/conflict.c %D%/patterns/false_sharing.c %D%/patterns/first_touch.c \
	%D%/patterns/gather.c %D%/patterns/imbalance.c %D%/patterns/list.c %D%/patterns/record.cc \
	%D%/patterns/reuse.c %D%/patterns/stride.f90 %D%/patterns/two-nodes.xml
nobase_dist_doc_DATA += %D%/modules/Makefile %D%/modules/channels.xml %D%/modules/multiply.c %D%/modules/strassen.c
nobase_dist_doc_DATA += %D%/numa/Makefile %D%/numa/faces.c %D%/numa/index.c %D%/numa/nodes.h %D%/numa/points.c %D%/numa/pools.c
nobase_dist_doc_DATA += \
	%D%/over_time/Makefile %D%/over_time/dft.c %D%/over_time/diagonals.c %D%/over_time/phases.c \
	%D%/over_time/sparse.c %D%/over_time/stream.c
