/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when to measure a host again: seldom, since it takes seconds, and only if
 * the result can be better. */
#include "config.h"

#include "machine/calibration_due.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET 0.1               /* share of the CPUs that others may have on an idle machine */
#define MUCH_QUIETER 0.5        /* of the load then */
/* Costs may vary on an idle machine, too, by other virtual machines of the host, which nothing here
 * shows: try again after this many seconds; after fewer where other programs ran here. */
enum { PATIENCE = 3600, SOON = 300 };

enum calibration_due calibration_due(const struct calibration *kept, time_t tried, double load,
	time_t now)
{
	if (!kept)
		return CALIBRATION_MISSING;
	if (kept->costs.loaded && load < MUCH_QUIETER * kept->costs.load)
		return now < tried || now - tried > SOON ? CALIBRATION_QUIETER : CALIBRATION_KEPT;
	if (kept->costs.loaded)
		return CALIBRATION_KEPT;
	if (machine_costs_marked(&kept->costs))
		return load < QUIET && (now < tried || now - tried > PATIENCE) ?
			CALIBRATION_QUIETER : CALIBRATION_KEPT;
	/* Page faults could not be measured. */
	return kept->costs.fault.source != COST_MEASURED && load < QUIET ? CALIBRATION_QUIETER :
		CALIBRATION_KEPT;
}

bool calibration_better(const struct calibration *fresh, const struct calibration *kept)
{
	const struct machine_costs *a = &fresh->costs, *b = &kept->costs;

	if (!machine_costs_marked(a))
		return true;
	if (!machine_costs_marked(b))
		return false;
	if (a->loaded != b->loaded)
		return b->loaded;
	return !a->varies[0] || (b->varies[0] && a->spread < b->spread) ||
		a->load < MUCH_QUIETER * b->load;
}

double calibration_load(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	FILE *f = fopen("/proc/loadavg", "re");
	double threads = 0;

	if (f && fscanf(f, "%lf", &threads) != 1)
		threads = 0;
	if (f)
		fclose(f);
	return cpus > 0 && threads < (double)cpus ? threads / (double)cpus : 1;
}
