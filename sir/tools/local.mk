# SPDX-License-Identifier: BSD-3-Clause
# Apart from the library: it reads files without instrumentation, too, which the library does not know.
bin_PROGRAMS += psc_sir
psc_sir_SOURCES = %D%/psc_sir.c %D%/foreign.c %D%/foreign.h
psc_sir_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS)
psc_sir_LDADD = binary/libbinary.la $(XML_LIBS)
dist_man_MANS += %D%/psc_sir.1
EXTRA_DIST += %D%/README.md
