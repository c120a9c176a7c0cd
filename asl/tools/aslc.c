/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc: reads the command line.  Each command is in a file of its own. */
#include "config.h"
#include "asl/tools/aslc.h"
#include "asl/ast.h"
#include "base/cli.h"
#include "base/data_dir.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { CHECK = 1, DUMP = 2, TEST = 4, FMT = 8 };

static const struct command {
	const char *name;
	int bit;
	int (*run)(const struct aslc *o);
	const char *arguments;
	const char *summary;
	const char *text;       /* of the command's help */
} commands[] = {
	{ "check", CHECK, aslc_check, "FILE...", "report every error of property files",
		"Reads property files as the analysis does.  Every error is reported with its place, "
		"the source line and, where it helps, what may have been meant.\n"
		"\n"
		"  aslc check my.asl\n"
		"  aslc check --set MyProperty.limit=0.1 my.asl" },
	{ "test", TEST, aslc_test, "FILE...",
		"run test cases: a program, given values, wanted verdicts",
		"Runs files of test cases, without an application, and prints TAP.  The form of a case "
		"stands in aslc(1).\n"
		"\n"
		"  aslc test my.test" },
	{ "fmt", FMT, aslc_fmt, "[FILE...]", "lay property files out in the one canonical way",
		"Lays property files out in the canonical way, on standard output; \"-\" or no file is "
		"standard input.  Only white space changes.  A file with syntax errors is not touched. "
		"What stands between the comments `// fmt: off` and `// fmt: on`, on lines of their "
		"own between declarations, stays as it is.\n"
		"\n"
		"  aslc fmt -i my.asl\n"
		"  aslc fmt --check properties/*.asl" },
	{ "dump", DUMP, aslc_dump, "FILE...", "show code, and the metrics that properties need",
		"Shows constants, and for every property the metrics that it needs, what it refines, "
		"and its code.\n"
		"\n"
		"  aslc dump --requests my.asl" },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

enum { MODEL = 256, NO_MODEL, SET, WERROR, JSON, REQUESTS, CHECK_ONLY };
static const struct cli_option options[] = {
	{ "model", MODEL, "FILE",
		"the data model that files are written against (default: the installed properties/model.asl)",
		CHECK | DUMP | TEST },
	{ "no-model", NO_MODEL, NULL, "none: the files bring their own", CHECK | DUMP | TEST },
	{ "set", SET, "NAME=VALUE", "gives a constant, or Property.parameter, a value",
		CHECK | DUMP },
	{ "werror", WERROR, NULL, "warnings too end with exit status 1", CHECK },
	{ "json", JSON, NULL,
		"messages as one JSON document on standard output (fmt: with --check; its form stands in "
		"aslc(1))", CHECK | FMT },
	{ "requests", REQUESTS, NULL, "only what properties need, one line a property", DUMP },
	{ "check", CHECK_ONLY, NULL,
		"print what is not formatted, write nothing; exit status 1 if any", FMT },
	{ "in-place", 'i', NULL, "write the files, each at once or not at all", FMT },
	CLI_COMMON
};
#define NOPTIONS (sizeof options / sizeof *options)
static const char status[] =
	"Exit status: 0 no errors; 1 errors in the files, a file that is not formatted, a failed test; 2 wrong use.";
static const struct cli cli = {
	.program = "aslc",
	.usage = "COMMAND [OPTION...] FILE...",
	.options = options, .noptions = NOPTIONS
};

/* --- help and wrong use --- */
static void help(const struct command *c)
{
	struct cli page = cli;
	char usage[80];
	struct buf purpose = BUF_INIT;

	buf_puts(&purpose,
		"Works with files in the property language: what counts as a bottleneck.\n\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		buf_printf(&purpose, "  %-8s%s\n", commands[i].name, commands[i].summary);
	buf_puts(&purpose, "\n'aslc COMMAND --help' tells more.");
	page.purpose = purpose.failed ? "" : purpose.data;
	page.rest = status;
	if (c) {
		snprintf(usage, sizeof usage, "%s [OPTION...] %s", c->name, c->arguments);
		page.usage = usage;
		page.purpose = c->text;
		page.command = (unsigned)c->bit;
	}
	cli_help(&page);
	buf_free(&purpose);
}

static int usage(const struct command *c, const char *what, const char *which, const char *meant)
{
	struct cli page = cli;
	char name[32];

	snprintf(name, sizeof name, "aslc%s%s", c ? " " : "", c ? c->name : "");
	page.program = name;
	cli_wrong(&page, "%s%s%s%s%s%s%s", what, which ? " '" : "", which ? which : "",
		which ? "'" : "", meant ? "; did you mean '" : "", meant ? meant : "",
		meant ? "'?" : "");
	return -1;
}

static const char *nearest_command(const char *word)
{
	struct suggest s = { .word = word };

	for (size_t i = 0; i < NCOMMANDS; i++)
		asl_suggest(&s, commands[i].name);
	return s.best;
}

static int add_setting(struct aslc *o, char *text)
{
	char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return usage(NULL, "--set needs NAME=VALUE, not", text, NULL);
	if (o->nsettings == MAX_SETTINGS)
		return usage(NULL, "too many --set", NULL, NULL);
	*equals = '\0';
	o->settings[o->nsettings++] = (struct asl_setting){ text, equals + 1, "--set" };
	return 0;
}

/* --- reading the command line --- */
static int take(struct aslc *o, int code)
{
	switch (code) {
	case MODEL:
		o->model = optarg;
		break;
	case NO_MODEL:
		o->model = NULL;
		break;
	case SET:
		return add_setting(o, optarg);
	case WERROR:
		o->werror = true;
		break;
	case JSON:
		o->json = true;
		break;
	case REQUESTS:
		o->requests = true;
		break;
	case CHECK_ONLY:
		o->check = true;
		break;
	case 'i':
		o->in_place = true;
		break;
	default:
		break;
	}
	return 0;
}

static int parse(struct aslc *o, int argc, char **argv, const char **given)
{
	struct err err;
	int code;

	while ((code = cli_next(&cli, argc, argv, &err)) != CLI_END) {
		if (code == CLI_WRONG)
			return usage(NULL, err.text, NULL, NULL);
		for (size_t i = 0; i < NOPTIONS; i++)
			if (options[i].code == code)
				given[i] = options[i].name;
		if (take(o, code) < 0)
			return -1;
	}
	o->files = argv + optind;
	o->nfiles = argc - optind;
	return 0;
}

static bool is_given(const char *const *given, int code)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (options[i].code == code && given[i])
			return true;
	return false;
}

static size_t help_option(void)
{
	size_t i = 0;

	while (options[i].code != CLI_HELP)
		i++;
	return i;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* Checks that the options belong to the command and can be combined. */
static int fit(const struct aslc *o, const struct command *c, const char *const *given)
{
	char what[80];

	for (size_t i = 0; i < NOPTIONS; i++) {
		if (!given[i] || !options[i].commands || options[i].commands & (unsigned)c->bit)
			continue;
		snprintf(what, sizeof what, "'aslc %s' has no option", c->name);
		snprintf(what + strlen(what), sizeof what - strlen(what), " '--%s'", given[i]);
		return usage(c, what, NULL, NULL);
	}
	if (o->nfiles == 0 && c->bit != FMT)
		return usage(c, "no file given", NULL, NULL);
	if (c->bit == FMT && o->json && !o->check)
		return usage(c, "--json goes with --check", NULL, NULL);
	for (int i = 0; c->bit == FMT && o->in_place && i <= o->nfiles; i++)
		if (i == o->nfiles ? i == 0 : !strcmp(o->files[i], "-"))
			return usage(c, "--in-place needs files, not standard input", NULL, NULL);
	if (c->bit == FMT && o->in_place && o->check)
		return usage(c, "either --check or --in-place", NULL, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	static char model[PATH_MAX];
	static struct aslc o;
	const char *given[NOPTIONS] = { NULL };
	const struct command *c;

	snprintf(model, sizeof model, "%s/properties/model.asl", place_data_dir());
	o.model = model;
	if (parse(&o, argc, argv, given) < 0)
		return EXIT_USAGE;
	if (o.nfiles && !strcmp(o.files[0], "help")) {  /* `aslc help check` is `aslc check
							 * --help` */
		given[help_option()] = "help";
		o.files++;
		o.nfiles--;
	}
	c = o.nfiles ? find_command(o.files[0]) : NULL;
	if (is_given(given, CLI_HELP) && (c || o.nfiles == 0)) {
		help(c);
		return EXIT_OK;
	}
	if (is_given(given, CLI_VERSION)) {
		cli_version(&cli);
		return EXIT_OK;
	}
	if (o.nfiles == 0) {
		usage(NULL, "no command given", NULL, NULL);
		return EXIT_USAGE;
	}
	if (!c) {
		usage(NULL, "unknown command", o.files[0], nearest_command(o.files[0]));
		return EXIT_USAGE;
	}
	o.files++;
	o.nfiles--;
	return fit(&o, c, given) < 0 ? EXIT_USAGE : c->run(&o);
}
