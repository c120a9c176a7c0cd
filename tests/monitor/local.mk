# SPDX-License-Identifier: BSD-3-Clause
# A small node agent for tests, a program instrumented by hand (shared and static), and scripts.
check_PROGRAMS += tests/monitor/simrun tests/monitor/app tests/monitor/app_static
tests_monitor_simrun_SOURCES = %D%/simrun.c %D%/simrun_print.c %D%/simrun.h
tests_monitor_simrun_CPPFLAGS = $(AM_CPPFLAGS) -DSIMRUN_MACHINE
tests_monitor_simrun_LDADD = monitor/client/libmonclient.la machine/libmachine.la base/libbase.la $(ZLIB_LIBS) -lm
tests_monitor_app_SOURCES = %D%/app.c
tests_monitor_app_CFLAGS = -O1 $(PSC_CFLAGS)
tests_monitor_app_LDFLAGS =
tests_monitor_app_LDADD = monitor/libpscmon.la -lpthread
tests_monitor_app_static_SOURCES = %D%/app.c
tests_monitor_app_static_CFLAGS = -O1 $(PSC_CFLAGS)
tests_monitor_app_static_LDFLAGS = -static
tests_monitor_app_static_LDADD = monitor/libpscmon.la -lpthread
dist_check_SCRIPTS += %D%/monitor.sh
TESTS += %D%/monitor.sh

check_PROGRAMS += tests/monitor/test_client
tests_monitor_test_client_SOURCES = %D%/test_client.c
tests_monitor_test_client_LDADD = monitor/client/libmonclient.la base/libbase.la $(CMOCKA_LIBS) -lm
TESTS += tests/monitor/test_client

dist_check_SCRIPTS += %D%/cachegrind.sh
TESTS += %D%/cachegrind.sh
EXTRA_DIST += %D%/kernels.c
dist_check_SCRIPTS += %D%/vanish.sh
TESTS += %D%/vanish.sh
dist_check_SCRIPTS += %D%/tsan.sh
TESTS += %D%/tsan.sh
EXTRA_DIST += %D%/races.c
dist_check_SCRIPTS += %D%/sandbox.sh
TESTS += %D%/sandbox.sh
EXTRA_DIST += %D%/sandbox.c %D%/sandbox_part.c
dist_check_SCRIPTS += %D%/rules.sh
TESTS += %D%/rules.sh
dist_check_SCRIPTS += %D%/objects.sh
TESTS += %D%/objects.sh
EXTRA_DIST += %D%/objects.f90
dist_check_SCRIPTS += %D%/names.sh
TESTS += %D%/names.sh
EXTRA_DIST += %D%/names
dist_check_SCRIPTS += %D%/budget.sh %D%/first.sh
TESTS += %D%/budget.sh %D%/first.sh
EXTRA_DIST += %D%/first.c
dist_check_SCRIPTS += %D%/lines.sh
TESTS += %D%/lines.sh
EXTRA_DIST += %D%/lines.c %D%/lines.f90

check_PROGRAMS += tests/monitor/test_site_rows
tests_monitor_test_site_rows_SOURCES = %D%/test_site_rows.c monitor/collect/site_rows.c
tests_monitor_test_site_rows_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_site_rows

check_PROGRAMS += tests/monitor/test_map_rows
tests_monitor_test_map_rows_SOURCES = %D%/test_map_rows.c %D%/shared_memory.h tests/simulate/blocks.h monitor/collect/map_writer.c simulate/cache/map_counts.c
tests_monitor_test_map_rows_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_map_rows

check_PROGRAMS += tests/monitor/test_use_rows
tests_monitor_test_use_rows_SOURCES = %D%/test_use_rows.c %D%/shared_memory.h tests/simulate/blocks.h monitor/collect/use_rows.c simulate/cache/map_counts.c
tests_monitor_test_use_rows_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_use_rows

