/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the times of executions in which all threads ran on one CPU. */
#include "analysis/measure/estimate_rows.h"

int measured_add_one_cpu(struct measurements *p, const struct mon_peer *peer,
	const struct mon_result *r, struct err *err)
{
	struct measurements *one = measured_new(p->sir, p->machine, p->rank);

	if (!one)
		return err_nomem(err);
	one->modelled = p->modelled;
	if (measured_sync(one, peer, err) || measured_add_times(one, r, err)) {
		measured_free(one);
		return -1;
	}
	measured_free(p->one_cpu);
	p->one_cpu = one;
	if (estimate_rows_refresh(p))
		return err_nomem(err);
	p->estimated &= !measured_lossy(p);
	return 0;
}
