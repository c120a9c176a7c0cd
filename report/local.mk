# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += report/libreport.la
report_libreport_la_SOURCES = \
	%D%/gate/check.c %D%/gate/check.h \
	%D%/gate/check_junit.c \
	%D%/gate/check_sarif.c \
	%D%/gate/check_text.c \
	%D%/text/classes.c \
	%D%/compare/compare.c %D%/compare/compare.h \
	%D%/compare/compare_json.c \
	%D%/compare/compare_markdown.c \
	%D%/compare/compare_problems.c %D%/compare/compare_problems.h \
	%D%/compare/compare_rows.c %D%/compare/compare_rows.h \
	%D%/compare/compare_short.c %D%/compare/compare_short.h \
	%D%/compare/compare_text.c \
	%D%/compare/count_beside.c %D%/compare/count_beside.h \
	%D%/gate/condition.c %D%/gate/condition.h \
	%D%/model/cost_tree.c %D%/model/cost_tree.h \
	%D%/model/cost_rows.c \
	%D%/text/explain.c %D%/text/explain.h \
	%D%/files/export.c \
	%D%/files/paraver.c %D%/files/paraver.h %D%/files/paraver_labels.c \
	%D%/files/perfetto.c \
	%D%/files/protobuf.c %D%/files/protobuf.h \
	%D%/files/timeline_csv.c \
	%D%/model/field_values.c %D%/model/fields.c %D%/model/fields.h \
	%D%/text/gains.c \
	%D%/text/cartography.c \
	%D%/text/flows.c \
	%D%/text/over_time.c %D%/text/over_time.h %D%/text/over_time_pieces.c \
	%D%/text/plot.c %D%/text/plot.h \
	%D%/text/portal.c %D%/text/portal_modules.c %D%/text/prediction.c \
	%D%/text/timeline_lines.c \
	%D%/text/timeline_misses.c \
	%D%/text/timeline_picture.c \
	%D%/text/tried.c \
	%D%/text/counted.c %D%/text/unit_samples.c %D%/text/times_alone.c \
	%D%/text/verified.c \
	%D%/model/figures.h \
	%D%/gate/history.c %D%/gate/history.h \
	%D%/words/markdown.c %D%/words/markdown.h \
	%D%/text/own.c \
	%D%/words/page.c %D%/words/page.h \
	%D%/text/paths.c \
	%D%/text/text_quote.c \
	%D%/words/time_words.c %D%/words/time_words.h \
	%D%/files/profiles.c \
	%D%/files/psc_read.c \
	%D%/files/psc_write.c \
	%D%/model/problems.c %D%/model/problems.h %D%/model/problem_rows.c %D%/model/problem_faults.c %D%/model/problem_nodes.c %D%/model/problem_waits.c %D%/model/passes.c %D%/model/savings.c \
	%D%/words/counted_words.c %D%/words/sampled_words.c \
	%D%/words/passes_words.c \
	%D%/words/problem_path.c \
	%D%/words/problem_words.c %D%/words/problem_words.h \
	%D%/words/quote.c %D%/words/quote.h \
	%D%/model/report.c %D%/model/report.h \
	%D%/files/json_schema.c \
	%D%/files/timeline_json.c \
	%D%/words/timeline_missing_words.c \
	%D%/words/timeline_names.c \
	%D%/words/timeline_sharing_words.c \
	%D%/words/timeline_structure_words.c \
	%D%/words/timeline_thread_words.c \
	%D%/words/timeline_module_words.c %D%/words/timeline_prediction_words.c %D%/words/timeline_walk_words.c \
	%D%/words/timeline_words.c %D%/words/timeline_words.h \
	%D%/text/short.c \
	%D%/words/sites.c %D%/words/sites.h \
	%D%/text/sure.c \
	%D%/text/text.c %D%/text/text.h \
	%D%/text/text_threads.c \
	%D%/model/thread_groups.c %D%/model/thread_groups.h \
	%D%/model/line_walks.c %D%/words/line_walk_words.c \
	%D%/model/ledger_cause.c %D%/model/ledger_cause.h %D%/model/field_tables.h \
	%D%/model/timeline_series.c %D%/model/timeline_series.h %D%/model/timeline_check.c \
	%D%/model/timeline_fields.c \
	%D%/model/timeline_lanes.c %D%/model/timeline_lanes.h \
	%D%/model/timeline_axis.c %D%/model/timeline_axis.h \
	%D%/model/timeline_edges.c \
	%D%/model/timeline_absent.c %D%/model/timeline_beside.c \
	%D%/model/timeline_facts.c %D%/model/timeline_facts.h \
	%D%/model/timeline_flows.c \
	%D%/model/timeline_groups.c \
	%D%/model/timeline_modules.c %D%/model/timeline_prediction.c %D%/model/timeline_prediction.h %D%/model/timeline_hands.c %D%/model/timeline_sharing.c \
	%D%/model/timeline_pace.c \
	%D%/model/timeline_strip.c \
	%D%/model/timeline_undrawn.c \
	%D%/model/timeline_walks.c \
	%D%/text/whynot.c \
	%D%/html/html.c %D%/html/html.h \
	%D%/html/html_facts.c \
	%D%/html/html_findings.c \
	%D%/html/html_flows.c \
	%D%/html/html_lines.c \
	%D%/html/html_matrix.c \
	%D%/html/html_own.c \
	%D%/html/html_counted.c %D%/html/html_sampled.c \
	%D%/html/html_measured.c \
	%D%/html/html_model.c \
	%D%/html/html_packed.c \
	%D%/html/html_pieces.c %D%/html/html_portals.c %D%/html/html_prediction.c \
	%D%/html/html_problems.c \
	%D%/html/html_processes.c \
	%D%/html/html_regions.c \
	%D%/html/html_source.c \
	%D%/html/html_structures.c \
	%D%/html/html_threads.c %D%/html/html_timeline.c %D%/html/html_trials.c %D%/html/html_views.c %D%/files/json.h \
	%D%/files/placement_code.c %D%/files/placement_forms.c %D%/files/placement_forms.h \
	%D%/model/place_choices.c %D%/model/place_choices.h \
	%D%/words/placed_words.c %D%/words/placed_words.h %D%/words/trial_words.c %D%/words/trial_words.h \
	%D%/words/line_words.c %D%/words/words.c %D%/words/words.h \
	%D%/files/wire.c
