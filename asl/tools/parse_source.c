/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses one source on its own, for tools that read its text and not what it includes. */
#include "asl/tools/outline.h"

int aslc_parse_source(const struct asl_source *source, asl_diag_fn report, void *arg,
	void (*then)(struct compile *c, void *user), void *user)
{
	struct arena *scratch = arena_new();
	struct compile *c = asl_open_compile(scratch);
	int rc;

	if (!c || setjmp(c->nomem)) {
		asl_out_of_memory(report, arg);
		arena_free(scratch);
		return -1;
	}
	c->alone = true;
	asl_add_source(c, source, source->name);
	asl_parse(c, 0);
	if (c->nerrors == 0)
		then(c, user);
	asl_give_diags(c, report, arg);
	rc = c->nerrors ? -1 : 0;
	arena_free(scratch);
	return rc;
}
