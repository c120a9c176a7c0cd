/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the plausibility and consistency of a machine model. */
#include "machine/local.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

const char *const machine_shared_names[4] = { "cpu", "core", "socket", "all" };
const char *const machine_replacement_names[3] = { "lru", "plru", "random" };
const char *const machine_inclusion_names[3] = { "none", "inclusive", "exclusive" };
const char *const machine_prefetch_names[3] = { "none", "next-line", "stride" };
const char *const machine_write_names[2] = { "untracked", "back" };
const char *const machine_index_names[2] = { "virtual", "physical" };
const char *const machine_threads_names[2] = { "neighbours", "spread" };

enum { PLRU_WAYS = 64, MOST_AHEAD = 16 };

static bool power_of_two(uint64_t v)
{
	return v && (v & (v - 1)) == 0;
}

static int check_level(const struct machine_flat *f, const struct machine_level *l, struct err *err)
{
	if (l->level < 1 || l->level > 9)
		return err_set(err, "level %u is not 1 to 9", l->level);
	if (!power_of_two(l->line) || l->line < 8 || l->line > 4096)
		return err_set(err, "L%u: a line of %u bytes is not a power of two from 8 to 4096",
			l->level, l->line);
	if (l->assoc < 1 || l->assoc > 1024)
		return err_set(err, "L%u: %u ways are not 1 to 1024", l->level, l->assoc);
	if (l->sets < 1 || l->size != (uint64_t)l->sets * l->assoc * l->line)
		return err_set(err,
			"L%u: %" PRIu64 " bytes are not a whole number of sets of %u ways "
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

static int check_options(const struct machine_level *l, bool nearest, struct err *err)
{
	if (l->replacement > MACHINE_RANDOM || l->inclusion > MACHINE_EXCLUSIVE ||
	    l->prefetch > MACHINE_STRIDE || l->physical > 1)
		return err_set(err, "L%u: unknown option", l->level);
	if (nearest && l->physical)
		return err_set(err, "L%u: the nearest level is indexed by virtual addresses",
			l->level);
	if (l->replacement == MACHINE_PLRU && (!power_of_two(l->assoc) || l->assoc > PLRU_WAYS))
		return err_set(err,
			"L%u: plru is a tree, but %u ways are not a power of two up to %d",
			l->level, l->assoc, PLRU_WAYS);
	if (l->prefetch ? l->degree < 1 || l->degree > MOST_AHEAD : l->degree != 0)
		return err_set(err, "L%u: degree %u is not 1 to %d, or there is no prefetcher",
			l->level, l->degree, MOST_AHEAD);
	if (l->prefetch && l->inclusion == MACHINE_EXCLUSIVE)
		return err_set(err, "L%u: an exclusive level gets its lines from the nearer level "
			"only: it cannot prefetch", l->level);
	return 0;
}

/* Checks the inclusion of level `of`; near: the next nearer level, or NULL. */
static int check_inclusion(const struct machine_level *near, const struct machine_level *of,
	struct err *err)
{
	if (of->inclusion == MACHINE_INDEPENDENT)
		return 0;
	if (!near)
		return err_set(err, "L%u: the nearest level cannot be %s", of->level,
			machine_inclusion_names[of->inclusion]);
	if (of->inclusion == MACHINE_EXCLUSIVE && near->line != of->line)
		return err_set(err, "L%u: exclusive, but its lines are not as long as L%u's",
			of->level, near->level);
	return 0;
}

static int check_growth(const struct machine_level *in, const struct machine_level *out,
	struct err *err)
{
	if (out->level <= in->level)
		return err_set(err, "L%u comes after L%u: the nearest level must come first",
			out->level, in->level);
	if (out->size <= in->size)
		return err_set(err, "L%u is not larger than L%u", out->level, in->level);
	if (out->line < in->line)
		return err_set(err, "L%u has shorter lines than L%u", out->level, in->level);
	if (out->cpus < in->cpus)
		return err_set(err, "L%u is shared by fewer CPUs than L%u", out->level, in->level);
	if (out->shared != MACHINE_SHARED_ALL && out->cpus % in->cpus)
		return err_set(err, "L%u is shared by %u CPUs, which is not a multiple of L%u's %u",
			out->level, out->cpus, in->level, in->cpus);
	if (out->latency <= in->latency)
		return err_set(err, "L%u is not slower than L%u", out->level, in->level);
	return 0;
}

int machine_check_tlbs(const struct machine_flat *f, struct err *err)
{
	if (f->ntlbs > MACHINE_TLBS)
		return err_set(err, "more than %d TLB levels", MACHINE_TLBS);
	for (uint32_t i = 0; i < f->ntlbs; i++) {
		const struct machine_tlb *t = &f->tlb[i];

		if (t->entries < 1 || t->entries > 1 << 20 || t->ways < 1 || t->ways > 1024 ||
		    t->entries % t->ways)
			return err_set(err, "TLB %u: %u entries are not a whole number of sets of "
				"%u ways", i + 1, t->entries, t->ways);
		if (!power_of_two(t->page) || t->page < 4096 || t->page > 1u << 30)
			return err_set(err, "TLB %u: a page of %u bytes is not a power of two from "
				"4 KiB to 1 GiB", i + 1, t->page);
		if (t->page < f->page_size)
			return err_set(err, "TLB %u: its pages are smaller than the machine's",
				i + 1);
		if (t->miss < 1 || t->miss > 1000000)
			return err_set(err, "TLB %u: a miss of %u cycles is not 1 to 1000000",
				i + 1, t->miss);
		if (i && t->page < t[-1].page)
			return err_set(err, "TLB 2 has smaller pages than TLB 1");
		if (i && (uint64_t)t->entries * t->page <= (uint64_t)t[-1].entries * t[-1].page)
			return err_set(err, "TLB 2 covers no more memory than TLB 1");
	}
	return 0;
}

int machine_check_nodes(const struct machine_flat *f, struct err *err)
{
	const struct machine_nodes *n = &f->nodes;
	uint32_t most = 0;

	if (f->sockets > f->ncpus)
		return err_set(err, "%u sockets are more than the %u CPUs", f->sockets, f->ncpus);
	if (n->count < 1 || n->count > MACHINE_NODES || (uint64_t)n->count * n->cpus != f->ncpus)
		return err_set(err, "%u nodes (1 to %d) of %u CPUs each are not the %u CPUs",
			n->count, MACHINE_NODES, n->cpus, f->ncpus);
	if (f->spread && n->count < 2 && f->sockets < 2)
		return err_set(err, "threads=\"spread\" wants several nodes or sockets");
	if (n->count > 1 && f->sockets > 1 && n->count % f->sockets && f->sockets % n->count)
		return err_set(err, "%u nodes do not fit into %u sockets", n->count, f->sockets);
	for (uint32_t i = 0; i < n->count; i++)
		for (uint32_t k = 0; k < n->count; k++) {
			uint32_t cycles = n->latency[i][k];

			if (i == k ? cycles != f->memory_latency : cycles < f->memory_latency)
				return err_set(err, "from node %u to node %u it takes %u cycles, "
					"to a node's own memory %u", i, k, cycles,
					f->memory_latency);
			if (i != k && cycles > most)
				most = cycles;
		}
	if (n->count == 1 ? n->threshold != 0
	    : n->threshold <= f->memory_latency || n->threshold > most)
		return err_set(err,
			"the remote threshold of %u cycles is not between the latency of "
			"own memory, %u, and of the farthest node, %u", n->threshold,
			f->memory_latency, most);
	return 0;
}

int machine_check_channels(const struct machine_flat *f, struct err *err)
{
	const uint32_t line = f->level[f->nlevels - 1].line;

	if (!f->channels && !f->interleave)
		return 0;
	if (f->channels < 2 || f->channels * f->nodes.count > MACHINE_MODULES)
		return err_set(err, "%u channels of each of %u nodes are not 2 to %d in all",
			f->channels, f->nodes.count, MACHINE_MODULES);
	if (!power_of_two(f->interleave) || f->interleave < line ||
	    f->interleave > MACHINE_INTERLEAVE)
		return err_set(err,
			"channels that take turns every %u bytes: not a power of two from a line, %u, to 1 MiB", f->interleave, line);
	return 0;
}

void machine_one_node(struct machine_flat *f)
{
	f->nodes = (struct machine_nodes){ .count = 1, .cpus = f->ncpus };
	f->nodes.latency[0][0] = f->memory_latency;
}

/* Refuses costs that cannot be written in a file, and infinite ones. */
static int check_lines(const struct machine *m, struct err *err)
{
	if (m->misses > 1000)
		return err_set(err, "%u overlapping misses are more than 1000", m->misses);
	for (uint32_t i = 0; i <= m->flat.nlevels; i++) {
		const struct machine_line *l = &m->line[i];
		const double costs[] = { l->walk, l->read, l->write };

		for (int k = 0; k < 3; k++)
			if (!(costs[k] == 0 || (costs[k] >= 1e-6 && costs[k] <= 1e6)))
				return err_set(err, "%s: a line costs 0.000001 to 1000000 cycles",
					i < m->flat.nlevels ? "a cache" : "memory");
	}
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
	if (f->write > MACHINE_WRITE_BACK)
		return err_set(err, "unknown kind of writes");
	if (!power_of_two(f->page_size) || f->page_size < 512)
		return err_set(err, "a page of %u bytes is not a power of two from 512",
			f->page_size);
	for (uint32_t i = 0; i < f->nlevels; i++) {
		if (check_level(f, &f->level[i], err) < 0 ||
		    check_options(&f->level[i], i == 0, err) < 0)
			return -1;
		if (check_inclusion(i ? &f->level[i - 1] : NULL, &f->level[i], err) < 0)
			return -1;
		if (i && check_growth(&f->level[i - 1], &f->level[i], err) < 0)
			return -1;
		if (f->level[i].line > f->page_size)
			return err_set(err, "L%u: a line is longer than a page", f->level[i].level);
	}
	if (f->memory_latency <= f->level[f->nlevels - 1].latency)
		return err_set(err, "memory is not slower than the last level");
	if (check_lines(m, err) < 0 || machine_check_tlbs(f, err) < 0)
		return -1;
	return machine_check_nodes(f, err) < 0 ? -1 : machine_check_channels(f, err);
}
