/* SPDX-License-Identifier: BSD-3-Clause */
/* aslc: options, one function per command, and what the commands share. */
#ifndef PSC_ASLC_H
#define PSC_ASLC_H

#include "asl/asl.h"
#include "asl/tools/tools.h"
#include "base/buf.h"

enum { EXIT_OK, EXIT_ERRORS, EXIT_USAGE };

#define MAX_SETTINGS 256

struct aslc {
	const char *model;              /* NULL: none */
	struct asl_setting settings[MAX_SETTINGS];
	size_t nsettings;
	bool json, werror, requests, check, in_place;
	char **files;
	int nfiles;
};

/* Exit codes. */
int aslc_check(const struct aslc *o);
int aslc_dump(const struct aslc *o);
int aslc_fmt(const struct aslc *o);
int aslc_test(const struct aslc *o);

/* --- aslc_check.c: shared by the commands --- */
/* Messages: printed at once, or collected for one JSON document on standard output. */
struct messages {
	bool json;
	int errors, warnings;
	struct buf text;
};
void messages_take(void *messages, const struct asl_diag *diag);       /* an asl_diag_fn */
/* Prints the JSON document, if any, and frees the messages. */
void messages_end(struct messages *m, const char *command);
/* Reads a file; "-" is standard input.  0 / -1 (reported to m). */
int aslc_read(const char *path, struct buf *text, struct messages *m);
/* The file's name in messages. */
const char *aslc_name(const char *path);
/* Compiles the model and the files; NULL after an error. */
struct asl_program *aslc_load(const struct aslc *o, struct messages *m);

#endif
