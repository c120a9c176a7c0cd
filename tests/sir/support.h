/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in, struct sir out, for tests. */
#ifndef PSC_TESTS_SIR_SUPPORT_H
#define PSC_TESTS_SIR_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sir/sir.h"

static inline struct sir *read_text(const char *text, size_t len, struct err *err)
{
	char path[] = "/tmp/psc-test-XXXXXX";
	int fd = mkstemp(path);
	struct sir *s = NULL;

	err->text[0] = '\0';
	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		err_sys(err, "%s", path);
	else
		s = sir_read(path, err);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return s;
}

#endif
