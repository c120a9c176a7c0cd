# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_collectors
TESTS += %D%/test_collectors

%C%_test_collectors_SOURCES = %D%/test_collectors.c
%C%_test_collectors_LDADD = $(COLLECT_LIBS) $(CMOCKA_LIBS)
