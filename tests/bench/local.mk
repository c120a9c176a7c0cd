# SPDX-License-Identifier: BSD-3-Clause
# What we cost, by measurement: docs/performance.md.
check_PROGRAMS += tests/bench/cputime tests/bench/evaluate
tests_bench_cputime_SOURCES = %D%/cputime.c
tests_bench_evaluate_SOURCES = %D%/evaluate.c %D%/plain.c %D%/plain.h
tests_bench_evaluate_LDADD = asl/libasl.la
EXTRA_DIST += %D%/run %D%/start %D%/idle %D%/shallow.f90 %D%/small

.PHONY: bench bench-properties
bench-properties: tests/bench/evaluate$(EXEEXT)
	tests/bench/evaluate$(EXEEXT) '$(abs_srcdir)/properties'
bench: all bench-properties tests/bench/cputime$(EXEEXT) tests/monitor/simrun$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		$(SHELL) $(srcdir)/%D%/run
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		$(SHELL) $(srcdir)/%D%/start
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/idle
