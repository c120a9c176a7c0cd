/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for host_hwloc.c in a build without hwloc: this host's topology is not known. */
#include "machine/local.h"

int machine_host_read(struct machine *m, struct err *why)
{
	(void)m;
	return err_set(why, "built without hwloc");
}
