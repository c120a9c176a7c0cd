# SPDX-License-Identifier: BSD-3-Clause
PHASE_TESTS = %D%/test_choice %D%/test_log
check_PROGRAMS += $(PHASE_TESTS)
TESTS += $(PHASE_TESTS)
PHASE_TEST_LIBS = phase/libphase.la base/libbase.la $(CMOCKA_LIBS) -lm

%C%_test_choice_SOURCES = %D%/test_choice.c
%C%_test_choice_LDADD = $(PHASE_TEST_LIBS)
%C%_test_log_SOURCES = %D%/test_log.c
%C%_test_log_LDADD = $(PHASE_TEST_LIBS)
EXTRA_DIST += %D%/logs
