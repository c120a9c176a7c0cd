# SPDX-License-Identifier: BSD-3-Clause
# The proxy, with a recorder and names of the tests' making.
check_PROGRAMS += tests/foreign/test_preload
tests_foreign_test_preload_SOURCES = %D%/test_preload.c
tests_foreign_test_preload_LDADD = foreign/libpreload.la base/libbase.la $(CMOCKA_LIBS)
TESTS += tests/foreign/test_preload
if FOREIGN
check_PROGRAMS += tests/foreign/test_block_flow tests/foreign/test_branch_predictor tests/foreign/test_ranges tests/foreign/test_bursts \
	tests/foreign/test_pages tests/foreign/test_page_code tests/foreign/test_program_state \
	tests/foreign/test_page_history
tests_foreign_test_block_flow_SOURCES = %D%/test_block_flow.c foreign/block_flow.c
tests_foreign_test_block_flow_LDADD = $(ZYDIS_LIBS) $(CMOCKA_LIBS)
tests_foreign_test_branch_predictor_SOURCES = %D%/test_branch_predictor.c foreign/branch_predictor.c
tests_foreign_test_branch_predictor_LDADD = $(CMOCKA_LIBS)
tests_foreign_test_ranges_SOURCES = %D%/test_ranges.c foreign/ranges.c
tests_foreign_test_ranges_LDADD = $(CMOCKA_LIBS)
tests_foreign_test_program_state_SOURCES = %D%/test_program_state.c foreign/program_state.c
tests_foreign_test_program_state_LDADD = $(CMOCKA_LIBS)
tests_foreign_test_bursts_SOURCES = %D%/test_bursts.c %D%/made_up.h
tests_foreign_test_bursts_LDADD = foreign/libforeign.la samples/libkernelsource.la $(EVENTS_LIBS) base/libbase.la $(CMOCKA_LIBS)
tests_foreign_test_pages_SOURCES = %D%/test_pages.c %D%/made_up.h
tests_foreign_test_pages_LDFLAGS = $(AM_LDFLAGS) -static -Wl,--wrap=page_events_open -Wl,--wrap=page_events_cost
tests_foreign_test_pages_LDADD = foreign/libforeign.la samples/libkernelsource.la $(EVENTS_LIBS) base/libbase.la $(CMOCKA_LIBS)
tests_foreign_test_page_code_SOURCES = %D%/test_page_code.c foreign/page_code.c
tests_foreign_test_page_code_LDADD = $(ZYDIS_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/foreign/test_page_writes
tests_foreign_test_page_writes_SOURCES = %D%/test_page_writes.c
tests_foreign_test_page_writes_LDADD = foreign/libforeign.la samples/libkernelsource.la $(EVENTS_LIBS) base/libbase.la $(CMOCKA_LIBS)
TESTS += tests/foreign/test_page_writes
tests_foreign_test_page_history_SOURCES = %D%/test_page_history.c foreign/page_history.c monitor/client/column_log.c
tests_foreign_test_page_history_LDADD = $(CMOCKA_LIBS)
TESTS += tests/foreign/test_page_history
TESTS += tests/foreign/test_block_flow tests/foreign/test_branch_predictor tests/foreign/test_ranges tests/foreign/test_bursts tests/foreign/test_pages \
	tests/foreign/test_page_code tests/foreign/test_program_state
check_PROGRAMS += tests/foreign/test_hardware
tests_foreign_test_hardware_SOURCES = %D%/test_hardware.c %D%/made_up.h
tests_foreign_test_hardware_LDADD = foreign/libforeign.la $(EVENTS_LIBS) base/libbase.la $(CMOCKA_LIBS)
TESTS += tests/foreign/test_hardware
# psc_foreign with a virtual unit that samples accesses (samples/README.md).
check_PROGRAMS += tests/foreign/psc_foreign_virtual
tests_foreign_psc_foreign_virtual_SOURCES = foreign/psc_foreign.c %D%/virtual_source.c
tests_foreign_psc_foreign_virtual_LDADD = foreign/libforeign.la tests/samples/libvirtual.la $(EVENTS_LIBS) base/libbase.la
endif
