/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the attributes that are figures of a subject's counts and estimates. */
#include "analysis/measure/attribute_figures.h"
#include "analysis/measure/blocking.h"
#include "analysis/measure/kernel_use.h"
#include "analysis/measure/sharing.h"

#include <math.h>

static double misses(const struct subject *s, const struct attribute *a)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	uint32_t level = a->level ? a->level : measured_last_level(s->measured);

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].level == level)
			return (a->which & LOADS ? s->tally.load_miss[l] : 0) +
				(a->which & STORES ? s->tally.store_miss[l] : 0);
	return NAN;     /* the machine has no such level: not measured */
}

/* Misses of a class; level 0: of the nearest level. */
static double class_misses(const struct subject *s, const struct attribute *a)
{
	const struct machine_flat *m = &s->measured->machine->flat;

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (!a->level || m->level[l].level == a->level)
			return tally_class_misses(&s->tally, l, a->class);
	return NAN;
}

/* Misses of the last TLB level, which cost a page walk. */
static double tlb_misses(const struct subject *s, uint32_t which)
{
	uint32_t n = s->measured->machine->flat.ntlbs;

	return n ? (which & LOADS ? s->tally.tlb_load_miss[n - 1] : 0) +
		(which & STORES ? s->tally.tlb_store_miss[n - 1] : 0) : NAN;
}

static double written_back(const struct subject *s)
{
	const struct machine_flat *m = &s->measured->machine->flat;

	return m->write == MACHINE_WRITE_BACK && m->nlevels ?
		s->tally.writeback[m->nlevels - 1] * m->level[m->nlevels - 1].line : NAN;
}

/* Sum over the levels with a prefetcher. */
static double prefetched(const struct subject *s, const double *lines)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	double sum = NAN;

	for (uint32_t l = 0; l < m->nlevels; l++)
		if (m->level[l].prefetch)
			sum = isnan(sum) ? lines[l] : sum + lines[l];
	return sum;
}

/* Bytes of the lines brought into the nearest or the last level. */
static double fetched(const struct subject *s, enum attribute_source which)
{
	const struct machine_flat *m = &s->measured->machine->flat;
	uint32_t l = which == FETCHED_LAST ? m->nlevels - 1 : 0;

	return m->nlevels ? s->tally.fetched[l] * m->level[l].line : NAN;
}

/* The time of coherence misses in s, divided by the number of threads: sharing takes several
 * threads at the same time. */
static double coherence_time(const struct subject *s, double misses)
{
	double hz = s->measured->machine->ghz * 1e9;
	uint32_t threads = s->measured->threads ? s->measured->threads : 1;

	return hz > 0 ? tally_coherence_cycles(s->measured, misses) / hz / threads : NAN;
}

static double count_sharing(const struct subject *s, const struct attribute *a)
{
	const struct tally *t = &s->tally;

	switch (a->source) {
	case COHERENCE: return tally_coherence(s->measured, t->false_sharing + t->true_sharing);
	case FALSE_SHARING: return tally_coherence(s->measured, t->false_sharing);
	case TRUE_SHARING: return tally_coherence(s->measured, t->true_sharing);
	case FALSE_TIME: return coherence_time(s, t->false_sharing);
	case TRUE_TIME: return coherence_time(s, t->true_sharing);
	case LINE_LOCKS: return sharing_locks(s->measured, s->object);
	case LINE_LOCKS_UPDATED: return sharing_locks_updated(s->measured, s->object);
	case LINE_UPDATED: return sharing_updated(s->measured, s->object);
	case SHARED_LINES: return tally_coherence(s->measured, t->shared_lines);
	case LOCAL: return tally_local(s->measured, t);
	case REMOTE: return tally_remote(s->measured, t);
	case REMOTE_LOADS: return tally_remote_loads(s->measured, t);
	default: return NAN;
	}
}

static double phase_estimate_high(const struct measurements *p)
{
	struct tally all;

	return measured_tally(p, 0, MON_ANY, &all) ? all.estimate.high : NAN;
}

/* The part of page walks that large pages save; -1: not known. */
static double large_pages(const struct subject *s)
{
	const struct tally_estimate *e = &s->tally.estimate;

	if (!machine_huge_known(&s->measured->costs))
		return -1;
	return e->walks > 0 ? fmin(1, e->large_pages / e->walks) : 0;
}

/* Page faults, or their time.  On another machine's model the kernel's part is not known. */
static double fault_figure(const struct subject *s, enum attribute_source which)
{
	const struct tally_estimate *e = &s->tally.estimate;

	if (!s->measured->estimated || s->measured->modelled ||
	    isnan(kernel_use_phase(s->measured).faults))
		return NAN;
	return which == FAULTS ? e->faults : e->fault_time;
}

/* NAN until times and counts are known. */
static double estimated(const struct subject *s, const struct attribute *a)
{
	const struct tally *t = a->source == REGION_ESTIMATE ? &s->around : &s->tally;

	if (!s->measured->estimated)
		return NAN;
	switch (a->source) {
	case ESTIMATE:
	case REGION_ESTIMATE: return *(const double *)((const char *)&t->estimate + a->offset);
	case PHASE_ESTIMATE_HIGH: return phase_estimate_high(s->measured);
	case MEMORY_TIME: return tally_memory_time(&s->tally);
	case LARGE_PAGES: return large_pages(s);
	case CAPACITY_DISTANCE: return blocking_distance(s->measured, &s->tally);
	case BLOCK_SIZE: return blocking_size(s->measured, &s->tally);
	default: return NAN;
	}
}

static double counter(const struct subject *s, const struct attribute *a)
{
	return *(const double *)((const char *)&s->tally + a->offset);
}

double attribute_count(const struct subject *s, const struct attribute *a)
{
	switch (a->source) {
	case COUNT: return counter(s, a);
	case STORED: return s->tally.stored > 0 || !(s->tally.stores > 0) ? counter(s, a) : NAN;
	case REFS: return tally_refs(&s->tally);
	case REFS_LASTING: return tally_refs(&s->tally) - s->tally.temporaries;
	case MISS: return misses(s, a);
	case TLB_MISS: return tlb_misses(s, a->which);
	case WRITEBACK: return written_back(s);
	case PREFETCHED: return prefetched(s, s->tally.prefetched);
	case PREFETCH_USED: return prefetched(s, s->tally.useful);
	case LATENCY: return tally_slow_loads(s->measured, &s->tally, a->cycles);
	case FETCHED_FIRST:
	case FETCHED_LAST: return fetched(s, a->source);
	case STALL_CYCLES: return tally_stall_cycles(s->measured, &s->tally);
	case STALL_CPU: return tally_thread_stall(s->measured, &s->tally);
	case REGION_REFS: return tally_refs(&s->around);
	case CLASS_MISS: return class_misses(s, a);
	case REUSE: return tally_reuse_distance((const double *)((const char *)&s->tally +
		a->offset));
	case ESTIMATE:
	case REGION_ESTIMATE:
	case PHASE_ESTIMATE_HIGH:
	case CAPACITY_DISTANCE:
	case BLOCK_SIZE:
	case LARGE_PAGES:
	case MEMORY_TIME: return estimated(s, a);
	case FAULTS:
	case FAULT_TIME: return fault_figure(s, a->source);
	default: return count_sharing(s, a);
	}
}
