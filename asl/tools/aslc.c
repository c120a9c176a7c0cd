/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc: reads the command line.  Each command is in a file of its own. */
#include "config.h"
#include "asl/tools/aslc.h"
#include "asl/ast.h"
#include "base/data_dir.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { CHECK = 1, DUMP = 2, TEST = 4, FMT = 8, DOC = 16,
	ALL = CHECK | DUMP | TEST | FMT | DOC };

static const struct command {
	const char *name;
	int bit;
	int (*run)(const struct aslc *o);
	const char *arguments;
	const char *summary;
	const char *text;       /* of the command's help */
} commands[] = {
	{ "check", CHECK, aslc_check, "FILE...", "report every error of property files",
		"Reads property files as the analysis does.  Every error is reported with its place,\n"
		"the source line and, where it helps, what may have been meant.\n"
		"\n"
		"  aslc check my.asl\n"
		"  aslc check --set MyProperty.limit=0.1 my.asl\n" },
	{ "test", TEST, aslc_test, "FILE...", "run test cases: a program, given values, wanted verdicts",
		"Runs files of test cases, without an application, and prints TAP.  The form of a case\n"
		"stands in aslc(1).\n"
		"\n"
		"  aslc test my.test\n" },
	{ "fmt", FMT, aslc_fmt, "[FILE...]", "lay property files out in the one canonical way",
		"Lays property files out in the canonical way, on standard output; \"-\" or no file is\n"
		"standard input.  Only white space changes.  A file with syntax errors is not touched.\n"
		"What stands between the comments `// fmt: off` and `// fmt: on`, on lines of their\n"
		"own between declarations, stays as it is.\n"
		"\n"
		"  aslc fmt -i my.asl\n"
		"  aslc fmt --check properties/*.asl\n" },
	{ "doc", DOC, aslc_doc, "FILE...", "make a reference page, from comments and code",
		"Makes a reference page of property files, in Markdown: what each property means, where\n"
		"it is tested and what it needs measured, and which thresholds it has.  It is made from\n"
		"the comments and from the code.\n"
		"\n"
		"  aslc doc my.asl\n"
		"  aslc doc --html -o my.html my.asl\n" },
	{ "dump", DUMP, aslc_dump, "FILE...", "show code, and the metrics that properties need",
		"Shows constants, and for every property the metrics that it needs, what it refines,\n"
		"and its code.\n"
		"\n"
		"  aslc dump --requests my.asl\n" },
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

static const struct known {
	const char *name, *argument;
	int letter;             /* the short option, unless upper case */
	int commands;
	const char *help;
} options[] = {
	{ "model", "FILE", 'M', CHECK | DUMP | TEST | DOC,
		"the data model that files are written against\n(default: the installed properties/model.asl)" },
	{ "no-model", NULL, 'N', CHECK | DUMP | TEST | DOC, "none: the files bring their own" },
	{ "set", "NAME=VALUE", 'S', CHECK | DUMP | DOC,
		"gives a constant, or Property.parameter, a value" },
	{ "werror", NULL, 'W', CHECK, "warnings too end with exit status 1" },
	{ "json", NULL, 'J', CHECK | FMT,
		"messages as one JSON document on standard output\n(fmt: with --check; its form stands in aslc(1))" },
	{ "requests", NULL, 'R', DUMP, "only what properties need, one line a property" },
	{ "check", NULL, 'C', FMT, "print what is not formatted, write nothing; exit status 1 if any" },
	{ "in-place", NULL, 'i', FMT, "write the files, each at once or not at all" },
	{ "html", NULL, 'H', DOC, "one HTML page that needs nothing else" },
	{ "output", "OUT", 'o', DOC, "to this file (default: standard output)" },
	{ "help", NULL, 'h', ALL, "this text" },
	{ "version", NULL, 'V', ALL, "version" },
};
#define NOPTIONS (sizeof options / sizeof *options)

/* --- help and wrong use --- */
static void print_option(const struct known *k)
{
	char left[40];
	const char *s = k->help;
	int used = snprintf(left, sizeof left, "%c%c%s--%s%s%s", k->letter > 'Z' ? '-' : ' ',
		k->letter > 'Z' ? k->letter : ' ', k->letter > 'Z' ? ", " : "  ", k->name,
		k->argument ? " " : "", k->argument ? k->argument : "");

	for (int n; *s; s += n + (s[n] == '\n'), used = 0) {
		n = (int)strcspn(s, "\n");
		printf("  %-24s%.*s\n", used ? left : "", n, s);
	}
}

static void help(const struct command *c)
{
	if (c) {
		printf("Usage: aslc %s [OPTION...] %s\n%s\n", c->name, c->arguments, c->text);
	} else {
		puts("Usage: aslc COMMAND [OPTION...] FILE...\n"
			"Works with files in the property language: what counts as a bottleneck.\n");
		for (size_t i = 0; i < NCOMMANDS; i++)
			printf("  %-8s%s\n", commands[i].name, commands[i].summary);
		puts("\n'aslc COMMAND --help' tells more.  Options:\n");
	}
	for (size_t i = 0; i < NOPTIONS; i++)
		if (!c || options[i].commands & c->bit)
			print_option(&options[i]);
	puts("\nExit status: 0 no errors; 1 errors in the files, a file that is not formatted, a failed\n"
		"test; 2 wrong use.");
}

static int usage(const struct command *c, const char *what, const char *which, const char *meant)
{
	fprintf(stderr, "aslc: %s", what);
	if (which)
		fprintf(stderr, " '%s'", which);
	if (meant)
		fprintf(stderr, "; did you mean '%s'?", meant);
	fprintf(stderr, "\nTry 'aslc %s%s--help'.\n", c ? c->name : "", c ? " " : "");
	return -1;
}

static const char *nearest_command(const char *word)
{
	struct suggest s = { .word = word };

	for (size_t i = 0; i < NCOMMANDS; i++)
		asl_suggest(&s, commands[i].name);
	return s.best;
}

static const char *nearest_option(const char *word, char *out, size_t size)
{
	char name[64];
	struct suggest s = { .word = name };

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + strspn(word, "-"), "="),
		word + strspn(word, "-"));
	for (size_t i = 0; i < NOPTIONS; i++)
		asl_suggest(&s, options[i].name);
	snprintf(out, size, "--%s", s.best ? s.best : "");
	return s.best ? out : NULL;
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
static int take(struct aslc *o, int letter)
{
	switch (letter) {
	case 'M':
		o->model = optarg;
		break;
	case 'N':
		o->model = NULL;
		break;
	case 'S':
		return add_setting(o, optarg);
	case 'W':
		o->werror = true;
		break;
	case 'J':
		o->json = true;
		break;
	case 'R':
		o->requests = true;
		break;
	case 'C':
		o->check = true;
		break;
	case 'H':
		o->html = true;
		break;
	case 'o':
		o->out = optarg;
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
	struct option longs[NOPTIONS + 1] = { { NULL, 0, NULL, 0 } };
	char meant[80];
	int letter;

	for (size_t i = 0; i < NOPTIONS; i++)
		longs[i] = (struct option){ options[i].name,
			options[i].argument ? required_argument : no_argument, NULL, options[i].letter };
	opterr = 0;
	for (;;) {
		letter = getopt_long(argc, argv, ":hio:", longs, NULL);
		if (letter == -1)
			break;
		if (letter == ':')
			return usage(NULL, "an argument is missing behind", argv[optind - 1], NULL);
		if (letter == '?')
			return usage(NULL, "unknown option", argv[optind - 1],
				nearest_option(argv[optind - 1], meant, sizeof meant));
		for (size_t i = 0; i < NOPTIONS; i++)
			if (options[i].letter == letter)
				given[i] = options[i].name;
		if (take(o, letter) < 0)
			return -1;
	}
	o->files = argv + optind;
	o->nfiles = argc - optind;
	return 0;
}

static bool is_given(const char *const *given, int letter)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (options[i].letter == letter && given[i])
			return true;
	return false;
}

static size_t help_option(void)
{
	size_t i = 0;

	while (options[i].letter != 'h')
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
		if (!given[i] || options[i].commands & c->bit)
			continue;
		snprintf(what, sizeof what, "'aslc %s' has no option", c->name);
		snprintf(what + strlen(what), sizeof what - strlen(what), " '--%s'", given[i]);
		return usage(c, what, NULL, NULL);
	}
	if (o->nfiles == 0 && c->bit != FMT)
		return usage(c, "no file given", NULL, NULL);
	for (int i = 0; c->bit == DOC && i < o->nfiles; i++)
		if (!strcmp(o->files[i], "-"))
			return usage(c, "a page needs a file with a name, not", "-", NULL);
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
	if (o.nfiles && !strcmp(o.files[0], "help")) {  /* `aslc help check` is `aslc check --help` */
		given[help_option()] = "help";
		o.files++;
		o.nfiles--;
	}
	c = o.nfiles ? find_command(o.files[0]) : NULL;
	if (is_given(given, 'h') && (c || o.nfiles == 0)) {
		help(c);
		return EXIT_OK;
	}
	if (is_given(given, 'V')) {
		puts("aslc (" PACKAGE_NAME ") " PACKAGE_VERSION);
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
