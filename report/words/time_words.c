/* SPDX-License-Identifier: BSD-3-Clause */
/* Composes what reports say of the phase's time apart from memory. */
#include "report/words/time_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/known.h"
#include "base/malloc_settings.h"
#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/page.h"
#include "report/words/words.h"

#define LEAST_PART 0.001        /* of the phase's time, to be named */
#define LEADS (1.0 / 3)         /* of the processor time: the report begins with such a part */
#define MOST 0.5
#define MIXED 0.1
#define LITTLE 0.05             /* of the processor time: what the core's model knows of such code
				 * says nothing */
#define AWAY "without a processor, or asleep"

static bool has_parts(const struct report *r)
{
	return !isnan(r->computing_time);
}

/* The time that memory takes on another machine is no part of it. */
static double memory_part(const struct report *r)
{
	return isnan(r->modelled_time) ? fmin(known_amount(r->est_stall), r->cpu_time) : 0;
}

int time_shares(const struct report *r, struct time_share out[TIME_SHARES], double *all)
{
	const double faults = known_amount(r->fault_time), memory = memory_part(r);
	const struct time_share shares[] = {
		{ "memory", "memory", memory, false },
		{ "computing", "rest", has_parts(r) ? r->computing_time : 0, false },
		{ "mispredicted branches", "rest", has_parts(r) ? known_amount(r->branch_time) : 0,
			false },
		{ "page faults", "kernel", has_parts(r) ? faults : 0, false },
		{ faults > 0 ? "other work of the kernel" : "kernel", "kernel",
			has_parts(r) ? known_amount(r->kernel_time - faults) : 0, false },
		{ "calls of libraries", "library", has_parts(r) ? known_amount(r->library_time) : 0,
			false },
		{ "unexplained", "away", has_parts(r) ? known_amount(r->unexplained_time) : 0,
			false },
		{ memory > 0 ? "not memory" : "running", "rest", has_parts(r) ? 0 :
			r->cpu_time - memory, false },
		{ "waits of threads for each other", "waits", known_amount(r->barrier_wait),
			false },
		{ "MPI", "waits", known_amount(r->mpi_wait), false },
		{ "input, output, locks and sleep", "waits", known_amount(r->other_wait), false },
		{ AWAY, "away", known_amount(r->away_time), true },
	};
	int n = 0;

	_Static_assert(sizeof shares / sizeof shares[0] == TIME_SHARES, "one place for each");
	*all = 0;
	for (int i = 0; i < TIME_SHARES && (has_parts(r) || !isnan(r->barrier_wait)); i++)
		if (shares[i].seconds > 0) {
			out[n++] = shares[i];
			*all += shares[i].seconds;
		}
	return n;
}

static int by_seconds(const void *a, const void *b)
{
	const struct time_share *x = a, *y = b;

	return x->seconds < y->seconds ? 1 : x->seconds > y->seconds ? -1 :
		strcmp(x->what, y->what);
}

void words_time_shares(struct buf *b, const struct report *r)
{
	struct time_share share[TIME_SHARES];
	char figure[PAGE_FIGURE];
	double all;
	int n = time_shares(r, share, &all);
	bool any = false;

	/* While a thread has no processor it spends no time on anything. */
	all -= known_amount(r->away_time);
	qsort(share, (size_t)n, sizeof *share, by_seconds);
	for (int i = 0; i < n; i++) {
		if (!share[i].away && share[i].seconds >= LEAST_PART * all) {
			buf_printf(b, "%s%s %s", any ? ", " : "",
				page_percent(figure, share[i].seconds / all), share[i].what);
			any = true;
		}
	}
}

void words_time(struct buf *b, const struct report *r)
{
	const size_t before = b->len;
	const double away = known_amount(r->away_time);
	struct time_share share[TIME_SHARES];
	char figure[PAGE_FIGURE];
	double all;

	words_time_shares(b, r);
	time_shares(r, share, &all);
	if (b->len > before && away >= MIXED * (all - away))
		buf_printf(b, "; besides, %s %s", page_seconds(figure, away), AWAY);
}

/* --- the sentence ----------------------------------------------------------------------------- */

/* "Most of the processor time (93%)", "About 41% of the processor time" */
static void put_share(struct buf *b, double share)
{
	char figure[PAGE_FIGURE];

	page_percent(figure, share);
	if (share >= MOST)
		buf_printf(b, "Most of the processor time (%s)", figure);
	else
		buf_printf(b, "About %s of the processor time", figure);
}

void words_number(struct buf *b, double n)
{
	n = round(n);
	if (n >= 1e6)
		buf_printf(b, "%.0f %03.0f %03.0f", floor(n / 1e6), floor(fmod(n, 1e6) / 1e3),
			fmod(n, 1e3));
	else if (n >= 1e4)
		buf_printf(b, "%.0f %03.0f", floor(n / 1e3), fmod(n, 1e3));
	else
		buf_printf(b, "%.0f", n);
}

/* True: what to do about page faults stands with their problem. */
static bool has_fault_problem(const struct report *r)
{
	for (int i = 0; i < r->problems.n; i++)
		if (report_problem_faults(&r->problems.problem[i]))
			return true;
	return false;
}

