/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeds of fuzz_wire: `make_wire DIRECTORY REPORT.psc IMAGE`: that report, a configuration with these compiled
 * properties, parts of no process, a stream of messages, a line of progress. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/attributes.h"
#include "analysis/search/run_config.h"
#include "agents/link.h"
#include "agents/progress.h"
#include "agents/schedule.h"
#include "report/model/report.h"

static int save(const char *dir, const char *name, char kind, const struct buf *b)
{
	char path[4300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (!f || fputc(kind, f) == EOF || (b->len && fwrite(b->data, b->len, 1, f) != 1) || fclose(f)) {
		perror(path);
		return -1;
	}
	return 0;
}

static int read_image(const char *path, struct buf *out)
{
	char chunk[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (!f)
		return -1;
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(out, chunk, n);
	fclose(f);
	return 0;
}

int main(int argc, char **argv)
{
	struct schedule_news news = { 7, 1, { SCHEDULE_CLEAN, 2, 8 } };
	struct progress p = { 1, 2, 3, 4, 5, 6, 0, 7 };
	struct buf b = BUF_INIT, stream = BUF_INIT;
	struct run_config c;
	int rc;
	struct err err = { "" };
	struct report *r = argc == 4 ? report_psc_read(argv[2], &err) : NULL;

	run_config_init(&c);
	if (!r || read_image(argv[3], &c.program)) {
		fprintf(stderr, "make_wire: %s\n", err.text);
		return 1;
	}
	report_encode(r, &b);
	if (save(argv[1], "report", 0, &b))
		return 1;
	buf_u32(&stream, (uint32_t)b.len);
	buf_u8(&stream, MSG_REPORT);
	buf_u8(&stream, LINK_VERSION);
	buf_u8(&stream, 0);
	buf_u8(&stream, 0);
	buf_add(&stream, b.data, b.len);
	buf_clear(&b);
	c.command = strdup("./a");
	c.directory = strdup("/");
	c.executable = strdup("/a");
	c.socket_dir = strdup("/");
	(void)!run_config_ask(&c, "memory", true);
	run_config_encode(&c, &b);
	if (save(argv[1], "config", 1, &b) || save(argv[1], "stream", 3, &stream))
		return 1;
	buf_clear(&b);
	progress_encode(&p, &b);
	rc = save(argv[1], "progress", 4, &b) ? 1 : 0;
	buf_clear(&b);
	schedule_news_encode(&news, &b);
	rc |= save(argv[1], "schedule", 4, &b) ? 1 : 0;
	buf_clear(&b);
	buf_u8(&b, 1);
	buf_u8(&b, 4);
	buf_u8(&b, 0);
	buf_u32(&b, 0);
	buf_u8(&b, 0);
	buf_u8(&b, 8);
	buf_u8(&b, 0);
	buf_u32(&b, 2);
	buf_u32(&b, 1);
	rc |= save(argv[1], "journal", (char)254, &b) ? 1 : 0;
	buf_free(&b);
	buf_free(&stream);
	run_config_free(&c);
	report_free(r);
	return rc;
}
