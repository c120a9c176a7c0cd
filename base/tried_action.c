/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of actions of --try, of verdicts and of reasons. */
#include "base/tried_action.h"

#include <stddef.h>

const char *const tried_action_names[TRIED_ACTIONS + 1] = {
	[TRIED_NOTHING] = "",
	[TRIED_MALLOC] = "malloc",
	[TRIED_LARGE_PAGES] = "pages=2M",
	[TRIED_ALL_NODES] = "interleave",
	[TRIED_ONE_NODE] = "bind",
	[TRIED_LOCAL_NODE] = "local",
	[TRIED_SPREAD] = "threads:spread",
	[TRIED_COMPACT] = "threads:compact",
	[TRIED_PIN] = "threads:pin",
};

const char *const trial_verdict_names[TRIAL_VERDICTS + 1] = {
	[TRIAL_NO_VERDICT] = "",
	[TRIAL_REFUSED] = "refused",
	[TRIAL_GAIN] = "gain",
	[TRIAL_LOSS] = "loss",
	[TRIAL_NULL] = "null",
	[TRIAL_UNDECIDED] = "undecided",
};

const char *const trial_reason_names[TRIAL_REASONS + 1] = {
	[TRIAL_NO_REASON] = "",
	[TRIAL_NOT_PROPOSED] = "not-proposed",
	[TRIAL_STATIC] = "static",
	[TRIAL_OTHER_MALLOC] = "other-malloc",
	[TRIAL_OTHER_LIBRARY] = "other-c-library",
	[TRIAL_SETTINGS_HIDDEN] = "settings-hidden",
	[TRIAL_RANKS] = "ranks",
	[TRIAL_SHORT] = "too-short",
	[TRIAL_ENDED] = "ended",
	[TRIAL_UNSETTLED] = "not-settled",
	[TRIAL_BUDGET] = "budget",
	[TRIAL_NOISE] = "noise",
	[TRIAL_UNKNOWN] = "unknown-structure",
	[TRIAL_NO_PAGES] = "no-pages",
	[TRIAL_LARGE_ALREADY] = "large-already",
	[TRIAL_NOT_MOVED] = "not-moved",
	[TRIAL_FORKED] = "forked",
	[TRIAL_FORBIDDEN] = "forbidden",
	[TRIAL_ONE_MEMORY_NODE] = "one-node",
	[TRIAL_NO_SUCH_NODE] = "no-such-node",
	[TRIAL_PLACED_ALREADY] = "placed-already",
	[TRIAL_NO_CPUS] = "no-cpus",
	[TRIAL_PINNED_ALREADY] = "pinned-already",
	[TRIAL_STRAYED] = "strayed",
	[TRIAL_SANDBOX] = "sandbox",
	[TRIAL_REFUSED_BY_KERNEL] = "refused-by-kernel",
};
