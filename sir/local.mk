# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += sir/libsir.la
sir_libsir_la_SOURCES = \
	%D%/asked.c \
	%D%/elf.c \
	%D%/fragment.c \
	%D%/merge.c \
	%D%/model.c %D%/model.h \
	%D%/choose_phase.c \
	%D%/region_copies.c %D%/used_members.c \
	%D%/schema_check.c \
	%D%/sir.c %D%/sir.h \
	%D%/xml_read.c \
	%D%/xml_write.c
sir_libsir_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) $(ELF_CFLAGS) $(ZLIB_CFLAGS)
sir_libsir_la_LIBADD = base/libbase.la $(XML_LIBS) $(ELF_LIBS) $(ZLIB_LIBS)

nobase_dist_pkgdata_DATA += %D%/sir.rng
EXTRA_DIST += %D%/README.md
include sir/tools/local.mk

check_PROGRAMS += tests/sir/test_alloc tests/sir/test_asked tests/sir/test_phase tests/sir/test_xml
tests_sir_test_alloc_SOURCES = tests/sir/test_alloc.c tests/sir/support.h
tests_sir_test_alloc_LDADD = sir/libsir.la $(CMOCKA_LIBS)
tests_sir_test_alloc_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
tests_sir_test_asked_SOURCES = tests/sir/test_asked.c tests/sir/support.h
tests_sir_test_asked_LDADD = sir/libsir.la $(CMOCKA_LIBS)
tests_sir_test_phase_SOURCES = tests/sir/test_phase.c tests/sir/support.h
tests_sir_test_phase_LDADD = sir/libsir.la $(CMOCKA_LIBS)
tests_sir_test_xml_SOURCES = tests/sir/test_xml.c tests/sir/support.h
tests_sir_test_xml_LDADD = sir/libsir.la $(CMOCKA_LIBS)
dist_check_SCRIPTS += tests/sir/sir.sh
TESTS += tests/sir/sir.sh tests/sir/test_alloc tests/sir/test_asked tests/sir/test_phase \
	tests/sir/test_xml
