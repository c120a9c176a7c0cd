# SPDX-License-Identifier: BSD-3-Clause
# The ways to measure, and the planner that chooses among them: no processes, no messages.
noinst_LTLIBRARIES += collect/libcollect.la
collect_libcollect_la_SOURCES = \
	%D%/collector.h %D%/collectors.def \
	%D%/burst_collector.c \
	%D%/copies_collector.c \
	%D%/events_collector.c \
	%D%/kernel_collector.c \
	%D%/one_cpu_collector.c \
	%D%/page_collector.c \
	%D%/perf_collector.c \
	%D%/planner.c \
	%D%/registry.c \
	%D%/sim_collector.c \
	%D%/times_collector.c \
	%D%/rank_trials.c %D%/rank_trials.h %D%/trial_collector.c \
	%D%/variants_collector.c \
	%D%/counts.c %D%/counts.h \
	%D%/recorder_notes.c %D%/recorder_notes.h
COLLECT_LIBS = collect/libcollect.la samples/libsamples.la samples/libkernelsource.la \
	$(ANALYSIS_LIBS)
EXTRA_DIST += %D%/README.md
