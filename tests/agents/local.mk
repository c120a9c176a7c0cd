# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_watch %D%/test_tree %D%/test_gather %D%/test_unequal %D%/test_schedule %D%/test_input_watch %D%/test_again %D%/test_code_files %D%/test_process
TESTS += %D%/test_wire %D%/test_options %D%/test_lives %D%/test_load %D%/test_watch %D%/test_tree %D%/test_gather %D%/test_unequal %D%/test_schedule %D%/test_input_watch %D%/test_again %D%/test_code_files %D%/test_process

%C%_test_wire_SOURCES = %D%/test_wire.c
%C%_test_wire_LDADD = agents/libprotocol.la analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_options_SOURCES = %D%/test_options.c frontend/hosts.c frontend/install_paths.c \
	frontend/mpi_launch.c frontend/collector_option.c frontend/options.c base/output_names.c
%C%_test_options_LDADD = analysis/libanalysis.la asl/libasl.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_lives_SOURCES = %D%/test_lives.c frontend/front_lives.c
%C%_test_lives_LDADD = agents/libagent.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_load_SOURCES = %D%/test_load.c
%C%_test_load_LDADD = agents/libagent.la $(CMOCKA_LIBS)

%C%_test_watch_SOURCES = %D%/test_watch.c frontend/watch.c
%C%_test_watch_LDADD = base/libbase.la $(CMOCKA_LIBS)

%C%_test_input_watch_SOURCES = %D%/test_input_watch.c frontend/input_watch.c
%C%_test_input_watch_LDADD = $(CMOCKA_LIBS)

%C%_test_code_files_SOURCES = %D%/test_code_files.c frontend/code_files.c binary/run_time.c
%C%_test_code_files_LDADD = base/libbase.la $(CMOCKA_LIBS)

%C%_test_again_SOURCES = %D%/test_again.c frontend/later_runs.c frontend/input_watch.c
%C%_test_again_LDADD = analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS)

%C%_test_tree_SOURCES = %D%/test_tree.c
%C%_test_tree_LDADD = agents/libprotocol.la $(CMOCKA_LIBS)

%C%_test_gather_SOURCES = %D%/test_gather.c
%C%_test_gather_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS) $(CMOCKA_LIBS)

%C%_test_schedule_SOURCES = %D%/test_schedule.c
%C%_test_schedule_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS) $(CMOCKA_LIBS)
%C%_test_unequal_SOURCES = %D%/test_unequal.c
%C%_test_unequal_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS) $(CMOCKA_LIBS)

# Its own monitor takes the place of monitor/client/.
%C%_test_process_SOURCES = %D%/test_process.c
%C%_test_process_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += %D%/test_code_places
TESTS += %D%/test_code_places
%C%_test_code_places_SOURCES = %D%/test_code_places.c agents/code_places.c base/err.c
%C%_test_code_places_LDADD = $(CMOCKA_LIBS)
%C%_test_code_places_CPPFLAGS = $(AM_CPPFLAGS)
