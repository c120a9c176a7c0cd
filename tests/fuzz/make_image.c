/* SPDX-License-Identifier: BSD-3-Clause */
/* make_image IMAGE FILE...: compiles the files, the data model first, and writes what agents get. */
#include "asl/asl.h"
#include "base/buf.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct buf image = BUF_INIT;
	struct asl_program *p;
	FILE *f;

	if (argc < 3) {
		fprintf(stderr, "usage: make_image IMAGE FILE...\n");
		return 2;
	}
	p = asl_load((const char *const *)argv + 2, (size_t)argc - 2, NULL, NULL, 0, asl_diag_print, stderr);
	if (!p)
		return 1;
	asl_image_write(p, &image);
	asl_free(p);
	f = fopen(argv[1], "wb");
	if (!f || fwrite(buf_str(&image), 1, image.len, f) != image.len || fclose(f)) {
		perror(argv[1]);
		return 1;
	}
	buf_free(&image);
	return 0;
}
