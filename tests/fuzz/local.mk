# SPDX-License-Identifier: BSD-3-Clause
# `make fuzz FUZZ_SECONDS=n` fuzzes with clang; the committed inputs are a test under any compiler.
fuzz_image_seeds = \
	%D%/corpus/image/language.image \
	%D%/corpus/image/loops.image \
	%D%/corpus/image/whole.image
EXTRA_DIST += %D%/README.md %D%/run %D%/seeds $(fuzz_image_seeds)

check_PROGRAMS += %D%/image_replay %D%/make_image
%C%_image_replay_SOURCES = %D%/fuzz_image.c %D%/replay.c
%C%_image_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/image"'
%C%_image_replay_LDADD = asl/tools/libaslc.la
%C%_make_image_SOURCES = %D%/make_image.c
%C%_make_image_LDADD = asl/libasl.la
TESTS += %D%/image_replay

check_PROGRAMS += %D%/parse_replay
%C%_parse_replay_SOURCES = %D%/fuzz_parse.c %D%/replay.c
%C%_parse_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/parse"'
%C%_parse_replay_LDADD = asl/tools/libaslc.la
TESTS += %D%/parse_replay
EXTRA_DIST += %D%/parse.dict %D%/corpus/parse

check_PROGRAMS += %D%/report_replay %D%/sir_replay %D%/machine_replay %D%/wire_replay %D%/make_wire
%C%_report_replay_SOURCES = %D%/fuzz_report.c %D%/file.h %D%/replay.c
%C%_report_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/report"' -DREPLAY_ALSO='"tests/report/lu.psc"'
%C%_report_replay_LDADD = report/libreport.la
%C%_sir_replay_SOURCES = %D%/fuzz_sir.c %D%/file.h %D%/replay.c
%C%_sir_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/sir"'
%C%_sir_replay_LDADD = sir/libsir.la
%C%_machine_replay_SOURCES = %D%/fuzz_machine.c %D%/file.h %D%/replay.c
%C%_machine_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/machine"'
%C%_machine_replay_LDADD = $(ANALYSIS_LIBS)
%C%_wire_replay_SOURCES = %D%/fuzz_wire.c frontend/journal.c frontend/journal.h %D%/file.h %D%/replay.c
%C%_wire_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/wire"'
%C%_wire_replay_LDADD = agents/libprotocol.la $(ANALYSIS_LIBS)
%C%_make_wire_SOURCES = %D%/make_wire.c
%C%_make_wire_LDADD = agents/libprotocol.la $(ANALYSIS_LIBS)
TESTS += %D%/report_replay %D%/sir_replay %D%/machine_replay %D%/wire_replay
EXTRA_DIST += %D%/corpus/report %D%/corpus/sir %D%/corpus/machine %D%/corpus/wire

check_PROGRAMS += %D%/timeline_replay
%C%_timeline_replay_SOURCES = %D%/fuzz_timeline.c %D%/replay.c
%C%_timeline_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/timeline"'
%C%_timeline_replay_LDADD = $(ANALYSIS_LIBS)
TESTS += %D%/timeline_replay
EXTRA_DIST += %D%/corpus/timeline

check_PROGRAMS += %D%/samples_replay
%C%_samples_replay_SOURCES = %D%/fuzz_samples.c %D%/replay.c
%C%_samples_replay_CPPFLAGS = $(AM_CPPFLAGS) -DREPLAY_CORPUS='"%D%/corpus/samples"'
%C%_samples_replay_LDADD = $(SAMPLES_LIBS)
TESTS += %D%/samples_replay
EXTRA_DIST += %D%/corpus/samples

# A thousand of them in the build with sanitizers, else a hundred.
check_PROGRAMS += %D%/shm_seeds
%C%_shm_seeds_SOURCES = %D%/fuzz_shm.c %D%/shm_seeds.c
%C%_shm_seeds_LDADD = agents/libagent.la agents/libprotocol.la $(COLLECT_LIBS)
TESTS += %D%/shm_seeds

FUZZ_SECONDS = 60
.PHONY: fuzz
fuzz: all
	srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' FUZZ_SECONDS='$(FUZZ_SECONDS)' \
		$(SHELL) $(srcdir)/%D%/run
