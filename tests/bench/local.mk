# SPDX-License-Identifier: BSD-3-Clause
# What we cost, by measurement: docs/performance.md.
check_PROGRAMS += tests/bench/cputime
tests_bench_cputime_SOURCES = %D%/cputime.c
EXTRA_DIST += %D%/run %D%/shallow.f90

.PHONY: bench
bench: all tests/bench/cputime$(EXEEXT) tests/monitor/simrun$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		$(SHELL) $(srcdir)/%D%/run
