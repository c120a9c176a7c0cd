# SPDX-License-Identifier: BSD-3-Clause
# Not a library of its own: libpscmon's flags are the simulator's.
simulate_cache = simulate/cache/channels.c simulate/cache/channels.h simulate/cache/hierarchy.c \
	simulate/cache/hierarchy.h simulate/cache/levels.c simulate/cache/lru.h \
	simulate/cache/lru_set.c simulate/cache/lru_set.h \
	simulate/cache/frames.h simulate/cache/page_sets.c simulate/cache/page_sets.h \
	simulate/cache/pattern.c simulate/cache/pattern.h \
	simulate/cache/queue.c simulate/cache/reuse.c simulate/cache/reuse.h \
	simulate/cache/set_sample.c simulate/cache/set_sample.h simulate/cache/sim.h \
	simulate/cache/column_writer.c simulate/cache/column_writer.h simulate/cache/gaps.h \
	simulate/cache/map_counts.c simulate/cache/map_counts.h simulate/cache/walk_table.h \
	simulate/cache/unread_bytes.c simulate/cache/unread_bytes.h
simulate_coherence = simulate/coherence/apply.c simulate/coherence/contended.c \
	simulate/coherence/directory.c \
	simulate/coherence/directory.h simulate/coherence/core_batch.c \
	simulate/coherence/lock_addresses.c simulate/coherence/permission.c \
	simulate/coherence/share.h
simulate_access = simulate/access/core_work.c simulate/access/core_work.h simulate/access/single.c \
	simulate/access/descriptor.c simulate/access/descriptor.h simulate/access/first_level.h \
	simulate/access/group.c \
	simulate/access/play.h simulate/access/thread.h simulate/access/normalise.c
simulate_loop = simulate/loop/choose_engine.c simulate/loop/line_events.c \
	simulate/loop/line_events.h simulate/loop/iterations.c simulate/loop/loop.h \
	simulate/loop/one_turn.c simulate/loop/periods.c simulate/loop/split.c \
	simulate/loop/step.c simulate/loop/stream.c simulate/loop/map_samples.c \
	simulate/loop/map_samples.h simulate/loop/reread.c simulate/loop/reread.h \
	simulate/loop/walk_samples.c simulate/loop/walk_samples.h \
	simulate/loop/overwrites.c simulate/loop/overwrites.h
simulate_sources = $(simulate_cache) $(simulate_coherence) $(simulate_access) $(simulate_loop) \
	simulate/batch.c simulate/simulate.h
EXTRA_DIST += %D%/README.md

include tests/simulate/local.mk
