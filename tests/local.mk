# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/layers.sh %D%/links.sh
dist_check_SCRIPTS += %D%/layers.sh %D%/links.sh

include %D%/agents/local.mk
include %D%/analysis/local.mk
include %D%/bench/local.mk
include %D%/breakers/local.mk
include %D%/docs/local.mk
include %D%/corpus/local.mk
include %D%/lu/local.mk
include %D%/e2e/local.mk
include %D%/fuzz/local.mk

# The compiled unit tests alone, and only what they need is built: what a build with sanitizers runs.
UNIT_TESTS = $(filter-out %.sh,$(TESTS))
UNIT_NEEDS = aslc$(EXEEXT) $(filter-out %.test,$(UNIT_TESTS))
.PHONY: check-unit
check-unit: $(BUILT_SOURCES) config.h
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(UNIT_TESTS)' check_PROGRAMS='$(UNIT_NEEDS)' dist_check_SCRIPTS=

# What takes long (README.md): all options of compilation, agents that mpirun starts, fuzzing.
.PHONY: check-long
check-long: all
	PSC_LONG=1 $(MAKE) $(AM_MAKEFLAGS) check
	PSC_AGENTS=auto $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(E2E)'
	$(MAKE) $(AM_MAKEFLAGS) fuzz FUZZ_SECONDS=300

EXTRA_DIST += %D%/README.md %D%/tap.sh