report_libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) $(ZLIB_CFLAGS)
report_libreport_la_LIBADD = base/libbase.la $(XML_LIBS) $(ZLIB_LIBS) -lm

# The page's style and script as C strings, without their first line, a licence.
report_text = sed -e 1d -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/'
report/html/page_css.inc: %D%/html/page.css
	$(AM_V_GEN)$(MKDIR_P) report/html && $(report_text) $(srcdir)/report/html/page.css >$@.tmp && mv $@.tmp $@
# page.js, then a script for each view.
report_page_js = %D%/html/page.js %D%/html/views/threads.js \
	%D%/html/views/time_data.js %D%/html/views/time_draw.js %D%/html/views/time_strip.js %D%/html/views/time_view.js \
	%D%/html/views/timeline_map.js %D%/html/views/timeline_paint.js %D%/html/views/timeline.js \
	%D%/html/views/cartography.js %D%/html/views/gantt.js %D%/html/views/flows.js \
	%D%/html/views/portals.js %D%/html/views/channels.js %D%/html/views/modules.js
report/html/page_js.inc: $(report_page_js)
	$(AM_V_GEN)$(MKDIR_P) report/html && for f in $(report_page_js); do $(report_text) $(srcdir)/$$f || exit 1; done >$@.tmp && mv $@.tmp $@
BUILT_SOURCES += report/html/page_css.inc report/html/page_js.inc
CLEANFILES += report/html/page_css.inc report/html/page_js.inc
EXTRA_DIST += %D%/html/page.css $(report_page_js)

bin_PROGRAMS += psc_report
psc_report_SOURCES = %D%/commands/psc_report.c %D%/commands/psc_report.h %D%/commands/psc_check.c \
	%D%/commands/psc_compare.c %D%/commands/psc_history.c %D%/commands/psc_over_time.c %D%/commands/psc_placement.c %D%/commands/psc_print.c \
	%D%/commands/psc_traces.c %D%/commands/target.c %D%/commands/target.h
psc_report_LDADD = report/libreport.la
dist_man_MANS += %D%/commands/psc_report.1
report/report.schema.json: psc_report$(EXEEXT)
	$(AM_V_GEN)./psc_report$(EXEEXT) --schema >$@.new && mv $@.new $@
nodist_pkgdata_DATA = report/report.schema.json
CLEANFILES += report/report.schema.json
EXTRA_DIST += %D%/README.md

check_PROGRAMS += tests/report/test_text tests/report/test_files tests/report/test_wire
tests_report_test_text_SOURCES = tests/report/test_text.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_text_LDADD = report/libreport.la $(CMOCKA_LIBS)
tests_report_test_files_SOURCES = tests/report/test_files.c tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h tests/report/json.c tests/report/json.h
tests_report_test_files_LDADD = report/libreport.la $(CMOCKA_LIBS)
tests_report_test_wire_SOURCES = tests/report/test_wire.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_wire_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_compare
tests_report_test_compare_SOURCES = tests/report/test_compare.c tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h tests/report/json.c tests/report/json.h
tests_report_test_compare_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_compare_short
tests_report_test_compare_short_SOURCES = tests/report/test_compare_short.c tests/report/sample.h
tests_report_test_compare_short_LDADD = report/libreport.la $(CMOCKA_LIBS)
TESTS += tests/report/test_compare_short
check_PROGRAMS += tests/report/test_threads
tests_report_test_threads_SOURCES = tests/report/test_threads.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_threads_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_threads

check_PROGRAMS += tests/report/test_line_walks
tests_report_test_line_walks_SOURCES = tests/report/test_line_walks.c
tests_report_test_line_walks_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_line_walks

