/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as what travels between front end, master and agents: the first says what they are taken for. */
#include "config.h"

#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "analysis/measure/attributes.h"
#include "analysis/measure/mpi_remote.h"
#include "analysis/search/run_config.h"
#include "agents/link.h"
#include "agents/progress.h"
#include "agents/schedule.h"
#include "analysis/findings/app_parts.h"
#include "analysis/findings/report_sum.h"
#include "asl/asl.h"
#include "frontend/journal.h"
#include "report/model/report.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct asl_program *program;
static struct attributes *attributes;

static void prepare(void)
{
	const char *srcdir = getenv("srcdir"), *paths[2], *dirs[] = { NULL, NULL };
	char model[4300], balance[4300], library[4200];

	if (program)
		return;
	snprintf(library, sizeof library, "%s/properties", srcdir ? srcdir : ".");
	snprintf(model, sizeof model, "%s/model.asl", library);
	snprintf(balance, sizeof balance, "%s/balance.asl", library);
	paths[0] = model;
	paths[1] = balance;
	dirs[0] = library;
	program = asl_load(paths, 2, dirs, NULL, 0, asl_diag_print, stderr);
	attributes = program ? attributes_new(program) : NULL;
	if (!attributes)
		abort();
}

/* Twice: into an empty sum, and into one that has rows. */
static void as_sum(const uint8_t *data, size_t size)
{
	struct report_sum *s = report_sum_new();
	struct err err = { "" };

	if (!s)
		abort();
	if (!report_sum_add_encoded(s, data, size, &err) && !report_sum_add_encoded(s, data, size, &err))
		report_free(report_sum_finish(s));
	report_sum_free(s);
}

static void as_report(const uint8_t *data, size_t size)
{
	struct report_style style = { .width = 80, .why_not = true };
	struct err err = { "" };
	struct report *r = report_decode(data, size, &err);
	FILE *f = fopen("/dev/null", "w");

	if (r && f)
		report_text(r, &style, f, &err);
	if (r)
		report_psc_write(r, "/dev/null", &err);
	if (f)
		fclose(f);
	report_free(r);
	as_sum(data, size);
}

static void as_config(const struct buf *in)
{
	struct run_config c;
	struct err err = { "" };
	struct asl_program *p;

	if (run_config_decode(&c, in, &err))
		return;
	p = c.program.len ? asl_image_read(c.program.data, c.program.len, &err) : NULL;
	asl_free(p);
	run_config_free(&c);
}

static void as_parts(const uint8_t *data, size_t size)
{
	struct app_parts *w = app_parts_new(program, attributes);
	struct report *r = report_new();
	struct run_config config;
	struct err err = { "" };

	run_config_init(&config);
	if (!w || !r)
		abort();
	if (app_parts_merge_encoded(w, data, size, &err) == 0) {
		app_parts_merge_encoded(w, data, size, &err);       /* as if of another node, too */
		app_parts_report(w, &config, r);
	}
	report_free(r);
	app_parts_free(w);
	run_config_free(&config);
}

/* In pieces, as a socket may give them. */
static void as_stream(const uint8_t *data, size_t size)
{
	struct err err = { "" };
	struct link l;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	link_init(&l, pair[0]);
	for (size_t at = 0, n; at < size; at += n) {
		enum msg_type type;
		struct buf body;
		int rc;

		n = size - at < 7 ? size - at : 7;
		if (write(pair[1], data + at, n) != (ssize_t)n || link_fill(&l, &err))
			break;
		while ((rc = link_next(&l, &type, &body, &err)) > 0)
			buf_free(&body);
		if (rc < 0)
			break;
	}
	close(pair[1]);
	link_close(&l);
}

/* Messages to the journal: a byte says of which kind, two how long. */
static void as_journal(const uint8_t *data, size_t size)
{
	struct journal j;

	journal_begin(&j, "");
	while (size > 3) {
		size_t n = data[1] | data[2] << 8;
		struct buf body = BUF_INIT;
		struct err err;

		n = n < size - 3 ? n : size - 3;
		buf_add(&body, (const char *)data + 3, n);
		if (data[0] & 1)
			journal_take(&j, &body, &err);
		else
			journal_lose(&j, &body, &err);
		buf_free(&body);
		data += 3 + n;
		size -= 3 + n;
	}
	report_free(journal_report(&j, "fuzzed"));
	report_free(journal_complete(&j, "fuzzed"));
	journal_end(&j);
}

static void as_schedule(const struct buf *body)
{
	static struct schedule s;
	struct schedule_news news;
	uint64_t first;

	if (schedule_news_decode(&news, body))
		return;
	schedule_add(&s, news.window);
	if (schedule_add(&s, news.window))
		abort();        /* it is known */
	first = schedule_place(&s, SCHEDULE_CLEAN, news.window.first, 3);
	if (first < news.window.first || schedule_place(&s, SCHEDULE_CLEAN, first, 3) != first)
		abort();
}

static void as_small(const struct buf *body)
{
	struct phase_choice choice;
	struct progress progress;
	struct next_run next;
	struct mpi_remotes remotes = { NULL, 0 };
	struct err err;

	progress_decode(&progress, body);
	next_run_decode(&next, body);
	phase_choice_decode(&choice, body);
	as_schedule(body);
	if (mpi_remotes_take(&remotes, 1, 0, 9, body, &err) > 0)  /* as if it came again, too */
		mpi_remotes_take(&remotes, 1, 0, 9, body, &err);
	mpi_remotes_free(&remotes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf body = BUF_INIT;

	prepare();
	if (!size)
		return 0;
	buf_add(&body, (const char *)data + 1, size - 1);
	switch (data[0] % 5) {
	case 0: as_report(data + 1, size - 1); break;
	case 1: as_config(&body); break;
	case 2: as_parts(data + 1, size - 1); break;
	case 3: as_stream(data + 1, size - 1); break;
	default: data[0] < 200 ? as_small(&body) : as_journal(data + 1, size - 1); break;
	}
	buf_free(&body);
	return 0;
}
