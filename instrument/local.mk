# SPDX-License-Identifier: BSD-3-Clause
if PLUGIN
pkglib_LTLIBRARIES += instrument/pscplugin.la
instrument_pscplugin_la_SOURCES = \
	%D%/compat.h %D%/pscplugin.h %D%/gcc_version.c %D%/gcc_version.h \
	%D%/access_groups.cc %D%/access_lines.cc %D%/allocations.cc %D%/buffer_checks.cc %D%/copies.cc %D%/core_cost.cc %D%/dependence.cc %D%/destinations.cc \
	%D%/function_versions.cc %D%/gcov_lines.cc %D%/hook_guards.cc %D%/hook_merging.cc %D%/index_loads.cc %D%/inline_costs.cc \
	%D%/local_arrays.cc %D%/lock_calls.cc %D%/loop_records.cc %D%/loop_regions.cc %D%/loop_versions.cc %D%/marker_selection.cc \
	%D%/marker_callees.cc %D%/marker_version.cc %D%/native_calls.cc %D%/node_types.cc %D%/operation_costs.cc %D%/plugin.cc %D%/record_types.cc %D%/region_markers.cc %D%/runtime_symbols.cc \
	%D%/segment_records.cc %D%/sir_text.cc %D%/source_names.cc %D%/source_place.cc \
	%D%/statement_accesses.cc %D%/tail_calls.cc %D%/user_regions.cc %D%/unclonable.cc %D%/unit_data.cc %D%/vector_accesses.cc \
	%D%/version_tests.cc \
	base/region.c base/utf8.c
# -isystem: no warnings of GCC's own headers.  Never sanitised: the compiler could not load it.
instrument_pscplugin_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) -isystem $(GCC_PLUGIN_DIR)/include
instrument_pscplugin_la_CXXFLAGS = -std=gnu++17 -fno-rtti -fno-exceptions -Wall -Wextra $(PSC_WERROR)
instrument_pscplugin_la_CFLAGS = $(PSC_CFLAGS)
instrument_pscplugin_la_LIBTOOLFLAGS = --tag=disable-static
instrument_pscplugin_la_LDFLAGS = -module -avoid-version -shared
instrument_pscplugin_la_LIBADD = $(ZLIB_LIBS)
if PLUGIN_HEADER
plugin_header = %D%/pscplugin.h.gch
$(plugin_header): %D%/pscplugin.h %D%/compat.h base/abi.h base/region.h base/utf8.h config.h
	$(AM_V_GEN)$(MKDIR_P) %D% && $(CXX) $(DEFS) $(DEFAULT_INCLUDES) \
		$(instrument_pscplugin_la_CPPFLAGS) $(CPPFLAGS) $(instrument_pscplugin_la_CXXFLAGS) \
		$(CXXFLAGS) -fPIC -DPIC -x c++-header -c -o $@ $<
$(instrument_pscplugin_la_OBJECTS): $(plugin_header)
CLEANFILES += $(plugin_header)
endif

# The same sources for the other GCCs that configure found.
plugindir = $(pkglibdir)
nobase_nodist_plugin_DATA = $(OTHER_PLUGINS)
instrument/gcc-%/pscplugin.so: $(instrument_pscplugin_la_SOURCES) %D%/other_gcc.mk config.h
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) -f $(srcdir)/%D%/other_gcc.mk MAJOR=$* OUT=$@ srcdir=$(srcdir) \
		SOURCES='$(instrument_pscplugin_la_SOURCES)' PSC_WERROR='$(PSC_WERROR)' CXXFLAGS='$(CXXFLAGS)' \
		HEADER='$(plugin_header)' PLUGIN_LIBS='$(instrument_pscplugin_la_LIBADD)' \
		DEFAULT_INCLUDES='$(DEFAULT_INCLUDES) $(AM_CPPFLAGS)' $@
# Beside each plugin, which build of GCC it is for.
nodist_plugin_DATA = %D%/pscplugin.gcc
%D%/pscplugin.gcc: %D%/pscplugin.la
	$(AM_V_GEN)cat $(GCC_PLUGIN_DIR)/include/plugin-version.h $(GCC_PLUGIN_DIR)/include/configargs.h >$@
