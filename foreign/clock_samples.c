/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the kernel's task clock for the threads of a program, and reads its samples. */
#include "config.h"
#include "foreign/clock_samples.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "events/metrics.h"

enum { RING_PAGES = 64, TRY_NS = 1000000, TRY_MOST_NS = 200000000 };

/* The kernel's own time is left out, which users may always do. */
static int event_open(pid_t thread, int cpu, uint64_t period_ns, struct record_form *form)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof a,
		.config = PERF_COUNT_SW_TASK_CLOCK, .sample_period = period_ns,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.exclude_kernel = 1, .exclude_hv = 1, .inherit = 1 };

	*form = (struct record_form){ .sample_type = a.sample_type };
	return (int)syscall(SYS_perf_event_open, &a, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The kernel limits what a user may lock in memory: a smaller ring is taken then. */
static int ring_open(struct clock_ring *r, pid_t thread, int cpu, uint64_t period_ns)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = MAP_FAILED;

	*r = (struct clock_ring){ .ring.no_addresses = true, .ring.period = period_ns };
	r->fd = event_open(thread, cpu, period_ns, &r->ring.form);
	for (size_t pages = RING_PAGES; r->fd >= 0 && pages && at == MAP_FAILED; pages /= 2) {
		r->mapped = (pages + 1) * page;
		at = mmap(NULL, r->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	}
	if (at != MAP_FAILED) {
		r->ring.page = at;
		return 0;
	}
	if (r->fd >= 0) {
		const int why = errno;

		close(r->fd);
		errno = why;
	}
	return -1;
}

static int more_room(struct clock_samples *s, uint32_t wanted)
{
	struct clock_ring *more;

	if (wanted <= s->room)
		return 0;
	more = realloc(s->ring, wanted * sizeof *more);
	if (!more)
		return -1;
	s->ring = more;
	s->room = wanted;
	return 0;
}

static int refused(int error, struct err *err)
{
	char why[200];

	event_refused(error, why, sizeof why);
	return err_set(err, "samples of processor time: %s", why);
}

int clock_samples_open(struct clock_samples *s, pid_t thread, uint64_t period_ns, struct err *err)
{
	const long ncpus = sysconf(_SC_NPROCESSORS_CONF);
	const uint32_t before = s->nrings;
	int why = ENODEV;

	if (more_room(s, s->nrings + (uint32_t)(ncpus > 0 ? ncpus : 1)))
		return err_nomem(err);
	for (int cpu = 0; cpu < ncpus; cpu++) {
		if (ring_open(&s->ring[s->nrings], thread, cpu, period_ns) == 0)
			s->nrings++;
		else if (errno != ENODEV)       /* a processor that is off */
			why = errno;
	}
	return s->nrings > before ? 0 : refused(why, err);
}

void clock_samples_close(struct clock_samples *s)
{
	for (uint32_t i = 0; i < s->nrings; i++) {
		munmap(s->ring[i].ring.page, s->ring[i].mapped);
		close(s->ring[i].fd);
	}
	free(s->ring);
	*s = (struct clock_samples){ 0 };
}

void clock_samples_take(struct clock_samples *s, const struct sample_taker *to)
{
	for (uint32_t i = 0; i < s->nrings; i++)
		sample_ring_read(&s->ring[i].ring, &s->ledger, to);
}

/* --- by effect -------------------------------------------------------------------------------- */

static void ignore(void *to, const struct memory_sample *s)
{
	(void)to;
	(void)s;
}

static uint64_t own_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int clock_samples_try(struct err *err)
{
	const struct sample_taker to = { ignore, NULL };
	const uint64_t until = own_cpu() + TRY_MOST_NS;
	struct clock_samples s = { 0 };
	volatile uint64_t work = 0;
	uint64_t samples;

	if (clock_samples_open(&s, 0, TRY_NS, err))
		return -1;
	while (!s.ledger.samples && own_cpu() < until) {
		for (int i = 0; i < 10000; i++)
			work += (uint64_t)i;
		clock_samples_take(&s, &to);
	}
	samples = s.ledger.samples;
	clock_samples_close(&s);
	return samples ? 0 : err_set(err, "samples of processor time: none came in %d ms",
		TRY_MOST_NS / 1000000);
}
