# SPDX-License-Identifier: BSD-3-Clause
# The library inside the application: never built with sanitizers, exports only what abi.h declares,
# is never unloaded (threads hold pointers into it).
lib_LTLIBRARIES += monitor/libpscmon.la
monitor_libpscmon_la_SOURCES = $(simulate_sources) \
	base/abi.h base/clock.h base/mpi_calls.h machine/flat.h monitor/shared/attach_message.h \
	monitor/shared/hello.h monitor/shared/result_rows.def monitor/shared/row_types.h monitor/shared/shm.h monitor/shared/socket_path.h \
	%D%/attach.c %D%/attach.h %D%/connect.c %D%/connect.h %D%/shutdown.c %D%/start.c \
	%D%/state.c %D%/state.h \
	%D%/address/address_map.c %D%/address/address_map.h %D%/address/allocation_hooks.c \
	%D%/address/block_counts.c %D%/address/block_counts.h \
	%D%/address/bindings.c %D%/address/bindings.h %D%/address/first_touch.c \
	%D%/address/first_touch.h %D%/address/heap.c %D%/address/heap.h \
	%D%/address/names.c %D%/address/names.h %D%/address/object_pages.c %D%/address/object_pages.h %D%/address/objects.c %D%/address/objects.h \
	%D%/address/page_numbers.c %D%/address/page_numbers.h %D%/address/pending.c \
	%D%/address/pending.h %D%/address/memory_policy.c %D%/address/memory_policy.h %D%/address/placement.c %D%/address/placement.h \
	%D%/address/shared_tables.c %D%/address/shared_tables.h %D%/address/small_blocks.c \
	%D%/address/small_blocks.h %D%/address/thread_variables.c %D%/address/thread_variables.h \
	%D%/collect/armed.h %D%/collect/byte_exchange.h %D%/collect/clean_collectors.c \
	%D%/collect/clean_collectors.h %D%/collect/column_rows.c %D%/collect/column_rows.h %D%/collect/experiment_rows.c %D%/collect/experiment_rows.h %D%/collect/count_rows.c %D%/collect/count_rows.h \
	%D%/collect/kernel_events.c %D%/collect/kernel_events.h %D%/collect/kernel_counts.c \
	%D%/collect/kernel_counts.h %D%/collect/mpi_rows.c %D%/collect/mpi_rows.h \
	%D%/collect/one_cpu.c %D%/collect/one_cpu.h %D%/collect/record_buffers.c %D%/collect/record_buffers.h \
	%D%/collect/record_check.c %D%/collect/record_check.h %D%/collect/record_collectors.c \
	%D%/collect/record_slices.c %D%/collect/runtime_collector.h \
	%D%/collect/runtime_collectors.c %D%/collect/sim_env.c %D%/collect/sim_env.h %D%/collect/simulations.c %D%/collect/simulations.h \
	%D%/collect/thread_nodes.c %D%/collect/thread_nodes.h \
	%D%/collect/site_rows.c %D%/collect/site_rows.h %D%/collect/walk_rows.c %D%/collect/walk_rows.h %D%/collect/map_writer.c %D%/collect/map_writer.h %D%/collect/slice_budget.c \
	%D%/collect/slice_budget.h %D%/collect/slice_rows.c %D%/collect/slices.c \
	%D%/collect/slices.h %D%/collect/part_users.c %D%/collect/part_users.h %D%/collect/touch_rows.c %D%/collect/touch_rows.h %D%/collect/trial_state.c %D%/collect/use_rows.c %D%/collect/use_rows.h %D%/collect/variants.c %D%/collect/process_copies.c %D%/collect/process_copies.h \
	%D%/collect/verify_copy.c \
	%D%/host/affinity.c %D%/host/affinity.h %D%/host/descriptors.c %D%/host/descriptors.h %D%/host/flags.h %D%/host/free_memory.c \
	%D%/host/libc.c %D%/host/locks.c %D%/host/locks.h %D%/host/mem.c %D%/host/mem.h \
	%D%/host/memory_nodes.c %D%/host/memory_nodes.h \
	%D%/host/reserve.c %D%/host/syscall_filter.c %D%/host/syscall_filter.h %D%/host/signals.c \
	%D%/host/signals.h %D%/host/stack_depth.c %D%/host/stacks.h %D%/host/threads.c \
	%D%/host/threads.h %D%/host/work_stack.c \
	%D%/phase/execution_source.c %D%/phase/execution_source.h %D%/phase/phase.c \
	%D%/phase/phase.h %D%/phase/phase_hooks.c %D%/phase/phase_requests.c \
	%D%/phase/timed_spans.c %D%/phase/timed_spans.h \
	%D%/regions/brief_regions.c %D%/regions/brief_regions.h %D%/regions/candidates.c \
	%D%/regions/candidates.h %D%/regions/compile_units.c %D%/regions/compile_units.h \
	%D%/regions/contexts.c %D%/regions/contexts.h %D%/regions/filters.c \
	%D%/regions/native_subroutines.c %D%/regions/native_subroutines.h %D%/regions/region_times.c \
	%D%/regions/region_times.h %D%/regions/regions.c %D%/regions/regions.h \
	%D%/regions/time_rows.c %D%/regions/time_rows.h \
	%D%/trial/action.h %D%/trial/action_list.c %D%/trial/large_pages.c %D%/trial/loaded_symbols.c \
	%D%/trial/loaded_symbols.h %D%/trial/malloc_action.c %D%/trial/nodes_action.c \
	%D%/trial/pagemap.c %D%/trial/pagemap.h %D%/trial/threads_action.c
monitor_libpscmon_la_CFLAGS = -O2 $(PSC_CFLAGS) -fvisibility=hidden
monitor_libpscmon_la_LIBTOOLFLAGS =
monitor_libpscmon_la_LDFLAGS = -version-info 1:0:0 -no-undefined -Wl,-z,nodelete \
	-Wl,@$(srcdir)/%D%/wrap.ld -export-symbols $(srcdir)/%D%/pscmon.sym
monitor_libpscmon_la_LIBADD = -lpthread
monitor_libpscmon_la_DEPENDENCIES = $(srcdir)/%D%/pscmon.sym $(srcdir)/%D%/wrap.ld $(srcdir)/%D%/link.sh
# The static library must not have other global names either.
monitor_libpscmon_la_LINK = CC='$(CC)' CFLAGS='$(CFLAGS)' AR='$(AR)' OBJCOPY='$(OBJCOPY)' \
	$(SHELL) $(srcdir)/%D%/link.sh $(srcdir)/%D%/pscmon.sym $@ \
	$(LIBTOOL) $(AM_V_lt) --tag=CC $(LIBTOOLFLAGS) --mode=link $(CCLD) \
	$(monitor_libpscmon_la_CFLAGS) $(CFLAGS) $(monitor_libpscmon_la_LDFLAGS) $(LDFLAGS) -o $@
EXTRA_DIST += %D%/pscmon.sym %D%/wrap.ld %D%/link.sh %D%/README.md %D%/trial/README.md
# For static programs without the C library, which are never measured.
lib_LIBRARIES += monitor/libpscidle.a
monitor_libpscidle_a_SOURCES = %D%/idle.c
monitor_libpscidle_a_CFLAGS = -O2 $(PSC_CFLAGS) -ffreestanding -fno-stack-protector
include_HEADERS = %D%/psc_object.h %D%/psc_phase.h

include monitor/client/local.mk
include monitor/mpi/local.mk
include tests/monitor/local.mk
