# SPDX-License-Identifier: BSD-3-Clause
# The plugin for another GCC than the one that builds everything else.  Run by make (local.mk):
#     make -f other_gcc.mk MAJOR=11 SOURCES=… OUT=instrument/gcc-11/pscplugin.so
# srcdir, CXXFLAGS, PSC_WERROR, PLUGIN_LIBS and DEFAULT_INCLUDES come along, and HEADER where GCC's headers are compiled
# once.  Its own C++ compiler builds it.
cc := gcc-$(MAJOR)
cxx := g++-$(MAJOR)
dir := instrument/gcc-$(MAJOR)
include := $(shell $(cc) -print-file-name=plugin)/include
objects := $(patsubst %,$(dir)/%.o,$(basename $(notdir $(filter %.cc %.c,$(SOURCES)))))
header := $(HEADER:%=$(dir)/%)
flags = $(HEADER:%=-I$(dir)) $(DEFAULT_INCLUDES) -DHAVE_CONFIG_H -fPIC -Wall -Wextra $(PSC_WERROR) -MMD

$(OUT): $(objects)
	$(cxx) -shared -o $@.new $(objects) $(PLUGIN_LIBS)
	mv -f $@.new $@

cxx_flags = -std=gnu++17 -fno-rtti -fno-exceptions $(CXXFLAGS) $(flags) -isystem $(include)
$(dir)/%.o: $(srcdir)/instrument/%.cc $(header) | $(dir)
	$(cxx) $(cxx_flags) -c -o $@ $<

ifneq ($(header),)
$(header): $(srcdir)/instrument/pscplugin.h
	mkdir -p $(@D)
	$(cxx) $(cxx_flags) -x c++-header -c -o $@ $<
endif

$(dir)/%.o: $(srcdir)/base/%.c | $(dir)
	$(cc) -std=gnu11 -O2 $(flags) -c -o $@ $<

$(dir)/%.o: $(srcdir)/instrument/%.c | $(dir)
	$(cc) -std=gnu11 -O2 $(flags) -c -o $@ $<

$(dir):
	mkdir -p $@

-include $(objects:.o=.d) $(header:.gch=.d)
