# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_requests
TESTS += %D%/test_requests

%C%_test_requests_SOURCES = %D%/test_requests.c
%C%_test_requests_LDADD = $(COLLECT_LIBS) $(CMOCKA_LIBS)
