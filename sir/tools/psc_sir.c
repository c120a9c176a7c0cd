/* SPDX-License-Identifier: BSD-3-Clause */
/* The program psc_sir: prints the program structure in objects, checks .sir files. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/log.h"
#include "sir/sir.h"
#include "sir/tools/foreign.h"

enum { EXIT_OK = 0, EXIT_CHECK = 1, EXIT_USAGE = 2 };

enum { CHECK = 256, REGIONS };
static const struct cli_option options[] = {
	{ "regions", REGIONS, NULL, "a readable table instead of XML", 0 },
	{ "check", CHECK, NULL, "check .sir files against the schema", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_sir",
	.usage = "[--regions] FILE...\n"
		"--check FILE.sir...",
	.purpose =
	"Prints the structure of a program as an XML document. FILE is an executable, shared library, object, "
		"archive or .sir file. An executable or shared library that is not instrumented is read from its code and "
		"debugging information.",
	.options = options, .noptions = sizeof options / sizeof options[0],
	.rest = "Examples:\n"
		"  psc_sir --regions ./lu     which regions there are, which can be a phase\n"
		"  psc_sir ./lu > lu.sir      the structure, for other programs\n"
		"\n"
		"Exit status: 0 done; 1 a file is not as the schema says; 2 wrong use, or a file that cannot be read."
};

/* Widths of the table's columns, 79 in all with the blanks between them. */
enum { W_TYPE = 25, W_NAME = 16, W_WHERE = 23 };

/* Prints at most width bytes; ".." marks a cut. */
static void column(struct buf *out, const char *text, int width)
{
	if ((int)strlen(text) <= width)
		buf_printf(out, "%-*s ", width, text);
	else
		buf_printf(out, "%.*s.. ", width - 2, text);
}

/* Prints FILE:LINE as --phase accepts it: the file's name is never cut, leading directories are
 * left out as needed. */
static void column_where(struct buf *out, const char *where)
{
	const char *slash;

	while (strlen(where) > W_WHERE && (slash = strchr(where, '/')))
		where = slash + 1;
	buf_printf(out, "%-*s ", W_WHERE, where);
}

static void hooks_text(const struct sir_region *r, struct buf *out)
{
	if (r->hooks & SIR_HOOK_PHASE)
		buf_puts(out, "phase");
	else if (r->hooks & SIR_HOOK_MARKER)
		buf_puts(out, "marker");
	else
		buf_puts(out, "-");
	if (r->refuse)
		buf_printf(out, " !%s", r->refuse);
}

static void row(const struct sir_region *r, unsigned depth, struct buf *out)
{
	char type[128], where[4096];

	snprintf(type, sizeof type, "%*s%s", (int)(depth < 8 ? 2 * depth : 16), "",
		r->unit_type ? r->unit_type : r->kind);
	if (r->end_line > r->line)
		snprintf(where, sizeof where, "%s:%d-%d", r->file, r->line, r->end_line);
	else
		snprintf(where, sizeof where, "%s:%d", r->file, r->line);
	column(out, type, W_TYPE);
	column(out, r->name, W_NAME);
	column_where(out, where);
	hooks_text(r, out);
	buf_puts(out, "\n");
}

static void rows(const struct sir *s, uint32_t id, unsigned depth, struct buf *out)
{
	row(&s->regions[id], depth, out);
	for (uint32_t c = s->regions[id].child; c != SIR_NONE; c = s->regions[c].next)
		rows(s, c, depth + 1, out);
}

static void table(const struct sir *s, struct buf *out)
{
	column(out, "TYPE", W_TYPE);
	column(out, "NAME", W_NAME);
	column(out, "WHERE", W_WHERE);
	buf_puts(out, "HOOKS\n");
	for (uint32_t i = 0; i < s->nregions; i++)
		if (s->regions[i].parent == SIR_NONE)
			rows(s, i, 0, out);
}

static void count(const struct sir *s, uint32_t *units, uint32_t *regions)
{
	*units = *regions = 0;
	for (uint32_t i = 0; i < s->nregions; i++)
		++*(s->regions[i].unit_type ? units : regions);
}

static int check(const char *path)
{
	uint32_t units, regions;
	struct err err;
	struct sir *s;
	int ret = sir_schema_check(path, NULL, 0, &err);

	if (ret == -2) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	if (ret < 0)
		return EXIT_CHECK;
	s = sir_read(path, &err);
	if (!s) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_CHECK;
	}
	count(s, &units, &regions);
	printf("%s: %u units, %u regions\n", path, units, regions);
	sir_free(s);
	return EXIT_OK;
}

static int check_all(char **files)
{
	int worst = EXIT_OK;

	for (; *files; files++) {
		FILE *f = fopen(*files, "r");
		int ret = EXIT_USAGE;

		if (f) {
			fclose(f);
			ret = check(*files);
		} else {
			perror(*files);
		}
		worst = ret > worst ? ret : worst;
	}
	return worst;
}

static int show(char **files, int nfiles, bool regions)
{
	struct buf out = BUF_INIT;
	struct err err;
	struct sir *s = sir_read_all((const char *const *)files, (uint32_t)nfiles, &err);
	int ret = EXIT_OK;

	if (s && s->nregions == 0) {
		sir_free(s);
		s = foreign_structure((const char *const *)files, (uint32_t)nfiles, &err);
	}
	if (!s) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	if (regions)
		table(s, &out);
	else
		sir_print(s, &out);
	sir_free(s);
	if (out.failed) {
		log_msg(0, "out of memory");
		ret = EXIT_USAGE;
	} else if (fwrite(out.data, 1, out.len, stdout) != out.len) {
		ret = EXIT_USAGE;
	}
	buf_free(&out);
	return ret;
}

int main(int argc, char **argv)
{
	bool want_check = false, want_regions = false;
	struct err err;
	int opt, ret;

	log_setup("psc_sir", 1);
	while ((opt = cli_next(&cli, argc, argv, &err)) != CLI_END)
		switch (opt) {
		case CHECK:
			want_check = true;
			break;
		case REGIONS:
			want_regions = true;
			break;
		case CLI_HELP:
			cli_help(&cli);
			return EXIT_OK;
		case CLI_VERSION:
			cli_version(&cli);
			return EXIT_OK;
		default:
			return cli_wrong(&cli, "%s", err.text);
		}
	if (optind == argc)
		return cli_wrong(&cli, "no file given");
	if (want_check && want_regions)
		return cli_wrong(&cli, "either --check or --regions");
	ret = want_check ? check_all(argv + optind)
		: show(argv + optind, argc - optind, want_regions);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("psc_sir: standard output");
		return EXIT_USAGE;
	}
	return ret;
}