check_PROGRAMS += tests/monitor/test_touch_rows
tests_monitor_test_touch_rows_SOURCES = %D%/test_touch_rows.c monitor/address/first_touch.c monitor/collect/touch_rows.c
tests_monitor_test_touch_rows_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_touch_rows

check_PROGRAMS += tests/monitor/test_locality
tests_monitor_test_locality_SOURCES = %D%/test_locality.c %D%/shared_memory.h monitor/collect/part_users.c
tests_monitor_test_locality_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_locality

check_PROGRAMS += tests/monitor/test_thread_nodes
tests_monitor_test_thread_nodes_SOURCES = %D%/test_thread_nodes.c %D%/shared_memory.h \
	monitor/collect/thread_nodes.c
tests_monitor_test_thread_nodes_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_thread_nodes

check_PROGRAMS += tests/monitor/test_memory_nodes
tests_monitor_test_memory_nodes_SOURCES = %D%/test_memory_nodes.c monitor/host/memory_nodes.c
tests_monitor_test_memory_nodes_LDFLAGS = -Wl,--wrap=syscall,--wrap=sched_getcpu
tests_monitor_test_memory_nodes_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_memory_nodes

check_PROGRAMS += tests/monitor/test_variants
tests_monitor_test_variants_SOURCES = %D%/test_variants.c %D%/shared_memory.h monitor/host/mem.c monitor/host/reserve.c monitor/address/page_numbers.c monitor/collect/sim_env.c \
	monitor/collect/variants.c $(simulate_sources)
tests_monitor_test_variants_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_variants

check_PROGRAMS += tests/monitor/test_slices
tests_monitor_test_slices_SOURCES = %D%/test_slices.c %D%/shared_memory.h monitor/collect/slice_rows.c
tests_monitor_test_slices_LDADD = monitor/client/libmonclient.la base/libbase.la $(CMOCKA_LIBS) -lm
TESTS += tests/monitor/test_slices

check_PROGRAMS += tests/monitor/test_bindings
tests_monitor_test_bindings_SOURCES = %D%/test_bindings.c monitor/address/bindings.c
tests_monitor_test_bindings_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_bindings

check_PROGRAMS += tests/monitor/test_slice_budget
tests_monitor_test_slice_budget_SOURCES = %D%/test_slice_budget.c %D%/shared_memory.h monitor/collect/slice_budget.c
tests_monitor_test_slice_budget_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_slice_budget

check_PROGRAMS += tests/monitor/test_page_numbers
tests_monitor_test_page_numbers_SOURCES = %D%/test_page_numbers.c monitor/host/mem.c monitor/host/reserve.c monitor/address/page_numbers.c \
	monitor/collect/variants.c
tests_monitor_test_page_numbers_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_page_numbers

check_PROGRAMS += tests/monitor/test_heap
tests_monitor_test_heap_SOURCES = %D%/test_heap.c %D%/shared_memory.h monitor/address/allocation_hooks.c monitor/address/block_counts.c monitor/address/heap.c monitor/address/small_blocks.c monitor/address/pending.c monitor/state.c
tests_monitor_test_heap_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_heap

check_PROGRAMS += tests/monitor/test_check
tests_monitor_test_check_SOURCES = %D%/test_check.c %D%/shared_memory.h monitor/collect/record_check.c monitor/state.c
tests_monitor_test_check_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_check

check_PROGRAMS += tests/monitor/test_record
tests_monitor_test_record_SOURCES = %D%/test_record.c %D%/shared_memory.h monitor/collect/record_buffers.c monitor/collect/simulations.c monitor/collect/thread_nodes.c monitor/collect/experiment_rows.c monitor/collect/column_rows.c monitor/collect/count_rows.c monitor/collect/site_rows.c monitor/collect/walk_rows.c monitor/collect/map_writer.c monitor/collect/touch_rows.c monitor/collect/use_rows.c monitor/collect/slice_rows.c monitor/state.c $(simulate_cache) $(simulate_coherence)
tests_monitor_test_record_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_record

