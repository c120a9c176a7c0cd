/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads command lines, prints --help, and suggests an option for an unknown one. */
#include <config.h>

#include "base/cli.h"
#include "base/word_distance.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, TEXT_AT = 24, MOST = 80 };

/* --- help ------------------------------------------------------------------------------------- */

/* Prints text from `column` on, broken at blanks; lines after the first begin at `indent`.  A line
 * of the text that begins with a blank is printed unchanged. */
static void wrap(const char *text, int column, int indent)
{
	bool begins = true;

	while (*text) {
		size_t n = strcspn(text, begins && *text == ' ' ? "\n" : " \n");

		if (!begins && column + 1 + (int)n > COLUMNS) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (!begins) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)n, text);
		column += (int)n;
		text += n;
		begins = *text == '\n';
		if (begins) {
			printf("\n%*s", text[1] && text[1] != '\n' ? indent : 0, "");
			column = indent;
			text++;
		} else {
			text += strspn(text, " ");
		}
	}
	putchar('\n');
}

static bool has_letter(const struct cli_option *o)
{
	return o->code > ' ' && o->code < 127;
}

static void print_option(const struct cli_option *o)
{
	int n = printf("  ");

	if (has_letter(o))
		n += printf("-%c, ", o->code);
	n += printf("--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
	if (n > TEXT_AT - 2) {
		putchar('\n');
		n = 0;
	}
	printf("%*s", TEXT_AT - n, "");
	wrap(o->help, TEXT_AT, TEXT_AT);
}

static bool is_shown(const struct cli *c, const struct cli_option *o)
{
	return !c->command || !o->commands || o->commands & c->command;
}

void cli_help(const struct cli *c)
{
	const char *line = c->usage;

	for (int first = 1; *line; first = 0) {
		size_t n = strcspn(line, "\n");

		if (*line == ' ')       /* the line before goes on */
			printf("       %.*s\n", (int)n, line);
		else
			printf("%s %s %.*s\n", first ? "Usage:" : "      ", c->program, (int)n,
				line);
		line += n + (line[n] == '\n');
	}
	wrap(c->purpose, 0, 0);
	if (c->options[0].name)
		puts("\nOptions:");
	for (size_t i = 0; i < c->noptions; i++)
		if (!c->options[i].name)
			printf("\n%s\n", c->options[i].help);
		else if (is_shown(c, &c->options[i]))
			print_option(&c->options[i]);
	if (c->rest) {
		putchar('\n');
		wrap(c->rest, 0, 0);
	}
}

void cli_version(const struct cli *c)
{
	printf("%s (Periscope/C) %s\n", c->program, PACKAGE_VERSION);
}

int cli_wrong(const struct cli *c, const char *fmt, ...)
{
	char text[sizeof ((struct err *)0)->text + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s: %s\nTry %s --help.\n", c->program, text, c->program);
	return CLI_USAGE;
}

/* --- suggestions ------------------------------------------------------------------------------ */

static const char *nearest(const struct cli *c, const char *written)
{
	const char *best = NULL;
	char name[65];
	int least, limit;

	written += strspn(written, "-");
	snprintf(name, sizeof name, "%.*s", (int)strcspn(written, "="), written);
	limit = (int)(strlen(name) + 1) / 3;
	least = limit + 1;
	for (size_t i = 0; i < c->noptions; i++) {
		const char *option = c->options[i].name;
		int d = option && abs((int)strlen(option) - (int)strlen(name)) <= limit ?
			word_distance(name, option, limit) : least;

		if (d < least) {
			least = d;
			best = option;
		}
	}
	return best;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void fill_tables(const struct cli *c, struct option longs[MOST + 1],
	char shorts[2 * MOST + 3])
{
	size_t n = 0, k = 0;

	if (c->stops)
		shorts[k++] = '+';
	shorts[k++] = ':';
	for (size_t i = 0; i < c->noptions && n < MOST; i++) {
		const struct cli_option *o = &c->options[i];
		int argument = !o->argument ? no_argument :
			o->argument[0] == '[' ? optional_argument : required_argument;

		if (!o->name)
			continue;
		longs[n++] = (struct option){ o->name, argument, NULL, o->code };
		if (has_letter(o)) {
			shorts[k++] = (char)o->code;
			if (argument == required_argument)
				shorts[k++] = ':';
		}
	}
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
	shorts[k] = '\0';
}

static const char *name_of(const struct cli *c, int code)
{
	for (size_t i = 0; i < c->noptions; i++)
		if (c->options[i].name && c->options[i].code == code)
			return c->options[i].name;
	return NULL;
}

/* Writes the options that an abbreviated name may stand for to out; returns their number. */
static int expand(const struct cli *c, const char *written, char *out, size_t size)
{
	const char *name = written + 2;
	size_t n = strcspn(name, "="), used = 0;
	int found = 0;

	out[0] = '\0';
	for (size_t i = 0; i < c->noptions; i++)
		if (c->options[i].name && strncmp(c->options[i].name, name, n) == 0 && used < size)
			used += (size_t)snprintf(out + used, size - used, "%s--%s", found++ ? ", " :
				"", c->options[i].name);
	return found;
}

static void describe_unknown(const struct cli *c, const char *written, struct err *err)
{
	bool is_long = strncmp(written, "--", 2) == 0;
	const char *meant, *known = name_of(c, optopt);
	char all[200];

	if (is_long && optopt && known) {
		err_set(err, "--%s takes no value", known);
	} else if (is_long && expand(c, written, all, sizeof all) > 1) {
		err_set(err, "'%s' may be %s", written, all);
	} else if (is_long) {
		meant = nearest(c, written);
		err_set(err, "unknown option '%s'%s%s%s", written, meant ? "; did you mean '--" :
			"", meant ? meant : "", meant ? "'?" : "");
	} else {
		err_set(err, "unknown option '-%c'", optopt);
	}
}

/* getopt_long() takes any unique beginning of a name, whose meaning the next option may change. */
static bool is_abbreviated(const char *written, const char *name)
{
	return strncmp(written, "--", 2) == 0 && strcspn(written + 2, "=") != strlen(name);
}

int cli_next(const struct cli *c, int argc, char **argv, struct err *err)
{
	struct option longs[MOST + 1];
	char shorts[2 * MOST + 3];
	const char *written;
	int code, at = -1;

	fill_tables(c, longs, shorts);
	opterr = 0;
	code = getopt_long(argc, argv, shorts, longs, &at);
	if (code != ':' && code != '?' && code >= 0 && at >= 0) {
		written = argv[optind - (longs[at].has_arg == required_argument &&
			optarg == argv[optind - 1] ? 2 : 1)];
		if (is_abbreviated(written, longs[at].name)) {
			err_set(err, "'%.*s' is abbreviated: write --%s",
				(int)strcspn(written, "="), written, longs[at].name);
			return CLI_WRONG;
		}
	}
	if (code == ':') {
		const char *name = name_of(c, optopt);

		err_set(err, "--%s needs a value", name ? name : "");
		return CLI_WRONG;
	}
	if (code == '?') {
		describe_unknown(c, argv[optind - 1], err);
		return CLI_WRONG;
	}
	return code < 0 ? CLI_END : code;
}
