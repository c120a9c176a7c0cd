/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of every command line of ours: one table gives the options that are read and the text of --help, which
 * fits in 80 columns; a wrong option says which one was meant. */
#ifndef PSC_BASE_CLI_H
#define PSC_BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

struct cli_option {
	const char *name;       /* the long form, without --; NULL: `help` is a heading of the options below */
	int code;               /* what cli_next() returns; a printable ASCII character is its short form, too */
	const char *argument;   /* as --help names it; NULL: none; in brackets: may be left out */
	const char *help;       /* any length; broken into lines at blanks */
	unsigned commands;      /* which sub-commands know it, as bits; 0: all */
};

enum { CLI_HELP = 'h', CLI_VERSION = 0x1000 };  /* codes of the two that all have */
#define CLI_COMMON \
	{ "help", CLI_HELP, NULL, "this text", 0 }, \
	{ "version", CLI_VERSION, NULL, "the version", 0 }

struct cli {
	const char *program;
	const char *usage;              /* lines, each after the program's name */
	const char *purpose;            /* a paragraph */
	const struct cli_option *options;
	size_t noptions;
	const char *rest;               /* paragraphs after the options: examples, exit codes; NULL */
	unsigned command;               /* only options that know this sub-command are shown; 0: all */
	bool stops;                     /* options end at the first argument */
};

enum { CLI_USAGE = 2 };                 /* exit code of wrong use */
enum { CLI_END = -1, CLI_WRONG = -2 };

/* Reads the next option, as getopt_long() does (optarg, optind).  Its code; CLI_END; CLI_WRONG and err. */
int cli_next(const struct cli *c, int argc, char **argv, struct err *err);

/* --help and --version, on standard output. */
void cli_help(const struct cli *c);
void cli_version(const struct cli *c);

/* Says what is wrong, and where help is, on standard error.  Returns CLI_USAGE. */
int cli_wrong(const struct cli *c, const char *fmt, ...) PSC_PRINTF(2, 3);

#endif
