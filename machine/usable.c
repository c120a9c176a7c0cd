/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how much of the last cache level can be had, and makes models of this host accordingly. */
#include "machine/usable.h"

#include <stdlib.h>
#include "machine/calibration.h"
#include "machine/cpu_clock.h"
#include "machine/kernels.h"
#include "machine/local.h"

enum { PASSES = 3, FAR_ENOUGH = 2 };

/* ns of a dependent load in so many bytes that were all visited before: the fastest pass.  0: no
 * memory. */
static double latency(const struct working_sets *sets, char *at, size_t bytes)
{
	struct order o;
	void *volatile end;     /* or the compiler could leave out the chase */
	void *p;
	double least = 0, ns;

	if (working_sets_chain(sets, at, bytes, &o) < 0)
		return 0;
	p = kernel_chase(o.at, o.n);
	for (int i = 0; i < PASSES; i++) {
		double begin = thread_ns();

		p = kernel_chase(p, o.n);
		ns = (thread_ns() - begin) / (double)o.n;
		least = i == 0 || ns < least ? ns : least;
	}
	end = p;
	(void)end;
	free(o.word);
	return least;
}

uint64_t usable_measure(const struct machine_flat *f, struct working_sets *sets, double near, double far)
{
	/* sixteenths of the level */
	static const unsigned parts[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
	const struct machine_level *last = &f->level[f->nlevels - 1];
	const struct working_set *memory = &sets->set[sets->nlevels];
	unsigned beyond = 0;
	double usable = 0;

	for (size_t i = 0; far > near && i < sizeof parts / sizeof parts[0] && beyond < FAR_ENOUGH; i++) {
		uint64_t bytes = last->size * parts[i] / 16;
		double ns, held;

		if (bytes > memory->scratch_size)
			break;
		ns = latency(sets, memory->scratch, bytes);
		if (ns <= 0)
			break;
		held = ns <= near ? 1 : ns >= far ? 0 : (far - ns) / (far - near);
		usable = held * (double)bytes > usable ? held * (double)bytes : usable;
		beyond = held < 0.1 ? beyond + 1 : 0;
	}
	return usable >= USABLE_ALL * (double)last->size ? last->size : (uint64_t)usable;
}

void usable_shrink(struct machine_level *l, uint64_t bytes)
{
	const uint64_t way = (uint64_t)l->line * l->sets;
	uint32_t sets = l->sets, ways;

	if (bytes >= way * l->assoc)
		return;
	while (sets % 2 == 0 && (uint64_t)l->line * (sets / 2) * l->assoc >= bytes)
		sets /= 2;
	ways = (uint32_t)(bytes / ((uint64_t)l->line * sets));
	l->sets = sets;
	l->assoc = ways < 1 ? 1 : ways < l->assoc ? ways : l->assoc;
	l->size = (uint64_t)l->line * l->sets * l->assoc;
}

int machine_here(struct machine *m, struct err *err)
{
	struct calibration c;
	struct machine_level *last;
	struct err why;
	uint64_t all;

	if (machine_host(m, err) < 0)
		return -1;
	last = &m->flat.level[m->flat.nlevels - 1];
	all = last->size;
	if (calibration_of_host(m, &c, &why) < 0 || !c.usable || c.usable >= all)
		return 0;
	usable_shrink(last, c.usable);
	machine_remark(m, "L%u: %.3g of its %.4g MiB can be had here (psc_machine --calibrate)", last->level,
		(double)last->size / (1 << 20), (double)all / (1 << 20));
	return 0;
}
