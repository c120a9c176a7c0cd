# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += base/libbase.la
base_libbase_la_SOURCES = \
	%D%/abi.h %D%/counters.def %D%/reuse_classes.h %D%/timeline_log.h \
	%D%/arena.c %D%/arena.h \
	%D%/by_field.h \
	%D%/buf.c %D%/buf.h \
	%D%/cache_dir.c %D%/cache_dir.h \
	%D%/cli.c %D%/cli.h \
	%D%/clock.h \
	%D%/dictionary.h \
	%D%/err.c %D%/err.h %D%/known.h %D%/malloc_settings.h \
	%D%/joined_axis.c %D%/joined_axis.h %D%/more_threads.c %D%/more_threads.h \
	%D%/file_kind.c %D%/file_kind.h \
	%D%/from_kernel.h \
	%D%/perf_open.h \
	%D%/life_cycle.c %D%/life_cycle.h \
	%D%/log.c %D%/log.h \
	%D%/exact_sum.c %D%/exact_sum.h \
	%D%/quantile.c %D%/quantile.h \
	%D%/ranks.c %D%/ranks.h \
	%D%/user_file.c %D%/user_file.h \
	%D%/csv_text.c %D%/csv_text.h \
	%D%/data_dir.c %D%/data_dir.h \
	%D%/output_names.c %D%/output_names.h \
	%D%/placement_file.c %D%/placement_file.h \
	%D%/region.c %D%/region.h \
	%D%/unit_tables.h \
	%D%/json_text.c %D%/json_text.h \
	%D%/fault_cause.c %D%/fault_cause.h \
	%D%/miss_kind.c %D%/miss_kind.h \
	%D%/tried_action.c %D%/tried_action.h \
	%D%/tried_fix.c %D%/tried_fix.h \
	%D%/run_dir.c %D%/run_dir.h \
	%D%/real_text.c %D%/real_text.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/spread_cpus.h \
	%D%/text_same.h \
	%D%/word_distance.c %D%/word_distance.h \
	%D%/xml_text.c %D%/xml_text.h
base_libbase_la_CPPFLAGS = $(AM_CPPFLAGS) -DPSC_BUILD_DIR='"$(abs_builddir)"' \
	-DPSC_SOURCE_DIR='"$(abs_srcdir)"' -DPSC_DATA_DIR='"$(pkgdatadir)"'

check_PROGRAMS += tests/base/test_base tests/base/test_sums tests/base/test_joined_axis \
	tests/base/test_placement_file
tests_base_test_base_SOURCES = tests/base/test_base.c
tests_base_test_base_LDADD = base/libbase.la $(CMOCKA_LIBS)
tests_base_test_sums_SOURCES = tests/base/test_sums.c
tests_base_test_sums_LDADD = base/libbase.la $(CMOCKA_LIBS) -lm
tests_base_test_joined_axis_SOURCES = tests/base/test_joined_axis.c
tests_base_test_joined_axis_LDADD = base/libbase.la $(CMOCKA_LIBS) -lm
tests_base_test_placement_file_SOURCES = tests/base/test_placement_file.c
tests_base_test_placement_file_LDADD = base/libbase.la $(CMOCKA_LIBS)
TESTS += tests/base/test_base tests/base/test_sums tests/base/test_joined_axis \
	tests/base/test_placement_file
EXTRA_DIST += %D%/README.md
