# SPDX-License-Identifier: BSD-3-Clause
# Not a library of its own: libpscmon's flags are the simulator's.
simulate_cache = simulate/cache/channels.c simulate/cache/channels.h simulate/cache/hierarchy.c simulate/cache/hierarchy.h simulate/cache/levels.c simulate/cache/lru.h simulate/cache/lru_set.c simulate/cache/lru_set.h \
	simulate/cache/frames.h simulate/cache/page_sets.c simulate/cache/page_sets.h simulate/cache/pattern.c simulate/cache/pattern.h \
	simulate/cache/queue.c simulate/cache/reuse.c simulate/cache/reuse.h simulate/cache/sample.c simulate/cache/sample.h simulate/cache/sim.h simulate/cache/timeline.c simulate/cache/timeline.h simulate/cache/gaps.h simulate/cache/maps.c simulate/cache/maps.h simulate/cache/walks.h
simulate_coherence = simulate/coherence/apply.c simulate/coherence/contended.c simulate/coherence/directory.c \
	simulate/coherence/directory.h simulate/coherence/gather.c simulate/coherence/locks.c simulate/coherence/permission.c simulate/coherence/share.h
simulate_access = simulate/access/core_work.c simulate/access/core_work.h simulate/access/single.c simulate/access/descriptor.c simulate/access/descriptor.h simulate/access/first_level.h simulate/access/group.c \
	simulate/access/play.h simulate/access/thread.h simulate/access/translate.c
simulate_loop = simulate/loop/choose.c simulate/loop/events.c simulate/loop/events.h simulate/loop/iterations.c simulate/loop/loop.h \
	simulate/loop/one_turn.c simulate/loop/periods.c simulate/loop/split.c simulate/loop/step.c simulate/loop/stream.c simulate/loop/maps.c simulate/loop/maps.h simulate/loop/reread.c simulate/loop/reread.h simulate/loop/walks.c simulate/loop/walks.h
simulate_sources = $(simulate_cache) $(simulate_coherence) $(simulate_access) $(simulate_loop) \
	simulate/batch.c simulate/simulate.h
EXTRA_DIST += %D%/README.md

include tests/simulate/local.mk
