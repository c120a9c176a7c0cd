# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/layers.sh %D%/lines.sh %D%/file_names.sh %D%/links.sh %D%/tarball.sh
dist_check_SCRIPTS += %D%/layers.sh %D%/lines.sh %D%/file_names.sh %D%/links.sh %D%/tarball.sh

include %D%/agents/local.mk
include %D%/analysis/local.mk
include %D%/bench/local.mk
include %D%/breakers/local.mk
include %D%/binary/local.mk
include %D%/burst/local.mk
include %D%/collect/local.mk
include %D%/docs/local.mk
include %D%/corpus/local.mk
include %D%/lu/local.mk
include %D%/e2e/local.mk
include %D%/fuzz/local.mk
include %D%/qemu/local.mk
include %D%/mpi/local.mk
include %D%/phase/local.mk

# The compiled unit tests alone, and only what they need is built: what a build with sanitizers runs.
UNIT_TESTS = %D%/fuzz/shm_seeds $(filter-out %.sh %D%/fuzz/shm_seeds,$(TESTS))
UNIT_NEEDS = aslc$(EXEEXT) $(filter-out %.test,$(UNIT_TESTS))
.PHONY: check-unit
check-unit: $(BUILT_SOURCES) config.h
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(UNIT_TESTS)' check_PROGRAMS='$(UNIT_NEEDS)' dist_check_SCRIPTS=

# What CI runs of `make check` in a build without sanitizers, in two parts.  The longest tests first: with make -j, all cores
# end together.  Then, one after the other, those that compare the times of threads or processes: each has the machine to
# itself.  Unit tests are run by the build with sanitizers (check-unit), but for those that it does not have, or that scripts
# run by valgrind (asl/memory.sh, report/valgrind.sh).
UNITS_HERE = $(addprefix %D%/,instrument/test_gcc_version asl/test_memory $(addprefix report/test_,classes compare \
	compare_short files problems profiles short sites text threads verdict))
UNITS_THERE = $(filter-out $(UNITS_HERE),$(UNIT_TESTS))
SCRIPTS_NEED = $(filter-out $(UNITS_THERE),$(check_PROGRAMS))
TIMED = $(addprefix %D%/,e2e/balance.sh e2e/busy.sh e2e/marked.sh e2e/openmp.sh e2e/events.sh e2e/mpi.sh e2e/one_cpu.sh mpi/waits.sh)
LONGEST = $(addprefix %D%/,e2e/hosts.sh report/page.sh instrument/loop_records.sh e2e/slices.sh package/examples.sh \
	e2e/verify.sh corpus/c.sh e2e/phase.sh e2e/attach.sh e2e/any_program.sh instrument/others.sh breakers/stack.sh \
	bench/stall.sh breakers/code.sh instrument/same.sh e2e/manners.sh e2e/patterns.sh e2e/fault_matrix.sh e2e/slurm.sh \
	corpus/openmp.sh package/plugin.sh)
.PHONY: check-scripts check-timed
check-scripts:
	$(MAKE) $(AM_MAKEFLAGS) check check_PROGRAMS='$(SCRIPTS_NEED)' \
		TESTS='$(foreach test,$(LONGEST),$(filter $(test),$(TESTS))) $(filter-out $(LONGEST) $(TIMED) $(UNITS_THERE),$(TESTS))'
check-timed:
	$(MAKE) $(AM_MAKEFLAGS) -j1 check check_PROGRAMS='$(SCRIPTS_NEED)' TESTS='$(filter $(TIMED),$(TESTS))'

# What takes long (README.md): all options of compilation, agents that mpirun starts, fuzzing.
.PHONY: check-long
check-long: all
	PSC_LONG=1 $(MAKE) $(AM_MAKEFLAGS) check
	PSC_AGENTS=auto $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(E2E)'
	$(MAKE) $(AM_MAKEFLAGS) fuzz FUZZ_SECONDS=300

EXTRA_DIST += %D%/README.md %D%/tap.sh %D%/random_cases.h
