# SPDX-License-Identifier: BSD-3-Clause
# The proxy of programs that our wrappers have not compiled: x86-64, with Zydis and libdw.
noinst_LTLIBRARIES += foreign/libpreload.la
foreign_libpreload_la_SOURCES = %D%/preload.c %D%/preload.h
if FOREIGN
noinst_LTLIBRARIES += foreign/libforeign.la
foreign_libforeign_la_SOURCES = burst/shared/burst.h \
	%D%/answers.c %D%/answers.h %D%/asked_names.c %D%/asked_names.h \
	%D%/block_code.c %D%/block_code.h %D%/block_flow.c %D%/block_flow.h \
	%D%/burst_contents.c %D%/burst_contents.h %D%/burst_nodes.c %D%/burst_nodes.h %D%/branch_predictor.c %D%/branch_predictor.h %D%/clock_samples.c %D%/clock_samples.h \
	%D%/page_code.c %D%/page_code.h %D%/page_events.c %D%/page_events.h %D%/page_sampler.c %D%/page_sampler.h \
	%D%/page_history.c %D%/page_history.h %D%/page_uses.c %D%/page_uses.h \
	%D%/page_writes.c %D%/page_writes.h \
	%D%/hardware_rows.c %D%/hardware_samples.c %D%/hardware_samples.h \
	%D%/sample_nodes.c %D%/sample_nodes.h \
	%D%/images.c %D%/images.h %D%/memory_objects.c %D%/memory_objects.h %D%/code_contexts.c %D%/code_contexts.h \
	%D%/play_bursts.c %D%/play_bursts.h %D%/program_state.c %D%/program_state.h %D%/proxy.c %D%/proxy.h \
	%D%/ranges.c %D%/ranges.h %D%/recorder.c %D%/recorder.h %D%/result_rows.c %D%/result_rows.h \
	%D%/result_sites.c %D%/result_sites.h %D%/sample_times.c %D%/sample_times.h %D%/shm_tables.c %D%/shm_tables.h \
	%D%/small_sites.c %D%/small_sites.h \
	%D%/to_agent.c %D%/to_agent.h $(simulate_sources)
foreign_libforeign_la_CFLAGS = -O2 $(AM_CFLAGS)
foreign_libforeign_la_LIBADD = samples/libsamples.la foreign/libpreload.la binary/libbinary.la sir/libsir.la base/libbase.la $(ZYDIS_LIBS) -lpthread
pkglibexec_PROGRAMS += psc_foreign
psc_foreign_SOURCES = %D%/psc_foreign.c
psc_foreign_LDADD = foreign/libforeign.la samples/libkernelsource.la $(EVENTS_LIBS) base/libbase.la
endif
EXTRA_DIST += %D%/README.md
include tests/foreign/local.mk
