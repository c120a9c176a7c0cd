# SPDX-License-Identifier: BSD-3-Clause
# A reader of the burst recorder, and programs under it.
dist_check_SCRIPTS += %D%/same.sh
TESTS += %D%/same.sh
if FOREIGN
check_PROGRAMS += tests/burst/burstrun
tests_burst_burstrun_SOURCES = %D%/burstrun.c %D%/reader.c %D%/reader.h
endif
