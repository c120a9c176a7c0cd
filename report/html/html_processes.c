/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes which problems hold in which processes.  A property file has no
 * figures of single threads. */
#include "report/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "report/words/problem_words.h"

enum { PROCESSES = 64, PROBLEMS = 12 };

static bool holds(const struct report_problem *p, int process)
{
	for (int i = 0; i < p->nmembers; i++)
		if (ranks_have(p->members[i]->processes, p->members[i]->nruns, process))
			return true;
	return false;
}

static void row(struct html *h, int i, int nprocs)
{
	const struct report_problem *p = &h->r->problems.problem[i];
	struct buf b = BUF_INIT;
	int n = 0;

	problem_place(&b, p, true);
	buf_printf(&h->out, "<tr><th scope=row><a href='#p%d'>%d</a> ", i + 1, i + 1);
	html_put_buf(h, &b);
	buf_free(&b);
	for (int k = 0; k < nprocs; k++) {
		bool here = holds(p, k);

		n += here;
		buf_puts(&h->out, here ? "<td class='n h3'>\342\227\217" :
			"<td class='n h0'>\302\267");
	}
	buf_printf(&h->out, "<td class=n>%d</tr>\n", n);
}

void html_processes(struct html *h)
{
	int nprocs = h->r->nprocs < PROCESSES ? h->r->nprocs : PROCESSES;

	html_heading(h, "processes", "In which processes");
	buf_puts(&h->out, "<div class=wide tabindex=0 role=region aria-label='Problems by process'>"
		"<table class=matrix><thead><tr><th>problem");
	for (int k = 0; k < nprocs; k++)
		buf_printf(&h->out, "<th class=n>%d", k);
	buf_puts(&h->out, "<th class=n>all</tr></thead><tbody>\n");
	for (int i = 0; i < h->r->problems.n && i < PROBLEMS; i++)
		row(h, i, nprocs);
	buf_puts(&h->out, "</tbody></table></div>\n");
	if (nprocs < h->r->nprocs)
		buf_printf(&h->out, "<p class=small>The first %d of %d processes.</p>\n", nprocs,
			h->r->nprocs);
}
