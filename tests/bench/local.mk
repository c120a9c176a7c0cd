# SPDX-License-Identifier: BSD-3-Clause
# What we cost, by measurement: docs/performance.md.
check_PROGRAMS += tests/bench/cputime tests/bench/evaluate
tests_bench_cputime_SOURCES = %D%/cputime.c
tests_bench_evaluate_SOURCES = %D%/evaluate.c %D%/plain.c %D%/plain.h
tests_bench_evaluate_LDADD = asl/libasl.la
EXTRA_DIST += %D%/results
EXTRA_DIST += %D%/whole %D%/whole.awk %D%/run %D%/start %D%/idle %D%/patterns %D%/page %D%/boundary %D%/boundary.c %D%/hosts %D%/sizes %D%/steady %D%/shallow.f90 %D%/small

EXTRA_DIST += %D%/stall/run %D%/stall/bursts %D%/stall/measures.awk %D%/stall/table.awk %D%/stall/bursts.awk %D%/stall/classes.awk %D%/stall/programs.mk %D%/stall/kernels.def \
	%D%/stall/harness.h %D%/stall/harness.c %D%/stall/main.c %D%/stall/matrices.c %D%/stall/streams.c \
	%D%/stall/grids.c %D%/stall/loops.f90 %D%/stall/records.cc %D%/stall/indices.c %D%/stall/lists.c \
	%D%/stall/search.c %D%/stall/tables.c %D%/stall/threads.c %D%/stall/README.md
TESTS += %D%/stall.sh
dist_check_SCRIPTS += %D%/stall.sh

CAUSES_DIST = arenas.c blocks.c byvalue.cc counter.cc critical.F90 flush.F90 growth.c hashing.cc lockdata.c nearest.cc order.F90 \
	passes.c perstep.F90 powers.c products.c records.cc scratch.F90 section.F90 sorting.c temporary.F90 twolocks.cc vecvalue.cc \
	writes.c dense.c dense.h causes.def figures.awk table.awk programs.mk run instructions README.md
EXTRA_DIST += $(CAUSES_DIST:%=tests/bench/causes/%)
TESTS += %D%/causes.sh
dist_check_SCRIPTS += %D%/causes.sh

# CAUSES: what tests/bench/causes/run is given, e.g. CAUSES='-k kept passes section'
.PHONY: bench-causes
bench-causes: all tests/bench/cputime$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/causes/run $(CAUSES)

# NODES: numbers of threads, e.g. NODES='4 16'
EXTRA_DIST += %D%/nodes/stencil.c
EXTRA_DIST += %D%/nodes/compare.awk %D%/nodes/eight.xml %D%/nodes/fits.c %D%/nodes/run %D%/nodes/scan.c %D%/nodes/stream.c %D%/nodes/table.c \
	%D%/nodes/words.xml
.PHONY: bench-nodes
bench-nodes: all
	builddir='$(abs_builddir)' AWK='$(AWK)' CC='$(GCC_ALONE)' $(SHELL) $(srcdir)/%D%/nodes/run $(NODES)

# TIMELINE: pairs of runs of each program
EXTRA_DIST += %D%/timeline/kernels.c %D%/timeline/run
.PHONY: bench-timeline
bench-timeline: all tests/monitor/simrun$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/timeline/run $(TIMELINE)

# IDLE: programs of tests/bench/causes, e.g. IDLE='hashing counter'
.PHONY: bench-idle
bench-idle: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/causes/instructions $(IDLE)

# BRIEF: analyses of each program
BRIEF = 10
TESTS += %D%/brief.sh
dist_check_SCRIPTS += %D%/brief.sh
EXTRA_DIST += %D%/brief/parse.c %D%/brief/power.c %D%/brief/power_kernel.c %D%/brief/three.f90 %D%/brief/recursion.c \
	%D%/brief/blocks.cc %D%/brief/heat_omp.c %D%/brief/lines.f90 %D%/brief/particles.cc %D%/brief/gradient.c %D%/brief/ranks.c
