/* SPDX-License-Identifier: BSD-3-Clause */
/* The program psc_report: prints a property file as text, or converts it to another form. */
#include "config.h"

#include <getopt.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "report/report.h"
#include "report/target.h"

#define EXIT_USAGE 2
#define DEFAULT_TOP 10

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_PSC, FORMAT_HTML, FORMAT_CALLGRIND, FORMAT_HATCHET };

struct report_options {
	struct report_style style;
	enum format format;
	const char *property;
	const char *in, *out;
	bool force, schema;
	bool verbose;
};

enum {
	VERBOSE = 'v', TOP = 256, PROPERTY, TABLE, PATHS, LEDGER, WHY_NOT, JSON, CSV, PSC, HTML, CALLGRIND,
	HATCHET, SCHEMA, WIDTH, COLOR, ASCII
};
static const struct cli_option cli_options[] = {
	{ .help = "What is printed:" },
	{ "verbose", VERBOSE, NULL, "every finding with its path, not the problems on one screen", 0 },
	{ "top", TOP, "N", "the N worst problems or findings, on as many lines as they take (0 = all; default: 24 lines "
		"of problems, 10 findings)", 0 },
	{ "property", PROPERTY, "NAME", "only the findings of one property", 0 },
	{ "table", TABLE, NULL, "only the ranked table", 0 },
	{ "paths", PATHS, NULL, "only the search paths", 0 },
	{ "ledger", LEDGER, NULL, "only the attribution ledger of accesses; also with --csv", 0 },
	{ "why-not", WHY_NOT, NULL, "also every test, with the number that decided it", 0 },
	{ .help = "In which form:" },
	{ "json", JSON, NULL, "JSON instead of text", 0 },
	{ "csv", CSV, NULL, "CSV, one line per finding (or per row of the ledger)", 0 },
	{ "html", HTML, NULL, "one self-contained HTML page", 0 },
	{ "psc", PSC, NULL, "Periscope's XML", 0 },
	{ "callgrind", CALLGRIND, NULL, "costs of regions and structures as callgrind writes them, for KCachegrind "
		"and speedscope", 0 },
	{ "hatchet", HATCHET, NULL, "the same as JSON that Hatchet reads (GraphFrame.from_literal)", 0 },
	{ "width", WIDTH, "N", "columns of the text (default 80, at least 60)", 0 },
	{ "color", COLOR, NULL, "emphasis by terminal colours", 0 },
	{ "ascii", ASCII, NULL, "shorten names with \"..\", not with a Unicode ellipsis", 0 },
	{ .help = "Other:" },
	{ "schema", SCHEMA, NULL, "print the JSON schema of --json", 0 },
	{ "force", 'f', NULL, "overwrite OUT even if it is not a report of psc_report", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_report",
	.usage = "[options] FILE.psc [OUT]",
	.purpose = "Prints a property file as text, or turns it into another form. OUT is - or absent for standard "
		"output. A .psc file is never overwritten.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_report --why-not lu.psc | less\n"
		"  psc_report --html lu.psc lu.html\n"
		"\n"
		"Exit status: 0 done; 2 wrong use, a file that cannot be read or written."
};

static int number(const char *s, int *v)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (end == s || *end || n < 0 || n > INT_MAX)
		return -1;
	*v = (int)n;
	return 0;
}

