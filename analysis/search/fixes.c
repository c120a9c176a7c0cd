/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the argument of --what-if: which fixes to try for which data structures; finds those that
 * a property names. */
#include "analysis/search/fixes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAX = 1 << 30 };

static const struct { enum fix fix; enum tried_fix tried; } names[] = {
	{ FIX_PAD, TRIED_PAD }, { FIX_ROWS, TRIED_PAD }, { FIX_TOUCH, TRIED_TOUCH },
	{ FIX_INTERLEAVE, TRIED_INTERLEAVE }, { FIX_HIT, TRIED_HIT }, { FIX_DENSE, TRIED_DENSE },
	{ FIX_PAGES, TRIED_PAGES }, { FIX_FIT, TRIED_FIT }, { FIX_SPLIT, TRIED_SPLIT },
	{ FIX_NOCOPY, TRIED_NOCOPY }, { FIX_REPLICATE, TRIED_REPLICATE }, { FIX_BIND, TRIED_BIND },
	{ FIX_THREADS, TRIED_THREADS },
};
enum { NAMES = sizeof names / sizeof names[0] };

enum tried_fix fix_tried(enum fix f)
{
	for (int i = 0; i < NAMES; i++)
		if (names[i].fix == f)
			return names[i].tried;
	return TRIED_NONE;
}

uint32_t fixes_of_property(const struct asl_program *p, const struct asl_property *q)
{
	static const struct { const char *name; enum fix fix; } values[] = {    /* model.asl */
		{ "INTERLEAVE", FIX_INTERLEAVE }, { "BIND", FIX_BIND },
		{ "REPLICATE", FIX_REPLICATE }, { "THREADS", FIX_THREADS },
		{ "LARGE_PAGES", FIX_PAGES }, { "DENSE", FIX_DENSE }, { "SPLIT", FIX_SPLIT },
		{ "NOCOPY", FIX_NOCOPY }, { "PAD", FIX_PAD },
	};
	const int fixes = q->fixes ? asl_enum_find(p, "Fix") : -1;
	uint32_t named = 0;

	for (size_t i = 0; fixes >= 0 && i < sizeof values / sizeof *values; i++) {
		const int bit = asl_enum_value(p, fixes, values[i].name);

		if (bit >= 0 && bit < 32 && q->fixes >> bit & 1)
			named |= values[i].fix;
	}
	return named;
}

static int parse_row(const char *text, struct fix_want *out, struct err *err)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || v < 1 || v > ROW_MAX)
		return err_set(err, "--what-if: pad= takes the bytes of a row, 1 to %d, not '%s'",
			ROW_MAX, text);
	if (out->fixes & FIX_ROWS && out->row != v)
		return err_set(err,
			"--what-if: pad= is given twice; only one length of rows can be "
			"tried at a time");
	out->fixes |= FIX_ROWS;
	out->row = (uint32_t)v;
	return 0;
}

static int parse_level(const char *text, struct fix_want *out, struct err *err)
{
	if ((text[0] != 'L' && text[0] != 'l') || text[1] < '1' || text[1] > '9' || text[2])
		return err_set(err, "--what-if: fit= takes a cache level, L1, L2, ..., not '%s'",
			text);
	out->fixes |= FIX_FIT;
	out->level = (uint32_t)(text[1] - '0');
	return 0;
}

static int parse_fix(const char *word, size_t n, struct fix_want *out, struct err *err)
{
	char text[32];

	if (n < sizeof text) {
		memcpy(text, word, n);
		text[n] = '\0';
		if (strncmp(text, "pad=", 4) == 0)
			return parse_row(text + 4, out, err);
		if (strncmp(text, "fit=", 4) == 0)
			return parse_level(text + 4, out, err);
		for (int i = 0; i < NAMES; i++)
			if (names[i].fix != FIX_FIT &&
			    strcmp(text, tried_fix_names[names[i].tried]) == 0) {
				out->fixes |= names[i].fix;
				return 0;
			}
	}
	return err_set(err,
		"--what-if: the fixes are pad, pad=BYTES, touch, interleave, replicate, bind, threads, dense, split, "
		"nocopy, fit=LEVEL, pages=2M and hit, "
		"not '%.*s'", n < 100 ? (int)n : 100, word);
}

/* The colon that separates structure and fixes; NULL where the last colon is part of a "::". */
static const char *colon(const char *text)
{
	const char *at = strrchr(text, ':');

	return at && at > text && at[-1] == ':' ? NULL : at;
}

int fixes_parse(const char *text, struct fix_want *out, struct err *err)
{
	const char *at = text ? colon(text) : NULL;
	size_t n = text ? at ? (size_t)(at - text) : strlen(text) : 0;
	struct fix_want w = { .fixes = 0 };

	if (text && !n)
		return err_set(err, "--what-if takes STRUCTURE[:FIX[,FIX...]], not '%s'", text);
	if (n >= sizeof w.structure)
		return err_set(err, "--what-if: the name of the structure is too long");
	if (n)
		memcpy(w.structure, text, n);
	while (at) {
		const char *word = at + 1;

		at = strchr(word, ',');
		if (parse_fix(word, at ? (size_t)(at - word) : strlen(word), &w, err))
			return -1;
	}
	*out = w;
	return 0;
}

int fixes_parse_verify(const char *text, struct fix_want *out, struct err *err)
{
	struct fix_want w = { .fixes = FIX_VERIFY };

	if (!*text || strlen(text) >= sizeof w.structure)
		return err_set(err,
			"--verify takes the name of a structure, of at most %u characters",
			(unsigned)sizeof w.structure - 1);
	strcpy(w.structure, text);
	*out = w;
	return 0;
}
