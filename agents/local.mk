# SPDX-License-Identifier: BSD-3-Clause
# The search and its data: no MPI, no processes, so that it is tested as a library.
noinst_LTLIBRARIES += agents/libsearch.la
agents_libsearch_la_SOURCES = \
	%D%/bind.c %D%/bind.h \
	%D%/config.c %D%/config.h \
	%D%/export.c %D%/export.h \
	%D%/findings.c %D%/findings.h \
	%D%/fixes.c %D%/fixes.h \
	%D%/gains.c \
	%D%/invariants.c %D%/invariants.h \
	%D%/items.c %D%/items.h \
	%D%/link.c %D%/link.h \
	%D%/merge.c \
	%D%/perf.c %D%/perf.h \
	%D%/plan.c %D%/plan.h \
	%D%/progress.h \
	%D%/sampled.c %D%/sampled.h \
	%D%/search.c %D%/search.h \
	%D%/sharing.c %D%/sharing.h \
	%D%/strategy.c \
	%D%/sweep.c %D%/sweep.h \
	%D%/team.c %D%/team.h \
	%D%/whatif.c %D%/whatif.h \
	%D%/whole.c %D%/whole.h %D%/whole_report.c

AGENTS_LIBS = agents/libsearch.la asl/libasl.la sir/libsir.la machine/libmachine.la \
	monitor/libmonclient.la report/libreport.la base/libbase.la \
	$(XML_LIBS) $(HWLOC_LIBS) $(ELF_LIBS) $(ZLIB_LIBS) -lm

bin_PROGRAMS += psc_frontend
psc_frontend_SOURCES = \
	%D%/application.c %D%/application.h \
	%D%/doctor.c %D%/doctor.h \
	%D%/frontend.c \
	%D%/inherit.c %D%/inherit.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/launch.c %D%/launch.h \
	%D%/netns.c %D%/netns.h \
	%D%/options.c %D%/options.h \
	%D%/paths.c %D%/paths.h \
	%D%/present.c %D%/present.h \
	%D%/rundir.c %D%/rundir.h \
	%D%/setup.c %D%/setup.h \
	%D%/stop.c %D%/stop.h \
	%D%/watch.c %D%/watch.h
psc_frontend_LDADD = $(AGENTS_LIBS)

# An agent is this and one of the ways of sending messages.
noinst_LTLIBRARIES += agents/libagent.la
agents_libagent_la_SOURCES = \
	%D%/agent.c \
	%D%/comm.h \
	%D%/load.c %D%/load.h \
	%D%/master.c %D%/master.h \
	%D%/node.c %D%/node.h \
	%D%/priority.c %D%/priority.h

pkglibexec_PROGRAMS += psc_agent_local
psc_agent_local_SOURCES = %D%/comm_local.c
psc_agent_local_LDADD = agents/libagent.la $(AGENTS_LIBS)
if MPI
pkglibexec_PROGRAMS += psc_agent
psc_agent_SOURCES = %D%/comm.c
psc_agent_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
psc_agent_LDADD = agents/libagent.la $(AGENTS_LIBS) $(MPI_LIBS)
endif
EXTRA_DIST += %D%/README.md
