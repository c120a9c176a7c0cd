/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells by its first bytes what a file is. */
#include <config.h>

#include "base/file_kind.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HEAD = 512 };

static bool begins(const char *head, size_t n, const char *with)
{
	return n >= strlen(with) && strncasecmp(head, with, strlen(with)) == 0;
}

const char *file_kind(const char *head, size_t n)
{
	if (!n)
		return "empty";
	if (begins(head, n, "\x7f" "ELF"))
		return "a program or library (ELF)";
	if (begins(head, n, "\xef\xbb\xbf")) {
		head += 3;
		n -= 3;
	}
	while (n && isspace((unsigned char)*head)) {
		head++;
		n--;
	}
	if (begins(head, n, "{") || begins(head, n, "["))
		return "JSON";
	if (begins(head, n, "<!DOCTYPE html") || begins(head, n, "<html"))
		return "an HTML page";
	if (begins(head, n, "#!"))
		return "a script";
	if (begins(head, n, "\xff\xfe") || begins(head, n, "\xfe\xff"))
		return NULL;    /* UTF-16, which XML may be in */
	if (memchr(head, '\0', n))
		return "binary";
	return n && *head == '<' ? NULL : "text";
}

const char *file_kind_of(const char *path)
{
	char head[HEAD];
	FILE *in = fopen(path, "rbe");
	const char *kind;
	size_t n;

	if (!in)
		return NULL;
	n = fread(head, 1, sizeof head, in);
	kind = ferror(in) ? NULL : file_kind(head, n);
	fclose(in);
	return kind;
}
