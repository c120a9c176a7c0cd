# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += machine/libmachine.la
machine_libmachine_la_SOURCES = \
	%D%/validate.c \
	%D%/cache_sizes.c %D%/cache_sizes.h \
	%D%/calibrate.c \
	%D%/calibration.h %D%/calibration_file.c \
	%D%/calibration_due.c %D%/calibration_due.h \
	%D%/cpu_clock.h \
	%D%/huge_pages.c %D%/huge_pages.h \
	%D%/kernels.c %D%/kernels.h \
	%D%/faults.c %D%/faults.h \
	%D%/memory_room.c \
	%D%/series.c %D%/series.h \
	%D%/cost_slices.c %D%/cost_slices.h \
	%D%/cores.c %D%/cores.h \
	%D%/usable.c %D%/usable.h \
	%D%/working_sets.c %D%/working_sets.h \
	%D%/line_costs.c %D%/line_costs.h \
	%D%/elements.c %D%/elements.h \
	%D%/find.c \
	%D%/flat.h \
	%D%/host.c \
	%D%/local.h \
	%D%/machine.h \
	%D%/read.c \
	%D%/threads_on.c \
	%D%/write.c
if HWLOC
machine_libmachine_la_SOURCES += %D%/host_hwloc.c
else
machine_libmachine_la_SOURCES += %D%/host_unread.c
endif
machine_libmachine_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) $(HWLOC_CFLAGS)
machine_libmachine_la_LIBADD = base/libbase.la $(XML_LIBS) $(HWLOC_LIBS) -lpthread -lm

bin_PROGRAMS += psc_machine
psc_machine_SOURCES = %D%/psc_machine.c %D%/psc_machine.h %D%/print_costs.c
psc_machine_LDADD = machine/libmachine.la

nobase_dist_pkgdata_DATA += \
	%D%/a64fx.xml \
	%D%/calibration.rng \
	%D%/epyc-2s.xml \
	%D%/itanium2.xml \
	%D%/machine.rng \
	%D%/x86-server.xml \
	%D%/xeon-2s.xml
dist_man_MANS += %D%/psc_machine.1
EXTRA_DIST += %D%/README.md

check_PROGRAMS += tests/machine/test_machine
tests_machine_test_machine_SOURCES = tests/machine/test_machine.c
tests_machine_test_machine_LDADD = machine/libmachine.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/machine/test_costs tests/machine/test_measuring \
	tests/machine/test_calibrate tests/machine/test_due
tests_machine_test_due_SOURCES = tests/machine/test_due.c
tests_machine_test_due_LDADD = machine/libmachine.la $(CMOCKA_LIBS)
tests_machine_test_costs_SOURCES = tests/machine/test_costs.c
tests_machine_test_costs_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
tests_machine_test_costs_LDADD = machine/libmachine.la $(XML_LIBS) $(CMOCKA_LIBS)
tests_machine_test_measuring_SOURCES = tests/machine/test_measuring.c
tests_machine_test_measuring_LDADD = machine/libmachine.la $(CMOCKA_LIBS)
tests_machine_test_calibrate_SOURCES = tests/machine/test_calibrate.c
tests_machine_test_calibrate_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=clock_gettime,--wrap=usable_measure \
	-Wl,--wrap=working_sets_make,--wrap=working_sets_free,--wrap=slices_round,--wrap=slices_least
tests_machine_test_calibrate_LDADD = machine/libmachine.la $(CMOCKA_LIBS)
dist_check_SCRIPTS += tests/machine/machine.sh tests/machine/calibrate.sh
TESTS += tests/machine/machine.sh tests/machine/calibrate.sh tests/machine/test_machine \
	tests/machine/test_costs tests/machine/test_measuring tests/machine/test_calibrate \
	tests/machine/test_due
