# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += monitor/client/libmonclient.la
monitor_client_libmonclient_la_SOURCES = %D%/client.c %D%/column_log.c %D%/column_log.h %D%/mon.h \
	%D%/peer.h %D%/results.c %D%/row_checks.c %D%/row_checks.h %D%/sampled.c \
	monitor/shared/result_rows.def monitor/shared/shm.h monitor/shared/socket_path.h \
	simulate/cache/set_sample.c simulate/cache/set_sample.h
monitor_client_libmonclient_la_CPPFLAGS = $(AM_CPPFLAGS)
EXTRA_DIST += %D%/README.md
