/* SPDX-License-Identifier: BSD-3-Clause */
/* What the text report and the HTML page say of problems, in the same words.  Each function appends
 * text to b, or nothing, or fills `figure` and returns it; r is ranked, and `all` its problems. */
#ifndef PSC_REPORT_PROBLEM_WORDS_H
#define PSC_REPORT_PROBLEM_WORDS_H

#include "report/words/page.h"

/* What takes most of the phase's time, if that is neither memory nor
 * computing, and what memory costs. */
void problem_verdict(struct buf *b, const struct report *r, const struct report_problems *all);
/* The parts of the phase's time in a sentence, where there are no problems, or other parts
 * than memory and computing. */
void problem_time(struct buf *b, const struct report *r, const struct report_problems *all);
/* The first problems, at least one, that cost as much as a change has to save to be proposed. */
int problem_worth(const struct report_problems *all);
/* "2 problems, one cause": of the first n. */
void problem_count(struct buf *b, const struct report_problems *all, int n);

/* The subroutine that the problem's place is in; NULL: none. */
const char *problem_routine(const struct report_problem *p);
/* "jacld.f:52 (in 39-80)": the line with most misses, with_range also the lines around it;
 * "jacld.f:39-80" where no line is known. */
void problem_place(struct buf *b, const struct report_problem *p, bool with_range);
/* "ssor.f:109 > do 184 > buts > do 75 > v (= rsd)": the search path from the phase to the data
 * structures, in at most `width` columns (0: no limit); nothing where the place is the phase.
 * Where there is no room, steps in the middle are left out ("..") and no name is cut; one step
 * alone may be wider.  Of a program that is recorded in bursts it begins with "all callers". */
void problem_path(struct buf *b, const struct report *r, const struct report_problem *p, int width);
/* "a, b, c": by estimate, the first `most`, with ".." for the others. */
void problem_structures(struct buf *b, const struct report_problem *p, int most);
/* As many names as `room` columns take, of at most `most`, at least one.  Where no name fits whole,
 * each is its last member: "density" of "chunk%tiles%field%density". */
void problem_structures_in(struct buf *b, const struct report_problem *p, int most, int room);
/* What it costs in an execution of the phase, "0.85 ms"; a share where no time is known; "little"
 * or "unknown" where the estimate has an upper end alone; PAGE_NOT_KNOWN. */
const char *problem_amount(const struct report *r, const struct report_problem *p,
	char figure[PAGE_FIGURE]);
/* True: it may cost next to nothing or nearly all of the time, so that no
 * figure of it is printed. */
bool problem_unknown(const struct report_problem *p);
/* True: the estimate is as high as its upper end, since it is all of the time
 * there that computing leaves. */
bool problem_is_all(const struct report *r, const struct report_problem *p);
/* "What memory costs in this phase is not known: ..; --verify a measures it": the sentence where
 * page_not_known() is true of what memory costs in the phase. */
void problem_phase_unknown(struct buf *b, const struct report *r,
	const struct report_problems *all);
/* True: memory costs next to nothing by the middle of the estimate, so that only its
 * upper end says something. */
bool problem_bounded(const struct report_problem *p);
/* "6.5% (0-23)"; "up to 23%" where only that is known; PAGE_NOT_KNOWN. */
const char *problem_share(const struct report_problem *p, char figure[PAGE_FIGURE]);

/* Why: of the lead, and of one other finding about the same structure or region; with
 * the number of page faults. */
void problem_why(struct buf *b, const struct report *r, const struct report_problem *p);
/* What to do for a problem; "" none. */
const char *problem_doing(const struct report *r, const struct report_problem *p);
/* Of several passes over the same structures (npasses > 0): why, with their places; what
 * to do; what that changes. */
void passes_why(struct buf *b, const struct report_problem *p);
const char *passes_doing(void);
const char *passes_change(void);
/* The number of the first problem before p that the same change helps; 0: none.  Both have the same
 * advice, or are of one loop where, by what was tried, denser accesses save most in both. */
int problem_as_for(const struct report *r, const struct report_problem *p);
/* The estimated saving of a change, as shares of the phase's time. */
struct problem_saving {
	double share, low, high;        /* low, high: NAN where the problem has no range */
	bool wide;                      /* the middle says little, or it may as well be next to
					 * nothing */
	bool ranged;                    /* the range is several-fold: the middle alone says too
					 * much */
	bool unknown;                   /* page_not_known(), of it or of what the problem costs */
	const char *more;               /* what else it saves, which no estimate has; borrowed;
					 * NULL: nothing */
	const char *change;             /* borrowed: what the change is */
};
/* The change that was tried and saves most; false: there is none that is worth it. */
bool problem_saving(const struct report *r, const struct report_problem *p,
	struct problem_saving *out);
/* "about 32.4% (4.1% to 39.0%) of the phase's processor time, in 2 problems together": what a
 * change to a structure saves in all problems, in each at most what that costs. */
void problem_gain_saves(struct buf *b, const struct report *r, const struct report_gain *g);
/* What the change that was tried and saves most would save, with the range if that is several-fold,
 * and the range alone if it is wide; where it is not known, the command that measures it.  Of lines
 * that displace one another, or that threads take from one another, no count tells what a change
 * saves: --what-if simulates it. */
void problem_saves(struct buf *b, const struct report *r, const struct report_problem *p);

#endif
