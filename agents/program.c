/* SPDX-License-Identifier: BSD-3-Clause */
#include "agents/program.h"

#include <stdlib.h>
#include <string.h>

struct asl_program *program_compile(const struct run_config *c, asl_diag_fn report, void *arg)
{
	struct asl_source *sources = calloc(c->nsources + 1, sizeof *sources);
	struct asl_setting *settings = calloc(c->nsettings + 1, sizeof *settings);
	struct asl_program *p = NULL;

	for (uint32_t i = 0; sources && i < c->nsources; i++)
		sources[i] = (struct asl_source){ c->sources[i].name, c->sources[i].text,
			strlen(c->sources[i].text) };
	for (uint32_t i = 0; settings && i < c->nsettings; i++)
		settings[i] = (struct asl_setting){ c->settings[i].name, c->settings[i].value,
			c->settings[i].origin };
	if (sources && settings)
		p = asl_compile(sources, c->nsources, settings, c->nsettings, report, arg);
	free(sources);
	free(settings);
	return p;
}
