/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines of all our programs: one table of options serves both to read them and to print
 * --help in 80 columns.  The message for an unknown option suggests a similar one. */
#ifndef PSC_BASE_CLI_H
#define PSC_BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

struct cli_option {
	const char *name;       /* the long form, without --; NULL: `help` is a heading of the
				 * options below */
	int code;               /* result of cli_next(); printable ASCII: also the short form */
	const char *argument;   /* its name in --help; NULL: none; in brackets: optional */
	const char *help;       /* any length; broken into lines at blanks */
	unsigned commands;      /* mask of the sub-commands with this option; 0: all */
};

enum { CLI_HELP = 'h', CLI_VERSION = 0x1000 };  /* codes of the options in CLI_COMMON */
#define CLI_COMMON \
	{ "help", CLI_HELP, NULL, "this text", 0 }, \
	{ "version", CLI_VERSION, NULL, "the version", 0 }

struct cli {
	const char *program;
	const char *usage;              /* lines, each printed after the program's name */
	const char *purpose;            /* a paragraph */
	const struct cli_option *options;
	size_t noptions;
	const char *rest;               /* paragraphs after the options: examples, exit codes;
					 * NULL */
	unsigned command;               /* --help shows only this sub-command's options; 0: all */
	bool stops;                     /* options end at the first non-option argument */
};

enum { CLI_USAGE = 2 };                 /* exit code of wrong use */
enum { CLI_END = -1, CLI_WRONG = -2 };

/* Reads the next option, as getopt_long() does (optarg, optind), but takes no abbreviated names.
 * Returns its code, CLI_END, or CLI_WRONG with err set. */
int cli_next(const struct cli *c, int argc, char **argv, struct err *err);

/* Print --help and --version to standard output. */
void cli_help(const struct cli *c);
void cli_version(const struct cli *c);

/* Prints what is wrong, and how to get help, to standard error.  Returns CLI_USAGE. */
int cli_wrong(const struct cli *c, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
