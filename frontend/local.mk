# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += psc_frontend
psc_frontend_SOURCES = \
	%D%/application.c %D%/application.h \
	%D%/doctor.c %D%/doctor.h \
	%D%/front_lives.c %D%/front_lives.h \
	%D%/frontend.c \
	%D%/inherit.c %D%/inherit.h \
	%D%/install_paths.c %D%/install_paths.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/launch.c %D%/launch.h \
	%D%/netns.c %D%/netns.h \
	%D%/options.c %D%/options.h \
	%D%/present.c %D%/present.h \
	%D%/rundir.c %D%/rundir.h \
	%D%/runs.c %D%/runs.h \
	%D%/setup.c %D%/setup.h \
	%D%/stop.c %D%/stop.h \
	%D%/watch.c %D%/watch.h
psc_frontend_LDADD = agents/libprotocol.la $(ANALYSIS_LIBS)
EXTRA_DIST += %D%/README.md