/* Returns -1 to continue, else the exit code. */
static int parse(int argc, char **argv, struct report_options *o)
{
	struct err err;
	int c;

	while ((c = cli_next(&cli, argc, argv, &err)) != CLI_END) {
		switch (c) {
		case TOP:
			if (number(optarg, &o->style.top) < 0)
				return cli_wrong(&cli, "--top wants a number, not '%s'", optarg);
			o->style.lines = 0;
			break;
		case WIDTH:
			if (number(optarg, &o->style.width) < 0 || o->style.width < 60)
				return cli_wrong(&cli, "--width wants a number, at least 60, not '%s'", optarg);
			break;
		case PROPERTY: o->property = optarg; break;
		case TABLE: o->style.part = REPORT_TABLE; break;
		case PATHS: o->style.part = REPORT_PATHS; break;
		case LEDGER: o->style.part = REPORT_LEDGER; break;
		case WHY_NOT: o->style.why_not = o->verbose = true; break;
		case VERBOSE: o->verbose = true; break;
		case JSON: o->format = FORMAT_JSON; break;
		case CSV: o->format = FORMAT_CSV; break;
		case PSC: o->format = FORMAT_PSC; break;
		case HTML: o->format = FORMAT_HTML; break;
		case CALLGRIND: o->format = FORMAT_CALLGRIND; break;
		case HATCHET: o->format = FORMAT_HATCHET; break;
		case COLOR: o->style.color = true; break;
		case ASCII: o->style.unicode = false; break;
		case SCHEMA: o->schema = true; break;
		case 'f': o->force = true; break;
		case CLI_HELP: cli_help(&cli); return 0;
		case CLI_VERSION: cli_version(&cli); return 0;
		default: return cli_wrong(&cli, "%s", err.text);
		}
	}
	if (o->schema)
		return report_schema_write(optind < argc ? argv[optind] : "-", &err) < 0 ? cli_wrong(&cli, "%s", err.text) : 0;
	if (optind == argc)
		return cli_wrong(&cli, "no file given");
	if (argc - optind > 2)
		return cli_wrong(&cli, "one file at a time, not '%s'", argv[optind + 2]);
	o->in = argv[optind];
	o->out = argc - optind == 2 ? argv[optind + 1] : "-";
	return -1;
}

/* Removes all findings and tests but those of one property.  0, or -1: there are none. */
static int filter(struct report *r, const char *property)
{
	int n = 0, tested = 0;

	for (int i = 0; i < r->nfindings; i++)
		if (strcmp(r->findings[i].property, property) == 0)
			r->findings[n++] = r->findings[i];
	for (int i = 0; i < r->ntested; i++)
		if (strcmp(r->tested[i].property, property) == 0)
			r->tested[tested++] = r->tested[i];
	if (!n && !tested)
		return -1;
	r->nfindings = n;
	r->ntested = tested;
	return 0;
}

static int write_text(const struct report *r, const struct report_options *o, struct err *err)
{
	FILE *out = strcmp(o->out, "-") == 0 ? stdout : fopen(o->out, "we");
	struct report_style style = o->style;
	int rc;

	if (!out)
		return err_sys(err, "%s", o->out);
	style.psc = o->in;
	style.links = out == stdout && report_terminal_links(STDOUT_FILENO);
	if (style.part == REPORT_WHOLE && !o->verbose && !report_of_paper(r))
		style.part = REPORT_SHORT;
	rc = report_text(r, &style, out, err);
	if (out != stdout && fclose(out) != 0 && rc == 0)
		rc = err_sys(err, "%s", o->out);
	return rc;
}

static int write_report(const struct report *r, const struct report_options *o, struct err *err)
{
	switch (o->format) {
	case FORMAT_JSON:
		return report_json_write(r, o->out, err);
	case FORMAT_CSV:
		return o->style.part == REPORT_LEDGER ? report_ledger_csv_write(r, o->out, err) :
			report_csv_write(r, o->out, err);
	case FORMAT_HTML:
		return report_html_write(r, o->out, err);
	case FORMAT_PSC:
		return report_psc_write(r, o->out, err);
	case FORMAT_CALLGRIND:
		return report_callgrind_write(r, o->out, err);
	case FORMAT_HATCHET:
		return report_hatchet_write(r, o->out, err);
	default:
		return write_text(r, o, err);
	}
}

int main(int argc, char **argv)
{
	struct report_options o = { .style = { .top = DEFAULT_TOP, .width = 80, .lines = REPORT_SCREEN } };
	struct report *r;
	struct err err;
	int rc;

	setlocale(LC_CTYPE, "");
	o.style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	rc = parse(argc, argv, &o);
	if (rc >= 0)
		return rc;
	r = report_target_check(o.out, o.force, &err) ? NULL : report_psc_read(o.in, &err);
	if (!r) {
		fprintf(stderr, "psc_report: %s\n", err.text);
		return EXIT_USAGE;
	}
	if (o.property && filter(r, o.property) < 0) {
		fprintf(stderr, "psc_report: %s: no property \"%s\"\n", o.in, o.property);
		rc = EXIT_USAGE;
	} else if (write_report(r, &o, &err) < 0) {
		fprintf(stderr, "psc_report: %s\n", err.text);
		rc = EXIT_USAGE;
	} else {
		rc = 0;
	}
	report_free(r);
	return rc;
}
