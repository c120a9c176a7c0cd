/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how much of the last cache level can be had, and makes models
 * of this host accordingly. */
#include "machine/usable.h"

#include <stdbool.h>
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

/* The size after the sixteenths of a level: 1, 2, 3, 4, 6, 8, 12, 16, ... of them. */
static uint64_t next_size(uint64_t bytes, uint64_t part)
{
	const bool power = (bytes / part & (bytes / part - 1)) == 0;

	return bytes < 2 * part ? bytes + part : power ? bytes / 2 * 3 : bytes / 3 * 4;
}

uint64_t usable_measure(const struct machine_flat *f, struct working_sets *sets, uint64_t most,
	double near, double far)
{
	const uint64_t size = f->level[f->nlevels - 1].size, part = size / 16;
	const struct working_set *memory = &sets->set[sets->nlevels];
	unsigned beyond = 0;
	double usable = 0;

	most = most < memory->scratch_size ? most : memory->scratch_size;
	for (uint64_t bytes = part; far > near && bytes <= most && beyond < FAR_ENOUGH;
	     bytes = next_size(bytes, part)) {
		double ns = latency(sets, memory->scratch, bytes), held;

		if (ns <= 0)
			break;
		held = ns <= near ? 1 : ns >= far ? 0 : (far - ns) / (far - near);
		usable = held * (double)bytes > usable ? held * (double)bytes : usable;
		beyond = held < 0.1 ? beyond + 1 : 0;
	}
	return most <= size && usable >= USABLE_ALL * (double)size ? size : (uint64_t)usable;
}

void usable_resize(struct machine_level *l, uint64_t bytes)
{
	const uint64_t way = (uint64_t)l->line * l->sets;
	uint32_t sets = l->sets, ways;

	if (bytes == way * l->assoc)
		return;
	while (bytes < way * l->assoc && sets % 2 == 0 &&
	       (uint64_t)l->line * (sets / 2) * l->assoc >= bytes)
		sets /= 2;
	while ((uint64_t)l->line * sets * 2 * l->assoc <= bytes)
		sets *= 2;
	ways = (uint32_t)(bytes / ((uint64_t)l->line * sets));
	l->sets = sets;
	l->assoc = ways < 1 ? 1 : ways;
	l->size = (uint64_t)l->line * l->sets * l->assoc;
}

/* A level is larger than the one before it, whatever other programs left of it. */
static uint64_t at_least(const struct machine_flat *f, uint64_t usable)
{
	const uint64_t least = f->nlevels > 1 ? 2 * f->level[f->nlevels - 2].size : 0;

	return usable < least ? least : usable;
}

int machine_here(struct machine *m, struct err *err)
{
	struct calibration c;
	struct machine_level *last;
	struct err why;
	uint64_t all, usable;

	if (machine_host(m, err) < 0)
		return -1;
	last = &m->flat.level[m->flat.nlevels - 1];
	all = m->reported ? m->reported : last->size;
	if (calibration_of_host(m, &c, &why) < 0 || !c.usable)
		return 0;
	usable = at_least(&m->flat, c.usable);
	if (usable >= all || usable == last->size)
		return 0;
	usable_resize(last, usable);
	machine_remark(m, "L%u: %.3g of %.4g MiB can be had here, as measured", last->level,
		(double)last->size / (1 << 20), (double)all / (1 << 20));
	return 0;
}
