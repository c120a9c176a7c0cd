/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the report of an analysis without findings: what was run and asked, and what came of it. */
#include <config.h>

#include "frontend/nothing.h"

#include <string.h>

#include "binary/binary.h"

static void name_phase(const struct run_config *c, struct report *r)
{
	struct err err;
	struct sir *sir = binary_read_program(c->executable, c->code_files, NULL, &err);

	if (sir && c->phase_region < sir->nregions) {
		const struct sir_region *phase = &sir->regions[c->phase_region];
		const char *slash = strrchr(phase->file, '/');

		r->phase.type = phase->type;
		r->phase.name = arena_strdup(r->arena, phase->name ? phase->name : "");
		r->phase.file = arena_strdup(r->arena, slash ? slash + 1 : phase->file);
		r->phase.line = phase->line;
		r->phase.phase = true;
	}
	sir_free(sir);
}

struct report *nothing_found(const struct run_config *c, const char *why)
{
	struct report *r = report_new();

	if (!r)
		return NULL;
	r->command = arena_strdup(r->arena, c->command);
	r->directory = arena_strdup(r->arena, c->directory);
	r->executable = arena_strdup(r->arena, c->executable);
	r->version = PACKAGE_VERSION;
	r->phase_choice = c->phase_choice ? arena_strdup(r->arena, c->phase_choice) : NULL;
	r->asked = arena_array(r->arena, (size_t)c->nasked + 1, sizeof *r->asked);
	for (uint32_t i = 0; r->asked && i < c->nasked; i++)
		r->asked[r->nasked++] = (struct report_asked){ arena_strdup(r->arena,
			c->asked[i].name), arena_strdup(r->arena, c->asked[i].set),
			c->asked[i].usual };
	r->partial = arena_strdup(r->arena, why);
	name_phase(c, r);
	return r;
}
