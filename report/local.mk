# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += report/libreport.la
report_libreport_la_SOURCES = \
	%D%/check.c %D%/check.h \
	%D%/check_junit.c \
	%D%/check_sarif.c \
	%D%/check_text.c \
	%D%/classes.c \
	%D%/compare.c %D%/compare.h \
	%D%/compare_json.c \
	%D%/compare_markdown.c \
	%D%/compare_problems.c %D%/compare_problems.h \
	%D%/compare_rows.c %D%/compare_rows.h \
	%D%/compare_short.c %D%/compare_short.h \
	%D%/compare_text.c \
	%D%/condition.c %D%/condition.h \
	%D%/cost_tree.c %D%/cost_tree.h \
	%D%/costs.c \
	%D%/explain.c %D%/explain.h \
	%D%/export.c \
	%D%/fields.c %D%/fields.h \
	%D%/gains.c \
	%D%/verified.c \
	%D%/figures.h \
	%D%/history.c %D%/history.h \
	%D%/markdown.c %D%/markdown.h \
	%D%/own.c \
	%D%/page.c %D%/page.h \
	%D%/paths.c \
	%D%/text_quote.c \
	%D%/time_words.c %D%/time_words.h \
	%D%/profiles.c \
	%D%/psc_read.c \
	%D%/psc_write.c \
	%D%/problems.c \
	%D%/problem_path.c \
	%D%/problem_words.c %D%/problem_words.h \
	%D%/quote.c %D%/quote.h \
	%D%/report.c %D%/report.h \
	%D%/schema.c \
	%D%/short.c \
	%D%/sites.c %D%/sites.h \
	%D%/sure.c \
	%D%/text.c %D%/text.h \
	%D%/text_threads.c \
	%D%/threads.c %D%/threads.h \
	%D%/whynot.c \
	%D%/html.c %D%/html.h \
	%D%/html_findings.c \
	%D%/html_lines.c \
	%D%/html_matrix.c \
	%D%/html_own.c \
	%D%/html_measured.c \
	%D%/html_model.c \
	%D%/html_pieces.c \
	%D%/html_problems.c \
	%D%/html_processes.c \
	%D%/html_regions.c \
	%D%/html_source.c \
	%D%/html_structures.c \
	%D%/html_threads.c \
	%D%/words.c %D%/words.h \
	%D%/wire.c
report_libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
report_libreport_la_LIBADD = base/libbase.la $(XML_LIBS) -lm

# The page's style and script as C strings, without their first line, a licence.
report_string = $(AM_V_GEN)$(MKDIR_P) report && sed -e 1d -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/'
report/page_css.inc: %D%/page.css
	$(report_string) $(srcdir)/report/page.css >$@.tmp && mv $@.tmp $@
report/page_js.inc: %D%/page.js
	$(report_string) $(srcdir)/report/page.js >$@.tmp && mv $@.tmp $@
BUILT_SOURCES += report/page_css.inc report/page_js.inc
CLEANFILES += report/page_css.inc report/page_js.inc
EXTRA_DIST += %D%/page.css %D%/page.js

bin_PROGRAMS += psc_report
psc_report_SOURCES = %D%/psc_report.c %D%/psc_report.h %D%/psc_check.c %D%/psc_compare.c %D%/psc_history.c %D%/target.c %D%/target.h
psc_report_LDADD = report/libreport.la
dist_man_MANS += %D%/psc_report.1
report/report.schema.json: psc_report$(EXEEXT)
	$(AM_V_GEN)./psc_report$(EXEEXT) --schema >$@.new && mv $@.new $@
nodist_pkgdata_DATA = report/report.schema.json
CLEANFILES += report/report.schema.json
EXTRA_DIST += %D%/README.md

check_PROGRAMS += tests/report/test_text tests/report/test_files tests/report/test_wire
tests_report_test_text_SOURCES = tests/report/test_text.c tests/report/sample.c tests/report/sample.h
tests_report_test_text_LDADD = report/libreport.la $(CMOCKA_LIBS)
tests_report_test_files_SOURCES = tests/report/test_files.c tests/report/sample.c \
	tests/report/sample.h tests/report/json.c tests/report/json.h
tests_report_test_files_LDADD = report/libreport.la $(CMOCKA_LIBS)
tests_report_test_wire_SOURCES = tests/report/test_wire.c tests/report/sample.c tests/report/sample.h
tests_report_test_wire_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_compare
tests_report_test_compare_SOURCES = tests/report/test_compare.c tests/report/sample.c \
	tests/report/sample.h tests/report/json.c tests/report/json.h
tests_report_test_compare_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_compare_short
tests_report_test_compare_short_SOURCES = tests/report/test_compare_short.c tests/report/sample.h
tests_report_test_compare_short_LDADD = report/libreport.la $(CMOCKA_LIBS)
TESTS += tests/report/test_compare_short
check_PROGRAMS += tests/report/test_threads
tests_report_test_threads_SOURCES = tests/report/test_threads.c tests/report/sample.c tests/report/sample.h
tests_report_test_threads_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_threads

check_PROGRAMS += tests/report/test_time_words
tests_report_test_time_words_SOURCES = tests/report/test_time_words.c tests/report/sample.c tests/report/sample.h
tests_report_test_time_words_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_time_words
check_PROGRAMS += tests/report/test_profiles
tests_report_test_profiles_SOURCES = tests/report/test_profiles.c tests/report/json.c tests/report/json.h
tests_report_test_profiles_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_profiles
check_PROGRAMS += tests/report/test_sites
tests_report_test_sites_SOURCES = tests/report/test_sites.c tests/report/sample.c tests/report/sample.h
tests_report_test_sites_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_sites
check_PROGRAMS += tests/report/test_classes
tests_report_test_classes_SOURCES = tests/report/test_classes.c tests/report/sample.c tests/report/sample.h
tests_report_test_classes_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_classes
check_PROGRAMS += tests/report/test_problems
tests_report_test_problems_SOURCES = tests/report/test_problems.c tests/report/made.c tests/report/made.h tests/report/sample.c \
	tests/report/sample.h
tests_report_test_problems_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_short
tests_report_test_short_SOURCES = tests/report/test_short.c tests/report/made.c tests/report/made.h tests/report/sample.c \
	tests/report/sample.h
tests_report_test_short_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_memory
tests_report_test_memory_SOURCES = tests/report/test_memory.c tests/report/sample.c \
	tests/report/sample.h
tests_report_test_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=strdup
tests_report_test_memory_LDADD = report/libreport.la $(CMOCKA_LIBS)
dist_check_SCRIPTS += tests/report/psc_report.sh tests/report/gate.sh tests/report/schema.sh \
	tests/report/page.sh tests/report/valgrind.sh
TESTS += tests/report/test_compare tests/report/test_text tests/report/test_files tests/report/test_wire \
	tests/report/test_problems tests/report/test_short tests/report/test_memory tests/report/psc_report.sh tests/report/gate.sh tests/report/schema.sh \
	tests/report/page.sh tests/report/valgrind.sh
EXTRA_DIST += tests/report/lu.txt tests/report/before_cpu_time.psc tests/report/nothing_to_all.psc tests/report/page.mjs \
	tests/report/page_report.awk