check_PROGRAMS += tests/monitor/test_trial
tests_monitor_test_trial_SOURCES = %D%/test_trial.c %D%/shared_memory.h monitor/collect/trial_state.c monitor/host/mem.c monitor/host/reserve.c monitor/state.c \
	monitor/trial/loaded_symbols.c monitor/trial/malloc_action.c
tests_monitor_test_trial_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_trial

check_PROGRAMS += tests/monitor/test_large_pages
tests_monitor_test_large_pages_SOURCES = %D%/test_large_pages.c monitor/host/mem.c monitor/host/reserve.c monitor/state.c \
	monitor/trial/large_pages.c monitor/trial/pagemap.c
tests_monitor_test_large_pages_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_large_pages

check_PROGRAMS += tests/monitor/test_threads_action
tests_monitor_test_threads_action_SOURCES = %D%/test_threads_action.c monitor/host/affinity.c monitor/host/mem.c \
	monitor/host/reserve.c monitor/state.c monitor/trial/threads_action.c
tests_monitor_test_threads_action_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_threads_action

check_PROGRAMS += tests/monitor/test_nodes_action
tests_monitor_test_nodes_action_SOURCES = %D%/test_nodes_action.c monitor/host/mem.c monitor/host/reserve.c monitor/state.c \
	monitor/host/memory_nodes.c monitor/trial/nodes_action.c
tests_monitor_test_nodes_action_LDFLAGS = -Wl,--wrap=syscall
tests_monitor_test_nodes_action_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_nodes_action

check_PROGRAMS += tests/monitor/test_memory_policy
tests_monitor_test_memory_policy_SOURCES = %D%/test_memory_policy.c %D%/shared_memory.h monitor/host/mem.c monitor/host/memory_nodes.c \
	monitor/host/reserve.c monitor/state.c monitor/address/memory_policy.c
tests_monitor_test_memory_policy_LDFLAGS = -Wl,--wrap=syscall
tests_monitor_test_memory_policy_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_memory_policy

check_PROGRAMS += tests/monitor/test_timed
tests_monitor_test_timed_SOURCES = %D%/test_timed.c %D%/shared_memory.h monitor/state.c monitor/phase/timed_spans.c
tests_monitor_test_timed_LDFLAGS = -Wl,--wrap=clock_gettime
tests_monitor_test_timed_LDADD = $(CMOCKA_LIBS)
TESTS += tests/monitor/test_timed

check_PROGRAMS += tests/monitor/test_times
tests_monitor_test_times_SOURCES = %D%/test_times.c %D%/shared_memory.h monitor/regions/brief_regions.c monitor/regions/contexts.c monitor/regions/filters.c monitor/collect/kernel_counts.c monitor/regions/region_times.c \
	monitor/regions/regions.c monitor/state.c monitor/regions/time_rows.c monitor/collect/slice_rows.c
tests_monitor_test_times_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=syscall
tests_monitor_test_times_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_times

check_PROGRAMS += tests/monitor/test_free_memory
tests_monitor_test_free_memory_SOURCES = %D%/test_free_memory.c monitor/host/free_memory.c
tests_monitor_test_free_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=syscall,--wrap=close
tests_monitor_test_free_memory_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_free_memory

check_PROGRAMS += tests/monitor/test_events
tests_monitor_test_events_SOURCES = %D%/test_events.c %D%/shared_memory.h monitor/collect/kernel_events.c monitor/host/syscall_filter.c monitor/host/descriptors.c monitor/state.c
tests_monitor_test_events_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_events

check_PROGRAMS += tests/monitor/test_collectors
tests_monitor_test_collectors_SOURCES = %D%/test_collectors.c %D%/shared_memory.h monitor/phase/execution_source.c monitor/phase/phase.c \
	monitor/phase/phase_requests.c monitor/state.c
tests_monitor_test_collectors_LDADD = $(CMOCKA_LIBS) -lpthread
TESTS += tests/monitor/test_collectors
