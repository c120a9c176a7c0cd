# SPDX-License-Identifier: BSD-3-Clause
# The burst recorder: its translator in a laboratory, and programs under it.
dist_check_SCRIPTS += %D%/known.sh %D%/same.sh
TESTS += %D%/known.sh %D%/same.sh
EXTRA_DIST += %D%/README.md %D%/programs
if FOREIGN
check_PROGRAMS += tests/burst/burstrun tests/burst/test_translate tests/burst/random_blocks
tests_burst_burstrun_SOURCES = %D%/burstrun.c %D%/reader.c %D%/reader.h

check_PROGRAMS += tests/burst/known tests/burst/manners tests/burst/own_malloc tests/burst/sandbox tests/burst/throws tests/burst/unloads
tests_burst_known_SOURCES = %D%/known.c burst/shared/burst.h
tests_burst_known_CFLAGS = -O1 $(PSC_CFLAGS)
tests_burst_known_LDFLAGS =
tests_burst_manners_SOURCES = %D%/manners.c
tests_burst_manners_CFLAGS = -O1 $(PSC_CFLAGS)
tests_burst_manners_LDFLAGS =
tests_burst_manners_LDADD = -lpthread
tests_burst_own_malloc_SOURCES = %D%/own_malloc.c
tests_burst_own_malloc_CFLAGS = -O1 -fno-builtin -fno-inline $(PSC_CFLAGS)
tests_burst_own_malloc_LDFLAGS =
tests_burst_own_malloc_LDADD = -lpthread
tests_burst_sandbox_SOURCES = %D%/sandbox.c
tests_burst_sandbox_CFLAGS = -O1 $(PSC_CFLAGS)
tests_burst_sandbox_LDFLAGS =
tests_burst_unloads_SOURCES = %D%/unloads.c
tests_burst_unloads_CFLAGS = -O1 $(PSC_CFLAGS)
tests_burst_unloads_LDFLAGS =
tests_burst_unloads_LDADD = -ldl
tests_burst_throws_SOURCES = %D%/throws.cc
tests_burst_throws_LDFLAGS =
tests_burst_throws_LDADD = -lpthread

# Neither with sanitizers: code runs that no compiler has made.
burst_laboratory = %D%/cpu.c %D%/cpu.h %D%/reader.c %D%/reader.h burst/accesses.c burst/callers.c burst/decode.c burst/dispatch.c \
	burst/encode.c burst/emit_block.c burst/emit_endings.c burst/native.c burst/code_ranges.c burst/thread_slots.c burst/thunk.c burst/translate.c
tests_burst_test_translate_SOURCES = %D%/test_translate.c $(burst_laboratory)
tests_burst_test_translate_CFLAGS = $(PSC_CFLAGS)
tests_burst_test_translate_LDFLAGS =
tests_burst_test_translate_LDADD = $(CMOCKA_LIBS) $(ZYDIS_LIBS)
TESTS += tests/burst/test_translate
check_PROGRAMS += tests/burst/test_tracked
tests_burst_test_tracked_SOURCES = %D%/test_tracked.c burst/arm_pages.c burst/arm_pages.h burst/forked.c burst/forked.h burst/statics.c burst/statics.h \
	burst/tracked.c burst/tracked.h
tests_burst_test_tracked_CFLAGS = $(PSC_CFLAGS)
tests_burst_test_tracked_LDFLAGS =
tests_burst_test_tracked_LDADD = $(CMOCKA_LIBS) -lpthread -ldl
TESTS += tests/burst/test_tracked
tests_burst_random_blocks_SOURCES = %D%/random_blocks.c $(burst_laboratory)
tests_burst_random_blocks_CFLAGS = $(PSC_CFLAGS)
tests_burst_random_blocks_LDFLAGS =
tests_burst_random_blocks_LDADD = $(ZYDIS_LIBS)
TESTS += tests/burst/random_blocks
endif
