# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += binary/libbinary.la
binary_libbinary_la_SOURCES = %D%/binary.h %D%/read_structure.c %D%/run_time.c
binary_libbinary_la_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS)
binary_libbinary_la_LIBADD = sir/libsir.la
if FOREIGN
binary_libbinary_la_SOURCES += \
	%D%/analysis.h %D%/internal.h \
	%D%/code_index.c \
	%D%/demangle.c \
	%D%/file.c \
	%D%/basic_blocks.c %D%/basic_blocks.h \
	%D%/flow_loops.c \
	%D%/functions.c \
	%D%/heap_names.c \
	%D%/holder_names.c %D%/holder_names.h \
	%D%/imports.c \
	%D%/inlined.c \
	%D%/lines_at.c \
	%D%/locals.c %D%/locals.h \
	%D%/loop_places.c \
	%D%/main_entry.c \
	%D%/outlined.c \
	%D%/function_regions.c \
	%D%/source_files.c \
	%D%/instruction_lines.c \
	%D%/structure.c \
	%D%/elf_symbols.c \
	%D%/trace.c %D%/trace.h \
	%D%/dwarf_types.c \
	%D%/dwarf_units.c \
	%D%/unwind.c \
	%D%/variables.c
binary_libbinary_la_LIBADD += $(DW_LIBS) $(ZYDIS_LIBS) -ldl
else
binary_libbinary_la_SOURCES += %D%/without.c
endif
EXTRA_DIST += %D%/README.md
