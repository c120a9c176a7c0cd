# SPDX-License-Identifier: BSD-3-Clause
properties_files = \
	%D%/balance.asl \
	%D%/events.asl \
	%D%/events.recipes \
	%D%/faults.asl \
	%D%/levels.asl \
	%D%/memory.asl \
	%D%/model.asl \
	%D%/mpi.asl \
	%D%/numa.asl \
	%D%/objects.asl \
	%D%/openmp.asl \
	%D%/paper.asl \
	%D%/scaling.asl \
	%D%/sharing.asl \
	%D%/time.asl
nobase_dist_pkgdata_DATA += $(properties_files)
