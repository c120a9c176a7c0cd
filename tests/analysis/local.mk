# SPDX-License-Identifier: BSD-3-Clause
ANALYSIS_TESTS = %D%/test_app_parts %D%/test_burst_weights %D%/test_cost_cells %D%/test_cpu_parts %D%/test_estimate %D%/test_estimate_rows %D%/test_fault_costs %D%/test_flow %D%/test_frequent_calls %D%/test_like %D%/test_merge %D%/test_metrics %D%/test_mpi_match %D%/test_per_thread \
	%D%/test_plan_pack %D%/test_store %D%/test_event_counts \
	%D%/test_quantiles %D%/test_record_use %D%/test_runs %D%/test_sampled %D%/test_search %D%/test_sharing %D%/test_columns %D%/test_map_sizes %D%/test_site_misses %D%/test_walks \
	%D%/test_source_lines \
	%D%/test_times %D%/test_trials %D%/test_waiting %D%/test_wanted %D%/test_whatif
check_PROGRAMS += $(ANALYSIS_TESTS)
TESTS += $(ANALYSIS_TESTS)

%C%_test_plan_pack_SOURCES = %D%/test_plan_pack.c
%C%_test_plan_pack_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_trials_SOURCES = %D%/test_trials.c
%C%_test_trials_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_store_SOURCES = %D%/test_store.c
%C%_test_store_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
%C%_test_event_counts_SOURCES = %D%/test_event_counts.c %D%/fixture.h
%C%_test_event_counts_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_app_parts_SOURCES = %D%/test_app_parts.c %D%/fixture.h
%C%_test_app_parts_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

# Its neighbours are in the test.
%C%_test_cost_cells_SOURCES = %D%/test_cost_cells.c analysis/findings/cost_cells.c
%C%_test_cost_cells_CPPFLAGS = $(AM_CPPFLAGS)
%C%_test_cost_cells_LDADD = $(CMOCKA_LIBS) -lm

%C%_test_burst_weights_SOURCES = %D%/test_burst_weights.c %D%/fixture.h
%C%_test_burst_weights_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_cpu_parts_SOURCES = %D%/test_cpu_parts.c %D%/fixture.h
%C%_test_cpu_parts_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_estimate_SOURCES = %D%/test_estimate.c %D%/fixture.h
%C%_test_estimate_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_estimate_rows_SOURCES = %D%/test_estimate_rows.c %D%/fixture.h
%C%_test_estimate_rows_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_fault_costs_SOURCES = %D%/test_fault_costs.c %D%/fixture.h
%C%_test_fault_costs_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_flow_SOURCES = %D%/test_flow.c
%C%_test_flow_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS) -lm

%C%_test_frequent_calls_SOURCES = %D%/test_frequent_calls.c %D%/fixture.h
%C%_test_frequent_calls_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_like_SOURCES = %D%/test_like.c %D%/fixture.h
%C%_test_like_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_merge_SOURCES = %D%/test_merge.c
%C%_test_merge_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_metrics_SOURCES = %D%/test_metrics.c %D%/fixture.h
%C%_test_metrics_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_mpi_match_SOURCES = %D%/test_mpi_match.c
%C%_test_mpi_match_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_per_thread_SOURCES = %D%/test_per_thread.c %D%/fixture.h
%C%_test_per_thread_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_record_use_SOURCES = %D%/test_record_use.c %D%/fixture.h
%C%_test_record_use_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_sampled_SOURCES = %D%/test_sampled.c %D%/fixture.h
%C%_test_sampled_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_search_SOURCES = %D%/test_search.c %D%/fixture.h
%C%_test_search_LDADD = $(COLLECT_LIBS) $(CMOCKA_LIBS)

%C%_test_times_SOURCES = %D%/test_times.c %D%/fixture.h
%C%_test_times_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_waiting_SOURCES = %D%/test_waiting.c %D%/fixture.h
%C%_test_waiting_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_whatif_SOURCES = %D%/test_whatif.c %D%/fixture.h
%C%_test_whatif_LDADD = $(COLLECT_LIBS) $(CMOCKA_LIBS)

%C%_test_sharing_SOURCES = %D%/test_sharing.c
%C%_test_sharing_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_walks_SOURCES = %D%/test_walks.c
%C%_test_walks_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
%C%_test_columns_SOURCES = %D%/test_columns.c
%C%_test_columns_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
%C%_test_map_sizes_SOURCES = %D%/test_map_sizes.c
%C%_test_map_sizes_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
%C%_test_site_misses_SOURCES = %D%/test_site_misses.c
%C%_test_site_misses_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

%C%_test_source_lines_SOURCES = %D%/test_source_lines.c %D%/fixture.h
%C%_test_source_lines_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)


%C%_test_quantiles_SOURCES = %D%/test_quantiles.c
%C%_test_quantiles_LDADD = analysis/libanalysis.la base/libbase.la $(CMOCKA_LIBS) -lm

%C%_test_runs_SOURCES = %D%/test_runs.c
%C%_test_runs_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += %D%/test_whatif_places
TESTS += %D%/test_whatif_places
%C%_test_whatif_places_SOURCES = %D%/test_whatif_places.c analysis/findings/whatif_places.c
%C%_test_whatif_places_LDADD = $(CMOCKA_LIBS) -lm
%C%_test_whatif_places_CPPFLAGS = $(AM_CPPFLAGS)

%C%_test_wanted_SOURCES = %D%/test_wanted.c %D%/fixture.h
%C%_test_wanted_LDADD = $(ANALYSIS_LIBS) $(CMOCKA_LIBS)
