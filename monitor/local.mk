# SPDX-License-Identifier: BSD-3-Clause
# The library inside the application: never built with sanitizers, exports only what abi.h declares,
# is never unloaded (threads hold pointers into it).
lib_LTLIBRARIES += monitor/libpscmon.la
monitor_libpscmon_la_SOURCES = $(simulate_sources) \
	base/abi.h base/clock.h base/mpi_calls.h machine/flat.h monitor/shared/attach.h monitor/shared/shm.h monitor/shared/socket_path.h \
	%D%/address_map.c %D%/allocation_hooks.c %D%/attach.c %D%/attach.h %D%/bindings.c %D%/brief_regions.c %D%/brief_regions.h %D%/byte_exchange.h %D%/candidates.c %D%/candidates.h %D%/compile_units.c %D%/connect.c %D%/contexts.c \
	%D%/contexts.h %D%/count_rows.c %D%/descriptors.c %D%/events.c %D%/events.h %D%/filters.c %D%/flags.h %D%/free_memory.c %D%/heap.c %D%/heap.h %D%/kernel_use.c %D%/kernel_use.h %D%/libc.c \
	%D%/locks.c %D%/mem.c %D%/mpi_rows.c %D%/mpi_rows.h %D%/native_calls.c %D%/native_calls.h %D%/objects.c %D%/one_cpu.c %D%/one_cpu.h %D%/page_numbers.c %D%/pending.c %D%/pending.h %D%/phase.c %D%/phase.h %D%/phase_hooks.c %D%/phase_requests.c \
	%D%/placement.c %D%/placement.h %D%/pscmon.h %D%/record.c %D%/record.h %D%/record_check.c %D%/record_check.h %D%/record_slices.c \
	%D%/regions.c %D%/region_times.c %D%/region_times.h %D%/reserve.c %D%/sandbox.c %D%/sandbox.h %D%/shared_tables.c %D%/signals.c %D%/site_rows.c %D%/site_rows.h %D%/sim_env.c %D%/slice_budget.c %D%/slice_budget.h %D%/slice_rows.c %D%/small_blocks.c %D%/small_blocks.h %D%/slices.c \
	%D%/slices.h %D%/stack_depth.c %D%/start.c %D%/state.c %D%/shutdown.c %D%/threads.c %D%/thread_variables.c %D%/time_rows.c %D%/timed_spans.c %D%/timed_spans.h %D%/variants.c %D%/verify.c %D%/verify_copy.c \
	%D%/verify.h %D%/work_stack.c
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
EXTRA_DIST += %D%/pscmon.sym %D%/wrap.ld %D%/link.sh %D%/README.md
# For static programs without the C library, which are never measured.
lib_LIBRARIES += monitor/libpscidle.a
monitor_libpscidle_a_SOURCES = %D%/idle.c
monitor_libpscidle_a_CFLAGS = -O2 $(PSC_CFLAGS) -ffreestanding -fno-stack-protector
include_HEADERS = %D%/psc_object.h %D%/psc_phase.h

include monitor/client/local.mk
include monitor/mpi/local.mk
include tests/monitor/local.mk
