# SPDX-License-Identifier: BSD-3-Clause
# Text cases run by `aslc test`, units by cmocka.
TEST_EXTENSIONS += .test
TEST_LOG_DRIVER = $(LOG_DRIVER)
TEST_LOG_COMPILER = ./aslc
AM_TEST_LOG_FLAGS = test --model $(srcdir)/properties/model.asl
asl_text_tests = \
	tests/asl/balance.test \
	tests/asl/apart.test \
	tests/asl/constants.test \
	tests/asl/cycles.test \
	tests/asl/diagnostics.test \
	tests/asl/figures.test \
	tests/asl/habits.test \
	tests/asl/include.test \
	tests/asl/language.test \
	tests/asl/names.test \
	tests/asl/quality.test \
	tests/asl/sets.test \
	tests/asl/levels.test \
	tests/asl/memory.test \
	tests/asl/numa.test \
	tests/asl/sharing.test \
	tests/asl/processes.test \
	tests/asl/properties.test
TESTS += $(asl_text_tests)
EXTRA_DIST += $(asl_text_tests)

asl_shell_tests = \
	tests/asl/aslc.sh \
	tests/asl/complete.sh \
	tests/asl/doc.sh \
	tests/asl/editors.sh \
	tests/asl/fmt.sh \
	tests/asl/json.sh \
	tests/asl/limits.sh \
	tests/asl/memory.sh
dist_check_SCRIPTS += $(asl_shell_tests)
TESTS += $(asl_shell_tests)

check_PROGRAMS += tests/asl/test_asl
tests_asl_test_asl_SOURCES = tests/asl/test_asl.c
tests_asl_test_asl_LDADD = asl/libasl.la $(CMOCKA_LIBS)
tests_asl_test_asl_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=calloc -Wl,--wrap=free
TESTS += tests/asl/test_asl

check_PROGRAMS += tests/asl/test_parts
tests_asl_test_parts_SOURCES = tests/asl/test_parts.c
tests_asl_test_parts_LDADD = asl/libasl.la $(CMOCKA_LIBS) -lm
TESTS += tests/asl/test_parts


check_PROGRAMS += tests/asl/test_image
tests_asl_test_image_SOURCES = tests/asl/test_image.c
tests_asl_test_image_LDADD = asl/tools/libaslc.la $(CMOCKA_LIBS)
tests_asl_test_image_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=calloc -Wl,--wrap=free
TESTS += tests/asl/test_image

check_PROGRAMS += tests/asl/test_memory
tests_asl_test_memory_SOURCES = tests/asl/test_memory.c
tests_asl_test_memory_LDADD = asl/tools/libaslc.la $(CMOCKA_LIBS)
tests_asl_test_memory_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=calloc -Wl,--wrap=malloc \
	-Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=arena_alloc -Wl,--wrap=arena_array \
	-Wl,--wrap=arena_grow -Wl,--wrap=arena_strdup -Wl,--wrap=arena_strndup -Wl,--wrap=arena_printf
TESTS += tests/asl/test_memory
