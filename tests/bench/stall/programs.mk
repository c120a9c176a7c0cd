# SPDX-License-Identifier: BSD-3-Clause
# Builds stall.  In another directory: make -f <this directory>/programs.mk
# Instrumented: make -f … CC='psc_instrument gcc' CXX='psc_instrument g++' FC='psc_instrument gfortran'

CC     = gcc
CXX    = g++
FC     = gfortran
# Small loops: where the linker puts them changes the time of some by more than a factor of 2, and an instrumented program is
# laid out otherwise than a plain one.
FLAGS ?= -O2 -g -falign-functions=64 -falign-loops=32

srcdir := $(dir $(lastword $(MAKEFILE_LIST)))
VPATH   = $(srcdir)

OBJS = main.o harness.o matrices.o streams.o grids.o records.o indices.o lists.o search.o tables.o \
       threads.o loops.o

# loops.f90 and records.cc need no more of their languages' libraries than the compilers bring along.
stall: $(OBJS)
	$(CXX) $(FLAGS) -fopenmp $(LDFLAGS) -o $@ $(OBJS) -lm $(LIBS)

.SUFFIXES:
.SUFFIXES: .c .cc .f90 .o
.c.o:
	$(CC) $(FLAGS) -c -o $@ $<
.cc.o:
	$(CXX) $(FLAGS) -c -o $@ $<
# Kernels of these have two threads.
streams.o: streams.c
	$(CC) $(FLAGS) -fopenmp -c -o $@ $<
threads.o: threads.c
	$(CC) $(FLAGS) -fopenmp -c -o $@ $<
.f90.o:
	$(FC) $(FLAGS) -c -o $@ $<

$(OBJS): harness.h kernels.def

clean:
	rm -f stall $(OBJS)

.PHONY: clean
