# SPDX-License-Identifier: BSD-3-Clause
# Text cases run by `aslc test`, units by cmocka.
TEST_EXTENSIONS += .test
TEST_LOG_DRIVER = $(LOG_DRIVER)
TEST_LOG_COMPILER = ./aslc
AM_TEST_LOG_FLAGS = test --model $(srcdir)/properties/model.asl
asl_text_tests = \
	%D%/balance.test \
	%D%/mpi.test \
	%D%/apart.test \
	%D%/constants.test \
	%D%/cycles.test \
	%D%/diagnostics.test \
	%D%/events.test \
	%D%/faults.test \
	%D%/figures.test \
	%D%/habits.test \
	%D%/include.test \
	%D%/language.test \
	%D%/names.test \
	%D%/quality.test \
	%D%/sets.test \
	%D%/levels.test \
	%D%/memory.test \
	%D%/numa.test \
	%D%/objects.test \
	%D%/openmp.test \
	%D%/sharing.test \
	%D%/processes.test \
	%D%/scaling.test \
	%D%/time.test \
	%D%/properties.test
TESTS += $(asl_text_tests)
EXTRA_DIST += $(asl_text_tests)

asl_shell_tests = \
	%D%/aslc.sh \
	%D%/complete.sh \
	%D%/editors.sh \
	%D%/fmt.sh \
	%D%/json.sh \
	%D%/limits.sh \
	%D%/memory.sh
dist_check_SCRIPTS += $(asl_shell_tests)
TESTS += $(asl_shell_tests)

asl_unit_tests = %D%/test_asl %D%/test_image %D%/test_memory %D%/test_parts
check_PROGRAMS += $(asl_unit_tests)
TESTS += $(asl_unit_tests)
asl_unit_libs = asl/tools/libaslc.la $(CMOCKA_LIBS) -lm
asl_wrap_calloc = -static -Wl,--wrap=calloc -Wl,--wrap=free

%C%_test_asl_SOURCES = %D%/test_asl.c %D%/failing_calloc.h
%C%_test_asl_LDADD = $(asl_unit_libs)
%C%_test_asl_LDFLAGS = $(AM_LDFLAGS) $(asl_wrap_calloc)

%C%_test_image_SOURCES = %D%/test_image.c %D%/failing_calloc.h
%C%_test_image_LDADD = $(asl_unit_libs)
%C%_test_image_LDFLAGS = $(AM_LDFLAGS) $(asl_wrap_calloc)

%C%_test_memory_LDADD = $(asl_unit_libs)
%C%_test_memory_LDFLAGS = $(AM_LDFLAGS) $(asl_wrap_calloc) -Wl,--wrap=malloc -Wl,--wrap=realloc \
	-Wl,--wrap=arena_alloc -Wl,--wrap=arena_array -Wl,--wrap=arena_grow \
	-Wl,--wrap=arena_strdup -Wl,--wrap=arena_strndup -Wl,--wrap=arena_printf

%C%_test_parts_LDADD = $(asl_unit_libs)
