# SPDX-License-Identifier: BSD-3-Clause
# Names of events to what the kernel takes, and what it opens here.
noinst_LTLIBRARIES += events/libevents.la
events_libevents_la_SOURCES = \
	%D%/event_names.c \
	%D%/event_sysfs.c \
	%D%/metrics.h \
	%D%/open.c %D%/open.h \
	%D%/recipes.c
EVENTS_LIBS = events/libevents.la $(PFM_LIBS)
EXTRA_DIST += %D%/README.md

include tests/events/local.mk
