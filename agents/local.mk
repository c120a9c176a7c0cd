# SPDX-License-Identifier: BSD-3-Clause
# Messages between agents and front end.
noinst_LTLIBRARIES += agents/libprotocol.la
agents_libprotocol_la_SOURCES = %D%/link.c %D%/link.h %D%/progress.h %D%/heartbeat.h \
	%D%/schedule.c %D%/schedule.h %D%/tree.c %D%/tree.h

# The agents, without the functions of comm.h: comm.c or comm_local.c adds these.
noinst_LTLIBRARIES += agents/libagent.la
agents_libagent_la_SOURCES = \
	%D%/agent.c \
	%D%/asked_regions.c %D%/asked_regions.h \
	%D%/mpi_matching.c %D%/mpi_matching.h \
	%D%/phase_candidates.c %D%/phase_candidates.h \
	%D%/code_places.c %D%/code_places.h \
	%D%/comm.h \
	%D%/join_messages.c %D%/join_messages.h \
	%D%/host_load.c %D%/host_load.h \
	%D%/lives.c %D%/lives.h \
	%D%/loaded_code.c %D%/loaded_code.h \
	%D%/master.c %D%/master.h \
	%D%/node.c %D%/node.h \
	%D%/phase_before.c %D%/phase_before.h \
	%D%/phase_record.c %D%/phase_record.h \
	%D%/phase_search.c %D%/phase_search.h \
	%D%/phase_times.c %D%/phase_times.h %D%/phase_words.c \
	%D%/priority.c %D%/priority.h \
	%D%/process.c %D%/process.h %D%/process_begin.c %D%/process_report.c %D%/process_report.h \
	%D%/requests.c %D%/requests.h \
	%D%/run_decision.c %D%/run_decision.h \
	%D%/unequal.c %D%/unequal.h
agents_libagent_la_LIBADD = phase/libphase.la binary/libbinary.la

pkglibexec_PROGRAMS += psc_agent_local
psc_agent_local_SOURCES = %D%/comm_local.c
psc_agent_local_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS)
if MPI
pkglibexec_PROGRAMS += psc_agent
psc_agent_SOURCES = %D%/comm.c
psc_agent_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
psc_agent_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS) $(MPI_LIBS)
endif
EXTRA_DIST += %D%/README.md
