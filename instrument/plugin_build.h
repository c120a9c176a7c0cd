/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the plugin for the user's GCC, once, in the user's cache directory. */
#ifndef PSC_INSTRUMENT_PLUGIN_BUILD_H
#define PSC_INSTRUMENT_PLUGIN_BUILD_H

#include "base/buf.h"
#include "instrument/gcc_compiler.h"

/* Appends the text that tells one build of GCC from another: its headers plugin-version.h and
 * configargs.h.  False: they are not installed. */
bool plugin_gcc_text(const struct gcc_compiler *g, struct buf *text);

/* The path of the plugin in plugin-VERSION-KEY of the cache directory, where KEY is a hash of that
 * text and of the plugin's sources; builds it if it is not there, or if `again`.  Of several
 * processes one builds and the others wait.  The caller frees the path.  NULL: headers, compiler or
 * sources are missing, or the build failed, now or earlier: it is tried again only if `again`. */
char *plugin_build(const struct gcc_compiler *g, bool again, struct err *err);

#endif
