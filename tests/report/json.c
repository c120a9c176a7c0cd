/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks JSON as RFC 8259 has it, UTF-8 included, so that no interpreter is needed. */
#include "tests/report/json.h"

#include <string.h>

#include "base/json_text.h"
#include "report/model/figures.h"

struct scan {
	const char *p, *end;
	int depth;
};

static int value(struct scan *s);

static void space(struct scan *s)
{
	while (s->p < s->end && strchr(" \t\r\n", *s->p) && *s->p)
		s->p++;
}

static int take(struct scan *s, char c)
{
	if (s->p >= s->end || *s->p != c)
		return 0;
	s->p++;
	return 1;
}

static int string(struct scan *s)
{
	if (!take(s, '"'))
		return 0;
	while (s->p < s->end && *s->p != '"') {
		uint32_t code;
		int n = text_utf8(s->p, &code);

		if (n == 0 || code < 0x20)
			return 0;
		s->p += n;
		if (code != '\\')
			continue;
		if (take(s, 'u')) {
			if (strspn(s->p, "0123456789abcdefABCDEF") < 4)
				return 0;
			s->p += 4;
		} else if (s->p >= s->end || !*s->p || !strchr("\"\\/bfnrt", *s->p++)) {
			return 0;
		}
	}
	return take(s, '"');
}

static int digits(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return s->p > from;
}

static int number(struct scan *s)
{
	take(s, '-');
	if (!take(s, '0') && !digits(s))
		return 0;
	if (take(s, '.') && !digits(s))
		return 0;
	if (take(s, 'e') || take(s, 'E')) {
		if (!take(s, '+'))
			take(s, '-');
		return digits(s);
	}
	return 1;
}

static int list(struct scan *s, char close, int keys)
{
	s->p++;
	space(s);
	if (take(s, close))
		return 1;
	do {
		space(s);
		if (keys) {
			if (!string(s))
				return 0;
			space(s);
			if (!take(s, ':'))
				return 0;
		}
		if (!value(s))
			return 0;
		space(s);
	} while (take(s, ','));
	return take(s, close);
}

static int value(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };
	int ok;

	space(s);
	if (s->p >= s->end || ++s->depth > 100)
		return 0;
	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
			s->p += n;
			s->depth--;
			return 1;
		}
	}
	if (*s->p == '{')
		ok = list(s, '}', 1);
	else if (*s->p == '[')
		ok = list(s, ']', 0);
	else
		ok = *s->p == '"' ? string(s) : number(s);
	s->depth--;
	return ok;
}

const char *json_fault(const char *text, size_t len)
{
	struct scan s = { text, text + len, 0 };

	if (!value(&s))
		return s.p;
	space(&s);
	return s.p == s.end ? NULL : s.p;
}
