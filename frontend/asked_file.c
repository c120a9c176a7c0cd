/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of --sir before anything is started. */
#include <config.h>

#include "frontend/asked_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file_kind.h"
#include "sir/sir.h"

enum { LARGEST = 64 << 20,      /* bytes of a file */
	WORD = 100000 };        /* of a word of a command line; the kernel takes 131072 */

static int read_text(const char *path, struct buf *out, struct err *err)
{
	FILE *f = fopen(path, "re");
	char block[8192];
	struct stat st;
	size_t n;
	int rc = 0;

	if (!f)
		return err_sys(err, "--sir %s", path);
	if (!fstat(fileno(f), &st) && S_ISDIR(st.st_mode))
		rc = err_set(err, "--sir %s: is a directory", path);
	while (!rc && out->len <= LARGEST && (n = fread(block, 1, sizeof block, f)))
		buf_add(out, block, n);
	if (!rc && ferror(f))
		rc = err_sys(err, "--sir %s", path);
	else if (!rc && out->len > LARGEST)
		rc = err_set(err, "--sir %s: longer than %d MiB", path, LARGEST >> 20);
	else if (!rc && !out->len)
		rc = err_set(err, "--sir %s: the file is empty", path);
	else if (!rc && out->failed)
		rc = err_nomem(err);
	fclose(f);
	return rc;
}

static int check_form(const char *path, const struct buf *text, struct err *err)
{
	const char *kind = file_kind(buf_str(text), text->len);

	if (kind)
		return err_set(err,
			"--sir %s: this is %s, not a .sir file: psc_sir PROGRAM > FILE makes one",
			path, kind);
	return sir_schema_check(path, buf_str(text), text->len, err) ? -1 : 0;
}

/* Finds its regions in the program.  Libraries that are loaded later may have others; but a file of
 * which nothing is there is that of another program. */
static int check_program(const struct sir_asked *a, const char *path, struct err *err)
{
	const struct sir_asked_count n = sir_asked_count(a);

	if (!n.regions)
		return err_set(err, "--sir %s: no <unit> is in it, so it asks for nothing", path);
	return n.found ? 0 :
		err_set(err, "--sir %s: none of its %u regions is in this program", path,
			n.regions);
}

static int keep(struct setup *s, const struct sir_asked *a, const char *path,
	const struct buf *text)
{
	struct buf names = BUF_INIT;

	s->config.asked_path = strdup(path);
	s->config.asked_text = strdup(buf_str(text));
	if (sir_asked_count(a).arrays) {
		sir_asked_names(a, &names);
		s->asked_names = names.len < WORD ? buf_take(&names) : NULL;
		buf_free(&names);
	}
	return s->config.asked_path && s->config.asked_text ? 0 : -1;
}

int asked_file_read(struct setup *s, const char *path, const struct sir *program, struct err *err)
{
	struct buf text = BUF_INIT;
	struct sir_asked *a = NULL;
	int rc = read_text(path, &text, err);

	if (!rc)
		rc = check_form(path, &text, err);
	if (!rc) {
		a = sir_asked_new(path, buf_str(&text), text.len, err);
		rc = a ? sir_asked_match(a, program, err) : -1;
	}
	if (!rc)
		rc = check_program(a, path, err);
	if (!rc && keep(s, a, path, &text))
		rc = err_nomem(err);
	sir_asked_free(a);
	buf_free(&text);
	return rc;
}
