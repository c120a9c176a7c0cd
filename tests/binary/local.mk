# SPDX-License-Identifier: BSD-3-Clause
if FOREIGN
check_PROGRAMS += %D%/ask %D%/test_demangle %D%/test_flow
tests_binary_ask_SOURCES = %D%/ask.c
tests_binary_ask_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS)
tests_binary_ask_LDADD = binary/libbinary.la
tests_binary_test_demangle_SOURCES = %D%/test_demangle.c
tests_binary_test_demangle_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS)
tests_binary_test_demangle_LDADD = binary/libbinary.la $(CMOCKA_LIBS)
tests_binary_test_flow_SOURCES = %D%/test_flow.c
tests_binary_test_flow_LDADD = binary/libbinary.la $(CMOCKA_LIBS)
TESTS += %D%/test_demangle %D%/test_flow
endif
dist_check_SCRIPTS += %D%/names.sh
TESTS += %D%/names.sh
EXTRA_DIST += %D%/ask.c %D%/log_blocks.c %D%/test_demangle.c %D%/test_flow.c \
	%D%/programs/blocks.c %D%/programs/cold.c %D%/programs/loops.c \
	%D%/programs/inlined.f90 %D%/programs/module.f90 %D%/programs/objects.cpp %D%/programs/threads.c \
	%D%/programs/vectors.rs
