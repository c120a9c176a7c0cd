# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/layers.sh
dist_check_SCRIPTS += %D%/layers.sh

include %D%/agents/local.mk
include %D%/bench/local.mk
include %D%/breakers/local.mk
include %D%/docs/local.mk
include %D%/corpus/local.mk
include %D%/lu/local.mk
include %D%/e2e/local.mk
include %D%/fuzz/local.mk

# The compiled unit tests alone: what a build with sanitizers runs.
UNIT_TESTS = $(filter-out %.sh,$(TESTS))
.PHONY: check-unit
check-unit: $(check_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(UNIT_TESTS)'