static void faults_sentence(struct buf *b, const struct report *r, double share)
{
	put_share(b, share);
	buf_puts(b, " goes to page faults: ");
	words_number(b, r->faults);
	buf_puts(b, r->bursts ? "" : " an execution");
	if (text_some(r->fault_blocks))
		buf_printf(b, ", for memory allocated at %s", r->fault_blocks);
	else if (text_some(r->fault_place))
		buf_printf(b, ", most of them in %s", r->fault_place);
	if (has_fault_problem(r))
		buf_puts(b, ". ");
	else if (r->bursts)
		buf_puts(b, ". ");
	else if (text_some(r->fault_blocks))
		buf_puts(b,
			". Keep that memory from one execution to the next; " MALLOC_KEEPS " in the environment (glibc) "
			"shows what that saves. ");
	else
		buf_puts(b, ". Memory that is kept from one execution to the next has none. ");
}

/* What it does there is not known, but for page faults: system calls, large
 * pages, giving memory back. */
static void kernel_sentence(struct buf *b, const struct report *r, double share)
{
	char figure[PAGE_FIGURE];

	put_share(b, share);
	buf_puts(b, " is spent in the kernel");
	if (known_amount(r->fault_time) >= LEAST_PART * r->cpu_time)
		buf_printf(b, "; page faults take %s of it",
			page_percent(figure, r->fault_time / r->kernel_time));
	if (text_some(r->fault_blocks))
		buf_printf(b, "; memory is allocated %s at %s", words_of_execution(r),
			r->fault_blocks);
	buf_puts(b, ". strace -f -c lists system calls. ");
}

static void library_sentence(struct buf *b, const struct report *r, double share)
{
	put_share(b, share);
	buf_puts(b, " goes to code that is not recorded");
	if (text_some(r->library_calls))
		buf_printf(b, ", in calls of %s", r->library_calls);
	buf_puts(b, ". ");
}

static void unexplained_sentence(struct buf *b, const struct report *r, double share)
{
	put_share(b, share);
	if (known_amount(r->core_time) < LITTLE * r->cpu_time)
		buf_puts(b,
			" is not explained: few accesses to memory are recorded there, so it computes in registers, or calls what "
			"is not recorded");
	else
		buf_puts(b,
			" is not explained: it is more than memory and the core's model of this code take");
	if (text_some(r->library_calls))
		buf_printf(b, "; its calls of %s are not recorded", r->library_calls);
	buf_puts(b, ". ");
}

/* Waits are wall time, beside the processor time.  On a loaded machine threads wait for one that
 * has no processor, and time without one is no sleep. */
static bool waits_sentence(struct buf *b, const struct report *r)
{
	const bool loaded = words_loaded(r);
	const struct { double seconds; const char *in; } waits[] = {
		{ loaded ? 0 : known_amount(r->barrier_wait), "for each other" },
		{ known_amount(r->mpi_wait), "in MPI" },
		{ known_amount(r->other_wait), "for input, output, locks or a clock" },
		{ loaded ? 0 : known_amount(r->away_time), "asleep" },
	};
	char figure[PAGE_FIGURE];
	size_t most = 0;
	double all = 0;

	for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
		all += waits[i].seconds;
		most = waits[i].seconds > waits[most].seconds ? i : most;
	}
	if (!(all > MOST * (r->cpu_time + all)))
		return false;
	buf_printf(b, "Its threads wait most of the time (%s)",
		page_percent(figure, all / (r->cpu_time + all)));
	if (waits[most].seconds > MOST * all)
		buf_printf(b, ", %s", waits[most].in);
	buf_puts(b, ". ");
	return true;
}

bool time_verdict(struct buf *b, const struct report *r)
{
	typedef void sentence(struct buf *b, const struct report *r, double share);
	const double faults = known_amount(r->fault_time), kernel = known_amount(r->kernel_time);
	const bool mostly_faults = faults > kernel / 2 && faults >= LEADS * r->cpu_time;
	const struct { sentence *say; double seconds; } parts[] = {
		{ mostly_faults ? faults_sentence : kernel_sentence, mostly_faults ? faults :
			kernel },
		{ library_sentence, known_amount(r->library_time) },
		{ unexplained_sentence, known_amount(r->unexplained_time) },
	};
	size_t most = 0;

	if (!has_parts(r) || !(r->cpu_time > 0))
		return false;
	if (waits_sentence(b, r))
		return true;
	for (size_t i = 1; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i].seconds > parts[most].seconds)
			most = i;
	if (parts[most].seconds < LEADS * r->cpu_time)
		return false;
	parts[most].say(b, r, parts[most].seconds / r->cpu_time);
	return true;
}

bool time_is_mixed(const struct report *r)
{
	return has_parts(r) && known_amount(r->kernel_time) + known_amount(r->library_time) +
		known_amount(r->unexplained_time) >= MIXED * r->cpu_time;
}

double time_computing(const struct report *r)
{
	if (!isnan(r->modelled_time))
		return r->core_time / r->modelled_time;
	return r->computing_time / r->cpu_time;
}

double time_computing_least(const struct report *r)
{
	return isnan(r->modelled_time) ? r->computing_low / r->cpu_time : time_computing(r);
}
