/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the structure of files without instrumentation, and says what they do not tell. */
#include "sir/tools/foreign.h"

#include <stdlib.h>
#include "base/log.h"
#include "binary/binary.h"

static void say_lost(const char *path, const struct binary_lost *l)
{
	if (l->symbols && l->lines)
		log_msg(0,
			"%s: stripped: functions and loops have addresses instead of names and lines", path);
	else if (l->symbols)
		log_msg(0,
			"%s: no symbol table: functions without debugging information have no names", path);
	else if (l->lines)
		log_msg(0,
			"%s: no debugging information: loops have addresses instead of lines (compile with -g)", path);
	if (l->split)
		log_msg(0,
			"%s: the debugging information of %u of %u compile units was not found (%s, ...)", path, l->split, l->units, l->missing ? l->missing : "?");
}

/* A file that has no structure of either kind. */
static void instead(const char *path, struct err *err)
{
	struct err why = *err;

	err_set(err,
		"%s: not instrumented (build it with psc_instrument: \"psc_instrument gcc ...\"), and not to be read "
		"from its code: %.600s", path, why.text);
}

struct sir *foreign_structure(const char *const *files, uint32_t n, struct err *err)
{
	struct binary **open = calloc(n, sizeof *open);
	struct sir *s = NULL;
	uint32_t k = 0;

	if (!open) {
		err_nomem(err);
		return NULL;
	}
	while (k < n && (open[k] = binary_open(files[k], err)))
		k++;
	if (k == n)
		s = binary_structure(open, n, err);
	else
		instead(files[k], err);
	for (uint32_t i = 0; s && i < n; i++)
		say_lost(files[i], binary_lost(open[i]));
	if (s && !s->nregions) {
		err_set(err, "no functions in it");
		instead(files[0], err);
		sir_free(s);
		s = NULL;
	}
	while (k)
		binary_close(open[--k]);
	free(open);
	return s;
}
