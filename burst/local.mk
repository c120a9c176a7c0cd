# SPDX-License-Identifier: BSD-3-Clause
# Preloaded into programs that the plugin did not compile: never built with sanitizers.  It exports the functions
# of the C library before which it stands, and nothing else.
burst_sources = burst/shared/burst.h \
	%D%/accesses.c %D%/accesses.h %D%/allocation.c %D%/arm_pages.c %D%/arm_pages.h %D%/callers.c %D%/callers.h %D%/creation.c %D%/decode.c %D%/decode.h \
	%D%/dispatch.c %D%/encode.c %D%/encode.h %D%/emit_block.c %D%/emit_block.h %D%/emit_endings.c %D%/event_ring.c %D%/event_ring.h \
	%D%/expiry.c %D%/expiry.h %D%/forked.c %D%/forked.h %D%/mappings.c %D%/memory.h %D%/native.c %D%/native.h %D%/next.h %D%/code_ranges.c %D%/sandbox.c \
	%D%/signal_calls.c %D%/signal_calls.h %D%/slot.h %D%/block_sites.c %D%/block_sites.h %D%/library_start.c %D%/statics.c %D%/statics.h %D%/sys.h %D%/thread_slots.c %D%/thread_slots.h %D%/thunk.c %D%/thunk.h %D%/tracked.c %D%/tracked.h \
	%D%/translate.c %D%/translate.h %D%/unloading.c
if FOREIGN
pkglib_LTLIBRARIES += burst/libpscburst.la
burst_libpscburst_la_SOURCES = $(burst_sources)
burst_libpscburst_la_CFLAGS = -O2 $(PSC_CFLAGS) -fvisibility=hidden -fexceptions -fno-builtin-malloc
burst_libpscburst_la_LIBTOOLFLAGS =
burst_libpscburst_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,nodelete -Wl,-z,now
burst_libpscburst_la_LIBADD = $(ZYDIS_LIBS) -ldl -lpthread
endif
EXTRA_DIST += %D%/README.md
