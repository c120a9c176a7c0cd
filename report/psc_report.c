/* SPDX-License-Identifier: BSD-3-Clause */
/* The program psc_report: prints a property file as text, or converts it to another form. */
#include "config.h"

#include <getopt.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/target.h"

#define EXIT_USAGE 2
#define DEFAULT_TOP 10

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_PSC, FORMAT_HTML };

struct options {
	struct report_style style;
	enum format format;
	const char *property;
	const char *in, *out;
	bool force;
};

static const char usage[] =
	"usage: psc_report [options] FILE.psc [OUT]\n"
	"  --top N          print the N worst findings (default 10, 0 = all)\n"
	"  --property NAME  only the findings of one property\n"
	"  --table          only the ranked table\n"
	"  --paths          only the search paths\n"
	"  --ledger         only the attribution ledger of accesses; also with --csv\n"
	"  --why-not        also every test, with the number that decided it\n"
	"  --json           JSON instead of text, to OUT or standard output\n"
	"  --csv            CSV, one line per finding (or per row of the ledger)\n"
	"  --html           one self-contained HTML page\n"
	"  --psc            Periscope's XML\n"
	"  --width N        columns of the text (default 80, at least 60)\n"
	"  --color          emphasis by terminal colours\n"
	"  --ascii          shorten names with \"..\", not with a Unicode ellipsis\n"
	"  -f, --force      overwrite OUT even if it is not a report of psc_report\n"
	"  --help, --version\n"
	"OUT is - or absent for standard output.  A .psc file is never overwritten.\n";

static int bad(const char *what, const char *detail)
{
	fprintf(stderr, "psc_report: %s%s%s\nTry psc_report --help.\n", what, detail ? ": " : "",
		detail ? detail : "");
	return EXIT_USAGE;
}

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
static int parse(int argc, char **argv, struct options *o)
{
	enum { TOP = 256, PROPERTY, TABLE, PATHS, LEDGER, WHY_NOT, JSON, CSV, PSC, HTML, WIDTH,
		COLOR, ASCII, HELP, VERSION_ };
	static const struct option longs[] = {
		{ "top", required_argument, NULL, TOP },
		{ "property", required_argument, NULL, PROPERTY },
		{ "table", no_argument, NULL, TABLE },
		{ "paths", no_argument, NULL, PATHS },
		{ "ledger", no_argument, NULL, LEDGER },
		{ "why-not", no_argument, NULL, WHY_NOT },
		{ "json", no_argument, NULL, JSON },
		{ "csv", no_argument, NULL, CSV },
		{ "psc", no_argument, NULL, PSC },
		{ "html", no_argument, NULL, HTML },
		{ "width", required_argument, NULL, WIDTH },
		{ "color", no_argument, NULL, COLOR },
		{ "ascii", no_argument, NULL, ASCII },
		{ "force", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, VERSION_ },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "f", longs, NULL)) != -1) {
		switch (c) {
		case TOP:
			if (number(optarg, &o->style.top) < 0)
				return bad("--top wants a number", optarg);
			break;
		case WIDTH:
			if (number(optarg, &o->style.width) < 0 || o->style.width < 60)
				return bad("--width wants a number, at least 60", optarg);
			break;
		case PROPERTY: o->property = optarg; break;
		case TABLE: o->style.part = REPORT_TABLE; break;
		case PATHS: o->style.part = REPORT_PATHS; break;
		case LEDGER: o->style.part = REPORT_LEDGER; break;
		case WHY_NOT: o->style.why_not = true; break;
		case JSON: o->format = FORMAT_JSON; break;
		case CSV: o->format = FORMAT_CSV; break;
		case PSC: o->format = FORMAT_PSC; break;
		case HTML: o->format = FORMAT_HTML; break;
		case COLOR: o->style.color = true; break;
		case ASCII: o->style.unicode = false; break;
		case 'f': o->force = true; break;
		case HELP: fputs(usage, stdout); return 0;
		case VERSION_: puts("psc_report (Periscope/C) " PACKAGE_VERSION); return 0;
		default: return EXIT_USAGE;
		}
	}
	if (optind == argc)
		return bad("no file given", NULL);
	if (argc - optind > 2)
		return bad("too many arguments", argv[optind + 2]);
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

static int write_text(const struct report *r, const struct options *o, struct err *err)
{
	FILE *out = strcmp(o->out, "-") == 0 ? stdout : fopen(o->out, "we");
	int rc;

	if (!out)
		return err_sys(err, "%s", o->out);
	rc = report_text(r, &o->style, out, err);
	if (out != stdout && fclose(out) != 0 && rc == 0)
		rc = err_sys(err, "%s", o->out);
	return rc;
}

static int write_report(const struct report *r, const struct options *o, struct err *err)
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
	default:
		return write_text(r, o, err);
	}
}

int main(int argc, char **argv)
{
	struct options o = { .style = { .top = DEFAULT_TOP, .width = 80 } };
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
