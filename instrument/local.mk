# SPDX-License-Identifier: BSD-3-Clause
if PLUGIN
pkglib_LTLIBRARIES += instrument/pscplugin.la
instrument_pscplugin_la_SOURCES = \
	%D%/pscplugin.h \
	%D%/access.cc %D%/calls.cc %D%/guard.cc %D%/loops.cc %D%/names.cc %D%/place.cc %D%/plugin.cc \
	%D%/regions.cc %D%/runtime.cc %D%/sir.cc %D%/touches.cc %D%/unit.cc %D%/versions.cc \
	base/region.c
# GCC's headers are not ours to warn about; never sanitised, the compiler would not load it.
instrument_pscplugin_la_CPPFLAGS = $(AM_CPPFLAGS) -isystem $(GCC_PLUGIN_DIR)/include
instrument_pscplugin_la_CXXFLAGS = -std=gnu++17 -fno-rtti -fno-exceptions -Wall -Wextra $(PSC_WERROR)
instrument_pscplugin_la_CFLAGS = $(PSC_CFLAGS)
instrument_pscplugin_la_LDFLAGS = -module -avoid-version -shared

bin_PROGRAMS += psc_instrument
psc_instrument_SOURCES = %D%/psc_instrument.c
dist_man_MANS += %D%/psc_instrument.1
endif
EXTRA_DIST += %D%/README.md

if PLUGIN
instrument_tests = \
	tests/instrument/fragments.sh tests/instrument/phases.sh tests/instrument/records.sh \
	tests/instrument/regions.sh tests/instrument/same.sh tests/instrument/wrapper.sh
TESTS += $(instrument_tests)
endif
EXTRA_DIST += \
	tests/instrument/fragments.sh tests/instrument/phases.sh tests/instrument/records.sh \
	tests/instrument/regions.sh tests/instrument/same.sh tests/instrument/wrapper.sh \
	tests/instrument/lib.sh tests/instrument/stubmon.c \
	tests/instrument/src
