/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc: the options, and one function per command, each in its own file. */
#ifndef PSC_ASLC_H
#define PSC_ASLC_H

#include "asl/asl.h"
#include "asl/tools/tools.h"
#include "base/buf.h"

enum { EXIT_OK, EXIT_ERRORS, EXIT_USAGE };

#define MAX_SETTINGS 256

struct aslc {
	const char *model;              /* NULL: none */
	const char *out;                /* -o; "-" */
	struct asl_setting settings[MAX_SETTINGS];
	size_t nsettings;
	bool json, werror, requests, check, in_place, html;
	char **files;
	int nfiles;
};

/* Exit codes. */
int aslc_check(const struct aslc *o);
int aslc_doc(const struct aslc *o);
int aslc_dump(const struct aslc *o);
int aslc_fmt(const struct aslc *o);
int aslc_test(const struct aslc *o);

/* --- what the commands share (aslc_check.c) --- */
/* Messages, printed as they come or gathered for one JSON document on standard output. */
struct messages {
	bool json;
	int errors, warnings;
	struct buf text;
};
void messages_take(void *messages, const struct asl_diag *diag);       /* an asl_diag_fn */
/* Prints the document if there is one, and frees. */
void messages_end(struct messages *m, const char *command);
/* "-" is standard input.  0 / -1 (said to m). */
int aslc_read(const char *path, struct buf *text, struct messages *m);
/* What the file is called in messages. */
const char *aslc_name(const char *path);
/* The model and the files, compiled; NULL after an error. */
struct asl_program *aslc_load(const struct aslc *o, struct messages *m);

#endif
