# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_watch
TESTS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_watch

%C%_test_wire_SOURCES = %D%/test_wire.c
%C%_test_wire_LDADD = agents/libprotocol.la analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_options_SOURCES = %D%/test_options.c frontend/options.c base/output_names.c
%C%_test_options_LDADD = analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_lives_SOURCES = %D%/test_lives.c frontend/front_lives.c
%C%_test_lives_LDADD = agents/libagent.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_load_SOURCES = %D%/test_load.c
%C%_test_load_LDADD = agents/libagent.la $(CMOCKA_LIBS)

%C%_test_watch_SOURCES = %D%/test_watch.c frontend/watch.c
%C%_test_watch_LDADD = base/libbase.la $(CMOCKA_LIBS)