check_PROGRAMS += tests/report/test_timeline
tests_report_test_timeline_SOURCES = tests/report/test_timeline.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_timeline_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_timeline
check_PROGRAMS += tests/report/test_packed
tests_report_test_packed_SOURCES = tests/report/test_packed.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_packed_LDADD = report/libreport.la $(CMOCKA_LIBS) $(ZLIB_LIBS) -lm
TESTS += tests/report/test_packed

check_PROGRAMS += tests/report/test_timeline_facts tests/report/test_timeline_words \
	tests/report/test_timeline_shown
tests_report_test_timeline_facts_SOURCES = tests/report/test_timeline_facts.c tests/report/made_timeline.c \
	tests/report/made_timeline.h
tests_report_test_timeline_facts_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
tests_report_test_timeline_words_SOURCES = tests/report/test_timeline_words.c tests/report/made_timeline.c \
	tests/report/made_timeline.h
tests_report_test_timeline_words_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
tests_report_test_timeline_shown_SOURCES = tests/report/test_timeline_shown.c tests/report/made_timeline.c \
	tests/report/made_timeline.h
tests_report_test_timeline_shown_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_timeline_facts tests/report/test_timeline_words \
	tests/report/test_timeline_shown
check_PROGRAMS += tests/report/test_prediction
tests_report_test_prediction_SOURCES = tests/report/test_prediction.c tests/report/made_timeline.c tests/report/made_timeline.h
tests_report_test_prediction_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_prediction
check_PROGRAMS += tests/report/test_over_time
tests_report_test_over_time_SOURCES = tests/report/test_over_time.c tests/report/made_timeline.c \
	tests/report/made_timeline.h tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_over_time_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_over_time
check_PROGRAMS += tests/report/test_time_words
tests_report_test_time_words_SOURCES = tests/report/test_time_words.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_time_words_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_time_words
check_PROGRAMS += tests/report/test_profiles
tests_report_test_profiles_SOURCES = tests/report/test_profiles.c tests/report/json.c tests/report/json.h
tests_report_test_profiles_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_profiles
check_PROGRAMS += tests/report/test_timeline_check
tests_report_test_timeline_check_SOURCES = tests/report/test_timeline_check.c tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h
tests_report_test_timeline_check_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_timeline_check
check_PROGRAMS += tests/report/test_traces
tests_report_test_traces_SOURCES = tests/report/test_traces.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_traces_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_traces
dist_check_SCRIPTS += tests/report/traces.sh tests/report/over_time.sh
TESTS += tests/report/traces.sh tests/report/over_time.sh
check_PROGRAMS += tests/report/test_count_beside
tests_report_test_count_beside_SOURCES = tests/report/test_count_beside.c
tests_report_test_count_beside_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_count_beside
check_PROGRAMS += tests/report/test_sites
tests_report_test_sites_SOURCES = tests/report/test_sites.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_sites_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_sites
check_PROGRAMS += tests/report/test_classes
tests_report_test_classes_SOURCES = tests/report/test_classes.c tests/report/sample.c tests/report/sample_timeline.c tests/report/sample.h
tests_report_test_classes_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_classes
check_PROGRAMS += tests/report/test_problems
tests_report_test_problems_SOURCES = tests/report/test_problems.c tests/report/made.c tests/report/made.h tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h
tests_report_test_problems_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_short
tests_report_test_short_SOURCES = tests/report/test_short.c tests/report/made.c tests/report/made.h tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h
tests_report_test_short_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_verdict
tests_report_test_verdict_SOURCES = tests/report/test_verdict.c tests/report/made.c tests/report/made.h tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h
tests_report_test_verdict_LDADD = report/libreport.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/report/test_memory
tests_report_test_memory_SOURCES = tests/report/test_memory.c tests/report/sample.c tests/report/sample_timeline.c \
	tests/report/sample.h
tests_report_test_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=strdup
tests_report_test_memory_LDADD = report/libreport.la $(CMOCKA_LIBS)
dist_check_SCRIPTS += tests/report/psc_report.sh tests/report/gate.sh tests/report/schema.sh \
	tests/report/page.sh tests/report/valgrind.sh
TESTS += tests/report/test_compare tests/report/test_text tests/report/test_files tests/report/test_wire \
	tests/report/test_problems tests/report/test_short tests/report/test_verdict tests/report/test_memory tests/report/psc_report.sh tests/report/gate.sh tests/report/schema.sh \
	tests/report/page.sh tests/report/valgrind.sh
EXTRA_DIST += tests/report/lu.txt tests/report/lu.psc tests/report/heat.psc tests/report/page.mjs \
	tests/report/page_report.awk tests/report/prv.awk

check_PROGRAMS += tests/report/test_trial_words
tests_report_test_trial_words_SOURCES = tests/report/test_trial_words.c
tests_report_test_trial_words_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_trial_words

check_PROGRAMS += tests/report/test_placement
tests_report_test_placement_SOURCES = tests/report/test_placement.c
tests_report_test_placement_LDADD = report/libreport.la $(CMOCKA_LIBS) -lm
TESTS += tests/report/test_placement
