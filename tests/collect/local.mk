# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_requests
TESTS += %D%/test_requests

%C%_test_requests_SOURCES = %D%/test_requests.c
%C%_test_requests_LDADD = $(COLLECT_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += %D%/test_rank_trials
TESTS += %D%/test_rank_trials
%C%_test_rank_trials_SOURCES = %D%/test_rank_trials.c collect/rank_trials.c
%C%_test_rank_trials_LDADD = $(CMOCKA_LIBS) -lm
%C%_test_rank_trials_CPPFLAGS = $(AM_CPPFLAGS)
