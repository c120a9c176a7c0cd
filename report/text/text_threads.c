/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what each thread spends its time on, as a table of the text report. */
#include "report/text/text.h"

#include <math.h>

#include "report/model/thread_groups.h"

enum { WHOLE_BARS = 16, MARGIN = 2, THREAD = 7, FIGURE = 10, MISSES = 8, PROCESS_MOST = 20,
	PROCESS_WORD = 8 };

/* The list of processes takes what room there is. */
static int process_columns(const struct text_report *t)
{
	int room = t->page.width - MARGIN - THREAD - THREAD_PARTS * FIGURE - 2 * MISSES;

	return room < PROCESS_MOST ? room : PROCESS_MOST;
}

static bool has_several(const struct report *r)
{
	return r->nthread_rows > 1 && r->thread_rows[1].order == 0;
}

static void time_cell(struct text_report *t, double seconds)
{
	char figure[PAGE_FIGURE];

	t->dash |= isnan(seconds);
	page_cell(&t->page, page_seconds(figure, seconds), FIGURE, PAGE_RIGHT);
}

static void misses_cell(struct text_report *t, double n)
{
	char figure[PAGE_FIGURE];

	t->dash |= isnan(n);
	page_cell(&t->page, page_count(figure, n), MISSES, PAGE_RIGHT);
}

static void row(struct text_report *t, const struct thread_bars *b, const struct thread_bar *bar)
{
	struct buf label = BUF_INIT;

	page_spaces(&t->page, MARGIN);
	if (t->r->nprocs > 1) {
		thread_bar_processes(&label, b, bar);
		page_cell(&t->page, buf_str(&label), process_columns(t), PAGE_LEFT);
		t->page.out.failed |= label.failed;
		buf_clear(&label);
	}
	thread_bar_threads(&label, bar);
	page_cell(&t->page, buf_str(&label), THREAD, PAGE_LEFT);
	t->page.out.failed |= label.failed;
	buf_free(&label);
	for (int i = 0; i < THREAD_PARTS; i++)
		time_cell(t, thread_part(bar->row, (enum thread_part)i));
	misses_cell(t, bar->row->first_misses);
	misses_cell(t, bar->row->last_misses);
	page_end_line(&t->page);
}

static bool stands_for_several(const struct thread_bars *b)
{
	for (int i = 0; i < b->nbars; i++)
		if (b->bar[i].nthreads > 1)
			return true;
	return false;
}

static void below(struct text_report *t, const struct thread_bars *b)
{
	struct buf text = BUF_INIT;
	char computing[PAGE_FIGURE], memory[PAGE_FIGURE], waiting[PAGE_FIGURE];

	if (b->nrest) {
		buf_printf(&text, "%d more threads, together %s computing, %s memory, %s waiting.",
			b->nrest, page_seconds(computing, b->rest[THREAD_COMPUTING]),
			page_seconds(memory, b->rest[THREAD_MEMORY]),
			page_seconds(waiting, b->rest[THREAD_WAITING]));
		page_wrap_buf(&t->page, 0, 2, &text);
	}
	if (stands_for_several(b))
		page_wrap(&t->page, 0, 2,
			"Several threads in a line are alike: figures of the first, the others differ by at "
			"most 5% of the longest.");
	buf_free(&text);
}

static void table(struct text_report *t, const struct report_thread *region, int most)
{
	struct thread_bars b;

	if (thread_bars(t->r, region->region, most, &b)) {
		t->page.out.failed = true;
		return;
	}
	page_spaces(&t->page, MARGIN);
	if (t->r->nprocs > 1)
		page_cell(&t->page, process_columns(t) < PROCESS_WORD ? "proc" : "process",
			process_columns(t), PAGE_LEFT);
	page_cell(&t->page, "thread", THREAD, PAGE_LEFT);
	page_cell(&t->page, "computing", FIGURE, PAGE_RIGHT);
	page_cell(&t->page, "memory", FIGURE, PAGE_RIGHT);
	page_cell(&t->page, "waiting", FIGURE, PAGE_RIGHT);
	page_cell(&t->page, "first", MISSES, PAGE_RIGHT);
	page_cell(&t->page, "last", MISSES, PAGE_RIGHT);
	page_end_line(&t->page);
	for (int i = 0; i < b.nbars; i++)
		row(t, &b, &b.bar[i]);
	page_dim(&t->page, true);
	below(t, &b);
	page_dim(&t->page, false);
	thread_bars_free(&b);
}

static void regions(struct text_report *t)
{
	const struct report_thread *region[REPORT_THREAD_REGIONS];
	int n = thread_regions(t->r, region);

	for (int i = 0; i < n; i++) {
		struct buf name = BUF_INIT;

		buf_printf(&name, "%s (%s:%d)", region[i]->region, region[i]->file,
			region[i]->line);
		page_heading(&t->page, buf_str(&name));
		t->page.out.failed |= name.failed;
		buf_free(&name);
		table(t, region[i], THREAD_BARS);
	}
}

void text_threads(struct text_report *t, bool everywhere)
{
	const struct report *r = t->r;
	struct buf left = BUF_INIT;
	bool dash = t->dash;

	if (!has_several(r) && !(everywhere && r->nthread_rows))
		return;
	page_heading(&t->page, "What threads do (per phase execution)");
	table(t, &r->thread_rows[0], everywhere ? THREAD_BARS : WHOLE_BARS);
	if (everywhere)
		regions(t);
	page_dim(&t->page, true);
	page_wrap(&t->page, 0, 2,
		"memory: of the processor time, what is lost to memory: an estimate. waiting: for threads, "
		"MPI, devices, locks. first, last: misses of the first and the last cache level.");
	if (!everywhere && r->thread_rows[r->nthread_rows - 1].order > 0)
		page_wrap(&t->page, 0, 2, "By region: psc_report --threads, the page, --json.");
	if (r->thread_rows_left_out > 0) {
		buf_printf(&left, "%d lines of threads were left out of the report.",
			r->thread_rows_left_out);
		page_wrap_buf(&t->page, 0, 2, &left);
	}
	if (t->dash && !dash)
		page_wrap(&t->page, 0, 2, "-: not measured.");
	page_dim(&t->page, false);
	buf_free(&left);
}
