/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides the differences between the plugin interfaces of the supported GCCs: the sources are
 * written for GCC 12, this file adds what others lack.  pscplugin.h includes it behind GCC's
 * headers. */
#ifndef PSC_INSTRUMENT_COMPAT_H
#define PSC_INSTRUMENT_COMPAT_H

#if GCCPLUGIN_VERSION < 11000
#error "the plugin wants GCC 11 or later"
#endif

#if GCCPLUGIN_VERSION < 12000
static inline bool startswith(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Stands for GCC 12's class of this name in range-based `for`. */
static inline std::vector<class loop *> loops_list(function *fun, unsigned flags)
{
	std::vector<class loop *> list;
	class loop *loop;

	FOR_EACH_LOOP_FN(fun, loop, flags)
		list.push_back(loop);
	return list;
}
#endif

#if GCCPLUGIN_VERSION >= 14000
#include "tree-scalar-evolution.h"

static inline gimple *last_stmt(basic_block bb)
{
	return last_nondebug_stmt(bb);
}

static inline char_span location_get_source_line(const char *path, int line)
{
	return global_dc->get_file_cache().get_source_line(path, line);
}

/* GCC 14 also reports expressions that may overflow where they were not computed before: they count
 * as expensive, too. */
static inline bool expression_expensive_p(tree value)
{
	bool overflows = false;

	return expression_expensive_p(value, &overflows) || overflows;
}
#endif

#endif
