/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc: checks, shows and tests property files. */
#include "config.h"
#include "asl/asl.h"
#include "asl/textcase.h"
#include "base/buf.h"
#include "base/place.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OK, EXIT_ERRORS, EXIT_USAGE };

#define MAX_SETTINGS 256

struct options {
	const char *command;
	const char *model;              /* NULL: none */
	char model_path[PATH_MAX];
	struct asl_setting settings[MAX_SETTINGS];
	size_t nsettings;
};

static const char help[] =
	"Usage: aslc check [OPTION...] FILE...\n"
	"       aslc dump  [OPTION...] FILE...\n"
	"       aslc test  [OPTION...] FILE...\n"
	"Checks property files, shows what they compile to, runs tests of them.\n"
	"\n"
	"  --model FILE      the data model they are written against\n"
	"                    (default: the installed properties/model.asl)\n"
	"  --no-model        none: the files bring their own\n"
	"  --set NAME=VALUE  gives a constant, or Property.parameter, a value\n"
	"  --help            this text\n"
	"  --version         version\n"
	"\n"
	"Exit status: 0 no errors, 1 errors in the files, 2 wrong use.\n";

static int usage(const char *what, const char *which)
{
	fprintf(stderr, "aslc: %s%s%s%s\nTry 'aslc --help'.\n", what, which ? " '" : "",
		which ? which : "", which ? "'" : "");
	return -1;
}

static int add_setting(struct options *o, char *text)
{
	char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return usage("--set needs NAME=VALUE, not", text);
	if (o->nsettings == MAX_SETTINGS)
		return usage("too many --set", NULL);
	*equals = '\0';
	o->settings[o->nsettings++] = (struct asl_setting){ text, equals + 1, "--set" };
	return 0;
}

/* 0: go on; 1: done; -1: wrong use. */
static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "model", required_argument, NULL, 'm' }, { "no-model", no_argument, NULL, 'n' },
		{ "set", required_argument, NULL, 's' }, { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' }, { NULL, 0, NULL, 0 },
	};
	int opt;

	snprintf(o->model_path, sizeof o->model_path, "%s/properties/model.asl", place_data_dir());
	o->model = o->model_path;
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (opt) {
		case 'm':
			o->model = optarg;
			break;
		case 'n':
			o->model = NULL;
			break;
		case 's':
			if (add_setting(o, optarg) < 0)
				return -1;
			break;
		case 'h':
			fputs(help, stdout);
			return 1;
		case 'v':
			puts("aslc (" PACKAGE_NAME ") " PACKAGE_VERSION);
			return 1;
		default:
			return usage("wrong option", NULL);
		}
	}
	if (optind == argc)
		return usage("no command given", NULL);
	o->command = argv[optind++];
	if (strcmp(o->command, "check") && strcmp(o->command, "dump") && strcmp(o->command, "test"))
		return usage("unknown command", o->command);
	return optind < argc ? 0 : usage("no file given", NULL);
}

/* --- commands --- */
static int compile(const struct options *o, char **files, int nfiles, bool dump)
{
	const char **paths = calloc((size_t)nfiles + 1, sizeof *paths);
	struct asl_program *p;
	size_t n = 0;
	bool have_model = false;

	if (!paths) {
		fputs("aslc: out of memory\n", stderr);
		return EXIT_ERRORS;
	}
	for (int i = 0; i < nfiles; i++) {      /* `aslc check model.asl` means this model */
		const char *base = strrchr(files[i], '/');

		have_model = have_model || !strcmp(base ? base + 1 : files[i], "model.asl");
	}
	if (o->model && !have_model)
		paths[n++] = o->model;
	for (int i = 0; i < nfiles; i++)
		paths[n++] = files[i];
	p = asl_load(paths, n, o->settings, o->nsettings, asl_diag_print, stderr);
	free(paths);
	if (p && dump)
		asl_dump(p, stdout);
	asl_free(p);
	return p ? EXIT_OK : EXIT_ERRORS;
}

static int read_model(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "r");
	char chunk[4096];
	size_t n;

	if (!f) {
		fprintf(stderr, "aslc: cannot read the model '%s'\n", path);
		return -1;
	}
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(b, chunk, n);
	fclose(f);
	return b->failed ? -1 : 0;
}

static int test(const struct options *o, char **files, int nfiles)
{
	struct asl_source model = { "model.asl", "", 0 };
	struct buf text = BUF_INIT;
	int number = 0, failed = 0;
	struct err err;

	if (o->model && read_model(o->model, &text) < 0) {
		buf_free(&text);
		return EXIT_USAGE;
	}
	model.text = buf_str(&text);
	model.length = text.len;
	for (int i = 0; i < nfiles; i++) {
		int n = textcase_run(files[i], &model, o->model ? o->model : "",
			&number, stdout, &err);

		if (n < 0) {
			fprintf(stderr, "aslc: %s\n", err.text);
			printf("Bail out! %s\n", err.text);
		}
		failed += n < 0 ? 1 : n;
	}
	printf("1..%d\n", number);
	buf_free(&text);
	return failed ? EXIT_ERRORS : EXIT_OK;
}

int main(int argc, char **argv)
{
	static struct options o;
	int done = parse_options(&o, argc, argv);

	if (done)
		return done < 0 ? EXIT_USAGE : EXIT_OK;
	if (!strcmp(o.command, "test"))
		return test(&o, argv + optind, argc - optind);
	return compile(&o, argv + optind, argc - optind, !strcmp(o.command, "dump"));
}
