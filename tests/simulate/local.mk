# SPDX-License-Identifier: BSD-3-Clause
# The simulator by itself, with threads, machines and records of the tests' making.
simulate_test_parts = %D%/blocks.h %D%/neighbours.h %D%/records.h monitor/collect/variants.c $(simulate_sources)
check_PROGRAMS += tests/simulate/test_sim
tests_simulate_test_sim_SOURCES = %D%/test_sim.c $(simulate_test_parts)
tests_simulate_test_sim_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_sim

check_PROGRAMS += tests/simulate/test_loops
tests_simulate_test_loops_SOURCES = %D%/test_loops.c %D%/column_sums.h %D%/loops.h monitor/client/column_log.c $(simulate_test_parts)
tests_simulate_test_loops_LDFLAGS = -Wl,--wrap=periods_play,--wrap=step_play,--wrap=iterations_play
tests_simulate_test_loops_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_loops

check_PROGRAMS += tests/simulate/test_loops_threads
tests_simulate_test_loops_threads_SOURCES = %D%/test_loops_threads.c %D%/column_sums.h %D%/loops.h monitor/client/column_log.c $(simulate_test_parts)
tests_simulate_test_loops_threads_LDFLAGS = -Wl,--wrap=split_play,--wrap=one_turn_play,--wrap=loop_part
tests_simulate_test_loops_threads_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_loops_threads

check_PROGRAMS += tests/simulate/test_choose
tests_simulate_test_choose_SOURCES = %D%/test_choose.c $(simulate_test_parts)
tests_simulate_test_choose_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_choose

check_PROGRAMS += tests/simulate/test_maps
tests_simulate_test_maps_SOURCES = %D%/test_maps.c $(simulate_test_parts)
tests_simulate_test_maps_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_maps

check_PROGRAMS += tests/simulate/test_channels
tests_simulate_test_channels_SOURCES = %D%/test_channels.c monitor/client/column_log.c $(simulate_test_parts)
tests_simulate_test_channels_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_channels

check_PROGRAMS += tests/simulate/test_walks
tests_simulate_test_walks_SOURCES = %D%/test_walks.c $(simulate_test_parts)
tests_simulate_test_walks_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_walks

check_PROGRAMS += tests/simulate/test_sample
tests_simulate_test_sample_SOURCES = %D%/test_sample.c monitor/client/sampled.c $(simulate_test_parts)
tests_simulate_test_sample_LDADD = base/libbase.la $(CMOCKA_LIBS) -lpthread -lm
TESTS += tests/simulate/test_sample

check_PROGRAMS += tests/simulate/test_hierarchy
tests_simulate_test_hierarchy_SOURCES = %D%/test_hierarchy.c %D%/blocks.h %D%/lists.h %D%/one_access.h $(simulate_cache)
tests_simulate_test_hierarchy_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_hierarchy

check_PROGRAMS += tests/simulate/test_share
tests_simulate_test_share_SOURCES = %D%/test_share.c %D%/blocks.h %D%/cores.h %D%/one_access.h $(simulate_coherence) $(simulate_cache)
tests_simulate_test_share_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_share

check_PROGRAMS += tests/simulate/test_share_many
tests_simulate_test_share_many_SOURCES = %D%/test_share_many.c %D%/blocks.h %D%/cores.h %D%/one_access.h $(simulate_coherence) $(simulate_cache)
tests_simulate_test_share_many_LDFLAGS = -Wl,--wrap=directory_apply
tests_simulate_test_share_many_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_share_many

check_PROGRAMS += tests/simulate/test_reuse
tests_simulate_test_reuse_SOURCES = %D%/test_reuse.c simulate/cache/reuse.c
tests_simulate_test_reuse_LDADD = $(CMOCKA_LIBS) -lm
TESTS += tests/simulate/test_reuse

check_PROGRAMS += tests/simulate/test_pattern
tests_simulate_test_pattern_SOURCES = %D%/test_pattern.c simulate/cache/lru_set.c simulate/cache/page_sets.c simulate/cache/pattern.c
tests_simulate_test_pattern_LDADD = $(CMOCKA_LIBS)
TESTS += tests/simulate/test_pattern

check_PROGRAMS += tests/simulate/test_overwrites
tests_simulate_test_overwrites_SOURCES = %D%/test_overwrites.c $(simulate_test_parts)
tests_simulate_test_overwrites_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/simulate/test_overwrites
