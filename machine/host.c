/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the model of this host, or takes a typical server's where the host's topology cannot be
 * read or is not plausible. */
#include "machine/local.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void machine_remark(struct machine *m, const char *fmt, ...)
{
	size_t n = strlen(m->note);
	va_list ap;

	if (n)
		n += (size_t)snprintf(m->note + n, sizeof m->note - n, "; ");
	if (n >= sizeof m->note)
		return;
	va_start(ap, fmt);
	vsnprintf(m->note + n, sizeof m->note - n, fmt, ap);
	va_end(ap);
}

/* Uses the fall-back model with this host's number of CPUs.  It keeps its own clock, since its
 * latencies are in cycles of that clock. */
static int fall_back(struct machine *m, uint32_t ncpus, const char *why, struct err *err)
{
	struct machine server;

	if (machine_read(&server, MACHINE_FALLBACK, err) < 0)
		return -1;
	if (ncpus)
		server.flat.ncpus = ncpus;
	for (uint32_t i = 0; i < server.flat.nlevels; i++) {
		struct machine_level *l = &server.flat.level[i];

		if (l->cpus > server.flat.ncpus)
			l->cpus = server.flat.ncpus;
		if (l->cpus == 1)
			l->shared = MACHINE_SHARED_CPU;
		else if (l->shared == MACHINE_SHARED_ALL)
			l->cpus = server.flat.ncpus;
	}
	if (ncpus) {
		server.flat.sockets = 1;
		machine_one_node(&server.flat);
	}
	snprintf(server.source, sizeof server.source, "hwloc (%.180s); %s", why, MACHINE_FALLBACK);
	server.note[0] = '\0';
	machine_remark(&server, "%.180s: %s taken instead", why, MACHINE_FALLBACK);
	if (machine_check(&server, err) < 0)
		return err_prefix(err, "%s", MACHINE_FALLBACK);
	*m = server;
	return 0;
}

int machine_host(struct machine *m, struct err *err)
{
	struct machine host = { .ghz = 0 };
	struct err why;

	if (machine_host_read(&host, &why) < 0)
		return fall_back(m, host.flat.ncpus, why.text, err);
	*m = host;
	return 0;
}
