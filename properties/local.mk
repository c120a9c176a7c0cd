# SPDX-License-Identifier: BSD-3-Clause
properties_files = \
	%D%/balance.asl \
	%D%/levels.asl \
	%D%/memory.asl \
	%D%/model.asl \
	%D%/numa.asl \
	%D%/paper.asl \
	%D%/sharing.asl
nobase_dist_pkgdata_DATA += $(properties_files)
