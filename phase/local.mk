# SPDX-License-Identifier: BSD-3-Clause
# Which region is measured: pure functions, without processes and messages.
noinst_LTLIBRARIES += phase/libphase.la
phase_libphase_la_SOURCES = %D%/choice.c %D%/choice.h %D%/decide.c %D%/decide.h %D%/phase_log.c \
	%D%/phase_log.h %D%/log_read.c \
	%D%/log_words.c %D%/log_words.h %D%/rules.h
EXTRA_DIST += %D%/README.md
