# SPDX-License-Identifier: BSD-3-Clause
# Samples of accesses, read from a virtual unit.
check_LTLIBRARIES += tests/samples/libvirtual.la
tests_samples_libvirtual_la_SOURCES = %D%/virtual_pmu.c %D%/virtual_pmu.h

check_PROGRAMS += tests/samples/test_ring tests/samples/test_decode tests/samples/test_unit
tests_samples_test_ring_SOURCES = %D%/test_ring.c
tests_samples_test_ring_LDADD = tests/samples/libvirtual.la $(SAMPLES_LIBS) $(CMOCKA_LIBS) -lm
tests_samples_test_decode_SOURCES = %D%/test_decode.c
tests_samples_test_decode_LDADD = tests/samples/libvirtual.la $(SAMPLES_LIBS) $(CMOCKA_LIBS)
tests_samples_test_unit_SOURCES = %D%/test_unit.c
tests_samples_test_unit_LDADD = $(SAMPLES_LIBS) samples/libkernelsource.la $(CMOCKA_LIBS)
TESTS += tests/samples/test_ring tests/samples/test_decode tests/samples/test_unit
