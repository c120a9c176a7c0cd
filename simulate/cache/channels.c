/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts misses of the last level by memory channel. */
#include "simulate/cache/channels.h"
#include <string.h>

void sim_channels_attach(struct sim_core *core)
{
	const struct machine_flat *m = &core->sim->machine;
	const uint32_t modules = machine_channels(m) * (m->nodes.count ? m->nodes.count : 1);

	core->modules = core->sim->columns && modules <= MACHINE_MODULES ? modules : 0;
	if (core->modules && !core->channels)
		core->channels = core->sim->env->room(SIM_CELLS * sizeof *core->channels);
	if (!core->channels)
		core->modules = 0;
}

void sim_channels_clear(struct sim_core *core)
{
	if (core->channels)
		memset(core->channels, 0, (core->ncells ? core->ncells : 1) *
			sizeof *core->channels);
}

void sim_channels_count(struct sim_core *core, const struct sim_cell *cell, uint64_t address,
	uint32_t node)
{
	const struct machine_flat *m = &core->sim->machine;
	const uint32_t module = node * m->channels +
		(uint32_t)(address / m->interleave % m->channels);

	if (module < core->modules)
		core->channels[cell - core->cells].now[module]++;
}