instrument/gcc-%/pscplugin.gcc: instrument/gcc-%/pscplugin.so
	$(AM_V_GEN)cd `gcc-$* -print-file-name=plugin`/include && cat plugin-version.h configargs.h >$(abs_builddir)/$@
CLEANFILES += $(OTHER_PLUGINS) %D%/pscplugin.gcc
# The sources, for psc_instrument to build the plugin for other GCCs.
pluginsrcdir = $(pkgdatadir)/plugin-src
nobase_pluginsrc_DATA = $(instrument_pscplugin_la_SOURCES) base/abi.h base/dictionary.h base/region.h base/utf8.h \
	%D%/build_plugin.sh
clean-local:
	-rm -rf monitor/mpi/*.a.d instrument/gcc-* tests/instrument/stub.* tests/e2e/lu tests/e2e/lu.lock tests/package/root tests/qemu/riscv64

bin_PROGRAMS += psc_instrument
psc_instrument_SOURCES = %D%/gcc_arguments.c %D%/gcc_arguments.h %D%/gcc_compiler.c %D%/gcc_compiler.h \
	%D%/mpi_library.c %D%/mpi_library.h %D%/own_files.c %D%/own_files.h %D%/plugin_build.c %D%/plugin_build.h %D%/plugin_choice.c %D%/plugin_choice.h \
	%D%/psc_instrument.c
psc_instrument_LDADD = base/libbase.la
dist_man_MANS += %D%/psc_instrument.1
# For build systems whose compiler is one word.
psc_names = psc_gcc psc_g++ psc_gfortran psc_mpicc psc_mpicxx psc_mpifort
all-local: $(psc_names)
$(psc_names): psc_instrument$(EXEEXT)
	$(AM_V_GEN)rm -f $@ && $(LN_S) psc_instrument$(EXEEXT) $@
CLEANFILES += $(psc_names)
install-exec-hook:
	cd $(DESTDIR)$(bindir) && for n in $(psc_names); do \
		rm -f $$n && $(LN_S) psc_instrument$(EXEEXT) $$n || exit 1; done
uninstall-hook:
	cd $(DESTDIR)$(bindir) && rm -f $(psc_names)
endif
EXTRA_DIST += %D%/README.md %D%/build_plugin.sh %D%/other_gcc.mk

if PLUGIN
check_PROGRAMS += tests/instrument/test_gcc_version
tests_instrument_test_gcc_version_SOURCES = tests/instrument/test_gcc_version.c instrument/gcc_version.c
tests_instrument_test_gcc_version_LDADD = $(CMOCKA_LIBS)
TESTS += tests/instrument/test_gcc_version
instrument_tests = \
	tests/instrument/dumps.sh tests/instrument/fragments.sh tests/instrument/indices.sh tests/instrument/inlined.sh tests/instrument/odd.sh tests/instrument/others.sh tests/instrument/phases.sh tests/instrument/records.sh \
	tests/instrument/regions.sh tests/instrument/same.sh tests/instrument/small.sh tests/instrument/structs.sh tests/instrument/nodes.sh tests/instrument/copies.sh tests/instrument/lines.sh tests/instrument/locks.sh tests/instrument/branches.sh tests/instrument/bytes.sh tests/instrument/loop_records.sh \
	tests/instrument/loop_versions.sh tests/instrument/versions.sh \
	tests/instrument/wrapper.sh
TESTS += $(instrument_tests)
endif
EXTRA_DIST += \
	tests/instrument/dumps.sh tests/instrument/fragments.sh tests/instrument/indices.sh tests/instrument/inlined.sh tests/instrument/odd.sh tests/instrument/others.sh tests/instrument/phases.sh tests/instrument/records.sh \
	tests/instrument/regions.sh tests/instrument/same.sh tests/instrument/small.sh tests/instrument/structs.sh tests/instrument/nodes.sh tests/instrument/copies.sh tests/instrument/lines.sh tests/instrument/locks.sh tests/instrument/branches.sh tests/instrument/bytes.sh tests/instrument/loop_records.sh \
	tests/instrument/loop_versions.sh tests/instrument/versions.sh \
	tests/instrument/wrapper.sh \
	tests/instrument/lib.sh tests/instrument/stubmon.c tests/instrument/stub_marks.h tests/instrument/unpack.c \
	tests/instrument/src
