# SPDX-License-Identifier: BSD-3-Clause
# Real counters in virtual machines; no part of `make check`: it fetches kernels.
EXTRA_DIST += %D%/README.md %D%/far_table.c %D%/guest.sh %D%/init.c %D%/nodes.sh %D%/run.sh %D%/slow_nodes.c %D%/walk.asl %D%/walk.c
check-qemu: all
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/qemu/run.sh arm64
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/qemu/run.sh riscv64
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/qemu/nodes.sh
# What an analysis in such a machine needs, in a build directory for its processor.
qemu-guest: $(BUILT_SOURCES) config.h
	$(MAKE) $(AM_MAKEFLAGS) psc_frontend$(EXEEXT) psc_agent_local$(EXEEXT) monitor/libpscmon.la
.PHONY: check-qemu qemu-guest
