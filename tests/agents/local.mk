# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_metrics %D%/test_sampled %D%/test_search %D%/test_sharing %D%/test_team %D%/test_waiting %D%/test_watch %D%/test_whatif %D%/test_whole
TESTS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_metrics %D%/test_sampled %D%/test_search %D%/test_sharing %D%/test_team %D%/test_waiting %D%/test_watch %D%/test_whatif %D%/test_whole

%C%_test_wire_SOURCES = %D%/test_wire.c
%C%_test_wire_LDADD = agents/libprotocol.la analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_options_SOURCES = %D%/test_options.c frontend/options.c
%C%_test_options_LDADD = analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_lives_SOURCES = %D%/test_lives.c frontend/front_lives.c
%C%_test_lives_LDADD = agents/libagent.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_load_SOURCES = %D%/test_load.c
%C%_test_load_LDADD = agents/libagent.la $(CMOCKA_LIBS)

%C%_test_sampled_SOURCES = %D%/test_sampled.c %D%/fixture.h
%C%_test_sampled_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_search_SOURCES = %D%/test_search.c %D%/fixture.h
%C%_test_search_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_metrics_SOURCES = %D%/test_metrics.c %D%/fixture.h
%C%_test_metrics_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_team_SOURCES = %D%/test_team.c %D%/fixture.h
%C%_test_team_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_waiting_SOURCES = %D%/test_waiting.c %D%/fixture.h
%C%_test_waiting_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_watch_SOURCES = %D%/test_watch.c frontend/watch.c
%C%_test_watch_LDADD = base/libbase.la $(CMOCKA_LIBS)

%C%_test_whatif_SOURCES = %D%/test_whatif.c %D%/fixture.h
%C%_test_whatif_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_whole_SOURCES = %D%/test_whole.c %D%/fixture.h
%C%_test_whole_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_sharing_SOURCES = %D%/test_sharing.c
%C%_test_sharing_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