.PHONY: bench-brief
bench-brief: all
	BRIEF=$(BRIEF) srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/brief.sh

# TRY: what tests/bench/try/run is given, e.g. TRY='-n 200'
EXTRA_DIST += %D%/try/run %D%/try/automatic.c %D%/try/table.c
.PHONY: bench-try
bench-try: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/try/run $(TRY)

.PHONY: bench bench-properties bench-stall bench-bursts bench-whole bench-pages
# PAGES_ROUNDS: how often each program runs
bench-pages: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' PSC_GCC='$(GCC_ALONE)' $(SHELL) $(srcdir)/%D%/pages.sh
EXTRA_DIST += %D%/pages.sh %D%/pages/product.c %D%/pages/random.c
# STALL: what tests/bench/stall/run is given, e.g. STALL='-k kept gather list'
bench-stall: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/stall/run $(STALL)
# BURSTS: what tests/bench/stall/bursts is given, e.g. BURSTS='-k kept gather list'
bench-bursts: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/stall/bursts $(BURSTS)
# ANY: what tests/bench/any_programs/run is given, e.g. ANY='-n 3 -k kept sqlite xz'
.PHONY: bench-any
bench-any: all tests/bench/cputime$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/any_programs/run $(ANY)
EXTRA_DIST += %D%/any_programs/run %D%/any_programs/stencil.c %D%/any_programs/records.cc \
	%D%/any_programs/gather.rs %D%/any_programs/solve.c
# WHOLE: what tests/bench/whole is given, e.g. WHOLE='-n 3 gather xz'
bench-whole: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/whole $(WHOLE)
bench-properties: tests/bench/evaluate$(EXEEXT)
	tests/bench/evaluate$(EXEEXT) '$(abs_srcdir)/properties'
bench: all bench-properties tests/bench/cputime$(EXEEXT) tests/monitor/simrun$(EXEEXT)
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		$(SHELL) $(srcdir)/%D%/run
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		$(SHELL) $(srcdir)/%D%/start
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' PSC_GXX='$(CXX)' \
		$(SHELL) $(srcdir)/%D%/idle
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/sizes
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/steady
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/page
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' PSC_GCC='$(GCC_ALONE)' $(SHELL) $(srcdir)/%D%/boundary
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/hosts

# Many processes without an application.  A tool of the tests, not installed: it links what psc_frontend is made of.
noinst_PROGRAMS += tests/bench/swarm/psc_swarm
tests_bench_swarm_psc_swarm_SOURCES = %D%/swarm/psc_swarm.c %D%/swarm/monitors.c %D%/swarm/monitors.h \
	frontend/any_program.c frontend/asked_file.c frontend/ask_foreign.c frontend/code_files.c frontend/first_calibration.c frontend/inherit.c frontend/install_paths.c frontend/keeper.c frontend/launch.c \
	frontend/collector_option.c frontend/metrics_list.c frontend/netns.c frontend/options.c frontend/samples_check.c frontend/setup.c
tests_bench_swarm_psc_swarm_LDADD = agents/libprotocol.la $(COLLECT_LIBS) binary/libbinary.la foreign/libpreload.la
EXTRA_DIST += %D%/swarm/program.sh %D%/swarm/run %D%/swarm/README.md
TESTS += %D%/swarm.sh
dist_check_SCRIPTS += %D%/swarm.sh

# SWARM: numbers of processes, e.g. SWARM='1 64 1024 16384'
.PHONY: bench-swarm
bench-swarm: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' $(SHELL) $(srcdir)/%D%/swarm/run $(SWARM)

# OBJECTS: programs of examples/numa, e.g. OBJECTS='faces pools'
EXTRA_DIST += %D%/objects/run
.PHONY: bench-objects
bench-objects: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/objects/run $(OBJECTS)
