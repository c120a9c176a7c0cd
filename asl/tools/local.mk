# SPDX-License-Identifier: BSD-3-Clause
# The language's tools: nothing of it is in what agents link.
noinst_LTLIBRARIES += asl/tools/libaslc.la
asl_tools_libaslc_la_SOURCES = \
	%D%/tools.h \
	%D%/dump.c \
	%D%/fmt.c \
	%D%/layout.c \
	%D%/outline.c %D%/outline.h \
	%D%/parse_source.c
asl_tools_libaslc_la_LIBADD = asl/libasl.la
# also where one target is asked for by name
asl/tools/layout.lo asl/tools/outline.lo: asl/parse.h

bin_PROGRAMS += aslc
aslc_SOURCES = \
	%D%/aslc.c %D%/aslc.h \
	%D%/aslc_check.c \
	%D%/aslc_fmt.c \
	%D%/aslc_test.c \
	%D%/textcase.c %D%/textcase.h
aslc_LDADD = asl/tools/libaslc.la
dist_man_MANS += %D%/aslc.1
EXTRA_DIST += %D%/README.md
