# SPDX-License-Identifier: BSD-3-Clause
# Builds PROGRAM.bad and PROGRAM.fixed of all lines of causes.def.  In another directory:
#   make -f <this directory>/programs.mk
# Instrumented: make -f … TOOL=psc_instrument; the libraries stay as they are.

TOOL =
CC   = gcc
CXX  = g++
FC   = gfortran
AWK  = awk
FLAGS ?= -O2 -g -falign-functions=64 -falign-loops=32

srcdir := $(dir $(lastword $(MAKEFILE_LIST)))
sources := $(shell $(AWK) '!/^\#/ { print $$1 }' $(srcdir)causes.def)
programs := $(basename $(sources))

all: $(programs:=.bad) $(programs:=.fixed)

# What causes.def says of a program: options, files without the tool.
extra = $(shell $(AWK) '$$1 == "$(1)" && $$2 != "-" { print $$2 }' $(srcdir)causes.def)
objects = $(patsubst %.c,%.o,$(call extra,$(1)))

define rules
$(basename $(1)).bad $(basename $(1)).fixed: $(srcdir)$(1) dense.o
	$(TOOL) $(2) $$(FLAGS) $$(if $$(filter %.fixed,$$@),-DFIXED) -o $$@ $$< $(call objects,$(1)) -lm
endef
compiler = $(if $(filter %.c,$(1)),$$(CC),$(if $(filter %.cc,$(1)),$$(CXX),$$(FC)))
$(foreach source,$(sources),$(eval $(call rules,$(source),$(call compiler,$(source)))))

# Modules of Fortran of both versions have one name: each has its own directory.
%.o: $(srcdir)%.c
	$(CC) $(FLAGS) -c -o $@ $<

.PHONY: all
