/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `aslc test`: files of test cases, with results as TAP. */
#include "asl/tools/aslc.h"
#include "asl/tools/textcase.h"

#include <stdio.h>

int aslc_test(const struct aslc *o)
{
	struct asl_source model = { "model.asl", "", 0 };
	struct messages m = { .text = BUF_INIT };
	struct buf text = BUF_INIT;
	int number = 0, failed = 0;
	struct err err;

	if (o->model && aslc_read(o->model, &text, &m) < 0) {
		buf_free(&text);
		return EXIT_USAGE;
	}
	model.text = buf_str(&text);
	model.length = text.len;
	for (int i = 0; i < o->nfiles; i++) {
		int n = textcase_run(o->files[i], &model, o->model ? o->model : "", &number, stdout,
			&err);

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
