# SPDX-License-Identifier: BSD-3-Clause
AM_YFLAGS += -Wno-yacc

noinst_LTLIBRARIES += asl/libasl.la
asl_libasl_la_SOURCES = \
	%D%/asl.h %D%/ast.h %D%/code.h %D%/ops.def \
	%D%/compile.c \
	%D%/compile_memory.c \
	%D%/diag.c \
	%D%/emit.c %D%/emit.h \
	%D%/evaluation.c \
	%D%/expand.c \
	%D%/expr.c \
	%D%/fold.c \
	%D%/habits.c \
	%D%/image.c \
	%D%/include.c \
	%D%/insn.c \
	%D%/lex.l \
	%D%/load.c \
	%D%/parse.y \
	%D%/part.c \
	%D%/program.c \
	%D%/resolve.c \
	%D%/suggest.c \
	%D%/symbols.c \
	%D%/types.c \
	%D%/units.c \
	%D%/verdict.c \
	%D%/verify.c \
	%D%/vm.c %D%/vm.h \
	%D%/why.c
asl_libasl_la_LIBADD = base/libbase.la -lm
BUILT_SOURCES += %D%/parse.h
# also where one target is asked for by name
asl/habits.lo asl/lex.lo asl/resolve.lo: asl/parse.h

EXTRA_DIST += %D%/README.md

include asl/tools/local.mk
include tests/asl/local.mk
