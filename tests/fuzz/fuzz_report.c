/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as a property file.  What is accepted can be printed, sent and written in every form, and what is written
 * can be read again. */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "report/model/report.h"
#include "report/text/over_time.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_accepted(void);

static bool accepted;

int fuzz_accepted(void)
{
	return accepted;
}

static void must(bool ok, const struct err *err)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz_report: %s\n", err->text);
	abort();
}

static struct report *sent(const struct report *r)
{
	struct buf b = BUF_INIT;
	struct err err = { "" };
	struct report *again;

	report_encode(r, &b);
	again = report_decode(b.data, b.len, &err);
	must(again, &err);
	buf_free(&b);
	return again;
}

static void write_all(const struct report *r)
{
	static const char nowhere[] = "/dev/null";
	struct report_style style = { .top = 0, .width = 80, .why_not = true, .unicode = true, .color = true };
	struct err err = { "" };
	FILE *f = fopen(nowhere, "w");

	must(f && report_text(r, &style, f, &err) == 0, &err);
	fclose(f);
	must(report_json_write(r, nowhere, &err) == 0, &err);
	must(report_csv_write(r, nowhere, &err) == 0, &err);
	must(report_ledger_csv_write(r, nowhere, &err) == 0, &err);
	must(report_html_write(r, nowhere, &err) == 0, &err);
}

/* Memory over time, in every view of the terminal and in the files of other tools.  A view may have nothing to show, and says
 * so. */
static void draw(const struct report *r, struct over_time_style *style)
{
	struct buf b = BUF_INIT;
	struct err err = { "" };

	if (over_time_text(r, style, &b, &err) && !err.text[0])
		abort();
	buf_free(&b);
}

static void draw_all(const struct report *r)
{
	static const char nowhere[] = "/dev/null";
	struct over_time_style style = { .threads = 4, .process = -1, .unicode = true, .color = true };
	struct err err = { "" };

	if (!r->ntimelines)
		return;
	for (style.view = OVER_TIMELINE; style.view <= OVER_PREDICTION; style.view++) {
		style.of = style.view == OVER_FLOWS ? "thread:0" : NULL;
		for (style.portal = 0; style.portal < (style.view == OVER_PORTAL ? PORTALS : 1); style.portal++)
			draw(r, &style);
	}
	if (r->timelines[0].nstructures) {
		style = (struct over_time_style){ .view = OVER_TIMELINE, .of = r->timelines[0].structures[0].name, .process = -1 };
		draw(r, &style);
		style.view = OVER_FLOWS;
		draw(r, &style);
	}
	must(report_timeline_csv_write(r, nowhere, &err) == 0, &err);
	must(report_perfetto_write(r, nowhere, &err) == 0, &err);
}

static void read_again(const struct report *r)
{
	char path[] = "/tmp/fuzz_report_XXXXXX";
	struct err err = { "" };
	struct report *again;
	int fd = mkstemp(path);

	if (fd < 0)
		abort();
	close(fd);
	must(report_psc_write(r, path, &err) == 0, &err);
	again = report_psc_read(path, &err);
	unlink(path);
	must(again, &err);
	must(again->nfindings == r->nfindings, &err);
	report_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { "" };
	struct report *r, *copy;
	int fd;

	r = report_psc_read(file_begin(data, size, &fd), &err);
	file_end(fd);
	accepted = r;
	if (!r) {
		if (!err.text[0])
			abort();        /* refused, and nobody told why */
		return 0;
	}
	write_all(r);
	draw_all(r);
	copy = sent(r);
	write_all(copy);
	read_again(copy);
	report_free(copy);
	report_free(r);
	return 0;
}
