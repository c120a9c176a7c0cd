# SPDX-License-Identifier: BSD-3-Clause
# A small node agent for tests, a program instrumented by hand (shared and static), and scripts.
check_PROGRAMS += tests/monitor/simrun tests/monitor/app tests/monitor/app_static
tests_monitor_simrun_SOURCES = %D%/simrun.c
tests_monitor_simrun_LDADD = monitor/libmonclient.la base/libbase.la
tests_monitor_app_SOURCES = %D%/app.c
tests_monitor_app_CFLAGS = -O1 $(PSC_CFLAGS)
tests_monitor_app_LDFLAGS =
tests_monitor_app_LDADD = monitor/libpscmon.la -lpthread
tests_monitor_app_static_SOURCES = %D%/app.c
tests_monitor_app_static_CFLAGS = -O1 $(PSC_CFLAGS)
tests_monitor_app_static_LDFLAGS = -static
tests_monitor_app_static_LDADD = monitor/libpscmon.la -lpthread
dist_check_SCRIPTS += %D%/monitor.sh
TESTS += %D%/monitor.sh
