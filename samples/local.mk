# SPDX-License-Identifier: BSD-3-Clause
# Accesses that the processor has sampled.
noinst_LTLIBRARIES += samples/libsamples.la samples/libkernelsource.la
samples_libsamples_la_SOURCES = \
	%D%/choose_event.c %D%/choose_event.h \
	%D%/data_source.c %D%/data_source.h \
	%D%/page_host.c %D%/page_host.h %D%/page_scan.h %D%/soft_dirty.h \
	%D%/ring_records.c %D%/ring_records.h \
	%D%/ring.c %D%/ring.h \
	%D%/sample.h %D%/event_source.h \
	%D%/spe.c %D%/spe.h \
	%D%/unit.c %D%/unit.h
samples_libkernelsource_la_SOURCES = %D%/kernel_source.c
SAMPLES_LIBS = samples/libsamples.la $(EVENTS_LIBS) base/libbase.la
EXTRA_DIST += %D%/README.md

include tests/samples/local.mk
