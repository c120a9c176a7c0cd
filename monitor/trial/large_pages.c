/* SPDX-License-Identifier: BSD-3-Clause */
/* The action pages=2M: the kernel collects the memory of a structure in pages of 2 MiB.
 *
 * MADV_COLLAPSE makes one large page of 512 small ones at once, whatever the settings of the
 * machine say; running threads may use them meanwhile.  MADV_COLD on one small page splits the
 * large one again: the advice is for a part of it.  Addresses, contents, mappings and their flags
 * stay as they are. MADV_HUGEPAGE and MADV_NOHUGEPAGE would leave a flag that no call clears,
 * mprotect() would stop a thread that writes, and mremap() would lose what
 * threads write meanwhile. */
#include "config.h"
#include "monitor/trial/action.h"
#include "monitor/address/object_pages.h"
#include "monitor/host/mem.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/trial/pagemap.h"
#include "base/clock.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers of Linux before 5.4 and 6.1 lack them. */
enum { COLD = 20, COLLAPSE = 25 };
enum { PER_LARGE = PAGEMAP_LARGE / PAGEMAP_PAGE, ATTEMPTS = 3 };
enum { UNITS_MOST = 1 << 15 };          /* 64 GiB */

/* A unit is an aligned large page whose memory is the structure's alone.  Only those that were in
 * small pages before the trial are changed. */
struct unit {
	uint64_t lo;
	bool large;             /* the trial has made it large */
};
static struct {
	struct unit *unit;
	size_t n;
	size_t at;              /* of the switch under way: the next one */
	bool b;                 /* the switch under way, or the last one, was to B */
	int failed;             /* errno of the last unit that could not be changed */
} all;

static uint64_t moved(int *failed)
{
	uint64_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		n += all.unit[i].large;
	*failed = all.failed;
	return n * PER_LARGE;
}

/* --- which pages ------------------------------------------------------------------------------ */

static bool advise(uint64_t address, size_t bytes, int advice)
{
	return syscall(SYS_madvise, address, bytes, advice) == 0;
}

/* Advice for memory that is locked is refused; it could not be made small again. */
static bool can_be_split(uint64_t lo)
{
	return advise(lo, PAGEMAP_PAGE, COLD);
}

static enum mon_trial_refusal units_choose(const struct object_pages *p, int fd)
{
	int64_t large = 0;

	for (size_t i = 0; i < p->n; i++) {
		const uint64_t hi = p->range[i].hi;

		for (uint64_t lo = p->range[i].lo; lo < hi && all.n < UNITS_MOST;
		     lo += PAGEMAP_LARGE) {
			const int64_t is = pagemap_large(fd, lo, lo + PAGEMAP_LARGE);

			if (is < 0)
				return MON_TRIAL_FORBIDDEN;
			large += is > 0;
			if (!is && pagemap_private(fd, lo) && can_be_split(lo))
				all.unit[all.n++] = (struct unit){ .lo = lo };
		}
	}
	return all.n ? MON_TRIAL_DONE : large ? MON_TRIAL_LARGE_ALREADY : MON_TRIAL_NO_PAGES;
}

static enum mon_trial_refusal units_find(const struct object_pages *p)
{
	enum mon_trial_refusal why;
	int fd;

	all.n = all.at = 0;     /* what an earlier trial has kept is how the program is */
	if (!p->pages)
		return MON_TRIAL_NO_PAGES;
	fd = pagemap_open();
	if (fd < 0)
		return MON_TRIAL_FORBIDDEN;
	why = units_choose(p, fd);
	pagemap_close(fd);
	return why;
}

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	struct object_pages p;
	enum mon_trial_refusal why;

	if (sandbox_around())
		return MON_TRIAL_FORBIDDEN;
	if (!all.unit)
		all.unit = pscm_map(UNITS_MOST * sizeof *all.unit);
	if (!all.unit || !object_pages_find(r->object, PAGEMAP_LARGE, &p))
		return MON_TRIAL_NO_PAGES;
	why = units_find(&p);
	object_pages_free(&p);
	out->pages = all.n * PER_LARGE;
	return why;
}

/* --- switches --------------------------------------------------------------------------------- */

/* The kernel may need several attempts where pages are in use by its own work. */
static void collapse(struct unit *u)
{
	for (int i = 0; i < ATTEMPTS && !u->large; i++) {
		u->large = advise(u->lo, PAGEMAP_LARGE, COLLAPSE);
		if (u->large)
			return;
		all.failed = errno;
		if (errno != EAGAIN)
			return;
	}
}

static void split(struct unit *u)
{
	if (u->large)
		advise(u->lo, PAGEMAP_PAGE, COLD);
	u->large = false;
}

/* Changes unit after unit until the time is over. */
static bool each(void (*change)(struct unit *), uint64_t until)
{
	while (all.at < all.n) {
		change(&all.unit[all.at++]);
		if (clock_ns() >= until && all.at < all.n)
			return false;
	}
	all.at = 0;
	return true;
}

/* A switch that the other one interrupts begins anew when it comes again. */
static bool to_b(uint64_t until)
{
	if (!all.b)
		all.at = 0;
	all.b = true;
	return each(collapse, until);
}

static bool to_a(uint64_t until)
{
	if (all.b)
		all.at = 0;
	all.b = false;
	return each(split, until);
}

static void put_back(void)
{
	all.at = 0;
	all.b = false;
	each(split, UINT64_MAX);
}

/* Its pages are copies, or go back with those of the parent. */
static void forked(void)
{
	all.n = 0;
}

static bool verify(struct mon_trial *out)
{
	const int fd = pagemap_open();

	out->left = 0;
	for (size_t i = 0; i < all.n && fd >= 0; i++)
		out->left += pagemap_large(fd, all.unit[i].lo,
			all.unit[i].lo + PAGEMAP_LARGE) > 0 ? PER_LARGE : 0;
	pagemap_close(fd);
	return true;
}

/* All pages are there in both states. */
static uint64_t memory(void)
{
	return 0;
}

const struct trial_action trial_large_pages = {
	.action = MON_ACTION_LARGE_PAGES, .can = can, .to_b = to_b, .to_a = to_a,
		.put_back = put_back,
	.forked = forked, .verify = verify, .memory = memory, .moved = moved
};
