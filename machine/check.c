/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/local.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

const char *const machine_shared_names[4] = { "cpu", "core", "socket", "all" };

static bool power_of_two(uint64_t v)
{
	return v && (v & (v - 1)) == 0;
}

static int check_level(const struct machine_flat *f, const struct machine_level *l, struct err *err)
{
	if (l->level < 1 || l->level > 9)
		return err_set(err, "level %u is not 1 to 9", l->level);
	if (!power_of_two(l->line) || l->line < 8 || l->line > 4096)
		return err_set(err, "L%u: a line of %u bytes is no power of two from 8 to 4096",
			l->level, l->line);
	if (l->assoc < 1 || l->assoc > 1024)
		return err_set(err, "L%u: %u ways are not 1 to 1024", l->level, l->assoc);
	if (l->sets < 1 || l->size != (uint64_t)l->sets * l->assoc * l->line)
		return err_set(err, "L%u: %" PRIu64 " bytes are no whole number of sets of %u ways "
			"of %u bytes", l->level, l->size, l->assoc, l->line);
	if (l->shared > MACHINE_SHARED_ALL || l->cpus < 1 || l->cpus > f->ncpus)
		return err_set(err, "L%u: shared by %u of %u CPUs", l->level, l->cpus, f->ncpus);
	if (l->shared == MACHINE_SHARED_CPU && l->cpus != 1)
		return err_set(err, "L%u: private to a CPU, but shared by %u", l->level, l->cpus);
	if (l->shared == MACHINE_SHARED_ALL && l->cpus != f->ncpus)
		return err_set(err, "L%u: shared by all, but by %u of %u CPUs", l->level, l->cpus,
			f->ncpus);
	return 0;
}

static int check_growth(const struct machine_level *in, const struct machine_level *out,
	struct err *err)
{
	if (out->level <= in->level)
		return err_set(err, "L%u comes after L%u: the nearest level goes first", out->level,
			in->level);
	if (out->size <= in->size)
		return err_set(err, "L%u is not larger than L%u", out->level, in->level);
	if (out->line < in->line)
		return err_set(err, "L%u has shorter lines than L%u", out->level, in->level);
	if (out->cpus < in->cpus)
		return err_set(err, "L%u is shared by fewer CPUs than L%u", out->level, in->level);
	if (out->latency <= in->latency)
		return err_set(err, "L%u is not slower than L%u", out->level, in->level);
	return 0;
}

int machine_check(const struct machine *m, struct err *err)
{
	const struct machine_flat *f = &m->flat;

	if (f->nlevels < 1 || f->nlevels > MACHINE_LEVELS)
		return err_set(err, "%u cache levels are not 1 to %d", f->nlevels, MACHINE_LEVELS);
	if (f->ncpus < 1 || f->ncpus > 65536)
		return err_set(err, "%u CPUs are not 1 to 65536", f->ncpus);
	if (!(f->ghz >= 0.01 && f->ghz <= 100) || f->ghz != m->ghz)
		return err_set(err, "the clock is not 10 MHz to 100 GHz");
	if (f->pages > MACHINE_PAGES_VIRTUAL)
		return err_set(err, "unknown kind of pages");
	if (!power_of_two(f->page_size) || f->page_size < 512)
		return err_set(err, "a page of %u bytes is no power of two from 512", f->page_size);
	for (uint32_t i = 0; i < f->nlevels; i++) {
		if (check_level(f, &f->level[i], err) < 0)
			return -1;
		if (i && check_growth(&f->level[i - 1], &f->level[i], err) < 0)
			return -1;
		if (f->level[i].line > f->page_size)
			return err_set(err, "L%u: a line is longer than a page", f->level[i].level);
	}
	if (f->memory_latency <= f->level[f->nlevels - 1].latency)
		return err_set(err, "memory is not slower than the last level");
	return 0;
}
