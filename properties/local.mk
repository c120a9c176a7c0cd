# SPDX-License-Identifier: BSD-3-Clause
properties_files = \
	%D%/balance.asl \
	%D%/levels.asl \
	%D%/memory.asl \
	%D%/model.asl \
	%D%/numa.asl \
	%D%/paper.asl
nobase_dist_pkgdata_DATA += $(properties_files)

# In the build tree, programs find them under pkgdata/ beside themselves.
BUILT_SOURCES += pkgdata/stamp
CLEANFILES += pkgdata/stamp $(properties_files:%=pkgdata/%)
pkgdata/stamp: $(properties_files)
	$(AM_V_GEN)$(MKDIR_P) pkgdata/%D% && for f in $(properties_files); do \
		cp -f $(srcdir)/$$f pkgdata/$$f || exit 1; \
	done && chmod u+w pkgdata/%D%/*.asl && echo built >$@
