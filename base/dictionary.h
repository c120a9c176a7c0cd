/* SPDX-License-Identifier: BSD-3-Clause */
/* The preset deflate dictionary of SIR fragments (base/abi.h, PSC_SIR_PACKED): strings that
 * fragments have in common, the most frequent ones last.  Streams refer to its bytes, so none of
 * them may change without a new magic. */
#ifndef PSC_BASE_DICTIONARY_H
#define PSC_BASE_DICTIONARY_H

#define PSC_SIR_DICTIONARY \
	" own=\"unrecorded\" refuse=\"abnormal\" class=\"unknown\" class=\"heap\" scope=\"std::" \
	"<codeRegion type=\"parallelSection\" name=\"\" id=\"1-" \
	"<codeRegion type=\"parallelOrdered\" name=\"\" id=\"1-" \
	"<codeRegion type=\"workshareSections\" name=\"\" id=\"1-" \
	"<codeRegion type=\"parallelMaster\" name=\"\" id=\"1-" \
	"<codeRegion type=\"parallelCriticalSection\" name=\"\" id=\"1-" \
	"<codeRegion type=\"parallelSingle\" name=\"\" id=\"1-" \
	"<codeRegion type=\"parallelTask\" name=\"\" id=\"1-" \
	"<position startLine=\"1\" endLine=\"1\"><file name=\"/usr/include/.h\"/></position>\n" \
	"<array name=\"\" type=\"COMPLEX\" nelts=\"<array name=\"\" type=\"CHAR\" nelts=\"" \
	"<array name=\"\" type=\"STRUCT\" nelts=\"1\" access=\"r\" class=\"static\" line=\"" \
	"<array name=\"\" type=\"REAL\" nelts=\"0\" access=\"rw\" class=\"dummy\"/>\n" \
	"<array name=\"\" type=\"INTEGER\" nelts=\"0\" access=\"w\" scope=\"\" class=\"module\" line=\"" \
	"<fragment source=\".cpp\" language=\"C++\" compiler=\"GNU C++17 \" dir=\"/" \
	"<fragment source=\".f90\" language=\"Fortran\" compiler=\"GNU Fortran2008 \" dir=\"/" \
	"<fragment source=\".c\" language=\"C\" compiler=\"GNU C17 12.2.0\" dir=\"/home/\">\n" \
	"<unit type=\"program\" name=\"main\" symbol=\"MAIN__\" id=\"1-1\" index=\"0\" hook=\"marker phase\"" \
	"<unit type=\"function\" name=\"main\" id=\"1-1\" index=\"0\" hook=\"marker phase\" end=\"1\">\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"w\" class=\"local\" line=\"1\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"r\" class=\"local\" line=\"1\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"\" class=\"dummy\" line=\"1\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"r\" class=\"dummy\" line=\"1\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"rw\" class=\"dummy\" line=\"1\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"1\" access=\"w\" scope=\"\" class=\"common\" line=\"4\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"1\" access=\"r\" scope=\"\" class=\"common\" line=\"4\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"1\" access=\"rw\" scope=\"\" class=\"common\" line=\"4\"/>\n" \
	"<array name=\"\" type=\"DOUBLE\" nelts=\"0\" access=\"rw\" class=\"local\" line=\"1\"/>\n" \
	"<codeRegion type=\"parallelBarrier\" name=\"\" id=\"1-2\" index=\"3\" hook=\"marker\"/>\n" \
	"<codeRegion type=\"loop\" name=\"\" id=\"1-3\" index=\"4\" hook=\"marker\" refuse=\"innermost\" end=\"4\">\n" \
	"</codeRegion>\n" \
	"<codeRegion type=\"loop\" name=\"\" id=\"1-5\" index=\"5\" hook=\"marker phase\" end=\"6\">\n" \
	"<codeRegion type=\"parallelRegion\" name=\"\" id=\"1-6\" index=\"6\" hook=\"marker phase\" end=\"8\">\n" \
	"<codeRegion type=\"workshareLoop\" name=\"\" id=\"1-6\" index=\"7\" hook=\"marker\" end=\"8\">\n" \
	"<codeRegion type=\"loop\" name=\"\" id=\"1-7\" index=\"8\" refuse=\"innermost\" end=\"8\"/>\n" \
	"<codeRegion type=\"loop\" name=\"\" id=\"1-7\" index=\"8\" refuse=\"parallel\" end=\"8\">\n" \
	"<codeRegion type=\"call\" name=\"\" id=\"1-9\" index=\"9\" hook=\"marker\"/>\n" \
	"</codeRegion>\n</codeRegion>\n</codeRegion>\n</unit>\n</fragment>\n" \
	".f\" language=\"Fortran\" compiler=\"GNU Fortran 12.2.0\" dir=\"/\">\n" \
	"<unit type=\"subroutine\" name=\"\" symbol=\"_\" id=\"1-1\" index=\"0\" hook=\"marker phase\" end=\""

#endif
