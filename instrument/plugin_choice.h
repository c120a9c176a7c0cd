/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the plugin for a GCC: the installed one where it was built for that GCC, else one that is
 * built from the installed sources and kept in the user's cache directory. */
#ifndef PSC_INSTRUMENT_PLUGIN_CHOICE_H
#define PSC_INSTRUMENT_PLUGIN_CHOICE_H

#include "instrument/gcc_compiler.h"

/* The plugin's path, which the caller frees: $PSC_PLUGIN, the installed one, or the user's, which
 * is built first if need be (a message on standard error says so).  NULL: there is none. */
char *plugin_choose(const struct gcc_compiler *g, struct err *err);
/* Builds the user's plugin again.  Returns the installed one's path where that fits.  As above. */
char *plugin_rebuild(const struct gcc_compiler *g, struct err *err);

#endif
